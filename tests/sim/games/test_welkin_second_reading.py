"""The engine against a slow reading of the rules text, move by move and turn by turn."""

import random

import comparison
import pytest
import welkin_pair
from numba import config

import sim
from sim.games.welkin import components as engine

NUM_SHORT_GAMES = 1 if config.DISABLE_JIT else 40
CHANGES = [
    {"start_money": 0},
    {"start_money": 12},
    {"overflow": "truncate", "max_rounds": 60},
    {"flip_on_open_rule": "mandatory"},
    {"effects_timing": "anytime"},
    {"effect_same_turn": False},
    {"end_rule": "finish_round"},
    {"winner_tie": "completed_sites"},
    {"winner_tie": "stock"},
    {"supply_limit": 4},
    {"supply_limit": "none"},
    {"produce_exact": False},
    {"gain_when_full": "discard_down"},
    {"max_rounds": 10},
]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_readings_agree_on_short_games(players):
    """With ten sites a game takes a tenth of the moves, and ends in as many ways."""
    game = sim.load("welkin", players=players, deck_size=10)
    comparison.check(welkin_pair.Pair(game), range(NUM_SHORT_GAMES), f"{game}")


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_readings_agree_on_the_published_game(players):
    game = sim.load("welkin", players=players)
    comparison.check(welkin_pair.Pair(game), range(4), f"{game}")


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_both_readings_agree_under_every_option(players, change):
    game = sim.load("welkin", players=players, deck_size=14, **change)
    comparison.check(welkin_pair.Pair(game), range(4), f"{game}")


@pytest.mark.compiled_only
def test_both_readings_agree_under_many_options_at_once():
    rng = random.Random(3)
    for seed in range(40):
        options = {"deck_size": 12, "max_rounds": 60}
        for change in rng.sample(CHANGES, 5):
            options |= change
        game = sim.load("welkin", players=rng.choice([2, 3, 4]), **options)
        comparison.check(welkin_pair.Pair(game), [seed], f"{game}")


@pytest.mark.compiled_only
def test_both_readings_agree_on_edited_tables():
    game = sim.load("welkin", players=3)
    parts = game.components
    sites = parts["sites"].iloc[:30].copy()
    sites["wild"] += 1
    sites.loc[::2, "gem"] += 1
    sites.loc[::3, "flip_on_open"] = 0
    sites["effect"] = ["FLIP", "GAIN", "SWAP", "RETOOL", "THIRD"] * 6
    kinds = ["plant", "elemental", "animal", "metal", "gem", "wild"]
    sites["size"] = sites[kinds].sum(axis=1)
    edited = game.variant(
        sites=sites,
        trade_chips=parts["trade_chips"].iloc[2:],
        deck_sizes=parts["deck_sizes"].assign(cards=12),
        seats=parts["seats"].assign(coins=[0, 2, 4, 6]),
        limits=parts["limits"].assign(value=[6, 3]),
    )
    comparison.check(welkin_pair.Pair(edited), range(10), f"{edited}")


@pytest.mark.compiled_only
@pytest.mark.parametrize("change", [{}, {"effects_timing": "anytime"}], ids=str)
def test_both_readings_agree_on_sites_that_are_soon_finished_and_full_of_effects(change):
    game = sim.load("welkin", players=2, deck_size=20, **change)
    sites = game.components["sites"].iloc[:20].copy()
    sites[["plant", "elemental", "animal", "metal", "gem", "wild"]] = [0, 0, 0, 0, 0, 2]
    sites["size"] = 2
    sites["effect"] = ["THIRD", "FLIP", "THIRD", "SWAP", "THIRD"] * 4
    edited = game.variant(sites=sites, deck_sizes=game.components["deck_sizes"].assign(cards=20))
    comparison.check(welkin_pair.Pair(edited), range(20), f"{edited}")


# Whole turns --------------------------------------------------------------------------------------


def beginnings(pair, seed, every):
    """Play a random game in both readings; stop at the beginning of some turns."""
    pair.start(seed)
    choose = random.Random(seed).choice
    begun = 0
    while not pair.is_over:
        if pair.state.phase == engine.BEFORE and pair.state.least_effect == 0:
            begun += 1
            if begun % every == 0:
                yield
        pair.play(choose(pair.slow_moves()))


def ends(game, state, is_end, is_step):
    """The positions at which all sequences of such steps end."""
    if is_end(state):
        return [state]
    found = []
    for action in game.legal(state).tolist():
        if is_step(state, action):
            after = game.copy(state)
            game.apply(after, action)
            found += ends(game, after, is_end, is_step)
    return found


def is_effect(state, action):
    return engine.USE_THIRD <= action < engine.OPEN


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"overflow": "truncate"},
        {"produce_exact": False},
        {"supply_limit": 4},
        {"end_rule": "finish_round"},
        {"flip_on_open_rule": "mandatory"},
    ],
    ids=str,
)
def test_the_small_steps_reach_exactly_the_outcomes_of_whole_actions(change):
    game = sim.load("welkin", players=2, deck_size=12, max_rounds=60, **change)
    pair = welkin_pair.Pair(game)
    for seed in range(3):
        for _ in beginnings(pair, seed, every=5):
            reached = ends(
                game,
                pair.state,
                lambda state: state.over or state.phase == engine.AFTER,
                lambda state, action: state.phase != engine.BEFORE or not is_effect(state, action),
            )
            assert {pair.position(state) for state in reached} == pair.slow.outcomes_of_action()


def hand_out(pair, rng):
    """Give the player to move two or three unused effects, in both readings."""
    p = pair.state.to_move
    for name in rng.choices(engine.EFFECT_NAMES, k=rng.choice([2, 2, 3])):
        card = next(row["id"] for row in pair.game.component_rows("sites") if row["effect"] == name)
        pair.state.effects[p, engine.EFFECT_NAMES.index(name)] += 1
        pair.state.num_finished[p] += 1
        pair.slow.players[p]["finished"].append({"id": card, "unused": True, "turn": -1})


@pytest.mark.compiled_only
@pytest.mark.parametrize("change", [{}, {"gain_when_full": "discard_down"}], ids=str)
def test_the_fixed_order_of_effects_reaches_what_any_order_reaches(change):
    game = sim.load("welkin", players=2, deck_size=12, **change)
    pair = welkin_pair.Pair(game)
    rng = random.Random(1)
    num_compared = 0
    for seed in range(6):
        for _ in beginnings(pair, seed, every=40):
            hand_out(pair, rng)
            if pair.state.effects[pair.state.to_move].sum() > 3:
                continue
            num_compared += 1
            reached = {pair.position(pair.state)}
            todo = [pair.state]
            while todo:
                state = todo.pop()
                for action in game.legal(state).tolist():
                    if state.phase != engine.BEFORE or is_effect(state, action):
                        after = game.copy(state)
                        game.apply(after, action)
                        todo.append(after)
                        if after.phase == engine.BEFORE:
                            reached.add(pair.position(after))
            assert reached == pair.slow.outcomes_of_effects()
    assert num_compared > 0
