"""Treelings.

Paul Schulz, Edition Spielwiese / Pegasus Spiele; 2 to 5 players. The rules followed are those of
``docs/rules/treelings.md`` (sections are named in the docstrings below): 108 guild cards, five of
them in an open market, and for each player a row of columns ("trees"), one per guild.

Not modelled
------------
- The search for the tallest person: seat 0 starts.
- Overview cards and postcards, which have no effect.

A turn
------
1. Take all market cards of one guild, or one card of every guild that is there exactly once.
2. Cards of guilds that stand in the own row make those columns grow.
3. Each new guild opens a column at the far left or far right, one after the other, in any order.
4. The market is filled up to five; the festival card, when drawn, starts the last round.
5. A column scores its height if it is at least as high as both its neighbours on the table's ring.

Actions
-------
====================  =======  ====================================================
block                 numbers  meaning
====================  =======  ====================================================
TAKE_GUILD + guild    0 - 5    take all market cards of that guild
TAKE_SINGLES          6        take all singles together; only with two or more
TAKE_NOTHING          7        only with an empty market
PLACE_LEFT + guild    8 - 13   open the column of a guild in hand at the far left
PLACE_RIGHT + guild   14 - 19  ... at the far right
====================  =======  ====================================================

Rulings where the text is silent
--------------------------------
- With ``initial_order="chosen"`` the starting cards are in hand, in seat order each player puts
  his columns down from left to right (PLACE_RIGHT), and no turn passes meanwhile.
- A column that stands alone on the whole table has no neighbours and scores.
- A player without columns is not in the ring.
- ``most_cards`` counts the cards that stand in the district.
"""

from pathlib import Path

import numpy as np

from sim.chance import shuffle
from sim.jit import jit
from sim.protocol import Definition, Option, register
from sim.records import FINISHED, HIDDEN, NONE, PUBLIC, rules_record, state_record
from sim.tables import Column, Table

# Components (section 1) ---------------------------------------------------------------------------

MAX_PLAYERS = 5
NUM_GUILDS = 6
MAX_CARDS_PER_GUILD = 24  # the box has 18; more for variants
MAX_CARDS = NUM_GUILDS * MAX_CARDS_PER_GUILD

GUILDS = Table(
    name="guilds",
    file=Path(__file__).with_name("treelings_guilds.csv"),
    key="name",
    columns=(
        Column("name"),
        Column("count", "guild_count", low=0, high=MAX_CARDS_PER_GUILD),
        Column("source", may_be_empty=True),
    ),
    min_rows=NUM_GUILDS,
    max_rows=NUM_GUILDS,
)

# Rules (section 6) --------------------------------------------------------------------------------

REFILL_AT_END, REFILL_AT_START = 0, 1
SHARED, MOST_CARDS, LATER_SEAT = 0, 1, 2
RING, OPEN = 0, 1
DEALT, CHOSEN = 0, 1
FREE, SAME_SIDE = 0, 1
TIES_SCORE, TIES_SCORE_NOTHING = 0, 1

OPTIONS = (
    Option("refill_timing", ("end", "start"), "end", "when the market is refilled"),
    Option("winner_tie", ("shared", "most_cards", "later_seat"), "shared", "who wins a tie"),
    Option("two_player_edges", ("ring", "open"), "ring", "two players' edge columns"),
    Option("initial_order", ("dealt", "chosen"), "dealt", "order of the starting columns"),
    Option("multi_new", ("free", "same_side"), "free", "several new columns a turn"),
    Option("tie_columns", ("score", "no_score"), "score", "equal neighbours"),
    Option("market_size", range(1, 25), 5, "face-up cards in the market"),
    Option("cards_dealt", range(0, 13), 3, "starting cards of each player"),
    Option("cards_below_festival", range(0, 101), 20, "guild cards below the festival card"),
    Option("max_turns", range(1, 1001), 1000, "guard: a match this long is capped"),
)

RULES = rules_record(
    "treelings",
    ("guild_count", np.int16, NUM_GUILDS),  # cards of each guild in the box
    ("market_size", np.int16),
    ("cards_dealt", np.int16),  # to each player at the start
    ("cards_below_festival", np.int16),
    ("refill_timing", np.int8),  # REFILL_AT_END, REFILL_AT_START
    ("winner_tie", np.int8),  # SHARED, MOST_CARDS, LATER_SEAT
    ("two_player_edges", np.int8),  # RING, OPEN
    ("initial_order", np.int8),  # DEALT, CHOSEN
    ("multi_new", np.int8),  # FREE, SAME_SIDE
    ("tie_columns", np.int8),  # TIES_SCORE, TIES_SCORE_NOTHING
)


def prepare(rules, rows):
    """The festival card must lie below what set-up uses (section 1)."""
    num_cards = int(rules.guild_count.sum())
    used = rules.num_players * int(rules.cards_dealt) + int(rules.market_size)
    if used + rules.cards_below_festival > num_cards:
        raise ValueError(
            f"set-up of {rules.num_players} players needs {used} cards and "
            f"{rules.cards_below_festival} lie below the festival card, but the box has "
            f"{num_cards}; accepted: together at most the cards of the box"
        )


# State --------------------------------------------------------------------------------------------

ORDERING, TAKING, PLACING = 0, 1, 2
LEFT, RIGHT = 0, 1

STATE = state_record(
    "treelings",
    ("phase", np.int8, PUBLIC),  # ORDERING the starting columns, TAKING, PLACING
    ("side", np.int8, PUBLIC),  # LEFT or RIGHT once this turn's first new column stands, or NONE
    ("last_round", np.int8, PUBLIC),  # 1 once the festival card has been drawn
    ("deck_size", np.int16, PUBLIC),  # guild cards in the box
    ("num_drawn", np.int16, PUBLIC),  # guild cards drawn from the deck so far
    ("num_columns", np.int8, MAX_PLAYERS, PUBLIC),
    ("row", np.int8, (MAX_PLAYERS, NUM_GUILDS), PUBLIC),  # guilds, left to right; NONE beyond
    ("height", np.int16, (MAX_PLAYERS, NUM_GUILDS), PUBLIC),  # cards in the column of each guild
    ("hand", np.int8, (MAX_PLAYERS, NUM_GUILDS), PUBLIC),  # cards taken and not yet placed
    ("market", np.int8, NUM_GUILDS, PUBLIC),  # cards of each guild
    ("deck", np.int8, MAX_CARDS, HIDDEN),  # guilds in drawing order, those drawn included
)

# Actions ------------------------------------------------------------------------------------------

TAKE_GUILD = 0
TAKE_SINGLES = TAKE_GUILD + NUM_GUILDS
TAKE_NOTHING = TAKE_SINGLES + 1
PLACE_LEFT = TAKE_NOTHING + 1
PLACE_RIGHT = PLACE_LEFT + NUM_GUILDS
NUM_ACTIONS = PLACE_RIGHT + NUM_GUILDS


# Set-up (section 1) -------------------------------------------------------------------------------


@jit
def setup(rules, state):
    """Shuffle, deal to each player in turn, turn up the market; seat 0 starts."""
    n = 0
    for c in range(NUM_GUILDS):
        for _ in range(rules.guild_count[c]):
            state.deck[n] = c
            n += 1
    state.deck_size = n
    shuffle(state.deck, 0, n, state.chance)
    state.row[:] = NONE
    state.side = NONE
    for p in range(rules.num_players):
        for _ in range(rules.cards_dealt):
            _deal_card(rules, state, p)
    _refill(rules, state)
    state.phase = TAKING
    if rules.initial_order == CHOSEN and rules.cards_dealt > 0:
        state.phase = ORDERING


@jit
def _deal_card(rules, state, p):
    """Equal guilds form one column; new columns go to the right, or wait to be ordered."""
    c = state.deck[state.num_drawn]
    state.num_drawn += 1
    if rules.initial_order == CHOSEN:
        state.hand[p, c] += 1
    else:
        if state.height[p, c] == 0:
            _open_right(state, p, c)
        state.height[p, c] += 1


# Legal actions (section 2) ------------------------------------------------------------------------


@jit
def legal_actions(rules, state, actions):
    """Write the choices of the player to move."""
    if state.phase == TAKING:
        return _legal_takes(state, actions)
    return _legal_placements(rules, state, actions)


@jit
def _legal_takes(state, actions):
    """One guild, or all singles together; nothing only from an empty market (section 2, step 1)."""
    n = 0
    num_singles = 0
    for c in range(NUM_GUILDS):
        if state.market[c] > 0:
            actions[n] = TAKE_GUILD + c
            n += 1
            if state.market[c] == 1:
                num_singles += 1
    if num_singles >= 2:
        actions[n] = TAKE_SINGLES
        n += 1
    if n == 0:
        actions[n] = TAKE_NOTHING
        n += 1
    return n


@jit
def _legal_placements(rules, state, actions):
    """Any new guild in hand, far left or far right, as `multi_new` allows (section 2, step 2)."""
    p = state.to_move
    n = 0
    if state.phase == PLACING and not (rules.multi_new == SAME_SIDE and state.side == RIGHT):
        for c in range(NUM_GUILDS):
            if state.hand[p, c] > 0:
                actions[n] = PLACE_LEFT + c
                n += 1
    if state.phase == ORDERING or not (rules.multi_new == SAME_SIDE and state.side == LEFT):
        for c in range(NUM_GUILDS):
            if state.hand[p, c] > 0:
                actions[n] = PLACE_RIGHT + c
                n += 1
    return n


# Playing (section 2) ------------------------------------------------------------------------------


@jit
def apply_action(rules, state, action):
    """Take, or place; the last step of a turn ends it."""
    if action < TAKE_SINGLES:
        _take_guild(rules, state, action - TAKE_GUILD)
    elif action == TAKE_SINGLES:
        _take_singles(rules, state)
    elif action == TAKE_NOTHING:
        _end_turn(rules, state)
    elif action < PLACE_RIGHT:
        _place(rules, state, action - PLACE_LEFT, LEFT)
    else:
        _place(rules, state, action - PLACE_RIGHT, RIGHT)


@jit
def _take_guild(rules, state, c):
    """A1: take all market cards of one guild."""
    if _take_cards(state, c) > 0:
        state.phase = PLACING
    else:
        _end_turn(rules, state)


@jit
def _take_singles(rules, state):
    """A2: take one card of every guild that is in the market exactly once."""
    num_new = 0
    for c in range(NUM_GUILDS):
        if state.market[c] == 1:
            num_new += _take_cards(state, c)
    if num_new > 0:
        state.phase = PLACING
    else:
        _end_turn(rules, state)


@jit
def _take_cards(state, c):
    """A guild that stands in the row grows; return 1 for a new guild, which goes to the hand."""
    p = state.to_move
    num_taken = state.market[c]
    state.market[c] = 0
    if state.height[p, c] > 0:
        state.height[p, c] += num_taken
        return 0
    state.hand[p, c] = num_taken
    return 1


@jit
def _place(rules, state, c, side):
    """Open the column of one new guild with all its cards."""
    p = state.to_move
    if side == LEFT:
        _open_left(state, p, c)
    else:
        _open_right(state, p, c)
    state.height[p, c] = state.hand[p, c]
    state.hand[p, c] = 0
    if not _has_cards_in_hand(state, p):
        if state.phase == ORDERING:
            _end_ordering(rules, state)
        else:
            _end_turn(rules, state)
    elif state.phase == PLACING and state.side == NONE:
        state.side = side


@jit
def _open_left(state, p, c):
    """The new column becomes the leftmost of the row."""
    for i in range(state.num_columns[p], 0, -1):
        state.row[p, i] = state.row[p, i - 1]
    state.row[p, 0] = c
    state.num_columns[p] += 1


@jit
def _open_right(state, p, c):
    """The new column becomes the rightmost of the row."""
    state.row[p, state.num_columns[p]] = c
    state.num_columns[p] += 1


@jit
def _has_cards_in_hand(state, p):
    for c in range(NUM_GUILDS):
        if state.hand[p, c] > 0:
            return True
    return False


@jit
def _end_ordering(rules, state):
    """The next seat orders its starting columns; after the last one seat 0 begins (section 6)."""
    if state.to_move < rules.num_players - 1:
        state.to_move += 1
    else:
        state.to_move = 0
        state.phase = TAKING


@jit
def _end_turn(rules, state):
    """Refill and end test, in the order that `refill_timing` says (section 2, steps 3 and 4)."""
    state.turn += 1
    state.phase = TAKING
    state.side = NONE
    if rules.refill_timing == REFILL_AT_END:
        _refill(rules, state)
    if state.last_round == 1 and state.to_move == rules.num_players - 1:
        state.over = FINISHED
        return
    state.to_move = (state.to_move + 1) % rules.num_players
    if rules.refill_timing == REFILL_AT_START:
        _refill(rules, state)


@jit
def _refill(rules, state):
    """Draw until the market is full; the festival card takes no place in it (section 2, step 3)."""
    num_missing = rules.market_size
    for c in range(NUM_GUILDS):
        num_missing -= state.market[c]
    num_above = state.deck_size - rules.cards_below_festival
    while num_missing > 0:
        if state.num_drawn == num_above:
            state.last_round = 1
        if state.num_drawn == state.deck_size:
            return
        state.market[state.deck[state.num_drawn]] += 1
        state.num_drawn += 1
        num_missing -= 1


# Scoring (section 3) ------------------------------------------------------------------------------


@jit
def scores(rules, state, points):
    """Sum of the heights of the own columns that score."""
    for p in range(rules.num_players):
        points[p] = _score_of(rules, state, p)


@jit
def _score_of(rules, state, p):
    points = 0
    for i in range(state.num_columns[p]):
        if _column_scores(rules, state, p, i):
            points += state.height[p, state.row[p, i]]
    return points


@jit
def _column_scores(rules, state, p, i):
    """At least as high as each of its two neighbours; equal is enough (`tie_columns`)."""
    needed = _height_at_left(rules, state, p, i)
    needed = max(needed, _height_at_right(rules, state, p, i))
    height = state.height[p, state.row[p, i]]
    if rules.tie_columns == TIES_SCORE:
        return height >= needed
    return height > needed


@jit
def _height_at_left(rules, state, p, i):
    """Left of my leftmost column stands the rightmost column of my left neighbour, seat p + 1."""
    if i > 0:
        return state.height[p, state.row[p, i - 1]]
    if rules.num_players == 2 and rules.two_player_edges == OPEN:
        return 0
    q = p
    for _ in range(rules.num_players):
        q = (q + 1) % rules.num_players
        if state.num_columns[q] > 0:
            break
    last = state.num_columns[q] - 1
    if q == p and last == i:
        return 0
    return state.height[q, state.row[q, last]]


@jit
def _height_at_right(rules, state, p, i):
    """Right of my rightmost column stands the leftmost column of my right neighbour, seat p - 1."""
    if i < state.num_columns[p] - 1:
        return state.height[p, state.row[p, i + 1]]
    if rules.num_players == 2 and rules.two_player_edges == OPEN:
        return 0
    q = p
    for _ in range(rules.num_players):
        q = (q + rules.num_players - 1) % rules.num_players
        if state.num_columns[q] > 0:
            break
    if q == p and i == 0:
        return 0
    return state.height[q, state.row[q, 0]]


@jit
def ranks(rules, state, points, ranks):
    """Highest score first; ties as `winner_tie` says, for all places (sections 3 and 6)."""
    for p in range(rules.num_players):
        ranks[p] = 1
        for q in range(rules.num_players):
            if points[q] > points[p] or (points[q] == points[p] and _wins_tie(rules, state, q, p)):
                ranks[p] += 1


@jit
def _wins_tie(rules, state, q, p):
    """Whether seat q comes before seat p when both have the same score."""
    if rules.winner_tie == MOST_CARDS:
        return _num_cards(state, q) > _num_cards(state, p)
    return rules.winner_tie == LATER_SEAT and q > p


@jit
def _num_cards(state, p):
    n = 0
    for c in range(NUM_GUILDS):
        n += state.height[p, c]
    return n


# Hidden information (section 2) -------------------------------------------------------------------


@jit
def determinize(rules, state, observer):
    """Every drawn card lies open, so only the order of the deck is unknown, to everybody alike."""
    shuffle(state.deck, state.num_drawn, state.deck_size, state.chance)


# Features -----------------------------------------------------------------------------------------

FEATURES = ("score", "best_rival", "cards", "columns")
WEIGHTS = (1.0, -0.5, 0.2, 0.0)


@jit
def features(rules, state, player, values):
    """Own score, the best score among the others, own cards in columns, own columns."""
    best = 0
    for p in range(rules.num_players):
        if p != player:
            best = max(best, _score_of(rules, state, p))
    values[0] = _score_of(rules, state, player)
    values[1] = best
    values[2] = _num_cards(state, player)
    values[3] = state.num_columns[player]


# Words --------------------------------------------------------------------------------------------


def describe(game, state):
    """The market and every row, with the scores as they stand."""
    names = game.components["guilds"]["name"].tolist()
    points = game.scores(state)
    market = ", ".join(
        f"{state.market[c]} {names[c]}" for c in range(NUM_GUILDS) if state.market[c]
    )
    lines = [
        f"Treelings, {state.num_players} players, turn {state.turn + 1}"
        + (", last round" if state.last_round else "")
        + f", {state.deck_size - state.num_drawn} cards in the deck",
        f"market: {market or 'empty'}",
    ]
    for p in range(state.num_players):
        row = state.row[p, : state.num_columns[p]]
        columns = "  ".join(f"{names[c]} {state.height[p, c]}" for c in row)
        hand = ", ".join(
            f"{state.hand[p, c]} {names[c]}" for c in range(NUM_GUILDS) if state.hand[p, c]
        )
        mark = ">" if p == state.to_move and not state.over else " "
        lines.append(
            f"{mark} seat {p + 1} {points[p]:4d} points   {columns or 'no columns'}"
            + (f"   in hand: {hand}" if hand else "")
        )
    if state.over:
        lines.append("The game is over.")
    return "\n".join(lines)


def action_text(game, state, action):
    """What a player would say."""
    names = game.components["guilds"]["name"].tolist()
    if action < TAKE_SINGLES:
        guild = action - TAKE_GUILD
        return f"take {state.market[guild]} {names[guild]}"
    if action == TAKE_SINGLES:
        singles = [names[c] for c in range(NUM_GUILDS) if state.market[c] == 1]
        return f"take the singles: {', '.join(singles)}"
    if action == TAKE_NOTHING:
        return "take nothing"
    if action < PLACE_RIGHT:
        return f"open {names[action - PLACE_LEFT]} at the far left"
    return f"open {names[action - PLACE_RIGHT]} at the far right"


GAME = register(
    Definition(
        name="treelings",
        home=__name__,
        doc=__doc__,
        players=range(2, MAX_PLAYERS + 1),
        rules=RULES,
        state=STATE,
        num_actions=NUM_ACTIONS,
        options=OPTIONS,
        tables=(GUILDS,),
        feature_names=FEATURES,
        weights=WEIGHTS,
        search="margin=0.5,rank=0.5,softness=5",
        describe=describe,
        action_text=action_text,
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        scores=scores,
        ranks=ranks,
        determinize=determinize,
        features=features,
        prepare=prepare,
    )
)
