"""A decision by any compiled agent, and whole matches among them in a single compiled call."""

import numpy as np

from agents import greedy, mcts, uniform
from agents.clock import now
from agents.desk import BLANK, TRUE, VIEW
from agents.utility import utilities
from sim.chance import seed_stream
from sim.jit import inlined, jit
from sim.protocol import apply_action, deal, imagine, legal_actions
from sim.records import GOES_ON

RANDOM, GREEDY, MCTS = 0, 1, 2  # values of AGENT.kind
MAX_WEIGHTS = 32

AGENT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("kind", np.int8),  # RANDOM, GREEDY, MCTS
                ("simulations", np.int64),  # of one decision; 0 with a budget in seconds
                ("seconds", np.float64),  # of one decision; 0 with a budget in simulations
                ("exploration", np.float64),  # factor of the bonus in UCB1 or PUCT
                ("prior", np.float64),  # judgement that makes an action e times as likely; 0 = none
                ("paired", np.int64),  # 1 = the n-th visits of all actions share a world
                ("horizon", np.int64),  # turns from the decision on; 0 = to the end
                ("greed", np.float64),  # share of the steps of a playout that look best
                ("softness", np.float64),  # points or judgement that turn even chances into e : 1
                ("margin", np.float64),  # share of the score margin in the utility of an end
                ("rank", np.float64),  # share of the rank in the rest of that utility
                ("explains", np.int64),  # 1 = keep what each action of the decision came to
                ("nodes", np.int64),  # at which the tree stops growing
                ("weights", np.float64, MAX_WEIGHTS),  # judgement, one for each feature
            ],
            align=True,
        ),
    )
)

OUTCOME = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("utility", np.float64),  # share of the win
                ("seconds", np.float64),  # this seat thought
                ("fingerprint", np.int64),  # of all actions; other matches have others
                ("score", np.int32),
                ("turns", np.int32),  # of the whole match
                ("decisions", np.int32),  # of this seat
                ("full_trees", np.int32),  # decisions whose search tree had no room to grow
                ("rank", np.int8),
                ("end", np.int8),  # place in sim.match.END_WORDS
            ],
            align=True,
        ),
    )
)

_FNV_PRIME = 1099511628211  # Fowler, Noll and Vo's hash, here of 63 bits
_MASK_63 = (1 << 63) - 1


@jit
def add_to_fingerprint(fingerprint, action):
    """Return the fingerprint of a sequence of actions with one more."""
    return ((fingerprint ^ (int(action) + 1)) * _FNV_PRIME) & _MASK_63


@jit
def seat_stream(stream, seed, seating, seat):
    """Start the stream of the agent in a seat: not that of the deal, nor that of another match."""
    seed_stream(stream, seed, seating + 1, seat + 1)


@inlined
def decide(rules, state, agent, stream, worlds, nodes, notes):
    """Return the action of a compiled agent for the player to move.

    The agent is given a world that this player may hold for the true one, never `state` itself.
    """
    num_legal = legal_actions(rules, state, notes.legal)
    notes.was_full = 0
    if agent.kind == RANDOM:
        return uniform.choose(num_legal, stream, notes)
    player = np.int64(state.to_move)
    worlds[VIEW] = state
    imagine(rules, worlds[VIEW], player, stream)
    if agent.kind == GREEDY:
        return greedy.choose(rules, agent, player, num_legal, stream, worlds, notes)
    return mcts.choose(rules, agent, player, num_legal, stream, worlds, nodes, notes)


@jit
def play_blocks(rules, agents, seatings, seeds, worlds, nodes, notes, outcomes):
    """Play some blocks of one line-up; ``outcomes[block, seating, seat]`` is modified.

    Seat p of a match is taken by ``agents[seatings[seating, p]]``. Where all play at random `nodes`
    may be None: then nothing else is compiled, and the clock, a look at which takes as long as an
    action, is looked at before and after all matches; each decision gets the same of what has
    passed. Such matches of Treelings are 1.8 times as fast.
    """
    start = now()
    for block in range(len(seeds)):
        for i in range(len(seatings)):
            for p in range(rules.num_players):
                seat_stream(notes.streams[p], seeds[block], i, p)
            worlds[TRUE] = worlds[BLANK]
            deal(rules, worlds[TRUE], seeds[block])
            _play_match(rules, agents, seatings[i], worlds, nodes, notes, outcomes[block, i])
    if nodes is None:
        _share_time(now() - start, outcomes)


@inlined
def _play_match(rules, agents, seating, worlds, nodes, notes, outcomes):
    """Play from set-up to the end, and write a row for each seat."""
    state = worlds[TRUE]
    fingerprint = 1
    time = 0.0 if nodes is None else now()  # nobody thinks while the match is set up
    while state.over == GOES_ON:
        p = state.to_move
        if nodes is None:
            num_legal = legal_actions(rules, state, notes.legal)
            action = uniform.choose(num_legal, notes.streams[p], notes)
            apply_action(rules, state, action)
        else:
            agent = agents[seating[p]]
            action = decide(rules, state, agent, notes.streams[p], worlds, nodes, notes)
            apply_action(rules, state, action)
            after = now()
            outcomes[p].full_trees += notes.was_full
            outcomes[p].seconds += after - time
            time = after
        outcomes[p].decisions += 1
        fingerprint = add_to_fingerprint(fingerprint, action)
    utilities(rules, state, notes)
    for p in range(len(seating)):
        outcomes[p].score = notes.points[p]
        outcomes[p].rank = notes.ranks[p]
        outcomes[p].utility = notes.utilities[p]
        outcomes[p].turns = state.turn
        outcomes[p].end = state.over
        outcomes[p].fingerprint = fingerprint


@jit
def _share_time(seconds, outcomes):
    """Share what some matches took among their seats, to each decision the same."""
    num_decisions = 0
    for block in range(len(outcomes)):
        for i in range(outcomes.shape[1]):
            for p in range(outcomes.shape[2]):
                num_decisions += outcomes[block, i, p].decisions
    for block in range(len(outcomes)):
        for i in range(outcomes.shape[1]):
            for p in range(outcomes.shape[2]):
                share = outcomes[block, i, p].decisions / max(num_decisions, 1)
                outcomes[block, i, p].seconds = seconds * share
