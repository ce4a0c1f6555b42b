"""Phase 4: the fields on which stones stand (section 2.4)."""

from sim.games.newdale.boons import (
    asks_for_boons,
    begin_turn,
    legal_boons_at_any_time,
    may_use_at_any_time,
)
from sim.games.newdale.building import ability, can_build_any
from sim.games.newdale.components import (
    ANY_VALUE,
    CHAIN_BONUS,
    COAL,
    EACH_SHOWN,
    EVENT_CHAIN,
    EVENT_REPLACE,
    FIRST_BOUGHT,
    HAND_DRAW,
    MARKET_CARDS,
    MARKET_COAL,
    MAX_CHAIN,
    NUM_COLOURS,
    NUM_PROGRESS,
    NUM_STONES,
    ONE_COLOUR,
    RAW,
    REPLACE,
    REPLACE_PRICE,
    SECOND,
    SET,
    SLOTS_PER_AREA,
    STONE_3_PRICE,
    STONE_4_VP,
    VOID_CARDS,
)
from sim.games.newdale.position import (
    ADVANCE,
    BLACK_MARKET,
    BUILD,
    BUILDING,
    BUY_STONE,
    CARD,
    CHAIN,
    CHAIN_FIRST,
    CHAIN_UNITS,
    EXCHANGE,
    EXCHANGE_CARDS,
    FIRST_SLOT,
    HAND_CARDS,
    HELPERS_FIRST,
    HIRE,
    HIRE_HELPERS,
    KEEP,
    KEEP_CARD,
    LAST_CHAINS,
    MAY_TAKE_GOOD,
    OFFER,
    OFFSPRING,
    ORDER,
    PROGRESS,
    SKIP,
    TAKE_GOOD,
    TAKE_GOODS,
    TAKE_PROGRESS,
    TRADE,
    TRADE_CARDS,
)
from sim.games.newdale.rounds import event_amount
from sim.games.newdale.supply import (
    ask,
    ask_for_discards,
    ask_for_good,
    ask_for_helpers_price,
    ask_for_payment,
    discard,
    gain_vp,
    legal_good,
    num_coins,
    num_goods,
    num_with_symbol,
    player_at,
)
from sim.jit import jit
from sim.records import NONE
from sim.sets import has, only

# The order of stones ------------------------------------------------------------------------------


@jit
def run_stones(rules, state):
    """All stones 1 in turn order, then all stones 2, and so on."""
    if state.cursor == rules.num_players:
        state.cursor = 0
        state.stone += 1
        if state.stone == NUM_STONES:
            state.stone = 0
            state.step = BUILDING
            return
    p = player_at(rules, state, state.cursor)
    field = state.shown_plan[p, state.stone]
    if field == NONE:
        state.cursor += 1
    elif state.stage == 0:
        begin_turn(state)
        state.stage = 1
    elif state.stage == 1:
        if not asks_for_boons(state, p):
            state.stage = 2
    elif field == OFFSPRING:
        _run_offspring(rules, state, p)
    elif field == BLACK_MARKET:
        _run_black_market(rules, state, p)
    elif field == HAND_CARDS:
        _run_hand_cards(rules, state, p)
    elif field == PROGRESS:
        _run_progress(rules, state, p)
    elif field == BUILD:
        _run_build(rules, state, p)
    else:
        _run_production(rules, state, p, field - FIRST_SLOT)


@jit
def end_stone(rules, state, p):
    """If no part was used at all the player draws a card."""
    state.shown_plan[p, state.stone] = NONE
    state.stage = 0
    state.cursor += 1


@jit
def end_field(rules, state, p):
    """First the card for a void field, then the stone has been carried out."""
    if state.has_used_part == 0:
        state.draws_due[p] += rules.number[VOID_CARDS]
    state.stage = 100


# Offspring ----------------------------------------------------------------------------------------


@jit
def _can_buy(rules, state, p, s):
    """Stone 4 needs stone 3 (`offspring_order`)."""
    if has(state.stones[p], s) == 1:
        return False
    is_next = s == FIRST_BOUGHT - 1 or has(state.stones[p], s - 1) == 1
    if not is_next and rules.offspring_order != SECOND:
        return False
    price = rules.number[STONE_3_PRICE + s - (FIRST_BOUGHT - 1)]
    return num_coins(rules, state, p) >= price


@jit
def _run_offspring(rules, state, p):
    if state.stage == 2:
        can_buy = False
        for s in range(FIRST_BOUGHT - 1, NUM_STONES):
            can_buy = can_buy or _can_buy(rules, state, p, s)
        if can_buy or may_use_at_any_time(rules, state, p):
            ask(state, OFFER, p)
        else:
            end_field(rules, state, p)
    elif state.stage == 3:
        state.stones[p] |= only(state.units)
        state.has_used_part = 1
        if state.units == NUM_STONES - 1:
            gain_vp(rules, state, p, rules.number[STONE_4_VP])
        end_field(rules, state, p)
    else:
        end_stone(rules, state, p)


@jit
def legal_offer(rules, state, actions):
    """D2: a stone that can be paid, or none."""
    p = state.to_move
    actions[0] = SKIP
    n = legal_boons_at_any_time(rules, state, actions, 1)
    for s in range(FIRST_BOUGHT - 1, NUM_STONES):
        if _can_buy(rules, state, p, s):
            actions[n] = BUY_STONE + s
            n += 1
    return n


@jit
def play_offer(rules, state, action):
    """D2: it is placed for the first time in the next round."""
    p = state.to_move
    if action == SKIP:
        end_field(rules, state, p)
    else:
        state.units = action - BUY_STONE
        state.stage = 3
        price = rules.number[STONE_3_PRICE + state.units - (FIRST_BOUGHT - 1)]
        ask_for_payment(rules, state, p, price)


# Black market -------------------------------------------------------------------------------------


@jit
def _run_black_market(rules, state, p):
    is_free = rules.black_market_second == SECOND
    if state.stage == 2:
        has_cards = state.hand_size[p] >= rules.number[MARKET_CARDS]
        if has_cards or may_use_at_any_time(rules, state, p):
            ask(state, TRADE, p)
        else:
            state.stage = 4
    elif state.stage == 3:
        state.goods[p, COAL] += rules.number[MARKET_COAL]
        state.has_used_part = 1
        state.stage = 4
    elif state.stage == 4:
        if is_free:
            state.amount = 1
            state.limit = ANY_VALUE
            state.given = NONE
            ask(state, MAY_TAKE_GOOD, p)
        else:
            if state.has_used_part == 1:
                ask_for_good(state, p, 1, ANY_VALUE, NONE)
            state.stage = 5
    elif state.stage == 5:
        end_field(rules, state, p)
    else:
        end_stone(rules, state, p)


@jit
def legal_trade(rules, state, actions):
    """D3: do it, with two cards in hand, or not."""
    actions[0] = SKIP
    n = 1
    if state.hand_size[state.to_move] >= rules.number[MARKET_CARDS]:
        actions[n] = TRADE_CARDS
        n += 1
    return legal_boons_at_any_time(rules, state, actions, n)


@jit
def play_trade(rules, state, action):
    """D3: exactly two cards."""
    if action == SKIP:
        state.stage = 4
    else:
        state.stage = 3
        ask_for_discards(state, state.to_move, rules.number[MARKET_CARDS], NONE)


@jit
def legal_may_take_good(rules, state, actions):
    """``black_market_second = free``: a good, or none."""
    actions[0] = SKIP
    n = legal_boons_at_any_time(rules, state, actions, 1)
    return legal_good(rules, state, actions, n)


@jit
def play_may_take_good(state, action):
    """The second part, whether the first was used or not."""
    state.stage = 5
    if action != SKIP:
        state.goods[state.to_move, action - TAKE_GOOD] += 1
        state.has_used_part = 1


# Hand cards ---------------------------------------------------------------------------------------


@jit
def _run_hand_cards(rules, state, p):
    if state.stage == 2:
        has_cards = state.hand_size[p] >= 2
        if rules.hand_exchange == SECOND:
            state.stage = 3
            if has_cards:
                ask(state, KEEP, p)
        elif has_cards or may_use_at_any_time(rules, state, p):
            ask(state, EXCHANGE, p)
        else:
            state.stage = 3
    elif state.stage == 3:
        state.draws_due[p] += rules.number[HAND_DRAW]
        state.has_used_part = 1
        state.stage = 4
    else:
        end_stone(rules, state, p)


@jit
def legal_exchange(rules, state, actions):
    """D4: with two cards or more."""
    actions[0] = SKIP
    n = 1
    if state.hand_size[state.to_move] >= 2:
        actions[n] = EXCHANGE_CARDS
        n += 1
    return legal_boons_at_any_time(rules, state, actions, n)


@jit
def play_exchange(state, action):
    """D4: exchange or not."""
    state.stage = 3
    if action == EXCHANGE_CARDS:
        ask(state, KEEP, state.to_move)


@jit
def legal_keep(state, actions):
    """D4: any card."""
    p = state.to_move
    n = 0
    for i in range(state.hand_size[p]):
        actions[n] = KEEP_CARD + state.hand[p, i]
        n += 1
    return n


@jit
def play_keep(state, action):
    """D4: the others are discarded, as many are drawn."""
    p = state.to_move
    kept = action - KEEP_CARD
    num_gone = state.hand_size[p] - 1
    for i in range(state.hand_size[p]):
        if state.hand[p, i] != kept:
            discard(state, state.hand[p, i])
        state.hand[p, i] = 0
    state.hand[p, 0] = kept
    state.hand_size[p] = 1
    state.num_old[p] = state.is_old[kept]
    state.draws_due[p] += num_gone


# Progress -----------------------------------------------------------------------------------------


@jit
def _run_progress(rules, state, p):
    if state.stage == 2:
        can_pay = False
        for i in range(NUM_PROGRESS):
            can_pay = can_pay or _can_take_progress(rules, state, p, i)
        if can_pay or may_use_at_any_time(rules, state, p):
            ask(state, ADVANCE, p)
        else:
            end_field(rules, state, p)
    elif state.stage == 3:
        state.progress[p] |= only(state.units)
        state.has_used_part = 1
        gain_vp(rules, state, p, rules.progress_vp[state.units])
        end_field(rules, state, p)
    else:
        end_stone(rules, state, p)


@jit
def _can_take_progress(rules, state, p, i):
    is_unused = has(state.progress[p], i) == 0
    return is_unused and num_coins(rules, state, p) >= rules.progress_cost[i]


@jit
def legal_advance(rules, state, actions):
    """D5: an unused tile that can be paid, or none."""
    actions[0] = SKIP
    n = legal_boons_at_any_time(rules, state, actions, 1)
    for i in range(NUM_PROGRESS):
        if _can_take_progress(rules, state, state.to_move, i):
            actions[n] = TAKE_PROGRESS + i
            n += 1
    return n


@jit
def play_advance(rules, state, action):
    """D5: its ability holds from now on."""
    p = state.to_move
    if action == SKIP:
        end_field(rules, state, p)
    else:
        state.units = action - TAKE_PROGRESS
        state.stage = 3
        ask_for_payment(rules, state, p, rules.progress_cost[state.units])


# Build --------------------------------------------------------------------------------------------


@jit
def _run_build(rules, state, p):
    if state.stage == 2:
        can_build = can_build_any(rules, state, p)
        if can_build or may_use_at_any_time(rules, state, p):
            ask(state, CARD, p)
        else:
            end_field(rules, state, p)
    elif state.stage == 3:
        state.has_used_part = 1
        end_field(rules, state, p)
    else:
        end_stone(rules, state, p)


# Produce ------------------------------------------------------------------------------------------


@jit
def _run_production(rules, state, p, place):
    """Helpers (stages 3 and 4), then the chain (5 to 7); or the chain first (`any_order`)."""
    state.area = place // SLOTS_PER_AREA
    c = state.built[p, state.area]
    stage = state.stage
    if stage == 2:
        state.done = 0  # bit 0: the helpers have been asked for, bit 1: the chain
        if c == NONE:
            end_field(rules, state, p)
            return
        state.stage = 3
        if rules.chain_after_helpers == SECOND and most_units(rules, state, p, c) > 0:
            ask(state, ORDER, p)
    elif stage == 3:
        if has(state.done, 0) == 1:
            state.stage = 5
        else:
            _ask_for_helpers(rules, state, p, c, place)
    elif stage == 4:  # nothing is missing, or it has been paid
        state.goods[p, rules.card_good[c]] += rules.yields[
            state.area, place - SLOTS_PER_AREA * state.area
        ]
        state.has_used_part = 1
        state.helpers[:] = 0
        state.done |= only(0)
        state.stage = 5
    elif stage == 5:
        if has(state.done, 1) == 1:
            _end_production(rules, state, p)
        elif most_units(rules, state, p, c) > 0 or (
            rules.card_chain[c] != 0 and may_use_at_any_time(rules, state, p)
        ):
            ask(state, CHAIN, p)
        else:
            state.done |= only(1)
    elif stage == 6:
        gain_from_chain(rules, state, p, c)
        bonus = event_amount(rules, state, EVENT_CHAIN, 4, rules.number[CHAIN_BONUS])
        state.goods[p, rules.card_good[c]] += bonus + state.more_chain
        state.more_chain = 0
        state.has_used_part = 1
        state.done |= only(1)
        state.stage = 5
    else:
        end_stone(rules, state, p)


@jit
def _end_production(rules, state, p):
    """With the chain first the helpers are still to come."""
    if has(state.done, 0) == 0:
        state.stage = 3
    else:
        end_field(rules, state, p)


@jit
def _ask_for_helpers(rules, state, p, c, place):
    """D7: take, or pay for what is missing, or leave it."""
    price = _price_of_helpers(rules, state, p, c, place)
    can_use = price <= num_goods(rules, state, p)
    if can_use or may_use_at_any_time(rules, state, p):
        ask(state, HIRE, p)
    else:
        state.done |= only(0)
        state.stage = 5


@jit
def _price_of_helpers(rules, state, p, c, place):
    """Goods that replace all missing helpers."""
    own = ability(rules, state, p, REPLACE, rules.number[REPLACE_PRICE])
    price = min(own, event_amount(rules, state, EVENT_REPLACE, 4, own))
    delta = rules.delta[place // SLOTS_PER_AREA, place % SLOTS_PER_AREA]
    return price * num_missing(rules, state, c, delta)


@jit
def num_missing(rules, state, c, delta):
    """Helpers that are missing for a building in a slot (`extraordinary`)."""
    short = 0
    spare = 0
    most_spare = 0
    each = 0
    for colour in range(NUM_COLOURS):
        need = rules.card_need[c, colour]
        there = state.market[colour] + state.helpers[colour]
        if need > 0:
            short += max(need - there, 0)
            spare += max(there - need, 0)
            most_spare = max(most_spare, there - need)
            each += max(need + delta - there, 0)
    if delta <= 0:
        return max(short + delta, 0)
    if rules.extraordinary == EACH_SHOWN:
        return each
    if rules.extraordinary == ONE_COLOUR:
        return short + max(delta - most_spare, 0)
    return short + max(delta - spare, 0)


@jit
def legal_order(actions):
    """``chain_after_helpers = any_order``."""
    actions[0] = HELPERS_FIRST
    actions[1] = CHAIN_FIRST
    return 2


@jit
def play_order(state, action):
    """The helpers are asked for after the chain."""
    if action == CHAIN_FIRST:
        state.stage = 5


@jit
def legal_hire(rules, state, actions):
    """D7: with nothing missing take, else pay for it; or leave it."""
    p = state.to_move
    place = state.shown_plan[p, state.stone] - FIRST_SLOT
    c = state.built[p, state.area]
    price = _price_of_helpers(rules, state, p, c, place)
    actions[0] = SKIP
    n = 1
    if price == 0:
        actions[n] = TAKE_GOODS
        n += 1
    elif price <= num_goods(rules, state, p):
        actions[n] = HIRE_HELPERS
        n += 1
    return legal_boons_at_any_time(rules, state, actions, n)


@jit
def play_hire(rules, state, action):
    """D7: all missing helpers are replaced or none."""
    p = state.to_move
    if action == SKIP:
        state.helpers[:] = 0
        state.done |= only(0)
        state.stage = 5
        return
    state.stage = 4
    if action == HIRE_HELPERS:
        place = state.shown_plan[p, state.stone] - FIRST_SLOT
        c = state.built[p, state.area]
        ask_for_helpers_price(rules, state, p, _price_of_helpers(rules, state, p, c, place))


@jit
def most_units(rules, state, p, c):
    """Units for which the chain of a building has enough."""
    chain = rules.card_chain[c]
    if chain == 0:
        return 0
    if chain == RAW:
        return num_with_symbol(rules, state, p, rules.chain_symbol[c])
    most = state.goods[p, rules.chain_good[c, 0]]
    if chain == SET:
        most = min(most, state.goods[p, rules.chain_good[c, 1]])
    return min(most, MAX_CHAIN)


@jit
def legal_chain(rules, state, actions):
    """D8: so many units, or in phase 4 none."""
    n = 0
    if state.step != LAST_CHAINS:
        actions[0] = SKIP
        n = legal_boons_at_any_time(rules, state, actions, 1)
    p = state.to_move
    for units in range(1, most_units(rules, state, p, state.built[p, state.area]) + 1):
        actions[n] = CHAIN_UNITS + units - 1
        n += 1
    return n


@jit
def play_chain(rules, state, action):
    """D8: the inputs go at once, cards one by one."""
    p = state.to_move
    if action == SKIP:
        state.done |= only(1)
        return
    state.stage = 6
    c = state.built[p, state.area]
    state.units = action - CHAIN_UNITS + 1
    if rules.card_chain[c] == RAW:
        ask_for_discards(state, p, state.units, rules.chain_symbol[c])
    else:
        state.goods[p, rules.chain_good[c, 0]] -= state.units
        if rules.card_chain[c] == SET:
            state.goods[p, rules.chain_good[c, 1]] -= state.units


@jit
def gain_from_chain(rules, state, p, c):
    """A set turns every marker into a good."""
    per_unit = 2 if rules.card_chain[c] == SET else 1
    state.goods[p, rules.card_good[c]] += per_unit * state.units
