"""The engine against a slow reading of the rules text, move by move."""

import random

import comparison
import pillars_pair
import pytest
from numba import config

import sim
from sim.games.pillars.components import OPTIONS

NUM_GAMES = 2 if config.DISABLE_JIT else 30
CHOICES = {o.name: o.values for o in OPTIONS if isinstance(o.values, tuple)}
CHANGES = [
    *({name: value} for name, values in CHOICES.items() for value in values[1:]),
    {"glassblower_vp": 1},
    {"glassblower_vp": 5},
]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_readings_agree_on_the_published_game(players):
    game = sim.load("pillars", players=players)
    comparison.check(pillars_pair.Pair(game), range(NUM_GAMES), f"{game}")


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_both_readings_agree_under_every_option(players, change):
    game = sim.load("pillars", players=players, **change)
    comparison.check(pillars_pair.Pair(game), range(4), f"{game}")


@pytest.mark.compiled_only
def test_both_readings_agree_under_many_options_at_once():
    rng = random.Random(3)
    for seed in range(80):
        change = {name: rng.choice(values) for name, values in CHOICES.items()}
        game = sim.load("pillars", players=rng.choice([2, 3, 4]), **change)
        comparison.check(pillars_pair.Pair(game), [seed], f"{game}")


@pytest.mark.compiled_only
def test_both_readings_agree_on_edited_tables():
    game = sim.load("pillars", players=3)
    parts = game.components
    craftsmen = parts["craftsmen"].copy()
    craftsmen.loc[3:, "cost_gold"] = [1 + i % 5 for i in range(24)]
    craftsmen["capacity"] += 1
    craftsmen.loc[craftsmen.name == "Potter", "out_vp"] = 3
    market = parts["market"].copy()
    market["price"] = [1, 2, 2, 7]
    market["market_stock_at_round_start"] = [6, 1, 0, 0]
    resources = parts["resources"].assign(workers=lambda t: t.workers - 1)
    events = parts["events"].copy()
    events["amount"] *= 2
    edited = game.variant(craftsmen=craftsmen, market=market, resources=resources, events=events)
    comparison.check(pillars_pair.Pair(edited), range(30), f"{edited}")
