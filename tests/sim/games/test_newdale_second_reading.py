"""The engine against a slow reading of the rules text, move by move."""

import random

import comparison
import newdale_pair
import pytest
from numba import config

import sim
from sim.games.newdale.components import OPTIONS

NUM_GAMES = 1 if config.DISABLE_JIT else 30
CHOICES = {o.name: o.values for o in OPTIONS if isinstance(o.values, tuple)}
CHANGES = [{name: value} for name, values in CHOICES.items() for value in values[1:]]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_both_readings_agree_on_the_published_game(players):
    game = sim.load("newdale", players=players)
    comparison.check(newdale_pair.Pair(game), range(NUM_GAMES), f"{game}")


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_both_readings_agree_under_every_option(players, change):
    game = sim.load("newdale", players=players, **change)
    comparison.check(newdale_pair.Pair(game), range(3), f"{game}")


@pytest.mark.compiled_only
def test_both_readings_agree_under_many_options_at_once():
    rng = random.Random(3)
    for seed in range(80):
        change = {name: rng.choice(values) for name, values in CHOICES.items()}
        game = sim.load("newdale", players=rng.choice([1, 2, 3, 4]), **change)
        comparison.check(newdale_pair.Pair(game), [seed], f"{game}")


def crowded(players, **change):
    """A game with few cards, in which piles run out, persons, much money and short roads."""
    game = sim.load("newdale", players=players, **change)
    parts = game.components
    buildings = parts["buildings"].iloc[::3].copy()
    buildings["cost"] = buildings["cost"] // 2
    setup = parts["setup"].assign(coal=25, stones=4)
    chapters = parts["chapters"].assign(persons=1, events_used=5, tier1=3, tier2=9)
    persons = parts["persons"].assign(in_chapter=1)
    goods = parts["goods"].assign(rations=lambda t: t.value // 2)
    roads = parts["roads"].iloc[:-4]
    return game.variant(
        buildings=buildings,
        setup=setup,
        chapters=chapters,
        persons=persons,
        goods=goods,
        roads=roads,
    )


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"empty_pile": "reshuffle_then_half_hands"},
        {"replace_building": True, "order_consumes": True},
        {"tile_timing": "any_time", "bonus_overflow": "stack_lowest"},
        {"payment": "auto", "person_order": "right_then_counterclockwise"},
    ],
    ids=str,
)
def test_both_readings_agree_on_another_chapter_with_few_cards(change):
    for players in (1, 2, 3, 4):
        game = crowded(players, **change)
        comparison.check(newdale_pair.Pair(game), range(6), f"{game}")
