"""Phase III, steps 1 to 12 and 14 (section 2.3); step 13 is in ``cathedral``."""

from sim.games.pillars.actions import (
    ask,
    ask_on,
    change_vp,
    discard,
    gain_cubes,
    gain_gold,
    has_card,
    has_trade,
    num_in_mill,
    pay_or_lose_vp,
    player_at,
    seat_after,
    sum_over_cards,
    write_cards,
)
from sim.games.pillars.components import (
    ADVANTAGE,
    BISHOP,
    BISHOP_BONUS,
    BONUS,
    BUILDING,
    BUY,
    CASTLE,
    CATHEDRAL,
    COURT,
    EVENT_BUILDERS,
    EVENT_CAPACITY,
    EVENT_GOLD,
    EVENT_LOSE_CRAFTSMAN,
    EVENT_METAL,
    EVENT_MILL_GOLD,
    EVENT_PROTECTION,
    EVENT_VP,
    EVENT_YIELD,
    EXEMPTION,
    FIXED_TAX,
    FREE_CRAFTSMEN,
    GOOD,
    GREY,
    GREY_TAKEN,
    IMMEDIATE,
    INCOME,
    INSPIRATION,
    INSPIRE,
    INSPIRE_CRAFTSMAN,
    KEEP_EXEMPTION,
    KEEP_THOMAS,
    KINGSBRIDGE,
    LOSE,
    MARKET_PLACE,
    MAX_TRADE,
    METAL,
    MILL,
    NO_TAX_ONCE,
    NUM_COURT,
    NUM_KINDS,
    NUM_MARKET,
    NUM_PAIR,
    NUM_ROUNDS,
    PASS,
    PICK_ADVANTAGE,
    PICK_CRAFTSMAN,
    PRIORY,
    PRIORY_FIRST,
    PRIORY_PLUS,
    PRIORY_VP,
    PRODUCTION,
    SECOND,
    SELL,
    SHIRING,
    STONE,
    TAKE_ADVANTAGE,
    TAKE_CRAFTSMAN,
    TAKE_CUBE,
    TAX,
    TAX_FIXED,
    THOMAS,
    THOMAS_BONUS,
    TRADE,
    TRADING,
    USE_EXEMPTION,
    USE_THOMAS,
)
from sim.games.pillars.phases import start_round, take_craftsman
from sim.jit import jit
from sim.records import FINISHED, NONE
from sim.sets import lowest, only, without_lowest

_FEW = 8  # cubes: seldom can more of a kind be traded


@jit
def go_to(state, step):
    """Begin a step with the first player."""
    state.step = step
    state.cursor = 0
    state.stage = 0


@jit
def cards_at(pair):
    """Return the set of the cards that still lie at two spaces."""
    cards = 0
    for i in range(NUM_PAIR):
        if pair[i] != NONE:
            cards |= only(pair[i])
    return cards


@jit
def next_player(state):
    """Go on with the next player of the step."""
    state.cursor += 1
    state.stage = 0


# Steps 1 and 2: event and bishop's seat -----------------------------------------------------------


@jit
def run_event(rules, state):
    """Reveal the event; a good one is for all, a bad one for each who is not protected."""
    e = state.event_order[state.round_number]
    state.event = e
    if rules.event_sign[e] == GOOD:
        for i in range(rules.num_players):
            _good_event(rules, state, player_at(rules, state, i))
        go_to(state, INSPIRATION)
    elif state.cursor == rules.num_players:
        go_to(state, MILL)
    else:
        _bad_event(rules, state, player_at(rules, state, state.cursor))


@jit
def _good_event(rules, state, p):
    """Gold, metal, or gold for workers in the mill; what acts later is remembered by the card."""
    effect = rules.event_effect[state.event]
    amount = rules.event_amount[state.event]
    if effect == EVENT_GOLD:
        gain_gold(rules, state, p, amount)
    elif effect == EVENT_METAL:
        gain_cubes(state, p, METAL, amount)
    elif effect == EVENT_VP:
        change_vp(state, p, amount)
    elif effect == EVENT_MILL_GOLD:
        gain_gold(rules, state, p, min(num_in_mill(rules, state, p), amount))


@jit
def _bad_event(rules, state, p):
    """The bishop protects; Thomas may; else the player suffers (D6, D7)."""
    if state.stage == 0:
        state.stage = 1
        if state.space[BISHOP] == p and rules.event_bishop_blocks[state.event] == 1:
            state.is_protected[p] = 1
        elif rules.event_card_blocks[state.event] == 1 and has_card(
            rules, state, p, EVENT_PROTECTION
        ):
            ask(state, THOMAS, p)
            return
    if state.stage == 1:
        state.stage = 2
        state.owes = 0
        if state.is_protected[p] == 0:
            _suffer(rules, state, p)
    if state.owes > 0 and state.craftsmen[p] != 0:
        state.owes -= 1
        ask(state, LOSE, p)
        return
    next_player(state)


@jit
def _suffer(rules, state, p):
    """Gold, VP, builders of the next round, or craftsmen; winter acts in steps 6-8."""
    effect = rules.event_effect[state.event]
    amount = rules.event_amount[state.event]
    if effect == EVENT_GOLD:
        pay_or_lose_vp(rules, state, p, -amount)
    elif effect == EVENT_VP:
        change_vp(state, p, amount)
    elif effect == EVENT_BUILDERS:
        state.walled[p] = -amount
    elif effect == EVENT_LOSE_CRAFTSMAN:
        state.owes = abs(amount)


@jit
def legal_thomas(actions):
    """D6: use or keep."""
    actions[0] = USE_THOMAS
    actions[1] = KEEP_THOMAS
    return 2


@jit
def play_thomas(rules, state, action):
    """D6: discard Thomas to be protected, or, with a good event, to take a cube as with B."""
    p = state.to_move
    if action == USE_THOMAS:
        discard(rules, state, p, EVENT_PROTECTION)
        if state.step == THOMAS_BONUS:
            ask_on(state, BONUS, p)
        else:
            state.is_protected[p] = 1


@jit
def run_inspiration(rules, state):
    """D12 in player order before D8, with ``archbishop_choice_time = step_1``."""
    if (
        rules.event_effect[state.event] != EVENT_CAPACITY
        or rules.archbishop_choice_time != SECOND
        or state.cursor == rules.num_players
    ):
        go_to(state, BISHOP_BONUS)
        return
    p = player_at(rules, state, state.cursor)
    next_player(state)
    if can_be_inspired(rules, state, p):
        ask(state, INSPIRE, p)


@jit
def can_be_inspired(rules, state, p):
    """Whether the player has a craftsman for the archbishop (E10)."""
    return state.craftsmen[p] & rules.eligible_cards != 0


@jit
def legal_inspire(rules, state, actions):
    """D12: any eligible craftsman."""
    cards = state.craftsmen[state.to_move] & rules.eligible_cards
    return write_cards(cards, INSPIRE_CRAFTSMAN, actions, 0)


@jit
def play_inspire(state, action):
    """D12: capacity + 1 this round."""
    state.inspired[state.to_move] = action - INSPIRE_CRAFTSMAN


@jit
def run_bishop_bonus(rules, state):
    """D8: with a good event the owner of B takes a cube."""
    go_to(state, THOMAS_BONUS)
    if state.space[BISHOP] != NONE and _is_cube_there(rules, state):
        ask(state, BONUS, state.space[BISHOP])


@jit
def run_thomas_bonus(rules, state):
    """With ``thomas_on_good_events`` others may discard Thomas for a cube."""
    if rules.thomas_on_good_events != SECOND or state.cursor == rules.num_players:
        go_to(state, MILL)
        return
    p = player_at(rules, state, state.cursor)
    next_player(state)
    if (
        state.space[BISHOP] != p
        and has_card(rules, state, p, EVENT_PROTECTION)
        and _is_cube_there(rules, state)
    ):
        ask(state, THOMAS, p)


@jit
def _is_cube_there(rules, state):
    """Sand, wood or stone, on the market or in the supply (`bishop_bonus_source`)."""
    if rules.bishop_bonus_source == SECOND:
        return True
    for kind in range(STONE + 1):
        if state.stock[kind] > 0:
            return True
    return False


@jit
def legal_bonus(rules, state, actions):
    """D8: sand, wood or stone."""
    n = 0
    for kind in range(STONE + 1):
        if rules.bishop_bonus_source == SECOND or state.stock[kind] > 0:
            actions[n] = TAKE_CUBE + kind
            n += 1
    return n


@jit
def play_bonus(rules, state, action):
    """D8: the cube comes from the market, or from the general supply."""
    kind = action - TAKE_CUBE
    gain_cubes(state, state.to_move, kind, 1)
    if rules.bishop_bonus_source != SECOND:
        state.stock[kind] -= 1
        state.general[kind] += 1


# Step 3: wool mill --------------------------------------------------------------------------------


@jit
def run_mill(rules, state):
    """1 gold for each own worker in the mill."""
    for p in range(rules.num_players):
        gain_gold(rules, state, p, num_in_mill(rules, state, p))
    go_to(state, ADVANTAGE)


# Step 4: Kingsbridge ------------------------------------------------------------------------------


@jit
def run_kingsbridge(rules, state):
    """The owners of K1 and K2 take a card; cards nobody took are discarded."""
    while state.cursor < NUM_PAIR:
        i = state.cursor
        p = state.space[KINGSBRIDGE + i]
        state.cursor += 1
        if p != NONE:
            if rules.advantage_by_space == SECOND:
                ask(state, PICK_ADVANTAGE, p)
                return
            take_advantage(rules, state, p, state.at_kingsbridge[i])
    state.at_kingsbridge[:] = NONE
    go_to(state, PRIORY_VP)


@jit
def take_advantage(rules, state, p, c):
    """Immediate cards pay out and are discarded; others stay before the owner."""
    if rules.advantage_kind[c] == IMMEDIATE:
        for kind in range(NUM_KINDS):
            gain_cubes(state, p, kind, rules.advantage_cubes[c, kind])
        gain_gold(rules, state, p, rules.advantage_gold[c])
        change_vp(state, p, rules.advantage_vp[c])
    else:
        state.advantages[p] |= only(c)


@jit
def legal_pick_advantage(state, actions):
    """Either card that still lies there, with ``advantage_by_space = false``."""
    return write_cards(cards_at(state.at_kingsbridge), TAKE_ADVANTAGE, actions, 0)


@jit
def play_pick_advantage(rules, state, action):
    """Take the card that was picked."""
    c = action - TAKE_ADVANTAGE
    for i in range(NUM_PAIR):
        if state.at_kingsbridge[i] == c:
            state.at_kingsbridge[i] = NONE
    take_advantage(rules, state, state.to_move, c)


# Step 5: priory -----------------------------------------------------------------------------------


@jit
def run_priory(rules, state):
    """P1: 2 VP, P2: 1 VP; one more for each with Prior Philip (`prior_philip_per_space`)."""
    for i in range(NUM_PAIR):
        p = state.space[PRIORY + i]
        if p == NONE:
            continue
        change_vp(state, p, rules.number[PRIORY_FIRST + i])
        is_second = i == 1 and state.space[PRIORY] == p
        if not is_second or rules.prior_philip_per_space != SECOND:
            change_vp(state, p, sum_over_cards(rules, state, p, PRIORY_PLUS, rules.advantage_vp))
    go_to(state, PRODUCTION)


# Steps 6 to 8: forest, quarry, gravel pit ---------------------------------------------------------


@jit
def run_production(rules, state):
    """Resource cards and Richard, Tom and Aliena yield cubes; the cards go back."""
    for p in range(rules.num_players):
        for kind in range(NUM_KINDS):
            gain_cubes(state, p, kind, num_produced(rules, state, p, kind))
    state.resources[:] = 0
    go_to(state, TAX)


@jit
def num_produced(rules, state, p, kind):
    """Cubes of one kind that a player's cards yield this round, as far as is known now."""
    change = _change_of_yield(rules, state, p)
    is_per_kind = rules.winter_scope == SECOND
    produced = 0
    own = state.resources[p] & rules.cards_of_kind[kind]
    cards = own
    while cards != 0:
        number = rules.resource_yield[lowest(cards)]
        produced += number if is_per_kind else max(number + change, 0)
        cards = without_lowest(cards)
    if own != 0 and is_per_kind:
        produced = max(produced + change, 0)
    if own != 0 or rules.priv_income_unconditional != SECOND:
        cards = state.advantages[p] & rules.cards_of_effect[INCOME]
        while cards != 0:
            produced += rules.advantage_cubes[lowest(cards), kind]
            cards = without_lowest(cards)
    return produced


@jit
def _change_of_yield(rules, state, p):
    """E08 adds a cube, E07 takes one from those who are not protected."""
    if state.event == NONE or rules.event_effect[state.event] != EVENT_YIELD:
        return 0
    if state.is_protected[p] == 1:
        return 0
    return rules.event_amount[state.event]


# Step 9: king's court -----------------------------------------------------------------------------


@jit
def run_tax(rules, state):
    """Roll the die; C1's owner takes the metal; each pays who is not at court (D9)."""
    if state.tax == NONE:
        state.tax = rules.tax_face[state.tax_roll[state.round_number]]
    if state.cursor == rules.num_players:
        go_to(state, FREE_CRAFTSMEN)
        return
    p = player_at(rules, state, state.cursor)
    next_player(state)
    if state.space[COURT] == p:
        state.cubes[p, METAL] += state.court_metal
        state.court_metal = 0
    if not is_at_court(state, p):
        if has_card(rules, state, p, NO_TAX_ONCE):
            ask(state, EXEMPTION, p)
        else:
            _pay_tax(rules, state, p)


@jit
def is_at_court(state, p):
    """Whether the player has a builder on C1 to C4."""
    for i in range(NUM_COURT):
        if state.space[COURT + i] == p:
            return True
    return False


@jit
def _pay_tax(rules, state, p):
    """The owner of Francis pays 2, everybody else the roll."""
    amount = state.tax
    if has_card(rules, state, p, TAX_FIXED):
        amount = rules.number[FIXED_TAX]
    pay_or_lose_vp(rules, state, p, amount)


@jit
def legal_exemption(actions):
    """D9: use or keep."""
    actions[0] = USE_EXEMPTION
    actions[1] = KEEP_EXEMPTION
    return 2


@jit
def play_exemption(rules, state, action):
    """D9: discard the card and pay nothing, or pay."""
    p = state.to_move
    if action == USE_EXEMPTION:
        discard(rules, state, p, NO_TAX_ONCE)
    else:
        _pay_tax(rules, state, p)


# Step 10: Shiring ---------------------------------------------------------------------------------


@jit
def run_shiring(rules, state):
    """The owners of S1 and S2 take a craftsman free, in player order; the others leave the game."""
    if rules.shiring_by_space == SECOND:
        _run_shiring_by_choice(rules, state)
        return
    while state.cursor < rules.num_players * NUM_PAIR:
        p = player_at(rules, state, state.cursor // NUM_PAIR)
        i = state.cursor % NUM_PAIR
        state.cursor += 1
        if state.space[SHIRING + i] == p:
            c = state.at_shiring[i]
            state.at_shiring[i] = NONE
            state.turn += 1
            take_craftsman(rules, state, p, c)
            return
    state.at_shiring[:] = NONE
    go_to(state, GREY)


@jit
def _run_shiring_by_choice(rules, state):
    """S1's owner picks first, then S2's."""
    while state.cursor < NUM_PAIR:
        p = state.space[SHIRING + state.cursor]
        state.cursor += 1
        if p != NONE:
            ask(state, PICK_CRAFTSMAN, p)
            return
    state.at_shiring[:] = NONE
    go_to(state, GREY)


@jit
def legal_pick_craftsman(state, actions):
    """Either craftsman that still stands there, with ``shiring_by_space = false``."""
    return write_cards(cards_at(state.at_shiring), TAKE_CRAFTSMAN, actions, 0)


@jit
def play_pick_craftsman(rules, state, action):
    """Take the craftsman that was picked."""
    c = action - TAKE_CRAFTSMAN
    for i in range(NUM_PAIR):
        if state.at_shiring[i] == c:
            state.at_shiring[i] = NONE
    take_craftsman(rules, state, state.to_move, c)


# Step 11: Shiring Castle --------------------------------------------------------------------------


@jit
def run_castle(rules, state):
    """G's owner takes two grey workers for the next round; this round's go back."""
    state.grey[:] = 0
    state.grey_free[:] = 0
    if state.space[CASTLE] != NONE:
        state.grey_next[state.space[CASTLE]] = rules.number[GREY_TAKEN]
    for i in range(NUM_MARKET):
        state.trading[i] = 1 if _takes_part(rules, state, i) else 0
    go_to(state, TRADING)


@jit
def _takes_part(rules, state, i):
    """Whether the builder at a market space trades (`market_slots`)."""
    p = state.space[MARKET_PLACE + i]
    if p == NONE:
        return False
    if rules.market_slots == SECOND:
        for j in range(i):
            if state.space[MARKET_PLACE + j] == p:
                return False
    return True


# Step 12: market ----------------------------------------------------------------------------------


@jit
def run_market(rules, state):
    """M1, M2, M3, M4, M1, ... until all have passed."""
    for _ in range(NUM_MARKET):
        if state.trading[state.cursor] == 1:
            ask(state, TRADE, state.space[MARKET_PLACE + state.cursor])
            return
        state.cursor = (state.cursor + 1) % NUM_MARKET
    go_to(state, BUILDING)


@jit
def num_buyable(rules, state, p, kind):
    """Cubes of a kind that the player may buy now (D11)."""
    if rules.can_buy[kind] == 0:
        return 0
    if rules.trade_to_buy[kind] > 0 and not has_trade(
        rules, state, p, rules.trade_to_buy[kind] - 1
    ):
        return 0
    if rules.sell_then_buy_same_kind == SECOND and state.sold[p, kind] > 0:
        return 0
    return min(state.stock[kind], rules.num_for_gold[kind, state.gold[p]])


@jit
def num_sellable(rules, state, p, kind):
    """Cubes of a kind that the player may sell now (D11)."""
    if rules.can_sell[kind] == 0:
        return 0
    if rules.trade_to_sell[kind] > 0 and not has_trade(
        rules, state, p, rules.trade_to_sell[kind] - 1
    ):
        return 0
    if rules.resale_ban_scope == SECOND:
        return min(max(state.cubes[p, kind] - state.bought[p, kind], 0), MAX_TRADE)
    return 0 if state.bought[p, kind] > 0 else min(state.cubes[p, kind], MAX_TRADE)


@jit
def legal_trade(rules, state, actions):
    """D11: pass, buy or sell any number of one kind."""
    p = state.to_move
    actions[0] = PASS
    n = 1
    for kind in range(NUM_KINDS):
        number = num_buyable(rules, state, p, kind)
        n = _write_numbers(number, BUY + kind * MAX_TRADE, actions, n)
    for kind in range(NUM_KINDS):
        number = num_sellable(rules, state, p, kind)
        n = _write_numbers(number, SELL + kind * MAX_TRADE, actions, n)
    return n


@jit
def _write_numbers(number, first, actions, n):
    """Write an action for 1 to `number` cubes after the first n actions; return how many now.

    A few are always written, and do not count beyond `number`: a loop that ends elsewhere each time
    takes longer.
    """
    assert n >= 0  # an index that may count from the end takes longer too
    for i in range(_FEW):
        actions[n + i] = first + i
    if number > _FEW:
        for i in range(_FEW, MAX_TRADE):
            actions[n + i] = first + i
    return n + number


@jit
def play_trade(rules, state, action):
    """D11: the next builder on the market follows."""
    i = state.cursor
    state.cursor = (state.cursor + 1) % NUM_MARKET
    if action == PASS:
        state.trading[i] = 0
    elif action < SELL:
        _buy(rules, state, (action - BUY) // MAX_TRADE, (action - BUY) % MAX_TRADE + 1)
    else:
        _sell(rules, state, (action - SELL) // MAX_TRADE, (action - SELL) % MAX_TRADE + 1)


@jit
def _buy(rules, state, kind, amount):
    """At the fixed price, from the market stock."""
    p = state.to_move
    state.gold[p] -= amount * rules.price[kind]
    state.cubes[p, kind] += amount
    state.stock[kind] -= amount
    state.bought[p, kind] += amount


@jit
def _sell(rules, state, kind, amount):
    """At the fixed price; the cubes go to the general supply (`sold_cubes_to_market`)."""
    p = state.to_move
    gain_gold(rules, state, p, amount * rules.price[kind])
    state.cubes[p, kind] -= amount
    if rules.sold_cubes_to_market == SECOND and kind != METAL:
        state.stock[kind] += amount
    else:
        state.general[kind] += amount
    state.sold[p, kind] += amount


# Step 14: start player, and the end (sections 2.3 and 3) ------------------------------------------


@jit
def run_next_round(rules, state):
    """The game ends after step 13 of round 6; else Z's owner starts, or the next seat."""
    if state.round_number == NUM_ROUNDS - 1:
        state.over = FINISHED
        return
    if state.space[CATHEDRAL] != NONE:
        state.start_player = state.space[CATHEDRAL]
    else:
        state.start_player = seat_after(rules, state.start_player)
    state.round_number += 1
    start_round(rules, state)
