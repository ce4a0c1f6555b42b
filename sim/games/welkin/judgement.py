"""Features: named quantities by which a player may judge a position."""

from sim.games.welkin.components import (
    ALL_RESOURCES,
    MAX_PLACES,
    NUM_EFFECTS,
    NUM_RESOURCES,
    STOCK_LIMIT,
    TAKING,
    TURNING,
)
from sim.games.welkin.legal import num_in_stock
from sim.jit import jit
from sim.records import NONE

FEATURES = (
    "score",
    "complete",
    "placed",
    "fitting",
    "ready",
    "worth",
    "due",
    "wanted",
    "spare",
    "effects",
)
WEIGHTS = (1.0, 1.0, 0.63, 0.6, 0.1, 0.13, 1.2, 0.37, 0.1, 1.0)


@jit
def features(rules, state, player, values):
    """Coins; the worth of own sites and how far they are; tokens wanted and spare; effects."""
    p = player
    time = _time_left(rules, state)
    for i in range(len(values)):
        values[i] = 0
    values[0] = state.coins[p]
    for i in range(MAX_PLACES):
        s = state.site[p, i]
        if s == NONE:
            continue
        worth = _worth(rules, state, p, i)
        num_left = state.num_left[p, i]
        if num_left == 0:  # to be scored before the turn ends
            values[1] += worth
            values[9] += time * (rules.site_effect[s] > 0)
            continue
        num_fitting = _num_fitting(rules, state, p, i)
        values[2] += time * worth * (rules.site_size[s] - num_left) / rules.site_size[s]
        values[3] += time * worth * num_fitting / rules.site_size[s]
        values[4] += worth * (num_fitting == num_left)
        values[5] += time * worth
    values[6] = time * _num_due(rules, state, p)
    values[7] = time * _num_wanted(rules, state, p)
    values[8] = max(_num_spare(rules, state, p) - _num_all_wild(rules, state, p), 0)
    for effect in range(NUM_EFFECTS):
        values[9] += time * state.effects[p, effect]


@jit
def _time_left(rules, state):
    """1 in most of the game; falls to 0 over the last two rounds of openings."""
    return min(1.0, (rules.num_cards - state.num_drawn + 1) / (2.0 * rules.num_players))


@jit
def _num_open(rules, state, p, i, r):
    """Open spots of one resource on the site at a place."""
    if state.site[p, i] == NONE:
        return 0
    return rules.site_spots[state.site[p, i], r] - state.on_own[p, i, r]


@jit
def _num_wild(rules, state, p, i):
    """Open wild spots of the site at a place."""
    if state.site[p, i] == NONE:
        return 0
    n = rules.site_wild[state.site[p, i]]
    for r in range(NUM_RESOURCES):
        n -= state.on_wild[p, i, r]
    return n


@jit
def _num_fitting(rules, state, p, i):
    """Tokens of the stock for a site; earlier places come first, wild spots take what is left."""
    num_fitting = 0
    for r in range(NUM_RESOURCES):
        num_tokens = state.stock[p, r]
        for j in range(i):
            num_tokens -= _num_open(rules, state, p, j, r)
        num_fitting += max(min(num_tokens, _num_open(rules, state, p, i, r)), 0)
    num_tokens = _num_spare(rules, state, p)
    for j in range(i):
        num_tokens -= _num_wild(rules, state, p, j)
    return num_fitting + max(min(num_tokens, _num_wild(rules, state, p, i)), 0)


@jit
def _worth(rules, state, p, i):
    """Coins of a complete site at present values, open wild spots filled as well as can be."""
    best = 0
    worth = 0
    for r in range(NUM_RESOURCES):
        best = max(best, state.value[r])
        num_tokens = rules.site_spots[state.site[p, i], r] + state.on_wild[p, i, r]
        worth += num_tokens * state.value[r]
    return worth + _num_wild(rules, state, p, i) * best


@jit
def _num_missing(rules, state, p, r):
    """Open spots of one resource for which the stock has no token; below 0 what is spare."""
    n = -state.stock[p, r]
    for i in range(MAX_PLACES):
        n += _num_open(rules, state, p, i, r)
    return n


@jit
def _num_all_wild(rules, state, p):
    """Open wild spots of all sites."""
    n = 0
    for i in range(MAX_PLACES):
        n += _num_wild(rules, state, p, i)
    return n


@jit
def _num_spare(rules, state, p):
    """Tokens of the stock that fit on no spot of their own resource."""
    n = 0
    for r in range(NUM_RESOURCES):
        n += max(-_num_missing(rules, state, p, r), 0)
    return n


@jit
def _num_due(rules, state, p):
    """Missing tokens that the production under way gives."""
    if state.to_move == p and state.phase == TURNING:
        return _num_wanted(rules, state, p)
    if state.to_move == p and state.phase == TAKING:
        return _num_useful(rules, state, p, state.plus[p], state.due)
    return 0


@jit
def _num_wanted(rules, state, p):
    """Missing tokens that the best free production can give."""
    best = 0
    for r in range(NUM_RESOURCES):
        plus = state.plus[p] ^ (1 << r)
        best = max(best, _num_useful(rules, state, p, plus, rules.num_flips[plus]))
    return best


@jit
def _num_useful(rules, state, p, plus, due):
    """Of so many tokens of the types that show, those that fill a spot and find room in stock."""
    if plus == ALL_RESOURCES:
        return 0
    num_spare = _num_spare(rules, state, p)
    num_wild = _num_all_wild(rules, state, p)
    n = max(num_wild - num_spare, 0)
    for r in range(NUM_RESOURCES):
        if (plus >> r) & 1 == 0:
            n += max(_num_missing(rules, state, p, r), 0)
    num_kept = num_in_stock(state, p) - max(num_spare - num_wild, 0)
    return min(n, due, rules.limit[STOCK_LIMIT] - num_kept)
