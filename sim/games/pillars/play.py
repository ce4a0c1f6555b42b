"""Set-up, legal actions, playing, scoring and hidden information."""

from sim.chance import below, shuffle
from sim.games.pillars.cathedral import (
    legal_return,
    legal_use,
    play_return,
    play_use,
    run_building,
)
from sim.games.pillars.components import (
    ADVANTAGE,
    BAG,
    BISHOP_BONUS,
    BONUS,
    BUILDER,
    BUILDING,
    EVENT,
    EXEMPTION,
    FREE_BUILDER_PLACE,
    FREE_CRAFTSMEN,
    GREY,
    INSPIRATION,
    INSPIRE,
    LOSE,
    MILL,
    NOTHING,
    NUM_EVENTS,
    NUM_FACES,
    NUM_LAST,
    NUM_PAIR,
    NUM_REGULAR,
    NUM_ROUNDS,
    PER_ROUND,
    PICK_ADVANTAGE,
    PRIORY_VP,
    PRODUCTION,
    REMOVE,
    RETURN,
    SECOND,
    SUPPLY,
    TAX,
    THOMAS,
    THOMAS_BONUS,
    TRACK,
    TRADE,
    TRADING,
    TURN,
    USE,
    VETO,
)
from sim.games.pillars.phases import (
    legal_builder,
    legal_free_builder,
    legal_give_up,
    legal_turn,
    legal_veto,
    play_builder,
    play_free_builder,
    play_give_up,
    play_turn,
    play_veto,
    run_bag,
    run_supply,
    run_track,
    set_up_table,
    shuffle_omitted,
)
from sim.games.pillars.steps import (
    legal_bonus,
    legal_exemption,
    legal_inspire,
    legal_pick_advantage,
    legal_pick_craftsman,
    legal_thomas,
    legal_trade,
    play_bonus,
    play_exemption,
    play_inspire,
    play_pick_advantage,
    play_pick_craftsman,
    play_thomas,
    play_trade,
    run_bishop_bonus,
    run_castle,
    run_event,
    run_inspiration,
    run_kingsbridge,
    run_market,
    run_mill,
    run_next_round,
    run_priory,
    run_production,
    run_shiring,
    run_tax,
    run_thomas_bonus,
)
from sim.jit import jit
from sim.records import GOES_ON, NONE

# Set-up -------------------------------------------------------------------------------------------


@jit
def setup(rules, state):
    """Section 1.3, and the start of round 1."""
    set_up_table(rules, state)
    _advance(rules, state)


# Legal actions ------------------------------------------------------------------------------------


@jit
def legal_actions(rules, state, actions):
    """Write what the decision point offers (section 2.5).

    Most of these rules write every action that there could be, and count it only if it is legal,
    so that the next one takes its place: no processor could foresee where a branch would go.
    """
    decision = state.decision
    if decision == TURN:
        return legal_turn(rules, state, actions)
    if decision == REMOVE or decision == LOSE:
        return legal_give_up(state, actions)
    if decision == VETO:
        return legal_veto(actions)
    if decision == BUILDER:
        return legal_builder(rules, state, actions)
    if decision == FREE_BUILDER_PLACE:
        return legal_free_builder(state, actions)
    if decision == THOMAS:
        return legal_thomas(actions)
    if decision == BONUS:
        return legal_bonus(rules, state, actions)
    if decision == EXEMPTION:
        return legal_exemption(actions)
    if decision == TRADE:
        return legal_trade(rules, state, actions)
    if decision == INSPIRE:
        return legal_inspire(rules, state, actions)
    if decision == USE:
        return legal_use(rules, state, actions)
    if decision == RETURN:
        return legal_return(state, actions)
    if decision == PICK_ADVANTAGE:
        return legal_pick_advantage(state, actions)
    return legal_pick_craftsman(state, actions)


# Playing ------------------------------------------------------------------------------------------


@jit
def apply_action(rules, state, action):
    """Do what was decided, then all that happens by itself, up to the next decision."""
    decision = state.decision
    state.decision = NOTHING
    if decision == TURN:
        play_turn(rules, state, action)
    elif decision == REMOVE or decision == LOSE:
        play_give_up(state, action)
    elif decision == VETO:
        play_veto(rules, state, action)
    elif decision == BUILDER:
        play_builder(rules, state, action)
    elif decision == FREE_BUILDER_PLACE:
        play_free_builder(rules, state, action)
    elif decision == THOMAS:
        play_thomas(rules, state, action)
    elif decision == BONUS:
        play_bonus(rules, state, action)
    elif decision == EXEMPTION:
        play_exemption(rules, state, action)
    elif decision == TRADE:
        play_trade(rules, state, action)
    elif decision == INSPIRE:
        play_inspire(state, action)
    elif decision == USE:
        play_use(rules, state, action)
    elif decision == RETURN:
        play_return(state, action)
    elif decision == PICK_ADVANTAGE:
        play_pick_advantage(rules, state, action)
    else:
        play_pick_craftsman(rules, state, action)
    _advance(rules, state)


@jit
def _advance(rules, state):
    """Run steps until somebody has to decide or the game is over."""
    while state.decision == NOTHING and state.over == GOES_ON:
        _run_step(rules, state)


@jit
def _run_step(rules, state):
    """One part of the step that the round has come to."""
    step = state.step
    if step == SUPPLY:
        run_supply(rules, state)
    elif step == BAG:
        run_bag(rules, state)
    elif step == TRACK:
        run_track(rules, state)
    elif step == EVENT:
        run_event(rules, state)
    elif step == INSPIRATION:
        run_inspiration(rules, state)
    elif step == BISHOP_BONUS:
        run_bishop_bonus(rules, state)
    elif step == THOMAS_BONUS:
        run_thomas_bonus(rules, state)
    elif step == MILL:
        run_mill(rules, state)
    elif step == ADVANTAGE:
        run_kingsbridge(rules, state)
    elif step == PRIORY_VP:
        run_priory(rules, state)
    elif step == PRODUCTION:
        run_production(rules, state)
    elif step == TAX:
        run_tax(rules, state)
    elif step == FREE_CRAFTSMEN:
        run_shiring(rules, state)
    elif step == GREY:
        run_castle(rules, state)
    elif step == TRADING:
        run_market(rules, state)
    elif step == BUILDING:
        run_building(rules, state)
    else:
        run_next_round(rules, state)


# Scoring (section 3) ------------------------------------------------------------------------------


@jit
def scores(rules, state, points):
    """Victory points."""
    for p in range(rules.num_players):
        points[p] = state.vp[p]


@jit
def ranks(rules, state, points, ranks):
    """Most VP, then most gold; then shared, or by seat (`final_tie`)."""
    for p in range(rules.num_players):
        ranks[p] = 1
        for q in range(rules.num_players):
            if points[q] > points[p] or (points[q] == points[p] and _wins_tie(rules, state, q, p)):
                ranks[p] += 1


@jit
def _wins_tie(rules, state, q, p):
    """More gold; after that, with ``seat_order``, the seat nearer to the first start player."""
    if state.gold[q] != state.gold[p]:
        return state.gold[q] > state.gold[p]
    if rules.final_tie != SECOND:
        return False
    n = rules.num_players
    return (q - state.first_start) % n < (p - state.first_start) % n


# Hidden information (sections 2.0 and 2.6) --------------------------------------------------------


@jit
def determinize(rules, state, observer):
    """Deal anew the event, both decks with the removed cards, the rounds and tax rolls to come."""
    r = state.round_number
    knows_event = state.event != NONE or state.seen_event[observer] != NONE
    shuffle(state.event_order, r + 1 if knows_event else r, NUM_EVENTS, state.chance)
    for p in range(rules.num_players):  # who has looked has seen the event of this world
        if state.seen_event[p] != NONE:
            state.seen_event[p] = state.event_order[r]
    shuffle(state.regular_order, NUM_PAIR * min(r + 1, NUM_ROUNDS - 1), NUM_REGULAR, state.chance)
    if r < NUM_ROUNDS - 1:
        shuffle(state.last_order, 0, NUM_LAST, state.chance)
    for later in range(r + 1, NUM_ROUNDS):
        shuffle(state.craftsman_order[later], 0, PER_ROUND, state.chance)
        shuffle_omitted(state, later)
    for later in range(r if state.tax == NONE else r + 1, NUM_ROUNDS):
        state.tax_roll[later] = below(state.chance, NUM_FACES)
