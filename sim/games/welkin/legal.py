"""What the player to move may do (section 2).

Sets and multisets are chosen in a fixed order, ascending, so that each is reached in one way only;
a step that would leave something owed that can no longer be taken is not offered.
"""

from sim.games.welkin.components import (
    AFTER,
    ALL_RESOURCES,
    BEFORE,
    BETWEEN,
    DONE,
    END_TURN,
    FLIP,
    FLIP_CHIP,
    GAIN,
    MAX_PLACES,
    NO_FLIP,
    NUM_EFFECTS,
    NUM_OPEN,
    NUM_RESOURCES,
    NUM_SETS,
    OPEN,
    OPENING,
    PER_PLACE,
    PLACE,
    PLACING,
    PRODUCE,
    RETOOL,
    RETURN,
    RETURNING,
    SCORE,
    SECOND,
    SITE_LIMIT,
    STOCK_LIMIT,
    STOP,
    SWAP,
    SWAP_WIDTH,
    SWAPPING,
    TAKE,
    TAKING,
    THIRD,
    TURN_CHIPS,
    TURNING,
    USE_GAIN,
    USE_RETOOL,
    USE_SWAP,
    USE_THIRD,
)
from sim.jit import jit
from sim.records import NONE


@jit
def legal_actions(rules, state, actions):
    """Write what the phase of the turn offers, ascending."""
    phase = state.phase
    if phase == BEFORE:
        n = _legal_effects(rules, state, actions, 0)
        n = _legal_openings(rules, state, actions, n)
        actions[n] = PRODUCE
        return _legal_placements(rules, state, actions, n + 1)
    if phase == AFTER:
        actions[0] = END_TURN
        return _legal_effects(rules, state, actions, 1)
    if phase == TAKING:
        return _legal_takes(rules, state, actions)
    if phase == RETURNING:
        return _legal_returns(state, actions)
    if phase == PLACING:
        actions[0] = DONE
        return _legal_placements(rules, state, actions, 1)
    if phase == TURNING:
        return _legal_sets_of_chips(rules, state, actions)
    if phase == OPENING:
        return _legal_flips_on_opening(rules, actions)
    if phase == SWAPPING:
        return _legal_swap_takes(state, actions)
    n = _legal_effects(rules, state, actions, 0) if phase == BETWEEN else 0
    return _legal_scorings(state, actions, n)


# Special effects (section 2.4) --------------------------------------------------------------------


@jit
def num_usable(rules, state, p, effect):
    """Unused effects of a kind; not those of this turn, with ``effect_same_turn = false``."""
    if rules.effect_same_turn == SECOND:
        return state.effects[p, effect] - state.new_effects[effect]
    return state.effects[p, effect]


@jit
def _legal_effects(rules, state, actions, n):
    """Those that are left: THIRD, then FLIPs and RETOOLs, each ascending, then GAIN and SWAP."""
    p = state.to_move
    if not _has_effects(state, p):
        return n
    least = state.least_effect
    if (
        num_usable(rules, state, p, THIRD) > 0
        and least <= USE_THIRD
        and state.site_limit[p] == rules.limit[SITE_LIMIT]
    ):
        actions[n] = USE_THIRD
        n += 1
    if num_usable(rules, state, p, FLIP) > 0:
        for a in range(max(FLIP_CHIP, least), FLIP_CHIP + rules.num_chips):
            actions[n] = a
            n += 1
    if num_usable(rules, state, p, RETOOL) > 0:
        for a in range(max(USE_RETOOL, least), USE_GAIN):
            actions[n] = a
            n += 1
    if num_usable(rules, state, p, GAIN) > 0:
        n = _legal_gains(rules, state, actions, n)
    if num_usable(rules, state, p, SWAP) > 0:
        n = _legal_swaps(state, actions, n)
    return n


@jit
def _has_effects(state, p):
    n = 0
    for effect in range(NUM_EFFECTS):
        n += state.effects[p, effect]
    return n > 0


@jit
def num_in_stock(state, p):
    """Tokens of all resources."""
    n = 0
    for r in range(NUM_RESOURCES):
        n += state.stock[p, r]
    return n


@jit
def _legal_gains(rules, state, actions, n):
    """GAIN: any type that the supply has, with room in the stock (`gain_when_full`)."""
    is_full = num_in_stock(state, state.to_move) >= rules.limit[STOCK_LIMIT]
    if is_full and rules.gain_when_full != SECOND:
        return n
    for r in range(NUM_RESOURCES):
        if state.supply[r] > 0:
            actions[n] = USE_GAIN + r
            n += 1
    return n


@jit
def _legal_swaps(state, actions, n):
    """SWAP: one or two tokens of the stock."""
    stock = state.stock[state.to_move]
    for first in range(NUM_RESOURCES):
        if stock[first] == 0:
            continue
        for second in range(first, NUM_RESOURCES):
            if stock[second] > (1 if second == first else 0):
                actions[n] = USE_SWAP + SWAP_WIDTH * first + second
                n += 1
        actions[n] = USE_SWAP + SWAP_WIDTH * first + NUM_RESOURCES
        n += 1
    return n


# Action O: open a site (section 2.1) --------------------------------------------------------------


@jit
def num_held(state, p):
    """Sites before a player."""
    n = 0
    for i in range(MAX_PLACES):
        n += state.site[p, i] != NONE
    return n


@jit
def _legal_openings(rules, state, actions, n):
    """Any site that lies face up, below the limit."""
    p = state.to_move
    if num_held(state, p) < state.site_limit[p]:
        for i in range(NUM_OPEN):
            if state.face_up[i] != NONE:
                actions[n] = OPEN + i
                n += 1
    return n


@jit
def _legal_flips_on_opening(rules, actions):
    """The left symbol: any trade chip, or none (`flip_on_open_rule`)."""
    n = 0
    if rules.flip_on_open_rule != SECOND:
        actions[n] = NO_FLIP
        n += 1
    for i in range(rules.num_chips):
        actions[n] = FLIP_CHIP + i
        n += 1
    return n


# Action P: produce (section 2.2) ------------------------------------------------------------------


@jit
def _legal_sets_of_chips(rules, state, actions):
    """Any set of own chips to turn over; each after the first costs a coin."""
    most = state.coins[state.to_move] + 1
    n = 0
    for chips in range(1, NUM_SETS):
        actions[n] = TURN_CHIPS + chips - 1
        n += rules.num_flips[chips] <= most
    return n


@jit
def _legal_takes(rules, state, actions):
    """A visible type that the supply has; fewer with ``produce_exact = false``."""
    n = 0
    if rules.produce_exact == SECOND:
        actions[n] = STOP
        n += 1
    visible = ALL_RESOURCES & ~state.plus[state.to_move]
    due = 0 if rules.produce_exact == SECOND else state.due
    return _legal_tokens(state.supply, visible, due, state.least, TAKE, actions, n)


@jit
def _legal_swap_takes(state, actions):
    """Any type that the supply has, the returned tokens included."""
    return _legal_tokens(state.supply, ALL_RESOURCES, state.due, state.least, TAKE, actions, 0)


@jit
def _legal_returns(state, actions):
    """Any token of the stock."""
    stock = state.stock[state.to_move]
    return _legal_tokens(stock, ALL_RESOURCES, state.due, state.least, RETURN, actions, 0)


@jit
def _legal_tokens(tokens, types, due, least, first_action, actions, n):
    """Ascending; what is due must be there among this type and the later ones."""
    first = max(least - first_action, 0)
    num_there = 0
    for r in range(first, NUM_RESOURCES):
        num_there += tokens[r] * ((types >> r) & 1)
    for r in range(first, NUM_RESOURCES):
        num_here = tokens[r] * ((types >> r) & 1)
        actions[n] = first_action + r
        n += (num_here > 0) & (num_there >= due)
        num_there -= num_here
    return n


# Action U: use resources (section 2.3) ------------------------------------------------------------


@jit
def _legal_placements(rules, state, actions, n):
    """Any token of the stock on an open spot of an own site, its own or a wild one; ascending."""
    p = state.to_move
    if num_in_stock(state, p) == 0:
        return n
    least = state.least
    for i in range(MAX_PLACES):
        if state.num_left[p, i] == 0:
            continue
        s = state.site[p, i]
        num_wild = rules.site_wild[s]
        for r in range(NUM_RESOURCES):
            num_wild -= state.on_wild[p, i, r]
        a = PLACE + PER_PLACE * i
        for r in range(NUM_RESOURCES):
            has_token = state.stock[p, r] > 0
            is_open = rules.site_spots[s, r] > state.on_own[p, i, r]
            actions[n] = a
            n += has_token & is_open & (a >= least)
            actions[n] = a + 1
            n += has_token & (num_wild > 0) & (a + 1 >= least)
            a += 2
    return n


@jit
def _legal_scorings(state, actions, n):
    """Any completed site (`effects_timing = anytime`)."""
    p = state.to_move
    for i in range(MAX_PLACES):
        if state.site[p, i] != NONE and state.num_left[p, i] == 0:
            actions[n] = SCORE + i
            n += 1
    return n
