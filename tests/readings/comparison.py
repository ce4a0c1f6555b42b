"""Playing two readings of the same rules side by side, move by move.

A *pair* knows both: the fast engine through the face of `sim.Game`, and the slow reading. It has

    start(seed)          set both up alike
    moves()              {move of the slow reading: action of the engine}, legal in the engine
    slow_moves()         the legal moves of the slow reading
    play(move)           play it in both
    differences()        words about what is not alike now, empty when all is
    is_over              of the engine
"""

import random

MAX_MOVES = 20_000


def first_difference(pair, seed, chooser_seed):
    """Play one random game; return (moves played, what differs), or None when nothing does."""
    pair.start(seed)
    choose = random.Random(chooser_seed).choice
    played = []
    while len(played) < MAX_MOVES:
        found = pair.differences()
        engine, slow = sorted(pair.moves(), key=str), sorted(pair.slow_moves(), key=str)
        if engine != slow:
            found = [*found, f"legal in the engine {engine}, in the slow reading {slow}"]
        if found:
            return played, found
        if pair.is_over:
            return None
        move = choose(slow)
        pair.play(move)
        played.append(move)
    return played, ["the game does not end"]


def check(pair, seeds, title):
    """Fail with the shortest differing game, if there is one.

    After a first mismatch more games are played, so that a short one is likely to be among them.
    """
    for seed in seeds:
        found = first_difference(pair, seed, seed)
        if found is not None:
            moves, differences = shortest_difference(pair, found)
            raise AssertionError(
                f"{title}: the readings differ after {len(moves)} moves {moves}:\n"
                + "\n".join(differences)
            )


def shortest_difference(pair, found, tries=200):
    """Return the shortest of many differing games."""
    for seed in range(tries):
        other = first_difference(pair, seed, -seed)
        if other is not None and len(other[0]) < len(found[0]):
            found = other
    return found
