"""Other toolkits beside kibitz, for ``kibitz bench``: measured in the same run, if installed.

OpenSpiel (Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games", 2019)
brings search and games in C++, Pgx (Koyamada et al., "Pgx: hardware-accelerated parallel game
simulators", 2023) games in JAX, and catanatron is the nearest to a Eurogame written in Python.

The sides of a comparison of speed take turns, and the best turn of each counts, since other work
on the machine only ever slows one down. In matches both are given the same time for each move;
what they really took is measured too.
"""

import itertools
import os
import subprocess
import sys
import time
from importlib import metadata

import numpy as np

import sim
from agents import play, resolve
from agents.desk import VIEW, new_desk
from agents.mcts import search
from experiments.stats import share_interval

PEERS = {"OpenSpiel": "open_spiel", "Pgx": "pgx", "catanatron": "catanatron"}  # distributions
INSTALL = "pip install 'kibitz[bench]'"

_ROUNDS = 6
_SECONDS = 0.3  # of each side in each round, about
_SIMULATIONS = (1_000, 20_000)
_MATCHES = {0.01: 49, 0.1: 24}  # seconds a move: openings, each played with both colours
_AGENT = "mcts:seconds={},greed=1"  # the default agent of the game, see docs/search.md
_OPENING_PLIES = 2
_UCT_C = 2.0  # as in OpenSpiel's own examples, with one random rollout for each simulation
_MAX_MEMORY_MB = 1000
# Of simulations, when seconds are the budget. With a bound of 1 its bot searches as long, but then
# plays a move at random.
_NO_BOUND = 10**9
_BATCHES = (1_000, 16_000)  # games that Pgx plays side by side
_EUROGAME = "newdale"
_EUROGAME_PLAYERS = 4


def installed():
    """Return the peers that are installed.

    Returns
    -------
    dict of str to str
        Their versions by name.
    """
    found = {}
    for peer, distribution in PEERS.items():
        try:
            found[peer] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return found


def figures(*, quick=False):
    """Measure kibitz beside every peer that is installed.

    Parameters
    ----------
    quick : bool, default: False
        Leave out the matches, which take minutes.

    Yields
    ------
    figure, value, unit : str
        A row of the table; of a peer that is missing how to install it.
    """
    present = installed()
    measurements = {
        "OpenSpiel": (_search_figures, _openspiel_figures) + (() if quick else (_match_figures,)),
        "Pgx": (_pgx_figures,),
        "catanatron": (_catanatron_figures,),
    }
    for peer, functions in measurements.items():
        if peer not in present:
            yield f"beside {peer}", "not installed", INSTALL
            continue
        for measure in functions:
            yield from measure()


def _side_by_side(what, peer, ours, theirs, unit):
    """Three rows: both rates of the best round, and their ratio."""
    our_rate = their_rate = 0.0
    for _ in range(_ROUNDS):
        our_rate = max(our_rate, ours())
        their_rate = max(their_rate, theirs())
    yield f"{what}, kibitz", f"{our_rate:,.0f}", unit
    yield f"the same, {peer}", f"{their_rate:,.0f}", unit
    yield "", f"{our_rate / their_rate:.1f}", "times as many"


def _rate(do, amount):
    """What is done a second, when `do` does so much at a time, or says how much it has done."""
    done, start = 0, time.perf_counter()
    while (seconds := time.perf_counter() - start) < _SECONDS:
        answer = do()
        done += amount or answer
    return done / seconds


# Connect Four beside OpenSpiel --------------------------------------------------------------------


def _bot(game, num_simulations, *, solve, seed, seconds=-1.0):
    """OpenSpiel's search; with `seconds` they are the budget, not the simulations."""
    import pyspiel

    return pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, seed),
        _UCT_C,
        num_simulations,
        _MAX_MEMORY_MB,
        solve,
        seed,
        False,
        pyspiel.ChildSelectionPolicy.UCT,
        seconds,
    )


def _search_figures():
    """Simulations a second from the empty board, each with one random playout to the end."""
    import pyspiel

    game, theirs = sim.load("connect_four"), pyspiel.load_game("connect_four")
    for num_simulations in _SIMULATIONS:
        agent = resolve(f"mcts:simulations={num_simulations}", game)
        desk = new_desk(game, agent.max_nodes)
        stream = np.random.SFC64(1).state["state"]["state"]
        desk.worlds[VIEW] = game.new(seed=1)
        bot = _bot(theirs, num_simulations, solve=False, seed=1)  # the faster way
        position = theirs.new_initial_state()

        def ours(agent=agent, desk=desk, stream=stream):
            search(game.rules, agent.row, 0, stream, *desk)

        ours()  # compiled, or loaded, before the clock runs
        yield from _side_by_side(
            f"connect_four, search of {num_simulations:,} simulations",
            "OpenSpiel's MCTSBot in C++",
            lambda n=num_simulations, ours=ours: _rate(ours, n),
            lambda n=num_simulations, bot=bot, p=position: _rate(lambda: bot.mcts_search(p), n),
            "sim./s",
        )


def _openspiel_figures():
    """Uniformly random play in Connect Four, here compiled and there one call for each move."""
    import pyspiel

    game, theirs = sim.load("connect_four"), pyspiel.load_game("connect_four")
    draws = itertools.cycle(np.random.Generator(np.random.SFC64(1)).random(100_003).tolist())

    def random_game():
        state, num_actions = theirs.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(next(draws) * len(legal))])
            num_actions += 1
        return num_actions

    yield from _side_by_side(
        "connect_four, random play",
        "OpenSpiel driven from Python",
        lambda: _random_rate(game),
        lambda: _rate(random_game, None),
        "actions/s",
    )


def _random_rate(game, num_games=2_000):
    """Actions a second of uniformly random play in the compiled loop."""
    return _rate(lambda: sim.playouts.random_games(game, num_games)["actions"], None)


def _match_figures():
    """Share of the points at equal time for each move, and what each move really took."""
    for seconds, num_openings in _MATCHES.items():
        shares, milliseconds = play_openings(_AGENT.format(seconds), seconds, num_openings)
        low, high = share_interval(shares, 2)
        num_games = 2 * len(shares)
        what = f"connect_four, {1000 * seconds:.0f} ms a move, {num_games} games with MCTSBot"
        interval = f"% of the points, {100 * low:.0f} - {100 * high:.0f}"
        yield what, f"{100 * np.mean(shares):.1f}", interval
        ours, theirs = milliseconds
        yield "a move of kibitz, of MCTSBot", f"{ours:.1f}, {theirs:.1f}", "ms, mean"


def play_openings(spec, seconds, num_openings, *, solve=True):
    """Let an agent play OpenSpiel's search in Connect Four, each opening with both colours.

    Parameters
    ----------
    spec : str
        Of a compiled agent.
    seconds : float
        That OpenSpiel's search has for each move.
    num_openings : int
        How many of the 49 openings of two plies, chosen at random, each at most once.
    solve : bool, default: True
        Whether OpenSpiel's search keeps proven wins and losses, and stops when all is proven.

    Returns
    -------
    shares : list of float
        Of the points of the agent, one for each opening.
    milliseconds : tuple of float
        Mean of a move of the agent, and of OpenSpiel's search.
    """
    import pyspiel

    game, theirs = sim.load("connect_four"), pyspiel.load_game("connect_four")
    agent = resolve(spec, game)
    desk = new_desk(game, agent.max_nodes)
    stream = np.random.SFC64(1).state["state"]["state"]
    play.decide(game.rules, game.new(seed=0), agent.row, stream, *desk)  # before the clock runs
    columns = range(game.definition.num_actions)
    openings = list(itertools.product(columns, repeat=_OPENING_PLIES))
    chosen = np.random.Generator(np.random.SFC64(1)).permutation(len(openings))[:num_openings]
    shares, spent, num_moves = [], [0.0, 0.0], [0, 0]
    for number in chosen:
        points = 0.0
        for seat in range(game.players):
            state, position = game.new(seed=0), theirs.new_initial_state()
            bot = _bot(theirs, _NO_BOUND, solve=solve, seed=int(number) + 1, seconds=seconds)
            for action in openings[number]:
                game.apply(state, action)
                position.apply_action(action)
            while not state.over:
                side = 0 if state.to_move == seat else 1
                start = time.perf_counter()
                if side == 0:
                    action = int(play.decide(game.rules, state, agent.row, stream, *desk))
                else:
                    action = bot.step(position)
                spent[side] += time.perf_counter() - start
                num_moves[side] += 1
                game.apply(state, action)
                position.apply_action(action)
            points += (position.returns()[seat] + 1) / 2
        shares.append(points / game.players)
    return shares, tuple(1000 * spent[side] / num_moves[side] for side in (0, 1))


# Random play beside Pgx and catanatron ------------------------------------------------------------

# A process of its own: JAX keeps threads and memory. A game is at most 42 moves long; the moves
# after its end are made but not counted.
_PGX = """
import sys, time, jax, jax.numpy as jnp, pgx
env = pgx.make("connect_four")
num_games, seconds = int(sys.argv[1]), float(sys.argv[2])

@jax.jit
def play(key):
    def move(carry, _):
        state, key, num_actions = carry
        key, draw = jax.random.split(key)
        odds = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(draw, odds, axis=-1)
        num_actions += (~state.terminated).sum()
        return (jax.vmap(env.step)(state, action), key, num_actions), None
    state = jax.vmap(env.init)(jax.random.split(key, num_games))
    (_, _, num_actions), _ = jax.lax.scan(move, (state, key, 0), length=42)
    return num_actions

int(play(jax.random.PRNGKey(0)))
print(flush=True)
for seed, _ in enumerate(sys.stdin):
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        done += int(play(jax.random.PRNGKey(seed)))
    print(done / (time.perf_counter() - start), flush=True)
"""


def _pgx_figures():
    """Uniformly random play in Connect Four beside batches on the CPU."""
    game = sim.load("connect_four")
    for num_games in _BATCHES:
        command = [sys.executable, "-c", _PGX, str(num_games), str(_SECONDS)]
        environment = os.environ | {"JAX_PLATFORMS": "cpu"}
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            process.stdout.readline()  # compiled

            def theirs(process=process):
                print(file=process.stdin, flush=True)
                return float(process.stdout.readline())

            yield from _side_by_side(
                "connect_four, random play, 1 core",
                f"Pgx on the CPU, all cores, {num_games:,} at once",
                lambda: _random_rate(game),
                theirs,
                "actions/s",
            )
            process.stdin.close()


def _catanatron_figures():
    """Uniformly random play of an engine builder for four beside that of the settlers."""
    from catanatron import Color, Game, RandomPlayer

    game = sim.load(_EUROGAME, players=_EUROGAME_PLAYERS)
    seeds = itertools.count()

    def random_game():
        match = Game([RandomPlayer(color) for color in Color], seed=next(seeds))
        match.play()
        return len(match.state.actions)

    yield from _side_by_side(
        f"{_EUROGAME}, {_EUROGAME_PLAYERS} players, random play",
        "catanatron, 4 players",
        lambda: _random_rate(game, 200),
        lambda: _rate(random_game, None),
        "actions/s",
    )
