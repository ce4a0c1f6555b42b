"""What players own and may do: small rules that several phases share."""

from sim.games.pillars.components import (
    CRAFTSMAN_LIMIT,
    CRAFTSMAN_SLOT,
    MAX_GOLD,
    NO_PENALTY,
    NUM_KINDS,
    SECOND,
    VP_PER_1,
    VP_PER_2_CEIL,
)
from sim.jit import jit
from sim.sets import lowest, only, size, without_lowest


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
    return _seat(rules, state.start_player + position)


@jit
def seat_after(rules, p):
    """Clockwise."""
    return _seat(rules, p + 1)


@jit
def _seat(rules, number):
    """Start again from seat 0 after the last one; a division would take long."""
    return number - rules.num_players if number >= rules.num_players else number


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
def has_card(rules, state, p, effect):
    """Whether an advantage card of this effect lies before the player."""
    return state.advantages[p] & rules.cards_of_effect[effect] != 0


@jit
def discard(rules, state, p, effect):
    """Discard the advantage card of this effect, the first if there are several."""
    card = lowest(state.advantages[p] & rules.cards_of_effect[effect])
    state.advantages[p] &= ~only(card)


@jit
def sum_over_cards(rules, state, p, effect, amounts):
    """Add up what the player's advantage cards of this effect have in a column of the table."""
    total = 0
    cards = state.advantages[p] & rules.cards_of_effect[effect]
    while cards != 0:
        total += amounts[lowest(cards)]
        cards = without_lowest(cards)
    return total


@jit
def is_over_limit(rules, state, p):
    """Whether the player has more craftsmen than 5, or 6 with Jack (D2)."""
    slots = sum_over_cards(rules, state, p, CRAFTSMAN_SLOT, rules.advantage_slots)
    return size(state.craftsmen[p]) > rules.number[CRAFTSMAN_LIMIT] + slots


@jit
def has_trade(rules, state, p, trade):
    """Whether a craftsman of the player counts as a mortar mixer, woodworker or stonecutter."""
    return state.craftsmen[p] & rules.cards_of_trade[trade] != 0


@jit
def write_cards(cards, first, actions, n):
    """Write one action for each card of a set after the first n actions; return how many now."""
    while cards != 0:
        actions[n] = first + lowest(cards)
        cards = without_lowest(cards)
        n += 1
    return n


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
