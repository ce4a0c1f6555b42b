"""``kibitz bench``: how fast this machine plays, as a table.

Figures are meant to be compared within one run, on one machine; they are never part of a test.
Each rate is the best of several short repetitions, since other work on the machine only ever
slows one down.
"""

import datetime
import functools
import importlib
import itertools
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from rich.table import Table

import sim
from agents import resolve
from agents.desk import VIEW, new_desk
from agents.mcts import search
from experiments import loads, peers
from experiments.store import machine, versions
from sim.chance import below

_REPEATS = 3
_SECONDS = 0.5  # of each repetition, about
_SIMULATIONS = (1_000, 20_000)
_PLAYERS = {"treelings": 4, "newdale": 2}
_TEN_MATCHES = ("random", "greedy", "--players", "2", "--matches", "10")


def run(console, *, quick=False):
    """Measure and print, with the date, the machine and the versions.

    Parameters
    ----------
    console : rich.console.Console
    quick : bool, default: False
        Leave out what takes minutes.
    """
    start = time.perf_counter()
    beside = functools.partial(peers.figures, quick=quick)
    slow = () if quick else (loads.figures, _start_figures)
    rows = []
    for measure in (*slow, _fast_figures, beside):
        with console.status("measuring ..."):
            rows.extend(measure())
    console.print(_table(rows))
    computer = machine()
    today = datetime.date.today().isoformat()
    minutes = (time.perf_counter() - start) / 60
    console.print(f"\n{today}, measured in {minutes:.1f} minutes", highlight=False)
    console.print(f"{computer['processor']}, {computer['cores']} cores, {computer['system']}")
    numbers = versions() | peers.installed()
    console.print(", ".join(f"{name} {number}" for name, number in numbers.items()), soft_wrap=True)


def _table(rows):
    """The figures as a table that is wide enough to be kept in a file."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("figure", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _fast_figures():
    """Random games and search, in the compiled loop."""
    for name in sim.known_games():
        game = sim.load(name, players=_PLAYERS.get(name))
        what = f"{name}, {game.players} players"
        games, actions = _random_rates(game, 1)
        yield f"{what}, random play, 1 core", f"{actions / 1e6:.1f}", "million actions/s"
        yield "", f"{games:,.0f}", "games/s"
        both, _ = _random_rates(game, 2)
        again, _ = _random_rates(game, 1)
        yield "the same on 2 threads", f"{both / max(games, again):.2f}", "times 1 thread"
        if slow := _slow_rate(game):
            yield "the same by the slow reading of the rules", f"1/{actions / slow:,.0f}", "as fast"
        for num_simulations in _SIMULATIONS:
            rate, cost = _search_rates(game, num_simulations)
            yield f"{what}, mcts of {num_simulations:,}", f"{rate:,.0f}", "sim./s"
            yield "", f"{cost:.2f}", "of the rate of random games as long"
        yield f"{what}, a state", f"{game.definition.state.dtype.itemsize:,}", "bytes"


def _slow_rate(game):
    """Moves a second of the slow reading that the tests compare with; None without one.

    It is part of a clone, not of an installation.
    """
    folder = Path(__file__).resolve().parent.parent / "tests" / "readings"
    if not (folder / f"{game.name}_pair.py").exists():
        return None
    sys.path.insert(0, str(folder))
    pair = importlib.import_module(f"{game.name}_pair").Pair(game)
    stream = np.random.SFC64(1).state["state"]["state"]
    game.new(seed=0)  # compiled, or loaded, before the clock runs
    num_moves, start = 0, time.perf_counter()
    for seed in itertools.count():
        pair.state = game.new(seed)
        slow = pair.slow_game(pair.deal())
        while moves := slow.moves():
            slow.play(moves[below(stream, len(moves))])
            num_moves += 1
        seconds = time.perf_counter() - start
        if seconds > _SECONDS:
            return num_moves / seconds


def _random_rates(game, num_threads):
    """Games and actions a second, of so many threads together."""

    def play(thread, num_games):
        return sim.playouts.random_games(game, num_games, seed=thread << 32)

    play(0, 1)
    start = time.perf_counter()
    play(0, 1000)
    num_games = max(1000, int(1000 * _SECONDS / (time.perf_counter() - start)))
    best = (0.0, 0.0)
    with ThreadPoolExecutor(num_threads) as pool:
        for _ in range(_REPEATS):
            start = time.perf_counter()
            played = list(pool.map(play, range(num_threads), [num_games] * num_threads))
            seconds = time.perf_counter() - start
            actions = sum(totals["actions"] for totals in played)
            best = max(best, (num_threads * num_games / seconds, actions / seconds))
    return best


def _search_rates(game, num_simulations):
    """Simulations a second, each with a full random playout, and their share of random play.

    That is, of the rate of random games from the same position, both in actions: a tree plays
    better than at random, and such games are longer in one game and shorter in another.
    """
    agent = resolve(f"mcts:simulations={num_simulations}", game)
    desk = new_desk(game, agent.max_nodes)
    stream = np.random.SFC64(1).state["state"]["state"]
    start = game.new(seed=1)
    desk.worlds[VIEW] = start
    search(game.rules, agent.row, 0, stream, *desk)
    length = desk.notes.num_steps / num_simulations
    num_games = 500
    sim.playouts.random_games(game, num_games, start=start)
    best_search = best_random = 0.0
    for _ in range(_REPEATS):
        num_searches, before = 0, time.perf_counter()
        while (seconds := time.perf_counter() - before) < _SECONDS:
            search(game.rules, agent.row, 0, stream, *desk)
            num_searches += 1
        best_search = max(best_search, num_searches * num_simulations / seconds)
        num_actions, before = 0, time.perf_counter()
        while (seconds := time.perf_counter() - before) < _SECONDS:
            num_actions += sim.playouts.random_games(game, num_games, start=start)["actions"]
        best_random = max(best_random, num_actions / seconds)
    return best_search, best_search * length / best_random


def _start_figures():
    """From nothing compiled to a finished tournament, and with everything compiled.

    Of the games with the smallest and the largest state; the others are in between.
    """
    games = sorted(
        sim.known_games(), key=lambda name: sim.load(name).definition.state.dtype.itemsize
    )
    for name in (games[0], games[-1]):
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"KIBITZ_CACHE_DIR": str(Path(folder) / "cache")}
            for state in ("cold", "first warm", "warm"):
                command = [sys.executable, "-m", "experiments.cli", "tournament", name]
                command += [*_TEN_MATCHES, "--out", str(Path(folder) / state)]
                start = time.perf_counter()
                subprocess.run(command, env=environment, check=True, capture_output=True)
                seconds = time.perf_counter() - start
                if state != "first warm":
                    yield f"kibitz tournament {name}, ten matches, {state}", f"{seconds:.1f}", "s"
