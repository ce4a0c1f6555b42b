"""Tournaments: line-ups, blocks of seat rotations, seeds, and the tidy table.

A *line-up* says which agents sit at one table. A *block* is one seed played in all seat rotations
of a line-up: everybody meets the same deal from every seat. The block, not the match, is the unit
of every error bar.

The table depends on the game, the agents and the seed alone, never on the order of execution or
on the number of workers: each block has a seed of its own, derived from the tournament's seed and
the number of the block.
"""

import datetime
import itertools

import joblib
import numpy as np
import pandas as pd
from joblib.externals.loky.process_executor import BrokenProcessPool

import sim
from agents import agent as agent_specs
from agents import play, stepwise
from agents.desk import new_desk
from experiments import store
from sim.chance import NUM_WORDS, next_word, seed_stream
from sim.game import checked_seed
from sim.jit import jit
from sim.match import END_WORDS
from sim.protocol import code_digest

_BLOCKS = 2  # third seed word of the streams that block seeds come from
_DEFAULT_BLOCKS = 100
_PIECES = 64  # a tournament is handed out in about so many pieces
_MAX_BLOCKS_PER_PIECE = 2048
_MAX_MATCHES = np.iinfo(np.int32).max


def line_ups(agents, players):
    """Return who sits together.

    As many agents as seats make one line-up; more make one of every choice; fewer take turns in
    filling the seats, so that each agent fills the same number of seats over all line-ups.

    Parameters
    ----------
    agents : sequence of str
        Labels.
    players : int

    Returns
    -------
    list of tuple of str
        Each of length `players`; none is a rotation of another.

    Examples
    --------
    >>> line_ups(["a", "b"], 3)
    [('a', 'b', 'a'), ('b', 'a', 'b')]
    >>> line_ups(["a", "b", "c"], 2)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    if len(agents) >= players:
        return list(itertools.combinations(agents, players))
    found = []
    for first in range(len(agents)):
        seats = tuple(agents[(first + i) % len(agents)] for i in range(players))
        rotations = {seats[i:] + seats[:i] for i in range(players)}
        if not rotations & set(found):
            found.append(seats)
    return found


def num_rotations(line_up):
    """Return the number of rotations of a line-up that differ.

    Parameters
    ----------
    line_up : sequence of str

    Returns
    -------
    int
    """
    seats = tuple(line_up)
    return next(i for i in range(1, len(seats) + 1) if seats[i:] + seats[:i] == seats)


@jit
def block_seeds(seed, first, seeds):
    """Write the seeds of blocks `first` and following into `seeds`; 63 bits each."""
    stream = np.zeros(NUM_WORDS, np.uint64)
    for i in range(len(seeds)):
        seed_stream(stream, seed, first + i, _BLOCKS)
        seeds[i] = next_word(stream) >> 1


class Tournament:
    """What is to be played; made by `tournament`, which see for the parameters.

    Attributes
    ----------
    game : sim.Game
    agents : list of agents.Agent
    line_ups : list of tuple of int
        Places in `agents`.
    rotations, blocks, matches, seed : int
    """

    def __init__(self, game, agents, *, players=None, blocks=None, matches=None, seed=0):
        if not isinstance(game, sim.Game):
            self.game = sim.load(game, players=players)
        else:
            self.game = game if players is None else game.variant(players=players)
        if not isinstance(agents, list | tuple):
            raise TypeError(f"a list of agents is needed, got {agents!r}")
        self.agents = [agent_specs.resolve(spec, self.game) for spec in agents]
        if not self.agents:
            raise ValueError("no agents; accepted: one or more")
        self.seed = checked_seed(seed)
        self.line_ups = self._line_ups()
        self.rotations = num_rotations(self.line_ups[0])
        self.blocks = self._num_blocks(blocks, matches)
        self.matches = self.blocks * self.rotations

    def _line_ups(self):
        labels = [agent.label for agent in self.agents]
        for one, other in itertools.combinations(self.agents, 2):
            if one.label == other.label and one.maker is not other.maker:
                if not isinstance(one.maker, str) or one.maker != other.maker:
                    raise ValueError(
                        f"two agents are called {one.label!r}; give each an attribute `label`"
                    )
        if len(set(labels)) < len(labels):
            if len(labels) != self.game.players:
                raise ValueError(
                    f"an agent is given twice: {', '.join(labels)}; that is accepted only when "
                    f"the agents fill the {self.game.players} seats exactly"
                )
            first = {label: i for i, label in reversed(list(enumerate(labels)))}
            return [tuple(first[label] for label in labels)]
        return line_ups(range(len(labels)), self.game.players)

    def _num_blocks(self, blocks, matches):
        """Blocks and matches say the same; every line-up gets the same number of blocks."""
        num_line_ups = len(self.line_ups)
        unit = {"blocks": num_line_ups, "matches": num_line_ups * self.rotations}
        if blocks is not None and matches is not None:
            raise ValueError("give blocks or matches, not both")
        name, number = ("matches", matches) if matches is not None else ("blocks", blocks)
        if number is None:
            return _DEFAULT_BLOCKS * num_line_ups
        most = _MAX_MATCHES // (self.rotations if name == "blocks" else 1)
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or not 1 <= number <= most:
            raise ValueError(
                f"{name}={number!r} is not accepted; accepted: 1 and more, {most} at most"
            )
        if number % unit[name]:
            below = number // unit[name] * unit[name]
            near = f"{below} or {below + unit[name]}" if below else f"{unit[name]}"
            raise ValueError(
                f"{name}={number} is not accepted: {num_line_ups} x {self.rotations} (line-ups x "
                f"rotations) need a multiple of {unit[name]}, such as {near}"
            )
        return int(number) if name == "blocks" else int(number) // self.rotations

    @property
    def is_compiled(self):
        """Whether every match runs as one compiled call."""
        return all(agent.is_compiled for agent in self.agents)

    def manifest(self):
        """Return all that is needed to play it again, as a dict that JSON can hold."""
        return {
            "game": self.game.name,
            "players": self.game.players,
            "options": dict(self.game.options),
            "components": self.game.changed_components,
            "rules_hash": self.game.rules_hash,
            "code": code_digest(self.game.definition),
            "agents": [{"label": a.label, "parameters": a.parameters} for a in self.agents],
            "line_ups": [list(seats) for seats in self.line_ups],
            "rotations": self.rotations,
            "blocks": self.blocks,
            "matches": self.matches,
            "seed": self.seed,
            "versions": store.versions(),
            "machine": store.machine(),
            "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        }

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
        size = min(-(-self.blocks // _PIECES), _MAX_BLOCKS_PER_PIECE)
        done = set(done)
        pieces = []
        for first in range(0, self.blocks, size):
            blocks = [b for b in range(first, min(first + size, self.blocks)) if b not in done]
            for _, run in itertools.groupby(enumerate(blocks), lambda pair: pair[1] - pair[0]):
                run = [block for _, block in run]
                pieces.append(range(run[0], run[-1] + 1))
        return pieces

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
        outcomes = np.zeros((len(blocks), self.rotations, self.game.players), play.OUTCOME)
        notes = np.full(outcomes.shape, "", object)
        seeds = np.zeros(len(blocks), np.int64)
        block_seeds(self.seed, blocks.start, seeds)
        desk = new_desk(self.game, max(agent.max_nodes for agent in self.agents))
        play_piece = self._play_compiled if self.is_compiled else self._play_stepwise
        play_piece(blocks, seeds, desk, outcomes, notes)
        return self._table(blocks, seeds, outcomes, notes)

    def line_up_of(self, block):
        """Return the agents of a block, in the seats of its first rotation.

        Parameters
        ----------
        block : int

        Returns
        -------
        list of agents.Agent
        """
        return [self.agents[i] for i in self.line_ups[block % len(self.line_ups)]]

    def _play_compiled(self, blocks, seeds, desk, outcomes, notes):
        for first in range(min(len(self.line_ups), len(blocks))):
            line_up = self.line_up_of(blocks[first])
            rows = np.zeros(len(line_up), play.AGENT)
            for i, agent in enumerate(line_up):
                rows[i] = agent.row
            same = slice(first, None, len(self.line_ups))
            played = np.zeros_like(outcomes[same])
            play.play_blocks(
                self.game.rules, rows, seeds[same].copy(), self.rotations, *desk, played
            )
            outcomes[same] = played

    def _play_stepwise(self, blocks, seeds, desk, outcomes, notes):
        for i, block in enumerate(blocks):
            line_up = self.line_up_of(block)
            for rotation in range(self.rotations):
                _, outcomes[i, rotation], notes[i, rotation] = stepwise.play_match(
                    self.game, line_up, seed=int(seeds[i]), rotation=rotation, desk=desk
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
        if list(frame.columns) != list(self._columns()) or len(frame) == 0:
            return False
        blocks = frame.block.unique()
        rows_per_block = self.rotations * self.game.players
        whole = len(frame) == len(blocks) * rows_per_block
        if not whole or not set(blocks) <= set(range(self.blocks)):
            return False
        seeds = np.zeros(self.blocks, np.int64)
        block_seeds(self.seed, 0, seeds)
        return bool(
            (frame.rules_hash == self.game.rules_hash).all()
            and frame.agent.isin(self._labels()).all()
            and (frame.seed.to_numpy() == seeds[frame.block.to_numpy()]).all()
            and not frame.duplicated(["match", "seat"]).any()
        )

    def _columns(self):
        nothing = np.zeros((0, self.rotations, self.game.players), play.OUTCOME)
        return self._table(range(0), np.zeros(0, np.int64), nothing, nothing["end"]).columns

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

    def _table(self, blocks, seeds, outcomes, notes):
        """One row per seat per match, in the order of matches and seats."""
        shape = outcomes.shape
        num_rows = outcomes.size
        players = self.game.players
        labels = self._labels()
        code_of_agent = np.array([labels.index(agent.label) for agent in self.agents], np.int16)
        block = np.array(blocks, np.int32)[:, None, None]
        rotation = np.arange(self.rotations, dtype=np.int32)[None, :, None]
        seat = np.arange(players, dtype=np.int32)[None, None, :]
        place = (seat + rotation) % players
        agent = code_of_agent[np.array(self.line_ups)[block % len(self.line_ups), place]]

        def column(values, kind):
            return np.ascontiguousarray(np.broadcast_to(values, shape), kind).reshape(num_rows)

        def words(codes, categories):
            return pd.Categorical.from_codes(column(codes, np.int16), categories)

        return pd.DataFrame(
            {
                "game": words(0, [self.game.name]),
                "rules_hash": words(0, [self.game.rules_hash]),
                "match": column(block * self.rotations + rotation, np.int32),
                "block": column(block, np.int32),
                "seed": column(seeds[:, None, None], np.int64),
                "seat": column(seat + 1, np.int8),
                "agent": words(agent, labels),
                "score": column(outcomes["score"], np.int32),
                "rank": column(outcomes["rank"], np.int8),
                "utility": column(outcomes["utility"], np.float64),
                "turns": column(outcomes["turns"], np.int32),
                "decisions": column(outcomes["decisions"], np.int32),
                "full_trees": column(outcomes["full_trees"], np.int32),
                "seconds": column(outcomes["seconds"], np.float64),
                "end": words(outcomes["end"] - 1, END_WORDS[1:]),
                "fingerprint": column(outcomes["fingerprint"], np.int64),
                "note": pd.Series(notes.reshape(num_rows), dtype="str"),
            }
        )


def tournament(
    game,
    agents,
    *,
    players=None,
    blocks=None,
    matches=None,
    seed=0,
    n_jobs=1,
    out=None,
    progress=None,
):
    """Let agents play each other and return the table of results.

    Parameters
    ----------
    game : str or sim.Game
    agents : sequence
        Spec strings, or classes or objects with ``choose(view, legal, rng) -> action``. As many
        as seats, or more (every choice plays), or fewer (they take turns in filling the seats).
    players : int, optional
        Number of players; by default that of the game.
    blocks, matches : int, optional
        How much is played, in blocks of all seat rotations or in matches; 100 blocks for each
        line-up by default.
    seed : int, default: 0
        The same seed gives the same table, whatever `n_jobs` (`seconds` apart, and everything of
        agents with a budget in seconds).
    n_jobs : int, default: 1
        Workers, as joblib counts them: -1 is one for each core. Threads when all agents are
        compiled, else processes.
    out : str or Path, optional
        Folder for manifest and results. A run that was interrupted goes on where it stopped.
    progress : callable, optional
        Called with the number of matches finished so far, at the start and after each piece.

    Returns
    -------
    pd.DataFrame
        One row per seat per match: ``game, rules_hash, match, block, seed, seat`` (1 = the first)
        ``, agent, score, rank, utility`` (share of the win), ``turns`` (of the match)``,
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
    plan = Tournament(game, agents, players=players, blocks=blocks, matches=matches, seed=seed)
    return play_tournament(plan, n_jobs=n_jobs, out=out, progress=progress)


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


def play_tournament(plan, *, n_jobs=1, out=None, progress=None):
    """Play a `Tournament`; the parameters are those of `tournament`."""
    check_jobs(n_jobs)
    report = progress or (lambda num_matches: None)
    if out is None:
        return plan.join(_play(plan, n_jobs, [], lambda frame: None, report))
    with store.Run(out, plan.manifest()) as run:
        if run.is_finished:
            report(plan.matches)
            return run.results(plan.holds)
        table = plan.join(_play(plan, n_jobs, run.parts(plan.holds), run.add_part, report))
        run.finish(table)
    return table


def _play(plan, n_jobs, frames, keep, report):
    """Play what is missing; `keep` is called with the rows of each piece as they come."""
    done = [block for frame in frames for block in frame.block.unique()]
    finished = len(done) * plan.rotations
    report(finished)
    pieces = plan.pieces(done)
    if not pieces:
        return frames
    _warm_up(plan)
    backend = "threading" if plan.is_compiled else "loky"
    num_workers = min(n_jobs, len(pieces)) if n_jobs > 0 else n_jobs
    parallel = joblib.Parallel(num_workers, backend=backend, return_as="generator_unordered")
    try:
        for frame in parallel(joblib.delayed(plan.play_piece)(piece) for piece in pieces):
            keep(frame)
            frames.append(frame)
            finished += frame.block.nunique() * plan.rotations
            report(finished)
    except BrokenProcessPool as error:
        raise RuntimeError(
            "a worker process died, as when an agent ends it or eats all memory; with a folder "
            "for the results the finished pieces are kept, and the same call goes on"
        ) from error
    return frames


def _warm_up(plan):
    """Compile in this process and before any worker starts: workers find the code on disk."""
    if plan.is_compiled:
        desk = new_desk(plan.game)
        no_blocks = np.zeros((0, plan.rotations, plan.game.players), play.OUTCOME)
        line_up = np.zeros(plan.game.players, play.AGENT)
        play.play_blocks(
            plan.game.rules, line_up, np.zeros(0, np.int64), plan.rotations, *desk, no_blocks
        )


def play_again(results, match, game, agents):
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
    rotation = int(match - rows.block.iloc[0] * num_rotations(list(rows.agent)))
    line_up = [seated[(i - rotation) % game.players] for i in range(game.players)]
    record, outcomes, _ = stepwise.play_match(
        game, line_up, seed=int(rows.seed.iloc[0]), rotation=rotation
    )
    if int(outcomes["fingerprint"][0]) != rows.fingerprint.iloc[0]:
        raise ValueError(f"match {match} goes another way when it is played again")
    return record
