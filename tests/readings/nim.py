"""Nim, for tests: whoever is to move wins unless the exclusive or of the heaps is 0.

Two players take any number of counters of one of three heaps in turn; who takes the last counter
wins (C. L. Bouton, "Nim, a game with a complete mathematical theory", 1901).
"""

import numpy as np

from sim.jit import jit
from sim.protocol import Definition, Option, register
from sim.records import FINISHED, PUBLIC, rules_record, state_record

NUM_HEAPS = 3
MAX_COUNTERS = 5  # in a heap

DOC = """Nim.

Not modelled
------------
- Nothing is left out.
"""

RULES = rules_record("nim", *((f"heap_{i}", np.int8) for i in range(NUM_HEAPS)))
STATE = state_record("nim", ("heap", np.int8, NUM_HEAPS, PUBLIC))  # counters in each heap


@jit
def setup(rules, state):
    state.heap[0] = rules.heap_0
    state.heap[1] = rules.heap_1
    state.heap[2] = rules.heap_2


@jit
def legal_actions(rules, state, actions):
    """Action ``i * MAX_COUNTERS + n - 1`` takes n counters of heap i."""
    num_legal = 0
    for i in range(NUM_HEAPS):
        for n in range(state.heap[i]):
            actions[num_legal] = i * MAX_COUNTERS + n
            num_legal += 1
    return num_legal


@jit
def apply_action(rules, state, action):
    state.heap[action // MAX_COUNTERS] -= action % MAX_COUNTERS + 1
    state.turn += 1
    state.to_move = 1 - state.to_move
    if state.heap.sum() == 0:
        state.over = FINISHED


@jit
def scores(rules, state, points):
    """Who is to move when all is taken has lost."""
    for p in range(2):
        points[p] = 1 if state.over == FINISHED and state.to_move != p else 0


@jit
def ranks(rules, state, points, ranks):
    for p in range(2):
        ranks[p] = 1 if points[p] >= points[1 - p] else 2


@jit
def determinize(rules, state, observer):
    """Nothing is hidden."""


@jit
def features(rules, state, player, values):
    values[0] = 1 if state.over == FINISHED and state.to_move != player else 0


GAME = register(
    Definition(
        name="nim",
        home=__name__,
        doc=DOC,
        players=range(2, 3),
        rules=RULES,
        state=STATE,
        num_actions=NUM_HEAPS * MAX_COUNTERS,
        options=(
            *(
                Option(f"heap_{i}", range(MAX_COUNTERS + 1), i + 3, "counters at the start")
                for i in range(NUM_HEAPS)
            ),
            Option("max_turns", range(1, 101), 100, "guard"),
        ),
        tables=(),
        feature_names=("score",),
        weights=(1.0,),
        describe=lambda game, state: " ".join(map(str, state.heap)),
        action_text=lambda game, state, action: (
            f"{action % MAX_COUNTERS + 1} of heap {action // MAX_COUNTERS + 1}"
        ),
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        scores=scores,
        ranks=ranks,
        determinize=determinize,
        features=features,
    )
)
