"""What a player may expect of goods, buildings, plans and of what is under way: coins and VP."""

import numpy as np

from sim.games.newdale.building import (
    ability,
    can_build,
    can_build_any,
    discount_now,
    has_area,
    is_tile_near,
    num_houses_left,
    price_of,
    towns_in_reach,
    towns_within,
)
from sim.games.newdale.components import (
    ANY_VALUE,
    CARD_TO_GOOD,
    CHAIN_BONUS,
    COINS_PER_VP,
    FIRST_BOUGHT,
    HAND_DRAW,
    MARKET_CARDS,
    MARKET_COAL,
    MAX_GOODS,
    MAX_VALUE,
    NUM_AREAS,
    NUM_COLOURS,
    NUM_PROGRESS,
    NUM_STONES,
    PREMIUM_CARDS,
    PREMIUM_COAL,
    PREMIUM_VP,
    PRODUCTION,
    RAW,
    REPLACE,
    REPLACE_PRICE,
    SET,
    SINGLE,
    SLOTS_PER_AREA,
    STONE_3_PRICE,
    STONE_4_VP,
    VOID_CARDS,
)
from sim.games.newdale.fields import most_units
from sim.games.newdale.position import (
    BLACK_MARKET,
    BUILD,
    BUILDING,
    CHOOSE_AREA,
    DISCARD,
    DISCARDING,
    FIRST_SLOT,
    GOOD,
    HAND_CARDS,
    LAST_CHAINS,
    NOT_BUILDING,
    OFFSPRING,
    PAY,
    PAY_HELPERS,
    PLANNING,
    PROGRESS,
    PUT,
    SPECIALS,
    STONES,
)
from sim.games.newdale.rounds import is_undiscovered
from sim.games.newdale.supply import makes, num_with_symbol, player_at
from sim.jit import jit
from sim.records import NONE
from sim.sets import has, only

# The outlook of a player: VP, coins, hand cards, stones, progress tiles and bonus tiles once all
# that is under way and planned has been done, and the VP that new buildings are worth.
NUM_OUTLOOKS = 7
VP, COINS, CARDS, OWNED_STONES, PROGRESS_TILES, TILES, BUILDS = range(NUM_OUTLOOKS)

HELPER = 1.4  # coins of a good that replaces a helper
_HOUSE = 1.0  # VP that the house of a building brings by premium, tile and banner
_USES = 0.4  # uses of a new production building in each later round
_UNITS = 2  # units of a chain in one use


@jit
def rounds_later(rules, state):
    """Rounds after this one."""
    return max(rules.num_rounds[0] - state.round_number - 1, 0)


# Productions and chains ---------------------------------------------------------------------------


@jit
def worth_of_slot(rules, state, p, c, area, slot, is_usual):
    """Coins that a production is expected to give, after replacing what is missing.

    `is_usual` is for any round; else the market of this round counts, as far as it is known.
    """
    delta = rules.delta[area, slot]
    short = 0.0
    spare = 0.0
    for colour in range(NUM_COLOURS):
        need = rules.card_need[c, colour]
        if need > 0:
            there = float(rules.usual_print[colour] + rules.usual_drawn[colour])
            if not is_usual:
                if state.has_market == 1:
                    there = float(state.market[colour])
                    if state.to_move == p:
                        there += state.helpers[colour]
                elif state.event != NONE:
                    there = rules.event_print[state.event, colour] + rules.usual_drawn[colour]
            short += max(need - there, 0.0)
            spare += max(there - need, 0.0)
    missing = short + (max(delta - spare, 0.0) if delta > 0 else delta)
    worth = rules.yields[area, slot] * rules.good_value[rules.card_good[c]]
    price = ability(rules, state, p, REPLACE, rules.number[REPLACE_PRICE])
    return max(worth - max(missing, 0.0) * price * HELPER, 0.0)


@jit
def _best_slot(rules, state, p, c, area):
    """Coins of the best slot of an area, in any round."""
    best = 0.0
    for slot in range(SLOTS_PER_AREA):
        if rules.has_slot[area, slot] == 1:
            best = max(best, worth_of_slot(rules, state, p, c, area, slot, True))
    return best


@jit
def worth_of_productions(rules, state, p, num_uses):
    """Coins of a round in which each of the best production buildings is used once."""
    worth = np.zeros(NUM_AREAS)
    for a in range(NUM_AREAS):
        if state.built[p, a] != NONE:
            worth[a] = _best_slot(rules, state, p, state.built[p, a], a)
    total = 0.0
    for _ in range(min(num_uses, NUM_AREAS)):
        best = 0
        for a in range(NUM_AREAS):
            if worth[a] > worth[best]:
                best = a
        total += worth[best]
        worth[best] = 0.0
    return total


@jit
def gain_of_unit(rules, c):
    """Coins that one unit of a chain adds; cards cost none."""
    value = rules.good_value[rules.card_good[c]]
    if rules.card_chain[c] == RAW:
        return value
    paid = rules.good_value[rules.chain_good[c, 0]]
    if rules.card_chain[c] == SET:
        return 2 * value - paid - rules.good_value[rules.chain_good[c, 1]]
    return value - paid


@jit
def worth_of_links(rules, state, p):
    """Coins of using each chain once whose inputs own buildings make."""
    total = 0
    for a in range(NUM_AREAS):
        c = state.built[p, a]
        if c == NONE or rules.card_chain[c] < SINGLE:
            continue
        works = makes(rules, state, p, rules.chain_good[c, 0])
        if rules.card_chain[c] == SET:
            works = works and makes(rules, state, p, rules.chain_good[c, 1])
        if works:
            total += rules.good_value[rules.card_good[c]] + _UNITS * gain_of_unit(rules, c)
    return total


@jit
def gain_of_last_chains(rules, state, p):
    """Coins that the last chains would add to the goods and hand cards as they are.

    First what makes the cheapest goods, each with as many units as there are.
    """
    place = (p - state.start_player + rules.num_players) % rules.num_players
    is_at_it = state.step == LAST_CHAINS and place == state.cursor
    if state.step == LAST_CHAINS and place < state.cursor:
        return 0
    more = np.zeros(MAX_GOODS, np.int64)  # than the player has
    spent = 0  # set of symbols whose hand cards are used
    total = 0
    for value in range(1, MAX_VALUE + 1):
        for a in range(NUM_AREAS):
            c = state.built[p, a]
            if c == NONE or rules.card_chain[c] == 0 or (is_at_it and has(state.done, a) == 1):
                continue
            gain = gain_of_unit(rules, c)
            if rules.good_value[rules.card_good[c]] != value or gain <= 0:
                continue
            if rules.card_chain[c] == RAW:
                symbol = rules.chain_symbol[c]
                units = 0 if has(spent, symbol) == 1 else num_with_symbol(rules, state, p, symbol)
                spent |= only(symbol)
                more[rules.card_good[c]] += units
            else:
                g = rules.chain_good[c, 0]
                units = state.goods[p, g] + more[g]
                if rules.card_chain[c] == SET:
                    g2 = rules.chain_good[c, 1]
                    units = min(units, state.goods[p, g2] + more[g2])
                    more[g2] -= units
                    more[rules.card_good[c]] += units
                more[g] -= units
                more[rules.card_good[c]] += units
            total += units * gain
    return total


# What is under way --------------------------------------------------------------------------------


@jit
def add_what_is_under_way(rules, state, p, outlook):
    """Add what the player to move has chosen and neither paid nor got yet."""
    decision = state.decision
    if state.discount > 0 and _may_build(state, p) and can_build_any(rules, state, p):
        outlook[COINS] += state.discount
    if decision == PAY:
        outlook[COINS] -= state.price
        outlook[VP] += state.vp_due
    elif decision == PAY_HELPERS:
        outlook[COINS] -= HELPER * state.due
        field = state.shown_plan[p, state.stone] - FIRST_SLOT
        c = state.built[p, state.area]
        made = rules.yields[state.area, field % SLOTS_PER_AREA]
        outlook[COINS] += made * rules.good_value[rules.card_good[c]]
    elif decision == GOOD:
        outlook[COINS] += state.amount * _best_good(rules, state, p, state.limit)
    elif decision == DISCARD and state.step != DISCARDING:
        outlook[CARDS] -= state.due
        _add_what_cards_bring(rules, state, p, outlook)


@jit
def _may_build(state, p):
    """Whether this is a turn in which a building may still be chosen."""
    if state.building != NOT_BUILDING:
        return False
    return state.step == BUILDING or (
        state.step == STONES and state.shown_plan[p, state.stone] == BUILD
    )


@jit
def _add_what_cards_bring(rules, state, p, outlook):
    """For the cards that are being discarded: a chain, VP or a good."""
    if state.symbol != NONE:
        c = state.built[p, state.area]
        outlook[COINS] += state.units * rules.good_value[rules.card_good[c]]
    elif state.step == STONES:
        outlook[COINS] += rules.number[MARKET_COAL] + _best_good(rules, state, p, ANY_VALUE)
    elif state.step == SPECIALS and state.stage == 3:
        if rules.card_effect[state.card] == CARD_TO_GOOD:
            outlook[COINS] += rules.card_b[state.card] * _best_good(rules, state, p, ANY_VALUE)
        else:
            outlook[VP] += rules.card_b[state.card]


@jit
def _best_good(rules, state, p, limit):
    """Coins of the best good that own buildings make."""
    best = 0
    for a in range(NUM_AREAS):
        c = state.built[p, a]
        if c != NONE and rules.good_value[rules.card_good[c]] <= limit:
            best = max(best, rules.good_value[rules.card_good[c]])
    return best


@jit
def is_building(state, p):
    """Whether a card is chosen that is not built yet."""
    return state.builder == p and NOT_BUILDING < state.building <= PUT


@jit
def build_in_thought(rules, state, p):
    """Put the chosen card on its area, or on the best one, and a house on a chosen town.

    Returns the area, what stood there, and the town, for `take_back`.
    """
    c = state.card
    town = state.town if state.building > CHOOSE_AREA else NONE
    if town != NONE:
        state.houses[p] |= only(town)
    if rules.card_kind[c] != PRODUCTION:
        state.special[p, state.num_special[p]] = c
        state.num_special[p] += 1
        return NONE, NONE, town
    area = state.area if state.area != NONE else _best_area(rules, state, p, c)
    stood = state.built[p, area]
    state.built[p, area] = c
    return area, stood, town


@jit
def take_back(state, p, area, stood, town):
    """Undo `build_in_thought`."""
    if town != NONE:
        state.houses[p] ^= only(town)
    if area == NONE:
        state.num_special[p] -= 1
        state.special[p, state.num_special[p]] = NONE
    else:
        state.built[p, area] = stood


@jit
def _best_area(rules, state, p, c):
    """The empty area where a building gives most; the last one if none is empty."""
    best = -1.0
    best_area = NUM_AREAS - 1
    for a in range(1, NUM_AREAS):
        if state.built[p, a] == NONE and rules.has_slot[a, 0] == 1:
            worth = _best_slot(rules, state, p, c, a)
            if worth > best:
                best = worth
                best_area = a
    return best_area


@jit
def add_building(rules, state, p, outlook):
    """The price of the chosen card, and what its house will bring; the card is in no hand more."""
    c = state.card
    outlook[CARDS] -= 1 - state.on_display[c]
    if state.building <= CHOOSE_AREA:
        outlook[COINS] -= max(rules.card_cost[c] - discount_now(rules, state), 0)
        outlook[BUILDS] += _HOUSE
        return
    t = state.town
    if state.decision != PAY:
        outlook[COINS] -= price_of(rules, state, c, t)
    if has(towns_within(rules, state, p, 1), t) == 1 and is_tile_near(rules, state):
        outlook[TILES] += 1
    if is_undiscovered(rules, state, t):
        premium = rules.town_premium[t]
        if premium == PREMIUM_VP:
            outlook[VP] += rules.town_premium_n[t]
        elif premium == PREMIUM_CARDS:
            outlook[CARDS] += rules.town_premium_n[t]
        elif premium == PREMIUM_COAL:
            outlook[COINS] += rules.town_premium_n[t]


@jit
def _worth_of_building(rules, state, p, c):
    """VP of a card, its house and its use in later rounds."""
    worth = rules.card_vp[c] + _HOUSE
    if rules.card_kind[c] == PRODUCTION:
        use = _best_slot(rules, state, p, c, _best_area(rules, state, p, c))
        worth += _USES * rounds_later(rules, state) * use / rules.number[COINS_PER_VP]
    return worth


# Plans --------------------------------------------------------------------------------------------


@jit
def add_plan(rules, state, p, outlook):
    """Add what the stones are expected to bring, one after the other, as far as coins last."""
    is_at_it = state.step == STONES and player_at(rules, state, state.cursor) == p
    for s in range(NUM_STONES):
        field = state.plan[p, s] if state.step == PLANNING else state.shown_plan[p, s]
        if field != NONE:
            is_now = is_at_it and s == state.stone
            if not _add_stone(rules, state, p, field, is_now, outlook):
                outlook[CARDS] += rules.number[VOID_CARDS]


@jit
def _add_stone(rules, state, p, field, is_now, outlook):
    """One stone; False if its field is expected to be void."""
    is_paying = is_now and state.decision == PAY
    if field == OFFSPRING:
        return _add_offspring(rules, state, p, is_paying, outlook)
    if field == BLACK_MARKET:
        if is_now and state.decision == DISCARD:
            return True
        if outlook[CARDS] < rules.number[MARKET_CARDS]:
            return False
        outlook[CARDS] -= rules.number[MARKET_CARDS]
        outlook[COINS] += rules.number[MARKET_COAL] + _best_good(rules, state, p, ANY_VALUE)
        return True
    if field == HAND_CARDS:
        outlook[CARDS] += rules.number[HAND_DRAW]
        return True
    if field == PROGRESS:
        if outlook[PROGRESS_TILES] == NUM_PROGRESS or (
            not is_paying and outlook[COINS] < rules.progress_cost[0]
        ):
            return False
        if not is_paying:
            outlook[COINS] -= rules.progress_cost[0]
        outlook[PROGRESS_TILES] += 1
        outlook[VP] += rules.progress_vp[0]
        return True
    if field == BUILD:
        return (is_now and state.building != NOT_BUILDING) or _add_best_building(
            rules, state, p, outlook
        )
    return _add_production(rules, state, p, field - FIRST_SLOT, is_now, outlook)


@jit
def _add_offspring(rules, state, p, is_paying, outlook):
    """The next stone, if the coins are there by then."""
    for s in range(FIRST_BOUGHT - 1, NUM_STONES):
        if has(state.stones[p], s) == 0:
            price = rules.number[STONE_3_PRICE + s - (FIRST_BOUGHT - 1)]
            if not is_paying:
                if outlook[COINS] < price:
                    return False
                outlook[COINS] -= price
            outlook[OWNED_STONES] += 1
            if s == NUM_STONES - 1:
                outlook[VP] += rules.number[STONE_4_VP]
            return True
    return False


@jit
def _add_best_building(rules, state, p, outlook):
    """The hand card that is worth most beyond its price, if the coins are there by then."""
    if num_houses_left(rules, state, p) == 0:
        return False
    reach = towns_in_reach(rules, state, p)
    discount = discount_now(rules, state)
    can_place = has_area(rules, state, p)
    best = 0.0
    best_card = NONE
    for i in range(state.hand_size[p]):
        c = state.hand[p, i]
        if can_build(rules, c, reach, outlook[COINS], discount, can_place):
            worth = _worth_of_building(rules, state, p, c)
            worth -= rules.card_cost[c] / rules.number[COINS_PER_VP]
            if worth > best or best_card == NONE:
                best = worth
                best_card = c
    if best_card == NONE:
        return False
    price = max(rules.card_cost[best_card] - discount, 0)
    outlook[COINS] -= min(price, outlook[COINS])
    outlook[CARDS] -= 1
    outlook[BUILDS] += _worth_of_building(rules, state, p, best_card)
    return True


@jit
def _add_production(rules, state, p, place, is_now, outlook):
    """Goods with the help of the market, then the bonus of the chain."""
    area, slot = place // SLOTS_PER_AREA, place % SLOTS_PER_AREA
    c = state.built[p, area]
    if c == NONE:
        return False
    is_used = is_now and state.has_used_part == 1
    if not (is_now and (has(state.done, 0) == 1 or state.decision == PAY_HELPERS)):
        worth = worth_of_slot(rules, state, p, c, area, slot, False)
        outlook[COINS] += worth
        is_used = is_used or worth > 0
    if not (is_now and has(state.done, 1) == 1) and most_units(rules, state, p, c) > 0:
        bonus = rules.number[CHAIN_BONUS] + (state.more_chain if is_now else 0)
        outlook[COINS] += bonus * rules.good_value[rules.card_good[c]]
        is_used = True
    return is_used
