"""Ratings from all matches at once: right, independent of order, and honest about their error."""

import itertools

import choix
import numpy as np
import pandas as pd
import pytest
from openskill.models import PlackettLuce

import experiments as ex
from experiments.ratings import ELO

COLUMNS = ["match", "block", "seat", "agent", "rank", "end"]


def table(matches):
    """Results of ``(block, agents by seat, ranks, how it ended)``."""
    rows = [
        (match, block, seat + 1, agent, rank, end)
        for match, (block, agents, ranks, end) in enumerate(matches)
        for seat, (agent, rank) in enumerate(zip(agents, ranks, strict=True))
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def drawn(worths, num_blocks, players, rng, *, luck=0.0, seats=None, ties=0.0):
    """Results of agents of known log worth.

    Parameters
    ----------
    luck : float
        Standard deviation of what an agent's log worth is changed by in a block, so that its
        matches are alike.
    seats : sequence of float, optional
        Log worth of each seat.
    ties : float
        Factor of a tie between two agents.
    """
    names = [f"a{i}" for i in range(len(worths))]
    seats = np.zeros(players) if seats is None else np.asarray(seats)
    matches = []
    for block in range(num_blocks):
        who = rng.choice(len(worths), players, replace=False)
        shift = luck * rng.standard_normal(len(worths))
        for rotation in range(players):
            order = np.roll(who, -rotation)
            logs = np.asarray(worths)[order] + shift[order] + seats
            if ties:
                tie = ties * np.exp(logs.mean())
                chances = np.array([*np.exp(logs), tie])
                outcome = rng.choice(3, p=chances / chances.sum())
                ranks = [(1, 2), (2, 1), (1, 1)][outcome]
            else:
                ranks = np.argsort(np.argsort(-(logs + rng.gumbel(size=players)))) + 1
            matches.append((block, [names[i] for i in order], ranks, "finished"))
    return table(matches)


def elos(results, **how):
    return ex.rate(results, **how).set_index("agent").elo.sort_index()


# What the numbers are -----------------------------------------------------------------------------


def test_two_agents_differ_by_the_odds_of_their_wins():
    matches = [(i, "ab", (1, 2) if i % 4 else (2, 1), "finished") for i in range(40)]
    found = elos(table(matches), anchor="a", seat_effects=False, pseudo=0)
    assert found["b"] == pytest.approx(-400 * np.log10(3))


def test_a_tie_in_millions_of_matches_does_not_hide_the_fit_in_rounding():
    one_of_each = table(
        [(0, "abab", r, "finished") for r in [(1, 2, 3, 4), (2, 1, 4, 3), (1, 2, 2, 4)]]
    )
    rows = np.repeat(np.arange(12).reshape(3, 4), [360_000, 40_000, 1], axis=0).reshape(-1)
    results = one_of_each.iloc[rows].reset_index(drop=True)
    results["match"] = results["block"] = np.arange(len(results)) // 4
    found = ex.rate(results, anchor="a").set_index("agent")
    assert 0 > found.elo["b"] > -1000 and found.high["b"] - found.low["b"] < 10


def test_ties_between_two_are_those_of_davidson():
    ranks = [(1, 2)] * 50 + [(2, 1)] * 20 + [(1, 1)] * 30
    results = table([(i, "ab", ranks[i], "finished") for i in range(100)])
    # Wins and ties leave two parameters, so the fit gives back the shares: 5 : 2 are the odds.
    found = elos(results, anchor="b", seat_effects=False, pseudo=0)
    assert found["a"] == pytest.approx(400 * np.log10(5 / 2))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_without_ties_and_seats_the_answer_is_that_of_choix(players):
    results = drawn([0, 0.5, 1.0, -0.7, 0.2], 60, players, np.random.default_rng(1))
    labels = sorted(results.agent.unique())
    rankings = [
        [labels.index(agent) for agent in rows.sort_values("rank").agent]
        for _, rows in results.groupby("match")
    ]
    expected = choix.opt_rankings(len(labels), rankings)
    found = elos(results, anchor="a0", seat_effects=False, pseudo=0)
    assert found.to_numpy() == pytest.approx(ELO * (expected - expected[0]), abs=1e-3)


def test_openskill_puts_the_agents_in_the_same_order():
    results = drawn([0, 0.6, 1.2, -0.7], 150, 3, np.random.default_rng(2))
    model = PlackettLuce()
    rated = {agent: model.rating() for agent in results.agent.unique()}
    for _, rows in results.groupby("match"):
        teams = model.rate([[rated[agent]] for agent in rows.agent], ranks=rows["rank"].tolist())
        rated |= {agent: team[0] for agent, team in zip(rows.agent, teams, strict=True)}
    by_openskill = sorted(rated, key=lambda agent: -rated[agent].ordinal())
    assert ex.rate(results, anchor="a0").agent.tolist() == by_openskill


def test_the_fit_is_where_the_probability_of_the_results_is_greatest():
    # The probability is written down here anew, for tables of three with ties.
    rng = np.random.default_rng(3)
    ranks = [(1, 2, 3), (1, 1, 3), (1, 2, 2), (3, 1, 2), (1, 1, 1), (2, 1, 3), (3, 2, 1), (2, 2, 1)]
    matches = []
    for i in range(80):
        agents = [str(a) for a in rng.permutation(["a", "b", "c", "d"])[:3]]
        matches.append((i, agents, ranks[rng.integers(len(ranks))], "finished"))
    results = table(matches)
    rating = ex.rate(results, anchor="a", pseudo=0)
    best = dict(zip(rating.agent, rating.elo / ELO, strict=True))
    seats = dict(enumerate(rating.attrs["seats"].elo / ELO))

    def log_probability(worths, seats, factors):
        total = 0.0
        for _, agents, places, _ in matches:
            worth = [np.exp(worths[a] + seats[s]) for s, a in enumerate(agents)]
            remain = [0, 1, 2]
            while len(remain) > 1:
                first = min(places[s] for s in remain)
                taken = tuple(s for s in remain if places[s] == first)

                def weight(group, worth=worth):
                    mean = np.prod([worth[s] for s in group]) ** (1 / len(group))
                    return factors[len(group)] * mean

                sets = [c for n in (1, 2, 3) for c in itertools.combinations(remain, n)]
                total += np.log(weight(taken) / sum(weight(group) for group in sets))
                remain = [s for s in remain if s not in taken]
        return total

    # The factors of ties are no part of the table: the best ones are looked for first.
    grid = [(two, three) for two in np.linspace(0.3, 3, 28) for three in np.linspace(0.2, 3, 29)]
    factors = max(
        ({1: 1.0, 2: two, 3: three} for two, three in grid),
        key=lambda factors: log_probability(best, seats, factors),
    )
    at_best = log_probability(best, seats, factors)
    for name in "bcd":
        for change in (-0.1, 0.1):
            assert log_probability(best | {name: best[name] + change}, seats, factors) < at_best
    for seat in range(3):
        for change in (-0.1, 0.1):
            assert log_probability(best, seats | {seat: seats[seat] + change}, factors) < at_best


def test_worth_seats_and_ties_are_found_again():
    rng = np.random.default_rng(4)
    results = drawn([0, 0.8, -0.4], 3000, 2, rng, seats=[0.3, -0.3], ties=0.8)
    rating = ex.rate(results, anchor="a0").set_index("agent")
    assert rating.elo["a1"] == pytest.approx(ELO * 0.8, abs=12)
    assert rating.elo["a2"] == pytest.approx(ELO * -0.4, abs=12)
    seats = ex.rate(results, anchor="a0").attrs["seats"]
    assert seats.elo.tolist() == pytest.approx([ELO * 0.3, -ELO * 0.3], abs=8)
    assert seats.elo.sum() == pytest.approx(0, abs=1e-6)
    assert (seats.low < seats.elo).all()
    assert (seats.elo < seats.high).all()


def test_tables_of_several_sizes_are_fitted_together():
    rng = np.random.default_rng(5)
    two = drawn([0, 0.5, 1.0], 400, 2, rng, seats=[0.4, -0.4])
    three = drawn([0, 0.5, 1.0], 400, 3, rng, seats=[-0.3, 0, 0.3])
    three = three.assign(match=three.match + 10_000, block=three.block + 10_000)
    together = ex.rate(pd.concat([two, three]), anchor="a0")
    alone = ex.rate(two, anchor="a0")
    width = (together.high - together.low).to_numpy()[:2]
    assert (width < (alone.high - alone.low).to_numpy()[:2]).all()
    seats = together.attrs["seats"]
    assert seats.players.tolist() == [2, 2, 3, 3, 3]
    assert np.sign(seats.elo[[0, 1, 2, 4]]).tolist() == [1, -1, -1, 1]


# What they depend on ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played():
    agents = ["random", "greedy", "mcts:simulations=10", "mcts:simulations=60"]
    return ex.tournament("treelings", agents, players=3, blocks=40, seed=1)


def test_the_order_of_matches_and_names_of_agents_change_nothing(played):
    expected = ex.rate(played)
    shuffled = ex.rate(played.sample(frac=1, random_state=1))
    assert shuffled.agent.tolist() == expected.agent.tolist()
    for name in ("elo", "low", "high"):
        assert shuffled[name].to_numpy() == pytest.approx(expected[name].to_numpy(), abs=1e-6)
    new_names = {label: str(i) for i, label in enumerate(sorted(played.agent.cat.categories)[::-1])}
    renamed = played.assign(agent=played.agent.astype(str).map(new_names))
    found = elos(renamed, anchor=new_names["random"])
    for label, elo in elos(played).items():
        assert found[new_names[label]] == pytest.approx(elo, abs=1e-6)


def test_random_is_at_0_and_all_that_was_played_is_counted(played):
    rating = ex.rate(played)
    assert rating.attrs["zero"] == "random"
    zero = rating.set_index("agent").loc["random"]
    assert (zero.elo, zero.low, zero.high) == (0, 0, 0)
    assert rating.elo.is_monotonic_decreasing
    assert rating.matches.tolist() == [90] * 4
    assert rating.blocks.tolist() == [30] * 4


def test_without_the_anchor_the_mean_is_at_0(played):
    rating = ex.rate(played, anchor="nobody")
    assert rating.attrs["zero"] == "the mean of all agents"
    assert rating.elo.mean() == pytest.approx(0, abs=1e-9)
    assert (rating.low < rating.elo).all()
    differences = rating.elo - rating.elo.min()
    expected = ex.rate(played)
    assert differences.tolist() == pytest.approx((expected.elo - expected.elo.min()).tolist())


def test_capped_matches_are_ties_and_forfeits_losses_to_each_of_the_others():
    capped = table([(i, "ab", (1, 2), "capped") for i in range(10)])
    assert elos(capped, anchor="a").tolist() == pytest.approx([0, 0], abs=1e-6)
    matches = [(i, np.roll(["a", "b", "c"], i), None, "forfeit") for i in range(9)]
    matches = [
        (i, list(agents), [2 if agent == "c" else 1 for agent in agents], end)
        for i, agents, _, end in matches
    ]
    found = elos(table(matches), anchor="a")
    assert found["b"] == pytest.approx(0, abs=1e-6)
    assert found["c"] < -200


def test_somebody_who_never_wins_has_a_rating_and_a_wide_interval():
    rng = np.random.default_rng(6)
    results = drawn([0, 0.3, -30], 60, 2, rng)
    rating = ex.rate(results, anchor="a0").set_index("agent")
    assert -2000 < rating.elo["a2"] < -400
    wide = rating.high["a2"] - rating.low["a2"]
    assert wide > 4 * (rating.high["a1"] - rating.low["a1"])
    # It lost 40 or so blocks of 2: that it wins one in 12 pairings is still possible.
    assert rating.high["a2"] > -400 * np.log10(60)
    with pytest.raises(ValueError, match="`pseudo` above 0"):
        ex.rate(results, anchor="a0", pseudo=0)


def test_groups_that_never_met_are_compared_only_by_the_mean():
    met = [(i, "ab", (1, 2) if i % 3 else (2, 1), "finished") for i in range(30)]
    apart = [(i, "cd", (1, 2) if i % 3 else (2, 1), "finished") for i in range(30, 60)]
    found = elos(table(met + apart), anchor="a")
    assert found["c"] == pytest.approx(found["a"], abs=1e-6)
    rating = ex.rate(table(met + apart), anchor="a").set_index("agent")
    assert rating.high["c"] - rating.low["c"] > rating.high["b"] - rating.low["b"]


def test_a_single_block_says_nothing_of_the_error():
    rating = ex.rate(table([(0, "ab", (1, 2), "finished")]), anchor="a")
    assert np.isinf(rating.high.max())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.drop(columns="rank"), "missing: rank"),
        (lambda t: t.assign(agent="a"), "one alone fills all seats"),
        (lambda t: pd.concat([t, t]), "stands twice"),
        (lambda t: t.assign(variant=["one", "other"]), "several rule sets"),
    ],
)
def test_results_that_cannot_be_rated_are_refused(change, words):
    with pytest.raises(ValueError, match=words):
        ex.rate(change(table([(0, "ab", (1, 2), "finished")])))


# Intervals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_blocks", "luck"), [(12, 0.0), (12, 1.0), (60, 0.0), (60, 1.0)])
def test_the_interval_holds_the_true_difference_in_95_of_100_tournaments(num_blocks, luck):
    # With luck the matches of a block are alike, and what is true is the mean over all luck: the
    # difference that a very long tournament finds.
    worths = [0, 0.4, -0.5]
    rng = np.random.default_rng(7)
    true = elos(drawn(worths, 40_000, 2, rng, luck=luck), anchor="a0")
    held = []
    for _ in range(400):
        rating = ex.rate(drawn(worths, num_blocks, 2, rng, luck=luck), anchor="a0")
        rating = rating.set_index("agent")
        held += [rating.low[a] <= true[a] <= rating.high[a] for a in ("a1", "a2")]
    assert 0.925 < np.mean(held) < 0.98
