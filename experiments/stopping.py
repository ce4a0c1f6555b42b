"""When a tournament may end: as soon as its question is answered, and without fooling oneself.

Who looks at an interval again and again and ends when he likes what he sees is wrong far more often
than the interval says. The intervals here may be looked at after every round: with a chance of 95 %
the truth lies in all of them at once. They are confidence sequences by betting (I. Waudby-Smith and
A. Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
Statistical Society B 86, 2024, section 4.4, the hedged capital process): whoever bets against a
mean that is the true one gets twenty times as rich with a chance of one in twenty at most, however
long he plays.

A *round* is one block of every line-up, so that rounds are alike and independent. What is
estimated lies between 0 and 1: the share of pairings that one agent won against another, or the
share of the win of an agent.
"""

import numpy as np
import pandas as pd

from experiments.stats import CONFIDENCE, check_results, pairings_by_block, share_interval

INDIFFERENCE = 0.02  # a share this near to even is as good as even
_GRID = 2001  # means that are bet against
_LARGEST_BET = 0.5  # of what can be lost


class Sequence:
    """Intervals of a mean that hold at all times together.

    Parameters
    ----------
    error : float
        Chance that the mean is ever outside.

    Attributes
    ----------
    low, high : float
        The interval as it stands, within 0 and 1.
    mean : float
        Of the observations so far.
    number : int
        Of the observations so far.
    """

    def __init__(self, error):
        self.low, self.high, self.mean, self.number = 0.0, 1.0, 0.5, 0
        self._error = error
        self._means = np.linspace(0, 1, _GRID)
        self._for = np.zeros(_GRID)  # logarithms of what was won by betting that it is more
        self._against = np.zeros(_GRID)
        self._sum, self._squares, self._guess = 0.0, 0.25, 0.5

    def add(self, value):
        """Take another observation.

        Parameters
        ----------
        value : float
            Between 0 and 1.
        """
        number = self.number + 1
        spread = self._squares / number
        bet = np.sqrt(2 * np.log(2 / self._error) / (spread * number * np.log(1 + number)))
        with np.errstate(divide="ignore"):
            more = np.minimum(bet, _LARGEST_BET / self._means)
            less = np.minimum(bet, _LARGEST_BET / (1 - self._means))
        with np.errstate(invalid="ignore"):
            self._for += np.log1p(more * (value - self._means))
            self._against += np.log1p(-less * (value - self._means))
        self.number = number
        self._sum += value
        self.mean = self._sum / number
        self._guess = (0.5 + self._sum) / (number + 1)
        self._squares += (value - self._guess) ** 2
        capital = np.maximum(self._for, self._against) - np.log(2)
        kept = np.flatnonzero(capital < np.log(1 / self._error))
        if len(kept):
            step = self._means[1]  # what lies between two means of the grid is kept with them
            self.low = max(self.low, self._means[kept[0]] - step)
            self.high = min(self.high, self._means[kept[-1]] + step)


def check_rule(until, precision, indifference):
    """Refuse what says no end of a tournament.

    Parameters
    ----------
    until, precision, indifference
        As `experiments.tournament` takes them.

    Raises
    ------
    ValueError
    """
    if until not in (None, "decided"):
        raise ValueError(f"until={until!r} is not accepted; accepted: decided")
    if until is not None and precision is not None:
        raise ValueError("give until or precision, not both")
    if precision is not None and not 0.001 <= precision < 0.5:
        raise ValueError(f"precision={precision!r} is not accepted; accepted: 0.001 to 0.5")
    if not 0.001 <= indifference < 0.5:
        raise ValueError(f"indifference={indifference!r} is not accepted; accepted: 0.001 to 0.5")


class Watch:
    """Looks on while a tournament is played, and says when it may end.

    Parameters
    ----------
    line_ups : int
        Blocks of a round.
    comparisons : list of tuple
        What is to be decided: ``(variant, players, agent, opponent)``; with a `precision` the
        opponent is None and the share of the win is meant. Where there is nothing to be decided,
        one round is enough.
    until : str, optional
        "decided".
    precision : float, optional
        Half width of every interval that is enough.
    indifference : float, default: 0.02
        Somebody whose interval lies within so much of even is decided to be even.

    Attributes
    ----------
    rounds : int
        Rounds so far, up to the one in which it could end.
    is_over : bool
    """

    def __init__(
        self, line_ups, comparisons, *, until=None, precision=None, indifference=INDIFFERENCE
    ):
        self._line_ups = line_ups
        error = (1 - CONFIDENCE) / max(len(comparisons), 1)
        self.sequences = {comparison: Sequence(error) for comparison in comparisons}
        self._until, self._precision, self._indifference = until, precision, indifference
        self.rounds = 0
        self.is_over = False

    def add(self, results):
        """Take the results of whole rounds, which follow those before.

        Parameters
        ----------
        results : pd.DataFrame
        """
        shares = shares_by_round(results, self._line_ups, self.sequences)
        for i in range(results.block.nunique() // self._line_ups):
            if self.is_over:
                return
            for comparison, sequence in self.sequences.items():
                sequence.add(shares[comparison][i])
            self.rounds += 1
            self.is_over = all(map(self._is_enough, self.sequences.values()))

    def _is_enough(self, sequence):
        if self._precision is not None and (sequence.high - sequence.low) / 2 > self._precision:
            return False
        return self._until is None or verdict(sequence, self._indifference) != "open"


def verdict(sequence, indifference=INDIFFERENCE):
    """Return what an interval of a share of pairings says.

    Parameters
    ----------
    sequence : Sequence or other object with ``low`` and ``high``
    indifference : float, default: 0.02

    Returns
    -------
    str
        "before", "behind", "even" (as good as) or "open".
    """
    if sequence.low > 0.5:
        return "before"
    if sequence.high < 0.5:
        return "behind"
    is_even = sequence.low >= 0.5 - indifference and sequence.high <= 0.5 + indifference
    return "even" if is_even else "open"


def shares_by_round(results, line_ups, comparisons):
    """Return what was observed in each round.

    Parameters
    ----------
    results : pd.DataFrame
        Of whole rounds.
    line_ups : int
        Blocks of a round.
    comparisons : iterable of tuple
        As `Watch` takes them.

    Returns
    -------
    dict of tuple to np.ndarray
        For each comparison its shares, one for each round.
    """
    found = {}
    results = results.assign(block=results.block // line_ups)
    for (variant, players), rows in results.groupby(["variant", "players"], observed=True):
        wanted = [c for c in comparisons if c[:2] == (variant, players)]
        if any(opponent is not None for *_, opponent in wanted):
            pairings = pairings_by_block(rows)
            shares = (pairings.before / pairings.met).sort_index()
        means = rows.groupby(["agent", "block"], observed=True).utility.mean()
        for comparison in wanted:
            *_, agent, opponent = comparison
            own = means[agent] if opponent is None else shares[agent, opponent]
            found[comparison] = own.sort_index().to_numpy()
    return {comparison: found[comparison] for comparison in comparisons}


def num_line_ups(results):
    """Return the number of line-ups, which is the number of blocks in a round.

    Parameters
    ----------
    results : pd.DataFrame

    Returns
    -------
    int
    """
    first = results[results.seating == 0]
    seats = first.groupby("block").agent.agg(tuple)
    rules = first.groupby("block")[["variant", "players"]].first()
    return rules.assign(seats=seats).drop_duplicates().shape[0]


def comparisons_of(results, of_pairs=True):
    """Return what can be decided by some results.

    Parameters
    ----------
    results : pd.DataFrame
    of_pairs : bool, default: True
        Pairs of agents that met; else agents.

    Returns
    -------
    list of tuple
        As `Watch` takes them, in the order of the agents.
    """
    found = []
    for (variant, players), rows in results.groupby(["variant", "players"], observed=True):
        agents = [label for label in rows.agent.cat.categories if (rows.agent == label).any()]
        if not of_pairs:
            found += [(variant, players, agent, None) for agent in agents]
            continue
        met = set(pairings_by_block(rows).index.droplevel("block"))
        found += [
            (variant, players, one, other)
            for i, one in enumerate(agents)
            for other in agents[i + 1 :]
            if (one, other) in met
        ]
    return found


def anytime(results, *, of_pairs=True, indifference=INDIFFERENCE):
    """Return intervals that hold whenever one stops looking, beside those that do not.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it.
    of_pairs : bool, default: True
        The share of the pairings between two agents; else the share of the win of each agent.
    indifference : float, default: 0.02
        How near to even is as good as even.

    Returns
    -------
    pd.DataFrame
        ``variant, players, agent, opponent`` (missing without pairs)``, share, plain_low,
        plain_high`` (95 %, right only when the number of blocks was fixed beforehand)``,
        anytime_low, anytime_high`` (95 % for all rows and at all times together)``, rounds,
        verdict`` ("before", "behind", "even" or "open"; of pairs).

    Raises
    ------
    ValueError
        When a column is missing, or a match stands twice or lacks a seat.
    """
    needed = ("variant", "players", "agent", "block", "match", "seating", "seat", "rank", "end")
    check_results(results, "anytime", (*needed, "utility"))
    line_ups = num_line_ups(results)
    numbers, block = np.unique(results.block, return_inverse=True)  # a part may have gaps
    whole = len(numbers) // line_ups
    results = results.assign(block=block)[block < whole * line_ups]
    comparisons = comparisons_of(results, of_pairs)
    shares = shares_by_round(results, line_ups, comparisons)
    rows = []
    for comparison, values in shares.items():
        sequence = Sequence((1 - CONFIDENCE) / len(comparisons))
        for value in values:
            sequence.add(value)
        low, high = share_interval(values, 1)
        variant, players, agent, opponent = comparison
        rows.append(
            {
                "variant": variant,
                "players": players,
                "agent": agent,
                "opponent": opponent,
                "share": values.mean(),
                "plain_low": low,
                "plain_high": high,
                "anytime_low": sequence.low,
                "anytime_high": sequence.high,
                "rounds": len(values),
                "verdict": verdict(sequence, indifference) if of_pairs else None,
            }
        )
    return pd.DataFrame(rows)
