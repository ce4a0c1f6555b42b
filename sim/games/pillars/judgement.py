"""Features: named quantities by which a player may judge a position."""

from sim.games.pillars.actions import has_trade
from sim.games.pillars.components import (
    BISHOP,
    CASTLE,
    CATHEDRAL,
    COURT,
    KINGSBRIDGE,
    MARKET_PLACE,
    METAL,
    MORTAR_MIXER,
    NUM_CRAFTSMEN,
    NUM_KINDS,
    NUM_MARKET,
    NUM_PAIR,
    NUM_ROUNDS,
    PRIORY,
    PRIORY_FIRST,
    PRODUCTION,
    SHIRING,
    TAX,
)
from sim.games.pillars.steps import is_at_court, num_produced
from sim.jit import jit
from sim.records import NONE
from sim.sets import has, size

FEATURES = (
    "score",
    "gold",
    "sand",
    "wood",
    "stone",
    "metal",
    "convertible",
    "engine",
    "cards",
    "workers",
    "priory",
    "bishop",
    "kingsbridge",
    "court",
    "metal_space",
    "shiring",
    "castle",
    "market",
    "cathedral",
)
# Found by `kibitz tune pillars greedy --seed 1`, see docs/search.md.
WEIGHTS = (1.0, 0.19, 0.19, 0.28, 0.44, 1.32, 0.2, 0.32, 0.32, 0.13) + (
    0.95,
    0.58,
    1.36,
    0.38,
    1.37,
    1.22,
    0.32,
    0.58,
    0.55,
)


@jit
def features(rules, state, player, values):
    """VP, gold, cubes with those to come, what craftsmen can make of them, cards, and spaces."""
    p = player
    values[0] = state.vp[p]
    values[1] = state.gold[p] + state.gold_aside * (state.to_move == p)
    for kind in range(NUM_KINDS):
        values[2 + kind] = _cubes_to_come(rules, state, p, kind)
    values[6] = _convertible(rules, state, p)
    values[7] = _engine(rules, state, p)
    values[8] = size(state.advantages[p])
    values[9] = state.workers[p] if state.step < TAX else 0
    _space_features(rules, state, p, values)


@jit
def _cubes_to_come(rules, state, p, kind):
    """Cubes held, and those that this round's cards are going to yield."""
    if state.step <= PRODUCTION:
        return state.cubes[p, kind] + num_produced(rules, state, p, kind)
    return state.cubes[p, kind]


@jit
def _convertible(rules, state, p):
    """VP that the craftsmen could make of the cubes, each cube counted for its best use in turn."""
    total = 0.0
    for kind in range(NUM_KINDS):
        left = _cubes_to_come(rules, state, p, kind)
        for c in range(NUM_CRAFTSMEN - 1, -1, -1):  # later craftsmen give more for a cube
            needed = rules.craftsman_in[c, kind]
            if has(state.craftsmen[p], c) and needed > 0 and left >= needed:
                if rules.craftsman_needs_mixer[c] == 1 and not has_trade(
                    rules, state, p, MORTAR_MIXER
                ):
                    continue
                uses = min(left // needed, rules.craftsman_capacity[c] - state.used[c])
                if uses > 0:
                    total += uses * (rules.craftsman_vp[c] + 0.2 * rules.craftsman_gold[c])
                    left -= uses * needed
    return total


@jit
def _engine(rules, state, p):
    """VP a round that the craftsmen are worth beyond the cubes they use, while rounds are left."""
    rounds_left = NUM_ROUNDS - state.round_number
    total = 0.0
    for c in range(NUM_CRAFTSMEN):
        if has(state.craftsmen[p], c):
            gain = rules.craftsman_vp[c] + 0.2 * (
                rules.craftsman_gold[c] - rules.craftsman_in_gold[c]
            )
            for kind in range(NUM_KINDS):
                gain -= (0.2 if kind != METAL else 0.5) * rules.craftsman_in[c, kind]
            uses = min(rules.craftsman_capacity[c], 3)
            total += max(gain, 0.0) * uses
    return total * min(rounds_left, 3)


@jit
def _space_features(rules, state, p, values):
    """Builders that will act later this round; 0 once their step has passed."""
    for i in range(10, 19):
        values[i] = 0
    if state.step > PRODUCTION:
        return
    values[11] = 1 if state.space[BISHOP] == p else 0
    for i in range(NUM_PAIR):
        if state.space[PRIORY + i] == p:
            values[10] += rules.number[PRIORY_FIRST + i]
        if state.space[KINGSBRIDGE + i] == p:
            values[12] += 1
        if state.space[SHIRING + i] == p:
            values[15] += _worth_of_craftsman(rules, state, p, state.at_shiring[i])
    values[13] = 1 if is_at_court(state, p) else 0
    values[14] = 1 if state.space[COURT] == p else 0
    values[16] = 1 if state.space[CASTLE] == p else 0
    for i in range(NUM_MARKET):
        if state.space[MARKET_PLACE + i] == p:
            values[17] = 1
    values[18] = 1 if state.space[CATHEDRAL] == p else 0


@jit
def _worth_of_craftsman(rules, state, p, c):
    """His price, about as many quarters of a VP."""
    if c == NONE:
        return 0.0
    return 0.25 * rules.craftsman_cost[c]
