"""What players own and may do: small rules that several phases share."""

from sim.games.pillars.components import (
    CRAFTSMAN_LIMIT,
    CRAFTSMAN_SLOT,
    MAX_GOLD,
    MORTAR_MIXER,
    NO_PENALTY,
    NUM_ADVANTAGES,
    NUM_CRAFTSMEN,
    NUM_KINDS,
    SECOND,
    VP_PER_1,
    VP_PER_2_CEIL,
    WOODWORKER,
)
from sim.jit import jit
from sim.records import NONE


@jit
def ask(state, decision, player):
    """Wait for a decision of this player, which begins a turn of his."""
    state.turn += 1
    ask_on(state, decision, player)


@jit
def ask_on(state, decision, player):
    """Wait for a further decision within the same turn."""
    state.decision = decision
    state.to_move = player


@jit
def player_at(rules, state, position):
    """Player order: start player first, then clockwise."""
    return (state.start_player + position) % rules.num_players


@jit
def gain_gold(rules, state, p, amount):
    """Gold above 30 is lost at once (section 1.2)."""
    state.gold[p] = min(state.gold[p] + amount, rules.number[MAX_GOLD])


@jit
def change_vp(state, p, amount):
    """VP never go below 0 (section 1.2)."""
    state.vp[p] = max(state.vp[p] + amount, 0)


@jit
def gain_cubes(state, p, kind, amount):
    """Cubes come from the general supply, which never runs out (section 2.3, steps 6-8)."""
    state.cubes[p, kind] += amount
    state.general[kind] -= amount


@jit
def give_back_cubes(state, p, kind, amount):
    """Used and returned cubes go to the general supply."""
    state.cubes[p, kind] -= amount
    state.general[kind] += amount


@jit
def pay_or_lose_vp(rules, state, p, amount):
    """Pay all gold; for what is missing VP are lost, as `shortfall_rule` says (step 9)."""
    missing = amount - state.gold[p]
    state.gold[p] = max(state.gold[p] - amount, 0)
    if missing <= 0 or rules.shortfall_rule == NO_PENALTY:
        return
    if rules.shortfall_rule == VP_PER_1:
        change_vp(state, p, -missing)
    elif rules.shortfall_rule == VP_PER_2_CEIL:
        change_vp(state, p, -((missing + 1) // 2))
    else:
        change_vp(state, p, -(missing // 2))


@jit
def card_with(rules, state, p, effect):
    """Return the advantage card of this effect that lies before the player, or NONE."""
    for c in range(NUM_ADVANTAGES):
        if state.advantage[p, c] == 1 and rules.advantage_effect[c] == effect:
            return c
    return NONE


@jit
def num_craftsmen(state, p):
    """Count the craftsmen of a player."""
    n = 0
    for c in range(NUM_CRAFTSMEN):
        n += state.craftsman[p, c]
    return n


@jit
def is_over_limit(rules, state, p):
    """Whether the player has more craftsmen than 5, or 6 with Jack (D2)."""
    limit = rules.number[CRAFTSMAN_LIMIT]
    for c in range(NUM_ADVANTAGES):
        if state.advantage[p, c] == 1 and rules.advantage_effect[c] == CRAFTSMAN_SLOT:
            limit += rules.advantage_slots[c]
    return num_craftsmen(state, p) > limit


@jit
def has_trade(rules, state, p, trade):
    """Whether a craftsman of the player counts as a mortar mixer, woodworker or stonecutter."""
    only_start = (trade == WOODWORKER and rules.master_woodworker_counts == SECOND) or (
        trade == MORTAR_MIXER and rules.improved_mortar_mixer_counts == SECOND
    )
    for c in range(NUM_CRAFTSMEN):
        if state.craftsman[p, c] == 1 and rules.craftsman_trade[c, trade] == 1:
            if not only_start or rules.craftsman_deck[c] == 0:
                return True
    return False


@jit
def num_in_mill(rules, state, p):
    """Workers in the wool mill that earn gold (step 3)."""
    if rules.grey_workers_in_mill == SECOND:
        return state.workers[p] - state.grey_free[p]
    return state.workers[p]


@jit
def num_cubes(state, p):
    """Count the cubes of a player, metal too."""
    n = 0
    for kind in range(NUM_KINDS):
        n += state.cubes[p, kind]
    return n
