"""Ratings: one number for each agent, from all matches of any table size at once.

The model is that of Plackett and Luce with ties: the places of a match are given away one after
the other, each to those that remain with a chance in proportion to their worth; a shared place
goes to a set of agents with their geometric mean worth, times a factor for ties of that size
(D. Firth, I. Kosmidis, H. Turner, "Davidson-Luce model for multi-item choice with ties", 2019,
after R. Davidson, JASA 65, 1970). For two agents without ties it is that of Bradley and Terry. Each
seat multiplies the worth of whoever sits there. The logarithms are linear in the parameters, so
every place is a conditional logit and Newton's method finds the one best fit, whatever the order of
the matches.

Intervals are over blocks: the variance is the sandwich of the fit with the sums of the scores of
each block in its middle (K.-Y. Liang and S. Zeger, Biometrika 73, 1986).
"""

import itertools

import numpy as np
import pandas as pd
from scipy import sparse

from experiments.stats import check_results, student_quantile

ELO = 400 / np.log(10)  # of a difference in log worth
ANCHOR = "random"  # whose rating is 0
PSEUDO = 0.5  # wins and losses of everybody against somebody of mean strength
_NEEDED = ("agent", "block", "match", "seat", "rank", "end")
_STEPS = 100
_CLOSE = 1e-4  # largest last change of a parameter; without a best fit it stays near 1
_GAIN = 1e-14  # of log likelihood: the fit is found to a ten millionth of a standard error
_LONGEST_STEP = 3.0  # of a log worth
_WIDEST = 20.0  # of log worths; so much is one win in 500 million, and stands for none at all


def rate(results, *, anchor=ANCHOR, seat_effects=True, pseudo=PSEUDO):
    """Return the strength of each agent, in Elo.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it; of one rule set, with any numbers of players. A
        capped match is a tie of all its seats. Whoever forfeits loses to each of the others, which
        says nothing of these among each other.
    anchor : str, default: "random"
        Label of the agent whose rating is 0. If there is none of that label, the mean is 0.
    seat_effects : bool, default: True
        Whether seats are fitted too, those of each number of players on their own.
    pseudo : float, default: 0.5
        How often everybody is taken to have won and lost against somebody of mean strength, on top
        of the results: so nobody's rating is infinite, not even that of an agent that never wins.
        With 0 such results are refused.

    Returns
    -------
    pd.DataFrame
        One row per agent, the best first: ``agent, elo, low, high`` (95 % interval over blocks of
        the difference to the anchor)``, matches, blocks``. Where somebody came before all others
        always or never, each block counts as one match for his interval. ``attrs["zero"]`` says
        who or what is at 0, ``attrs["seats"]`` is a table ``players, seat, elo, low, high``, whose
        mean is 0 for each number of players.

    Raises
    ------
    ValueError
        When a column is missing, a match stands twice, there are several rule sets, all seats are
        filled by one agent, or there is no best fit.

    Examples
    --------
    >>> import experiments as ex
    >>> results = ex.tournament("connect_four", ["random", "greedy"], blocks=30)
    >>> ex.rate(results).agent.tolist()
    ['greedy', 'random']
    """
    check_results(results, "rate", _NEEDED)
    if "variant" in results.columns and results.variant.nunique() > 1:
        raise ValueError("rate: these are several rule sets; they are rated one by one")
    fit = _Fit(results, seat_effects, pseudo)
    labels = fit.labels
    is_anchored = anchor in labels
    zero = np.zeros(fit.num_parameters)
    if is_anchored:
        zero[labels.index(anchor)] = 1
    else:
        zero[: len(labels)] = 1 / len(labels)
    rows = []
    for i, label in enumerate(labels):
        contrast = np.zeros(fit.num_parameters)
        contrast[i] = 1
        counts = fit.counts.loc[label]
        rows.append(
            {
                "agent": label,
                **_in_elo(fit, contrast - zero),
                "matches": int(counts.matches),
                "blocks": int(counts.blocks),
            }
        )
    table = pd.DataFrame(rows).sort_values("elo", ascending=False, kind="stable")
    table = table.reset_index(drop=True)
    table.attrs["zero"] = anchor if is_anchored else "the mean of all agents"
    table.attrs["seats"] = _seats_in_elo(fit)
    return table


def _in_elo(fit, contrast):
    value = contrast @ fit.parameters
    half = fit.half_width(contrast) if contrast.any() else 0.0
    return {"elo": ELO * value, "low": ELO * (value - half), "high": ELO * (value + half)}


def _seats_in_elo(fit):
    rows = []
    for (players, seat), place in fit.place_of_seat.items():
        own = [p for (number, _), p in fit.place_of_seat.items() if number == players]
        contrast = np.zeros(fit.num_parameters)
        contrast[own] = -1 / players
        contrast[place] += 1
        rows.append({"players": players, "seat": seat, **_in_elo(fit, contrast)})
    return pd.DataFrame(rows, columns=["players", "seat", "elo", "low", "high"])


class _Fit:
    """The best parameters, and what their error follows from.

    Parameters are the log worth of the agents, then of the seats, then the log factors of ties.
    """

    def __init__(self, results, seat_effects, pseudo):
        rows = results.sort_values(["match", "seat"], kind="stable")
        agents = rows.agent.astype("category").cat.remove_unused_categories()
        self.labels = list(agents.cat.categories)
        if len(self.labels) < 2:
            raise ValueError("ratings compare agents; one alone fills all seats here")
        self.counts = rows.groupby(agents, observed=True).agg(
            matches=("match", "nunique"), blocks=("block", "nunique")
        )
        contests = list(_contests(rows, agents.cat.codes.to_numpy()))
        self._make_places(contests, seat_effects)
        self._make_choices(contests)
        self._is_extreme = self._find_extreme(contests)
        self._pseudo = pseudo
        self._find()

    def _make_places(self, contests, seat_effects):
        """Number the parameters."""
        place = len(self.labels)
        self.place_of_seat = {}
        sizes = sorted({c.agents.shape[1] for c in contests if c.has_seats})
        for players in sizes if seat_effects else ():
            for seat in range(1, players + 1):
                self.place_of_seat[players, seat] = place
                place += 1
        orders = {int(n) for c in contests for group in _groups(c.ranks) for n in np.unique(group)}
        self.place_of_tie = {}
        for order in sorted(orders - {0, 1}):
            self.place_of_tie[order] = place
            place += 1
        self.num_parameters = place

    def _make_choices(self, contests):
        """The alternatives of every place that was given away, and which was taken.

        ``self._steps`` holds, for each number of agents that remained, the features of all
        alternatives (choices, alternatives, parameters), the one taken, and the pattern of the
        match; ``self._weights`` how often each pattern came, ``self._of_blocks`` in which blocks.
        """
        self._steps, patterns, counts = [], 0, []
        blocks = sorted({int(b) for contest in contests for b in np.unique(contest.blocks)})
        self.num_blocks = len(blocks)
        for contest in contests:
            keys = np.concatenate([contest.agents, contest.ranks], axis=1)
            unique, pattern = np.unique(keys, axis=0, return_inverse=True)
            size = contest.agents.shape[1]
            worth = self._features_of_seats(unique[:, :size], contest.has_seats)
            self._add_steps(worth, unique[:, size:], patterns)
            where = np.searchsorted(blocks, contest.blocks)
            shape = (len(blocks), len(unique))
            ones = np.ones(len(pattern))
            counts.append(sparse.coo_matrix((ones, (where, pattern.reshape(-1))), shape).tocsr())
            patterns += len(unique)
        self._of_blocks = sparse.hstack(counts).tocsr()
        self._weights = np.asarray(self._of_blocks.sum(axis=0)).reshape(-1)

    def _features_of_seats(self, agents, has_seats):
        """What the log worth of each seat is made of: (patterns, seats, parameters)."""
        num_patterns, players = agents.shape
        worth = np.zeros((num_patterns, players, self.num_parameters))
        for seat in range(players):
            worth[np.arange(num_patterns), seat, agents[:, seat]] = 1
            if has_seats and (place := self.place_of_seat.get((players, seat + 1))):
                worth[:, seat, place] = 1
        return worth

    def _add_steps(self, worth, ranks, first_pattern):
        """Give away the places of some patterns, the first place first."""
        players = ranks.shape[1]
        orders = [1, *(order for order in self.place_of_tie if order <= players)]
        sets = [c for n in orders for c in itertools.combinations(range(players), n)]
        features = np.stack([worth[:, list(c)].mean(axis=1) for c in sets], axis=1)
        for i, c in enumerate(sets):
            if len(c) > 1:
                features[:, i, self.place_of_tie[len(c)]] = 1
        member = np.zeros((len(sets), players), bool)
        for i, c in enumerate(sets):
            member[i, list(c)] = True
        for rank in range(1, players + 1):
            takes = ranks == rank
            remain = ranks >= rank
            chosen = (takes[:, None, :] == member).all(axis=2)
            is_open = ~(member & ~remain[:, None, :]).any(axis=2)
            real = np.flatnonzero(chosen.any(axis=1) & (is_open.sum(axis=1) > 1))
            if len(real):
                self._steps.append(
                    (
                        features[real],
                        is_open[real],
                        chosen[real].argmax(axis=1),
                        real + first_pattern,
                    )
                )

    def _find_extreme(self, contests):
        """Whether each agent came before all others always, or never."""
        before, behind = np.zeros((2, len(self.labels)), bool)
        for contest in contests:
            ranks = contest.ranks
            is_before = (ranks[:, :, None] <= ranks[:, None, :]).sum(axis=2) > 1  # of some other
            is_behind = (ranks[:, :, None] >= ranks[:, None, :]).sum(axis=2) > 1
            before[np.unique(contest.agents[is_before])] = True
            behind[np.unique(contest.agents[is_behind])] = True
        return ~(before & behind)

    def _find(self):
        """Newton's method; the log likelihood is concave."""
        at = np.zeros(self.num_parameters)
        for _ in range(_STEPS):
            scores, information = self._derivatives(at)
            gradient = self._weights @ scores
            gradient, information = self._with_pseudo(at, gradient, information)
            step = np.linalg.lstsq(information, gradient, rcond=1e-12)[0]
            is_found = np.abs(step).max() < _CLOSE and gradient @ step < _GAIN
            step *= min(1, _LONGEST_STEP / max(np.abs(step).max(), 1e-300))
            at = at + step
            if is_found:
                break
        worths = at[: len(self.labels)]
        if not is_found or np.ptp(worths) > _WIDEST:
            raise ValueError(
                "there is no best fit: some agents always come before others, or never meet them; "
                "accepted: a `pseudo` above 0"
            )
        self.parameters = at
        self._scores = scores
        self._inverse = np.linalg.pinv(information, rcond=1e-12, hermitian=True)
        self._information = information

    def _derivatives(self, at):
        """Scores of each pattern (patterns, parameters), and the information of all matches."""
        scores = np.zeros((len(self._weights), self.num_parameters))
        information = np.zeros((self.num_parameters, self.num_parameters))
        for features, is_open, taken, pattern in self._steps:
            logs = np.where(is_open, features @ at, -np.inf)
            chance = np.exp(logs - logs.max(axis=1, keepdims=True))
            chance /= chance.sum(axis=1, keepdims=True)
            mean = np.einsum("ca,cap->cp", chance, features)
            np.add.at(scores, pattern, features[np.arange(len(taken)), taken] - mean)
            weight = self._weights[pattern]
            centred = features - mean[:, None, :]
            information += np.einsum(
                "c,ca,cap,caq->pq", weight, chance, centred, centred, optimize=True
            )
        return scores, information

    def _with_pseudo(self, at, gradient, information):
        """Add the matches against somebody whose log worth is 0."""
        gradient, information = gradient.copy(), information.copy()
        own = np.arange(len(self.labels))
        chance = 1 / (1 + np.exp(-at[own]))
        gradient[own] += self._pseudo * (1 - 2 * chance)
        information[own, own] += 2 * self._pseudo * chance * (1 - chance)
        return gradient, information

    def half_width(self, contrast):
        """Of the interval of a linear combination of the parameters, over blocks.

        To the variance a further block of independent matches is added, so that few blocks that
        happen to agree do not give an interval of no width; and where somebody always or never came
        before others, blocks say nothing of the variance, and each counts as one match.
        """
        number = self.num_blocks
        if number < 2:
            return np.inf
        quantile = student_quantile(number)
        independent = contrast @ self._inverse @ contrast
        extreme = self._is_extreme & (contrast[: len(self.labels)] != 0)
        if extreme.any():
            own = self.counts[extreme]
            return quantile * np.sqrt(independent) + np.log(own.matches / own.blocks).sum()
        blocks = self._of_blocks @ self._scores
        blocks = blocks - blocks.mean(axis=0)
        weight = blocks @ (self._inverse @ contrast)
        between = weight @ weight * number / (number - 1)
        return float(quantile * np.sqrt(((number - 1) * between + independent) / number))


class _Contest:
    """Matches of one number of seats: who sat where, at which rank, in which block."""

    def __init__(self, agents, ranks, blocks, has_seats=True):
        self.agents, self.ranks, self.blocks, self.has_seats = agents, ranks, blocks, has_seats


def _contests(rows, codes):
    """Yield the matches of each number of seats, and the pairs that forfeited matches say."""
    match, first, size = np.unique(rows.match.to_numpy(), return_index=True, return_counts=True)
    rank = rows["rank"].to_numpy().astype(np.int64)
    block, end = rows.block.to_numpy(), rows.end.astype(str).to_numpy()
    for players in np.unique(size):
        if players < 2:
            continue
        at = first[size == players][:, None] + np.arange(players)
        agents, ranks, ends = codes[at].astype(np.int64), rank[at], end[at[:, 0]]
        ranks = np.where((ends == "capped")[:, None], 1, ranks)
        is_forfeit = ends == "forfeit"
        if (~is_forfeit).any():
            yield _Contest(agents[~is_forfeit], ranks[~is_forfeit], block[at[~is_forfeit, 0]])
        pairs = [
            (agents[i, [winner, loser]], block[at[i, 0]])
            for i in np.flatnonzero(is_forfeit)
            for winner, loser in itertools.permutations(range(players), 2)
            if ranks[i, winner] < ranks[i, loser]
        ]
        if pairs:
            who, where = (np.array(column) for column in zip(*pairs, strict=True))
            yield _Contest(who, np.tile([1, 2], (len(who), 1)), where, has_seats=False)


def _groups(ranks):
    """How many share each rank, for each match."""
    return [(ranks == rank).sum(axis=1) for rank in range(1, ranks.shape[1] + 1)]
