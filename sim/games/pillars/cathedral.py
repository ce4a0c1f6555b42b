"""Phase III, step 13: the cathedral (section 2.3)."""

from sim.games.pillars.actions import (
    ask_on,
    change_vp,
    gain_gold,
    give_back_cubes,
    has_trade,
    is_over_limit,
    num_cubes,
    player_at,
)
from sim.games.pillars.components import (
    CUBE_LIMIT,
    EVENT_CAPACITY,
    INSPIRE,
    METAL,
    MORTAR_MIXER,
    NEXT_ROUND,
    NUM_KINDS,
    REMOVE,
    RETURN,
    RETURN_CUBE,
    SECOND,
    STOP,
    USE,
    USE_CRAFTSMAN,
)
from sim.games.pillars.steps import can_be_inspired, go_to, next_player
from sim.jit import jit
from sim.sets import lowest, without_lowest

# Stages of one player's step.
_BEGIN, _LIMIT, _INSPIRATION, _USES, _STORING = 0, 1, 2, 3, 4


@jit
def run_building(rules, state):
    """In player order each player does the whole of this step."""
    if state.cursor == rules.num_players:
        go_to(state, NEXT_ROUND)
        return
    p = player_at(rules, state, state.cursor)
    if state.stage == _BEGIN:
        state.turn += 1
        state.used[:] = 0
        state.gold_aside = 0
        state.stage = _LIMIT
    if state.stage == _LIMIT:
        if is_over_limit(rules, state, p):  # with over_limit_discard = at_step_13
            ask_on(state, REMOVE, p)
            return
        state.stage = _INSPIRATION
    if state.stage == _INSPIRATION:
        state.stage = _USES
        if _is_inspired_now(rules, state, p):
            ask_on(state, INSPIRE, p)
            return
    if state.stage == _USES:
        ask_on(state, USE, p)
    elif num_cubes(state, p) > rules.number[CUBE_LIMIT]:
        ask_on(state, RETURN, p)
    else:
        next_player(state)


@jit
def _is_inspired_now(rules, state, p):
    """D12 with E10, unless it was asked in step 1 or nobody is eligible."""
    return (
        rules.event_effect[state.event] == EVENT_CAPACITY
        and rules.archbishop_choice_time != SECOND
        and can_be_inspired(rules, state, p)
    )


@jit
def _can_use(rules, state, p, c):
    """D13: used less often than its capacity, inputs held, needs met."""
    is_free = state.used[c] < rules.craftsman_capacity[c] + (state.inspired[p] == c)
    has_inputs = state.gold[p] >= rules.craftsman_in_gold[c]
    for kind in range(NUM_KINDS):
        has_inputs &= state.cubes[p, kind] >= rules.craftsman_in[c, kind]
    has_metal = state.cubes[p, METAL] >= rules.craftsman_needs_metal[c]
    has_mixer = has_trade(rules, state, p, MORTAR_MIXER) >= rules.craftsman_needs_mixer[c]
    return is_free & has_inputs & has_metal & has_mixer


@jit
def legal_use(rules, state, actions):
    """D13: stop, or one more use of any craftsman."""
    p = state.to_move
    actions[0] = STOP
    n = 1
    cards = state.craftsmen[p]
    while cards != 0:
        c = lowest(cards)
        cards = without_lowest(cards)
        actions[n] = USE_CRAFTSMAN + c
        n += _can_use(rules, state, p, c)
    return n


@jit
def play_use(rules, state, action):
    """D13: inputs are removed, outputs added at once (`conversion_outputs_chain`)."""
    p = state.to_move
    if action == STOP:
        gain_gold(rules, state, p, state.gold_aside)
        state.gold_aside = 0
        state.stage = _STORING
        return
    c = action - USE_CRAFTSMAN
    gold = rules.craftsman_gold[c]
    if rules.toolmaker_mode == SECOND and rules.craftsman_needs_metal[c] == 1:
        gold *= state.cubes[p, METAL]
    for kind in range(NUM_KINDS):
        give_back_cubes(state, p, kind, rules.craftsman_in[c, kind])
    state.gold[p] -= rules.craftsman_in_gold[c]
    change_vp(state, p, rules.craftsman_vp[c])
    if rules.conversion_outputs_chain == SECOND:
        state.gold_aside += gold
    else:
        gain_gold(rules, state, p, gold)
    state.used[c] += 1


@jit
def legal_return(state, actions):
    """D14: a cube of any kind held."""
    n = 0
    for kind in range(NUM_KINDS):
        actions[n] = RETURN_CUBE + kind
        n += state.cubes[state.to_move, kind] > 0
    return n


@jit
def play_return(state, action):
    """D14: back to the general supply."""
    give_back_cubes(state, state.to_move, action - RETURN_CUBE, 1)
