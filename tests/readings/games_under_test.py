"""Every game at every number of players, and what is conserved in each: for the generic tests."""

import pkgutil

import numpy as np
from numba import config

import sim
from sim.game import find_definition
from sim.sets import members

SHIPPED = sorted(module.name for module in pkgutil.iter_modules(sim.games.__path__))


def all_games():
    """Every shipped game at every number of players; as plain Python at the largest alone."""
    return [
        sim.load(name, players=players)
        for name in SHIPPED
        for players in find_definition(name).players[-1 if config.DISABLE_JIT else 0 :]
    ]


def variants():
    """Every game with each of its named options changed, one at a time; numbers are left out."""
    return [
        sim.load(name, **{option.name: value})
        for name in SHIPPED
        for option in find_definition(name).options
        if isinstance(option.values, tuple)
        for value in option.values
        if value != option.default and type(value) is not int
    ]


def walk(game, seed):
    """Yield (state, action, legal) of a random game, a copy of the state before the action."""
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    while not state.over:
        legal = game.legal(state)
        action = int(rng.choice(legal))
        yield game.copy(state), action, legal
        game.apply(state, action)
    yield game.copy(state), None, game.legal(state)


def conserved(game, state):
    """Say what is never created or lost, as something that can be compared."""
    return CONSERVED[game.name](game, state)


def _treelings(game, state):
    left = np.bincount(state.deck[state.num_drawn : state.deck_size], minlength=6)
    cards = left + state.market + state.height.sum(axis=0) + state.hand.sum(axis=0)
    assert (state.height.max(axis=0) <= game.rules.guild_count).all()
    return cards.tolist()


def _connect_four(game, state):
    stones = [int(bits).bit_count() for bits in state.stones]
    assert state.stones[0] & state.stones[1] == 0
    assert sum(stones) == state.turn == state.height.sum()
    return stones[0] - stones[1] in (0, 1)


def _pillars(game, state):
    players = range(game.players)
    for p in players:  # builders: in the bag, just drawn, on the board, waiting on the track
        out = sum(int((places == p).sum()) for places in (state.space, state.track))
        total = int(state.bag[p]) + int(state.drawn == p) + out
        assert total in (2, 3)  # the wall keeps one out of the bag for a round
    assert state.grey.sum() + state.grey_next.sum() <= 4
    assert (state.gold >= 0).all() and (state.gold <= 30).all() and (state.vp >= 0).all()
    numbered = [c for cards in state.craftsmen for c in members(cards) if c >= 3]
    lying = [c for cards in state.advantages for c in members(cards)]
    assert len(numbered) == len(set(numbered)) and len(lying) == len(set(lying))
    cubes = state.cubes.sum(axis=0) + state.stock + state.general
    cubes[3] += state.court_metal
    return cubes.tolist()


def _welkin(game, state):
    """Section 4 of its rules text, and all cards."""
    rules, players = game.rules, range(game.players)
    sides = [rules.chip_side[i, state.side[i]] for i in range(rules.num_chips)]
    assert state.value.tolist() == np.bincount(sides, minlength=5).tolist()
    held = (state.site >= 0).sum(axis=1)
    placed = state.on_own + state.on_wild
    assert (state.coins >= 0).all() and (state.stock >= 0).all() and (state.supply >= 0).all()
    assert (held[players] <= state.site_limit[players]).all()
    for p, i in zip(*np.nonzero(state.site >= 0), strict=True):
        s = state.site[p, i]
        assert state.num_left[p, i] + placed[p, i].sum() == rules.site_size[s]
        assert (state.on_own[p, i] <= rules.site_spots[s]).all()
        assert state.on_wild[p, i].sum() <= rules.site_wild[s]
    tokens = state.supply + state.stock.sum(axis=0) + placed.sum(axis=(0, 1))
    cards = rules.num_cards - state.num_drawn + (state.face_up >= 0).sum() + held.sum()
    return tokens.tolist(), int(cards + state.num_finished.sum()), int(state.value.sum())


def _newdale(game, state):
    """Section 4 of its rules text: every card is somewhere, once; houses and buildings agree."""
    rules, players = game.rules, range(game.players)
    cards = state.pile[: state.pile_size].tolist()
    cards += np.flatnonzero(state.in_discards).tolist() + np.flatnonzero(state.on_display).tolist()
    for p in players:
        hand = state.hand[p, : state.hand_size[p]].tolist()
        assert hand == sorted(hand)
        assert state.num_old[p] == state.is_old[hand].sum()
        cards += hand + state.aside[p, : state.num_aside[p]].tolist()
        cards += [c for c in state.built[p, 1:].tolist() + state.special[p].tolist() if c >= 0]
    assert state.num_discards == state.in_discards.sum()
    assert (state.goods >= 0).all() and (state.draws_due == 0).all()
    houses = [int(state.houses[p]).bit_count() for p in players]
    assert max(houses) <= rules.setup_houses[game.players - 1]
    orders = [int(state.order[p]) for p in players]
    assert len(set(orders)) == len(orders)
    return sorted(cards)


CONSERVED = {
    "treelings": _treelings,
    "connect_four": _connect_four,
    "pillars": _pillars,
    "welkin": _welkin,
    "newdale": _newdale,
}
