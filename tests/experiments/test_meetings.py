"""Circles that a ranking hides, and the mixture of agents that nobody beats."""

import numpy as np
import pandas as pd
import pytest

import experiments as ex
from experiments.meetings import unbeaten

CIRCLE = {("rock", "scissors"): 0.8, ("scissors", "paper"): 0.9, ("paper", "rock"): 0.7}


def results_of(shares, blocks=40):
    """Matches of two in which the first of a pair wins that share; ten matches a block."""
    rows, match = [], 0
    for pair_number, ((one, other), share) in enumerate(shares.items()):
        for block in range(blocks):
            for i in range(10):
                ranks = (1, 2) if (i + block) % 10 < round(10 * share) else (2, 1)
                for seat, (agent, rank) in enumerate(zip((one, other), ranks, strict=True)):
                    rows.append((match, pair_number * blocks + block, seat + 1, agent, rank))
                match += 1
    table = pd.DataFrame(rows, columns=["match", "block", "seat", "agent", "rank"])
    return table.assign(end="finished")


def test_the_square_of_payoffs_says_who_beats_whom():
    table = ex.payoffs(results_of(CIRCLE | {("rock", "well"): 0.0}))
    assert table.loc["rock", "scissors"] == pytest.approx(0.8)
    assert table.loc["scissors", "rock"] == pytest.approx(0.2)
    assert table.loc["well", "rock"] == 1
    assert np.isnan(table.loc["well", "paper"])
    assert (np.diag(table) == 0.5).all()


def test_a_circle_is_found_and_a_ladder_is_none():
    assert [sorted(group) for group in ex.cycles(results_of(CIRCLE))] == [
        ["paper", "rock", "scissors"]
    ]
    ladder = {("a", "b"): 0.8, ("b", "c"): 0.9, ("a", "c"): 0.7}
    assert ex.cycles(results_of(ladder)) == []
    assert ex.cycles(results_of(CIRCLE, blocks=2)) == [], "two blocks prove nothing"
    longer = {("a", "b"): 0.8, ("b", "c"): 0.8, ("c", "d"): 0.8, ("d", "a"): 0.8, ("e", "a"): 1}
    assert [sorted(group) for group in ex.cycles(results_of(longer))] == [["a", "b", "c", "d"]]


def test_the_mixture_of_a_circle_is_the_exact_one():
    # With margins m, n, o of its three victories an unbeaten mixture has the weights of the
    # opposite ones: here 0.6, 0.8 and 0.4 against each other.
    table = ex.equilibrium(results_of(CIRCLE)).set_index("agent")
    expected = {"rock": 0.8 / 1.8, "scissors": 0.4 / 1.8, "paper": 0.6 / 1.8}
    for agent, weight in expected.items():
        assert table.weight[agent] == pytest.approx(weight, abs=1e-6)
        assert table.low[agent] <= weight <= table.high[agent]
        assert table.share[agent] == pytest.approx(0.5, abs=1e-6)
    assert table.weight.is_monotonic_decreasing


def test_who_beats_all_is_the_whole_mixture():
    ladder = {("a", "b"): 0.8, ("b", "c"): 0.9, ("a", "c"): 0.7}
    table = ex.equilibrium(results_of(ladder)).set_index("agent")
    assert table.weight["a"] == pytest.approx(1, abs=1e-6)
    assert table.share.tolist() == pytest.approx([0.5, 0.2, 0.3], abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_nobody_beats_the_mixture(seed):
    rng = np.random.default_rng(seed)
    number = rng.integers(2, 9)
    above = np.triu(rng.random((number, number)), 1)
    shares = above + np.tril(1 - above.T, -1) + np.eye(number) / 2
    weights = unbeaten(shares)
    assert weights.sum() == pytest.approx(1)
    assert (weights >= 0).all()
    assert (shares @ weights <= 0.5 + 1e-6).all()


def test_equals_have_equal_weights():
    assert unbeaten(np.full((4, 4), 0.5)).tolist() == pytest.approx([0.25] * 4)


def test_two_that_never_met_make_no_mixture():
    with pytest.raises(ValueError, match="well and paper never met|paper and well never met"):
        ex.equilibrium(results_of(CIRCLE | {("rock", "well"): 0.0}))


def test_several_rule_sets_are_refused():
    results = results_of(CIRCLE)
    results = results.assign(variant=np.where(results.block % 2, "one", "other"))
    with pytest.raises(ValueError, match="one rule set"):
        ex.payoffs(results)
