"""Tuning: better weights of features and parameters of search, found by playing.

Three rounds, each on seeds that no other has seen:

1. *The search.* CMA-ES (N. Hansen, "The CMA Evolution Strategy: a tutorial", arXiv:1604.00772)
   proposes trials, one generation after the other, and learns which ones did better. All trials of
   a generation play the same blocks, since only they are compared with each other and common deals
   take much of the noise out of that; the next generation gets fresh ones, so that the search
   cannot learn the deals by heart.
2. *The finalists.* Whoever did best among many did so by luck too. The best few trials, and the
   mean of the search, in which much of the noise has gone, play again on seeds of their own.
3. *The confirmation.* The best finalist meets the agent as given on seeds that had no part in
   choosing it, so that its gain is estimated without favour; that gain is what is reported.

The optimiser is the package `cmaes` with nothing in between. A search is replayed from its table
of trials when it goes on: the draws depend on the seed and the results alone, so that a run that
was killed ends exactly as one that was not. A study of `optuna`, which drives the same CMA-ES,
draws anew after each start, knows no seeds that change with the generation, has no mean of the
search, and brings a database along.
"""

import csv
import dataclasses
import datetime
import math
from pathlib import Path

import numpy as np
import pandas as pd

from agents import KINDS, resolve
from agents.agent import Parameter
from experiments import store
from experiments.schedules import block_seeds
from experiments.stats import measures
from experiments.tournaments import Tournament, check_jobs, play_tournament
from sim.game import checked_seed, unknown_name
from sim.protocol import code_digest

TRIALS, FINALISTS, PARAMETERS, GAIN = "trials.csv", "finalists.csv", "parameters.csv", "gain.csv"
CONFIRMATION = "confirmation"
OBJECTIVES = ("share", "margin")
NO_GAIN = {"share": 0.5, "margin": 0.0}
_DEFAULT_TRIALS = 100
_DEFAULT_BLOCKS = 100  # of a trial, for each line-up
_DEFAULT_CONFIRM_BLOCKS = 500
_MAX_TRIALS = 100_000
_NUM_FINALISTS = 5
_STEP = 0.4  # first standard deviation of the search, as a share of the range of one parameter
_SPAN = 2.0  # a weight is tried to so many times its default below and above
_CONFIRM_STAGE, _FINAL_STAGE, _FIRST_GENERATION = 0, 1, 2  # which seed of the tuning's stream
_WIDE = 2.0  # a range whose ends have this ratio or more may be logarithmic
_STEPS_OF_RANGE = 1000  # to which numbers are rounded, so that they can be typed
_LOGARITHMIC = True

# What is tried of the parameters of search where no range is given.
SEARCH_RANGES = {
    "exploration": (0.02, 5.0, _LOGARITHMIC),
    "prior": (0.1, 30.0, _LOGARITHMIC),
    "horizon": (1, 40, _LOGARITHMIC),
    "greed": (0.0, 1.0, not _LOGARITHMIC),
    "softness": (1.0, 100.0, _LOGARITHMIC),
    "margin": (0.0, 1.0, not _LOGARITHMIC),
    "rank": (0.0, 1.0, not _LOGARITHMIC),
}
# What is not tuned, and why.
FIXED = {
    "simulations": "a budget: more is stronger and slower",
    "seconds": "a budget: more is stronger and slower",
    "nodes": "a budget: more is stronger and larger",
    "threads": "a budget: more is faster, where there are cores",
    "paired": "a switch: let the agents with and without it meet in a tournament",
}


@dataclasses.dataclass(frozen=True)
class Range:
    """A parameter to be tuned, and between which numbers.

    Attributes
    ----------
    name : str
    low, high : int or float
        Both are tried too.
    is_whole, is_logarithmic : bool
    given : int, float or None
        What the agent has; None when it is not in force there.
    start : float
        Where the search begins, as `number` takes it.
    """

    name: str
    low: int | float
    high: int | float
    is_whole: bool
    is_logarithmic: bool
    given: int | float | None
    start: float = 0.5

    def number(self, place):
        """Return the number at a place.

        Parameters
        ----------
        place : float
            0 is the low end, 1 the high one.

        Returns
        -------
        int or float
            With few digits, so that it can be typed: what is played is what is printed.
        """
        if not 0 < place < 1:
            return self.low if place <= 0 else self.high
        low, high = self._ends()
        if self.is_logarithmic:
            value = low * (high / low) ** place
        else:
            value = low + (high - low) * place
        if self.is_whole:
            return min(max(round(value), self.low), self.high)
        if self.is_logarithmic:
            value = float(f"{value:.3g}")
        else:
            value = round(value, -math.floor(math.log10((high - low) / _STEPS_OF_RANGE)))
        return min(max(value + 0.0, self.low), self.high)  # + 0.0: no -0.0

    def place(self, number):
        """Return where a number lies; the middle when it is beyond the ends.

        Parameters
        ----------
        number : int, float or None

        Returns
        -------
        float
        """
        if number is None or not self.low <= number <= self.high:
            return 0.5
        low, high = self._ends()
        if self.is_logarithmic:
            return math.log(number / low) / math.log(high / low)
        return (number - low) / (high - low)

    def _ends(self):
        """Whole numbers own half a step on either side, so that the ends are tried as often."""
        return (self.low - 0.5, self.high + 0.5) if self.is_whole else (self.low, self.high)


@dataclasses.dataclass(frozen=True, eq=False)
class Tuned:
    """What a tuning found.

    Attributes
    ----------
    agent, given, opponent : str
        Labels: what came out, what was given, and whom the trials met.
    objective : str
        What was made large: ``share`` or ``margin``.
    parameters : pd.DataFrame
        ``name, given, tuned, low, high`` (the range that was tried).
    gain : pd.DataFrame
        From the confirmation: ``agent, opponent, measure`` (share of the pairings in which the
        agent came before the opponent, or margin of its score)``, value, low, high`` (95 % interval
        over blocks)``, no_gain, blocks, matches, seed``. The first two rows are the tuned agent
        against the agent as given; where the trials met another opponent, the tuned and the given
        agent against that one follow.
    trials : pd.DataFrame
        One row per trial, the agent as given first: ``trial, generation, seed, blocks, agent,
        share, share_low, share_high, margin, margin_low, margin_high`` against the opponent, and
        ``param_`` and the name for each parameter that was tuned.
    finalists : pd.DataFrame
        The same of the second round; the trial of the mean of the search is -1.
    """

    agent: str
    given: str
    opponent: str
    objective: str
    parameters: pd.DataFrame
    gain: pd.DataFrame
    trials: pd.DataFrame
    finalists: pd.DataFrame


class TuningFolder(store.Folder):
    """A folder that holds one tuning and no other; the parameters are those of `Folder`."""

    what = "tuning"
    identity = (
        "game",
        "players",
        "options",
        "rules_hash",
        "code",
        "agent",
        "opponent",
        "tuned",
        "objective",
        "trials",
        "blocks",
        "confirm_blocks",
        "seed",
    )

    def rows(self, name):
        """Return the rows of a table that is kept here; none when it is not there.

        Parameters
        ----------
        name : str

        Returns
        -------
        list of dict

        Raises
        ------
        ValueError
            When it is damaged.
        """
        file = self.folder / name
        if not file.exists():
            return []
        try:
            with file.open(encoding="utf-8", newline="") as lines:
                rows = [
                    {key: _read(text) for key, text in row.items()} for row in csv.DictReader(lines)
                ]
        except (ValueError, TypeError, OSError, csv.Error):  # not UTF-8, too many or few columns
            rows = []
        if not rows:
            raise ValueError(f"{file} is damaged; remove it, or name another folder")
        return rows

    def keep(self, name, rows):
        """Write a table.

        Parameters
        ----------
        name : str
        rows : list of dict, or pd.DataFrame
        """
        self.write(name, lambda file: pd.DataFrame(rows).to_csv(file, index=False))


class Tuning:
    """What is to be tuned; made by `tune`, which see for the parameters.

    Attributes
    ----------
    game : sim.Game
    given, opponent : agents.Agent
    ranges : list of Range
    objective : str
    trials, blocks, confirm_blocks, rotations, seed : int
    matches : int
        How many are played at most.
    """

    def __init__(
        self,
        game,
        agent,
        *,
        opponent=None,
        parameters=None,
        players=None,
        trials=_DEFAULT_TRIALS,
        blocks=None,
        confirm_blocks=None,
        objective="share",
        seed=0,
    ):
        _optimiser()
        if not isinstance(agent, str):
            raise TypeError(f"{agent!r} cannot be tuned; accepted: a spec of greedy or mcts")
        self.seed = checked_seed(seed)
        plan = Tournament(game, [agent], players=players)
        (self.game,) = plan.games
        (self.given,) = plan.agents
        if self.game.players == 1:
            raise ValueError(
                "alone one beats nobody, so that nothing can be tuned; accepted: 2 players and more"
            )
        self._opponent_spec = agent if opponent is None else opponent
        self.opponent = resolve(self._opponent_spec, self.game)
        self.kind = KINDS.get(self.given.label.partition(":")[0])
        if self.kind is None or not self.kind.judges:
            raise ValueError(f"{agent} has nothing to tune; accepted: greedy, mcts or default")
        if objective not in OBJECTIVES:
            raise unknown_name("objective", objective, OBJECTIVES)
        self.objective = objective
        whole = isinstance(trials, int | np.integer) and not isinstance(trials, bool)
        if not whole or not 1 <= trials <= _MAX_TRIALS:
            raise ValueError(f"trials={trials!r} is not accepted; accepted: 1 to {_MAX_TRIALS}")
        self.trials = int(trials)
        self.ranges = self._ranges(parameters)
        first = self.candidate([r.start for r in self.ranges])  # refused here, not while it plays
        self.blocks, self.rotations = self._checked_blocks(first, blocks, _DEFAULT_BLOCKS)
        self.confirm_blocks, _ = self._checked_blocks(
            first, confirm_blocks, _DEFAULT_CONFIRM_BLOCKS, "confirm_"
        )
        confirmations = 1 if self.is_against_itself else 3
        self.matches = self.rotations * (
            (self.trials + 1) * self.blocks + (_NUM_FINALISTS + confirmations) * self.confirm_blocks
        )

    def _checked_blocks(self, first, blocks, default, prefix=""):
        """Blocks and rotations of a tournament of two different agents."""
        if first.label == self.opponent.label:  # any other will do to count line-ups
            first = resolve("random", self.game)
        pair = [first.label, self._opponent_spec]
        num_line_ups = len(Tournament(self.game, pair).schedule.line_ups)
        blocks = default * num_line_ups if blocks is None else blocks
        try:
            plan = Tournament(self.game, pair, blocks=blocks)
        except ValueError as error:
            raise ValueError(f"{prefix}{error}") from None
        return plan.blocks, plan.matches // plan.blocks

    def _spec_of(self, agent):
        return self._opponent_spec if agent is self.opponent else agent.label

    @property
    def is_against_itself(self):
        """Whether the opponent is the agent as given."""
        return self.opponent.label == self.given.label

    def _weights(self):
        definition = self.game.definition
        return dict(zip(definition.feature_names, definition.weights, strict=True))

    def _ranges(self, parameters):
        """The ranges that are asked for, or all that the agent has."""
        weights = self._weights()
        if parameters is None:
            if self.kind.name == "greedy":
                names = list(weights)[1:]  # only ratios matter; the first, the score, stays
            else:
                names = [name for name in SEARCH_RANGES if name in self.given.parameters]
            if not names:
                raise ValueError(f"{self.given.label} has nothing to tune in {self.game.name}")
            parameters = dict.fromkeys(names)
        if not isinstance(parameters, dict):
            raise TypeError(
                f"parameters={parameters!r} is not accepted; accepted: a dict of names to "
                "(low, high), or to None for the usual range"
            )
        if not parameters:
            raise ValueError("no parameters to tune; accepted: one or more")
        known = {p.name: p for p in self.kind.parameters}
        known |= {name: Parameter(name, float, None, -1e6, 1e6, "weight") for name in weights}
        tunable = [name for name in known if name not in FIXED]
        ranges = []
        for name, ends in parameters.items():
            if name in FIXED and name in known:
                raise ValueError(
                    f"{name} is not tuned, it is {FIXED[name]}; accepted: {', '.join(tunable)}"
                )
            if name not in known:
                raise unknown_name(f"parameter of {self.kind.name}", name, tunable)
            ranges.append(self._range(known[name], ends, weights))
        return ranges

    def _range(self, parameter, ends, weights):
        name = parameter.name
        given = self.given.parameters.get(name)
        is_logarithmic = False
        if name in weights:
            default = weights[name]
            usual = _around(default, default if given is None else given, weights)
        else:
            default = parameter.default
            *usual, is_logarithmic = SEARCH_RANGES[name]
        low, high = usual if ends is None else _checked_ends(parameter, ends)
        found = Range(
            name,
            low,
            high,
            parameter.type is int,
            is_logarithmic and low > 0 and high / low >= _WIDE,
            given,
        )
        start = found.place(default if given is None else given)
        return dataclasses.replace(found, start=start)

    def candidate(self, places):
        """Return the agent at some places of the ranges.

        Parameters
        ----------
        places : sequence of float
            One for each range; 0 is its low end, 1 its high one.

        Returns
        -------
        agents.Agent
        """
        _, _, given = self.given.label.partition(":")
        values = dict(part.split("=") for part in given.split(",") if part)
        for found, place in zip(self.ranges, places, strict=True):
            values[found.name] = repr(found.number(float(place))).removesuffix(".0")
        text = ",".join(f"{name}={value}" for name, value in values.items())
        return resolve(f"{self.kind.name}:{text}", self.game)

    def stage_seed(self, stage):
        """Return the seed of a round's tournaments; those of different rounds share no deal.

        Parameters
        ----------
        stage : int

        Returns
        -------
        int
        """
        seeds = np.zeros(1, np.int64)
        block_seeds(self.seed, np.array([stage]), seeds)
        return int(seeds[0])

    @property
    def confirm_seed(self):
        """Seed of the tournament that confirms the gain."""
        return self.stage_seed(_CONFIRM_STAGE)

    def meeting(self, agent, opponent, blocks, stage):
        """Return the tournament of an agent and an opponent in a round.

        Parameters
        ----------
        agent, opponent : agents.Agent
        blocks, stage : int

        Returns
        -------
        experiments.tournaments.Tournament
        """
        pair = [self._spec_of(agent), self._spec_of(opponent)]
        return Tournament(self.game, pair, blocks=blocks, seed=self.stage_seed(stage))

    def manifest(self):
        """Return all that is needed to do it again, as a dict that JSON can hold."""
        return {
            "game": self.game.name,
            "players": self.game.players,
            "options": dict(self.game.options),
            "components": self.game.changed_components,
            "rules_hash": self.game.rules_hash,
            "code": code_digest(self.game.definition),
            "agent": {"label": self.given.label, "parameters": self.given.parameters},
            "opponent": {"label": self.opponent.label, "parameters": self.opponent.parameters},
            "tuned": [dataclasses.asdict(found) for found in self.ranges],
            "objective": self.objective,
            "trials": self.trials,
            "blocks": self.blocks,
            "confirm_blocks": self.confirm_blocks,
            "seed": self.seed,
            "versions": store.versions() | {"cmaes": _optimiser().__version__},
            "machine": store.machine(),
            "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        }


def tune(
    game,
    agent,
    *,
    opponent=None,
    parameters=None,
    players=None,
    trials=_DEFAULT_TRIALS,
    blocks=None,
    confirm_blocks=None,
    objective="share",
    seed=0,
    n_jobs=1,
    out=None,
    progress=None,
):
    """Look for better weights or parameters of an agent, and confirm the gain on fresh seeds.

    Parameters
    ----------
    game : str or sim.Game
    agent : str
        Spec of `greedy` or `mcts`.
    opponent : str, class or object, optional
        Whom every trial meets; by default the agent as given.
    parameters : dict of str to (low, high) or None, optional
        What is tuned, between which numbers; None stands for the usual range. By default all
        weights of `greedy` but the first, since only ratios matter, to twice their size below and
        above; and of `mcts` the parameters that its spec names, within `SEARCH_RANGES`. Budgets and
        switches are not tuned.
    players : int, optional
        For a game given by name; by default the fewest.
    trials : int, default: 100
        Besides the agent as given, which is trial 0.
    blocks : int, optional
        Of each trial; by default 100 for each line-up.
    confirm_blocks : int, optional
        Of each finalist, and of the confirmation; by default 500 for each line-up.
    objective : {"share", "margin"}
        What is made large: the share of pairings in which the agent comes before the opponent, or
        the margin of its score, which varies less and is not always the same thing.
    seed : int, default: 0
        The same seed gives the same tables (unless an agent has a budget in seconds).
    n_jobs : int, default: 1
        Workers, as joblib counts them.
    out : str or Path, optional
        Folder for manifest, tables and the matches of the confirmation. A tuning that was
        interrupted goes on where it stopped; at most one trial is played again.
    progress : callable, optional
        Called with the number of matches finished so far.

    Returns
    -------
    Tuned

    Raises
    ------
    ValueError, TypeError
        For anything that is not accepted; the message says what is.
    RuntimeError
        When `cmaes` is not installed.

    Examples
    --------
    >>> found = tune(
    ...     "connect_four", "greedy:threats=-1", trials=8, blocks=10, confirm_blocks=40, seed=1
    ... )
    >>> bool(found.gain.value[0] > 0.5)
    True
    """
    plan = Tuning(
        game,
        agent,
        opponent=opponent,
        parameters=parameters,
        players=players,
        trials=trials,
        blocks=blocks,
        confirm_blocks=confirm_blocks,
        objective=objective,
        seed=seed,
    )
    return run_tuning(plan, n_jobs=n_jobs, out=out, progress=progress)


def run_tuning(plan, *, n_jobs=1, out=None, progress=None):
    """Carry a `Tuning` out as `plan` says; the parameters are those of `tune`."""
    check_jobs(n_jobs)
    rounds = _Rounds(plan, n_jobs, progress or (lambda num_matches: None))
    if out is None:
        return rounds.play(None)
    with TuningFolder(out, plan.manifest()) as folder:
        return rounds.play(folder)


class _Rounds:
    """The three rounds of a tuning while they are played."""

    def __init__(self, plan, n_jobs, report):
        self.plan = plan
        self.n_jobs = n_jobs
        self.report = report
        self.finished = 0
        self.folder = None

    def play(self, folder):
        plan = self.plan
        self.folder = folder
        trials, mean = self._search()
        finalists = self._finals(trials, mean)
        best = resolve(_best(finalists, plan.objective).agent, plan.game)
        gain = self._confirm(best)
        self.report(plan.matches)
        parameters = pd.DataFrame(
            {
                "name": [r.name for r in plan.ranges],
                "given": [r.given for r in plan.ranges],
                "tuned": [best.parameters[r.name] for r in plan.ranges],
                "low": [r.low for r in plan.ranges],
                "high": [r.high for r in plan.ranges],
            }
        )
        if folder is not None:
            folder.keep(PARAMETERS, parameters)
            folder.keep(GAIN, gain)
        return Tuned(
            best.label,
            plan.given.label,
            plan.opponent.label,
            plan.objective,
            parameters,
            gain,
            trials,
            finalists,
        )

    def _search(self):
        """The table of all trials, and the places of the mean of the search."""
        plan = self.plan
        kept = self._kept(TRIALS)
        optimiser = _optimiser().CMA(
            np.array([r.start for r in plan.ranges]),
            _STEP / math.sqrt(len(plan.ranges)),  # as far in all, however many they are
            seed=plan.seed & 0xFFFFFFFF,
        )
        rows, told = [], []
        self._row(TRIALS, kept, rows, plan.given, _FIRST_GENERATION, 0, plan.blocks)
        for trial in range(1, plan.trials + 1):
            stage = _FIRST_GENERATION + optimiser.generation
            # A number beyond an end is taken for the end, so that ends can be held.
            places = np.clip(optimiser.ask(), 0.0, 1.0)
            agent = plan.candidate(places)
            row = self._row(TRIALS, kept, rows, agent, stage, trial, plan.blocks)
            told.append((places, -row[plan.objective]))
            if len(told) == optimiser.population_size:
                optimiser.tell(told)
                told = []
        return pd.DataFrame(rows), np.clip(optimiser.mean, 0.0, 1.0)

    def _finals(self, trials, mean):
        """The table of the finalists."""
        plan = self.plan
        ordered = trials.sort_values(plan.objective, ascending=False, kind="stable")
        candidates = [(-1, plan.candidate(mean))]
        candidates += [(t.trial, resolve(t.agent, plan.game)) for t in ordered.itertuples()]
        chosen = []
        for trial, agent in candidates:
            seen = [plan.given, *(other for _, other in chosen)]
            if len(chosen) < _NUM_FINALISTS and not any(_are_same(agent, o) for o in seen):
                chosen.append((trial, agent))
        if not chosen:
            raise ValueError(
                "no trial differs from the agent as given; accepted: wider ranges, or more trials"
            )
        kept, rows = self._kept(FINALISTS), []
        for trial, agent in chosen:
            self._row(FINALISTS, kept, rows, agent, _FINAL_STAGE, trial, plan.confirm_blocks)
        return pd.DataFrame(rows)

    def _kept(self, name):
        return [] if self.folder is None else self.folder.rows(name)

    def _row(self, name, kept, rows, agent, stage, trial, blocks):
        """The next row of a table: the one that is kept, or what comes out when it is played."""
        plan = self.plan
        row = {
            "trial": trial,
            "generation": stage - _FIRST_GENERATION + 1 if trial > 0 else 0,
            "seed": plan.stage_seed(stage),
            "blocks": blocks,
            "agent": agent.label,
        }
        if stage == _FINAL_STAGE:
            del row["generation"]
        if len(rows) < len(kept):
            found = kept[len(rows)]
            if any(found.get(key) != value for key, value in row.items()):
                raise ValueError(
                    f"{self.folder.folder / name} does not hold what its manifest says; remove it, "
                    "or name another folder"
                )
            self._count(blocks)
            rows.append(found)
            return found
        alike = [r for r in rows if (r["agent"], r["seed"]) == (row["agent"], row["seed"])]
        if alike:
            row = alike[0] | row
            self._count(blocks)
        else:
            row |= self._measure(agent, plan.opponent, blocks, stage)
            row |= {f"param_{r.name}": agent.parameters.get(r.name) for r in plan.ranges}
        rows.append(row)
        if self.folder is not None:
            self.folder.keep(name, rows)
        return row

    def _count(self, blocks):
        """Count the matches of blocks that need not be played as finished."""
        self.finished += blocks * self.plan.rotations
        self.report(self.finished)

    def _measure(self, agent, opponent, blocks, stage, place=None):
        """Share and margin of an agent against an opponent, with their intervals."""
        if _are_same(agent, opponent):
            self._count(blocks)
            share = dict.fromkeys(("share", "share_low", "share_high"), 0.5)
            return share | dict.fromkeys(("margin", "margin_low", "margin_high"), 0.0)
        plan = self.plan.meeting(agent, opponent, blocks, stage)
        before = self.finished
        results = play_tournament(
            plan,
            n_jobs=self.n_jobs,
            out=place,
            progress=lambda num_matches: self.report(before + num_matches),
        )
        self.finished = before + plan.matches
        return measures(results, agent.label, opponent.label)

    def _confirm(self, best):
        """The table of the gain."""
        plan = self.plan
        pairs = [("tuned_given", best, plan.given)]
        if not plan.is_against_itself:
            pairs += [("tuned_opponent", best, plan.opponent)]
            pairs += [("given_opponent", plan.given, plan.opponent)]
        rows = []
        for name, agent, opponent in pairs:
            place = self.folder and self.folder.folder / CONFIRMATION / name
            blocks = plan.confirm_blocks
            found = self._measure(agent, opponent, blocks, _CONFIRM_STAGE, place)
            for measure in OBJECTIVES:
                rows.append(
                    {
                        "agent": agent.label,
                        "opponent": opponent.label,
                        "measure": measure,
                        "value": found[measure],
                        "low": found[f"{measure}_low"],
                        "high": found[f"{measure}_high"],
                        "no_gain": NO_GAIN[measure],
                        "blocks": blocks,
                        "matches": blocks * plan.rotations,
                        "seed": plan.confirm_seed,
                    }
                )
        return pd.DataFrame(rows)


def default_folder(plan):
    """Return the folder of a tuning that names none: the first that is free or its own.

    Parameters
    ----------
    plan : Tuning

    Returns
    -------
    Path
    """
    name = f"tune-{plan.game.name}-{plan.game.players}p-seed{plan.seed}"
    return store.free_folder(Path("results"), name, plan.manifest(), TuningFolder)


def _optimiser():
    """The package of the optimiser, which is needed for nothing else."""
    try:
        import cmaes
    except ImportError as error:
        raise RuntimeError(
            "tuning needs the package cmaes, which is not installed; type pip install "
            "'kibitz[tune]', or in a clone pip install '.[tune]'"
        ) from error
    return cmaes


def _around(default, given, weights):
    """The usual range of a weight, which holds what is given too."""
    reach = _SPAN * abs(default) or abs(next(iter(weights.values())))
    return min(default, given) - reach, max(default, given) + reach


def _checked_ends(parameter, ends):
    """The two ends of a range as numbers, or why they are none."""
    name = parameter.name
    if not isinstance(ends, tuple | list) or len(ends) != 2:
        raise ValueError(f"{name}={ends!r} is not accepted; accepted: (low, high)")
    low, high = (parameter.parse(str(end)) for end in ends)
    if low >= high:
        raise ValueError(
            f"{name}={low:g}:{high:g} is not a range; accepted: a low end below the high one"
        )
    return low, high


def _are_same(one, other):
    """Whether two agents play alike, whatever their specs spell out."""
    return (
        one.is_compiled
        and other.is_compiled
        and one.row.kind == other.row.kind
        and one.parameters == other.parameters
    ) or one.label == other.label


def _read(text):
    """The number that a field of a table stands for, to the last bit, or its text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or np.nan


def _best(table, objective):
    """The row of a table of trials that did best; of equals the first."""
    return table.loc[table[objective].idxmax()]
