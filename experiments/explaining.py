"""What a search thinks of the actions of one position."""

import math
from statistics import NormalDist

import numpy as np
import pandas as pd

from agents.agent import resolve
from agents.play import MCTS
from agents.team import Team
from experiments.stats import CONFIDENCE
from sim.chance import NUM_WORDS, seed_stream
from sim.game import checked_seed
from sim.records import GOES_ON

_EXPLANATIONS = 4  # third seed word of their streams
_LEAST_VARIANCE = 1e-9


def explain(game, state, agent="default", *, seed=0):
    """Search a position as an agent would, and return what each action came to.

    Parameters
    ----------
    game : sim.Game
    state : np.record
        A position of a match that goes on. The search sees only what the player to move can know.
    agent : str or Agent, default: "default"
        A spec of the kind ``mcts``, see `agents.resolve`.
    seed : int, default: 0
        Of the search.

    Returns
    -------
    pd.DataFrame
        One row per action tried, the one that is chosen first, then by visits: ``action, words,
        visits, prior`` (probability before the search; not a number without a prior)`` and for
        every player p from 1 on ``value_p`` (mean utility, a share of the win by default)``,
        low_p, high_p`` (95 % interval over simulations)``, score_p`` (mean points at the end of
        the simulations, or where they were judged). ``attrs`` tell ``player`` (who is to move, 1 =
        the first)``, agent, seed, simulations`` and ``is_full`` (whether the tree had no room to
        grow).

    Raises
    ------
    ValueError
        When the match is over, or the agent does not search.

    Notes
    -----
    The interval is Wilson's, for as many simulations of a won or lost match as would vary like the
    utilities that were seen. It tells how well the search knows its own worlds and playouts, not
    how well these match the game; and search spends more simulations on what did well, so that
    values of seldom tried actions are rather too low.

    Examples
    --------
    >>> import sim
    >>> game = sim.load("connect_four")
    >>> state = game.new()
    >>> for action in (0, 6, 0, 6, 0, 5):
    ...     game.apply(state, action)
    >>> table = explain(game, state, "mcts:simulations=200")
    >>> table.words[0], float(table.value_1[0])
    ('column 1', 1.0)
    """
    agent = resolve(agent, game) if isinstance(agent, str) else agent
    if agent.row is None or agent.row.kind != MCTS:
        raise ValueError(f"{agent.label} does not search; accepted: default, mcts:...")
    if state.over != GOES_ON:
        raise ValueError("there is nothing to explain: the match is over")
    stream = np.zeros(NUM_WORDS, np.uint64)
    seed_stream(stream, checked_seed(seed), 0, _EXPLANATIONS)
    team = Team(game, agent)
    root = team.search(game.view(state, int(state.to_move), stream), stream)
    table = pd.DataFrame(
        {
            "action": root.actions,
            "words": [game.action_text(state, int(action)) for action in root.actions],
            "visits": root.visits,
            "prior": root.priors,
        }
    )
    for p in range(game.players):
        low, high = _intervals(root.values[:, p], root.variances[:, p], root.visits)
        table[f"value_{p + 1}"] = root.values[:, p]
        table[f"low_{p + 1}"] = low
        table[f"high_{p + 1}"] = high
        table[f"score_{p + 1}"] = root.scores[:, p]
    is_best = root.actions == root.best_action(stream)
    table = table.iloc[np.lexsort((root.actions, -root.visits, ~is_best))].reset_index(drop=True)
    table.attrs = {
        "player": root.player + 1,
        "agent": agent.label,
        "seed": seed,
        "simulations": int(root.visits.sum()),
        "is_full": bool(team.was_full()),
    }
    return table


def _intervals(means, variances, visits):
    """Wilson's interval, for the number of won or lost matches with the variance of the mean."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    low, high = np.empty(len(means)), np.empty(len(means))
    for i, (mean, variance, n) in enumerate(zip(means, variances, visits, strict=True)):
        if n > 1 and 0 < mean < 1:
            n = mean * (1 - mean) * (n - 1) / max(variance, _LEAST_VARIANCE)
        middle = (mean + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
        low[i], high[i] = max(middle - half, 0.0), min(middle + half, 1.0)
    return low, high
