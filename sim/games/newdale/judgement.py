"""Features: named quantities by which a player may judge a position."""

import numpy as np

from sim.games.newdale.building import towns_in_reach
from sim.games.newdale.components import COINS_PER_VP, MAX_BOONS
from sim.games.newdale.outlook import (
    BUILDS,
    CARDS,
    COINS,
    NUM_OUTLOOKS,
    OWNED_STONES,
    PROGRESS_TILES,
    TILES,
    VP,
    add_building,
    add_plan,
    add_what_is_under_way,
    build_in_thought,
    gain_of_last_chains,
    is_building,
    rounds_later,
    take_back,
    worth_of_links,
    worth_of_productions,
)
from sim.games.newdale.scoring import num_rations, score_of
from sim.games.newdale.supply import num_coins
from sim.jit import inlined, jit
from sim.records import NONE
from sim.sets import size

FEATURES = (
    "score",
    "coming",
    "early_coins",
    "chains",
    "cards",
    "stones",
    "progress",
    "tiles",
    "engine",
    "links",
    "builds",
    "banners",
    "rations",
)
WEIGHTS = (1.0, 1.2, 0.5, 0.6, 0.5, 2.6, -0.2, 1.0, 0.55, 0.25, 0.75, 0.5, 0.07)

_LATE = 3.0  # rounds before the end from which on cards, tiles and coins to spend are worth less
_SPENDABLE = 30.0  # coins that can be spent in a round


@inlined
def features(rules, state, player, values):
    """The score as it stands, what is under way and planned, and what may become of the rest."""
    p = player
    later = rounds_later(rules, state)
    ahead = min(1.0, max(rules.num_rounds[0] - state.round_number, 0) / _LATE)
    per_vp = rules.number[COINS_PER_VP]
    values[0] = score_of(rules, state, p)
    coins = num_coins(rules, state, p)
    outlook = np.zeros(NUM_OUTLOOKS)
    outlook[VP] = state.vp[p]
    outlook[COINS] = coins
    outlook[CARDS] = state.hand_size[p]
    outlook[OWNED_STONES] = size(state.stones[p])
    outlook[PROGRESS_TILES] = size(state.progress[p])
    outlook[TILES] = _num_tiles(state, p)
    builds = is_building(state, p)
    area = stood = town = np.int64(NONE)
    if builds:
        add_building(rules, state, p, outlook)
        area, stood, town = build_in_thought(rules, state, p)
    if state.to_move == p:
        add_what_is_under_way(rules, state, p, outlook)
    add_plan(rules, state, p, outlook)
    values[1] = score_of(rules, state, p) - values[0]  # of the building that is under way
    values[1] += outlook[VP] - state.vp[p] + outlook[COINS] / per_vp - coins // per_vp
    values[2] = ahead * min(outlook[COINS], _SPENDABLE) / per_vp
    values[3] = gain_of_last_chains(rules, state, p) / per_vp
    values[4] = ahead * outlook[CARDS]
    values[5] = later * outlook[OWNED_STONES]
    values[6] = later * outlook[PROGRESS_TILES]
    values[7] = ahead * outlook[TILES]
    values[8] = later * worth_of_productions(rules, state, p, int(outlook[OWNED_STONES])) / per_vp
    values[9] = later * worth_of_links(rules, state, p) / per_vp
    values[10] = outlook[BUILDS]
    values[11] = ahead * _banners_in_reach(rules, state, p)
    values[12] = num_rations(rules, state, p)
    if builds:
        take_back(state, p, area, stood, town)


@jit
def _num_tiles(state, p):
    """Bonus tiles and persons that are not used yet."""
    n = 0
    for i in range(MAX_BOONS):
        n += state.boon[p, i]
    return n


@jit
def _banners_in_reach(rules, state, p):
    """Towns with the banner of the secret order that a house may be put on next."""
    if state.order[p] == NONE:
        return 0
    return size(towns_in_reach(rules, state, p) & rules.order_towns[state.order[p]])
