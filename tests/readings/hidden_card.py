"""A game for tests in which knowing what one must not know wins everything.

The players take turns in naming the top card of a shuffled pack of four kinds; the card is then
shown, and a right guess is a point.
"""

import numpy as np

from sim.chance import shuffle
from sim.jit import jit
from sim.protocol import Definition, Option, register
from sim.records import FINISHED, HIDDEN, PUBLIC, rules_record, state_record

NUM_KINDS = 4
NUM_CARDS = 24

DOC = """Hidden card.

Not modelled
------------
- Nothing is left out.
"""

RULES = rules_record("hidden_card")
STATE = state_record(
    "hidden_card",
    ("guessed", np.int16, 2, PUBLIC),  # right guesses of each player
    ("shown", np.int16, NUM_KINDS, PUBLIC),  # cards of each kind shown so far
    ("deck", np.int8, NUM_CARDS, HIDDEN),
)


@jit
def setup(rules, state):
    for i in range(NUM_CARDS):
        state.deck[i] = i % NUM_KINDS
    shuffle(state.deck, 0, NUM_CARDS, state.chance)


@jit
def legal_actions(rules, state, actions):
    for c in range(NUM_KINDS):
        actions[c] = c
    return NUM_KINDS


@jit
def apply_action(rules, state, action):
    card = state.deck[state.turn]
    state.shown[card] += 1
    if card == action:
        state.guessed[state.to_move] += 1
    state.turn += 1
    state.to_move = 1 - state.to_move
    if state.turn == NUM_CARDS:
        state.over = FINISHED


@jit
def scores(rules, state, points):
    points[0] = state.guessed[0]
    points[1] = state.guessed[1]


@jit
def ranks(rules, state, points, ranks):
    for p in range(2):
        ranks[p] = 1 if points[p] >= points[1 - p] else 2


@jit
def determinize(rules, state, observer):
    shuffle(state.deck, state.turn, NUM_CARDS, state.chance)


@jit
def features(rules, state, player, values):
    values[0] = state.guessed[player]


GAME = register(
    Definition(
        name="hidden_card",
        home=__name__,
        doc=DOC,
        players=range(2, 3),
        rules=RULES,
        state=STATE,
        num_actions=NUM_KINDS,
        options=(Option("max_turns", range(1, 101), 100, "guard"),),
        tables=(),
        feature_names=("score",),
        weights=(1.0,),
        describe=lambda game, state: f"{state.guessed[0]} : {state.guessed[1]}",
        action_text=lambda game, state, action: f"kind {action}",
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        scores=scores,
        ranks=ranks,
        determinize=determinize,
        features=features,
    )
)
