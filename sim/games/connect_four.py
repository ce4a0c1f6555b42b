"""Connect Four.

Howard Wexler and Ned Strongin, Milton Bradley 1974; 2 players. Seven columns of six places; the
yardstick game: small, solved (the first player wins), and found in every comparable toolkit. It is
also the shortest example of how a game is written.

Not modelled
------------
- Other sizes of the board, and the pop-out variant.

A turn
------
1. Drop a stone into a column that is not full; it falls to the lowest free place.
2. Four own stones in a row, upright, level or slanting, win at once.
3. A full board without four in a row is a draw.

Actions
-------
=======  ==================================
numbers  meaning
=======  ==================================
0 - 6    drop a stone into that column
=======  ==================================
"""

import numpy as np

from sim.jit import jit
from sim.protocol import Definition, Option, register
from sim.records import FINISHED, NONE, PUBLIC, rules_record, state_record

# Board --------------------------------------------------------------------------------------------
#
# One bit per place, a spare bit on top of each column so that no line runs round the edge
# (the layout of John Tromp's Fhourstones):
#
#     6 13 20 27 34 41 48     spare
#     5 12 19 26 33 40 47
#     4 11 18 25 32 39 46
#     3 10 17 24 31 38 45
#     2  9 16 23 30 37 44
#     1  8 15 22 29 36 43
#     0  7 14 21 28 35 42
#     -  -  -  -  -  -  -
#     0  1  2  3  4  5  6     columns, actions

NUM_PLAYERS = 2
NUM_COLUMNS = 7
NUM_ROWS = 6
UPRIGHT, LEVEL, FALLING, RISING = 1, NUM_ROWS + 1, NUM_ROWS, NUM_ROWS + 2  # steps along a line
BOTTOM = sum(1 << (i * LEVEL) for i in range(NUM_COLUMNS))
BOARD = BOTTOM * ((1 << NUM_ROWS) - 1)

# Rules and state ----------------------------------------------------------------------------------

OPTIONS = (Option("max_turns", range(1, 101), 100, "guard: a match this long is capped"),)
RULES = rules_record("connect_four")
STATE = state_record(
    "connect_four",
    ("winner", np.int8, PUBLIC),  # the player with four in a row, or NONE
    ("height", np.int8, NUM_COLUMNS, PUBLIC),  # stones in each column
    ("stones", np.int64, NUM_PLAYERS, PUBLIC),  # places of each player's stones, one bit each
)

# Actions ------------------------------------------------------------------------------------------

DROP = 0  # + column
NUM_ACTIONS = DROP + NUM_COLUMNS


# Set-up -------------------------------------------------------------------------------------------


@jit
def setup(rules, state):
    """An empty board."""
    state.winner = NONE


# Legal actions ------------------------------------------------------------------------------------


@jit
def legal_actions(rules, state, actions):
    """Any column that is not full."""
    n = 0
    for i in range(NUM_COLUMNS):
        if state.height[i] < NUM_ROWS:
            actions[n] = i
            n += 1
    return n


# Playing ------------------------------------------------------------------------------------------


@jit
def apply_action(rules, state, action):
    """Drop a stone; four in a row or a full board end the match."""
    p = state.to_move
    state.stones[p] |= _lowest_free(state, action)
    state.height[action] += 1
    state.turn += 1
    if _has_four(state.stones[p]):
        state.winner = p
        state.over = FINISHED
    elif state.turn == NUM_COLUMNS * NUM_ROWS:
        state.over = FINISHED
    state.to_move = 1 - p


@jit
def _lowest_free(state, i):
    """The place that a stone dropped into column i falls to, as a bit."""
    return 1 << int(i * LEVEL + state.height[i])


@jit
def _has_four(stones):
    """Four stones in a row, in any of the four directions."""
    for step in (UPRIGHT, LEVEL, FALLING, RISING):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (2 * step)):
            return True
    return False


# Scoring ------------------------------------------------------------------------------------------


@jit
def scores(rules, state, points):
    """The winner has one point, anybody else none."""
    for p in range(NUM_PLAYERS):
        points[p] = 1 if state.winner == p else 0


@jit
def ranks(rules, state, points, ranks):
    """A draw is shared."""
    for p in range(NUM_PLAYERS):
        ranks[p] = 1 if points[p] >= points[1 - p] else 2


# Hidden information -------------------------------------------------------------------------------


@jit
def determinize(rules, state, observer):
    """Nothing is hidden."""


# Features -----------------------------------------------------------------------------------------

FEATURES = ("score", "rival_wins_next", "threats", "rival_threats")
WEIGHTS = (1.0, -0.5, 0.01, -0.01)


@jit
def features(rules, state, player, values):
    """Won; rival's winning places that can be filled at once; places that would win, both sides."""
    taken = state.stones[0] | state.stones[1]
    free = BOARD & ~taken
    within_reach = taken + BOTTOM  # in each column it carries to the lowest free place
    own = _winning_places(state.stones[player]) & free
    rival = _winning_places(state.stones[1 - player]) & free
    values[0] = 1 if state.winner == player else 0
    values[1] = _num_bits(rival & within_reach)
    values[2] = _num_bits(own)
    values[3] = _num_bits(rival)


@jit
def _winning_places(stones):
    """Places where one more stone would make four, free or not."""
    places = (stones << 1) & (stones << 2) & (stones << 3)
    for step in (LEVEL, FALLING, RISING):
        pairs = (stones << step) & (stones << (2 * step))
        places |= pairs & (stones << (3 * step))
        places |= pairs & (stones >> step)
        pairs = (stones >> step) & (stones >> (2 * step))
        places |= pairs & (stones >> (3 * step))
        places |= pairs & (stones << step)
    return places


@jit
def _num_bits(places):
    n = 0
    while places:
        places &= places - 1
        n += 1
    return n


# Words --------------------------------------------------------------------------------------------


def describe(game, state):
    """The board, player 1 as x and player 2 as o."""
    rows = []
    for row in range(NUM_ROWS - 1, -1, -1):
        bits = [1 << (i * LEVEL + row) for i in range(NUM_COLUMNS)]
        rows.append(
            " ".join(
                "x" if state.stones[0] & bit else "o" if state.stones[1] & bit else "."
                for bit in bits
            )
        )
    if state.winner != NONE:
        last = f"seat {state.winner + 1} ({'xo'[state.winner]}) has won"
    elif state.over:
        last = "a draw"
    else:
        last = f"turn {state.turn + 1}: seat {state.to_move + 1} ({'xo'[state.to_move]}) to move"
    return "\n".join([*rows, " ".join(str(i + 1) for i in range(NUM_COLUMNS)), last])


def action_text(game, state, action):
    """What a player would say."""
    return f"column {action + 1}"


GAME = register(
    Definition(
        name="connect_four",
        home=__name__,
        doc=__doc__,
        players=range(NUM_PLAYERS, NUM_PLAYERS + 1),
        rules=RULES,
        state=STATE,
        num_actions=NUM_ACTIONS,
        options=OPTIONS,
        tables=(),
        feature_names=FEATURES,
        weights=WEIGHTS,
        search="greed=1",
        describe=describe,
        action_text=action_text,
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        scores=scores,
        ranks=ranks,
        determinize=determinize,
        features=features,
    )
)
