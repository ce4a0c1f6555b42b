"""Features: named quantities by which a player may judge a position."""

from sim.games.newdale.building import ability, can_build_any, towns_in_reach
from sim.games.newdale.components import (
    COINS_PER_VP,
    FIRST_BOUGHT,
    MARKET_CARDS,
    MARKET_COAL,
    MAX_BOONS,
    NUM_AREAS,
    NUM_COLOURS,
    NUM_PROGRESS,
    NUM_STONES,
    RAW,
    REPLACE,
    REPLACE_PRICE,
    SET,
    SLOTS_PER_AREA,
    STONE_3_PRICE,
)
from sim.games.newdale.fields import most_units
from sim.games.newdale.position import (
    BLACK_MARKET,
    BUILD,
    FIRST_SLOT,
    HAND_CARDS,
    PLANNING,
    PROGRESS,
)
from sim.games.newdale.scoring import coins_left, num_rations, score_of
from sim.games.newdale.supply import makes, num_coins
from sim.jit import inlined, jit
from sim.records import NONE
from sim.sets import has, size

FEATURES = (
    "score",
    "coins",
    "cards",
    "stones",
    "progress",
    "tiles",
    "engine",
    "planned",
    "banners",
    "rations",
)
WEIGHTS = (1.0, 0.2, 0.35, 1.0, 0.3, 0.5, 0.5, 1.0, 0.5, 0.1)

_CARD = 0.35  # VP that a hand card is about worth
_STONE = 1.2  # VP of one action
_BUILD = 3.5  # VP of one building with its house
_HELPER = 1.4  # coins of a good that replaces a helper


@inlined
def features(rules, state, player, values):
    """The score as it stands, and what is likely to become of goods, cards, stones and plans."""
    p = player
    left = rules.num_rounds[0] - state.round_number
    ahead = min(1.0, max(left, 0) / 3.0)
    values[0] = score_of(rules, state, p)
    values[1] = coins_left(rules, state, p) % rules.number[COINS_PER_VP]
    values[2] = ahead * state.hand_size[p]
    values[3] = max(left - 1, 0) * (size(state.stones[p]) - 2)
    values[4] = max(left - 1, 0) * size(state.progress[p])
    values[5] = 0
    for i in range(MAX_BOONS):
        values[5] += state.boon[p, i]
    values[6] = max(left - 1, 0) * _engine(rules, state, p)
    values[7] = _planned(rules, state, p)
    values[8] = ahead * _banners_in_reach(rules, state, p)
    values[9] = num_rations(rules, state, p)


@jit
def _expected_helpers(rules, state, colour):
    """Helpers of a colour in the market, as far as is known."""
    if state.has_market == 1:
        return float(state.market[colour])
    if state.event != NONE:
        return rules.event_print[state.event, colour] + rules.usual_drawn[colour]
    return rules.usual_print[colour] + rules.usual_drawn[colour]


@jit
def _usual_helpers(rules, state, colour):
    """Helpers of a colour in any round."""
    return rules.usual_print[colour] + rules.usual_drawn[colour]


@jit
def _worth_of_slot(rules, state, p, c, area, slot, is_usual):
    """Coins that a production is expected to give, after replacing what is missing."""
    delta = rules.delta[area, slot]
    short = 0.0
    spare = 0.0
    for colour in range(NUM_COLOURS):
        need = rules.card_need[c, colour]
        if need > 0:
            if is_usual:
                there = _usual_helpers(rules, state, colour)
            else:
                there = _expected_helpers(rules, state, colour)
            short += max(need - there, 0.0)
            spare += max(there - need, 0.0)
    missing = short + (max(delta - spare, 0.0) if delta > 0 else delta)
    worth = rules.yields[area, slot] * rules.good_value[rules.card_good[c]]
    price = ability(rules, state, p, REPLACE, rules.number[REPLACE_PRICE])
    return max(worth - max(missing, 0.0) * price * _HELPER, 0.0)


@jit
def _best_slot(rules, state, p, c, area):
    """Coins of the best slot of an area, in any round."""
    best = 0.0
    for slot in range(SLOTS_PER_AREA):
        if rules.has_slot[area, slot] == 1:
            best = max(best, _worth_of_slot(rules, state, p, c, area, slot, True))
    return best


@jit
def _worth_of_chain(rules, state, p, c):
    """Coins that the chain of a building would add now."""
    units = most_units(rules, state, p, c)
    if units == 0:
        return 0.0
    value = rules.good_value[rules.card_good[c]]
    if rules.card_chain[c] == RAW:
        return units * (value - 5 * _CARD) + value
    paid = rules.good_value[rules.chain_good[c, 0]]
    if rules.card_chain[c] == SET:
        return units * (2 * value - paid - rules.good_value[rules.chain_good[c, 1]]) + value
    return units * (value - paid) + value


@jit
def _engine(rules, state, p):
    """VP a round that the two best production buildings give."""
    first = 0.0
    second = 0.0
    for a in range(NUM_AREAS):
        c = state.built[p, a]
        if c != NONE:
            worth = _best_slot(rules, state, p, c, a)
            if worth > first:
                second = first
                first = worth
            else:
                second = max(second, worth)
    return (first + second) / rules.number[COINS_PER_VP]


@inlined
def _planned(rules, state, p):
    """VP that the stones of this round which are still to be carried out are expected to bring."""
    total = 0.0
    for s in range(NUM_STONES):
        field = state.plan[p, s] if state.step == PLANNING else state.shown_plan[p, s]
        if field != NONE:
            total += _worth_of_field(rules, state, p, field)
    return total


@jit
def _worth_of_field(rules, state, p, field):
    """VP of one planned stone."""
    left = rules.num_rounds[0] - state.round_number
    coins = num_coins(rules, state, p)
    per_vp = rules.number[COINS_PER_VP]
    if field >= FIRST_SLOT:
        area, slot = (field - FIRST_SLOT) // SLOTS_PER_AREA, (field - FIRST_SLOT) % SLOTS_PER_AREA
        c = state.built[p, area]
        if c == NONE:
            return 0.0
        worth = _worth_of_slot(rules, state, p, c, area, slot, False)
        return (worth + max(_worth_of_chain(rules, state, p, c), 0.0)) / per_vp
    if field == BUILD:
        return _BUILD if can_build_any(rules, state, p) else 0.2
    if field == HAND_CARDS:
        return 3 * _CARD * min(1.0, left / 2.0)
    if field == BLACK_MARKET:
        if state.hand_size[p] < rules.number[MARKET_CARDS]:
            return 0.2
        best = 1
        for g in range(rules.num_goods):
            if makes(rules, state, p, g):
                best = max(best, rules.good_value[g])
        return (rules.number[MARKET_COAL] + best) / per_vp - 2 * _CARD
    if field == PROGRESS:
        if size(state.progress[p]) == NUM_PROGRESS or coins < rules.progress_cost[0]:
            return 0.1
        return rules.progress_vp[0] - rules.progress_cost[0] / per_vp + 0.1 * left
    for s in range(FIRST_BOUGHT - 1, NUM_STONES):
        if has(state.stones[p], s) == 0:
            price = rules.number[STONE_3_PRICE + s - (FIRST_BOUGHT - 1)]
            if coins < price:
                return 0.1
            return _STONE * (left - 1) - price / per_vp + (3 if s == NUM_STONES - 1 else 0)
    return 0.0


@jit
def _banners_in_reach(rules, state, p):
    """Towns with the banner of the secret order that a house may be put on next."""
    if state.order[p] == NONE:
        return 0
    return size(towns_in_reach(rules, state, p) & rules.order_towns[state.order[p]])
