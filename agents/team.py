"""One decision searched by several threads, and what a search found for each action.

Every thread grows a tree of its own, in worlds of its own; what they found for the actions of the
decision is added up (root parallelization: Cazenave and Jouandeau, "On the parallelization of
UCT", 2007). The simulations of the decision are divided among the threads, seconds are not.
"""

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from agents.desk import VIEW, new_desk
from agents.mcts import search
from sim.chance import NUM_WORDS, below, next_word, seed_stream
from sim.records import NONE


@dataclasses.dataclass
class Root:
    """What the simulations of a decision came to, for each action that was tried.

    Attributes
    ----------
    player : int
        Who decides.
    actions : np.ndarray of int64, shape (n,)
    visits : np.ndarray of int64, shape (n,)
        Simulations that began with the action.
    values : np.ndarray of float64, shape (n, players)
        Their mean utility for each player.
    variances : np.ndarray of float64, shape (n, players)
        Of the utility of a single simulation.
    scores : np.ndarray of float64, shape (n, players)
        Mean points where the simulations ended or were judged.
    priors : np.ndarray of float64, shape (n,)
        Probabilities before the search; not a number without `prior`.
    """

    player: int
    actions: np.ndarray
    visits: np.ndarray
    values: np.ndarray
    variances: np.ndarray
    scores: np.ndarray
    priors: np.ndarray

    def best_action(self, stream):
        """Return the action that came out best; equals are decided at random.

        Parameters
        ----------
        stream : np.ndarray of uint64
            Of the agent; modified.

        Returns
        -------
        int
        """
        own = self.values[:, self.player]
        last = np.lexsort((own, self.visits))[-1]
        best = np.flatnonzero((own == own[last]) & (self.visits == self.visits[last]))
        return int(self.actions[best[below(stream, len(best))]])


class Team:
    """The threads of one agent and their desks.

    Parameters
    ----------
    game : sim.Game
    agent : agents.Agent
        Of the kind ``mcts``.
    """

    def __init__(self, game, agent):
        self._game = game
        self._rows = []
        for i in range(agent.num_threads):
            row = agent.row.copy()
            row.explains = 1
            if row.simulations > 0:
                row.simulations = (row.simulations + i) // agent.num_threads
            self._rows.append(row)
        self._desks = [new_desk(game, agent.max_nodes) for _ in self._rows]
        self._pool = ThreadPoolExecutor(len(self._rows)) if len(self._rows) > 1 else None

    def search(self, view, stream):
        """Search from what the player to move may hold for the true state.

        Parameters
        ----------
        view : np.record
        stream : np.ndarray of uint64
            Of the agent; modified. A single thread draws from it as `agents.mcts.choose` does.

        Returns
        -------
        Root
        """
        player = np.int64(view.to_move)
        streams = [stream]
        if self._pool:
            word = int(next_word(stream)) >> 1  # compiled code takes 63 bits from Python
            streams = [np.zeros(NUM_WORDS, np.uint64) for _ in self._rows]
            for i, own in enumerate(streams):
                seed_stream(own, word, i, 0)

        def run(row, desk, own):
            desk.worlds[VIEW] = view
            search(self._game.rules, row, player, own, *desk)

        list((self._pool or _Here).map(run, self._rows, self._desks, streams))
        return self._merged(player)

    def was_full(self):
        """Whether a tree of the last search had no room to grow; 1 or 0."""
        return max(int(desk.notes.was_full) for desk in self._desks)

    def _merged(self, player):
        notes = [desk.notes for desk in self._desks]
        seen = sum(n.seen for n in notes)
        actions = np.flatnonzero(seen)
        visits = seen[actions]
        per_visit = 1 / visits[:, None]
        values = sum(n.worth for n in notes)[actions] * per_visit
        squares = sum(n.squares for n in notes)[actions] * per_visit
        num_players = self._game.players
        return Root(
            player=int(player),
            actions=actions,
            visits=visits,
            values=values[:, :num_players],
            variances=np.maximum(squares - values**2, 0)[:, :num_players],
            scores=(sum(n.score for n in notes)[actions] * per_visit)[:, :num_players],
            priors=self._priors()[actions],
        )

    def _priors(self):
        """By action; those of the first tree, whose worlds are as good as those of the others."""
        priors = np.full(self._game.num_actions, np.nan)
        if self._rows[0].prior > 0:
            nodes = self._desks[0].nodes
            child = nodes[0].first_child
            while child != NONE:
                priors[nodes[child].action] = nodes[child].prior
                child = nodes[child].next_sibling
        return priors


class _Here:
    """Stands for a pool of threads where there is only one."""

    map = map
