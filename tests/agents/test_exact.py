"""Search against exact values: small games of which everything is known."""

import itertools
import math
from functools import cache

import branches
import exact
import nim
import numpy as np
import pytest
import tic_tac_toe
from searching import children, decided

import sim
from sim.records import NONE

CONNECT_FOUR = sim.load("connect_four")
TIC_TAC_TOE = sim.load(tic_tac_toe.GAME.name)


def tree_game(tree, first=0):
    return sim.load("branches", tree=tree, first=first, players=3 if tree == "allies" else 2)


def nim_game(*heaps):
    return sim.load(nim.GAME.name, **{f"heap_{i}": heap for i, heap in enumerate(heaps)})


def tic_tac_toe_after(*actions):
    state = TIC_TAC_TOE.new()
    for action in actions:
        TIC_TAC_TOE.apply(state, action)
    return state


def worlds_of(game, state):
    """All worlds that a player may hold for the true one, equally likely."""
    worlds = [game.copy(state)]
    if game.name == "branches":
        worlds = [game.copy(state) for _ in range(branches.NUM_FACES)]
        for face, world in enumerate(worlds):
            world.card = face
    elif game.name == "treelings":
        drawn, size = int(state.num_drawn), int(state.deck_size)
        orders = list(itertools.permutations(state.deck[drawn:size]))
        worlds = [game.copy(state) for _ in orders]
        for order, world in zip(orders, worlds, strict=True):
            world.deck[drawn:size] = order
    return worlds


def exact_values(game, state, enemies_of=None):
    faces = branches.NUM_FACES if game.name == "branches" else 1
    return exact.action_values(game, worlds_of(game, state), faces, enemies_of)


# The exact values ---------------------------------------------------------------------------------


def value_of_first(tree, enemies_of=None):
    game = tree_game(tree)
    values = exact_values(game, game.new(), enemies_of)
    return [float(values[action][0]) for action in sorted(values)]


def test_the_values_of_the_trees_are_those_that_stand_beside_them():
    assert value_of_first("sure things") == pytest.approx([1, 1 / 2, 0])
    assert value_of_first("allies") == pytest.approx([1 / 2, 1 / 3, 0])
    assert value_of_first("allies", enemies_of=0) == pytest.approx([0, 1 / 3, 0])
    assert value_of_first("dice") == pytest.approx([1 / 2, 3 / 5, 2 / 5])
    assert value_of_first("seen") == pytest.approx([1 / 5, 0])
    assert value_of_first("same") == pytest.approx([1 / 5, 0])
    assert value_of_first("guess") == pytest.approx([1 / 2, 2 / 5])


def test_nim_is_lost_exactly_where_the_exclusive_or_of_the_heaps_is_0():
    for heaps in itertools.product(range(3), repeat=3):
        game = nim_game(*heaps)
        if not any(heaps):
            continue
        state = game.new()
        is_lost = heaps[0] ^ heaps[1] ^ heaps[2] == 0
        assert max(exact.alpha_beta(game, state).values()) == (0 if is_lost else 1)
        values = exact_values(game, state)
        assert max(value[0] for value in values.values()) == (0 if is_lost else 1)


def test_both_solvers_say_the_same_of_tic_tac_toe():
    for actions in ((4, 1), (0, 8), (0, 3, 1, 2)):
        state = tic_tac_toe_after(*actions)
        shares = exact.alpha_beta(TIC_TAC_TOE, state)
        values = exact_values(TIC_TAC_TOE, state)
        assert shares == {a: value[state.to_move] for a, value in values.items()}
        assert len(set(shares.values())) > 1


@pytest.mark.compiled_only
def test_tic_tac_toe_is_a_draw():
    values = exact_values(TIC_TAC_TOE, TIC_TAC_TOE.new())
    assert all(value == pytest.approx([0.5, 0.5]) for value in values.values())


# The best action ----------------------------------------------------------------------------------

POSITIONS = {
    **{tree: lambda tree=tree: (tree_game(tree), tree_game(tree).new()) for tree in branches.TREES},
    "nim": lambda: (nim_game(1, 2, 4), nim_game(1, 2, 4).new()),
    "tic-tac-toe, first player": lambda: (TIC_TAC_TOE, tic_tac_toe_after(0, 3, 1, 2)),
    "tic-tac-toe, second player": lambda: (TIC_TAC_TOE, tic_tac_toe_after(0)),
}
del POSITIONS["same"]  # see test_what_has_been_seen_counts_only_where_other_actions_follow
BY_UCB1 = ("", "exploration=0.5", "paired=1")
BY_PUCT = ("prior=1", "prior=1,paired=1")


@cache
def known(name):
    """Game, state, player to move, and what each of his actions is worth to everybody."""
    game, state = POSITIONS[name]()
    player = int(state.to_move)
    return game, state, player, exact_values(game, state)


def errors_and_loss(name, spec, simulations, seed):
    """How far the root is from its exact value, the chosen action from its own and the best."""
    game, state, player, values = known(name)
    action, desk = decided(game, state, f"mcts:simulations={simulations},{spec}", seed)
    best = max(value[player] for value in values.values())
    (child,) = [child for child in children(desk) if child.action == action]
    root = desk.nodes[0]
    return (
        abs(root.value[player] / root.visits - best),
        abs(child.value[player] / child.visits - values[int(action)][player]),
        best - values[int(action)][player],
    )


@pytest.mark.parametrize("name", ["allies", "seen", "guess"])
@pytest.mark.parametrize("spec", ["", "paired=1", "prior=1"])
def test_a_short_search_comes_to_the_best_of_a_few_choices(name, spec):
    for seed in range(2):
        error, _, loss = errors_and_loss(name, spec, 400, seed)
        assert loss == pytest.approx(0)
        assert error < 0.1


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("spec", (*BY_UCB1, *BY_PUCT))
def test_the_search_comes_to_the_exact_value_and_the_best_action_at_the_expected_rate(name, spec):
    """16 times the simulations leave a quarter of the error, or less.

    The chance of playouts falls as 1 / sqrt(n). What is worse is tried in the order of log n times
    under UCB1 and sqrt(n) times under PUCT, so its cost to the mean falls as log(n) / n and as
    1 / sqrt(n). Over these positions 0.23 and 0.30 of the error are left at most, with its chance.
    """
    errors = [
        np.mean([errors_and_loss(name, spec, n, seed) for seed in range(20)], axis=0)
        for n in (1000, 4000, 16000)
    ]
    of_root, of_child, loss = np.array(errors).T
    assert of_root[0] > of_root[1] > of_root[2]
    assert of_root[2] < (0.3 if spec in BY_UCB1 else 0.4) * of_root[0]
    assert of_root[2] < 0.03
    assert of_child[2] < 0.02
    assert loss[2] == pytest.approx(0)


def test_the_value_of_the_root_is_the_exact_one_for_every_player():
    game, state, _, _ = known("allies")
    _, desk = decided(game, state, "mcts:simulations=1500,exploration=0.3")
    root = desk.nodes[0]
    assert root.value[:3] / root.visits == pytest.approx([1 / 2, 1 / 2, 0], abs=0.03)


def test_of_actions_with_equal_visits_the_better_is_chosen():
    game = tree_game("sure things")
    for seed in range(10):
        action, desk = decided(game, game.new(), "mcts:simulations=3", seed)
        assert [child.visits for child in children(desk)] == [1, 1, 1]
        assert action == 0


@pytest.mark.compiled_only
def test_a_judgement_that_is_wrong_is_overcome():
    """To win counts against an action beforehand."""
    for name in ("allies", "nim", "tic-tac-toe, first player"):
        for seed in range(5):
            _, _, loss = errors_and_loss(name, "prior=0.5,score=-1", 16000, seed)
            assert loss == pytest.approx(0)


# How often what is worse is tried -----------------------------------------------------------------


def visits_of_sharing(spec, simulations):
    """Visits of action 1 of the allies, which is worth a third for sure."""
    game, state, _, _ = known("allies")
    _, desk = decided(game, state, f"mcts:simulations={simulations},{spec}")
    return {int(child.action): int(child.visits) for child in children(desk)}[1]


@pytest.mark.parametrize(
    ("exploration", "n"),
    [
        (0.7, 1000),
        pytest.param(0.7, 64000, marks=pytest.mark.compiled_only),
        pytest.param(1.4, 64000, marks=pytest.mark.compiled_only),
    ],
)
def test_what_is_worse_is_tried_as_often_as_ucb1_says(exploration, n):
    """Until its bound is that of the best action, which has nearly all visits."""
    bonus_of_best = exploration * math.sqrt(math.log(n) / n)
    expected = exploration**2 * math.log(n) / (1 / 2 - 1 / 3 + bonus_of_best) ** 2
    spec = f"exploration={exploration}"
    assert visits_of_sharing(spec, n) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("n", [1000, pytest.param(64000, marks=pytest.mark.compiled_only)])
def test_what_is_worse_is_tried_as_often_as_puct_says(n):
    """As with UCB1; of the three replies sharing alone ends the match, and so looks good."""
    odds = math.e / (math.e + 2)
    bonus_of_best = 0.7 * (1 - odds) / 2 / math.sqrt(n)
    expected = 0.7 * odds * math.sqrt(n) / (1 / 2 - 1 / 3 + bonus_of_best)
    assert visits_of_sharing("prior=1", n) == pytest.approx(expected, rel=0.1)


def visits_by_the_formula(bonus, births, n):
    """Visits of three actions that are worth 1, 1/2 and 0 for sure.

    Each is available from the simulation of its birth on. Where these differ it is tried then;
    where all are the same, the untried are taken to be as good as the whole.
    """
    worth = np.array([1, 1 / 2, 0])
    visits = np.zeros(3)
    for simulation in range(1, n + 1):
        available = simulation - births + 1
        if simulation <= births.max() > 1:
            action = np.flatnonzero(available == 1)[0]
        else:
            means = np.where(visits > 0, worth, worth @ visits / max(visits.sum(), 1))
            action = np.argmax(means + 0.7 * bonus(available, visits))
        visits[action] += 1
    return visits.tolist()


def test_sure_things_are_tried_exactly_as_often_as_the_formulas_say():
    def ucb1(available, visits):
        return np.sqrt(np.log(available) / visits)

    def puct(available, visits):
        judged = np.array([1, 1, 0])  # an end is judged by whether one is among the winners
        return np.exp(judged) / np.exp(judged).sum() * np.sqrt(available) / (1 + visits)

    game = tree_game("sure things")
    for spec, bonus in (("", ucb1), ("prior=1", puct)):
        _, desk = decided(game, game.new(), f"mcts:simulations=300,{spec}")
        found = {int(node.action): (i, float(node.visits)) for i, node in enumerate(desk.nodes[:4])}
        births = np.array([found[action][0] for action in range(3)])
        births = births if bonus is ucb1 else np.ones(3)
        visits = [found[action][1] for action in range(3)]
        assert visits == visits_by_the_formula(bonus, births, 300), spec


# Bookkeeping --------------------------------------------------------------------------------------

SETTINGS = (
    *BY_UCB1,
    *BY_PUCT,
    "exploration=0",
    "nodes=5",
    "greed=0.5",
    "horizon=1",
    "horizon=2,greed=1,prior=1",
    "margin=0.5,rank=0.5",
)


@pytest.mark.parametrize("spec", SETTINGS)
def test_the_visits_of_the_root_and_of_its_children_are_the_simulations(spec):
    for name, simulations in (("allies", 60), ("seen", 61)):
        game, state, _, _ = known(name)
        _, desk = decided(game, state, f"mcts:simulations={simulations},{spec}")
        assert desk.nodes[0].visits == simulations
        assert sum(child.visits for child in children(desk)) == simulations


def tree_left(game, state, spec):
    """Actions, visits and values of all nodes."""
    _, desk = decided(game, state, f"mcts:simulations=150,{spec}")
    reached = [desk.nodes[0]]
    for node in reached:  # grows meanwhile
        child = node.first_child
        while child != NONE:
            reached.append(desk.nodes[child])
            child = desk.nodes[child].next_sibling
    values = np.array([node.value[: game.players] for node in reached])
    return [(int(node.action), int(node.visits)) for node in reached], values


@pytest.mark.parametrize("spec", SETTINGS)
def test_seats_are_alike(spec):
    """The same position with the players in other seats: the same tree, in which they have moved.

    The trees are equal to the bit, since the chance of a search does not hang on the seat.
    """
    steps, values = tree_left(tree_game("allies"), tree_game("allies").new(), spec)
    for first in (1, 2):
        game = tree_game("allies", first)
        state = game.new()
        assert state.to_move == first
        moved, moved_values = tree_left(game, state, spec)
        assert moved == steps
        assert np.array_equal(np.roll(moved_values, -first, axis=1), values)


@pytest.mark.parametrize("spec", ["", "prior=1,paired=1", "horizon=2", "greed=0.5"])
def test_colours_are_alike(spec):
    state = tic_tac_toe_after(4, 0, 8)
    swapped = TIC_TAC_TOE.copy(state)
    swapped.to_move = 1 - state.to_move
    swapped.mark[:] = np.where(state.mark == NONE, NONE, 1 - state.mark)
    steps, values = tree_left(TIC_TAC_TOE, state, spec)
    moved, moved_values = tree_left(TIC_TAC_TOE, swapped, spec)
    assert moved == steps
    assert np.array_equal(moved_values[:, ::-1], values)
    shares = exact.alpha_beta(TIC_TAC_TOE, state)
    assert shares == exact.alpha_beta(TIC_TAC_TOE, swapped)


# Chance, and what is hidden -----------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["", "prior=1", "paired=1", "horizon=1", "greed=1"])
def test_a_card_that_is_hidden_does_not_speak_for_a_guess(spec):
    """Who knew the card would guess; it makes no difference to the search which one it is."""
    game = tree_game("guess")
    trees = []
    for world in worlds_of(game, game.new()):
        assert max(exact.action_values(game, [world])[1]) == 1
        trees.append(tree_left(game, world, spec))
    for steps, values in trees[1:]:
        assert steps == trees[0][0]
        assert np.array_equal(values, trees[0][1])


@pytest.mark.parametrize("spec", ["", "prior=1", "paired=1"])
def test_a_reply_is_available_exactly_as_often_as_it_is_legal(spec):
    """Every visit but the one that ends at the node meets the replies to one face of the die."""
    game, state, _, _ = known("seen")
    _, desk = decided(game, state, f"mcts:simulations=400,{spec}")
    number = next(i for i, n in enumerate(desk.nodes) if n.parent == 0 and n.action == 1)
    available = dict.fromkeys(range(4), 0)
    available |= {int(c.action): int(c.availability) for c in children(desk, number)}
    low, high = max(available[0], available[1]), max(available[2], available[3])
    choices = int(desk.nodes[number].visits) - 1
    assert low + high == choices > 30
    assert low == pytest.approx(0.6 * choices, abs=4 * math.sqrt(0.24 * choices))


@pytest.mark.compiled_only
@pytest.mark.parametrize("spec", ["", "paired=1", "prior=1"])
def test_what_has_been_seen_counts_only_where_other_actions_follow(spec):
    """A limit of the search: nodes stand for actions, not for what the players have seen.

    Whoever throws the die loses, as the second player sees it. Where his replies are the same ones
    for every face, the search takes him for blind, and comes to the exact value of that instead.
    """
    game = tree_game("same")
    values = exact_values(game, game.new())
    assert values[0][0] > values[1][0] == 0
    for seed in range(5):
        action, desk = decided(game, game.new(), f"mcts:simulations=16000,{spec}", seed)
        assert action == 1
        assert desk.nodes[0].value[0] / 16000 == pytest.approx(2 / 5, abs=0.02)


# Shipped games ------------------------------------------------------------------------------------


def few_treelings(counts, **options):
    """Treelings with a few cards of three or four guilds; each of two players begins with one."""
    game = sim.load("treelings", players=2)
    guilds = game.components["guilds"].assign(count=[*counts, *[0] * (6 - len(counts))])
    return game.variant(guilds=guilds, cards_dealt=1, **options)


FEW_TREELINGS = {  # with the exact values of all takes for the first player, and a seed of the deal
    "3 cards": (
        few_treelings((4, 3, 1), market_size=3, cards_below_festival=0),
        3,
        {0: 5 / 6, 1: 1 / 6, 2: 1 / 3, 6: 1 / 2},
    ),
    "3 cards, some below the festival card": (
        few_treelings((3, 3, 2), market_size=3, cards_below_festival=1),
        1,
        {0: 0, 1: 1 / 4, 2: 0, 6: 1 / 2},
    ),
    "3 cards, a sure win": (
        few_treelings((3, 2, 2), market_size=2, cards_below_festival=0),
        0,
        {0: 1, 2: 1 / 2, 6: 1 / 2},
    ),
    "4 cards": (
        few_treelings((3, 2, 2, 1), market_size=2, cards_below_festival=1),
        0,
        {0: 5 / 8, 3: 1 / 3, 6: 1 / 2},
    ),
}


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", FEW_TREELINGS)
def test_with_few_treelings_the_search_takes_what_is_exactly_best_over_all_orders_of_the_deck(name):
    game, seed, expected = FEW_TREELINGS[name]
    state = game.new(seed)
    values = {a: float(value[0]) for a, value in exact_values(game, state).items()}
    assert values == pytest.approx(expected)
    best = max(values, key=values.get)
    for spec in ("", "paired=1", "prior=1"):
        for agent_seed in range(2):
            action, desk = decided(game, state, f"mcts:simulations=40000,{spec}", agent_seed)
            assert action == best
            assert desk.nodes[0].value[0] / 40000 == pytest.approx(values[best], abs=0.03)


@pytest.mark.compiled_only
def test_the_search_comes_to_an_exactly_best_action_in_end_positions_of_connect_four():
    rng = np.random.default_rng(4)
    errors = []
    while len(errors) < 25:
        state = CONNECT_FOUR.new()
        while not state.over and state.turn < 31:
            CONNECT_FOUR.apply(state, rng.choice(CONNECT_FOUR.legal(state)))
        if state.over:
            continue
        values = exact.alpha_beta(CONNECT_FOUR, state)
        best = max(values.values())
        if best == min(values.values()):
            continue  # nothing to find
        of_position = []
        for simulations in (1250, 20000):
            spec = f"mcts:simulations={simulations}"
            action, desk = decided(CONNECT_FOUR, state, spec, seed=len(errors))
            of_position.append(abs(desk.nodes[0].value[state.to_move] / simulations - best))
        assert values[int(action)] == best, CONNECT_FOUR.describe(state)
        errors.append(of_position)
    few, many = np.mean(errors, axis=0)
    assert many < 0.3 * few
    assert many < 0.02
