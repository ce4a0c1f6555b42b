"""Random games in one compiled loop: from set-up or from any position to the end."""

import functools

import numpy as np

from sim.chance import NUM_WORDS, below, seed_stream
from sim.game import checked_seed
from sim.jit import inlined, jit
from sim.protocol import apply_action, deal, imagine, legal_actions, scores
from sim.records import new_record

_MOVES = 1  # third seed word of the stream of the random players


@inlined
def play_out(rules, state, actions, stream):
    """Play uniformly random actions until the game is over; return how many."""
    num_actions = 0
    n = legal_actions(rules, state, actions)
    while n > 0:
        apply_action(rules, state, actions[below(stream, n)])
        num_actions += 1
        n = legal_actions(rules, state, actions)
    return num_actions


@functools.cache
def _notes_record(definition):
    """Arrays inside a record, since compiled code counts the references of any other array."""
    fields = [
        ("actions", np.int64, definition.num_actions),
        ("points", np.int64, definition.players.stop - 1),
        ("stream", np.uint64, NUM_WORDS),
        ("totals", np.int64, 3),  # actions, turns, points
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@jit
def _random_games(rules, states, notes, seed, num_games, is_set_up):
    """Play games of seeds seed to seed + num_games - 1; ``notes.totals`` is modified in place.

    ``states[1]`` is all zeros, or else a position that is set up; then each game happens in a world
    of its own. One kernel for both, since most of it is the game.
    """
    state = states[0]
    for i in range(num_games):
        states[0] = states[1]
        seed_stream(notes.stream, seed + i, 0, _MOVES)
        if is_set_up:
            imagine(rules, state, np.int64(state.to_move), notes.stream)
        else:
            deal(rules, state, seed + i)
        notes.totals[0] += play_out(rules, state, notes.actions, notes.stream)
        scores(rules, state, notes.points)
        notes.totals[1] += state.turn
        for p in range(rules.num_players):
            notes.totals[2] += notes.points[p]


def random_games(game, num_games, *, seed=0, start=None):
    """Play uniformly random games without recording them, on one core, as fast as it goes.

    Parameters
    ----------
    game : Game
    num_games : int
    seed : int, default: 0
        Seed of the first game; the others have the seeds that follow.
    start : np.record, optional
        A position to play on from, in place of set-up; it is not changed. What its player to move
        cannot know is dealt anew for each game.

    Returns
    -------
    dict
        Sums over the games: ``games``, ``actions``, ``turns`` at the end and ``points`` (of all
        players).

    Examples
    --------
    >>> import sim
    >>> sim.playouts.random_games(sim.load("treelings", players=4), 100)["games"]
    100
    """
    whole = isinstance(num_games, int | np.integer) and not isinstance(num_games, bool)
    if not whole or num_games < 1:
        raise ValueError(f"num_games={num_games!r} is not accepted; accepted: 1 and more")
    states = np.zeros(2, game.definition.state.dtype)
    notes = new_record(_notes_record(game.definition))
    if start is not None:
        states[1] = start
    _random_games(game.rules, states, notes, checked_seed(seed), num_games, start is not None)
    return {
        "games": num_games,
        "actions": int(notes.totals[0]),
        "turns": int(notes.totals[1]),
        "points": int(notes.totals[2]),
    }
