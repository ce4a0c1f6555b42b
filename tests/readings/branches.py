"""Games of a few choices for tests, each written down as its tree; their values fit in the head.

One set of rules plays them all, since the tree is data. Where something turns on a die or on a
card, each of five faces is equally likely. The die is thrown when it is needed; the card lies
hidden from everybody from the start.
"""

import numpy as np

from sim.chance import below
from sim.jit import jit
from sim.protocol import Definition, Option, register
from sim.records import FINISHED, HIDDEN, NONE, PUBLIC, rules_record, state_record

MAX_PLAYERS = 3
MAX_PLACES = 32
NUM_ACTIONS = 4
NUM_FACES = 5
SURE, DIE, CARD = 0, 1, 2  # what an action turns on

# Trees --------------------------------------------------------------------------------------------


def win(*players):
    """The end; these players share the win."""
    return "win", players


def turn(player, *replies):
    """A player chooses; None where he has no action of that number."""
    return "turn", player, replies


def die(*faces):
    """Goes on at one of five places, by a die."""
    return DIE, faces


def card(*faces):
    """Goes on at one of five places, by the card."""
    return CARD, faces


# Nobody else has a say: 1, 1/2 and 0.
SURE_THINGS = turn(0, win(0), win(0, 1), win(1))

# What the others want decides. The first player has, by his three actions,
#   1/2, 1/3, 0  when each wants the best for himself (max^n): the second takes his half, and the
#                third his half rather than nothing,
#   0, 1/3, 0    when both are against him,
#   1/2, 1/3, 1  when both are for him.
ALLIES = turn(
    0,
    turn(1, win(0, 1), win(2)),
    win(0, 1, 2),
    turn(1, win(0), turn(2, win(0), win(1, 2))),
)

# The first player has 1/2, 3/5 and 2/5; of the last it would be 4/5 if the second played at random.
DICE = turn(
    0,
    win(0, 1),
    die(win(0), win(0), win(0), win(1), win(1)),
    turn(1, win(0), win(0), die(win(1), win(1), win(1), win(0), win(0))),
)

# The second player sees the die before he answers, so the first wins 1/5 and nothing. Answers to
# other faces are other actions ...
SEEN = turn(
    0,
    die(win(0), win(1), win(1), win(1), win(1)),
    die(
        *[turn(1, win(0), win(1), None, None)] * 3,
        *[turn(1, None, None, win(1), win(0))] * 2,
    ),
)

# ... or the same ones: a second player who does not look at the die wins 3/5 with his second.
SAME = turn(
    0,
    die(win(0), win(1), win(1), win(1), win(1)),
    die(*[turn(1, win(0), win(1))] * 3, *[turn(1, win(1), win(0))] * 2),
)

# One of two, or a guess at a card of which there are two of the first kind and one of each other:
# 1/2 and 2/5. Whoever knew the card would guess, and whoever believes that he will know it by then.
GUESS = turn(
    0,
    win(0, 1),
    turn(
        0,
        card(win(0), win(0), win(1), win(1), win(1)),
        card(win(1), win(1), win(0), win(1), win(1)),
        card(win(1), win(1), win(1), win(0), win(1)),
        card(win(1), win(1), win(1), win(1), win(0)),
    ),
)

TREES = {
    "sure things": SURE_THINGS,
    "allies": ALLIES,
    "dice": DICE,
    "seen": SEEN,
    "same": SAME,
    "guess": GUESS,
}

DOC = """Branches.

Not modelled
------------
- Nothing is left out.
"""

RULES = rules_record(
    "branches",
    ("tree", np.int8),
    ("first", np.int8),  # the seat of the tree's first player; the others follow
    ("mover", np.int8, MAX_PLACES),  # who chooses at a place, NONE at an end
    ("winner", np.int8, (MAX_PLACES, MAX_PLAYERS)),  # 1 for who shares the win at an end
    ("turns_on", np.int8, (MAX_PLACES, NUM_ACTIONS)),  # SURE, DIE, CARD
    ("next", np.int8, (MAX_PLACES, NUM_ACTIONS, NUM_FACES)),  # a place; NONE = no such action
)
STATE = state_record(
    "branches",
    ("place", np.int8, PUBLIC),  # in the tree
    ("card", np.int8, HIDDEN),  # its face
)


def prepare(rules, rows):
    """Number the places of the tree, its root first."""
    players = 3 if tuple(TREES)[rules.tree] == "allies" else 2
    if rules.num_players != players or rules.first >= players:
        raise ValueError(f"this tree is one of {players} players")
    rules.next[:] = NONE
    rules.mover[:] = NONE
    num_places = 1

    def lay_out(tree, place):
        nonlocal num_places
        if tree[0] == "win":
            rules.winner[place, list(tree[1])] = 1
            return
        _, rules.mover[place], replies = tree
        for action, reply in enumerate(replies):
            if reply is None:
                continue
            outcomes = [reply] * NUM_FACES
            if reply[0] in (DIE, CARD):
                rules.turns_on[place, action], outcomes = reply
            numbers = {}
            for face, outcome in enumerate(outcomes):
                if id(outcome) not in numbers:
                    numbers[id(outcome)] = num_places
                    num_places += 1
                    lay_out(outcome, numbers[id(outcome)])
                rules.next[place, action, face] = numbers[id(outcome)]

    lay_out(tuple(TREES.values())[rules.tree], 0)


@jit
def setup(rules, state):
    state.card = below(state.chance, NUM_FACES)
    state.to_move = (rules.mover[0] + rules.first) % rules.num_players


@jit
def legal_actions(rules, state, actions):
    n = 0
    for a in range(NUM_ACTIONS):
        if rules.next[state.place, a, 0] != NONE:
            actions[n] = a
            n += 1
    return n


@jit
def apply_action(rules, state, action):
    face = 0
    if rules.turns_on[state.place, action] == DIE:
        face = below(state.chance, NUM_FACES)
    elif rules.turns_on[state.place, action] == CARD:
        face = int(state.card)
    state.place = rules.next[state.place, action, face]
    state.turn += 1
    if rules.mover[state.place] == NONE:
        state.over = FINISHED
    else:
        state.to_move = (rules.mover[state.place] + rules.first) % rules.num_players


@jit
def scores(rules, state, points):
    for p in range(rules.num_players):
        seat = (p + rules.first) % rules.num_players
        points[seat] = rules.winner[state.place, p]


@jit
def ranks(rules, state, points, ranks):
    for p in range(rules.num_players):
        ranks[p] = 2 - points[p]


@jit
def determinize(rules, state, observer):
    state.card = below(state.chance, NUM_FACES)


@jit
def features(rules, state, player, values):
    p = (player - rules.first + rules.num_players) % rules.num_players
    values[0] = rules.winner[state.place, p]


GAME = register(
    Definition(
        name="branches",
        home=__name__,
        doc=DOC,
        players=range(2, MAX_PLAYERS + 1),
        rules=RULES,
        state=STATE,
        num_actions=NUM_ACTIONS,
        options=(
            Option("tree", tuple(TREES), "dice", "the choices"),
            Option("first", range(MAX_PLAYERS), 0, "the seat of the tree's first player"),
            Option("max_turns", range(1, 101), 100, "guard"),
        ),
        tables=(),
        feature_names=("score",),
        weights=(1.0,),
        describe=lambda game, state: f"place {state.place}",
        action_text=lambda game, state, action: f"branch {action + 1}",
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
