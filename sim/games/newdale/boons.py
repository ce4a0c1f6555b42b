"""Own turns, and the bonus tiles and persons used in them (section 2.8)."""

from sim.games.newdale.components import (
    ANY_VALUE,
    BLUE,
    BOON_ANY,
    BOON_CARDS,
    BOON_CHAIN,
    BOON_COAL,
    BOON_DISCOUNT,
    BOON_GOOD,
    BOON_RANGE,
    BOON_RB,
    BOON_VP,
    BOON_YG,
    COAL,
    GREEN,
    MAX_BOONS,
    NUM_CHOSEN,
    RED,
    SECOND,
    YELLOW,
)
from sim.games.newdale.position import (
    BEGIN,
    CHOOSE_COLOUR,
    COLOUR,
    GO,
    LAST_CHAINS,
    USE_BOON,
)
from sim.games.newdale.supply import ask, ask_for_good, ask_for_payment_of_vp, num_coins
from sim.jit import jit
from sim.records import NONE


@jit
def begin_turn(state):
    """What tiles have added is gone; the turn counts once a decision is asked."""
    state.is_new_turn = 1
    lose_additions(state)
    state.has_used_part = 0
    state.done = 0


@jit
def lose_additions(state):
    """Effects hold for a step of the same turn."""
    state.helpers[:] = 0
    state.discount = 0
    state.more_chain = 0
    state.more_range = 0


@jit
def has_boons(state, p):
    """Whether a player owns a tile or a person."""
    n = 0
    for i in range(MAX_BOONS):
        n += state.boon[p, i]
    return n > 0


@jit
def may_use_at_any_time(rules, state, p):
    """``tile_timing = any_time``: a decision is then asked as long as the player owns a tile."""
    return rules.tile_timing == SECOND and has_boons(state, p)


@jit
def asks_for_boons(state, p):
    """Tiles are used at the start of an own turn; True when this is asked."""
    if not has_boons(state, p):
        return False
    ask(state, BEGIN, p)
    return True


@jit
def legal_begin(rules, state, actions):
    """Any tile that can be used, or on with the turn."""
    actions[0] = GO
    return legal_boons(rules, state, actions, 1)


@jit
def legal_boons_at_any_time(rules, state, actions, n):
    """Tiles in the list of another decision."""
    if rules.tile_timing == SECOND:
        return legal_boons(rules, state, actions, n)
    return n


@jit
def legal_boons(rules, state, actions, n):
    """Coins must be there; the last chains know no bonus."""
    p = state.to_move
    for i in range(MAX_BOONS):
        if state.boon[p, i] == 0:
            continue
        effect = rules.boon_effect[i]
        if effect == BOON_VP and num_coins(rules, state, p) < rules.boon_a[i]:
            continue
        if effect == BOON_CHAIN and state.step == LAST_CHAINS:
            continue
        actions[n] = USE_BOON + i
        n += 1
    return n


@jit
def play_boon(rules, state, action):
    """The tile leaves the game; then the same decision is asked again."""
    p = state.to_move
    i = action - USE_BOON
    state.boon[p, i] -= 1
    effect, a, b = rules.boon_effect[i], rules.boon_a[i], rules.boon_b[i]
    if effect == BOON_COAL:
        state.goods[p, COAL] += a
    elif effect == BOON_GOOD:
        ask_for_good(state, p, a, ANY_VALUE, NONE)
    elif effect == BOON_ANY:
        state.due = a
        state.least = 0
        if a > 0:
            ask(state, COLOUR, p)
    elif effect == BOON_YG:
        state.helpers[YELLOW] += a
        state.helpers[GREEN] += b
    elif effect == BOON_RB:
        state.helpers[RED] += a
        state.helpers[BLUE] += b
    elif effect == BOON_CARDS:
        state.draws_due[p] += a
    elif effect == BOON_VP:
        ask_for_payment_of_vp(rules, state, p, a, b)
    elif effect == BOON_DISCOUNT:
        state.discount += a
    elif effect == BOON_CHAIN:
        state.more_chain += a
    elif effect == BOON_RANGE:
        state.more_range += a


@jit
def legal_colour(state, actions):
    """Ascending."""
    n = 0
    for colour in range(state.least, NUM_CHOSEN):
        actions[n] = CHOOSE_COLOUR + colour
        n += 1
    return n


@jit
def play_colour(state, action):
    """One personal helper."""
    colour = action - CHOOSE_COLOUR
    state.helpers[colour] += 1
    state.least = colour
    state.due -= 1
    if state.due > 0:
        ask(state, COLOUR, state.to_move)
