"""Building one card: phase 4 and phase 5 (section 2.5)."""

from sim.games.newdale.boons import legal_boons_at_any_time
from sim.games.newdale.components import (
    BUILD_DISCOUNT,
    BUILD_RANGE,
    MAX_STEPS,
    MAX_TILES,
    NUM_AREAS,
    NUM_PROGRESS,
    PRODUCTION,
    RANGE,
    SECOND,
    SPECIAL,
)
from sim.games.newdale.position import (
    AREA,
    BUILD_CARD,
    BUILDING,
    CHOOSE_AREA,
    CHOOSE_AREA_ACTION,
    CHOOSE_PAYMENT,
    CHOOSE_TOWN,
    CHOOSE_TOWN_ACTION,
    CHOOSE_ZONE,
    DRAW,
    FINISH,
    NOT_BUILDING,
    PICK_KIND,
    PICK_TILE,
    PUT,
    SKIP,
    TAKE_FROM_ZONE,
    TAKE_TILE,
    TOWN,
)
from sim.games.newdale.rounds import event_amount, num_on_zone, put_house
from sim.games.newdale.supply import (
    ask,
    ask_for_payment,
    discard,
    makes,
    num_coins,
    take_from_hand,
)
from sim.jit import jit
from sim.records import NONE
from sim.sets import has, lowest, size, without_lowest

# Where, and for how much --------------------------------------------------------------------------


@jit
def num_houses_left(rules, state, p):
    """Houses that are not on the map."""
    return rules.setup_houses[rules.num_players - 1] - size(state.houses[p])


@jit
def ability(rules, state, p, effect, usual):
    """What a progress tile says, improved once it is taken."""
    value = usual
    for i in range(NUM_PROGRESS):
        if rules.progress_effect[i] == effect:
            taken = has(state.progress[p], i) == 1
            value = rules.progress_improved[i] if taken else rules.progress_base[i]
    return value


@jit
def towns_within(rules, state, p, num_steps):
    """Set of towns at most so many steps from an own house, without those that have one."""
    houses = int(state.houses[p])
    towns = 0
    rest = houses
    while rest != 0:
        towns |= rules.within[lowest(rest), min(num_steps, MAX_STEPS)]
        rest = without_lowest(rest)
    return towns & ~houses


@jit
def towns_in_reach(rules, state, p):
    """Towns where a house may be put."""
    reach = ability(rules, state, p, RANGE, rules.number[BUILD_RANGE]) + state.more_range
    return towns_within(rules, state, p, reach)


@jit
def discount_now(rules, state):
    """Of the event and of tiles."""
    phase = 5 if state.step == BUILDING else 4
    return state.discount + event_amount(rules, state, BUILD_DISCOUNT, phase, 0)


@jit
def towns_for(rules, c, reach, coins, discount):
    """Towns in reach where a card can be paid; its own discount counts on its terrain."""
    price = rules.card_cost[c] - discount
    if price <= coins:
        return reach
    if price - rules.card_discount[c] <= coins:
        return reach & rules.card_towns[c]
    return 0


@jit
def price_of(rules, state, c, t):
    """Cost less all discounts, at least 0."""
    price = rules.card_cost[c] - discount_now(rules, state)
    if has(rules.card_towns[c], t) == 1:
        price -= rules.card_discount[c]
    return max(price, 0)


@jit
def has_area(rules, state, p):
    """An empty area from 1 on; any with ``replace_building``."""
    if rules.replace_building == SECOND:
        return True
    for a in range(1, NUM_AREAS):
        if state.built[p, a] == NONE and rules.has_slot[a, 0] == 1:
            return True
    return False


@jit
def legal_cards(rules, state, actions, n):
    """Cards of the hand and the display that can be built somewhere."""
    p = state.to_move
    if num_houses_left(rules, state, p) == 0:
        return n
    reach = towns_in_reach(rules, state, p)
    coins = num_coins(rules, state, p)
    discount = discount_now(rules, state)
    can_place = has_area(rules, state, p)
    i = 0
    for c in range(rules.num_cards):
        is_there = state.on_display[c] == 1
        if i < state.hand_size[p] and state.hand[p, i] == c:
            is_there = True
            i += 1
        if is_there:
            actions[n] = BUILD_CARD + c
            n += can_build(rules, c, reach, coins, discount, can_place)
    return n


@jit
def can_build(rules, c, reach, coins, discount, can_place):
    """Whether a card can be paid in a town in reach, and has a place."""
    is_placed = can_place or rules.card_kind[c] == SPECIAL
    return is_placed and towns_for(rules, c, reach, coins, discount) != 0


@jit
def can_build_any(rules, state, p):
    """Whether any card can be built somewhere."""
    if num_houses_left(rules, state, p) == 0:
        return False
    reach = towns_in_reach(rules, state, p)
    coins = num_coins(rules, state, p)
    discount = discount_now(rules, state)
    can_place = has_area(rules, state, p)
    for i in range(state.hand_size[p]):
        if can_build(rules, state.hand[p, i], reach, coins, discount, can_place):
            return True
    for c in range(rules.num_cards):
        if state.on_display[c] == 1 and can_build(rules, c, reach, coins, discount, can_place):
            return True
    return False


# The steps ----------------------------------------------------------------------------------------


@jit
def start_building(state, action):
    """A card was chosen."""
    state.card = action - BUILD_CARD
    state.builder = state.to_move
    state.area = NONE
    state.building = CHOOSE_TOWN


@jit
def run_building(rules, state):
    """Town, area, payment, card and house with premium, bonus tile."""
    p = state.builder
    building = state.building
    state.building += 1
    if building == CHOOSE_TOWN:
        ask(state, TOWN, p)
    elif building == CHOOSE_AREA:
        if rules.card_kind[state.card] == PRODUCTION:
            ask(state, AREA, p)
    elif building == CHOOSE_PAYMENT:
        ask_for_payment(rules, state, p, price_of(rules, state, state.card, state.town))
    elif building == PUT:
        _put(rules, state, p)
    elif building == CHOOSE_ZONE:
        if state.is_near == 1 and is_tile_near(rules, state):
            ask(state, TAKE_TILE, p)
    elif building == FINISH:
        state.building = NOT_BUILDING
        state.discount = 0
        state.more_range = 0


@jit
def legal_town(rules, state, actions):
    """Towns in reach where the card can be paid."""
    p = state.to_move
    reach = towns_in_reach(rules, state, p)
    coins = num_coins(rules, state, p)
    towns = towns_for(rules, state.card, reach, coins, discount_now(rules, state))
    n = 0
    while towns != 0:
        actions[n] = CHOOSE_TOWN_ACTION + lowest(towns)
        n += 1
        towns = without_lowest(towns)
    return n


@jit
def legal_area(rules, state, actions):
    """An empty one, or with ``replace_building`` any but the Coal Mine's."""
    p = state.to_move
    n = 0
    for a in range(1, NUM_AREAS):
        is_free = state.built[p, a] == NONE or rules.replace_building == SECOND
        if is_free and rules.has_slot[a, 0] == 1:
            actions[n] = CHOOSE_AREA_ACTION + a
            n += 1
    return n


@jit
def _put(rules, state, p):
    """The card on its place, a house on the town."""
    c = state.card
    if state.on_display[c] == 1:
        state.on_display[c] = 0
    else:
        take_from_hand(state, p, c)
    if state.area == NONE:
        _put_special(state, p, c)
    else:
        if state.built[p, state.area] != NONE:
            _tear_down(rules, state, p, state.area)
        state.built[p, state.area] = c
    state.is_near = has(towns_within(rules, state, p, 1), state.town)
    is_start = has(rules.start_towns, state.town) == 1
    put_house(rules, state, p, state.town, not is_start or rules.premium_start_town == SECOND)


@jit
def _put_special(state, p, c):
    """Kept in ascending order."""
    i = state.num_special[p]
    while i > 0 and state.special[p, i - 1] > c:
        state.special[p, i] = state.special[p, i - 1]
        i -= 1
    state.special[p, i] = c
    state.num_special[p] += 1


@jit
def _tear_down(rules, state, p, a):
    """``replace_building``: goods go with the card unless another building makes them."""
    c = state.built[p, a]
    discard(state, c)
    state.built[p, a] = NONE
    g = rules.card_good[c]
    if g != NONE and not makes(rules, state, p, g):
        state.goods[p, g] = 0


@jit
def _touches(rules, state, zone):
    return has(rules.zone_towns[zone], state.town) == 1 and num_on_zone(state, zone) > 0


@jit
def is_tile_near(rules, state):
    """Whether a bonus area with a tile touches the town."""
    for zone in range(rules.num_zones):
        if _touches(rules, state, zone):
            return True
    return False


@jit
def legal_take_tile(rules, state, actions):
    """One tile of an area that touches the town, or none."""
    actions[0] = SKIP
    n = 1
    for zone in range(rules.num_zones):
        if _touches(rules, state, zone):
            actions[n] = TAKE_FROM_ZONE + zone
            n += 1
    return n


@jit
def play_take_tile(state, action):
    """Of a mixed stack the player picks (`bonus_overflow = stack_lowest`)."""
    if action == SKIP:
        return
    zone = action - TAKE_FROM_ZONE
    num_kinds = 0
    tile = 0
    for i in range(MAX_TILES):
        if state.zone_tile[zone, i] > 0:
            num_kinds += 1
            tile = i
    if num_kinds == 1:
        take_tile(state, zone, tile)
    else:
        state.due = zone
        ask(state, PICK_TILE, state.to_move)


@jit
def take_tile(state, zone, tile):
    """It is kept face up."""
    state.zone_tile[zone, tile] -= 1
    state.boon[state.to_move, tile] += 1


@jit
def legal_pick_tile(state, actions):
    """A kind of the stack."""
    n = 0
    for tile in range(MAX_TILES):
        if state.zone_tile[state.due, tile] > 0:
            actions[n] = PICK_KIND + tile
            n += 1
    return n


@jit
def legal_build(rules, state, actions):
    """A card, or not; in phase 5 cards are drawn instead."""
    actions[0] = DRAW if state.step == BUILDING else SKIP
    n = legal_boons_at_any_time(rules, state, actions, 1)
    return legal_cards(rules, state, actions, n)
