"""Tic-tac-toe, for tests: small enough to be solved from the empty board in a second.

Two players put their marks on nine places in turn; three own marks in a line win, a full board
without is a draw. With best play on both sides it is a draw.
"""

import numpy as np

from sim.jit import jit
from sim.protocol import Definition, Option, register
from sim.records import FINISHED, NONE, PUBLIC, rules_record, state_record

NUM_PLACES = 9
#     0 1 2
#     3 4 5     places, actions
#     6 7 8
LINES = np.array(
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
)

DOC = """Tic-tac-toe.

Not modelled
------------
- Nothing is left out.
"""

RULES = rules_record("tic_tac_toe")
STATE = state_record(
    "tic_tac_toe",
    ("winner", np.int8, PUBLIC),  # the player with three in a line, or NONE
    ("mark", np.int8, NUM_PLACES, PUBLIC),  # the player whose mark stands there, or NONE
)


@jit
def setup(rules, state):
    state.winner = NONE
    state.mark[:] = NONE


@jit
def legal_actions(rules, state, actions):
    n = 0
    for i in range(NUM_PLACES):
        if state.mark[i] == NONE:
            actions[n] = i
            n += 1
    return n


@jit
def apply_action(rules, state, action):
    p = state.to_move
    state.mark[action] = p
    state.turn += 1
    if state.turn == NUM_PLACES:
        state.over = FINISHED
    for i in range(len(LINES)):
        if _num_marks(state, p, i) == 3:
            state.winner = p
            state.over = FINISHED
    state.to_move = 1 - p


@jit
def _num_marks(state, p, i):
    """Marks of a player in line i."""
    n = 0
    for j in range(3):
        if state.mark[LINES[i, j]] == p:
            n += 1
    return n


@jit
def scores(rules, state, points):
    for p in range(2):
        points[p] = 1 if state.winner == p else 0


@jit
def ranks(rules, state, points, ranks):
    for p in range(2):
        ranks[p] = 1 if points[p] >= points[1 - p] else 2


@jit
def determinize(rules, state, observer):
    """Nothing is hidden."""


@jit
def features(rules, state, player, values):
    """Won; lines with two own marks and none of the rival's."""
    values[0] = 1 if state.winner == player else 0
    values[1] = 0
    for i in range(len(LINES)):
        if _num_marks(state, player, i) == 2 and _num_marks(state, 1 - player, i) == 0:
            values[1] += 1


def describe(game, state):
    marks = ["xo."[mark] for mark in state.mark]
    return "\n".join(" ".join(marks[i : i + 3]) for i in (0, 3, 6))


GAME = register(
    Definition(
        name="tic_tac_toe",
        home=__name__,
        doc=DOC,
        players=range(2, 3),
        rules=RULES,
        state=STATE,
        num_actions=NUM_PLACES,
        options=(Option("max_turns", range(1, 101), 100, "guard"),),
        tables=(),
        feature_names=("score", "threats"),
        weights=(1.0, 0.2),
        describe=describe,
        action_text=lambda game, state, action: f"place {action + 1}",
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        scores=scores,
        ranks=ranks,
        determinize=determinize,
        features=features,
    )
)
