"""`mcts`: Monte Carlo tree search over the actions themselves, in a fresh world per simulation.

UCT (Kocsis and Szepesvari 2006) with an open loop: a node stands for the actions that led to it,
not for a state. Every simulation deals a world of its own that agrees with all that the player
knows, walks down the tree with the actions that are legal in that world, adds one node, plays
random actions to the end, and adds to every node on its path the utility of each player. A child
competes by how often it could have been chosen, its availability, rather than by the visits of its
parent (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012). Whoever
is to move chooses for himself, with his own entry of the value vector.

The utility is the share of the win, see `agents.utility`.
"""

import math

import numpy as np

from agents.clock import now
from agents.desk import THOUGHT, VIEW
from agents.greedy import best_reply, best_step, judge
from agents.utility import utilities
from sim.chance import below, uniform
from sim.jit import inlined, jit
from sim.playouts import play_out
from sim.protocol import apply_action, imagine, legal_actions
from sim.records import NONE

_ROOT = np.int64(0)  # typed, so that no kernel is compiled twice, for a literal and for a number


@inlined
def choose(rules, agent, player, num_legal, stream, worlds, nodes, notes):
    """Search from ``worlds[VIEW]`` and return the action that was simulated most."""
    if num_legal == 1:
        return notes.legal[0]
    search(rules, agent, player, stream, worlds, nodes, notes)
    return _most_visited(player, stream, nodes)


@inlined
def search(rules, agent, player, stream, worlds, nodes, notes):
    """Build the tree in `nodes` until the budget is used; return its number of nodes."""
    _add_node(NONE, NONE, nodes, _ROOT)
    size = _ROOT + 1
    deadline = now() + agent.seconds
    simulation = 0
    notes.usual[:] = 0
    while simulation < max(agent.simulations, 1) or (agent.seconds > 0 and now() < deadline):
        simulation += 1
        size = _simulate(rules, agent, player, simulation, size, stream, worlds, nodes, notes)
    return size


@inlined
def _simulate(rules, agent, player, simulation, size, stream, worlds, nodes, notes):
    """One world, one walk down, one new node, one playout; return the new size of the tree."""
    worlds[THOUGHT] = worlds[VIEW]
    world = worlds[THOUGHT]
    imagine(rules, world, player, stream)
    if agent.horizon > 0:
        _judge_world(rules, agent, simulation, worlds, notes)
    node = _ROOT
    turn = world.turn
    num_legal = legal_actions(rules, world, notes.replies)
    while num_legal > 0:
        turn = world.turn
        can_grow = size < agent.nodes
        action, child = _select(
            rules, agent, node, num_legal, can_grow, stream, worlds, nodes, notes
        )
        apply_action(rules, world, action)
        if child == NONE:
            if can_grow:
                _add_node(action, node, nodes, size)
                node = size
                size += 1
            break
        node = child
        num_legal = legal_actions(rules, world, notes.replies)
    last = max(worlds[VIEW].turn + agent.horizon, turn + 1)
    _play_on(rules, agent, last, stream, worlds, notes)
    _back_up(node, nodes, notes.utilities)
    return size


@inlined
def _play_on(rules, agent, last, stream, worlds, notes):
    """Play on from the leaf, to the end or before turn `last`, and write its worth to each.

    The horizon is counted from the turn of the decision, so that most leaves are judged at the
    same time of the match; those beyond it at the end of their turn.
    """
    world = worlds[THOUGHT]
    if agent.horizon == 0 and agent.greed == 0:
        play_out(rules, world, notes.replies, stream)
    else:
        num_legal = legal_actions(rules, world, notes.replies)
        while num_legal > 0 and (agent.horizon == 0 or world.turn < last):
            if agent.greed > 0 and uniform(stream) < agent.greed:
                player = np.int64(world.to_move)
                action = best_step(rules, agent, player, stream, worlds, notes)
            else:
                action = notes.replies[below(stream, num_legal)]
            apply_action(rules, world, action)
            num_legal = legal_actions(rules, world, notes.replies)
        if num_legal > 0:
            _judged_utilities(rules, agent, world, notes)
            return
    utilities(rules, world, notes)


@jit
def _judge_world(rules, agent, simulation, worlds, notes):
    """Write what the world is worth to each at its outset, and usually in this search."""
    for p in range(rules.num_players):
        notes.outset[p] = judge(rules, agent, worlds[THOUGHT], p, notes.values)
        notes.usual[p] += (notes.outset[p] - notes.usual[p]) / simulation


@jit
def _judged_utilities(rules, agent, world, notes):
    """Shares of the win by judgement: the softmax of what the position is worth to each.

    Judged is what has been gained since the outset of the world, on top of what worlds are worth
    at the outset. So a hand that was imagined to be a good one does not speak for an action
    (a control variate, see Veness, Lanctot and Bowling, "Variance Reduction in Monte-Carlo Tree
    Search", 2011).
    """
    best = -np.inf
    for p in range(rules.num_players):
        gained = judge(rules, agent, world, p, notes.values) - notes.outset[p]
        notes.utilities[p] = (notes.usual[p] + gained) / agent.softness
        best = max(best, notes.utilities[p])
    total = 0.0
    for p in range(rules.num_players):
        notes.utilities[p] = math.exp(notes.utilities[p] - best)
        total += notes.utilities[p]
    for p in range(rules.num_players):
        notes.utilities[p] /= total


@jit
def _select(rules, agent, node, num_legal, can_grow, stream, worlds, nodes, notes):
    """Return an action never tried here with NONE, or the best one with its child.

    The children are matched with the actions that are legal in this world; each that is becomes
    one more time available. A tree that cannot grow tries new actions only where it has no child.

    With `widening` a node has no more children that are legal in one world than that many times
    the square root of its visits, and new ones are tried in the order of judgement (progressive
    unpruning, Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008).
    """
    mover = np.int64(worlds[THOUGHT].to_move)
    replies = notes.replies
    child_of_action = notes.child_of_action
    child = nodes[node].first_child
    while child != NONE:
        child_of_action[nodes[child].action] = child
        child = nodes[child].next_sibling
    num_untried = 0
    best_bound = -1.0
    best = NONE
    for i in range(num_legal):
        child = child_of_action[replies[i]]
        if child == NONE:
            replies[num_untried] = replies[i]  # the untried ones come first
            num_untried += 1
        else:
            nodes[child].availability += 1
            if num_untried == 0 or not can_grow or agent.widening > 0:
                visits = nodes[child].visits
                mean = nodes[child].value[mover] / visits
                bound = mean + agent.exploration * math.sqrt(
                    math.log(nodes[child].availability) / visits
                )
                if bound > best_bound:
                    best_bound = bound
                    best = child
    if agent.widening > 0 and best != NONE:
        most = agent.widening * math.sqrt(nodes[node].visits)
        can_grow = can_grow and num_legal - num_untried < most
    if num_untried > 0 and (can_grow or best == NONE):
        if agent.widening > 0:
            action = best_reply(rules, agent, mover, num_untried, stream, worlds, notes)
        else:
            action = replies[below(stream, num_untried)]
        best = NONE
    else:
        action = nodes[best].action
    child = nodes[node].first_child
    while child != NONE:
        child_of_action[nodes[child].action] = NONE
        child = nodes[child].next_sibling
    return action, best


@jit
def _add_node(action, parent, nodes, number):
    """Write a new node, as a child of its parent."""
    node = nodes[number]
    node.action = action
    node.parent = parent
    node.first_child = NONE
    node.next_sibling = NONE
    node.visits = 0
    node.availability = 1
    node.value[:] = 0
    if parent != NONE:
        node.next_sibling = nodes[parent].first_child
        nodes[parent].first_child = number


@jit
def _back_up(node, nodes, utility):
    """Count the simulation and its utilities from a node up to the root."""
    while node != NONE:
        nodes[node].visits += 1
        for p in range(len(utility)):
            nodes[node].value[p] += utility[p]
        node = nodes[node].parent


@jit
def _most_visited(player, stream, nodes):
    """The root's action with the most visits; equals by their mean utility, then at random."""
    best = nodes[_ROOT].first_child
    num_best = 1
    child = nodes[best].next_sibling
    while child != NONE:
        gain = nodes[child].visits - nodes[best].visits
        if gain == 0:
            value_gain = nodes[child].value[player] - nodes[best].value[player]
            gain = 1 if value_gain > 0 else -1 if value_gain < 0 else 0
        if gain > 0:
            best = child
            num_best = 1
        elif gain == 0:
            num_best += 1
            if below(stream, num_best) == 0:
                best = child
        child = nodes[child].next_sibling
    return np.int64(nodes[best].action)
