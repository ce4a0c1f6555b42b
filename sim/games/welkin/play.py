"""Set-up, playing, scoring and hidden information (sections 1 to 3)."""

from sim.chance import below, shuffle
from sim.games.welkin.components import (
    AFTER,
    BEFORE,
    BETWEEN,
    COMPLETED_SITES,
    DONE,
    END_TURN,
    FLIP,
    FLIP_CHIP,
    GAIN,
    MAX_PLACES,
    NO_FLIP,
    NUM_OPEN,
    NUM_RESOURCES,
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
    SCORING,
    SECOND,
    SITE_LIMIT,
    STOCK,
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
from sim.games.welkin.legal import num_held, num_in_stock
from sim.jit import jit
from sim.records import CAPPED, FINISHED, NONE

# Set-up (section 1) -------------------------------------------------------------------------------


@jit
def setup(rules, state):
    """Toss the trade chips, shuffle the sites, turn up five, hand out the coins; seat 0 starts."""
    for i in range(rules.num_chips):
        state.side[i] = below(state.chance, 2)
        state.value[rules.chip_side[i, state.side[i]]] += 1
    for s in range(rules.num_sites):
        state.deck[s] = s
    shuffle(state.deck, 0, rules.num_sites, state.chance)
    for i in range(NUM_OPEN):
        state.face_up[i] = state.deck[i]
    state.num_drawn = NUM_OPEN
    state.supply[:] = rules.num_tokens
    state.site[:] = NONE
    for p in range(rules.num_players):
        state.coins[p] = rules.seat_coins[p]
        state.site_limit[p] = rules.limit[SITE_LIMIT]


# Playing (section 2) ------------------------------------------------------------------------------


@jit
def apply_action(rules, state, action):
    """Do one step of a turn."""
    if action >= PLACE:
        if action >= SCORE:
            _score_next(rules, state, action - SCORE)
        else:
            _place(state, action)
    elif action >= TAKE:
        if action >= RETURN:
            _return(state, action)
        else:
            _take(rules, state, action)
    elif action >= TURN_CHIPS:
        _turn_chips(rules, state, action - TURN_CHIPS + 1)
    elif action == PRODUCE:
        state.phase = TURNING
    elif action == END_TURN:
        _end_turn(rules, state)
    elif action == DONE:
        _complete(rules, state)
    elif action == STOP:
        _end_production(rules, state)
    elif action >= OPEN:
        _open(rules, state, action - OPEN)
    elif state.phase == OPENING:
        if action != NO_FLIP:
            _flip(rules, state, action - FLIP_CHIP)
        _replace(rules, state)
    else:
        _use_effect(rules, state, action)


@jit
def _end_action(state):
    """Effects may follow."""
    state.phase = AFTER
    state.least_effect = 0


@jit
def _end_turn(rules, state):
    """The next seat; the last round and the guard end after the last seat (sections 3 and 6)."""
    state.turn += 1
    if state.to_move == rules.num_players - 1:
        if state.is_last_round == 1:
            state.over = FINISHED
            return
        if state.turn >= rules.max_rounds * rules.num_players:
            state.over = CAPPED
            return
        state.to_move = 0
    else:
        state.to_move += 1
    state.phase = BEFORE
    state.least_effect = 0
    state.least = 0
    state.new_effects[:] = 0


# Special effects (section 2.4) --------------------------------------------------------------------


@jit
def _use_effect(rules, state, action):
    """The card is turned over; the order of effects goes on from here."""
    p = state.to_move
    state.effects_phase = state.phase
    state.least_effect = action
    if action == USE_THIRD:
        state.effects[p, THIRD] -= 1
        state.site_limit[p] += 1
    elif action < USE_RETOOL:
        state.effects[p, FLIP] -= 1
        _flip(rules, state, action - FLIP_CHIP)
    elif action < USE_GAIN:
        state.effects[p, RETOOL] -= 1
        state.plus[p] ^= action - USE_RETOOL + 1
    elif action < USE_SWAP:
        state.effects[p, GAIN] -= 1
        _gain(rules, state, p, action - USE_GAIN)
    else:
        state.effects[p, SWAP] -= 1
        _swap(state, p, action - USE_SWAP)


@jit
def _flip(rules, state, i):
    """A trade chip moves to the area of its other side."""
    state.value[rules.chip_side[i, state.side[i]]] -= 1
    state.side[i] = 1 - state.side[i]
    state.value[rules.chip_side[i, state.side[i]]] += 1


@jit
def _gain(rules, state, p, r):
    """GAIN: one token; over the limit one is returned (`gain_when_full`)."""
    _move_to_stock(state, p, r, 1)
    if num_in_stock(state, p) > rules.limit[STOCK_LIMIT]:
        _ask(state, RETURNING, 1)


@jit
def _swap(state, p, tokens):
    """SWAP: one or two tokens go back, as many are taken."""
    first, second = tokens // SWAP_WIDTH, tokens % SWAP_WIDTH
    _move_to_stock(state, p, first, -1)
    if second < NUM_RESOURCES:
        _move_to_stock(state, p, second, -1)
        _ask(state, SWAPPING, 2)
    else:
        _ask(state, SWAPPING, 1)


@jit
def _move_to_stock(state, p, r, num_tokens):
    state.stock[p, r] += num_tokens
    state.supply[r] -= num_tokens


@jit
def _ask(state, phase, due):
    """Tokens are owed, one after the other."""
    state.phase = phase
    state.due = due
    state.least = 0


# Action O: open a site (section 2.1) --------------------------------------------------------------


@jit
def _open(rules, state, i):
    """Take a site; if it cannot be replaced the game ends (`end_rule`, section 3)."""
    p = state.to_move
    s = state.face_up[i]
    place = 0
    while state.site[p, place] != NONE:
        place += 1
    state.site[p, place] = s
    state.num_left[p, place] = rules.site_size[s]
    state.face_up[i] = NONE
    if state.num_drawn == rules.num_cards:
        if rules.end_rule != SECOND:
            state.turn += 1
            state.over = FINISHED
            return
        state.is_last_round = 1
    if rules.site_flips[s] == 1:
        state.phase = OPENING
    else:
        _replace(rules, state)


@jit
def _replace(rules, state):
    """The top card of the pile takes the place of the site that was opened."""
    for i in range(NUM_OPEN):
        if state.face_up[i] == NONE and state.num_drawn < rules.num_cards:
            state.face_up[i] = state.deck[state.num_drawn]
            state.num_drawn += 1
    _end_action(state)


# Action P: produce (section 2.2) ------------------------------------------------------------------


@jit
def _turn_chips(rules, state, chips):
    """Turn over the chips and pay; a token is due for each "+1", of the types that still show."""
    p = state.to_move
    state.coins[p] -= rules.num_flips[chips] - 1
    state.plus[p] ^= chips
    num_there = 0
    for r in range(NUM_RESOURCES):
        num_there += state.supply[r] * (1 - ((state.plus[p] >> r) & 1))
    due = min(rules.num_flips[state.plus[p]], num_there)
    if rules.overflow == SECOND:
        due = min(due, max(rules.limit[STOCK_LIMIT] - num_in_stock(state, p), 0))
    if due > 0:
        _ask(state, TAKING, due)
    else:
        _end_action(state)


@jit
def _take(rules, state, action):
    """One token; the last one that is due ends the taking."""
    _move_to_stock(state, state.to_move, action - TAKE, 1)
    state.least = action
    state.due -= 1
    if state.phase == SWAPPING:
        if state.due == 0:
            state.phase = state.effects_phase
            state.least = 0
    elif state.due == 0:
        _end_production(rules, state)


@jit
def _end_production(rules, state):
    """What the stock cannot hold is returned (`overflow`)."""
    surplus = num_in_stock(state, state.to_move) - rules.limit[STOCK_LIMIT]
    _end_action(state)
    if surplus > 0:
        state.effects_phase = AFTER
        _ask(state, RETURNING, surplus)


@jit
def _return(state, action):
    """One token back into the supply."""
    _move_to_stock(state, state.to_move, action - RETURN, -1)
    state.least = action
    state.due -= 1
    if state.due == 0:
        state.phase = state.effects_phase
        state.least = 0


# Action U: use resources (section 2.3) ------------------------------------------------------------


@jit
def _place(state, action):
    """One token on a spot of its own resource or on a wild one."""
    p = state.to_move
    i = (action - PLACE) // PER_PLACE
    r = (action - PLACE) % PER_PLACE // 2
    state.stock[p, r] -= 1
    if (action - PLACE) % 2 == 0:
        state.on_own[p, i, r] += 1
    else:
        state.on_wild[p, i, r] += 1
    state.num_left[p, i] -= 1
    state.phase = PLACING
    state.least = action


@jit
def _complete(rules, state):
    """Score what is complete, several sites in the order of their places (`effects_timing`)."""
    p = state.to_move
    num_complete = _num_complete(state, p)
    if rules.effects_timing == SECOND and num_complete > 1:
        state.phase = SCORING
        return
    for i in range(MAX_PLACES):
        if state.site[p, i] != NONE and state.num_left[p, i] == 0:
            _score(rules, state, p, i)
    _end_action(state)


@jit
def _num_complete(state, p):
    n = 0
    for i in range(MAX_PLACES):
        n += state.site[p, i] != NONE and state.num_left[p, i] == 0
    return n


@jit
def _score_next(rules, state, i):
    """``effects_timing = anytime``: one site, then effects before the next one."""
    p = state.to_move
    _score(rules, state, p, i)
    if _num_complete(state, p) == 0:
        _end_action(state)
    else:
        state.phase = BETWEEN
        state.least_effect = 0


@jit
def _score(rules, state, p, i):
    """Each token pays the value of its resource and goes back; the card's effect is gained."""
    s = state.site[p, i]
    for r in range(NUM_RESOURCES):
        num_tokens = state.on_own[p, i, r] + state.on_wild[p, i, r]
        state.coins[p] += num_tokens * state.value[r]
        state.supply[r] += num_tokens
        state.on_own[p, i, r] = 0
        state.on_wild[p, i, r] = 0
    if num_held(state, p) > rules.limit[SITE_LIMIT]:
        state.site_limit[p] = rules.limit[SITE_LIMIT]
    state.site[p, i] = NONE
    state.num_finished[p] += 1
    effect = rules.site_effect[s] - 1
    if effect >= 0:
        state.effects[p, effect] += 1
        state.new_effects[effect] += 1


# Scoring (section 3) ------------------------------------------------------------------------------


@jit
def scores(rules, state, points):
    """Coins."""
    for p in range(rules.num_players):
        points[p] = state.coins[p]


@jit
def ranks(rules, state, points, ranks):
    """Most coins first; ties as `winner_tie` says, for all places."""
    for p in range(rules.num_players):
        ranks[p] = 1
        for q in range(rules.num_players):
            if points[q] > points[p] or (points[q] == points[p] and _wins_tie(rules, state, q, p)):
                ranks[p] += 1


@jit
def _wins_tie(rules, state, q, p):
    """More finished sites, or more tokens in stock; else the victory is shared."""
    if rules.winner_tie == COMPLETED_SITES:
        return state.num_finished[q] > state.num_finished[p]
    return rules.winner_tie == STOCK and num_in_stock(state, q) > num_in_stock(state, p)


# Hidden information (section 2.5) -----------------------------------------------------------------


@jit
def determinize(rules, state, observer):
    """Deal anew the pile and the cards that are out of the game, unknown to everybody alike."""
    shuffle(state.deck, state.num_drawn, rules.num_sites, state.chance)
