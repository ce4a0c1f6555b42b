"""The engine against a slow reading of the rules text, move by move."""

import itertools

import comparison
import pytest
import treelings_pair
from numba import config

import sim
from sim.games import treelings

NUM_GAMES = 20 if config.DISABLE_JIT else 120
WORDS = {o.name: o.values for o in treelings.OPTIONS if isinstance(o.values, tuple)}


@pytest.mark.parametrize("players", range(2, 6))
def test_both_readings_agree_on_the_published_game(players):
    game = sim.load("treelings", players=players)
    comparison.check(treelings_pair.Pair(game), range(NUM_GAMES), f"{game}")


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", range(2, 6))
def test_both_readings_agree_under_every_combination_of_options(players):
    for number, values in enumerate(itertools.product(*WORDS.values())):
        game = sim.load("treelings", players=players, **dict(zip(WORDS, values, strict=True)))
        comparison.check(treelings_pair.Pair(game), range(3 * number, 3 * number + 3), f"{game}")


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    "change",
    [
        {"market_size": 1},
        {"market_size": 9},
        {"cards_dealt": 0},
        {"cards_dealt": 0, "initial_order": "chosen", "multi_new": "same_side"},
        {"cards_dealt": 7, "initial_order": "chosen"},
        {"cards_below_festival": 0},
        {"cards_below_festival": 0, "refill_timing": "start"},
        {"cards_below_festival": 1, "market_size": 12, "refill_timing": "start"},
        {"cards_below_festival": 60},
    ],
    ids=str,
)
def test_both_readings_agree_on_other_numbers_of_cards(change):
    for players in range(2, 6):
        game = sim.load("treelings", players=players, **change)
        comparison.check(treelings_pair.Pair(game), range(15), f"{game}")


def test_a_difference_is_shown_by_its_shortest_game(monkeypatch):
    game = sim.load("treelings", players=2)
    pair = treelings_pair.Pair(game)
    right = pair.differences

    def wrong_after_ten_turns():
        return right() + (["made up"] if pair.state.turn >= 10 else [])

    monkeypatch.setattr(pair, "differences", wrong_after_ten_turns)
    with pytest.raises(AssertionError, match=r"differ after 1\d moves.*(?s:.)*made up"):
        comparison.check(pair, range(3), "broken on purpose")
