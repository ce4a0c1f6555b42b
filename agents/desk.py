"""The desk: everything a decision writes on, allocated once and used again.

One desk serves one thread. Nothing on it outlives a decision, so all agents of a match share it.
It comes in three parts, since compiled code hands on a record as one pointer, but counts the
references of every array that it hands on (with one tuple of arrays instead, search took more than
four times as long in Connect Four):

``worlds``
    States. `TRUE` = the match as it is, `BLANK` = all zeros, `VIEW` = what the player who decides
    may hold for the true state, `THOUGHT` and `AFTERTHOUGHT` = tried out in thought, `KEPT` = as it
    was before something was tried out.
``nodes``
    The search tree, see `node_record`.
``notes``
    Short arrays, see `notes_record`.
"""

import functools
from typing import NamedTuple

import numpy as np

from sim.chance import NUM_WORDS
from sim.records import NONE

TRUE, BLANK, VIEW, THOUGHT, AFTERTHOUGHT, KEPT = 0, 1, 2, 3, 4, 5
_NUM_WORLDS = 6


@functools.cache
def node_record(definition):
    """Return the record type of a node of the search tree for a game.

    It has room for the values of no more players than can be, since large trees wait for memory.

    Parameters
    ----------
    definition : sim.protocol.Definition

    Returns
    -------
    np.dtype
    """
    fields = [
        ("action", np.int32),  # that leads here from the parent
        ("parent", np.int32),  # node number, or NONE at the root
        ("first_child", np.int32),  # node number, or NONE
        ("next_sibling", np.int32),  # node number, or NONE
        ("visits", np.int32),  # simulations that came through
        ("availability", np.int32),  # times it could have been chosen
        ("prior", np.float64),  # probability before any visit, with a prior
        ("value", np.float64, definition.players.stop - 1),  # sum of the utilities of each player
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@functools.cache
def notes_record(definition):
    """Return the record type of the short arrays for a game.

    Parameters
    ----------
    definition : sim.protocol.Definition

    Returns
    -------
    np.dtype
    """
    num_actions = definition.num_actions
    num_players = definition.players.stop - 1
    fields = [
        ("legal", np.int64, num_actions),  # actions of the decision
        ("replies", np.int64, num_actions),  # actions met while thinking
        ("candidates", np.int64, num_actions),  # replies that are judged one after the other
        ("odds", np.float64, num_actions),  # probability of each candidate
        ("streams", np.uint64, (num_players, NUM_WORDS)),  # the chance of each seat's agent
        ("child_of_action", np.int32, num_actions),  # NONE between two uses
        ("salt", np.uint64),  # of the worlds of this search, when they are paired
        ("num_steps", np.int64),  # of all simulations of this search
        ("seen", np.int64, num_actions),  # simulations of each action of an explained decision
        ("worth", np.float64, (num_actions, num_players)),  # sum of their utilities
        ("squares", np.float64, (num_actions, num_players)),  # sum of the squares of these
        ("score", np.float64, (num_actions, num_players)),  # sum of the points where they ended
        ("was_full", np.int64),  # 1 = the tree of this decision had no room for a node
        ("points", np.int64, num_players),
        ("ranks", np.int64, num_players),
        ("utilities", np.float64, num_players),
        ("outset", np.float64, num_players),  # judged worth of the world of this simulation
        ("usual", np.float64, num_players),  # its mean over the simulations
        ("by_points", np.float64, num_players),  # the utilities of an end by its points alone
        ("values", np.float64, len(definition.feature_names)),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


class Desk(NamedTuple):
    """The three parts; see the top of this file."""

    worlds: np.ndarray
    nodes: np.ndarray
    notes: np.record


def new_desk(game, max_nodes=1):
    """Allocate a desk.

    Parameters
    ----------
    game : sim.Game
    max_nodes : int, default: 1
        Room for the search tree.

    Returns
    -------
    Desk
    """
    notes = np.zeros(1, notes_record(game.definition))[0]
    notes.child_of_action[:] = NONE
    return Desk(
        worlds=np.zeros(_NUM_WORLDS, game.definition.state.dtype),
        nodes=np.empty(max_nodes, node_record(game.definition)),
        notes=notes,
    )
