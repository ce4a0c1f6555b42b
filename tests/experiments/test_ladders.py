"""Duels, ladders and ablations."""

import pandas as pd
import pytest

import experiments as ex
import sim
from agents import resolve, with_parameters
from experiments.ladders import duel

CONNECT_FOUR = sim.load("connect_four")


def test_a_duel_says_who_is_stronger_from_both_sides():
    weak, strong = "mcts:simulations=5", "mcts:simulations=60"
    row = duel(CONNECT_FOUR, strong, weak, blocks=20, seed=1)
    mirrored = duel(CONNECT_FOUR, weak, strong, blocks=20, seed=1)
    assert row["share_low"] > 0.5
    assert row["margin"] > 0
    assert row["share"] == pytest.approx(1 - mirrored["share"], abs=0.15), (
        "other seats, other deals"
    )
    assert row["milliseconds"] > row["opponent_milliseconds"]


def test_a_duel_of_three_seats_counts_who_comes_before_whom():
    game = sim.load("treelings", players=3)
    row = duel(game, "greedy", "random", blocks=10, seed=1)
    assert 0.9 < row["share"] <= 1


def test_a_duel_needs_two_agents_and_two_players():
    with pytest.raises(ValueError, match="both agents are greedy"):
        duel(CONNECT_FOUR, "greedy", "greedy", blocks=2)
    with pytest.raises(ValueError, match="at least two players"):
        duel(sim.load("newdale", players=1), "greedy", "random", blocks=2)


@pytest.mark.compiled_only
def test_a_ladder_climbs(tmp_path):
    seen = []
    table = ex.ladder(
        "connect_four",
        "mcts:seconds=1,exploration=0.8",
        budgets=(4, 16, 64),
        blocks=20,
        seed=1,
        out=tmp_path,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert list(zip(table.simulations, table.against, strict=True)) == [
        (0, "random"),
        (4, "random"),
        (4, "greedy"),
        (16, "step below"),
        (16, "greedy"),
        (64, "step below"),
        (64, "greedy"),
    ]
    steps = table[table.against == "step below"]
    assert (steps.share_low > 0.5).all()
    assert steps.agent.iloc[0] == resolve("mcts:simulations=16,exploration=0.8", CONNECT_FOUR).label
    against_greedy = table[table.against == "greedy"].share
    assert against_greedy.iloc[-1] > 0.3 > against_greedy.iloc[1] > against_greedy.iloc[0] - 0.1
    assert seen == [(i, 7) for i in range(8)]
    again = ex.ladder(
        "connect_four",
        "mcts:simulations=9,exploration=0.8",
        budgets=(4, 16, 64),
        blocks=20,
        seed=1,
        out=tmp_path,
    )
    pd.testing.assert_frame_equal(table, again, check_exact=True)  # seconds too: it was read


@pytest.mark.parametrize("budgets", [(), (16, 16), (32, 16), (0, 16)])
def test_budgets_that_do_not_rise_are_refused(budgets):
    with pytest.raises(ValueError, match="accepted: rising whole numbers"):
        ex.ladder("connect_four", "mcts", budgets=budgets)


def test_only_a_search_climbs():
    with pytest.raises(ValueError, match="unknown parameter of greedy 'simulations'"):
        ex.ladder("connect_four", "greedy", budgets=(16,))


def test_an_ablation_tells_what_each_change_is_worth():
    table = ex.ablation(
        "connect_four",
        "mcts:simulations=40,greed=0.9",
        ["exploration=50", "greed=", "greed=0.5,rank=0.1"],
        blocks=10,
        seed=1,
    )
    assert table.change.tolist() == ["exploration=50", "greed=", "greed=0.5,rank=0.1"]
    assert table.share[0] < 0.5
    assert table.agent[1] == resolve("mcts:simulations=40", CONNECT_FOUR).label
    assert table.game.tolist() == ["connect_four"] * 3


def test_a_change_without_a_value_is_refused():
    with pytest.raises(ValueError, match="change 'greed' is not accepted; accepted: name=value"):
        ex.ablation("connect_four", "mcts:simulations=4,greed=1", ["greed"], blocks=2)


def test_a_change_that_changes_nothing_is_refused():
    with pytest.raises(ValueError, match="both agents are mcts"):
        ex.ablation("connect_four", "mcts:simulations=4", ["exploration=0.7"], blocks=2)


@pytest.mark.parametrize(
    ("spec", "parameters", "changed"),
    [
        ("mcts:simulations=5", {"seconds": 0.1}, "mcts:seconds=0.1"),
        ("mcts:seconds=1,greed=1", {"simulations": 7, "greed": ""}, "mcts:simulations=7"),
        ("greedy:score=2", {"score": ""}, "greedy"),
        ("mcts", {"prior": 1}, "mcts:prior=1"),
    ],
)
def test_parameters_are_set_and_taken_away(spec, parameters, changed):
    assert with_parameters(spec, CONNECT_FOUR, **parameters) == changed


def test_the_default_agent_is_spelled_out_when_it_is_changed():
    game = sim.load("newdale", players=2)
    changed = with_parameters("default", game, simulations=8)
    assert resolve(changed, game).label == resolve("default:simulations=8", game).label
    assert "horizon" in changed


def test_parameters_that_are_not_accepted_are_refused():
    with pytest.raises(ValueError, match="exploration=-1 is not accepted"):
        with_parameters("mcts", CONNECT_FOUR, exploration=-1)
