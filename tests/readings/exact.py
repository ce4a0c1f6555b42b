"""Exact values of small games, by going through all of them in plain Python.

Values are utilities, the shares of the win: 1 for a win, 1/k for one that k share. Two solvers that
have nothing in common but these shares: `alpha_beta` for two players in turn and no chance, and
`action_values` for any number of players, with chance and with what is hidden from all alike.
"""

import itertools
from collections import defaultdict

import numpy as np

from sim.chance import below, seed_stream
from sim.records import copy_of


def shares(game, state):
    """The share of the win of each player at the end of a match."""
    won = game.ranks(state) == 1
    return won / won.sum()


def after(game, state, action):
    """A copy of a state with an action played."""
    state = game.copy(state)
    game.apply(state, action)
    return state


# Two players in turn, no chance -------------------------------------------------------------------


def alpha_beta(game, state):
    """The share of the player to move after each legal action."""
    return {int(a): 1 - _share(game, after(game, state, a), 0, 1) for a in game.legal(state)}


def _share(game, state, low, high):
    """The share of the player to move, if it is between `low` and `high`; else on the same side."""
    if state.over:
        return shares(game, state)[state.to_move]
    for action in game.legal(state):
        share = 1 - _share(game, after(game, state, action), 1 - high, 1 - low)
        low = max(low, share)
        if low >= high:
            break
    return low


# Any number of players, with chance ---------------------------------------------------------------


def stream_that_throws(face, num_faces):
    """A stream whose next throw of a die shows a face."""
    stream = np.zeros(4, np.uint64)
    for seed in itertools.count():
        seed_stream(stream, seed, 0, 0)
        if below(stream.copy(), num_faces) == face:
            return stream


def action_values(game, worlds, num_faces=1, enemies_of=None):
    """The value of each legal action to every player (max^n over the worlds that may be).

    Everybody knows the same, so what is known is a set of equally likely worlds, and what is seen
    after an action parts it.

    Parameters
    ----------
    game : sim.Game
    worlds : list of np.record
        Equally likely; what they have in common is what the players see.
    num_faces : int, default: 1
        Of the die that an action may throw, once at most.
    enemies_of : int, optional
        A player whom all others want to lose; by default each wants to win himself.

    Returns
    -------
    dict of int to np.ndarray, shape (players,)
    """
    streams = [stream_that_throws(face, num_faces) for face in range(num_faces)]
    known = {}  # values of sets of worlds

    def values_of_actions(belief):
        _, first = belief[0]
        return {
            int(action): sum(weight * value(part) for weight, part in parts(belief, action))
            for action in game.legal(first)
        }

    def parts(belief, action):
        """What may be seen after an action: pairs of probability and belief."""
        weights, states = defaultdict(float), {}
        for weight, state in belief:
            for stream in streams:
                reply = copy_of(state)
                reply.chance[:] = stream
                game.apply(reply, action)
                reply.chance[:] = 0
                key = reply.tobytes()
                states[key] = reply
                weights[key] += weight / num_faces
        seen = defaultdict(list)
        for key, state in states.items():
            seen[game.observation(state, 0).tobytes()].append((weights[key], state))
        for part in seen.values():
            total = sum(weight for weight, _ in part)
            yield total, [(weight / total, state) for weight, state in part]

    def value(belief):
        _, first = belief[0]
        if first.over:
            return sum(weight * shares(game, state) for weight, state in belief)
        key = frozenset((round(weight, 9), state.tobytes()) for weight, state in belief)
        if key not in known:
            known[key] = best(values_of_actions(belief).values(), int(first.to_move))
        return known[key]

    def best(values, mover):
        def worth(value):
            is_enemy = enemies_of is not None and mover != enemies_of
            return round(-value[enemies_of] if is_enemy else value[mover], 9)

        found = max(values, key=worth)
        equal = [value for value in values if worth(value) == worth(found)]
        if enemies_of is None and not all(np.allclose(value, found) for value in equal):
            raise ValueError("the mover has equals that others have not: no value is the exact one")
        return found

    return values_of_actions([(1 / len(worlds), world) for world in worlds])
