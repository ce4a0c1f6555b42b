"""Tournaments: which games, agents and blocks, played by several workers into one tidy table.

The table depends on the games, the agents, the format and the seed alone, never on the order of
execution or on the number of workers: see `experiments.schedules`.
"""

import contextlib
import dataclasses
import datetime
import itertools
import os
import warnings

import joblib
import numpy as np
import pandas as pd
from joblib.externals.loky.process_executor import BrokenProcessPool

import sim
from agents import agent as agent_specs
from agents import play, stepwise
from agents.desk import new_desk
from agents.hosting import Hosts, Limits, kept_hosts
from experiments import stopping, store
from experiments.schedules import LineUp, Schedule, line_ups, seatings
from experiments.workers import Cluster, Local
from sim.game import checked_seed
from sim.match import END_WORDS
from sim.protocol import code_digest

_DEFAULT_BLOCKS = 100  # of each line-up
_PIECES = 64  # a tournament is handed out in about so many pieces
_MAX_BLOCKS_PER_PIECE = 2048
_MAX_MATCHES = np.iinfo(np.int32).max
_tokens = itertools.count()  # tell the tournaments of a process apart
_ROWS = ("game", "match", "block", "seating", "seed", "seat", "agent")  # see Schedule.rows


def _games(game, players):
    """Every rule set with every number of players."""
    rule_sets = list(game) if isinstance(game, list | tuple) else [game]
    numbers = list(players) if isinstance(players, list | tuple | range) else [players]
    if not rule_sets or not numbers:
        raise ValueError("no game or no number of players; accepted: one or more")
    games = []
    for rules in rule_sets:
        for number in numbers:
            if not isinstance(rules, sim.Game):
                games.append(sim.load(rules, players=number))
            else:
                games.append(rules if number is None else rules.variant(players=number))
    names = list(dict.fromkeys(game.name for game in games))
    if len(names) > 1:
        raise ValueError(f"{' and '.join(names)} in one tournament; accepted: rules of one game")
    if len({(game.rules_hash, game.players) for game in games}) < len(games):
        raise ValueError("the same rules with the same number of players are given twice")
    return games


def _num_blocks(found, blocks, matches):
    """Blocks and matches say the same; every line-up gets the same number of blocks."""
    sizes = [len(line_up.seatings) for line_up in found]
    unit = {"blocks": len(sizes), "matches": sum(sizes)}
    if blocks is not None and matches is not None:
        raise ValueError("give blocks or matches, not both")
    name, number = ("matches", matches) if matches is not None else ("blocks", blocks)
    if number is None:
        return _DEFAULT_BLOCKS * len(sizes)
    most = _MAX_MATCHES // (max(sizes) if name == "blocks" else 1)
    whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not whole or not 1 <= number <= most:
        raise ValueError(f"{name}={number!r} is not accepted; accepted: 1 and more, {most} at most")
    if number % unit[name]:
        below = number // unit[name] * unit[name]
        near = f"{below} or {below + unit[name]}" if below else f"{unit[name]}"
        raise ValueError(
            f"{name}={number} is not accepted: {_in_matches(sizes)} need a multiple of "
            f"{unit[name]}, such as {near}"
        )
    return int(number) // unit[name] * len(sizes)


def _in_matches(sizes):
    if len(set(sizes)) == 1:
        return f"{len(sizes)} x {sizes[0]} (line-ups x seatings)"
    return f"{len(sizes)} line-ups with {sum(sizes)} seatings"


class Tournament:
    """What is to be played; made by `tournament`, which see for the parameters.

    Attributes
    ----------
    games : list of sim.Game
        Every rule set with every number of players.
    agents : list of agents.Agent
    format, seats : str
    self_play : bool
    until, precision, indifference
        When it may end before all blocks are played.
    limits : agents.hosting.Limits
    token : tuple
        Tells it apart from the others that this process plays.
    schedule : experiments.schedules.Schedule
    blocks, matches, seed : int
    """

    def __init__(
        self,
        game,
        agents,
        *,
        players=None,
        format="round-robin",
        self_play=False,
        seats="rotations",
        blocks=None,
        matches=None,
        seed=0,
        until=None,
        precision=None,
        indifference=stopping.INDIFFERENCE,
        limits=None,
    ):
        self.games = _games(game, players)
        if not isinstance(agents, list | tuple):
            raise TypeError(f"a list of agents is needed, got {agents!r}")
        self.agents = [agent_specs.resolve(spec, self.games[0]) for spec in agents]
        if not self.agents:
            raise ValueError("no agents; accepted: one or more")
        self.specs = list(agents)
        self.seed = checked_seed(seed)
        self.format, self.self_play, self.seats = format, bool(self_play), seats
        found = self._line_ups()
        self.blocks = _num_blocks(found, blocks, matches)
        self.schedule = Schedule(found, self.blocks, self.seed)
        self.matches = self.schedule.matches
        self.until, self.precision, self.indifference = until, precision, indifference
        self.limits = Limits() if limits is None else limits
        self.token = os.getpid(), next(_tokens)
        stopping.check_rule(until, precision, indifference)

    def _line_ups(self):
        places = self._places()
        found = []
        for i, game in enumerate(self.games):
            if len(places) > len(set(places)):
                is_plain = self.format in ("fixed", "round-robin") and not self.self_play
                if not is_plain or len(places) != game.players:
                    labels = ", ".join(agent.label for agent in self.agents)
                    raise ValueError(
                        f"an agent is given twice: {labels}; that is accepted only when the agents "
                        f"fill the {game.players} seats exactly, in the format fixed"
                    )
                sitting = line_ups(places, game.players, "fixed")
            else:
                sitting = line_ups(places, game.players, self.format, self.self_play)
            found += [
                LineUp(i, tuple(seatings(line_up, self.seats)), number, len(sitting))
                for number, line_up in enumerate(sitting)
            ]
        return found

    def _places(self):
        """The place of each agent given; of one that is given twice, the first."""
        for one, other in itertools.combinations(self.agents, 2):
            if one.label == other.label and one.maker is not other.maker:
                if not isinstance(one.maker, str) or one.maker != other.maker:
                    raise ValueError(
                        f"two agents are called {one.label!r}; give each an attribute `label`"
                    )
        labels = [agent.label for agent in self.agents]
        return [labels.index(label) for label in labels]

    @property
    def may_stop(self):
        """Whether it may end before all blocks are played."""
        return self.until is not None or self.precision is not None

    def watch(self):
        """Return a new `experiments.stopping.Watch` of this tournament."""
        comparisons = {}
        for line_up in self.schedule.line_ups:
            game = self.games[line_up.game]
            seated = sorted(set(line_up.seatings[0]))
            labels = [self.agents[i].label for i in seated]
            pairs = [(label, None) for label in labels]
            if self.precision is None:
                pairs = itertools.combinations(labels, 2)
            for pair in pairs:
                comparisons[variant_in_words(game), game.players, *pair] = None
        return stopping.Watch(
            len(self.schedule.line_ups),
            list(comparisons),
            until=self.until,
            precision=self.precision,
            indifference=self.indifference,
        )

    @property
    def is_compiled(self):
        """Whether every match runs as one compiled call."""
        return all(agent.is_compiled for agent in self.agents)

    def manifest(self):
        """Return all that is needed to play it again, as a dict that JSON can hold."""
        return {
            "game": self.games[0].name,
            "rule_sets": [
                {
                    "players": game.players,
                    "options": dict(game.options),
                    "components": game.changed_components,
                    "rules_hash": game.rules_hash,
                }
                for game in self.games
            ],
            "code": code_digest(self.games[0].definition),
            "specs": [spec if isinstance(spec, str) else None for spec in self.specs],
            "agents": [{"label": a.label, "parameters": a.parameters} for a in self.agents],
            "format": self.format,
            "self_play": self.self_play,
            "seats": self.seats,
            "line_ups": [
                {"rule_set": line_up.game, "seatings": [list(seats) for seats in line_up.seatings]}
                for line_up in self.schedule.line_ups
            ],
            "blocks": self.blocks,
            "matches": self.matches,
            "seed": self.seed,
            "until": self.until,
            "precision": self.precision,
            "indifference": self.indifference,
            "limits": dataclasses.asdict(self.limits),
            "versions": store.versions(),
            "machine": store.machine(),
            "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        }

    def table_of_matches(self):
        """Return the schedule as a table, see `schedule`."""
        names = [variant_in_words(game) for game in self.games]
        return self.schedule.table(names, [agent.label for agent in self.agents])

    def pieces(self, done=()):
        """Return the blocks still to be played, in pieces that one worker plays at a time.

        Parameters
        ----------
        done : iterable of int
            Blocks that have been played.

        Returns
        -------
        list of range
        """
        done = set(done)
        pieces = []
        for first, stop in itertools.pairwise(self._cuts()):
            blocks = [b for b in range(first, stop) if b not in done]
            for _, run in itertools.groupby(enumerate(blocks), lambda pair: pair[1] - pair[0]):
                run = [block for _, block in run]
                pieces.append(range(run[0], run[-1] + 1))
        return pieces

    def _cuts(self):
        """Where pieces begin and end.

        One that may stop is played in whole rounds, few at first, so that little is played in vain.
        """
        size = min(-(-self.blocks // _PIECES), _MAX_BLOCKS_PER_PIECE)
        at, cuts = 0, [0]
        while at < self.blocks:
            if self.may_stop:
                round_size = len(self.schedule.line_ups)
                size = min(max(at // 8, 1), _MAX_BLOCKS_PER_PIECE)
                size = -(-size // round_size) * round_size
            at = min(at + size, self.blocks)
            cuts.append(at)
        return cuts

    def play_piece(self, blocks):
        """Play some blocks.

        Parameters
        ----------
        blocks : range

        Returns
        -------
        pd.DataFrame
            Their rows of the table.
        """
        hosts = kept_hosts(self.token, self.limits)
        desk = new_desk(self.games[0], max(agent.max_nodes for agent in self.agents))
        parts = []
        for line_up, own in self.schedule.groups(blocks):
            shape = (len(own), len(line_up.seatings), line_up.players)
            outcomes, reasons = np.zeros(shape, play.OUTCOME), np.full(shape, "", object)
            agents = [self.agents[i] for i in line_up.seatings[0]]
            seeds = self.schedule.seeds(own)
            if all(agent.is_compiled for agent in agents):
                self._play_compiled(line_up, seeds, desk, outcomes)
            else:
                self._play_stepwise(line_up, seeds, desk, hosts, outcomes, reasons)
            parts.append((outcomes.reshape(-1), reasons.reshape(-1)))
        outcomes, reasons = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        rows, order = self.schedule.rows(blocks)
        if order is not None:
            outcomes, reasons = outcomes[order], reasons[order]
        return self._table(rows, outcomes, reasons)

    def warm_up(self):
        """Compile what a match needs, by playing none."""
        line_up, *_ = self.schedule.line_ups
        if any(agent.is_compiled for agent in self.agents):
            desk = new_desk(self.games[0])
            agents = np.zeros(len(self.agents), play.AGENT)
            seats = np.array(line_up.seatings)
            nothing = np.zeros((0, *seats.shape), play.OUTCOME)
            no_seeds = np.zeros(0, np.int64)
            rules = self.games[line_up.game].rules
            play.play_blocks(rules, agents, seats, no_seeds, *desk, nothing)

    def _play_compiled(self, line_up, seeds, desk, outcomes):
        rows = np.zeros(len(self.agents), play.AGENT)
        for i in set(line_up.seatings[0]):
            rows[i] = self.agents[i].row
        rules = self.games[line_up.game].rules
        play.play_blocks(rules, rows, np.array(line_up.seatings), seeds, *desk, outcomes)

    def _play_stepwise(self, line_up, seeds, desk, hosts, outcomes, reasons):
        game = self.games[line_up.game]
        for block, seed in enumerate(seeds):
            for i, seating in enumerate(line_up.seatings):
                agents = [self.agents[place] for place in seating]
                _, outcomes[block, i], reasons[block, i] = stepwise.play_match(
                    game, agents, seed=int(seed), seating=i, desk=desk, hosts=hosts
                )

    def holds(self, frame):
        """Whether a table has all rows of some blocks of this tournament, and no others.

        Parameters
        ----------
        frame : pd.DataFrame

        Returns
        -------
        bool
        """
        if list(frame.columns) != self._columns() or len(frame) == 0:
            return False
        first, last = int(frame.block.min()), int(frame.block.max())
        if first < 0 or last >= self.blocks:
            return False
        rows, _ = self.schedule.rows(range(first, last + 1))
        expected = pd.DataFrame(self._keys(rows))
        if len(expected) > len(frame):  # pieces may have come from a run with other pieces
            expected = expected[expected.block.isin(frame.block.unique())]
        return frame[list(expected)].equals(expected.reset_index(drop=True))

    def _columns(self):
        nothing = np.zeros(0, play.OUTCOME)
        rows = dict.fromkeys(_ROWS, np.zeros(0, np.int64))
        return list(self._table(rows, nothing, np.zeros(0, object)).columns)

    def is_whole(self, frame):
        """Whether a table of which `holds` is true has all blocks, up to where it may end.

        Parameters
        ----------
        frame : pd.DataFrame

        Returns
        -------
        bool
        """
        num_blocks = frame.block.nunique()
        if not self.may_stop or num_blocks == self.blocks:
            return num_blocks == self.blocks
        watch = self.watch()
        watch.add(frame)
        return watch.is_over and watch.rounds * len(self.schedule.line_ups) == num_blocks

    def join(self, frames):
        """Put the pieces of the table together, in the order of blocks.

        Parameters
        ----------
        frames : list of pd.DataFrame
            As `play_piece` returns them, or read back from files.

        Returns
        -------
        pd.DataFrame
        """
        frames = sorted(frames, key=lambda frame: frame.block.iloc[0])
        return pd.concat(frames, ignore_index=True)

    def _labels(self):
        return list(dict.fromkeys(agent.label for agent in self.agents))

    def _keys(self, rows):
        """Who sits where: the columns of the table that the schedule says."""

        def words(codes, categories):
            return pd.Categorical.from_codes(
                codes.astype(np.int16), list(dict.fromkeys(categories))
            )

        def of_game(values):
            codes = [list(dict.fromkeys(values)).index(value) for value in values]
            return words(np.array(codes)[rows["game"]], values)

        labels = self._labels()
        code_of_agent = np.array([labels.index(agent.label) for agent in self.agents])
        players = np.array([game.players for game in self.games], np.int8)
        return {
            "game": of_game([game.name for game in self.games]),
            "variant": of_game([variant_in_words(game) for game in self.games]),
            "players": players[rows["game"]],
            "rules_hash": of_game([game.rules_hash for game in self.games]),
            "match": rows["match"].astype(np.int32),
            "block": rows["block"].astype(np.int32),
            "seating": rows["seating"].astype(np.int16),
            "seed": rows["seed"],
            "seat": (rows["seat"] + 1).astype(np.int8),
            "agent": words(code_of_agent[rows["agent"]], labels),
        }

    def _table(self, rows, outcomes, reasons):
        """One row per seat per match, in the order of matches and seats."""
        end = np.maximum(outcomes["end"] - 1, 0).astype(np.int16)
        return pd.DataFrame(
            {
                **self._keys(rows),
                "score": outcomes["score"].astype(np.int32),
                "rank": outcomes["rank"].astype(np.int8),
                "utility": outcomes["utility"].copy(),
                "turns": outcomes["turns"].astype(np.int32),
                "decisions": outcomes["decisions"].astype(np.int32),
                "full_trees": outcomes["full_trees"].astype(np.int32),
                "seconds": outcomes["seconds"].copy(),
                "end": pd.Categorical.from_codes(end, END_WORDS[1:]),
                "fingerprint": outcomes["fingerprint"].copy(),
                "note": pd.Series(reasons, dtype="str"),
            }
        )


def variant_in_words(game):
    """Return what differs from the published rules.

    Parameters
    ----------
    game : sim.Game

    Returns
    -------
    str
        Such as "crowns=3, own market", or "as published".
    """
    changed = [f"{name}={value}" for name, value in game.changed_options.items()]
    changed += [f"own {name}" for name in game.changed_components]
    return ", ".join(changed) or "as published"


def tournament(
    game,
    agents,
    *,
    players=None,
    format="round-robin",
    self_play=False,
    seats="rotations",
    blocks=None,
    matches=None,
    seed=0,
    until=None,
    precision=None,
    indifference=stopping.INDIFFERENCE,
    limits=None,
    n_jobs=1,
    scheduler=None,
    out=None,
    progress=None,
):
    """Let agents play each other and return the table of results.

    Parameters
    ----------
    game : str, sim.Game, or list of them
        Several are rule sets of one game, which meet the same seeds.
    agents : sequence
        Spec strings, or classes or objects with ``choose(view, legal, rng) -> action``.
    players : int or list of int, optional
        Number of players; by default that of the game. With several, each is played.
    format : str, default: "round-robin"
        Who sits together, see `line_ups`: "round-robin", "gauntlet", "fixed" or "mirror".
    self_play : bool, default: False
        Whether in a round robin agents also meet themselves.
    seats : str, default: "rotations"
        The matches of a block: all "rotations" of the seats, or all "permutations".
    blocks, matches : int, optional
        How much is played, in blocks of all seatings or in matches; 100 blocks for each line-up by
        default.
    seed : int, default: 0
        The same seed gives the same table, whatever `n_jobs` (`seconds` apart, and everything of
        agents with a budget in seconds).
    until : str, optional
        "decided": end before all blocks are played, as soon as for every two agents that meet it
        is decided who comes before whom, or that they are as good as even. Intervals are those of
        `anytime`, which may be looked at after every round: with a chance of 95 % no decision of
        the tournament is wrong.
    precision : float, optional
        End as soon as the interval of the share of the win of every agent is no wider to each side.
    indifference : float, default: 0.02
        How near to half of the pairings is as good as even.
    limits : agents.Limits, optional
        Of the time and memory of agents written in Python, each of which has a process of its own;
        by default 10 s for a decision, 600 s for a match, and 2048 megabytes.
    n_jobs : int, default: 1
        Workers, as joblib counts them: -1 is one for each core. Threads when all agents are
        compiled, else processes.
    scheduler : str, optional
        Address of the scheduler of a dask.distributed cluster, which plays instead of this machine;
        all its workers have the same version of kibitz. It does not change the table either.
    out : str or Path, optional
        Folder for manifest and results. A run that was interrupted goes on where it stopped.
    progress : callable, optional
        Called with the number of matches finished so far, at the start and after each piece. If it
        has a method ``add``, as `LiveTable` has, that is called with the rows of each piece before.

    Returns
    -------
    pd.DataFrame
        One row per seat per match: ``game, variant`` (what differs from the published rules)``,
        players, rules_hash, match, block, seating`` (from 0, in the block)``, seed, seat`` (1 = the
        first)``, agent, score, rank, utility`` (share of the win), ``turns`` (of the match)``,
        decisions, full_trees`` (decisions whose search tree had no room to grow)``, seconds`` (of
        this seat)``, end`` (finished, capped, forfeit)``, fingerprint``
        (of all actions of the match) and ``note`` (why a seat forfeited). Of a capped match
        everybody gets the same utility; whoever forfeits gets 0 and the others share.

    Raises
    ------
    ValueError, TypeError
        For anything that is not accepted; the message says what is.

    Examples
    --------
    >>> results = tournament("connect_four", ["random", "greedy"], blocks=2)
    >>> len(results)
    8
    """
    plan = Tournament(
        game,
        agents,
        players=players,
        format=format,
        self_play=self_play,
        seats=seats,
        blocks=blocks,
        matches=matches,
        seed=seed,
        until=until,
        precision=precision,
        indifference=indifference,
        limits=limits,
    )
    return play_tournament(plan, n_jobs=n_jobs, scheduler=scheduler, out=out, progress=progress)


def schedule(game, agents, **how):
    """Return the matches of a tournament without playing them.

    Parameters
    ----------
    game, agents, **how
        As `tournament` takes them, without `n_jobs, out` and `progress`.

    Returns
    -------
    pd.DataFrame
        One row per match: ``match, block, variant, players, seed, seat_1, seat_2, ...`` (agents).

    Raises
    ------
    ValueError, TypeError
        As `tournament` raises them.

    Examples
    --------
    >>> schedule("connect_four", ["random", "greedy"], blocks=1)[["match", "seat_1", "seat_2"]]
       match  seat_1  seat_2
    0      0  random  greedy
    1      1  greedy  random
    """
    return Tournament(game, agents, **how).table_of_matches()


def check_jobs(n_jobs):
    """Refuse what is no number of workers.

    Parameters
    ----------
    n_jobs : int
        1 and more, or -1 for one worker for each core.

    Raises
    ------
    ValueError
    """
    whole = isinstance(n_jobs, int | np.integer) and not isinstance(n_jobs, bool)
    if not whole or n_jobs < -1 or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r} is not accepted; accepted: 1 and more, or -1")


def play_tournament(plan, *, n_jobs=1, scheduler=None, out=None, progress=None):
    """Play a `Tournament`; the parameters are those of `tournament`."""
    check_jobs(n_jobs)
    workers = Local(plan, n_jobs) if scheduler is None else Cluster(plan, scheduler)
    report = progress or (lambda num_matches: None)
    with contextlib.closing(workers):
        return _play_with(workers, plan, out, report)


def _play_with(workers, plan, out, report):
    if out is None:
        return plan.join(_play(plan, workers, [], lambda frame: None, report))
    with store.Run(out, plan.manifest()) as run:
        if run.is_finished:
            table = run.results(lambda frame: plan.holds(frame) and plan.is_whole(frame))
            report(table.match.nunique())
            return table
        table = plan.join(_play(plan, workers, run.parts(plan.holds), run.add_part, report))
        run.finish(table)
    return table


def _play(plan, workers, frames, keep, report):
    """Play what is missing; `keep` is called with the rows of each piece as they come."""
    done = {block for frame in frames for block in frame.block.unique()}
    finished = plan.schedule.num_matches(list(done))
    show = getattr(report, "add", lambda frame: None)
    for frame in frames:
        show(frame)
    report(finished)
    needed = _Needed(plan, frames)
    if not needed.is_over and plan.pieces(done):
        workers.get_ready()
    has_come = True
    while not needed.is_over and (pieces := plan.pieces(done)):
        try:
            for frame in _pieces_as_they_come(plan, workers, pieces):
                keep(frame)
                needed.add(frame)
                has_come = True
                done.update(frame.block.unique())
                finished += frame.match.nunique()
                show(frame)
                report(finished)
                if needed.is_over:
                    break
        except BrokenProcessPool as error:
            if not has_come:
                raise RuntimeError(
                    "worker processes die again and again; with a folder for the results the "
                    "finished pieces are kept, and the same call goes on"
                ) from error
            has_come = False  # what the lost worker had not finished is played by another one
    return needed.frames()


def _pieces_as_they_come(plan, workers, pieces):
    """Yield the rows of pieces that are played at the same time."""
    parallel = workers.parallel(len(pieces))
    played = parallel(joblib.delayed(plan.play_piece)(piece) for piece in pieces)
    try:
        yield from played
    finally:
        with warnings.catch_warnings():  # joblib says that pieces were played in vain
            warnings.simplefilter("ignore")
            played.close()


class _Needed:
    """The pieces that have been played, and whether they are enough.

    A tournament that may stop is watched in the order of its blocks, whatever order its pieces
    come in, and what lies beyond the round in which it stops is left out: so the table does not
    depend on the workers.
    """

    def __init__(self, plan, frames):
        self._plan, self._frames, self._at = plan, [], 0
        self._watch = plan.watch() if plan.may_stop else None
        for frame in sorted(frames, key=lambda frame: frame.block.iloc[0]):
            self.add(frame)

    @property
    def is_over(self):
        return self._watch is not None and self._watch.is_over

    def add(self, frame):
        self._frames.append(frame)
        if self._watch is None:
            return
        following = {frame.block.iloc[0]: frame for frame in self._frames}
        while self._at in following and not self._watch.is_over:
            frame = following[self._at]
            self._watch.add(frame)
            self._at = frame.block.iloc[-1] + 1

    def frames(self):
        if not self.is_over:
            return self._frames
        stop = self._watch.rounds * len(self._plan.schedule.line_ups)
        kept = [frame[frame.block < stop] for frame in self._frames]
        return [frame for frame in kept if len(frame)]


def play_again(results, match, game, agents, *, limits=None):
    """Play one match of a tournament again, and put it on record.

    Parameters
    ----------
    results : pd.DataFrame
        As `tournament` returns it.
    match : int
        Its number in the table.
    game : sim.Game
        With the rules that the tournament was played by.
    agents : sequence
        As they were given to the tournament.
    limits : agents.Limits, optional
        As they were given to the tournament.

    Returns
    -------
    sim.match.MatchRecord

    Raises
    ------
    ValueError
        When there is no such match, the rules are others, or the match goes another way now (as
        it may with a budget in seconds).
    """
    rows = results[results.match == match].sort_values("seat")
    if rows.empty:
        raise ValueError(f"no match {match!r}; accepted: 0 to {results.match.max()}")
    if game.rules_hash != rows.rules_hash.iloc[0]:
        raise ValueError(f"the match was played by rules {rows.rules_hash.iloc[0]}, not {game!r}")
    by_label = {agent.label: agent for agent in (agent_specs.resolve(a, game) for a in agents)}
    for label in rows.agent:
        if label not in by_label:
            raise sim.game.unknown_name("agent", label, by_label)
    seated = [by_label[label] for label in rows.agent]
    seed, seating = int(rows.seed.iloc[0]), int(rows.seating.iloc[0])
    hosts = Hosts(Limits() if limits is None else limits)
    try:
        record, outcomes, _ = stepwise.play_match(
            game, seated, seed=seed, seating=seating, hosts=hosts
        )
    finally:
        hosts.close()
    if int(outcomes["fingerprint"][0]) != rows.fingerprint.iloc[0]:
        raise ValueError(f"match {match} goes another way when it is played again")
    return record
