"""What a ranking hides: rock beats scissors, scissors beat paper, paper beats rock.

Where who beats whom goes round in a circle no single number for each agent tells the truth. The
answers here come from the whole matrix of payoffs: the circles in it, and the mixture of agents
that nobody beats (a Nash equilibrium of the game of choosing an agent: D. Balduzzi, K. Tuyls,
J. Perolat, T. Graepel, "Re-evaluating evaluation", 2018).
"""

import numpy as np
import pandas as pd
from scipy import optimize, sparse

from experiments.stats import who_beats_whom

_EVEN = 0.5
_DRAWS = 200  # of payoffs, for the interval of a mixture


def payoffs(results):
    """Return who beats whom as a square table.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it, of one rule set and number of players.

    Returns
    -------
    pd.DataFrame
        ``table.loc[agent, opponent]`` is the share of pairings in which the agent came before the
        opponent; half on the diagonal, and not a number for two that never met.

    Raises
    ------
    ValueError
        As `experiments.who_beats_whom` raises it, and for several rule sets at once.
    """
    return _square(_pairs(results), "share")


def _pairs(results):
    pairs = who_beats_whom(results)
    if {"variant", "players"} & set(pairs.columns):
        raise ValueError("payoffs are those of one rule set and number of players; select one")
    return pairs


def _square(pairs, column):
    agents = list(dict.fromkeys([*pairs.agent, *pairs.opponent]))
    values = np.full((len(agents), len(agents)), np.nan)
    np.fill_diagonal(values, _EVEN)
    place = {agent: i for i, agent in enumerate(agents)}
    for row in pairs.itertuples():
        values[place[row.agent], place[row.opponent]] = getattr(row, column)
    return pd.DataFrame(values, index=agents, columns=agents)


def cycles(results):
    """Return the agents that beat each other in a circle.

    Parameters
    ----------
    results : pd.DataFrame
        As `payoffs` takes it.

    Returns
    -------
    list of list of str
        Groups of three agents and more, from each of which a chain of victories leads to each
        other one. A victory is one whose 95 % interval lies above half.
    """
    low = _square(_pairs(results), "low")
    beats = sparse.csr_matrix(low.to_numpy() > _EVEN)
    _, group = sparse.csgraph.connected_components(beats, connection="strong")
    agents = np.array(low.index, object)
    found = [agents[group == g].tolist() for g in np.unique(group)]
    return [members for members in found if len(members) > 2]


def equilibrium(results):
    """Return the mixture of agents that none of them beats.

    Parameters
    ----------
    results : pd.DataFrame
        As `payoffs` takes it. Everybody met everybody.

    Returns
    -------
    pd.DataFrame
        ``agent, weight`` (in the mixture; it sums to 1)``, share`` (of pairings that the agent wins
        against the mixture: a half, or less for who is not needed in it)``, low, high`` (of the
        weight: 95 % of the mixtures of payoffs drawn within their error), the greatest weight
        first. Where several mixtures are unbeaten, it is the one of those with the greatest least
        weights.

    Raises
    ------
    ValueError
        When two agents never met, and as `payoffs` raises it.
    """
    pairs = _pairs(results)
    share, low, high = (_square(pairs, name) for name in ("share", "low", "high"))
    if share.isna().any(axis=None):
        one, other = next(zip(*np.nonzero(share.isna().to_numpy()), strict=True))
        raise ValueError(f"{share.index[one]} and {share.index[other]} never met")
    weights = unbeaten(share.to_numpy())
    spread = ((high - low) / 2 / 1.96).to_numpy()
    rng = np.random.Generator(np.random.SFC64(0))
    drawn = []
    for _ in range(_DRAWS):
        draw = np.clip(share + spread * rng.standard_normal(spread.shape), 0, 1).to_numpy()
        above = np.triu(draw, 1)
        drawn.append(unbeaten(above + np.tril(1 - draw.T, -1) + np.diag(np.full(len(draw), _EVEN))))
    ends = np.quantile(drawn, [0.025, 0.975], axis=0)
    table = pd.DataFrame(
        {
            "agent": share.index,
            "weight": weights,
            "low": ends[0],
            "high": ends[1],
            "share": share.to_numpy() @ weights,
        }
    )
    return table.sort_values("weight", ascending=False, kind="stable", ignore_index=True)


def unbeaten(payoffs):
    """Return a mixture against which nobody wins more than half.

    Parameters
    ----------
    payoffs : np.ndarray, shape (n, n)
        Shares; ``payoffs[i, j] + payoffs[j, i]`` is 1.

    Returns
    -------
    np.ndarray, shape (n,)
        Of all such mixtures one whose least weight is greatest, by linear programming.
    """
    number = len(payoffs)
    # Variables are the weights and the least of them, which is made as great as can be. A share
    # that exceeds a half by a rounding error is not held against the mixture.
    lose = np.hstack([payoffs, np.zeros((number, 1))])
    least = np.hstack([-np.eye(number), np.ones((number, 1))])
    found = optimize.linprog(
        [*np.zeros(number), -1],
        A_ub=np.vstack([lose, least]),
        b_ub=np.concatenate([np.full(number, _EVEN + 1e-9), np.zeros(number)]),
        A_eq=[[*np.ones(number), 0]],
        b_eq=[1],
        bounds=[(0, 1)] * number + [(None, None)],
    )
    weights = np.clip(found.x[:number], 0, None)
    return weights / weights.sum()
