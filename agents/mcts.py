"""`mcts`: Monte Carlo tree search over the actions themselves, in a fresh world per simulation.

UCT (Kocsis and Szepesvari 2006) with an open loop: a node stands for the actions that led to it,
not for a state. Every simulation deals a world of its own that agrees with all that the player
knows, walks down the tree with the actions that are legal in that world, plays on from the first
node that it has not been to, and adds to every node on its path the utility of each player. A
child competes by how often it could have been chosen, its availability, rather than by the visits
of its parent (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012).
Whoever is to move chooses for himself, with his own entry of the value vector (max^n, Luckhardt and
Irani 1986).

What can be added, each by the parameter of its name in `agents.play.AGENT`:

``paired``
    The n-th visits of all actions of the decision happen in the same world, with the same chance
    (common random numbers). What is compared are then actions, not the luck of their worlds.
``prior``
    A probability for each action before it is tried, by judgement, and with it PUCT in the place of
    UCB1 (Rosin, "Multi-armed bandits with episode context", 2011, as Silver et al., "Mastering the
    game of Go without human knowledge", 2017, write it).
``horizon``, ``greed``
    Playouts that end early and are judged; steps that look best, with the rest at random
    (Lorentz, "Amazons discover Monte-Carlo", 2008; Sturtevant, "An analysis of UCT in multi-player
    games", 2008).
``margin``, ``rank``
    Utility of an end: not the share of the win alone, see `agents.utility`, but blended with the
    place, and the two together with the softmax of the points.

What the literature also has and helped in no game was taken out again; ``docs/search.md`` has the
figures.
"""

import math

import numpy as np

from agents.clock import now
from agents.desk import KEPT, THOUGHT, VIEW
from agents.greedy import best_step, judge
from agents.utility import utilities
from sim.chance import below, next_word, seed_stream, uniform
from sim.jit import inlined, jit
from sim.playouts import play_out
from sim.protocol import apply_action, imagine, legal_actions, scores
from sim.records import GOES_ON, NONE

# Most nodes have been available few times; with their logarithms at hand the search of Connect Four
# does a sixth more simulations a second.
_LOGARITHMS = np.array([-math.inf] + [math.log(n) for n in range(1, 1024)])
_ROOT = np.int64(0)  # typed, so that no kernel is compiled twice, for a literal and for a number


@inlined
def choose(rules, agent, player, num_legal, stream, worlds, nodes, notes):
    """Search from ``worlds[VIEW]`` and return the action that came out best."""
    if num_legal == 1:
        return notes.legal[0]
    search(rules, agent, player, stream, worlds, nodes, notes)
    return _best_at_root(player, stream, nodes)


@inlined
def search(rules, agent, player, stream, worlds, nodes, notes):
    """Build the tree in `nodes` until the budget is used; return its number of nodes."""
    _add_node(NONE, NONE, 0.0, nodes, _ROOT)
    size = _ROOT + 1
    deadline = now() + agent.seconds
    simulation = 0
    notes.usual[:] = 0
    notes.num_steps = 0
    if agent.explains > 0:
        notes.seen[:] = 0
        notes.worth[:] = 0
        notes.squares[:] = 0
        notes.score[:] = 0
    notes.was_full = 0
    notes.salt = next_word(stream)
    while simulation < max(agent.simulations, 1) or (agent.seconds > 0 and now() < deadline):
        simulation += 1
        size = _simulate(rules, agent, player, simulation, size, stream, worlds, nodes, notes)
    return size


@inlined
def _simulate(rules, agent, player, simulation, size, stream, worlds, nodes, notes):
    """One world, one walk down, one playout; return the new size of the tree."""
    worlds[THOUGHT] = worlds[VIEW]
    world = worlds[THOUGHT]
    node = _ROOT
    first_action = np.int64(NONE)
    turn = world.turn
    num_legal = legal_actions(rules, world, notes.replies)
    while num_legal > 0:
        turn = world.turn
        action, child, size = _select(
            rules, agent, node, num_legal, size, stream, worlds, nodes, notes
        )
        if node == _ROOT:
            first_action = action
            # What is legal here is so in all worlds, so the world may come second.
            if agent.paired > 0:
                visits = nodes[child].visits if child != NONE else simulation
                seed_stream(stream, notes.salt, visits, 0)
            imagine(rules, world, player, stream)
            if agent.horizon > 0:
                _judge_world(rules, agent, simulation, worlds, notes)
        apply_action(rules, world, action)
        notes.num_steps += 1
        if child != NONE:
            node = child
        if child == NONE or nodes[child].visits == 0:
            break
        num_legal = legal_actions(rules, world, notes.replies)
    last = max(worlds[VIEW].turn + agent.horizon, turn + 1)
    notes.num_steps += _play_on(rules, agent, last, stream, worlds, notes)
    _back_up(node, nodes, notes.utilities)
    if agent.explains > 0:
        _note_for_explanation(rules, first_action, world, notes)
    return size


@inlined
def _play_on(rules, agent, last, stream, worlds, notes):
    """Play on from the leaf, to the end or before turn `last`, and write its worth to each.

    Returns the number of steps.
    The horizon is counted from the turn of the decision, so that most leaves are judged at the
    same time of the match; those beyond it at the end of their turn.
    """
    world = worlds[THOUGHT]
    num_steps = 0
    if agent.horizon == 0 and agent.greed == 0:
        num_steps = play_out(rules, world, notes.replies, stream)
    else:
        num_legal = legal_actions(rules, world, notes.replies)
        while num_legal > 0 and (agent.horizon == 0 or world.turn < last):
            player = np.int64(world.to_move)
            if uniform(stream) < agent.greed:
                action = best_step(rules, agent, player, stream, worlds, notes)
            else:
                action = notes.replies[below(stream, num_legal)]
            apply_action(rules, world, action)
            num_steps += 1
            num_legal = legal_actions(rules, world, notes.replies)
        if num_legal > 0:
            _judged_utilities(rules, agent, world, notes)
            return num_steps
    _reward(rules, agent, world, notes)
    return num_steps


@inlined
def _note_for_explanation(rules, action, world, notes):
    """Count a simulation for the action that it began with."""
    scores(rules, world, notes.points)
    notes.seen[action] += 1
    for p in range(rules.num_players):
        notes.worth[action, p] += notes.utilities[p]
        notes.squares[action, p] += notes.utilities[p] ** 2
        notes.score[action, p] += notes.points[p]


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
    for p in range(rules.num_players):
        gained = judge(rules, agent, world, p, notes.values) - notes.outset[p]
        notes.utilities[p] = notes.usual[p] + gained
    _turn_into_shares(agent.softness, notes.usual[0], notes.utilities[: rules.num_players])


@inlined
def _turn_into_shares(softness, usual, values):
    """Softmax, in place; somebody alone is measured by his `usual` value."""
    best = values.max()
    if len(values) == 1:
        values[0] = 1 / (1 + math.exp((usual - best) / softness))
        return
    for p in range(len(values)):
        values[p] = math.exp((values[p] - best) / softness)
    values /= values.sum()


@jit
def _reward(rules, agent, world, notes):
    """Write what the end of a match is worth to each: the share of the win, or a blend."""
    utilities(rules, world, notes)
    if agent.rank == 0 and agent.margin == 0:
        return
    num_players = rules.num_players
    for p in range(num_players):
        notes.by_points[p] = notes.points[p]
    _turn_into_shares(agent.softness, notes.usual[0], notes.by_points[:num_players])
    for p in range(num_players):
        placed = (num_players - notes.ranks[p]) / max(num_players - 1, 1)
        of_places = (1 - agent.rank) * notes.utilities[p] + agent.rank * placed
        notes.utilities[p] = (1 - agent.margin) * of_places + agent.margin * notes.by_points[p]


@jit
def _select(rules, agent, node, num_legal, size, stream, worlds, nodes, notes):
    """Return an action, its child and the new size of the tree; NONE for an action without child.

    The children are matched with the actions that are legal in this world; each that is becomes
    one more time available. Actions without a child get one: one of them at a time, each tried
    before any is tried twice, or with a prior all at once. When the tree is full, actions without a
    child are tried only where no action has one.
    """
    mover = np.int64(worlds[THOUGHT].to_move)
    replies = notes.replies
    child_of_action = notes.child_of_action
    child = nodes[node].first_child
    while child != NONE:
        child_of_action[nodes[child].action] = child
        child = nodes[child].next_sibling
    num_untried = 0
    for i in range(num_legal):
        child = child_of_action[replies[i]]
        if child == NONE:
            action = replies[i]
            replies[i] = replies[num_untried]
            replies[num_untried] = action  # the untried ones come first
            num_untried += 1
        else:
            nodes[child].availability += 1
    action = replies[below(stream, num_untried)] if num_untried > 0 else replies[0]
    best = NONE
    if num_untried > 0 and agent.prior == 0 and size < agent.nodes:
        best = size
        _add_node(action, node, 0.0, nodes, size)
        size += 1
    else:
        is_full = size + num_untried > agent.nodes
        if num_untried > 0 and is_full:
            notes.was_full = 1
        elif num_untried > 0:
            _judge_replies(rules, agent, mover, num_legal, stream, worlds, notes)
            for i in range(num_untried):
                child_of_action[replies[i]] = size
                _add_node(replies[i], node, notes.odds[i], nodes, size)
                size += 1
            num_untried = 0
        best_bound = -math.inf
        num_best = 0
        outlook = _mean(mover, nodes[node]) if nodes[node].visits > 0 else 0.0
        for i in range(num_untried, num_legal):
            child = child_of_action[replies[i]]
            bound = _bound(agent, mover, outlook, nodes[child])
            if bound > best_bound:
                best_bound = bound
                num_best = 0
            if bound == best_bound:
                num_best += 1
                if num_best == 1 or below(stream, num_best) == 0:
                    best = child
                    action = replies[i]
    child = nodes[node].first_child
    while child != NONE:
        child_of_action[nodes[child].action] = NONE
        child = nodes[child].next_sibling
    return action, best, size


@inlined
def _bound(agent, mover, outlook, child):
    """What is hoped for from a child: UCB1, or with a prior PUCT.

    One that was never visited, as there is with a prior, is taken to be as good as its parent.
    """
    if agent.prior > 0:
        bonus = child.prior * math.sqrt(child.availability) / (1 + child.visits)
    else:
        bonus = math.sqrt(_logarithm(child.availability) / max(child.visits, 1))
    mean = _mean(mover, child) if child.visits > 0 else outlook
    return mean + agent.exploration * bonus


@inlined
def _logarithm(number):
    return _LOGARITHMS[number] if number < len(_LOGARITHMS) else math.log(number)


@inlined
def _mean(mover, node):
    """Mean utility of a node to the mover."""
    return node.value[mover] / node.visits


@jit
def _judge_replies(rules, agent, mover, num_legal, stream, worlds, notes):
    """Write the probability of each reply to ``worlds[THOUGHT]``: the softmax of the judgement.

    As `agents.greedy` does it, the rest of the own turn is played in thought before it is judged.
    """
    world = worlds[THOUGHT]
    worlds[KEPT] = world
    notes.candidates[:num_legal] = notes.replies[:num_legal]
    turn = world.turn
    for i in range(num_legal):
        worlds[THOUGHT] = worlds[KEPT]
        apply_action(rules, world, notes.candidates[i])
        while world.over == GOES_ON and world.to_move == mover and world.turn == turn:
            apply_action(rules, world, best_step(rules, agent, mover, stream, worlds, notes))
        notes.odds[i] = judge(rules, agent, world, mover, notes.values)
    worlds[THOUGHT] = worlds[KEPT]
    notes.replies[:num_legal] = notes.candidates[:num_legal]
    odds = notes.odds[:num_legal]
    best = odds.max()
    for i in range(num_legal):
        odds[i] = math.exp((odds[i] - best) / agent.prior)
    odds /= odds.sum()


@jit
def _add_node(action, parent, prior, nodes, number):
    """Write a new node, as a child of its parent."""
    node = nodes[number]
    node.action = action
    node.parent = parent
    node.first_child = NONE
    node.next_sibling = NONE
    node.visits = 0
    node.availability = 1
    node.prior = prior
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
def _best_at_root(player, stream, nodes):
    """The root's action with the most visits; equals by their mean utility, then at random."""
    best = NONE
    num_best = 0
    most = 0
    best_mean = 0.0
    child = nodes[_ROOT].first_child
    while child != NONE:
        visits = nodes[child].visits
        mean = _mean(player, nodes[child]) if visits > 0 else -1.0
        if num_best == 0 or visits > most or (visits == most and mean > best_mean):
            most, best_mean = visits, mean
            num_best = 0
        if visits == most and mean == best_mean:
            num_best += 1
            if below(stream, num_best) == 0:
                best = child
        child = nodes[child].next_sibling
    return np.int64(nodes[best].action)
