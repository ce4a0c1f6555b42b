"""What tournaments cost beside the play itself; part of ``kibitz bench``.

Everything is measured in a process of its own, since a process counts the memory of the one that
started it as its own.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import sim
from experiments import ratings, stats, store
from experiments.tournaments import Tournament, play_tournament, tournament
from sim.playouts import random_games

_MEASURES = ("_beside_the_play", "_two_jobs", "_matches", "_rows", "_going_on")
_REPEATS = 3
_GAME = "treelings"
_MILLION = 1_000_000


class _Busy:
    """An agent in Python that computes for two milliseconds and plays at random."""

    def choose(self, view, legal, rng):
        """Return any legal action."""
        start = time.process_time()
        while time.process_time() < start + 0.002:
            pass
        return rng.choice(legal)


def figures():
    """Measure all.

    Yields
    ------
    what, value, unit : str
    """
    for measure in _MEASURES:
        code = f"from experiments import loads; loads.print_rows(loads.{measure})"
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        )
        yield from json.loads(done.stdout)


def print_rows(measure):
    """Print the figures of one function as JSON.

    Parameters
    ----------
    measure : callable
        Yields ``(what, value, unit)``.
    """
    print(json.dumps(list(measure())))


def _seconds(work):
    """Of processor time, which other work on the machine changes least; the best of a few."""
    best = np.inf
    for _ in range(_REPEATS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def _timed(work, *arguments, **keywords):
    start = time.perf_counter()
    work(*arguments, **keywords)
    return time.perf_counter() - start


def _gigabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _beside_the_play():
    """A tournament of `random` against itself, and as many random games in a bare loop."""
    game = sim.load(_GAME, players=3)
    num_matches = 200_000
    random_games(game, 100)
    tournament(game, ["random"], blocks=100)
    bare = _seconds(lambda: random_games(game, num_matches))
    whole = _seconds(lambda: tournament(game, ["random"], blocks=num_matches))
    what = f"{_GAME}, tournament of {num_matches:,} matches of random play"
    yield what, f"{whole / bare:.2f}", "times the bare games"


def _two_jobs():
    for what, game, agents, blocks in (
        ("compiled agents", _GAME, ["greedy", "mcts:simulations=200"], 300),
        ("agents in Python", "connect_four", [_Busy, "random"], 240),
    ):
        plan = Tournament(game, agents, blocks=blocks)
        play_tournament(Tournament(game, agents, blocks=1))
        one, two = (_speed(plan, n_jobs) for n_jobs in (1, 2))
        yield f"tournament of {what}, 2 jobs", f"{two / one:.2f}", "times 1 job"


def _speed(plan, n_jobs):
    """Matches a second once all is under way: processes take seconds to start."""
    times, numbers = [], []

    def note(num_matches):
        times.append(time.perf_counter())
        numbers.append(num_matches)

    play_tournament(plan, n_jobs=n_jobs, progress=note)
    first = np.searchsorted(numbers, numbers[-1] / 4)
    return (numbers[-1] - numbers[first]) / (times[-1] - times[first])


def _matches():
    agents = ["random", "greedy"]
    tournament(_GAME, agents, players=4, blocks=1, n_jobs=2)
    seconds = _timed(tournament, _GAME, agents, players=4, matches=_MILLION, n_jobs=2)
    yield "tournament of 1,000,000 matches of 4, 2 threads", f"{seconds:.1f}", "s"
    yield "", f"{_gigabytes():.2f}", "GB at most"


def _rows():
    """Ten million rows: what a tenth of the matches came to, ten times over."""
    plan = Tournament(_GAME, ["random", "greedy"], players=4, matches=_MILLION // 4)
    tenth = play_tournament(plan, n_jobs=2)
    parts = [
        tenth.assign(
            block=tenth.block + np.int32(i * plan.blocks),
            match=tenth.match + np.int32(i * plan.matches),
        )
        for i in range(10)
    ]
    table = pd.concat(parts, ignore_index=True)
    del parts, tenth
    with tempfile.TemporaryDirectory() as folder:
        with store.Run(Path(folder) / "run", plan.manifest()) as run:
            written = _timed(run.finish, table)
    summaries = (
        stats.win_shares,
        stats.score_by_seat,
        stats.seat_effect,
        stats.match_length,
        stats.who_beats_whom,
    )
    summarised = sum(_timed(ask, table) for ask in summaries)
    rated = _timed(ratings.rate, table)
    whole = written + summarised + rated
    yield f"{len(table):,} rows written, summarised and rated", f"{whole:.0f}", "s"
    yield "", f"{_gigabytes():.2f}", "GB at most"


def _going_on():
    """What is done and what is missing, of a tournament that was broken off."""
    plan = Tournament(_GAME, ["random", "greedy"], blocks=1000)
    with tempfile.TemporaryDirectory() as folder:
        with store.Run(Path(folder) / "run", plan.manifest()) as run:
            for piece in plan.pieces()[::2]:
                run.add_part(plan.join([plan.play_piece(piece)]))

            def check():
                done = [b for part in run.parts(plan.holds) for b in plan.piece_of(part).blocks]
                plan.pieces(done)

            seconds = min(_timed(check) for _ in range(_REPEATS))
    yield "what is missing of 1,000 blocks", f"{1000 * seconds:.0f}", "ms"
