"""Tables that summarise results, every estimate with an interval over blocks.

Matches of one block share a deal, so they are not independent; a block is one observation. Means
get Student's interval over the blocks. Win shares lie between 0 and 1, often near an end, where
that interval fails; they get Wilson's interval for an effective number of matches (see
`share_interval`). Where an agent fills more seats in some blocks than in others, blocks count by
their seats (the ratio estimate of W. Cochran, "Sampling Techniques", 1977, chapter 6).

Results of several rule sets or numbers of players are summarised one by one: the tables then begin
with the columns ``variant`` and ``players``.
"""

import functools
import itertools

import numpy as np
import pandas as pd
from scipy import special

CONFIDENCE = 0.95  # of every interval
_AGREEING = 0.5  # blocks of matches that all agree, which a variance ratio is estimated with
_NEEDED = {
    "win_shares": ("agent", "block", "match", "seat", "utility", "score", "rank"),
    "score_by_seat": ("agent", "block", "match", "seat", "score"),
    "seat_effect": ("block", "match", "seat", "utility"),
    "match_length": ("block", "match", "seat", "turns", "decisions"),
    "who_beats_whom": ("agent", "block", "match", "seat", "rank", "end"),
}


def student_quantile(num_blocks):
    """Return the factor of the standard error; infinite for a single block.

    Parameters
    ----------
    num_blocks : int

    Returns
    -------
    float
    """
    if num_blocks < 2:
        return np.inf
    return float(special.stdtrit(num_blocks - 1, (1 + CONFIDENCE) / 2))


def mean_interval(block_means):
    """Return Student's interval of a mean over blocks.

    Parameters
    ----------
    block_means : array_like of float, shape (blocks,)

    Returns
    -------
    low, high : float
        Not a number for a single block, from which nothing can be said.
    """
    values = np.asarray(block_means, float)
    if len(values) < 2:
        return np.nan, np.nan
    half = student_quantile(len(values)) * values.std(ddof=1) / np.sqrt(len(values))
    return values.mean() - half, values.mean() + half


def share_interval(block_shares, matches_per_block):
    """Return an interval of a share from its means over blocks of dependent matches.

    Wilson's interval for the effective number of matches, that is, the number of independent
    matches whose share would vary as much as this one does over the blocks, and Student's quantile
    instead of the normal one (C. Franco, R. Little, T. Louis, E. Slud, "Comparative study of
    confidence intervals for proportions in complex sample surveys", Journal of Survey Statistics
    and Methodology 7, 2019). The variance ratio is estimated together with half a further block of
    matches that all agree, so that few blocks, or few wins, that happen to look independent do not
    give too narrow an interval; the nearer the share is to 0 or 1, the less a block says about
    the ratio. Where the share is 0 or 1 it says nothing, and each block counts as one match. With
    matches that depend on each other 94 to 97 % of the intervals hold the true share from 20 blocks
    on, and of shares near 0 and 1 or of fewer blocks 93 to 99 %.

    Parameters
    ----------
    block_shares : array_like of float, shape (blocks,)
        Their mean is the share.
    matches_per_block : float

    Returns
    -------
    low, high : float
        Within 0 and 1; 0 and 1 for a single block.

    Examples
    --------
    >>> low, high = share_interval([1.0] * 20, 3)
    >>> round(low, 2), high
    (0.82, 1.0)
    """
    shares = np.asarray(block_shares, float)
    num_blocks = len(shares)
    if num_blocks < 2:
        return 0.0, 1.0
    share = shares.mean()
    spread = share * (1 - share)
    if spread > 0:
        variance_ratio = shares.var(ddof=1) * matches_per_block / spread
        informative = num_blocks * 4 * spread
        variance_ratio = informative * variance_ratio + _AGREEING * matches_per_block
        variance_ratio /= informative + _AGREEING
        effective = num_blocks * matches_per_block / variance_ratio
    else:
        effective = num_blocks
    quantile = student_quantile(num_blocks)
    weight = quantile**2 / effective
    middle = (share + weight / 2) / (1 + weight)
    half = quantile / (1 + weight) * np.sqrt(spread / effective + weight / (4 * effective))
    low, high = middle - half, middle + half  # by rounding a hair beyond the share at 0 and 1
    return float(max(0.0, min(low, share))), float(min(1.0, max(high, share)))


def _by_block(sums, counts):
    """One value for each block, whose mean is the mean over all seats.

    Parameters
    ----------
    sums, counts : np.ndarray, shape (blocks,)
        Sum of a quantity over the seats of each block, and the number of those seats.

    Returns
    -------
    np.ndarray, shape (blocks,)
        The means of the blocks where all have as many seats.
    """
    mean = sums.sum() / counts.sum()
    return mean + (sums - mean * counts) / counts.mean()


def _sums(results, keys, columns):
    """Sums of some columns and number of rows (``seats``) for each value of `keys` and block."""
    grouped = results.groupby([*keys, "block"], observed=True)
    return grouped[list(columns)].sum().assign(seats=grouped.size())


def _for_each_variant(summarise):
    """Let a summary be made for each rule set and number of players that stand in the results."""

    @functools.wraps(summarise)
    def summarise_all(results):
        check_results(results, summarise.__name__)
        several = [
            name
            for name in ("variant", "players")
            if name in results.columns and results[name].nunique() > 1
        ]
        if not several:
            return summarise(results)
        parts = []
        for values, rows in results.groupby(several, observed=True):
            part = summarise(rows)
            for place, (name, value) in enumerate(zip(several, values, strict=True)):
                part.insert(place, name, value)
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    return summarise_all


@_for_each_variant
def win_shares(results):
    """Return how much of the win each agent took.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it. All matches count: a capped one gives everybody the
        same share, a forfeited one gives the forfeiter nothing. Blocks of several line-ups are
        taken as one sample, which makes the intervals rather too wide than too narrow.

    Returns
    -------
    pd.DataFrame
        One row per agent, the best first: ``agent, win_share`` (mean utility of a seat)``, low,
        high`` (95 % interval)``, score, score_low, score_high, rank, rank_low, rank_high, matches,
        distinct`` (matches that differ in some action)``, blocks, fair`` (the share of equal
        players).

    Raises
    ------
    ValueError
        When a column is missing, or a match stands twice.
    """
    num_matches = results.drop_duplicates(["agent", "match"]).agent.value_counts()
    num_distinct = _num_distinct(results, "agent")
    sums = _sums(results, ["agent"], ["utility", "score", "rank"])
    all_seats = sums.groupby(level="block").seats.transform("sum")
    rows = []
    for agent, blocks in sums.groupby(level="agent", observed=True):
        seats = blocks.seats.to_numpy()
        shares = _by_block(blocks.utility.to_numpy(), seats)
        low, high = share_interval(shares, seats.mean())
        is_alone = results.seat.max() == 1  # and wins by reaching a goal
        if (blocks.seats == all_seats[blocks.index]).all() and not is_alone:
            low = high = shares.mean()  # who sits in every seat has the fair share, whatever comes
        scores = _by_block(blocks.score.to_numpy(), seats)
        score_low, score_high = mean_interval(scores)
        ranks = _by_block(blocks["rank"].to_numpy(), seats)
        rank_low, rank_high = mean_interval(ranks)
        rows.append(
            {
                "agent": agent,
                "win_share": shares.mean(),
                "low": low,
                "high": high,
                "score": scores.mean(),
                "score_low": score_low,
                "score_high": score_high,
                "rank": ranks.mean(),
                "rank_low": rank_low,
                "rank_high": rank_high,
                "matches": int(num_matches[agent]),
                "distinct": int(num_distinct[agent]),
                "blocks": len(blocks),
                "fair": 1 / results.seat.max(),
            }
        )
    table = pd.DataFrame(rows)
    return table.sort_values("win_share", ascending=False, kind="stable", ignore_index=True)


@_for_each_variant
def score_by_seat(results):
    """Return the mean score of each agent in each seat.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it.

    Returns
    -------
    pd.DataFrame
        ``agent, seat, score, low, high`` (95 % interval over blocks)``, matches, distinct,
        blocks``.

    Raises
    ------
    ValueError
        When a column is missing, or a match stands twice.
    """
    num_distinct = _num_distinct(results, ["agent", "seat"])
    sums = _sums(results, ["agent", "seat"], ["score"])
    rows = []
    for (agent, seat), blocks in sums.groupby(level=["agent", "seat"], observed=True):
        scores = _by_block(blocks.score.to_numpy(), blocks.seats.to_numpy())
        low, high = mean_interval(scores)
        rows.append(
            {
                "agent": agent,
                "seat": seat,
                "score": scores.mean(),
                "low": low,
                "high": high,
                "matches": int(blocks.seats.sum()),
                "distinct": int(num_distinct[agent, seat]),
                "blocks": len(blocks),
            }
        )
    return pd.DataFrame(rows)


@_for_each_variant
def seat_effect(results):
    """Return how much of the win each seat took, whoever sat there.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it. Blocks hold all rotations, so that every agent sat
        in every seat equally often.

    Returns
    -------
    pd.DataFrame
        ``seat, win_share, low, high`` (95 % interval over blocks)``, matches, distinct, blocks,
        fair``.

    Raises
    ------
    ValueError
        When a column is missing, or a match stands twice.
    """
    num_distinct = _num_distinct(results, "seat")
    sums = _sums(results, ["seat"], ["utility"])
    rows = []
    for seat, blocks in sums.groupby(level="seat"):
        seats = blocks.seats.to_numpy()
        shares = _by_block(blocks.utility.to_numpy(), seats)
        low, high = share_interval(shares, seats.mean())
        rows.append(
            {
                "seat": seat,
                "win_share": shares.mean(),
                "low": low,
                "high": high,
                "matches": int(seats.sum()),
                "distinct": int(num_distinct[seat]),
                "blocks": len(blocks),
                "fair": 1 / results.seat.max(),
            }
        )
    return pd.DataFrame(rows)


@_for_each_variant
def match_length(results):
    """Return how long matches are.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it. Capped matches count with the turns they were
        capped at, forfeited ones with those until the forfeit.

    Returns
    -------
    pd.DataFrame
        Two rows, ``of`` "turns" and "decisions" (of all seats together)``: of, mean, low, high``
        (95 % interval over blocks)``, shortest, median, longest, matches, distinct, blocks``.

    Raises
    ------
    ValueError
        When a column is missing, or a match stands twice.
    """
    lengths = results.groupby(["block", "match"]).agg(
        turns=("turns", "first"), decisions=("decisions", "sum")
    )
    rows = []
    for name in ("turns", "decisions"):
        of_blocks = lengths[name].groupby(level="block").agg(["sum", "count"])
        means = _by_block(of_blocks["sum"].to_numpy(), of_blocks["count"].to_numpy())
        low, high = mean_interval(means)
        rows.append(
            {
                "of": name,
                "mean": means.mean(),
                "low": low,
                "high": high,
                "shortest": int(lengths[name].min()),
                "median": lengths[name].median(),
                "longest": int(lengths[name].max()),
                "matches": len(lengths),
                "distinct": int(_num_distinct(results, results.seat > 0).iloc[0]),
                "blocks": len(of_blocks),
            }
        )
    return pd.DataFrame(rows)


def _num_distinct(results, keys):
    """Matches of each group that differ; all where the results do not tell matches apart."""
    told_apart_by = "fingerprint" if "fingerprint" in results.columns else "match"
    return results.groupby(keys, observed=True)[told_apart_by].nunique()


@_for_each_variant
def who_beats_whom(results):
    """Return how often each agent came before each other one at the same table.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it, with all seats of every match.

    Returns
    -------
    pd.DataFrame
        ``agent, opponent, share`` (places before the opponent, a shared place counts half)``, low,
        high`` (95 % interval over blocks)``, pairings, matches, distinct`` (matches that differ in
        some action)``, blocks``, for every pair that met; of a game for one player no row.

    Raises
    ------
    ValueError
        When a column is missing, or a match stands twice or lacks a seat.
    """
    pairings = pairings_by_block(results)
    matches = _matches_of_agents(results)
    table = []
    for (agent, opponent), blocks in pairings.groupby(level=["agent", "opponent"], sort=False):
        if agent == opponent:
            continue
        met = blocks.met.to_numpy()
        shares = _by_block(blocks.before.to_numpy(), met)
        low, high = share_interval(shares, met.mean())
        of_both = matches.index[matches[agent] & matches[opponent]]
        table.append(
            {
                "agent": agent,
                "opponent": opponent,
                "share": shares.mean(),
                "low": low,
                "high": high,
                "pairings": int(met.sum()),
                "matches": len(of_both),
                "distinct": of_both.nunique(),
                "blocks": len(blocks),
            }
        )
    columns = ["agent", "opponent", "share", "low", "high", "pairings", "matches", "distinct"]
    return pd.DataFrame(table, columns=[*columns, "blocks"])


def _in_order(results):
    """Rows by match and seat; those of a tournament are so already."""
    place = results.match.to_numpy().astype(np.int64) * (int(results.seat.max()) + 1)
    place += results.seat.to_numpy()
    if (place[1:] > place[:-1]).all():
        return results
    return results.iloc[np.argsort(place, kind="stable")]


def _matches_of_agents(results):
    """Whether each agent was there (columns), by match; the index tells different ones apart."""
    told_apart_by = "fingerprint" if "fingerprint" in results.columns else "match"
    rows = _in_order(results)
    players = int(results.seat.max())
    agents = rows.agent.astype("category")
    code = agents.cat.codes.to_numpy().reshape(-1, players)
    there = {label: (code == i).any(axis=1) for i, label in enumerate(agents.cat.categories)}
    return pd.DataFrame(there, index=rows[told_apart_by].to_numpy()[::players])


def pairings_by_block(results):
    """Count for each pair of agents and each block how often they met, and came before.

    Parameters
    ----------
    results : pd.DataFrame
        Of one rule set and number of players, with all seats of every match. A capped match is
        nobody's win: all its seats count as even.

    Returns
    -------
    pd.DataFrame
        Indexed by agent, opponent and block: ``before``, ``met``.

    Raises
    ------
    ValueError
        When a seat is missing.
    """
    players = int(results.seat.max())
    if len(results) != players * results.match.nunique():
        raise ValueError(
            f"who_beats_whom needs all {players} seats of every match; some are missing"
        )
    rows = _in_order(results)
    agents = rows.agent.astype("category")
    labels = agents.cat.categories
    code = agents.cat.codes.to_numpy().astype(np.int64).reshape(-1, players)
    rank = rows["rank"].to_numpy().reshape(-1, players)
    is_capped = (rows.end == "capped").to_numpy()[::players]
    block_numbers, block = np.unique(rows.block.to_numpy()[::players], return_inverse=True)
    counts = []
    for i, j in itertools.permutations(range(players), 2):
        key = (code[:, i] * len(labels) + code[:, j]) * len(block_numbers) + block
        is_even = is_capped | (rank[:, i] == rank[:, j])
        share = np.where(is_even, 0.5, rank[:, i] < rank[:, j])
        keys, place = np.unique(key, return_inverse=True)
        before, met = np.bincount(place, weights=share), np.bincount(place)
        counts.append(pd.DataFrame({"before": before, "met": met}, index=keys))
    if not counts:  # a single seat meets nobody
        counts = [pd.DataFrame({"before": [], "met": []}, index=np.empty(0, np.int64))]
    table = pd.concat(counts).groupby(level=0).sum()
    pair, block = np.divmod(table.index.to_numpy(), len(block_numbers))
    agent, opponent = np.divmod(pair, len(labels))
    table.index = pd.MultiIndex.from_arrays(
        [labels[agent], labels[opponent], block_numbers[block]],
        names=["agent", "opponent", "block"],
    )
    return table


def measures(results, agent, opponent):
    """Return by how much an agent beats another one.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it.
    agent, opponent : str
        Labels.

    Returns
    -------
    dict of str to float
        ``share`` of pairings in which the agent came before the opponent, ``margin`` of its mean
        score over the opponent's, and of both the ends ``_low`` and ``_high`` of the 95 % interval
        over blocks.
    """
    pairs = who_beats_whom(results)
    (pair,) = pairs[(pairs.agent == agent) & (pairs.opponent == opponent)].itertuples()
    scores = results.groupby(["block", "agent"], observed=True).score.mean().unstack()
    margins = scores[agent] - scores[opponent]
    low, high = mean_interval(margins)
    return {
        "share": float(pair.share),
        "share_low": float(pair.low),
        "share_high": float(pair.high),
        "margin": float(margins.mean()),
        "margin_low": float(low),
        "margin_high": float(high),
    }


def check_results(results, what, needed=None):
    """Refuse results without the columns needed, and those of two tournaments in one table.

    Parameters
    ----------
    results : pd.DataFrame
    what, needed
        As `check_columns` takes them.

    Raises
    ------
    ValueError, TypeError
    """
    check_columns(results, what, needed)
    if results.duplicated(["match", "seat"]).any():
        raise ValueError(
            f"{what}: a seat of a match stands twice; results of several tournaments are "
            "summarised one by one"
        )


def check_columns(table, what, needed=None):
    """Refuse a table without the columns that are needed, and an empty one.

    Parameters
    ----------
    table : pd.DataFrame
    what : str
        Who asks, for the message.
    needed : iterable of str, optional
        By default what the function of this module by that name needs.

    Raises
    ------
    ValueError, TypeError
        Naming the missing columns.
    """
    needed = _NEEDED[what] if needed is None else needed
    if not isinstance(table, pd.DataFrame):
        raise TypeError(f"{what} needs a DataFrame, got {type(table).__name__}")
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise ValueError(
            f"{what} needs the columns {', '.join(needed)}; missing: {', '.join(missing)}"
        )
    if len(table) == 0:
        raise ValueError(f"{what} needs at least one row")
