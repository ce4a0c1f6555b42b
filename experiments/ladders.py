"""How much stronger an agent gets: by more simulations, or by another parameter.

Both are answered by duels, in which two agents share the seats of every match.
"""

from pathlib import Path

import pandas as pd

import sim
from agents.agent import resolve, with_parameters
from experiments.stats import measures
from experiments.tournaments import tournament

BUDGETS = tuple(2**i for i in range(4, 13))  # simulations of each decision
_DUEL_BLOCKS = 40


def duel(game, agent, opponent, *, blocks=_DUEL_BLOCKS, seed=0, n_jobs=1, out=None):
    """Let two agents play each other and return how one of them did.

    Parameters
    ----------
    game : sim.Game
        For two players or more.
    agent, opponent : str
        Specs, see `agents.resolve`.
    blocks, seed, n_jobs, out
        As `experiments.tournament` takes them.

    Returns
    -------
    dict
        ``agent, opponent`` (labels)``, share, share_low, share_high, margin, margin_low,
        margin_high`` (see `experiments.stats.measures`)``, milliseconds, opponent_milliseconds``
        (of a decision)``, blocks, seed``.

    Raises
    ------
    ValueError
        For agents that cannot be told apart, a game for one player, and what `tournament` refuses.
    """
    if game.players < 2:
        raise ValueError("a duel needs at least two players")
    labels = [resolve(spec, game).label for spec in (agent, opponent)]
    if labels[0] == labels[1]:
        raise ValueError(f"both agents are {labels[0]}")
    results = tournament(game, [agent, opponent], blocks=blocks, seed=seed, n_jobs=n_jobs, out=out)
    own, others = (results[results.agent == label] for label in labels)
    return {
        "agent": labels[0],
        "opponent": labels[1],
        **measures(results, *labels),
        "milliseconds": 1e3 * own.seconds.sum() / own.decisions.sum(),
        "opponent_milliseconds": 1e3 * others.seconds.sum() / others.decisions.sum(),
        "blocks": blocks,
        "seed": seed,
    }


def ladder(
    game,
    agent="default",
    *,
    budgets=BUDGETS,
    blocks=_DUEL_BLOCKS,
    seed=0,
    n_jobs=1,
    out=None,
    progress=None,
):
    """Play search with more and more simulations against itself with fewer, and against anchors.

    Parameters
    ----------
    game : str or sim.Game
    agent : str, default: "default"
        Spec of a search; its budget is replaced.
    budgets : sequence of int, default: 16, 32, ..., 4096
        Simulations of each decision, rising.
    blocks, seed, n_jobs
        Of each duel, as `experiments.tournament` takes them.
    out : str or Path, optional
        Folder for the results of the duels. Those that are there already are not played again.
    progress : callable, optional
        Called with the number of duels finished so far and the number of all.

    Returns
    -------
    pd.DataFrame
        One row per duel: ``simulations, against`` ("step below", "greedy" or "random") and what
        `duel` returns. The lowest step has "random" below it.

    Raises
    ------
    ValueError
        For budgets that do not rise, an agent that does not search, and what `duel` refuses.
    """
    game = sim.load(game) if isinstance(game, str) else game
    budgets = [int(budget) for budget in budgets]
    if not budgets or budgets[0] < 1 or sorted(set(budgets)) != budgets:
        raise ValueError(f"budgets {budgets} are not accepted; accepted: rising whole numbers")
    specs = [with_parameters(agent, game, simulations=budget) for budget in budgets]
    duels = [("random", 0, "greedy", "random")]
    for i, (budget, spec) in enumerate(zip(budgets, specs, strict=True)):
        below = ("step below", specs[i - 1]) if i else ("random", "random")
        duels += [(below[0], budget, spec, below[1]), ("greedy", budget, spec, "greedy")]
    rows = []
    for against, budget, spec, opponent in duels:
        if progress is not None:
            progress(len(rows), len(duels))
        folder = None if out is None else Path(out) / f"{budget}-{against.replace(' ', '-')}"
        row = duel(game, spec, opponent, blocks=blocks, seed=seed, n_jobs=n_jobs, out=folder)
        rows.append({"simulations": budget, "against": against, **row})
    if progress is not None:
        progress(len(rows), len(duels))
    return pd.DataFrame(rows)


def ablation(
    game, agent, changes, *, blocks=_DUEL_BLOCKS, seed=0, n_jobs=1, out=None, progress=None
):
    """Play an agent with something changed against the agent as it is, one change after another.

    Parameters
    ----------
    game : str or sim.Game
    agent : str
        The spec that is changed. With a budget in seconds changes meet it at equal time, with one
        in simulations at equal simulations.
    changes : sequence of str
        Each is a list of parameters as in a spec; ``prior=2`` sets or adds one, ``prior=`` takes
        one away.
    blocks, seed, n_jobs
        Of each duel, as `experiments.tournament` takes them.
    out : str or Path, optional
        Folder for the results of the duels. Those that are there already are not played again.
    progress : callable, optional
        Called with the number of duels finished so far and the number of all.

    Returns
    -------
    pd.DataFrame
        One row per change: ``game, players, change`` and what `duel` returns of the changed agent;
        a share of 0.5 means that the change makes no difference.

    Raises
    ------
    ValueError
        For a change that changes nothing, and what `duel` refuses.

    Examples
    --------
    >>> table = ablation("connect_four", "mcts:simulations=30", ["exploration=5"], blocks=10)
    >>> table.change.tolist(), bool(table.share[0] < 0.5)
    (['exploration=5'], True)
    """
    game = sim.load(game) if isinstance(game, str) else game
    rows = []
    for change in changes:
        if progress is not None:
            progress(len(rows), len(changes))
        for part in change.split(","):
            if "=" not in part:
                raise ValueError(f"change {part!r} is not accepted; accepted: name=value, name=")
        parameters = dict(part.partition("=")[::2] for part in change.split(","))
        changed = with_parameters(agent, game, **parameters)
        folder = None if out is None else Path(out) / change.replace(",", "_")
        row = duel(game, changed, agent, blocks=blocks, seed=seed, n_jobs=n_jobs, out=folder)
        rows.append({"game": game.name, "players": game.players, "change": change, **row})
    if progress is not None:
        progress(len(rows), len(changes))
    return pd.DataFrame(rows)
