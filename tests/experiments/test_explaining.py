"""The root of a search as a table."""

import hidden_card  # noqa: F401 - registers the game
import numpy as np
import pytest

import experiments as ex
import sim
from agents import resolve

CONNECT_FOUR = sim.load("connect_four")


def after(actions):
    state = CONNECT_FOUR.new()
    for action in actions:
        CONNECT_FOUR.apply(state, action)
    return state


WINS_AT_ONCE = after([0, 6, 0, 6, 0, 5])


def test_the_table_says_what_each_action_came_to():
    table = ex.explain(CONNECT_FOUR, WINS_AT_ONCE, "mcts:simulations=300", seed=2)
    assert sorted(table.action) == list(range(7))
    assert table.words[0] == "column 1"
    assert table.visits.sum() == 300
    assert table.visits[1:].is_monotonic_decreasing
    assert table.value_1[0] == 1
    assert (table.value_1 + table.value_2).to_numpy() == pytest.approx(1)
    assert table.score_1[0] == 1, "the winner's point"
    assert table.score_2[0] == 0
    assert table.prior.isna().all()
    assert table.attrs == {
        "player": 1,
        "agent": resolve("mcts:simulations=300", CONNECT_FOUR).label,
        "seed": 2,
        "simulations": 300,
        "is_full": False,
    }


def test_intervals_hold_the_mean_and_narrow_with_visits():
    table = ex.explain(CONNECT_FOUR, CONNECT_FOUR.new(), "mcts:simulations=2000")
    for p in (1, 2):
        low, high = table[f"low_{p}"], table[f"high_{p}"]
        assert ((0 <= low) & (low < table[f"value_{p}"])).all()
        assert ((table[f"value_{p}"] < high) & (high <= 1)).all()
        width = (high - low).to_numpy()
        assert width[table.visits.idxmax()] < width[table.visits.idxmin()]
        half = 1.96 * np.sqrt(table[f"value_{p}"] * (1 - table[f"value_{p}"]) / table.visits)
        assert width == pytest.approx(2 * half.to_numpy(), rel=0.2), (
            "of shares that are nearly all 0 or 1"
        )


def test_judged_utilities_vary_less_and_are_known_better():
    ends = ex.explain(CONNECT_FOUR, CONNECT_FOUR.new(), "mcts:simulations=700,exploration=9")
    judged = ex.explain(
        CONNECT_FOUR,
        CONNECT_FOUR.new(),
        "mcts:simulations=700,exploration=9,horizon=8,softness=9",
    )
    assert (judged.high_1 - judged.low_1).max() < 0.3 * (ends.high_1 - ends.low_1).min()


def test_with_a_prior_it_is_shown():
    table = ex.explain(CONNECT_FOUR, CONNECT_FOUR.new(), "mcts:simulations=500,prior=1")
    assert table.prior.sum() == pytest.approx(1)


def test_the_explanation_does_not_see_what_the_player_cannot_know():
    """One who sees the top card names it; one who does not is right one time in four."""
    game = sim.load("hidden_card")
    right = 0
    for seed in range(24):
        state = game.new(seed)
        table = ex.explain(game, state, "mcts:simulations=40", seed=seed)
        right += table.action[0] == state.deck[0]
    assert right <= 13


def test_the_default_agent_explains():
    game = sim.load("newdale", players=1)
    table = ex.explain(game, game.new(seed=1), "default:simulations=10")
    assert table.attrs["agent"] == resolve("default:simulations=10", game).label
    assert table.visits.sum() == 10


def test_a_tree_that_was_full_is_said():
    table = ex.explain(CONNECT_FOUR, CONNECT_FOUR.new(), "mcts:simulations=100,nodes=10")
    assert table.attrs["is_full"]
    assert table.visits.sum() == 100


@pytest.mark.parametrize("agent", ["greedy", "random"])
def test_an_agent_that_does_not_search_is_refused(agent):
    with pytest.raises(ValueError, match=f"{agent} does not search; accepted: default, mcts"):
        ex.explain(CONNECT_FOUR, CONNECT_FOUR.new(), agent)


def test_a_match_that_is_over_is_refused():
    over = after([0, 6, 0, 6, 0, 5, 0])
    with pytest.raises(ValueError, match="the match is over"):
        ex.explain(CONNECT_FOUR, over)
