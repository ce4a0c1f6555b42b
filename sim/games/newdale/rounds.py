"""Set-up and phases 1 to 3: event, planning, helpers (sections 1.3 and 2.1 to 2.3)."""

from sim.chance import below, shuffle
from sim.games.newdale.components import (
    COAL,
    DISPLAY,
    DRAW_HELPERS,
    EACH_COAL,
    EACH_DRAW,
    HELPERS_DRAWN,
    MAX_ORDERS,
    MAX_TILES,
    MINE,
    NUM_AREAS,
    NUM_COLOURS,
    NUM_STONES,
    PREMIUM_CARDS,
    PREMIUM_COAL,
    PREMIUM_VP,
    SECOND,
    SLOTS_PER_AREA,
)
from sim.games.newdale.position import (
    CHOOSE_PERSON,
    DISCARDING,
    EVENT,
    FIRST_SLOT,
    NUM_FIELDS,
    PERSON,
    PERSONS,
    PLAN,
    PLAN_FIELD,
    PLANNING,
    SHOWING,
    STONES,
)
from sim.games.newdale.supply import ask, ask_for_discards, discard, gain_vp, player_at, put_in_hand
from sim.jit import inlined, jit
from sim.records import NONE
from sim.sets import has, only

# Set-up (section 1.3) -----------------------------------------------------------------------------


@inlined
def set_up_table(rules, state):
    """Start player, events, tiles, pile, and what each player gets; all choose their discards."""
    state.start_player = below(state.chance, rules.num_players)
    _shuffle_decks(rules, state)
    _lay_out_tiles(rules, state)
    state.event = NONE
    state.half_cursor = NONE
    state.symbol = NONE
    state.plan[:] = NONE
    state.shown_plan[:] = NONE
    state.built[:] = NONE
    state.special[:] = NONE
    state.aside[:] = NONE
    state.order[:] = NONE
    row = rules.num_players - 1
    for place in range(rules.num_players):
        p = player_at(rules, state, place)
        state.built[p, 0] = MINE
        state.goods[p, COAL] = rules.setup_coal[row]
        state.stones[p] = only(rules.setup_stones[row]) - 1
        state.vp[p] = rules.setup_vp[row]
        state.order[p] = state.order_deck[p]
        for _ in range(rules.setup_deal[row]):
            if state.pile_size > 0:
                state.pile_size -= 1
                put_in_hand(state, p, state.pile[state.pile_size])
    state.step = DISCARDING


@inlined
def _shuffle_decks(rules, state):
    """All that chance decides ahead: events, tiles, pile, secret orders, helpers, persons."""
    chance = state.chance
    n = 0
    for e in range(len(state.event_order)):
        state.event_order[e] = NONE
        if rules.event_used[e] == 1:
            state.event_order[n] = e
            n += 1
    shuffle(state.event_order, 0, n, chance)
    n = 0
    for tile in range(rules.num_tiles):
        if rules.bonus_tiles_used[tile] == 1:
            for _ in range(rules.tile_copies[tile]):
                state.tile_order[n] = tile
                n += 1
    shuffle(state.tile_order, 0, n, chance)
    for i in range(n, len(state.tile_order)):
        state.tile_order[i] = NONE
    state.pile_size = rules.num_cards - 1
    for i in range(state.pile_size):
        state.pile[i] = rules.num_cards - 1 - i
    shuffle(state.pile, 0, state.pile_size, chance)
    n = 0
    for o in range(MAX_ORDERS):
        state.order_deck[o] = NONE
        if rules.order_used[o] == 1:
            state.order_deck[n] = o
            n += 1
    shuffle(state.order_deck, 0, n, chance)
    for r in range(len(state.drawn_helper)):
        draw_helpers(rules, state, r)
    if rules.has_persons[0] == 1:
        _turn_up_persons(rules, state)


@jit
def draw_helpers(rules, state, r):
    """Helpers of a round from the bag, without putting back; more than are needed."""
    left = 0
    for colour in range(NUM_COLOURS):
        left += rules.helper_bag[colour]
    for i in range(len(state.drawn_helper[r])):
        state.drawn_helper[r, i] = NONE
        if i >= left:
            continue
        which = below(state.chance, left - i)
        for colour in range(NUM_COLOURS):
            num_here = rules.helper_bag[colour]
            for j in range(i):
                num_here -= state.drawn_helper[r, j] == colour
            if which < num_here:
                state.drawn_helper[r, i] = colour
                break
            which -= num_here


@jit
def _turn_up_persons(rules, state):
    """As many as there are players (section 2.8)."""
    num_used = 0
    for i in range(rules.num_persons):
        num_used += rules.persons_used[i]
    for turned in range(rules.num_players):
        which = below(state.chance, num_used - turned)
        for i in range(rules.num_persons):
            if rules.persons_used[i] == 1 and state.person_left[i] == 0:
                if which == 0:
                    state.person_left[i] = 1
                    break
                which -= 1


@jit
def _lay_out_tiles(rules, state):
    """Equal tiles are stacked, others lie on the first empty area (1.3.3, `bonus_overflow`)."""
    num_there = 0
    for i in range(len(state.tile_order)):
        tile = state.tile_order[i]
        if tile == NONE or num_there == rules.setup_tiles[rules.num_players - 1]:
            return
        zone = _zone_for(rules, state, tile)
        if zone != NONE:
            state.zone_tile[zone, tile] += 1
            num_there += 1


@jit
def _zone_for(rules, state, tile):
    for zone in range(rules.num_zones):
        if state.zone_tile[zone, tile] > 0:
            return zone
    lowest = 0
    for zone in range(rules.num_zones):
        if num_on_zone(state, zone) == 0:
            return zone
        if num_on_zone(state, zone) < num_on_zone(state, lowest):
            lowest = zone
    return lowest if rules.bonus_overflow == SECOND else NONE


@jit
def num_on_zone(state, zone):
    """Bonus tiles on an area."""
    n = 0
    for tile in range(MAX_TILES):
        n += state.zone_tile[zone, tile]
    return n


@jit
def run_discarding(rules, state):
    """Each player chooses cards to discard; they are shown when all have chosen."""
    if state.cursor < rules.num_players:
        p = player_at(rules, state, state.cursor)
        state.cursor += 1
        state.is_new_turn = 1
        num_cards = rules.setup_discard[rules.num_players - 1]
        ask_for_discards(state, p, min(num_cards, state.hand_size[p]), NONE)
    elif state.stage == 0:
        _show_discards(rules, state)
        _put_start_houses(rules, state)
        state.stage = 1
    else:
        state.stage = 0
        state.cursor = 0
        state.step = PERSONS if rules.has_persons[0] == 1 else EVENT


@jit
def _show_discards(rules, state):
    """Nobody has seen them before."""
    for p in range(rules.num_players):
        for i in range(state.num_aside[p]):
            discard(state, state.aside[p, i])
        state.aside[p, :] = NONE
        state.num_aside[p] = 0


@jit
def _put_start_houses(rules, state):
    """One of each player on every start town (`premium_start_town`)."""
    for t in range(rules.num_towns):
        if has(rules.start_towns, t) == 1:
            for place in range(rules.num_players):
                p = player_at(rules, state, place)
                put_house(rules, state, p, t, rules.premium_start_town == SECOND)


@jit
def is_undiscovered(rules, state, t):
    """Whether nobody has a house on a town."""
    for q in range(rules.num_players):
        if has(state.houses[q], t) == 1:
            return False
    return True


@jit
def put_house(rules, state, p, t, can_discover):
    """The first house of a town takes the discovery premium (section 2.5, step 4)."""
    is_first = is_undiscovered(rules, state, t)
    state.houses[p] |= only(t)
    if is_first and can_discover:
        premium = rules.town_premium[t]
        if premium == PREMIUM_VP:
            gain_vp(rules, state, p, rules.town_premium_n[t])
        elif premium == PREMIUM_CARDS:
            state.draws_due[p] += rules.town_premium_n[t]
        elif premium == PREMIUM_COAL:
            state.goods[p, COAL] += rules.town_premium_n[t]


@jit
def run_persons(rules, state):
    """One person each, from the right of the start player on (`person_order`)."""
    if state.cursor == rules.num_players:
        state.cursor = 0
        state.step = EVENT
        return
    n = rules.num_players
    step = -state.cursor if rules.person_order == SECOND else state.cursor
    state.cursor += 1
    state.is_new_turn = 1
    ask(state, PERSON, (state.start_player - 1 + step + 2 * n) % n)


@jit
def legal_person(rules, state, actions):
    """Any that is left."""
    n = 0
    for i in range(rules.num_persons):
        if state.person_left[i] == 1:
            actions[n] = CHOOSE_PERSON + i
            n += 1
    return n


@jit
def play_person(state, action):
    """It is used like a bonus tile."""
    i = action - CHOOSE_PERSON
    state.person_left[i] = 0
    state.boon[state.to_move, MAX_TILES + i] += 1


# Phase 1: event (section 2.1) ---------------------------------------------------------------------


@jit
def event_amount(rules, state, effect, phase, usual):
    """The number of the event if it has this effect in this phase, else the usual one."""
    if has_event(rules, state, effect, phase):
        return rules.event_a[state.event]
    return usual


@jit
def has_event(rules, state, effect, phase):
    """Whether the event of the round has this effect, in this phase."""
    e = state.event
    return e != NONE and rules.event_effect[e] == effect and rules.event_phase[e] == phase


@jit
def run_event(rules, state):
    """Turn up the next event; effects of phase 1 happen now, before the planning."""
    if state.stage == 1:
        state.stage = 0
        state.cursor = 0
        state.stone = 0
        state.step = PLANNING
        return
    state.event = state.event_order[state.round_number]
    for p in range(rules.num_players):
        state.draws_due[p] += event_amount(rules, state, EACH_DRAW, 1, 0)
        state.goods[p, COAL] += event_amount(rules, state, EACH_COAL, 1, 0)
    state.display_due = event_amount(rules, state, DISPLAY, 1, 0)
    state.stage = 1


# Phase 2: planning (section 2.2) ------------------------------------------------------------------


@jit
def run_planning(rules, state):
    """Each player plans all own stones, hidden; or all stones 1, then all stones 2 (`planning`)."""
    is_open = rules.planning == SECOND
    while True:
        p = player_at(rules, state, state.cursor)
        if has(state.stones[p], state.stone) == 1 and state.plan[p, state.stone] == NONE:
            if is_open or state.stone == 0:
                state.is_new_turn = 1
            ask(state, PLAN, p)
            return
        if is_open:
            _next_seat_then_stone(rules, state)
            if state.stone == NUM_STONES:
                break
        else:
            state.stone += 1
            if state.stone == NUM_STONES:
                state.stone = 0
                state.cursor += 1
                if state.cursor == rules.num_players:
                    break
    state.step = SHOWING


@jit
def _next_seat_then_stone(rules, state):
    state.cursor += 1
    if state.cursor == rules.num_players:
        state.cursor = 0
        state.stone += 1


@jit
def legal_plan(rules, state, actions):
    """A common field or an area that holds no own stone yet."""
    p = state.to_move
    taken = 0
    for s in range(NUM_STONES):
        if state.plan[p, s] != NONE:
            taken |= only(_place_of_field(state.plan[p, s]))
    n = 0
    for field in range(FIRST_SLOT):
        actions[n] = PLAN_FIELD + field
        n += 1 - has(taken, field)
    for area in range(NUM_AREAS):
        if has(taken, FIRST_SLOT + area) == 0:
            for slot in range(SLOTS_PER_AREA):
                actions[n] = PLAN_FIELD + FIRST_SLOT + SLOTS_PER_AREA * area + slot
                n += rules.has_slot[area, slot]
    return n


@jit
def _place_of_field(field):
    """Common fields, and one place for all slots of an area."""
    if field < FIRST_SLOT:
        return field
    return FIRST_SLOT + (field - FIRST_SLOT) // SLOTS_PER_AREA


@jit
def play_plan(rules, state, action):
    """Seen at once with ``planning = sequential``."""
    p = state.to_move
    state.plan[p, state.stone] = action - PLAN_FIELD
    if rules.planning == SECOND:
        state.shown_plan[p, state.stone] = action - PLAN_FIELD


@jit
def plan_anew(rules, state, p):
    """Any other plan of as many stones: all that is known of it before plans are shown."""
    last = 0
    for s in range(NUM_STONES):
        if state.plan[p, s] != NONE:
            state.plan[p, s] = NONE
            last = s + 1
    for s in range(last):
        if has(state.stones[p], s) == 1:
            which = below(state.chance, _num_free_fields(rules, state, p))
            for field in range(NUM_FIELDS):
                if _is_free(rules, state, p, field):
                    if which == 0:
                        state.plan[p, s] = field
                        break
                    which -= 1


@jit
def _is_free(rules, state, p, field):
    """A common field, or a slot of an area, where no own stone is planned."""
    if field >= FIRST_SLOT:
        place = field - FIRST_SLOT
        if rules.has_slot[place // SLOTS_PER_AREA, place % SLOTS_PER_AREA] == 0:
            return False
    for s in range(NUM_STONES):
        other = state.plan[p, s]
        if other != NONE and _place_of_field(other) == _place_of_field(field):
            return False
    return True


@jit
def _num_free_fields(rules, state, p):
    n = 0
    for field in range(NUM_FIELDS):
        n += _is_free(rules, state, p, field)
    return n


# Phase 3: helpers (section 2.3) -------------------------------------------------------------------


@jit
def run_showing(rules, state):
    """Plans are shown together; the market is what the event prints and the bag gives."""
    for p in range(rules.num_players):
        for s in range(NUM_STONES):
            state.shown_plan[p, s] = state.plan[p, s]
            state.plan[p, s] = NONE
    num_drawn = event_amount(rules, state, DRAW_HELPERS, 3, rules.number[HELPERS_DRAWN])
    for colour in range(NUM_COLOURS):
        state.market[colour] = rules.event_print[state.event, colour]
    for i in range(num_drawn):
        colour = state.drawn_helper[state.round_number, i]
        if colour != NONE:
            state.market[colour] += 1
    state.has_market = 1
    state.cursor = 0
    state.stone = 0
    state.stage = 0
    state.step = STONES
