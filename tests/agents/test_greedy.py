"""The greedy agent against its definition in plain Python."""

import numpy as np
import pytest
from games_under_test import all_games, walk

import sim
from agents import resolve
from agents.desk import new_desk
from agents.play import decide

every_game = pytest.mark.parametrize(
    "game", all_games(), ids=lambda game: f"{game.name}-{game.players}p"
)


def judge(game, state, player, weights):
    return sum(weights[name] * value for name, value in game.features(state, player).items())


def value_of(game, state, action, player, weights):
    """Judge the turn that begins with `action` and goes on with the best step each time."""
    turn = state.turn
    state = game.copy(state)
    game.apply(state, action)
    while not state.over and state.to_move == player and state.turn == turn:
        steps = {}
        for step in game.legal(state):
            after = game.copy(state)
            game.apply(after, step)
            steps[int(step)] = judge(game, after, player, weights)
        best = max(steps.values())
        ties = [step for step, value in steps.items() if value == best]
        if len(ties) > 1:
            return None  # decided at random: not said here
        game.apply(state, ties[0])
    return judge(game, state, player, weights)


@pytest.mark.compiled_only
@every_game
def test_greedy_ends_its_turn_as_it_judges_best(game):
    agent = resolve("greedy", game)
    desk = new_desk(game)
    stream = np.random.SFC64(1).state["state"]["state"]
    num_checked = 0
    for seed in range(3):
        for state, action, legal in walk(game, seed):
            if action is None:
                continue
            player = int(state.to_move)
            world = game.view(state, player, stream.copy())  # the one that it is going to see
            values = {int(a): value_of(game, world, a, player, agent.parameters) for a in legal}
            if None in values.values():
                continue
            chosen = decide(game.rules, state, agent.row, stream, *desk)
            assert values[int(chosen)] == pytest.approx(max(values.values()))
            num_checked += 1
    assert num_checked > 20


def test_equals_are_decided_at_random():
    game = sim.load("treelings", players=2)
    agent = resolve("greedy:score=0,best_rival=0,cards=0,columns=0", game)
    desk = new_desk(game)
    stream = np.random.SFC64(1).state["state"]["state"]
    state = game.new(seed=1)
    legal = game.legal(state)
    chosen = [decide(game.rules, state, agent.row, stream, *desk) for _ in range(200 * len(legal))]
    counts = np.array([chosen.count(a) for a in legal])
    assert len(legal) > 2
    assert ((counts - 200) ** 2 / 200).sum() < 30


def test_another_judgement_makes_another_choice():
    game = sim.load("treelings", players=2)
    desk = new_desk(game)
    chosen = {}
    for spec in ("greedy", "greedy:score=0,best_rival=0,cards=1", "greedy:score=-1,cards=-1"):
        stream = np.random.SFC64(1).state["state"]["state"]
        row = resolve(spec, game).row
        states = [game.new(seed) for seed in range(30)]
        chosen[spec] = tuple(int(decide(game.rules, s, row, stream, *desk)) for s in states)
    assert len(set(chosen.values())) == 3


def test_greedy_wins_at_once_and_stops_what_would_win():
    game = sim.load("connect_four")
    agent = resolve("greedy", game)
    desk = new_desk(game)
    stream = np.random.SFC64(1).state["state"]["state"]
    for columns, best in (([0, 6, 0, 6, 0, 5], 0), ([0, 6, 0, 6, 0], 0)):
        state = game.new()
        for column in columns:
            game.apply(state, column)
        assert decide(game.rules, state, agent.row, stream, *desk) == best


@pytest.mark.compiled_only
@every_game
def test_greedy_beats_random_by_far(game):
    import experiments as ex

    results = ex.tournament(game, ["greedy", "random"], blocks=100, seed=2)
    if game.players == 1:
        scores = ex.score_by_seat(results).set_index("agent")
        assert scores.low["greedy"] > 2 * scores.high["random"]
        return
    pairs = ex.who_beats_whom(results).set_index("agent")
    assert pairs.low["greedy"] > 0.8
