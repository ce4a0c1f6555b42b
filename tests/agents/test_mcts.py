"""Search: solved positions, the bookkeeping of the tree, and what each parameter does."""

import numpy as np
import pytest
from searching import children, choice, searched, stream_of

import sim
from agents import resolve
from agents.desk import THOUGHT, VIEW, new_desk
from agents.mcts import search
from agents.play import decide
from sim.records import NONE

CONNECT_FOUR = sim.load("connect_four")


def after(game, actions, seed=0):
    state = game.new(seed)
    for action in actions:
        game.apply(state, action)
    return state


SOLVED = {
    "wins at once": ([0, 6, 0, 6, 0, 5], {0}),
    "wins at once with the second player": ([0, 6, 0, 6, 1, 6, 1], {6}),
    "stops a threat": ([0, 6, 0, 6, 0], {0}),
    "makes two threats on the lowest row": ([2, 2, 3, 3], {1, 4}),
    "stops two threats on the lowest row in time": ([2, 2, 3], {1, 4}),
}


def test_search_finds_the_move_that_wins_at_once():
    state = after(CONNECT_FOUR, [0, 6, 0, 6, 0, 5])
    assert choice(CONNECT_FOUR, state, "mcts:simulations=200") == 0


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", SOLVED)
def test_search_finds_the_move_that(name):
    actions, best = SOLVED[name]
    state = after(CONNECT_FOUR, actions)
    for seed in range(5):
        assert choice(CONNECT_FOUR, state, "mcts:simulations=2000", seed) in best


@pytest.mark.compiled_only
def test_the_value_of_the_root_comes_to_the_exact_one_for_both_players():
    won = after(CONNECT_FOUR, [2, 2, 3, 3])  # the player to move makes two threats
    desk, _ = searched(CONNECT_FOUR, won, "mcts:simulations=20000")
    root = desk.nodes[0]
    assert root.value[0] / root.visits > 0.9
    assert root.value[0] + root.value[1] == pytest.approx(root.visits)


@pytest.mark.parametrize("name", ["connect_four", "treelings"])
@pytest.mark.parametrize("players", [2, 4])
def test_visits_values_and_availability_add_up(name, players):
    if name == "connect_four" and players != 2:
        return
    game = sim.load(name, players=players)
    state = game.new(seed=2)
    desk, size = searched(game, state, "mcts:simulations=300")
    assert desk.nodes[0].visits == 300
    assert size <= 301
    for number in range(size):
        node = desk.nodes[number]
        below = children(desk, number)
        assert node.value[:players].sum() == pytest.approx(node.visits)
        assert not node.value[players:].any()
        assert sum(child.visits for child in below) <= node.visits
        assert all(child.visits <= child.availability for child in below)
        assert len({int(child.action) for child in below}) == len(below)
    assert sum(child.visits for child in children(desk)) == 300
    assert np.all(desk.notes.child_of_action == NONE)


def test_a_child_is_as_available_as_the_simulations_since_it_was_made():
    desk, _ = searched(CONNECT_FOUR, CONNECT_FOUR.new(), "mcts:simulations=200")
    assert sorted(child.availability for child in children(desk)) == list(range(194, 201))


@pytest.mark.compiled_only
def test_a_child_that_is_legal_in_few_worlds_is_seldom_available():
    # After the first take the market is filled from the deck: which guilds can be taken next
    # differs from world to world.
    game = sim.load("treelings", players=2)
    state = game.new(seed=1)
    desk, size = searched(game, state, "mcts:simulations=2000")
    fewer = [
        child
        for number in range(size)
        for child in children(desk, number)
        if child.availability < 0.7 * desk.nodes[number].visits and desk.nodes[number].visits > 100
    ]
    assert fewer


def test_the_same_seed_grows_the_same_tree_and_another_one_another():
    game = sim.load("treelings", players=3)
    state = game.new(seed=3)
    trees = []
    for seed in (1, 1, 2):
        desk, size = searched(game, state, "mcts:simulations=200", seed)
        trees.append(desk.nodes[:size].tobytes())
    assert trees[0] == trees[1] != trees[2]


def test_search_leaves_the_view_as_it_was():
    game = sim.load("treelings", players=3)
    state = game.new(seed=3)
    desk, _ = searched(game, state, "mcts:simulations=50")
    assert desk.worlds[VIEW] == state


@pytest.mark.compiled_only
def test_a_full_tree_stops_growing_and_is_simulated_on():
    game = sim.load("treelings", players=3)
    state = game.new(seed=3)
    desk, size = searched(game, state, "mcts:simulations=500,nodes=20")
    assert size == 20
    assert desk.nodes[0].visits == 500
    assert sum(child.visits for child in children(desk)) == 500
    assert choice(game, state, "mcts:simulations=500,nodes=20") in game.legal(state)


def test_a_budget_in_seconds_is_used_up():
    from agents.clock import now

    before = now()
    desk, size = searched(CONNECT_FOUR, CONNECT_FOUR.new(), "mcts:seconds=0.05")
    assert now() - before >= 0.05
    assert 2 <= size <= desk.nodes[0].visits + 1


def test_a_forced_action_needs_no_search():
    game = sim.load("treelings", players=2)
    state = game.new(seed=1)
    state.market[:] = [5, 0, 0, 0, 0, 0]
    agent = resolve("mcts:simulations=1000000000", game)
    desk = new_desk(game, 10)
    assert decide(game.rules, state, agent.row, stream_of(1), *desk) == 0


def visits(spec, seed=5):
    game = sim.load("treelings", players=3)
    desk, _ = searched(game, game.new(seed), spec)
    return {int(child.action): int(child.visits) for child in children(desk)}


@pytest.mark.compiled_only
def test_each_parameter_changes_the_search():
    plain = visits("mcts:simulations=400")
    assert visits("mcts:simulations=400,exploration=0.7") == plain
    assert visits("mcts:simulations=401") != plain
    assert visits("mcts:simulations=400,nodes=30") != plain
    assert visits("mcts:seconds=0.01") != plain
    short = visits("mcts:simulations=400,horizon=3")
    assert short != plain
    assert visits("mcts:simulations=400,horizon=4") != short
    assert visits("mcts:simulations=400,horizon=3,softness=30") != short
    assert visits("mcts:simulations=400,horizon=3,cards=2") != short
    prior = visits("mcts:simulations=400,prior=1")
    assert prior != plain
    assert visits("mcts:simulations=400,prior=5") != prior
    assert visits("mcts:simulations=400,prior=1,cards=2") != prior
    assert visits("mcts:simulations=400,paired=1") != plain
    assert visits("mcts:simulations=400,paired=0") == plain
    assert visits("mcts:simulations=400,rank=1") != plain
    margin = visits("mcts:simulations=400,margin=1")
    assert margin != plain
    assert visits("mcts:simulations=400,margin=1,softness=30") != margin
    greedy = visits("mcts:simulations=400,greed=1")
    assert greedy not in (plain, short)
    assert visits("mcts:simulations=400,greed=0.5") not in (plain, greedy)
    assert visits("mcts:simulations=400,greed=0") == plain


@pytest.mark.compiled_only
def test_more_exploration_spreads_the_visits_evenly_over_its_whole_range():
    spreads = [
        np.mean(
            [
                np.std(list(visits(f"mcts:simulations=1000,exploration={c}", seed).values()))
                for seed in range(8)
            ]
        )
        for c in (0.05, 0.2, 0.5, 1, 3, 10)
    ]
    assert spreads == sorted(spreads, reverse=True)
    assert len(set(spreads)) == len(spreads)


@pytest.mark.compiled_only
def test_more_simulations_are_stronger():
    import experiments as ex

    pool = ["random", "mcts:simulations=20", "mcts:simulations=200"]
    results = ex.tournament("connect_four", pool, blocks=3 * 60, seed=1, n_jobs=2)
    table = ex.who_beats_whom(results).set_index(["agent", "opponent"])
    labels = [resolve(spec, CONNECT_FOUR).label for spec in pool]
    assert table.low[labels[1], labels[0]] > 0.5
    assert table.low[labels[2], labels[1]] > 0.5


def test_a_budget_that_is_over_before_it_begins_still_gives_a_legal_action():
    agent = resolve("mcts:seconds=1", CONNECT_FOUR)
    agent.row.seconds = 1e-12
    desk = new_desk(CONNECT_FOUR, 100)
    for seed in range(50):
        action = decide(CONNECT_FOUR.rules, CONNECT_FOUR.new(), agent.row, stream_of(seed), *desk)
        assert action in range(7)
        assert desk.nodes[0].visits >= 1


@pytest.mark.parametrize("name", ["connect_four", "treelings"])
def test_judged_values_are_shares_of_one_win(name):
    game = sim.load(name)
    desk, size = searched(game, game.new(seed=1), "mcts:simulations=60,horizon=2,greed=0.5")
    for number in range(size):
        node = desk.nodes[number]
        assert node.value[: game.players].sum() == pytest.approx(node.visits)
        assert (node.value >= 0).all()


def test_a_judged_value_is_the_softmax_of_the_judgement():
    game = sim.load("treelings", players=3)
    state = game.new(seed=4)
    agent = resolve("mcts:simulations=1,horizon=1,softness=2", game)
    desk = new_desk(game, agent.max_nodes)
    desk.worlds[VIEW] = state
    search(game.rules, agent.row, int(state.to_move), stream_of(3), *desk)
    world = desk.worlds[THOUGHT]  # as the only simulation has left it
    judged = [
        sum(agent.parameters[f] * v for f, v in game.features(world, p).items()) for p in range(3)
    ]
    expected = np.exp(np.array(judged) / 2)
    assert desk.nodes[0].value[:3] == pytest.approx(expected / expected.sum())
    assert state.turn < world.turn <= state.turn + 2


@pytest.mark.parametrize("simulations", [1, 2, 5, 10, 20])
def test_all_leaves_within_the_horizon_are_judged_in_the_same_turn(simulations):
    desk, _ = searched(
        CONNECT_FOUR, CONNECT_FOUR.new(), f"mcts:simulations={simulations},horizon=6"
    )
    assert desk.worlds[THOUGHT].turn == 6, "as the last simulation has left it"


def test_a_hand_that_is_imagined_to_be_good_does_not_speak_for_an_action():
    game = sim.load("newdale", players=2)
    state = game.new(seed=1)
    for _ in range(60):
        game.apply(state, game.legal(state)[-1])
    agent = resolve("mcts:simulations=20,horizon=1,softness=2", game)
    desk = new_desk(game, agent.max_nodes)
    desk.worlds[VIEW] = state
    search(game.rules, agent.row, int(state.to_move), stream_of(3), *desk)
    notes, world = desk.notes, desk.worlds[THOUGHT]
    judged = np.array(
        [sum(agent.parameters[f] * v for f, v in game.features(world, p).items()) for p in range(2)]
    )
    assert not np.allclose(notes.outset[:2], notes.usual[:2]), (
        "worlds differ in what they are worth"
    )
    expected = np.exp((judged - notes.outset[:2] + notes.usual[:2]) / 2)
    assert notes.utilities[:2] == pytest.approx(expected / expected.sum())


def judged(game, state, player, agent):
    features = game.features(state, player)
    return sum(agent.parameters[name] * value for name, value in features.items())


def softmax(values, temperature):
    values = np.exp((np.array(values) - max(values)) / temperature)
    return values / values.sum()


def test_a_prior_is_the_softmax_of_what_the_own_turn_comes_to():
    state = after(CONNECT_FOUR, [3, 3, 2, 0, 4])
    agent = resolve("mcts:simulations=1,prior=0.5", CONNECT_FOUR)
    desk, _ = searched(CONNECT_FOUR, state, agent.label)
    priors = {int(child.action): float(child.prior) for child in children(desk)}
    worth = []
    for action in sorted(priors):
        reply = CONNECT_FOUR.copy(state)
        CONNECT_FOUR.apply(reply, action)
        worth.append(judged(CONNECT_FOUR, reply, 1, agent))
    assert len(set(worth)) > 1
    assert [priors[a] for a in sorted(priors)] == pytest.approx(list(softmax(worth, 0.5)))
    first = next(child for child in children(desk) if child.visits)
    assert first.prior == max(priors.values())


def test_where_a_turn_has_several_steps_the_prior_looks_at_its_end():
    """The prior of a step is that of the best turn that can begin with it, as `greedy` sees it."""
    game = sim.load("newdale", players=2)
    state = game.new(seed=1)
    checked = 0
    while checked < 5:
        legal = game.legal(state)
        if len(legal) > 1 and state.turn > 0:
            checked += 1
            agent = resolve("mcts:simulations=1,prior=1e-3", game)
            desk, _ = searched(game, state, agent.label)
            priors = {int(child.action): child.prior for child in children(desk)}
            assert priors[choice(game, state, "greedy")] == max(priors.values())
        game.apply(state, legal[-1])


def with_hidden_hands(num_legal=2):
    """A position of Newdale in which what is hidden matters, and so many actions are legal."""
    game = sim.load("newdale", players=2)
    state = game.new(seed=1)
    for _ in range(110):
        game.apply(state, game.legal(state)[-1])
    while len(game.legal(state)) < num_legal:
        game.apply(state, game.legal(state)[0])
    return game, state


def test_in_paired_search_the_same_visits_of_all_actions_meet_the_same_world():
    """One playout of each action: what differs between two actions is less than in two worlds."""
    game, state = with_hidden_hands()
    num_legal = len(game.legal(state))
    other = 1 - state.to_move
    spread = {}
    for paired in (0, 1):
        spec = f"mcts:simulations={num_legal},horizon=1,paired={paired}"
        hands = []
        for seed in range(20):
            desk, _ = searched(game, state, spec, seed)
            hands.append(desk.notes.outset[other] - desk.notes.usual[other])
        spread[paired] = np.abs(hands).max()
    assert spread[1] == pytest.approx(0, abs=1e-9), "all worlds of one search are the same one"
    assert spread[0] > 0.1


def test_paired_worlds_are_others_at_the_next_visit_and_in_the_next_search():
    game, state = with_hidden_hands()
    num_legal = len(game.legal(state))
    rival = 1 - state.to_move
    once, _ = searched(game, state, f"mcts:simulations={num_legal},horizon=1,paired=1")
    another, _ = searched(game, state, f"mcts:simulations={num_legal},horizon=1,paired=1", seed=2)
    twice, _ = searched(game, state, f"mcts:simulations={num_legal + 1},horizon=1,paired=1")
    assert once.notes.usual[rival] != pytest.approx(another.notes.usual[rival])
    assert once.notes.usual[rival] != pytest.approx(twice.notes.usual[rival])


def test_an_end_is_worth_a_blend_of_win_rank_and_margin():
    game = sim.load("treelings", players=3)
    state = game.new(seed=4)
    specs = {
        name: f"mcts:simulations=1,rank={rank},margin={margin},softness=4"
        for name, rank, margin in (
            ("win", 0, 0),
            ("rank", 1, 0),
            ("margin", 0, 1),
            ("blend", 0.3, 0.2),
        )
    }
    values = {}
    for name, spec in specs.items():
        desk, _ = searched(game, state, spec)
        values[name] = desk.nodes[0].value[:3].copy()
        world = desk.worlds[THOUGHT]
        assert world.over
    assert set(values["win"]) == {0, 1}
    ranks, points = game.ranks(world), game.scores(world)
    assert values["rank"] == pytest.approx([(3 - rank) / 2 for rank in ranks])
    assert values["margin"] == pytest.approx(softmax(list(points), 4))
    assert values["blend"] == pytest.approx(
        0.8 * (0.7 * values["win"] + 0.3 * values["rank"]) + 0.2 * values["margin"]
    )


def test_somebody_alone_wants_more_than_is_usual():
    game = sim.load("newdale", players=1)
    state = game.new(seed=1)
    agent = resolve("mcts:simulations=1,horizon=4,greed=1,softness=5", game)
    desk, _ = searched(game, state, agent.label)
    gained = judged(game, desk.worlds[THOUGHT], 0, agent) - desk.notes.outset[0]
    assert gained != 0
    assert desk.nodes[0].value[0] == pytest.approx(1 / (1 + np.exp(-gained / 5)))


@pytest.mark.compiled_only
def test_playouts_that_look_ahead_less_but_better_win_where_random_ones_do_not():
    import experiments as ex

    game = sim.load("pillars", players=2)
    specs = ["mcts:simulations=100", "mcts:simulations=100,horizon=12,greed=1", "greedy"]
    results = ex.tournament(game, specs, blocks=3 * 20, seed=1, n_jobs=2)
    pairs = ex.who_beats_whom(results).set_index(["agent", "opponent"])
    plain, judged = (resolve(spec, game).label for spec in specs[:2])
    assert pairs.high[plain, "greedy"] < 0.5
    assert pairs.low[judged, "greedy"] > 0.5
