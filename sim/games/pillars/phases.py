"""Start of a round, phase I (resource cards and craftsmen) and phase II (builders)."""

from sim.chance import below, shuffle
from sim.games.pillars.actions import (
    ask,
    ask_on,
    discard,
    has_card,
    is_over_limit,
    player_at,
    seat_after,
    sum_over_cards,
    write_cards,
)
from sim.games.pillars.components import (
    ALL_RESOURCES,
    BAG,
    BUILDER,
    BUILDERS,
    COURT_METAL,
    EVENT,
    FIRST_COST,
    FREE_BUILDER,
    FREE_BUILDER_PLACE,
    GIVE_UP,
    LARGE_WORKER,
    LET_STAND,
    METAL,
    NUM_EVENTS,
    NUM_FACES,
    NUM_KINDS,
    NUM_LAST,
    NUM_OMITTED,
    NUM_PAIR,
    NUM_REGULAR,
    NUM_RESOURCES,
    NUM_ROUNDS,
    NUM_SPACES,
    NUM_STARTING,
    PASS,
    PEEK_EVENT,
    PER_ROUND,
    PLACE,
    PLACE_REMIGIUS,
    REMOVE,
    RETURN_BUILDER,
    SECOND,
    STARTING_CRAFTSMEN,
    STARTING_VP,
    SUPPLY,
    TAKE_CRAFTSMAN,
    TAKE_RESOURCE,
    TRACK,
    TURN,
    VETO,
    WORKER,
    WORKERS,
)
from sim.jit import jit
from sim.records import NONE
from sim.sets import lowest, only, without_lowest

# Set-up (section 1.3) -----------------------------------------------------------------------------


@jit
def set_up_table(rules, state):
    """Shuffle all decks, draw the start player, hand out gold, VP and craftsmen."""
    _shuffle_decks(state)
    state.start_player = below(state.chance, rules.num_players)
    state.first_start = state.start_player
    for i in range(rules.num_players):
        p = player_at(rules, state, i)
        state.gold[p] = rules.starting_gold[i]
        state.vp[p] = rules.number[STARTING_VP]
        state.craftsmen[p] = STARTING_CRAFTSMEN
    for kind in range(NUM_KINDS):
        state.general[kind] = rules.cubes_in_box[kind]
    start_round(rules, state)


@jit
def _shuffle_decks(state):
    """All that chance decides ahead, but for the builders drawn from the bag."""
    chance = state.chance
    for i in range(NUM_EVENTS):
        state.event_order[i] = i
    shuffle(state.event_order, 0, NUM_EVENTS, chance)
    for i in range(NUM_REGULAR):
        state.regular_order[i] = i
    shuffle(state.regular_order, 0, NUM_REGULAR, chance)
    for i in range(NUM_LAST):
        state.last_order[i] = NUM_REGULAR + i
    shuffle(state.last_order, 0, NUM_LAST, chance)
    for r in range(NUM_ROUNDS):
        for i in range(PER_ROUND):
            state.craftsman_order[r, i] = NUM_STARTING + r * PER_ROUND + i
        shuffle(state.craftsman_order[r], 0, PER_ROUND, chance)
        for i in range(NUM_RESOURCES):
            state.resource_order[r, i] = i
        shuffle_omitted(state, r)
        state.tax_roll[r] = below(chance, NUM_FACES)


@jit
def shuffle_omitted(state, r):
    """Draw the two resource cards that are out in a round; the others lie open in any order."""
    cards = state.resource_order[r]
    for i in range(NUM_OMITTED):
        j = i + below(state.chance, NUM_RESOURCES - i)
        kept = cards[i]
        cards[i] = cards[j]
        cards[j] = kept


# Start of the round (section 2.0) -----------------------------------------------------------------


@jit
def start_round(rules, state):
    """Lay out the cards, the market and the court; fill the bag; count the workers."""
    _lay_out_cards(state)
    _lay_out_cubes(rules, state)
    state.space[:] = NONE
    state.track[:] = NONE
    state.drawn = NONE
    state.event = NONE
    state.tax = NONE
    state.veto_used = 0
    state.cost = rules.number[FIRST_COST]
    state.passed[:] = 0
    state.is_protected[:] = 0
    state.inspired[:] = NONE
    state.bought[:] = 0
    state.sold[:] = 0
    for p in range(rules.num_players):
        state.bag[p] = rules.number[BUILDERS] - state.walled[p]
        state.walled[p] = 0
        _gather_workers(rules, state, p)
        state.seen_event[p] = NONE
        if has_card(rules, state, p, PEEK_EVENT):
            state.seen_event[p] = state.event_order[state.round_number]
    state.step = SUPPLY
    state.cursor = 0


@jit
def _lay_out_cards(state):
    """Seven resource cards, two and two craftsmen, two advantage cards."""
    r = state.round_number
    state.resources_for_sale = ALL_RESOURCES
    for i in range(NUM_OMITTED):
        state.resources_for_sale &= ~only(state.resource_order[r, i])
    state.resources[:] = 0
    state.craftsmen_for_sale = 0
    for i in range(NUM_PAIR):
        state.at_shiring[i] = state.craftsman_order[r, i]
        state.craftsmen_for_sale |= only(state.craftsman_order[r, NUM_PAIR + i])
        if r == NUM_ROUNDS - 1:
            state.at_kingsbridge[i] = state.last_order[i]
        else:
            state.at_kingsbridge[i] = state.regular_order[NUM_PAIR * r + i]


@jit
def _lay_out_cubes(rules, state):
    """The market has exactly its stock; the court has its metal if there is none."""
    for kind in range(NUM_KINDS):
        state.general[kind] += state.stock[kind] - rules.market_stock[kind]
        state.stock[kind] = rules.market_stock[kind]
    if state.court_metal == 0:
        state.court_metal = rules.number[COURT_METAL]
        state.general[METAL] -= rules.number[COURT_METAL]


@jit
def _gather_workers(rules, state, p):
    """Own workers, Otto's, and the grey ones taken at the castle last round."""
    state.grey[p] = state.grey_next[p]
    state.grey_free[p] = state.grey[p]
    state.grey_next[p] = 0
    state.large_free[p] = 1
    state.workers[p] = rules.number[WORKERS] + state.grey[p]
    state.workers[p] += sum_over_cards(rules, state, p, WORKER, rules.advantage_workers)


# Phase I (section 2.1) ----------------------------------------------------------------------------


@jit
def run_supply(rules, state):
    """Ask the next player who has not passed, until all cards are gone or all have passed."""
    if state.resources_for_sale == 0 and state.craftsmen_for_sale == 0:
        _end_supply(state)
        return
    for _ in range(rules.num_players):
        p = player_at(rules, state, state.cursor)
        if state.passed[p] == 0:
            ask(state, TURN, p)
            return
        state.cursor = seat_after(rules, state.cursor)
    _end_supply(state)


@jit
def _end_supply(state):
    """Unclaimed resource cards are shuffled in next round; unclaimed craftsmen leave the game."""
    state.resources_for_sale = 0
    state.craftsmen_for_sale = 0
    state.step = BAG


@jit
def legal_turn(rules, state, actions):
    """D1: a card whose workers or gold the player has, or pass."""
    p = state.to_move
    actions[0] = PASS
    n = 1
    cards = state.resources_for_sale
    while cards != 0:
        i = lowest(cards)
        cards = without_lowest(cards)
        actions[n] = TAKE_RESOURCE + i
        n += _has_workers_for(rules, state, p, i)
    cards = state.craftsmen_for_sale
    while cards != 0:
        c = lowest(cards)
        cards = without_lowest(cards)
        actions[n] = TAKE_CRAFTSMAN + c
        n += state.gold[p] >= rules.craftsman_cost[c]
    return n


@jit
def play_turn(rules, state, action):
    """D1: pass for the phase, commit workers, or pay a craftsman."""
    p = state.to_move
    state.cursor = seat_after(rules, state.cursor)
    if action == PASS:
        state.passed[p] = 1
    elif action < TAKE_CRAFTSMAN:
        i = action - TAKE_RESOURCE
        _commit_workers(rules, state, p, i)
        state.resources_for_sale &= ~only(i)
        state.resources[p] |= only(i)
    else:
        c = action - TAKE_CRAFTSMAN
        state.gold[p] -= rules.craftsman_cost[c]
        state.craftsmen_for_sale &= ~only(c)
        take_craftsman(rules, state, p, c)


@jit
def take_craftsman(rules, state, p, c):
    """Over the limit one craftsman, the new one included, is removed: at once or in step 13."""
    state.craftsmen[p] |= only(c)
    if rules.over_limit_discard != SECOND and is_over_limit(rules, state, p):
        ask_on(state, REMOVE, p)


@jit
def _small_workers_needed(rules, state, p, i):
    """Small figures that a card takes when the large one cannot be changed."""
    needed = rules.resource_workers[i]
    if needed >= LARGE_WORKER and state.large_free[p] == 1:
        return needed - LARGE_WORKER
    return needed


@jit
def _has_workers_for(rules, state, p, i):
    """Whether the worker requirement of a card is at most what the player has left."""
    if rules.workers_divisible == SECOND:
        num_small = state.workers[p] - LARGE_WORKER * state.large_free[p]
        return _small_workers_needed(rules, state, p, i) <= num_small
    return rules.resource_workers[i] <= state.workers[p]


@jit
def _commit_workers(rules, state, p, i):
    """Workers stand at the site until steps 6-8, grey ones first."""
    num_small = rules.resource_workers[i]
    if rules.workers_divisible == SECOND:
        num_small = _small_workers_needed(rules, state, p, i)
        if num_small < rules.resource_workers[i]:
            state.large_free[p] = 0
    state.workers[p] -= rules.resource_workers[i]
    state.grey_free[p] -= min(state.grey_free[p], num_small)


@jit
def legal_give_up(state, actions):
    """D2 and D7: any own craftsman."""
    return write_cards(state.craftsmen[state.to_move], GIVE_UP, actions, 0)


@jit
def play_give_up(state, action):
    """The card leaves the game."""
    state.craftsmen[state.to_move] &= ~only(action - GIVE_UP)


# Phase II (section 2.2) ---------------------------------------------------------------------------


@jit
def run_bag(rules, state):
    """Draw a builder; the start player may return it once; then its owner is asked."""
    num_left = 0
    for p in range(rules.num_players):
        num_left += state.bag[p]
    if state.drawn == NONE:
        if num_left == 0:
            state.cost = 0
            state.step = TRACK
            state.cursor = rules.number[FIRST_COST]
            return
        _draw_builder(rules, state, num_left)
        num_left -= 1
        is_paid = state.cost > 0 or rules.veto_scope != SECOND
        if state.veto_used == 0 and num_left > 0 and is_paid:
            ask(state, VETO, state.start_player)
            return
    ask(state, BUILDER if state.cost > 0 else FREE_BUILDER_PLACE, state.drawn)


@jit
def _draw_builder(rules, state, num_left):
    """Every builder in the bag is equally likely."""
    i = below(state.chance, num_left)
    for p in range(rules.num_players):
        if i < state.bag[p]:
            state.bag[p] -= 1
            state.drawn = p
            return
        i -= state.bag[p]


@jit
def legal_veto(actions):
    """D3: return the builder to the bag, or let it stand."""
    actions[0] = RETURN_BUILDER
    actions[1] = LET_STAND
    return 2


@jit
def play_veto(rules, state, action):
    """D3: once a round; the cost stays, and the next draw follows."""
    if action == RETURN_BUILDER:
        state.veto_used = 1
        state.bag[state.drawn] += 1
        state.drawn = NONE
    else:
        ask(state, BUILDER if state.cost > 0 else FREE_BUILDER_PLACE, state.drawn)


@jit
def legal_builder(rules, state, actions):
    """D4: pass, any free space at the cost, any free space with Remigius."""
    p = state.to_move
    actions[0] = PASS
    n = 1
    if state.gold[p] >= state.cost:
        n = _legal_spaces(state, actions, n, PLACE)
    if has_card(rules, state, p, FREE_BUILDER):
        n = _legal_spaces(state, actions, n, PLACE_REMIGIUS)
    return n


@jit
def legal_free_builder(state, actions):
    """D5: any free space."""
    return _legal_spaces(state, actions, 0, PLACE)


@jit
def _legal_spaces(state, actions, n, first):
    for s in range(NUM_SPACES):
        actions[n] = first + s
        n += state.space[s] == NONE
    return n


@jit
def play_builder(rules, state, action):
    """D4: the marker moves after a pass as well."""
    p = state.to_move
    if action == PASS:
        state.track[state.cost] = p
    elif action < PLACE_REMIGIUS:
        state.gold[p] -= state.cost
        state.space[action - PLACE] = p
    else:
        discard(rules, state, p, FREE_BUILDER)
        state.space[action - PLACE_REMIGIUS] = p
    state.drawn = NONE
    state.cost -= 1


@jit
def play_free_builder(rules, state, action):
    """D5: a builder drawn at cost 0, or one that waits on the track."""
    state.space[action - PLACE] = state.to_move
    if state.step == TRACK:
        state.track[state.cursor] = NONE
    else:
        state.drawn = NONE


@jit
def run_track(rules, state):
    """Builders that passed are placed free of charge, the highest cost first."""
    while state.cursor > 0:
        if state.track[state.cursor] != NONE:
            ask(state, FREE_BUILDER_PLACE, state.track[state.cursor])
            return
        state.cursor -= 1
    state.step = EVENT
    state.cursor = 0
    state.stage = 0
