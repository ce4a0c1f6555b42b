"""Final scoring and places (sections 3.2, 3.3 and 3.5)."""

import numpy as np

from sim.games.newdale.components import (
    COINS_PER_VP,
    LOWER_PLACE,
    NUM_AREAS,
    SECOND,
    SOLO_STRENGTH,
    SPLIT,
)
from sim.games.newdale.supply import num_coins
from sim.jit import jit
from sim.records import NONE
from sim.sets import size

_NEVER = 1_000_000  # coins


@jit
def scores(rules, state, points):
    """VP of the track and of the final scoring, as if the game ended now."""
    for p in range(rules.num_players):
        points[p] = score_of(rules, state, p)


@jit
def score_of(rules, state, p):
    """All parts of the score."""
    return (
        state.vp[p]
        + military(rules, state, p)
        + chapter_order(rules, state, p)
        + coins_left(rules, state, p) // rules.number[COINS_PER_VP]
        + secret_order(rules, state, p)
        + buildings(rules, state, p)
    )


@jit
def strength(rules, state, p):
    """Of all own built cards."""
    total = 0
    for a in range(NUM_AREAS):
        if state.built[p, a] != NONE:
            total += rules.card_strength[state.built[p, a]]
    for i in range(state.num_special[p]):
        total += rules.card_strength[state.special[p, i]]
    return total


@jit
def buildings(rules, state, p):
    """VP of all own built cards (3.2, step 5)."""
    total = 0
    for a in range(NUM_AREAS):
        if state.built[p, a] != NONE:
            total += rules.card_vp[state.built[p, a]]
    for i in range(state.num_special[p]):
        total += rules.card_vp[state.special[p, i]]
    return total


@jit
def military(rules, state, p):
    """VP for the place in strength (3.2, step 1; `military_ties`, `military_zero`)."""
    own = strength(rules, state, p)
    if rules.num_players == 1:
        for i in range(3):
            if own >= rules.number[SOLO_STRENGTH + i]:
                return rules.military_vp[0, i]
        return 0
    if own == 0 and rules.military_zero != SECOND:
        return 0
    place = 0
    num_tied = 0
    for q in range(rules.num_players):
        other = strength(rules, state, q)
        place += other > own
        num_tied += other == own
    if rules.military_ties == LOWER_PLACE:
        return _prize(rules, place + num_tied - 1)
    if rules.military_ties == SPLIT:
        total = 0
        for i in range(place, place + num_tied):
            total += _prize(rules, i)
        return total // num_tied
    return _prize(rules, place)


@jit
def _prize(rules, place):
    return rules.military_vp[0, place] if place < 3 else 0


@jit
def num_rations(rules, state, p):
    """Of all own goods."""
    total = 0
    for g in range(rules.num_goods):
        total += state.goods[p, g] * rules.good_rations[g]
    return total


@jit
def _tier_reached(rules, state, p):
    """The limit of the chapter order that brings the most VP, or NONE."""
    best = NONE
    if rules.order_kind[0] == 0:
        return best
    rations = num_rations(rules, state, p)
    for i in range(2):
        if rations >= rules.tier[0, i] and (
            best == NONE or rules.tier[0, i] >= rules.tier[0, best]
        ):
            best = i
    return best


@jit
def chapter_order(rules, state, p):
    """VP of the highest limit that the rations reach (3.2, step 2)."""
    tier = _tier_reached(rules, state, p)
    return 0 if tier == NONE else rules.tier_vp[0, tier]


@jit
def coins_left(rules, state, p):
    """Coins of the goods; with `order_consumes` without the cheapest rations for the limit."""
    coins = num_coins(rules, state, p)
    if rules.order_consumes != SECOND and rules.chapter_consumes[0] == 0:
        return coins
    tier = _tier_reached(rules, state, p)
    if tier == NONE:
        return coins
    return coins - _cheapest_rations(rules, state, p, int(rules.tier[0, tier]))


@jit
def _cheapest_rations(rules, state, p, limit):
    """Fewest coins of own goods with at least so many rations; the array is for this option."""
    fewest = np.full(limit + 1, _NEVER)
    fewest[0] = 0
    for g in range(rules.num_goods):
        rations = rules.good_rations[g]
        if rations > 0:
            for _ in range(state.goods[p, g]):
                for reached in range(limit, -1, -1):
                    more = min(limit, reached + rations)
                    fewest[more] = min(fewest[more], fewest[reached] + rules.good_value[g])
    return fewest[limit]


@jit
def secret_order(rules, state, p):
    """VP for each own house on a town with the banner (3.2, step 4)."""
    o = state.order[p]
    if o == NONE:
        return 0
    return rules.order_vp[o] * size(state.houses[p] & rules.order_towns[o])


@jit
def ranks(rules, state, points, ranks):
    """Most VP, then most coins beyond the last full 5; then shared (section 3.3).

    One player has place 1 if the game is won, else place 2 (section 3.5).
    """
    if rules.num_players == 1:
        ranks[0] = 1 if is_won(rules, state, points[0]) else 2
        return
    for p in range(rules.num_players):
        ranks[p] = 1
        for q in range(rules.num_players):
            if points[q] > points[p] or (
                points[q] == points[p] and _rest(rules, state, q) > _rest(rules, state, p)
            ):
                ranks[p] += 1


@jit
def is_won(rules, state, score):
    """One player has reached both limits of the chapter (section 3.5)."""
    return score >= rules.solo_total[0] and num_rations(rules, state, 0) >= rules.solo_order[0]


@jit
def _rest(rules, state, p):
    return coins_left(rules, state, p) % rules.number[COINS_PER_VP]
