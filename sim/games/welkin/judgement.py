"""Features: named quantities by which a player may judge a position."""

from sim.games.welkin.components import (
    ALL_RESOURCES,
    MAX_PLACES,
    NUM_EFFECTS,
    NUM_RESOURCES,
    TAKING,
)
from sim.jit import jit
from sim.records import NONE

FEATURES = ("score", "placed", "fitting", "ready", "worth", "wanted", "spare", "effects")
WEIGHTS = (1.0, 0.8, 0.6, 0.1, 0.13, 0.6, 0.1, 0.5)


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
        if s != NONE:
            num_left = state.num_left[p, i]
            num_fitting = _num_fitting(rules, state, p, i)
            worth = _worth(rules, state, p, i)
            values[1] += time * worth * (rules.site_size[s] - num_left) / rules.site_size[s]
            values[2] += time * worth * num_fitting / rules.site_size[s]
            values[3] += worth * (num_fitting == num_left)
            values[4] += time * worth
    values[5] = time * _num_wanted(rules, state, p)
    values[6] = max(_num_spare(rules, state, p) - _num_all_wild(rules, state, p), 0)
    for effect in range(NUM_EFFECTS):
        values[7] += time * state.effects[p, effect]


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
def _num_wanted(rules, state, p):
    """Missing tokens that are due now, or that the best free production can give."""
    if state.phase == TAKING and state.to_move == p:
        return _num_useful(rules, state, p, state.plus[p], state.due)
    best = 0
    for r in range(NUM_RESOURCES):
        plus = state.plus[p] ^ (1 << r)
        best = max(best, _num_useful(rules, state, p, plus, rules.num_flips[plus]))
    return best


@jit
def _num_useful(rules, state, p, plus, due):
    """Of so many tokens of the types that show, those that fill a spot."""
    if plus == ALL_RESOURCES:
        return 0
    n = max(_num_all_wild(rules, state, p) - _num_spare(rules, state, p), 0)
    for r in range(NUM_RESOURCES):
        if (plus >> r) & 1 == 0:
            n += max(_num_missing(rules, state, p, r), 0)
    return min(n, due)
