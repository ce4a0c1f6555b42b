"""One decision of a compiled agent, or one search, and the tree that it has left."""

import numpy as np

from agents import resolve
from agents.desk import VIEW, new_desk
from agents.mcts import search
from agents.play import decide
from sim.records import NONE


def stream_of(seed):
    return np.random.SFC64(seed).state["state"]["state"].copy()


def decided(game, state, spec, seed=1):
    """The action of an agent, and the desk after its decision."""
    agent = resolve(spec, game)
    desk = new_desk(game, agent.max_nodes)
    return decide(game.rules, state, agent.row, stream_of(seed), *desk), desk


def choice(game, state, spec, seed=1):
    return decided(game, state, spec, seed)[0]


def searched(game, state, spec, seed=1):
    """The desk after a search, and the number of nodes of its tree."""
    agent = resolve(spec, game)
    desk = new_desk(game, agent.max_nodes)
    desk.worlds[VIEW] = state
    size = search(game.rules, agent.row, int(state.to_move), stream_of(seed), *desk)
    return desk, size


def children(desk, node=0):
    found = []
    child = desk.nodes[node].first_child
    while child != NONE:
        found.append(desk.nodes[child])
        child = desk.nodes[child].next_sibling
    return found
