"""`greedy`: finishes its own turn as its judgement likes it best, and looks no further.

A judgement is a weight for each feature of the game. For every legal action the rest of the own
turn is played in thought, step by step, always the step that looks best; the action whose turn
ends best is chosen. Equals are decided at random.
"""

from agents.desk import AFTERTHOUGHT, THOUGHT, VIEW
from sim.chance import below
from sim.jit import inlined, jit
from sim.protocol import apply_action, features, legal_actions
from sim.records import GOES_ON


@inlined
def choose(rules, agent, player, num_legal, stream, worlds, notes):
    """Return the action of ``notes.legal[:num_legal]`` whose turn ends best in ``worlds[VIEW]``."""
    world = worlds[THOUGHT]
    turn = worlds[VIEW].turn
    best_value = 0.0
    num_best = 0
    best = notes.legal[0]
    for i in range(num_legal):
        worlds[THOUGHT] = worlds[VIEW]
        apply_action(rules, world, notes.legal[i])
        while world.over == GOES_ON and world.to_move == player and world.turn == turn:
            apply_action(rules, world, best_step(rules, agent, player, stream, worlds, notes))
        value = judge(rules, agent, world, player, notes.values)
        if num_best == 0 or value > best_value:
            best_value = value
            num_best = 0
        if value == best_value:
            num_best += 1
            if below(stream, num_best) == 0:
                best = notes.legal[i]
    return best


@jit
def best_step(rules, agent, player, stream, worlds, notes):
    """The action after which ``worlds[THOUGHT]`` looks best to a player at once."""
    num_legal = legal_actions(rules, worlds[THOUGHT], notes.replies)
    return best_reply(rules, agent, player, num_legal, stream, worlds, notes)


@jit
def best_reply(rules, agent, player, num_replies, stream, worlds, notes):
    """The action of ``notes.replies[:num_replies]`` after which ``worlds[THOUGHT]`` looks best."""
    best_value = 0.0
    num_best = 0
    best = notes.replies[0]
    for i in range(num_replies):
        worlds[AFTERTHOUGHT] = worlds[THOUGHT]
        apply_action(rules, worlds[AFTERTHOUGHT], notes.replies[i])
        value = judge(rules, agent, worlds[AFTERTHOUGHT], player, notes.values)
        if num_best == 0 or value > best_value:
            best_value = value
            num_best = 0
        if value == best_value:
            num_best += 1
            if below(stream, num_best) == 0:
                best = notes.replies[i]
    return best


@inlined
def judge(rules, agent, state, player, values):
    """Weighted sum of the features."""
    features(rules, state, player, values)
    total = 0.0
    for i in range(len(values)):
        total += agent.weights[i] * values[i]
    return total
