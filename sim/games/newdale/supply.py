"""Cards, goods, payment and VP: what all phases share (sections 2.0, 2.7 and 2.9)."""

from sim.chance import shuffle
from sim.games.newdale.components import (
    MAX_CARDS,
    NUM_AREAS,
    SECOND,
)
from sim.games.newdale.position import (
    DISCARD,
    DISCARD_CARD,
    GOOD,
    PAY,
    PAY_GOOD,
    PAY_HELPERS,
    TAKE_GOOD,
)
from sim.jit import jit
from sim.records import NONE


@jit
def player_at(rules, state, place):
    """Turn order: start player first, then clockwise."""
    return (state.start_player + place) % rules.num_players


@jit
def ask(state, decision, player):
    """Wait for a decision of this player; the first one of a turn counts it."""
    state.turn += state.is_new_turn
    state.is_new_turn = 0
    state.decision = decision
    state.to_move = player


# Cards (section 2.0) ------------------------------------------------------------------------------


@jit
def put_in_hand(state, p, c):
    """A hand is kept in ascending order."""
    i = state.hand_size[p]
    while i > 0 and state.hand[p, i - 1] > c:
        state.hand[p, i] = state.hand[p, i - 1]
        i -= 1
    state.hand[p, i] = c
    state.hand_size[p] += 1
    state.num_old[p] += state.is_old[c]


@jit
def take_from_hand(state, p, c):
    """Close the gap."""
    i = 0
    while state.hand[p, i] != c:
        i += 1
    state.hand_size[p] -= 1
    n = state.hand_size[p]
    while i < n:
        state.hand[p, i] = state.hand[p, i + 1]
        i += 1
    state.hand[p, n] = 0
    state.num_old[p] -= state.is_old[c]


@jit
def discard(state, c):
    """Onto the discard pile."""
    state.in_discards[c] = 1
    state.num_discards += 1


@jit
def num_with_symbol(rules, state, p, symbol):
    """Hand cards that count as a raw material."""
    n = 0
    for i in range(state.hand_size[p]):
        n += rules.card_symbol[state.hand[p, i]] == symbol
    return n


@jit
def draw_what_is_due(rules, state):
    """Draw the cards that are due, in turn order; a new pile is made when a card is needed."""
    if state.half_cursor != NONE:
        _ask_for_half_hands(rules, state)
        return
    for place in range(rules.num_players):
        p = player_at(rules, state, place)
        while state.draws_due[p] > 0:
            if state.pile_size == 0 and not _is_there_a_new_pile(rules, state):
                return
            state.draws_due[p] -= 1
            if state.pile_size > 0:
                state.pile_size -= 1
                put_in_hand(state, p, state.pile[state.pile_size])
    while state.display_due > 0:
        if state.pile_size == 0 and not _is_there_a_new_pile(rules, state):
            return
        state.display_due -= 1
        if state.pile_size > 0:
            state.pile_size -= 1
            state.on_display[state.pile[state.pile_size]] = 1


@jit
def is_anything_due(rules, state):
    """Whether cards have to be drawn first."""
    n = state.display_due
    for p in range(rules.num_players):
        n += state.draws_due[p]
    return n > 0


@jit
def _is_there_a_new_pile(rules, state):
    """Shuffle the discards; False while players have to discard half their hands (`empty_pile`)."""
    if state.num_discards == 0:
        if rules.empty_pile == SECOND and _can_anybody_halve(rules, state):
            state.half_cursor = 0
            _ask_for_half_hands(rules, state)
            return False
        return True
    n = 0
    for c in range(MAX_CARDS - 1, -1, -1):
        state.is_old[c] = 1 - state.in_discards[c]
        if state.in_discards[c] == 1:
            state.in_discards[c] = 0
            state.pile[n] = c
            n += 1
    shuffle(state.pile, 0, n, state.chance)
    state.pile_size = n
    state.num_discards = 0
    for p in range(rules.num_players):
        state.num_old[p] = state.hand_size[p]
    return True


@jit
def _can_anybody_halve(rules, state):
    for p in range(rules.num_players):
        if state.hand_size[p] >= 2:
            return True
    return False


@jit
def _ask_for_half_hands(rules, state):
    """``reshuffle_then_half_hands``: in turn order each discards half his hand, rounded down."""
    while state.half_cursor < rules.num_players:
        p = player_at(rules, state, state.half_cursor)
        state.half_cursor += 1
        if state.hand_size[p] >= 2:
            ask_for_discards(state, p, state.hand_size[p] // 2, NONE)
            return
    state.half_cursor = NONE


@jit
def ask_for_discards(state, p, num_cards, symbol):
    """Cards of choice, of one symbol if that is not NONE, in ascending order."""
    state.due = num_cards
    state.least = 0
    state.symbol = symbol
    if num_cards > 0:
        ask(state, DISCARD, p)


@jit
def can_be_discarded(rules, state, p, c):
    """Cards are chosen in ascending order; at set-up only the owner knows what is put aside."""
    if state.num_aside[p] > 0 and c < state.aside[p, state.num_aside[p] - 1]:
        return False
    return c >= state.least and (state.symbol == NONE or rules.card_symbol[c] == state.symbol)


@jit
def legal_discard(rules, state, actions):
    """Any card behind which enough are left for all that are due."""
    p = state.to_move
    num_left = 0
    for i in range(state.hand_size[p]):
        num_left += can_be_discarded(rules, state, p, state.hand[p, i])
    n = 0
    for i in range(state.hand_size[p]):
        c = state.hand[p, i]
        if can_be_discarded(rules, state, p, c):
            if num_left >= state.due:
                actions[n] = DISCARD_CARD + c
                n += 1
            num_left -= 1
    return n


@jit
def play_discard(state, action, is_set_up):
    """At set-up the card stays hidden until all have chosen (section 1.3)."""
    p = state.to_move
    c = action - DISCARD_CARD
    take_from_hand(state, p, c)
    if is_set_up:
        state.aside[p, state.num_aside[p]] = c
        state.num_aside[p] += 1
    else:
        discard(state, c)
        state.least = c + 1
    state.due -= 1
    if state.due > 0:
        ask(state, DISCARD, p)


# Goods and payment (section 2.7) ------------------------------------------------------------------


@jit
def num_coins(rules, state, p):
    """What all goods of a player are worth."""
    total = 0
    for g in range(rules.num_goods):
        total += state.goods[p, g] * rules.good_value[g]
    return total


@jit
def num_goods(rules, state, p):
    """Goods of all kinds."""
    total = 0
    for g in range(rules.num_goods):
        total += state.goods[p, g]
    return total


@jit
def ask_for_payment(rules, state, p, price):
    """A price of 0 needs no goods; with ``payment = auto`` nothing is asked."""
    state.price = price
    state.smallest = 0
    state.least = 0
    if price <= 0:
        return
    if rules.payment == SECOND:
        _pay_automatically(rules, state, p)
    else:
        ask(state, PAY, p)


@jit
def _sums_from(rules, state, p, place, num_fewer):
    """Set of the sums below 62 that goods from a place of the pay order on can make.

    Bit s is the sum s; of the first kind `num_fewer` goods are left out.
    """
    sums = 1
    mask = (1 << 62) - 1
    for i in range(place, rules.num_goods):
        g = rules.good_at[i]
        num_here = int(state.goods[p, g])
        if i == place:
            num_here -= num_fewer
        value = int(rules.good_value[g])
        for _ in range(min(num_here, 62 // value)):
            more = (sums | (sums << value)) & mask
            if more == sums:
                break
            sums = more
    return sums


@jit
def legal_pay(rules, state, actions):
    """The goods with which a minimal payment can go on: without the least it would fall short."""
    p = state.to_move
    n = 0
    for i in range(state.least, rules.num_goods):
        g = rules.good_at[i]
        if state.goods[p, g] == 0:
            continue
        value = int(rules.good_value[g])
        smallest = int(state.smallest) if state.smallest > 0 else value
        rest = int(state.price) - value
        if rest > 0:
            window = ((1 << smallest) - 1) << rest
            is_legal = (_sums_from(rules, state, p, i, 1) & window) != 0
        else:
            is_legal = rest + smallest > 0
        if is_legal:
            actions[n] = PAY_GOOD + i
            n += 1
    return n


@jit
def play_pay(rules, state, action):
    """One good; until the price is paid."""
    p = state.to_move
    i = action - PAY_GOOD
    g = rules.good_at[i]
    state.goods[p, g] -= 1
    state.price -= rules.good_value[g]
    state.least = i
    if state.smallest == 0:
        state.smallest = rules.good_value[g]
    if state.price > 0:
        ask(state, PAY, p)


@jit
def _pay_automatically(rules, state, p):
    """The smallest total; then the most goods of the lowest places in the pay order."""
    sums = _sums_from(rules, state, p, 0, 0)
    total = int(state.price)
    while (sums >> total) & 1 == 0:
        total += 1
    for i in range(rules.num_goods):
        g = rules.good_at[i]
        value = int(rules.good_value[g])
        later = _sums_from(rules, state, p, i + 1, 0)
        num_paid = min(int(state.goods[p, g]), total // value)
        while (later >> (total - num_paid * value)) & 1 == 0:
            num_paid -= 1
        state.goods[p, g] -= num_paid
        total -= num_paid * value
    state.price = 0


@jit
def ask_for_helpers_price(rules, state, p, num_paid):
    """Goods of any kinds, values do not matter (section 2.4, produce)."""
    state.due = num_paid
    state.least = 0
    if rules.payment == SECOND:
        for i in range(rules.num_goods):
            g = rules.good_at[i]
            taken = min(state.goods[p, g], state.due)
            state.goods[p, g] -= taken
            state.due -= taken
    elif num_paid > 0:
        ask(state, PAY_HELPERS, p)


@jit
def legal_pay_helpers(rules, state, actions):
    """Ascending; behind each there must be enough for the rest."""
    p = state.to_move
    num_left = 0
    for i in range(state.least, rules.num_goods):
        num_left += state.goods[p, rules.good_at[i]]
    n = 0
    for i in range(state.least, rules.num_goods):
        num_here = state.goods[p, rules.good_at[i]]
        if num_here > 0 and num_left >= state.due:
            actions[n] = PAY_GOOD + i
            n += 1
        num_left -= num_here
    return n


@jit
def play_pay_helpers(rules, state, action):
    """One good."""
    p = state.to_move
    i = action - PAY_GOOD
    state.goods[p, rules.good_at[i]] -= 1
    state.least = i
    state.due -= 1
    if state.due > 0:
        ask(state, PAY_HELPERS, p)


# Kinds of goods -----------------------------------------------------------------------------------


@jit
def makes(rules, state, p, g):
    """Whether an own production building makes this good."""
    for a in range(NUM_AREAS):
        c = state.built[p, a]
        if c != NONE and rules.card_good[c] == g:
            return True
    return False


@jit
def ask_for_good(state, p, amount, limit, given):
    """A kind made by an own production building, worth at most `limit`, not the one given."""
    state.amount = amount
    state.limit = limit
    state.given = given
    ask(state, GOOD, p)


@jit
def can_be_got(rules, state, p, g, limit, given):
    """See `ask_for_good`."""
    return g != given and rules.good_value[g] <= limit and makes(rules, state, p, g)


@jit
def legal_good(rules, state, actions, n):
    """Every kind that can be got."""
    for g in range(rules.num_goods):
        if can_be_got(rules, state, state.to_move, g, state.limit, state.given):
            actions[n] = TAKE_GOOD + g
            n += 1
    return n


@jit
def play_good(state, action):
    """So many goods of the kind."""
    state.goods[state.to_move, action - TAKE_GOOD] += state.amount


# VP (section 2.9) ---------------------------------------------------------------------------------


@jit
def gain_vp(rules, state, p, num_vp):
    """Each mark of the track that is passed brings cards (`mark_rule`)."""
    before = state.vp[p]
    state.vp[p] += num_vp
    beyond = 1 if rules.mark_rule == SECOND else 0
    for i in range(rules.num_marks):
        mark = rules.mark[i] + beyond
        if before < mark <= state.vp[p]:
            state.draws_due[p] += rules.mark_cards[i]


@jit
def ask_for_payment_of_vp(rules, state, p, price, num_vp):
    """Coins for VP: of tiles, special buildings and an event."""
    state.vp_due = num_vp
    ask_for_payment(rules, state, p, price)


@jit
def gain_what_was_paid(rules, state, p):
    """The VP follow once the price is paid."""
    num_vp = state.vp_due
    state.vp_due = 0
    gain_vp(rules, state, p, num_vp)
