"""A decision searched by several threads, and what a search found for each action."""

import numpy as np
import pytest

import sim
from agents import resolve
from agents.desk import VIEW, new_desk
from agents.mcts import search
from agents.stepwise import play_match
from agents.team import Root, Team
from sim.records import NONE

CONNECT_FOUR = sim.load("connect_four")


def stream_of(seed):
    return np.random.SFC64(seed).state["state"]["state"].copy()


def found(spec, seed=1, game=CONNECT_FOUR):
    state = game.new(seed=3)
    return Team(game, resolve(spec, game)).search(state, stream_of(seed))


@pytest.mark.parametrize("spec", ["mcts:simulations=90", "mcts:simulations=90,prior=1,paired=1"])
def test_one_thread_finds_what_the_tree_holds(spec):
    game = sim.load("treelings", players=3)
    root = found(spec, game=game)
    agent = resolve(spec, game)
    desk = new_desk(game, agent.max_nodes)
    desk.worlds[VIEW] = game.new(seed=3)
    search(game.rules, agent.row, 0, stream_of(1), *desk)
    child = desk.nodes[0].first_child
    while child != NONE:
        node = desk.nodes[child]
        if node.visits:
            place = root.actions.tolist().index(node.action)
            assert root.visits[place] == node.visits
            assert root.values[place] == pytest.approx(node.value[:3] / node.visits)
            assert np.isnan(root.priors[place]) if "prior" not in spec else True
            assert "prior" not in spec or root.priors[place] == node.prior
        child = node.next_sibling
    assert root.visits.sum() == 90


def test_several_threads_share_the_simulations_and_add_up():
    root = found("mcts:simulations=101,threads=3")
    assert root.visits.sum() == 101
    assert root.values.sum(axis=1) == pytest.approx(1)
    assert found("mcts:simulations=101,threads=3").visits.tolist() == root.visits.tolist()
    assert found("mcts:simulations=101,threads=3", seed=2).visits.tolist() != root.visits.tolist()


def test_threads_search_worlds_of_their_own():
    """Two threads with the same chance would only find the same thing twice."""
    team = Team(CONNECT_FOUR, resolve("mcts:simulations=200,threads=2", CONNECT_FOUR))
    team.search(CONNECT_FOUR.new(), stream_of(1))
    first, second = (desk.notes.worth for desk in team._desks)
    assert not np.array_equal(first, second)


def test_the_variance_is_that_of_single_simulations():
    root = found("mcts:simulations=500")
    own = root.values[:, 0]
    assert (root.variances[:, 0] <= own * (1 - own) + 1e-12).all(), "utilities are 0 to 1"
    assert (root.variances[:, 0] > 0.5 * own * (1 - own)).all(), "nearly all are 0 or 1"


def test_the_best_action_is_the_most_visited_and_of_equals_the_one_of_more_worth():
    root = Root(
        player=1,
        actions=np.array([4, 5, 6]),
        visits=np.array([10, 30, 30]),
        values=np.array([[0.1, 0.9], [0.6, 0.4], [0.5, 0.5]]),
        variances=np.zeros((3, 2)),
        scores=np.zeros((3, 2)),
        priors=np.zeros(3),
    )
    assert root.best_action(stream_of(1)) == 6


def test_a_match_with_threads_is_the_same_each_time_and_finishes():
    agents = [
        resolve("mcts:simulations=40,threads=2", CONNECT_FOUR),
        resolve("greedy", CONNECT_FOUR),
    ]
    records = [play_match(CONNECT_FOUR, agents, seed=5)[0] for _ in range(2)]
    assert records[0] == records[1]
    assert records[0].end == "finished"


def test_more_threads_than_simulations_are_refused():
    with pytest.raises(ValueError, match="3 threads for 2 simulations; accepted: no more"):
        resolve("mcts:simulations=2,threads=3", CONNECT_FOUR)


@pytest.mark.parametrize("threads", ["", ",threads=2"])
def test_decisions_with_a_full_tree_are_counted(threads):
    def full(nodes):
        spec = f"mcts:simulations=60,nodes={nodes}{threads}"
        agents = [resolve(spec, CONNECT_FOUR), resolve("random", CONNECT_FOUR)]
        return play_match(CONNECT_FOUR, agents, seed=5)[1]

    tight = full(20)
    assert 0 < tight["full_trees"][0] <= tight["decisions"][0]
    assert tight["full_trees"][1] == 0
    assert full(1000)["full_trees"].tolist() == [0, 0]


@pytest.mark.compiled_only
@pytest.mark.parametrize("threads", ["", ",threads=2"])
def test_a_forced_action_after_a_full_tree_counts_for_none(threads):
    game = sim.load("newdale", players=2)
    agents = [resolve(f"mcts:simulations=12,nodes=2,horizon=1{threads}", game)] * 2
    record, outcomes, _ = play_match(game, agents, seed=1)
    searched = np.zeros(2, int)
    for state in list(record.replay())[:-1]:
        searched[state.to_move] += len(game.legal(state)) > 1
    assert outcomes["full_trees"].tolist() == searched.tolist()
    assert (searched < outcomes["decisions"]).all(), "some actions were forced"
