"""Set-up, legal actions, playing and hidden information, put together from the phases."""

from sim.chance import shuffle
from sim.games.newdale.boons import legal_begin, legal_colour, play_boon, play_colour
from sim.games.newdale.building import (
    legal_area,
    legal_build,
    legal_pick_tile,
    legal_take_tile,
    legal_town,
    play_take_tile,
    run_building,
    start_building,
    take_tile,
)
from sim.games.newdale.components import MAX_BOONS, RAW, SECOND
from sim.games.newdale.fields import (
    end_field,
    legal_advance,
    legal_chain,
    legal_exchange,
    legal_hire,
    legal_keep,
    legal_may_take_good,
    legal_offer,
    legal_order,
    legal_trade,
    play_advance,
    play_chain,
    play_exchange,
    play_hire,
    play_keep,
    play_may_take_good,
    play_offer,
    play_order,
    play_trade,
    run_stones,
)
from sim.games.newdale.later import (
    draw_in_phase_5,
    legal_give,
    legal_last_chain,
    legal_pay_event,
    legal_use,
    play_give,
    play_last_chain,
    play_pay_event,
    play_use,
    run_last_chains,
    run_next_round,
    run_paying_event,
    run_phase_5,
    run_specials,
)
from sim.games.newdale.position import (
    ADVANCE,
    AREA,
    BEGIN,
    BUILDING,
    CARD,
    CHAIN,
    CHOOSE_AREA_ACTION,
    CHOOSE_TOWN,
    CHOOSE_TOWN_ACTION,
    COLOUR,
    DISCARD,
    DISCARDING,
    DRAW,
    EVENT,
    EXCHANGE,
    GIVE,
    GOOD,
    HIRE,
    KEEP,
    LAST_CHAIN,
    LAST_CHAINS,
    MAY_TAKE_GOOD,
    NEXT_ROUND,
    NOT_BUILDING,
    NOTHING,
    OFFER,
    ORDER,
    PAY,
    PAY_EVENT,
    PAY_HELPERS,
    PAYING_EVENT,
    PERSONS,
    PICK_KIND,
    PICK_TILE,
    PLAN,
    PLANNING,
    PUT,
    SHOWING,
    SKIP,
    SPECIALS,
    STONES,
    TAKE_TILE,
    TOWN,
    TRADE,
    USE,
    USE_BOON,
)
from sim.games.newdale.rounds import (
    draw_helpers,
    legal_person,
    legal_plan,
    plan_anew,
    play_person,
    play_plan,
    run_discarding,
    run_event,
    run_persons,
    run_planning,
    run_showing,
    set_up_table,
)
from sim.games.newdale.supply import (
    can_be_discarded,
    draw_what_is_due,
    gain_what_was_paid,
    is_anything_due,
    legal_discard,
    legal_good,
    legal_pay,
    legal_pay_helpers,
    play_discard,
    play_good,
    play_pay,
    play_pay_helpers,
)
from sim.jit import inlined, jit
from sim.records import GOES_ON, NONE

# Set-up -------------------------------------------------------------------------------------------


@inlined
def setup(rules, state):
    """Section 1.3, up to the first decision."""
    set_up_table(rules, state)
    _advance(rules, state)


# Legal actions ------------------------------------------------------------------------------------


@inlined
def legal_actions(rules, state, actions):
    """Write what the decision offers, ascending."""
    decision = state.decision
    if decision == CARD:
        return legal_build(rules, state, actions)
    if decision == PLAN:
        return legal_plan(rules, state, actions)
    if decision == DISCARD:
        return legal_discard(rules, state, actions)
    if decision == TOWN:
        return legal_town(rules, state, actions)
    if decision == AREA:
        return legal_area(rules, state, actions)
    if decision == PAY:
        return legal_pay(rules, state, actions)
    if decision == PAY_HELPERS:
        return legal_pay_helpers(rules, state, actions)
    if decision == BEGIN:
        return legal_begin(rules, state, actions)
    if decision == HIRE:
        return legal_hire(rules, state, actions)
    if decision == CHAIN:
        return legal_chain(rules, state, actions)
    if decision == TRADE:
        return legal_trade(rules, state, actions)
    if decision == GOOD:
        return legal_good(rules, state, actions, 0)
    if decision == EXCHANGE:
        return legal_exchange(rules, state, actions)
    if decision == KEEP:
        return legal_keep(state, actions)
    if decision == OFFER:
        return legal_offer(rules, state, actions)
    if decision == ADVANCE:
        return legal_advance(rules, state, actions)
    if decision == TAKE_TILE:
        return legal_take_tile(rules, state, actions)
    if decision == PICK_TILE:
        return legal_pick_tile(state, actions)
    if decision == USE:
        return legal_use(rules, state, actions)
    if decision == GIVE:
        return legal_give(rules, state, actions)
    if decision == LAST_CHAIN:
        return legal_last_chain(rules, state, actions)
    if decision == PAY_EVENT:
        return legal_pay_event(rules, state, actions)
    if decision == COLOUR:
        return legal_colour(state, actions)
    if decision == ORDER:
        return legal_order(actions)
    if decision == MAY_TAKE_GOOD:
        return legal_may_take_good(rules, state, actions)
    return legal_person(rules, state, actions)


# Playing ------------------------------------------------------------------------------------------


@inlined
def apply_action(rules, state, action):
    """Do what was decided, then all that happens by itself, up to the next decision."""
    decision = state.decision
    state.decision = NOTHING
    if USE_BOON <= action < USE_BOON + MAX_BOONS:
        play_boon(rules, state, action)
    elif decision == CARD:
        _play_card(rules, state, action)
    elif decision == PLAN:
        play_plan(rules, state, action)
    elif decision == DISCARD:
        play_discard(state, action, state.step == DISCARDING and state.half_cursor == NONE)
    elif decision == TOWN:
        state.town = action - CHOOSE_TOWN_ACTION
    elif decision == AREA:
        state.area = action - CHOOSE_AREA_ACTION
    elif decision == PAY:
        play_pay(rules, state, action)
    elif decision == PAY_HELPERS:
        play_pay_helpers(rules, state, action)
    elif decision == BEGIN:
        state.stage = 2
    elif decision == HIRE:
        play_hire(rules, state, action)
    elif decision == CHAIN:
        play_chain(rules, state, action)
    elif decision == TRADE:
        play_trade(rules, state, action)
    elif decision == GOOD:
        play_good(state, action)
    elif decision == EXCHANGE:
        play_exchange(state, action)
    elif decision == KEEP:
        play_keep(state, action)
    elif decision == OFFER:
        play_offer(rules, state, action)
    elif decision == ADVANCE:
        play_advance(rules, state, action)
    elif decision == TAKE_TILE:
        play_take_tile(state, action)
    elif decision == PICK_TILE:
        take_tile(state, state.due, action - PICK_KIND)
    elif decision == USE:
        play_use(rules, state, action)
    elif decision == GIVE:
        play_give(rules, state, action)
    elif decision == LAST_CHAIN:
        play_last_chain(state, action)
    elif decision == PAY_EVENT:
        play_pay_event(rules, state, action)
    elif decision == COLOUR:
        play_colour(state, action)
    elif decision == ORDER:
        play_order(state, action)
    elif decision == MAY_TAKE_GOOD:
        play_may_take_good(state, action)
    else:
        play_person(state, action)
    _advance(rules, state)


@jit
def _play_card(rules, state, action):
    """Start to build; or not, which in phase 5 draws cards."""
    if action == DRAW:
        draw_in_phase_5(rules, state)
        state.stage = 4
    elif action == SKIP:
        end_field(rules, state, state.to_move)
    else:
        state.stage = 3
        start_building(state, action)


@jit
def _advance(rules, state):
    """What is due comes first, then the building under way, then the step of the game."""
    while state.decision == NOTHING and state.over == GOES_ON:
        if state.vp_due > 0:
            gain_what_was_paid(rules, state, state.to_move)
        elif is_anything_due(rules, state) or state.half_cursor != NONE:
            draw_what_is_due(rules, state)
        elif state.building != NOT_BUILDING:
            run_building(rules, state)
        else:
            _run_step(rules, state)


@inlined
def _run_step(rules, state):
    """One part of the step that the game has come to."""
    step = state.step
    if step == STONES:
        run_stones(rules, state)
    elif step == BUILDING:
        run_phase_5(rules, state)
    elif step == PLANNING:
        run_planning(rules, state)
    elif step == SPECIALS:
        run_specials(rules, state)
    elif step == PAYING_EVENT:
        run_paying_event(rules, state)
    elif step == SHOWING:
        run_showing(rules, state)
    elif step == EVENT:
        run_event(rules, state)
    elif step == NEXT_ROUND:
        run_next_round(rules, state)
    elif step == DISCARDING:
        run_discarding(rules, state)
    elif step == PERSONS:
        run_persons(rules, state)
    else:
        run_last_chains(rules, state)


# Hidden information (section 2.10) ----------------------------------------------------------------


@inlined
def determinize(rules, state, observer):
    """Deal anew others' hands, orders and plans, the pile, and all that is still to come."""
    _deal_cards(rules, state, observer)
    _deal_orders(rules, state, observer)
    shuffle(state.tile_order, 0, num_dealt(state.tile_order), state.chance)
    r = state.round_number
    known = r + 1 if state.event != NONE else r
    shuffle(state.event_order, known, num_dealt(state.event_order), state.chance)
    for later in range(r + state.has_market, len(state.drawn_helper)):
        draw_helpers(rules, state, later)
    if state.step == PLANNING and rules.planning != SECOND:
        for p in range(rules.num_players):
            if p != observer:
                plan_anew(rules, state, p)


@jit
def num_dealt(deck):
    """Entries of a deck before the first that is none."""
    n = 0
    while n < len(deck) and deck[n] != NONE:
        n += 1
    return n


@inlined
def _deal_cards(rules, state, observer):
    """Cards that the observer has not seen change places among themselves.

    Since the last time that a new pile was made everybody knows which cards are not in it: the old
    ones in other hands are dealt anew among themselves, all others together with the pile.
    """
    top = int(state.pile_size)
    for p in range(rules.num_players):
        if p != observer:
            for i in range(state.num_aside[p]):
                state.pile[top] = state.aside[p, i]
                top += 1
            top = _collect(state, p, top, 0)
    shuffle(state.pile, 0, top, state.chance)
    for p in range(rules.num_players):
        if p != observer:
            for i in range(state.num_aside[p]):
                top -= 1
                state.aside[p, i] = state.pile[top]
            top = _deal_back(state, p, top, 0)
    for p in range(rules.num_players):
        if p != observer:
            top = _collect(state, p, top, 1)
    shuffle(state.pile, state.pile_size, top, state.chance)
    for p in range(rules.num_players):
        if p != observer:
            top = _deal_back(state, p, top, 1)
    _keep_what_was_said(rules, state, observer)


@jit
def _keep_what_was_said(rules, state, observer):
    """Who is to discard, or has chosen a raw chain, has cards for it; who builds has the card."""
    p = state.to_move
    if p != observer and state.decision == DISCARD:
        _keep_cards_due(rules, state, p)
    elif p != observer and state.decision == CHAIN and state.step == LAST_CHAINS:
        c = state.built[p, state.area]
        if rules.card_chain[c] == RAW:
            due, least, symbol = state.due, state.least, state.symbol
            state.due = 1
            state.least = 0
            state.symbol = rules.chain_symbol[c]
            _keep_cards_due(rules, state, p)
            state.due = due
            state.least = least
            state.symbol = symbol
    p = state.builder
    is_in_hand = CHOOSE_TOWN < state.building <= PUT and state.on_display[state.card] == 0
    if p != observer and is_in_hand:
        _swap_for_card(state, observer, p, state.card)


@jit
def _keep_cards_due(rules, state, p):
    """Exchange cards until so many can be discarded as are due."""
    for i in range(state.num_aside[p]):  # put aside in ascending order, before the others
        for j in range(state.hand_size[p]):
            if state.hand[p, j] < state.aside[p, i]:
                c = state.aside[p, i]
                state.aside[p, i] = state.hand[p, j]
                state.hand[p, j] = c
    for i in range(1, state.num_aside[p]):
        c = state.aside[p, i]
        while i > 0 and state.aside[p, i - 1] > c:
            state.aside[p, i] = state.aside[p, i - 1]
            i -= 1
        state.aside[p, i] = c
    num_left = 0
    for i in range(state.hand_size[p]):
        num_left += can_be_discarded(rules, state, p, state.hand[p, i])
    for i in range(state.hand_size[p]):
        if num_left < state.due and not can_be_discarded(rules, state, p, state.hand[p, i]):
            num_left += _exchange_with_pile(rules, state, p, i)
    _sort_hand(state, p)


@jit
def _exchange_with_pile(rules, state, p, i):
    """A hand card for one of the pile that can be discarded; 1 if there is one."""
    c = state.hand[p, i]
    if state.is_old[c] == 1:
        return 0
    for j in range(state.pile_size):
        if can_be_discarded(rules, state, p, state.pile[j]):
            state.hand[p, i] = state.pile[j]
            state.pile[j] = c
            return 1
    return 0


@jit
def _swap_for_card(state, observer, p, card):
    """Exchange a hand card for this one, wherever it has been dealt."""
    for i in range(state.hand_size[p]):
        if state.hand[p, i] == card:
            return
    for i in range(state.hand_size[p]):
        c = state.hand[p, i]
        if state.is_old[c] == state.is_old[card]:
            for j in range(state.pile_size):
                if state.pile[j] == card:
                    state.pile[j] = c
            for q in range(state.num_players):
                for j in range(state.hand_size[q]):
                    if q != observer and q != p and state.hand[q, j] == card:
                        state.hand[q, j] = c
                _sort_hand(state, q)
            state.hand[p, i] = card
            _sort_hand(state, p)
            return


@jit
def _sort_hand(state, p):
    """Ascending."""
    for i in range(1, state.hand_size[p]):
        c = state.hand[p, i]
        while i > 0 and state.hand[p, i - 1] > c:
            state.hand[p, i] = state.hand[p, i - 1]
            i -= 1
        state.hand[p, i] = c


@jit
def _collect(state, p, top, is_old):
    """Onto the pile; the places in the hand stay."""
    for i in range(state.hand_size[p]):
        if state.is_old[state.hand[p, i]] == is_old:
            state.pile[top] = state.hand[p, i]
            top += 1
    return top


@jit
def _deal_back(state, p, top, is_old):
    """Into the same number of places; then the hand is in order again."""
    n = state.hand_size[p]
    for i in range(n):
        if state.is_old[state.hand[p, i]] == is_old:
            top -= 1
            state.hand[p, i] = -1 - state.pile[top]
    for i in range(n):
        if state.hand[p, i] < 0:
            state.hand[p, i] = -1 - state.hand[p, i]
    _sort_hand(state, p)
    return top


@inlined
def _deal_orders(rules, state, observer):
    """Secret orders of the others and those that are out of the game."""
    n = num_dealt(state.order_deck)
    deck = state.order_deck
    own = deck[observer]
    deck[observer] = deck[n - 1]
    shuffle(deck, 0, n - 1, state.chance)
    deck[n - 1] = deck[observer]
    deck[observer] = own
    for p in range(rules.num_players):
        state.order[p] = deck[p]
