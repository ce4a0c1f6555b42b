"""Tournaments: which games, agents and blocks, played by several workers into one tidy table.

The table depends on the games, the agents, the format and the seed alone, never on the order of
execution or on the number of workers: see `experiments.schedules`.
"""

import contextlib
import dataclasses
import datetime
import functools
import itertools
import os
import warnings
from typing import NamedTuple

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
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
_MAX_BLOCKS_PER_PIECE = 32768
_MAX_MATCHES = np.iinfo(np.int32).max
_RESULTS = (  # columns of the table that the schedule does not say
    "score",
    "rank",
    "utility",
    "turns",
    "decisions",
    "full_trees",
    "seconds",
    "end",
    "fingerprint",
    "note",
)
_tokens = itertools.count()  # tell the tournaments of a process apart


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


class Piece(NamedTuple):
    """Some blocks that have been played.

    Attributes
    ----------
    blocks : range
    seeds : np.ndarray of int64, shape (blocks,)
    outcomes : np.ndarray of `agents.play.OUTCOME`
        In the order of matches and seats.
    reasons : np.ndarray of str or None
        Why each forfeited; None where nobody can.
    """

    blocks: range
    seeds: np.ndarray
    outcomes: np.ndarray
    reasons: np.ndarray | None


class Outcomes:
    """What some blocks came to, as columns of the table, which are filled piece by piece.

    A piece is not needed any more once it is in: so its memory, which the processor still holds,
    serves for the next one.

    Parameters
    ----------
    schedule : experiments.schedules.Schedule
    blocks : range

    Attributes
    ----------
    blocks
        As given.
    num_rows : int
    seeds : np.ndarray of int64, shape (blocks,)
    columns : dict of str to np.ndarray, shape (rows,)
        The fields of `agents.play.OUTCOME`.
    reasons : np.ndarray of str, shape (rows,), or None
        Why each forfeited; None where nobody can.
    """

    def __init__(self, schedule, blocks):
        self._schedule, self.blocks = schedule, blocks
        self._first = schedule.rows_before(blocks.start)
        self.num_rows = schedule.rows_before(blocks.stop) - self._first
        self.seeds = np.empty(len(blocks), np.int64)
        sizes = [play.OUTCOME[name].itemsize for name in play.OUTCOME.names]  # from large to small
        ends = self.num_rows * np.cumsum(sizes)
        memory = np.empty(ends[-1], np.uint8)  # in one piece, which is had sooner than in many
        self.columns = {
            name: part.view(play.OUTCOME[name])
            for name, part in zip(play.OUTCOME.names, np.split(memory, ends[:-1]), strict=True)
        }
        self.reasons = None

    def add(self, piece):
        """Put a piece in its place.

        Parameters
        ----------
        piece : Piece
            Of some of these blocks; in the end all have come.
        """
        first = piece.blocks.start - self.blocks.start
        self.seeds[first : first + len(piece.blocks)] = piece.seeds
        first = self._schedule.rows_before(piece.blocks.start) - self._first
        rows = slice(first, first + len(piece.outcomes))
        for name, column in self.columns.items():
            column[rows] = piece.outcomes[name]
        if piece.reasons is not None:
            if self.reasons is None:
                self.reasons = np.empty(self.num_rows, object)
            self.reasons[rows] = piece.reasons


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
        done : sequence of int
            Blocks that have been played.

        Returns
        -------
        list of range
        """
        is_done = np.zeros(self.blocks, bool)
        is_done[np.asarray(done, np.int64)] = True
        changes = 1 + np.flatnonzero(is_done[1:] != is_done[:-1])
        cuts = np.union1d(self._cuts(), changes).tolist()
        return [range(*ends) for ends in itertools.pairwise(cuts) if not is_done[ends[0]]]

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
        Piece
        """
        hosts = kept_hosts(self.token, self.limits)
        desk = new_desk(self.games[0], max(agent.max_nodes for agent in self.agents))
        seeds = self.schedule.seeds(blocks)
        outcomes, reasons = [], []
        for i, (line_up, own) in enumerate(self.schedule.groups(blocks)):
            shape = (len(own), len(line_up.seatings), line_up.players)
            outcomes.append(np.zeros(shape, play.OUTCOME))
            reasons.append(np.full(shape, "", object) if not self.is_compiled else None)
            own_seeds = seeds[i :: len(self.schedule.line_ups)]
            if all(self.agents[place].is_compiled for place in line_up.seatings[0]):
                self._play_compiled(line_up, own_seeds, desk, outcomes[-1])
            else:
                self._play_stepwise(line_up, own_seeds, desk, hosts, outcomes[-1], reasons[-1])
        order = self.schedule.order(blocks)
        outcomes = _in_order(outcomes, order)
        reasons = None if self.is_compiled else _in_order(reasons, order)
        return Piece(blocks, seeds, outcomes, reasons)

    def warm_up(self):
        """Compile what matches need, by playing none."""
        desk = new_desk(self.games[0])
        for line_up in self.schedule.line_ups:
            if all(self.agents[place].is_compiled for place in line_up.seatings[0]):
                nothing = np.zeros((0, len(line_up.seatings), line_up.players), play.OUTCOME)
                self._play_compiled(line_up, np.zeros(0, np.int64), desk, nothing)

    def _play_compiled(self, line_up, seeds, desk, outcomes):
        rows = np.zeros(len(self.agents), play.AGENT)
        for i in set(line_up.seatings[0]):
            rows[i] = self.agents[i].row
        at_random = all(rows[i].kind == play.RANDOM for i in line_up.seatings[0])
        rules, seats = self.games[line_up.game].rules, np.array(line_up.seatings)
        nodes = None if at_random else desk.nodes
        play.play_blocks(rules, rows, seats, seeds, desk.worlds, nodes, desk.notes, outcomes)

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
        if "block" not in frame or len(frame) == 0:
            return False
        first, last = int(frame.block.min()), int(frame.block.max())
        if first < 0 or last >= self.blocks:
            return False
        blocks = range(first, last + 1)
        expected = pd.DataFrame(self._keys(self.schedule.rows(blocks, self.schedule.seeds(blocks))))
        if list(frame.columns) != [*expected, *_RESULTS]:
            return False
        return frame[list(expected)].equals(expected)

    def piece_of(self, frame):
        """Return the piece that a table of which `holds` is true was made from.

        Parameters
        ----------
        frame : pd.DataFrame

        Returns
        -------
        Piece
        """
        outcomes = np.zeros(len(frame), play.OUTCOME)
        for name in play.OUTCOME.names:
            outcomes[name] = frame[name].cat.codes + 1 if name == "end" else frame[name]
        blocks = range(int(frame.block.iloc[0]), int(frame.block.iloc[-1]) + 1)
        reasons = None if self.is_compiled else frame.note.to_numpy(object)
        return Piece(blocks, self.schedule.seeds(blocks), outcomes, reasons)

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

    def join(self, pieces):
        """Return the table of some pieces.

        Parameters
        ----------
        pieces : collection of Piece
            Together they are blocks without a gap; their order does not matter.

        Returns
        -------
        pd.DataFrame
            One row per seat per match, in the order of matches and seats.
        """
        blocks = range(
            min(piece.blocks.start for piece in pieces), max(piece.blocks.stop for piece in pieces)
        )
        outcomes = Outcomes(self.schedule, blocks)
        for piece in pieces:
            outcomes.add(piece)
        return self.table_of(outcomes)

    def table_of(self, outcomes):
        """Return the table of what some blocks came to.

        Parameters
        ----------
        outcomes : Outcomes
            Of all these blocks.

        Returns
        -------
        pd.DataFrame
            One row per seat per match, in the order of matches and seats.
        """
        rows = self.schedule.rows(outcomes.blocks, outcomes.seeds)
        columns = self._keys(rows) | {name: outcomes.columns.get(name) for name in _RESULTS}
        columns["end"] = self._in_words("end", np.maximum(columns["end"] - 1, 0))
        if outcomes.reasons is None:  # nobody can forfeit: soon written
            notes = pa.repeat(pa.scalar("", pa.large_string()), outcomes.num_rows)
        else:
            notes = outcomes.reasons
        columns["note"] = pd.array(notes, dtype="str")
        return pd.DataFrame(columns, copy=False)

    @functools.cached_property
    def _words(self):
        """The categories of the columns that hold words, and of each game or agent its category."""

        def known(words):
            categories = list(dict.fromkeys(words))
            codes = np.array([categories.index(word) for word in words], np.int16)
            return pd.CategoricalDtype(categories), codes

        return {
            "game": known([game.name for game in self.games]),
            "variant": known([variant_in_words(game) for game in self.games]),
            "rules_hash": known([game.rules_hash for game in self.games]),
            "agent": known([agent.label for agent in self.agents]),
            "end": known(END_WORDS[1:]),
        }

    def _in_words(self, column, values):
        dtype, codes = self._words[column]
        return pd.Categorical.from_codes(codes[values], dtype=dtype, validate=False)

    def _keys(self, rows):
        """Who sits where: the columns of the table that the schedule says."""
        players = np.array([game.players for game in self.games], np.int8)
        return {
            "game": self._in_words("game", rows["game"]),
            "variant": self._in_words("variant", rows["game"]),
            "players": players[rows["game"]],
            "rules_hash": self._in_words("rules_hash", rows["game"]),
            "match": rows["match"],
            "block": rows["block"],
            "seating": rows["seating"],
            "seed": rows["seed"],
            "seat": rows["seat"] + np.int8(1),
            "agent": self._in_words("agent", rows["agent"]),
        }


def _in_order(parts, order):
    """Put what was played line-up by line-up into the order of the table."""
    parts = [part.reshape(-1) for part in parts]
    return parts[0] if order is None else np.concatenate(parts)[order]


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
        this seat; where all play at random, its decisions' part of many matches)``, end``
        (finished, capped, forfeit)``, fingerprint`` (of all actions of the match) and ``note`` (why
        a seat forfeited). Of a capped match everybody gets the same utility; whoever forfeits gets
        0 and the others share.

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
        return _play(plan, workers, [], None, report)
    with store.Run(out, plan.manifest()) as run:
        if run.is_finished:
            table = run.results(lambda frame: plan.holds(frame) and plan.is_whole(frame))
            report(plan.schedule.num_matches(table.block.unique()))
            return table
        table = _play(plan, workers, run.parts(plan.holds), run.add_part, report)
        run.finish(table)
    return table


def _play(plan, workers, frames, keep, report):
    """Play what is missing in some parts of the table, and return the whole.

    `keep` and the method `add` of `report` are called with the rows of each piece as they come.
    """
    needed = _Needed(plan, map(plan.piece_of, frames))
    finished = plan.schedule.num_matches(needed.done)
    show = getattr(report, "add", None)
    for frame in frames if show else ():
        show(frame)
    takers = [take for take in (keep, show) if take is not None]
    report(finished)
    if not needed.is_over and plan.pieces(needed.done):
        workers.get_ready()
    has_come = True
    while not needed.is_over and (pieces := plan.pieces(needed.done)):
        try:
            for piece in _pieces_as_they_come(plan, workers, pieces):
                frame = plan.join([piece]) if takers else None
                for take in takers:
                    take(frame)
                needed.add(piece)
                has_come = True
                finished += plan.schedule.num_matches(piece.blocks)
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
    return needed.table()


def _pieces_as_they_come(plan, workers, pieces):
    """Yield the rows of pieces that are played at the same time."""
    parallel = workers.parallel(len(pieces))
    played = parallel(joblib.delayed(plan.play_piece)(piece) for piece in pieces)
    try:
        for piece in played:  # noqa: UP028 - "yield from" would close it before the next line
            yield piece
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

    def __init__(self, plan, pieces):
        self._plan, self._is_done = plan, np.zeros(plan.blocks, bool)
        if plan.may_stop:
            self._watch, self._pieces, self._at = plan.watch(), {}, 0
        else:
            self._watch, self._outcomes = None, Outcomes(plan.schedule, range(plan.blocks))
        for piece in pieces:
            self.add(piece)

    @property
    def done(self):
        """The blocks that have been played, in order."""
        return np.flatnonzero(self._is_done)

    @property
    def is_over(self):
        return self._watch is not None and self._watch.is_over

    def add(self, piece):
        self._is_done[piece.blocks.start : piece.blocks.stop] = True
        if self._watch is None:
            self._outcomes.add(piece)
            return
        self._pieces[piece.blocks.start] = piece
        while self._at in self._pieces and not self.is_over:
            piece = self._pieces[self._at]
            self._watch.add(self._plan.join([piece]))
            self._at = piece.blocks.stop

    def table(self):
        if self._watch is None:
            return self._plan.table_of(self._outcomes)
        pieces = self._pieces.values()
        if not self.is_over:
            return self._plan.join(pieces)
        stop = self._watch.rounds * len(self._plan.schedule.line_ups)
        table = self._plan.join([piece for piece in pieces if piece.blocks.start < stop])
        return table[table.block < stop]


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
