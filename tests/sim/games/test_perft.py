"""Node counts by depth (perft): how many sequences of so many actions are legal in a position.

``perft.json`` is a table for other implementations to check themselves against: for each entry
the game, what chance dealt, the moves that lead to the position, in words, and the counts for depth
0, 1, 2, ... ``python tests/sim/games/test_perft.py`` writes it anew.
"""

import copy
import json
import random
from pathlib import Path

import newdale_pair
import pillars_pair
import pytest
import treelings_pair
import welkin_pair

import sim

TABLE = Path(__file__).with_name("perft.json")
PAIRS = {
    "treelings": treelings_pair.Pair,
    "pillars": pillars_pair.Pair,
    "welkin": welkin_pair.Pair,
    "newdale": newdale_pair.Pair,
}
POSITIONS = [
    # game, players, seed, moves before, depth
    *(("connect_four", 2, 0, moves, 5) for moves in (0, 12)),
    *(("treelings", n, n, moves, 4) for n in (2, 3, 4, 5) for moves in (0, 20)),
    *(("pillars", n, n, moves, 3) for n in (2, 3, 4) for moves in (0, 15, 30, 60, 130)),
    *(("newdale", n, n, moves, 3) for n in (1, 2, 3, 4) for moves in (0, 12, 40, 75)),
    *(("welkin", n, n, moves, 6) for n in (2, 3, 4) for moves in (0, 25, 200, 600)),
]


def perft(game, state, depth):
    """Count with the engine."""
    if depth == 0:
        return 1
    legal = game.legal(state)
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = game.copy(state)
        game.apply(after, action)
        total += perft(game, after, depth - 1)
    return total


def slow_perft(slow, depth):
    """Count with the slow reading."""
    if depth == 0:
        return 1
    total = 0
    for move in slow.moves():
        after = copy.deepcopy(slow)
        after.play(move)
        total += slow_perft(after, depth - 1)
    return total


def as_move(part):
    """JSON has lists where moves have tuples."""
    return tuple(map(as_move, part)) if isinstance(part, list) else part


def entry_of(name, players, seed, num_moves, depth):
    """Play to a position, and count from it with the engine."""
    game = sim.load(name, players=players)
    rng = random.Random(seed)
    if name in PAIRS:
        pair = PAIRS[name](game)
        pair.start(seed)
        deal = pair.deal()
        moves = []
        for _ in range(num_moves):
            moves.append(rng.choice(pair.slow_moves()))
            pair.play(moves[-1])
        state = pair.state
    else:
        deal, state, moves = {}, game.new(seed), []
        for _ in range(num_moves):
            moves.append(int(rng.choice(game.legal(state))))
            game.apply(state, moves[-1])
    counts = [perft(game, state, d) for d in range(depth + 1)]
    return {
        "game": name,
        "players": players,
        "seed": seed,
        "deal": deal,
        "moves": moves,
        "counts": counts,
    }


def committed():
    return json.loads(TABLE.read_text(encoding="utf-8"))


def ids(entry):
    return f"{entry['game']}-{entry['players']}p-after-{len(entry['moves'])}"


@pytest.mark.compiled_only
def test_the_engine_counts_what_is_committed():
    again = json.loads(json.dumps([entry_of(*position) for position in POSITIONS]))
    assert again == committed()


@pytest.mark.compiled_only
@pytest.mark.parametrize("entry", [e for e in committed() if e["game"] in PAIRS], ids=ids)
def test_the_slow_reading_counts_the_same_from_the_deal_and_the_moves(entry):
    game = sim.load(entry["game"], players=entry["players"])
    slow = PAIRS[entry["game"]](game).slow_game(entry["deal"])
    for move in entry["moves"]:
        slow.play(as_move(move))
    depths = [d for d, n in enumerate(entry["counts"]) if n <= 3000]
    assert [slow_perft(slow, depth) for depth in depths] == [entry["counts"][d] for d in depths]


def test_sequences_of_connect_four_from_the_start_are_the_powers_of_seven():
    entry = next(e for e in committed() if e["game"] == "connect_four" and not e["moves"])
    assert entry["counts"] == [7**depth for depth in range(6)]


if __name__ == "__main__":
    entries = [json.dumps(entry_of(*position)) for position in POSITIONS]
    TABLE.write_text("[\n" + ",\n".join(entries) + "\n]\n", encoding="utf-8")
