"""Who sits where, and from which seed: the schedule of a tournament.

A *line-up* says which agents sit at one table, a *seating* who of them sits in which seat. A
*block* is one seed played in all seatings of one line-up: everybody meets the same deal from every
seat. The block, not the match, is the unit of every error bar.

Line-ups take turns from block to block. Each block has a seed of its own, derived from the seed of
the tournament and the number of the block; only where several rule sets are compared does each of
them meet the seeds of the others, so that what differs is the rules.
"""

import dataclasses
import itertools

import numpy as np
import pandas as pd

from sim.chance import NUM_WORDS, next_word, seed_stream
from sim.jit import jit

FORMATS = {
    "round-robin": "every choice of agents that fills a table",
    "gauntlet": "the first agent against every choice of the others",
    "fixed": "the agents as given fill the seats of one table",
    "mirror": "each agent against itself in all seats: what the seats are worth",
}
SEATS = {
    "rotations": "everybody moves on by a seat from match to match",
    "permutations": "every order of the agents at the table",
}
_BLOCKS = 2  # third seed word of the streams that block seeds come from


@dataclasses.dataclass(frozen=True)
class LineUp:
    """Agents at one table.

    Attributes
    ----------
    game : int
        Place in the games of the tournament.
    seatings : tuple of tuple of int
        Places of the agents, for each match of a block and each seat.
    number, count : int
        Place of the line-up among those of its game, and how many these are.
    """

    game: int
    seatings: tuple
    number: int
    count: int

    @property
    def players(self):
        """Seats of the table."""
        return len(self.seatings[0])


def line_ups(agents, players, format="round-robin", self_play=False):
    """Return who sits together.

    Parameters
    ----------
    agents : sequence of str
        Labels.
    players : int
    format : str, default: "round-robin"
        One of `FORMATS`. Where there are fewer agents than seats, they take turns in filling
        them, so that in a round robin each agent fills the same number of seats over all line-ups.
    self_play : bool, default: False
        Whether in a round robin an agent also sits at a table several times, up to all seats.

    Returns
    -------
    list of tuple of str
        Each of length `players`; none is a rotation of another.

    Raises
    ------
    ValueError
        For a format that is not known, or that the number of agents does not fit.

    Examples
    --------
    >>> line_ups(["a", "b"], 3)
    [('a', 'b', 'a'), ('b', 'a', 'b')]
    >>> line_ups(["a", "b", "c"], 2)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> line_ups(["a", "b"], 2, self_play=True)
    [('a', 'a'), ('a', 'b'), ('b', 'b')]
    >>> line_ups(["a", "b", "c"], 3, "gauntlet")
    [('a', 'b', 'c')]
    """
    agents = list(agents)
    if format not in FORMATS:
        raise ValueError(f"format {format!r} is not accepted; accepted: {', '.join(FORMATS)}")
    if self_play and format != "round-robin":
        raise ValueError(f"self-play belongs to the format round-robin, not to {format}")
    if format == "mirror":
        return [(agent,) * players for agent in agents]
    if format == "fixed":
        if len(agents) != players:
            raise ValueError(
                f"the format fixed needs an agent for each of the {players} seats, "
                f"got {len(agents)}"
            )
        return [tuple(agents)]
    if format == "gauntlet":
        if len(agents) < 2 or players < 2:
            raise ValueError("the format gauntlet needs two agents and two seats, or more")
        first, *field = agents
        return [(first, *others) for others in _choices(field, players - 1)]
    if self_play:
        return list(itertools.combinations_with_replacement(agents, players))
    return _choices(agents, players)


def _choices(agents, seats):
    """Every choice; or too few agents taking turns, each of them being first once."""
    if len(agents) >= seats:
        return list(itertools.combinations(agents, seats))
    found = []
    for first in range(len(agents)):
        line_up = tuple(agents[(first + i) % len(agents)] for i in range(seats))
        if not set(_rotations(line_up)) & set(found):
            found.append(line_up)
    return found


def seatings(line_up, seats="rotations"):
    """Return the matches of a block: who sits in which seat.

    Parameters
    ----------
    line_up : sequence of str
    seats : str, default: "rotations"
        One of `SEATS`.

    Returns
    -------
    list of tuple of str
        All different, the line-up itself first.

    Raises
    ------
    ValueError
        When `seats` is not known.

    Examples
    --------
    >>> seatings("abb")
    [('a', 'b', 'b'), ('b', 'b', 'a'), ('b', 'a', 'b')]
    >>> len(seatings("abc", "permutations"))
    6
    """
    if seats not in SEATS:
        raise ValueError(f"seats {seats!r} are not accepted; accepted: {', '.join(SEATS)}")
    if seats == "rotations":
        return _rotations(line_up)
    return list(dict.fromkeys(itertools.permutations(line_up)))


def _rotations(line_up):
    """In rotation r seat s is taken by ``line_up[(s + r) % players]``; those that differ."""
    line_up = tuple(line_up)
    return list(dict.fromkeys(line_up[i:] + line_up[:i] for i in range(len(line_up))))


@jit
def block_seeds(seed, numbers, seeds):
    """Write the seeds of the blocks of these numbers into `seeds`; 63 bits each."""
    stream = np.zeros(NUM_WORDS, np.uint64)
    for i in range(len(numbers)):
        seed_stream(stream, seed, numbers[i], _BLOCKS)
        seeds[i] = next_word(stream) >> 1


def _as_array(blocks):
    """Numbers of blocks as an array; numpy would take those of a range one by one."""
    if isinstance(blocks, range):
        return np.arange(blocks.start, blocks.stop, blocks.step)
    return np.asarray(blocks, np.int64)


class Schedule:
    """All matches of a tournament, in order.

    Parameters
    ----------
    line_ups : sequence of LineUp
    blocks : int
        A multiple of the number of line-ups.
    seed : int

    Attributes
    ----------
    line_ups, blocks, seed
        As given.
    matches : int
    """

    def __init__(self, line_ups, blocks, seed):
        self.line_ups, self.blocks, self.seed = list(line_ups), blocks, seed
        sizes = [len(line_up.seatings) for line_up in self.line_ups]
        self._first = np.concatenate([[0], np.cumsum(sizes)])
        self.matches = blocks // len(sizes) * int(self._first[-1])
        rows = [len(line_up.seatings) * line_up.players for line_up in self.line_ups]
        self._first_row = np.concatenate([[0], np.cumsum(rows)])

    def seeds(self, blocks):
        """Return the seeds of some blocks.

        Parameters
        ----------
        blocks : sequence of int

        Returns
        -------
        np.ndarray of int64, shape (blocks,)
        """
        rounds, place = self._round_and_place(_as_array(blocks))
        number = np.array([line_up.number for line_up in self.line_ups])
        count = np.array([line_up.count for line_up in self.line_ups])
        seeds = np.zeros(len(place), np.int64)
        block_seeds(self.seed, rounds * count[place] + number[place], seeds)
        return seeds

    def _round_and_place(self, block):
        """Of one block or many; `numpy.divmod` takes several times as long."""
        rounds = block // len(self.line_ups)
        return rounds, block - rounds * len(self.line_ups)

    def num_matches(self, blocks):
        """Return the number of matches of some blocks.

        Parameters
        ----------
        blocks : sequence of int

        Returns
        -------
        int
        """
        _, place = self._round_and_place(_as_array(blocks))
        return int(np.diff(self._first)[place].sum())

    def rows_before(self, block):
        """Return the number of rows of all blocks before one.

        Parameters
        ----------
        block : int

        Returns
        -------
        int
        """
        rounds, place = self._round_and_place(block)
        return int(rounds * self._first_row[-1] + self._first_row[place])

    def groups(self, blocks):
        """Yield the blocks of one line-up after another.

        Parameters
        ----------
        blocks : range

        Yields
        ------
        line_up : LineUp
        blocks : range
            Those of `blocks` that it plays.
        """
        for i in range(min(len(self.line_ups), len(blocks))):
            yield self.line_ups[blocks[i] % len(self.line_ups)], blocks[i :: len(self.line_ups)]

    def rows(self, blocks, seeds):
        """Return who sits where in some blocks, one row per seat per match.

        Parameters
        ----------
        blocks : range
        seeds : np.ndarray of int64, shape (blocks,)
            Of these blocks, as `seeds` returns them.

        Returns
        -------
        dict of str to np.ndarray
            ``game`` (place)``, match, block, seating, seed, seat`` (from 0)``, agent`` (place), in
            the order of matches and seats.
        """
        parts = []
        for i, (line_up, own) in enumerate(self.groups(blocks)):
            shape = (len(own), len(line_up.seatings), line_up.players)
            block = _as_array(own).astype(np.int32)
            columns = {
                "game": np.int16(line_up.game),
                "match": self._matches_of(line_up, block)[:, :, None],
                "block": block[:, None, None],
                "seating": np.arange(shape[1], dtype=np.int16)[:, None],
                "seed": seeds[i :: len(self.line_ups), None, None],
                "seat": np.arange(shape[2], dtype=np.int8),
                "agent": np.array(line_up.seatings, np.int16),
            }
            parts.append({k: np.broadcast_to(v, shape).reshape(-1) for k, v in columns.items()})
        order = self.order(blocks)
        if order is None:
            return parts[0]
        return {name: np.concatenate([part[name] for part in parts])[order] for name in parts[0]}

    def order(self, blocks):
        """Return what puts rows in order that come line-up by line-up, as `groups` yields them.

        Parameters
        ----------
        blocks : range

        Returns
        -------
        np.ndarray of int64, shape (rows,), or None
            None where they are in order already.
        """
        if len(self.line_ups) == 1 or len(blocks) == 1:
            return None
        matches = [
            np.repeat(self._matches_of(line_up, _as_array(own)), line_up.players)
            for line_up, own in self.groups(blocks)
        ]
        return np.argsort(np.concatenate(matches), kind="stable")

    def _matches_of(self, line_up, blocks):
        """Numbers of the matches of some blocks of a line-up, of shape (blocks, seatings)."""
        rounds, place = self._round_and_place(blocks.astype(np.int64))
        first = rounds * self._first[-1] + self._first[place]
        return (first[:, None] + np.arange(len(line_up.seatings))).astype(np.int32)

    def table(self, games, agents):
        """Return the schedule as a table for people.

        Parameters
        ----------
        games : sequence of str
            Names of the rule sets.
        agents : sequence of str
            Labels.

        Returns
        -------
        pd.DataFrame
            One row per match: ``match, block, variant, players, seed, seat_1, seat_2, ...``; seats
            that a table does not have are missing.
        """
        blocks = range(self.blocks)
        rows = self.rows(blocks, self.seeds(blocks))
        frame = pd.DataFrame(rows)
        frame["agent"] = np.array(agents, object)[rows["agent"]]
        seats = frame.pivot(index="match", columns="seat", values="agent")
        seats.columns = [f"seat_{seat + 1}" for seat in seats.columns]
        matches = frame[frame.seat == 0].set_index("match")
        matches = matches.assign(
            variant=np.array(games, object)[matches.game],
            players=frame.groupby("match").size(),
        )
        columns = ["block", "variant", "players", "seed"]
        return matches[columns].join(seats).reset_index()
