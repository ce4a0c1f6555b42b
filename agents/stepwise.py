"""A match played move by move from Python, with agents written in Python, compiled, or both.

Compiled agents decide with the same kernel and the same streams as in `agents.play`, so a match
among them is the same match both ways.

An agent that raises, or answers anything but a legal action, forfeits: the match ends there, it
is last, and all the others share the win, since nobody can say how an unfinished match would have
ended.
"""

import numpy as np

from agents import play
from agents.clock import now
from agents.desk import VIEW, new_desk
from agents.hosting import Forfeit, in_words
from agents.team import Team
from agents.utility import utilities
from sim.chance import NUM_WORDS, next_word
from sim.match import END_WORDS, FORFEIT, record_of
from sim.protocol import imagine, legal_actions
from sim.records import GOES_ON


def play_match(game, seated, *, seed, seating=0, desk=None, hosts=None):
    """Play one match.

    Parameters
    ----------
    game : sim.Game
    seated : sequence of Agent
        One per seat.
    seed : int
        Of the match: of its deal, and with seating and seat of the agents' own chance.
    seating : int, default: 0
        Number of the match in its block.
    desk : agents.desk.Desk, optional
        To use again from match to match.
    hosts : agents.hosting.Hosts, optional
        The processes of agents written in Python. Without, they play in this one, unlimited.

    Returns
    -------
    record : MatchRecord
    outcomes : np.ndarray of `agents.play.OUTCOME`, shape (players,)
    reasons : list of str, one per seat
        Why a seat forfeited; empty for the others.
    """
    num_players = game.players
    if len(seated) != num_players:
        raise ValueError(f"{len(seated)} agents for {num_players} seats")
    if desk is None:
        desk = new_desk(game, max(agent.max_nodes for agent in seated))
    outcomes = np.zeros(num_players, play.OUTCOME)
    reasons = [""] * num_players
    state = game.new(seed)
    actions = []
    fingerprint = 1
    players = []
    for p, agent in enumerate(seated):
        stream = np.zeros(NUM_WORDS, np.uint64)
        play.seat_stream(stream, seed, seating, p)
        if agent.row is None and hosts is not None:
            players.append(_HostedSeat(hosts.host_of(game, agent, p), p, game, stream))
        else:
            players.append(_seat_for(agent)(game, agent, p, stream))
    while state.over == GOES_ON:
        p = int(state.to_move)
        before = now()
        try:
            action = players[p].choose(state, desk)
            action = game.check_action(state, action)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # sys.exit and the like, too
            reasons[p] = str(error) if isinstance(error, Forfeit) else in_words(error)
            break
        finally:
            outcomes["seconds"][p] += now() - before
            outcomes["decisions"][p] += 1
            outcomes["full_trees"][p] += players[p].was_full(desk)
        game.apply(state, action)
        actions.append(int(action))
        fingerprint = play.add_to_fingerprint(fingerprint, int(action))
    outcomes["fingerprint"] = fingerprint
    end = FORFEIT if any(reasons) else int(state.over)
    _fill_outcomes(game, state, end, reasons, desk, outcomes)
    return record_of(game, seed, actions, state, END_WORDS[end]), outcomes, reasons


def _fill_outcomes(game, state, end, reasons, desk, outcomes):
    """Scores as they stand; ranks and utilities as the match ended."""
    outcomes["score"] = game.scores(state)
    outcomes["turns"] = state.turn
    outcomes["end"] = end
    if end == FORFEIT:
        stays = np.array([not reason for reason in reasons])
        outcomes["rank"] = np.where(stays, 1, game.players)
        outcomes["utility"] = stays / stays.sum()
    else:
        outcomes["rank"] = game.ranks(state)
        utilities(game.rules, state, desk.notes)
        outcomes["utility"] = desk.notes.utilities[: game.players]


def _seat_for(agent):
    if agent.row is None:
        return _PythonSeat
    return _CompiledSeat if agent.is_compiled else _ThreadedSeat


class _CompiledSeat:
    """A compiled agent in a seat."""

    def __init__(self, game, agent, player, stream):
        self._rules, self._row, self._stream = game.rules, agent.row, stream

    def choose(self, state, desk):
        return play.decide(self._rules, state, self._row, self._stream, *desk)

    def was_full(self, desk):
        return int(desk.notes.was_full)


class _ThreadedSeat:
    """A search with several threads in a seat, each with a desk and a tree of its own."""

    def __init__(self, game, agent, player, stream):
        self._team, self._rules, self._stream = Team(game, agent), game.rules, stream
        self._was_full = 0

    def choose(self, state, desk):
        self._was_full = 0
        legal = desk.notes.legal[: legal_actions(self._rules, state, desk.notes.legal)]
        if len(legal) == 1:
            return legal[0]
        view = desk.worlds[VIEW]
        desk.worlds[VIEW] = state
        imagine(self._rules, view, np.int64(state.to_move), self._stream)
        root = self._team.search(view, self._stream)
        self._was_full = self._team.was_full()
        return root.best_action(self._stream)

    def was_full(self, desk):
        return self._was_full


class _PythonSeat:
    """A fresh agent written in Python in a seat, with chance of its own.

    It is made at its first decision, so that one that cannot even be made forfeits too.
    """

    def __init__(self, game, agent, player, stream):
        self._game, self._agent, self._player, self._stream = game, agent, player, stream
        self._rng = np.random.Generator(np.random.SFC64(int(next_word(stream))))
        self._fresh = None

    def choose(self, state, desk):
        if self._fresh is None:
            self._fresh = self._agent.make()
            if callable(getattr(self._fresh, "start", None)):
                self._fresh.start(self._game.variant(), self._player)  # its own to change
        view = self._game.view(state, self._player, self._stream)
        return self._fresh.choose(view, self._game.legal(state), self._rng)

    def was_full(self, desk):
        return 0


class _HostedSeat:
    """An agent written in Python in a seat, whose process has limits; else as `_PythonSeat`."""

    def __init__(self, host, player, game, stream):
        self._host, self._game, self._player, self._stream = host, game, player, stream
        host.start(player, int(next_word(stream)))

    def choose(self, state, desk):
        view = self._game.view(state, self._player, self._stream)
        return self._host.choose(view, self._game.legal(state))

    def was_full(self, desk):
        return 0
