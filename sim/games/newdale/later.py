"""Phases 5 and 6, the end of a round, and the last chains (sections 2.6 and 3.1)."""

from sim.games.newdale.boons import (
    asks_for_boons,
    begin_turn,
    legal_boons_at_any_time,
    lose_additions,
    may_use_at_any_time,
)
from sim.games.newdale.components import (
    ADD_COAL,
    ANY_VALUE,
    CARD_TO_GOOD,
    CARDS_TO_VP,
    CHEAP_GOOD,
    COAL,
    COINS_TO_VP,
    DRAW_CARDS,
    DRAW_DISCARD,
    NUM_AREAS,
    PAY_COINS,
    PHASE5_DRAW,
    PHASE_5_CARDS,
    SECOND,
    STORE_CORN,
    SWAP,
)
from sim.games.newdale.fields import gain_from_chain, most_units
from sim.games.newdale.position import (
    CARD,
    CHAIN,
    CHAIN_AREA,
    EVENT,
    GIVE,
    GIVE_GOOD,
    LAST_CHAIN,
    LAST_CHAINS,
    NEXT_ROUND,
    PAY_EVENT,
    PAY_THE_EVENT,
    PAYING_EVENT,
    SKIP,
    SPECIALS,
    USE,
    USE_SPECIAL,
)
from sim.games.newdale.rounds import event_amount, has_event
from sim.games.newdale.supply import (
    ask,
    ask_for_discards,
    ask_for_good,
    ask_for_payment_of_vp,
    can_be_got,
    discard,
    gain_vp,
    num_coins,
    player_at,
)
from sim.jit import jit
from sim.records import FINISHED, NONE
from sim.sets import has, only

# Phase 5 ------------------------------------------------------------------------------------------


@jit
def run_phase_5(rules, state):
    """In turn order each player builds one building or draws cards."""
    if state.cursor == rules.num_players:
        state.cursor = 0
        state.step = PAYING_EVENT
        return
    p = player_at(rules, state, state.cursor)
    if state.stage == 0:
        begin_turn(state)
        state.stage = 1
    elif state.stage == 1:
        if not asks_for_boons(state, p):
            state.stage = 2
    elif state.stage == 2:
        ask(state, CARD, p)
    else:
        next_player(state)


@jit
def next_player(state):
    """Go on with the next player of the step."""
    state.cursor += 1
    state.stage = 0


@jit
def draw_in_phase_5(rules, state):
    """D9: no building."""
    usual = rules.number[PHASE_5_CARDS]
    state.draws_due[state.to_move] += event_amount(rules, state, PHASE5_DRAW, 5, usual)


# Phase 6 ------------------------------------------------------------------------------------------


@jit
def run_paying_event(rules, state):
    """A `pay_coins_vp` event: each player may pay once; this is no own turn."""
    if state.cursor == rules.num_players or not has_event(rules, state, PAY_COINS, 6):
        state.cursor = 0
        state.stage = 0
        state.step = SPECIALS
        return
    p = player_at(rules, state, state.cursor)
    if state.stage == 0:
        state.is_new_turn = 1
        lose_additions(state)
        state.stage = 1
    elif state.stage == 1:
        if _can_pay_event(rules, state, p) or may_use_at_any_time(rules, state, p):
            ask(state, PAY_EVENT, p)
        else:
            state.stage = 2
    else:
        next_player(state)


@jit
def _can_pay_event(rules, state, p):
    return num_coins(rules, state, p) >= rules.event_a[state.event]


@jit
def legal_pay_event(rules, state, actions):
    """Pay, or not."""
    actions[0] = SKIP
    n = 1
    if _can_pay_event(rules, state, state.to_move):
        actions[n] = PAY_THE_EVENT
        n += 1
    return legal_boons_at_any_time(rules, state, actions, n)


@jit
def play_pay_event(rules, state, action):
    """Coins for VP."""
    state.stage = 2
    if action == PAY_THE_EVENT:
        e = state.event
        ask_for_payment_of_vp(rules, state, state.to_move, rules.event_a[e], rules.event_b[e])


@jit
def run_specials(rules, state):
    """Each own special building once, in any order."""
    if state.cursor == rules.num_players:
        state.cursor = 0
        state.step = NEXT_ROUND
        return
    p = player_at(rules, state, state.cursor)
    if state.stage == 0:
        begin_turn(state)
        state.stage = 1
    elif state.stage == 1:
        if not asks_for_boons(state, p):
            state.stage = 2
    elif state.stage == 2:
        if _has_special(rules, state, p) or may_use_at_any_time(rules, state, p):
            ask(state, USE, p)
        else:
            next_player(state)
    elif state.stage == 3:
        _finish_special(rules, state, p)
    elif state.stage == 4:
        _discard_after_drawing(rules, state, p)
    else:
        next_player(state)


@jit
def _has_special(rules, state, p):
    for i in range(state.num_special[p]):
        if has(state.done, i) == 0 and _is_usable(rules, state, p, state.special[p, i]):
            return True
    return False


@jit
def _is_usable(rules, state, p, c):
    """Whether the effect of a special building can be used."""
    effect, a = rules.card_effect[c], rules.card_a[c]
    if effect == 0:
        return False
    if effect == CARD_TO_GOOD or effect == CARDS_TO_VP:
        return state.hand_size[p] >= a
    if effect == COINS_TO_VP:
        return num_coins(rules, state, p) >= a
    if effect == SWAP:
        return _can_swap_any(rules, state, p, a)
    if effect == CHEAP_GOOD:
        for g in range(rules.num_goods):
            if can_be_got(rules, state, p, g, a, NONE):
                return True
        return False
    return True


@jit
def legal_use(rules, state, actions):
    """D10: a building not used yet, or an end."""
    p = state.to_move
    actions[0] = SKIP
    n = legal_boons_at_any_time(rules, state, actions, 1)
    for i in range(state.num_special[p]):
        c = state.special[p, i]
        if has(state.done, i) == 0 and _is_usable(rules, state, p, c):
            actions[n] = USE_SPECIAL + c
            n += 1
    return n


@jit
def play_use(rules, state, action):
    """D10: what the building asks for; `card` keeps which it is."""
    p = state.to_move
    if action == SKIP:
        state.stage = 5
        return
    c = action - USE_SPECIAL
    i = 0
    while state.special[p, i] != c:
        i += 1
    state.done |= only(i)
    state.card = c
    effect, a = rules.card_effect[c], rules.card_a[c]
    if effect == STORE_CORN:
        state.goods[p, rules.corn] += a
    elif effect == ADD_COAL:
        state.goods[p, COAL] += a
    elif effect == DRAW_CARDS:
        state.draws_due[p] += a
    elif effect == COINS_TO_VP:
        ask_for_payment_of_vp(rules, state, p, a, rules.card_b[c])
    elif effect == SWAP:
        state.limit = a
        ask(state, GIVE, p)
    elif effect == CHEAP_GOOD:
        ask_for_good(state, p, rules.card_b[c], a, NONE)
    elif effect == DRAW_DISCARD:
        state.draws_due[p] += a
        state.stage = 4
    else:
        state.stage = 3
        ask_for_discards(state, p, a, NONE)


@jit
def _finish_special(rules, state, p):
    """What the discarded cards bring."""
    state.stage = 2
    b = rules.card_b[state.card]
    if rules.card_effect[state.card] == CARD_TO_GOOD:
        ask_for_good(state, p, b, ANY_VALUE, NONE)
    else:
        gain_vp(rules, state, p, b)


@jit
def _discard_after_drawing(rules, state, p):
    """As far as there are hand cards."""
    state.stage = 2
    ask_for_discards(state, p, min(rules.card_b[state.card], state.hand_size[p]), NONE)


@jit
def _can_swap(rules, state, p, given, more):
    """`swap`: whether another kind can be got for a good."""
    if state.goods[p, given] == 0:
        return False
    for g in range(rules.num_goods):
        if can_be_got(rules, state, p, g, rules.good_value[given] + more, given):
            return True
    return False


@jit
def _can_swap_any(rules, state, p, more):
    for given in range(rules.num_goods):
        if _can_swap(rules, state, p, given, more):
            return True
    return False


@jit
def legal_give(rules, state, actions):
    """Only goods for which something can be got."""
    n = 0
    for g in range(rules.num_goods):
        if _can_swap(rules, state, state.to_move, g, state.limit):
            actions[n] = GIVE_GOOD + g
            n += 1
    return n


@jit
def play_give(rules, state, action):
    """One good for one of another kind."""
    p = state.to_move
    g = action - GIVE_GOOD
    state.goods[p, g] -= 1
    ask_for_good(state, p, 1, rules.good_value[g] + state.limit, g)


# End of the round ---------------------------------------------------------------------------------


@jit
def run_next_round(rules, state):
    """Event and helpers go; the start player moves on, after the last round too."""
    state.event = NONE
    state.market[:] = 0
    state.has_market = 0
    state.start_player = player_at(rules, state, 1)
    if rules.display_scope == SECOND:
        for c in range(rules.num_cards):
            if state.on_display[c] == 1:
                state.on_display[c] = 0
                discard(state, c)
    state.round_number += 1
    state.cursor = 0
    state.stage = 0
    state.step = EVENT if state.round_number < rules.num_rounds[0] else LAST_CHAINS


# Last chains (section 3.1) ------------------------------------------------------------------------


@jit
def run_last_chains(rules, state):
    """Each chain of each player once, in any order, without bonus; then the game is over."""
    if state.cursor == rules.num_players:
        state.over = FINISHED
        return
    p = player_at(rules, state, state.cursor)
    if state.stage == 0:
        begin_turn(state)
        state.stage = 1
    elif state.stage == 1:
        if not asks_for_boons(state, p):
            state.stage = 2
    elif state.stage == 2:
        if _has_chain(rules, state, p) or may_use_at_any_time(rules, state, p):
            ask(state, LAST_CHAIN, p)
        else:
            next_player(state)
    elif state.stage == 3:
        ask(state, CHAIN, p)
    elif state.stage == 6:
        gain_from_chain(rules, state, p, state.built[p, state.area])
        state.stage = 2
    else:
        next_player(state)


@jit
def _is_chain_ready(rules, state, p, a):
    c = state.built[p, a]
    return has(state.done, a) == 0 and c != NONE and most_units(rules, state, p, c) > 0


@jit
def _has_chain(rules, state, p):
    for a in range(NUM_AREAS):
        if _is_chain_ready(rules, state, p, a):
            return True
    return False


@jit
def legal_last_chain(rules, state, actions):
    """An area whose chain is possible and not used, or an end."""
    actions[0] = SKIP
    n = legal_boons_at_any_time(rules, state, actions, 1)
    for a in range(NUM_AREAS):
        if _is_chain_ready(rules, state, state.to_move, a):
            actions[n] = CHAIN_AREA + a
            n += 1
    return n


@jit
def play_last_chain(state, action):
    """Then the number of units is asked for."""
    if action == SKIP:
        state.stage = 7
    else:
        state.area = action - CHAIN_AREA
        state.done |= only(state.area)
        state.stage = 3
