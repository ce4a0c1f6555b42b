"""Compiled matches and matches move by move are the same matches; and no agent sees too much."""

import numpy as np
import pytest
from games_under_test import all_games, walk
from hidden_card import NUM_CARDS
from numba import config

import sim
from agents import KINDS, resolve, stepwise
from agents.desk import VIEW, new_desk
from agents.play import AGENT, OUTCOME, decide, play_blocks
from agents.team import Team
from sim.chance import below, next_word
from sim.protocol import imagine

GAMES = all_games()
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.players}p")
SPECS = ["random", "greedy", "mcts:simulations=4,horizon=2"]
SEARCHES = [  # every parameter occurs, but seconds, which only say when to stop
    "mcts:simulations=40",
    "default:simulations=12",
    "mcts:simulations=40,prior=1,paired=1,horizon=2,greed=0.5,softness=5",
    "mcts:simulations=40,exploration=1.4,margin=0.5,rank=0.5,nodes=20,threads=2",
]


def stream_of(seed):
    return np.random.SFC64(seed).state["state"]["state"].copy()


def play_compiled(game, agents, seeds, num_seatings, *, nobody_thinks=False):
    rows = np.zeros(len(agents), AGENT)
    for i, agent in enumerate(agents):
        rows[i] = agent.row
    places = np.arange(game.players)
    seatings = np.array([np.roll(places, -i) for i in range(num_seatings)])
    outcomes = np.zeros((len(seeds), num_seatings, game.players), OUTCOME)
    desk = new_desk(game, max(agent.max_nodes for agent in agents))
    nodes = None if nobody_thinks else desk.nodes
    play_blocks(
        game.rules, rows, seatings, np.array(seeds), desk.worlds, nodes, desk.notes, outcomes
    )
    return outcomes


@every_game
def test_the_same_seeds_give_the_same_matches_compiled_and_move_by_move(game):
    seeds, rotations = [3, 12345678901], game.players
    if config.DISABLE_JIT:  # the first turns of one match
        game, seeds, rotations = game.variant(max_turns=40), [3], 1
    agents = [resolve(SPECS[i % 3], game) for i in range(game.players)]
    compiled = play_compiled(game, agents, seeds, rotations)
    for block, seed in enumerate(seeds):
        for rotation in range(rotations):
            record, outcomes, notes = stepwise.play_match(
                game, agents[rotation:] + agents[:rotation], seed=seed, seating=rotation
            )
            for name in OUTCOME.names:
                if name != "seconds":
                    expected = compiled[block, rotation][name].tolist()
                    assert outcomes[name].tolist() == expected, name
            assert record.scores == tuple(outcomes["score"])
            assert notes == [""] * game.players
            *_, last = record.replay()
            assert last.over


@every_game
def test_random_players_alone_play_what_they_play_beside_others(game):
    if config.DISABLE_JIT:
        game = game.variant(max_turns=40)
    agents = [resolve("random", game)] * game.players
    one, other = (play_compiled(game, agents, [5, 6], 1, nobody_thinks=b) for b in (False, True))
    for name in OUTCOME.names:
        if name != "seconds":
            assert one[name].tolist() == other[name].tolist(), name
    per_decision = other["seconds"] / other["decisions"]
    assert (per_decision > 0).all()
    assert np.allclose(per_decision, per_decision[0, 0, 0])


@every_game
def test_seats_rotations_and_seeds_have_streams_of_their_own(game):
    agents = [resolve("random", game)] * game.players
    outcomes = play_compiled(game, agents, [1, 2, 3], game.players)
    assert len(np.unique(outcomes["fingerprint"])) == 3 * game.players
    assert np.array_equal(
        outcomes["fingerprint"][0], play_compiled(game, agents, [1], game.players)["fingerprint"][0]
    )


def test_what_an_agent_draws_never_changes_the_deal():
    game = sim.load("treelings", players=2)
    decks = set()
    for specs in (["random", "random"], ["mcts:simulations=5", "greedy"]):
        agents = [resolve(spec, game) for spec in specs]
        record, _, _ = stepwise.play_match(game, agents, seed=77)
        *_, last = record.replay()
        decks.add(last.deck.tobytes())
    assert len(decks) == 1


# The leak test ------------------------------------------------------------------------------------


def choices(game, state, choose, num_decisions):
    """How often each action is chosen, with a stream of its own for each decision."""
    counts = np.zeros(game.num_actions)
    for seed in range(num_decisions):
        counts[choose(state, stream_of(1000 + seed))] += 1
    return counts


def leak(game, state, choose, num_worlds=4, num_decisions=150):
    """Chi-square per degree of freedom of the choices between worlds that look alike.

    About 1 for an agent whose choice does not depend on what it cannot see.
    """
    player = int(state.to_move)
    worlds = [game.view(state, player, stream_of(seed)) for seed in range(num_worlds)]
    table = np.array([choices(game, world, choose, num_decisions) for world in worlds])
    table = table[:, table.sum(axis=0) > 0]
    if table.shape[1] == 1:
        return 0.0
    expected = table.sum(axis=0) / num_worlds
    freedom = (num_worlds - 1) * (table.shape[1] - 1)
    return ((table - expected) ** 2 / expected).sum() / freedom


def compiled_choice(game, spec):
    agent = resolve(spec, game)
    desk = new_desk(game, agent.max_nodes)
    if agent.num_threads == 1:
        return lambda state, stream: decide(game.rules, state, agent.row, stream, *desk)
    team = Team(game, agent)

    def choose(state, stream):
        desk.worlds[VIEW] = state
        imagine(game.rules, desk.worlds[VIEW], np.int64(state.to_move), stream)
        return team.search(desk.worlds[VIEW], stream).best_action(stream)

    return choose


def python_choice(game):
    """A Python agent that uses everything its view shows, as `stepwise` hands it over."""

    def choose(state, stream):
        view = game.view(state, int(state.to_move), stream)
        total = sum(int(np.sum(view[name].astype(np.int64) % 1000)) for name in view.dtype.names)
        legal = game.legal(view)
        return legal[total % len(legal)]

    return choose


def positions_to_test(game):
    found = [game.copy(state) for state, _, legal in walk(game, 6) if len(legal) > 2]
    return found[3::12][:3]


every_agent = pytest.mark.parametrize("spec", ["random", "greedy", *SEARCHES, "python"])


def choice_of(game, spec):
    return python_choice(game) if spec == "python" else compiled_choice(game, spec)


def test_every_parameter_of_search_is_tested_for_leaks():
    given = {part.partition("=")[0] for spec in SEARCHES for part in spec[5:].split(",")}
    assert {parameter.name for parameter in KINDS["mcts"].parameters} - {"seconds"} <= given


# Other parameters of search are tested in one size of each game, since they know no players.
LEAKY = [
    (game, spec)
    for game in (*GAMES, sim.load("hidden_card"))
    for spec in ("random", "greedy", *SEARCHES, "python")
    if spec not in SEARCHES[1:] or game.players == 2
]


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("game", "spec"), LEAKY, ids=[f"{game.name}-{game.players}p-{spec}" for game, spec in LEAKY]
)
def test_no_agent_chooses_by_what_its_player_cannot_see(game, spec):
    choose = choice_of(game, spec)
    values = [leak(game, state, choose) for state in positions_to_test(game)]
    # Nine and more degrees of freedom: 4 is exceeded by chance once in 100,000 positions.
    assert max(values) < 4, values


@pytest.mark.compiled_only
@every_agent
def test_nobody_guesses_a_hidden_card_more_often_than_chance_allows(spec):
    # The best play, counting the cards that were shown, guesses 0.36 of them right; an agent
    # that looks guesses them all.
    game = sim.load("hidden_card")
    choose = choice_of(game, spec)
    stream = stream_of(1)
    num_right = 0
    for seed in range(20):
        state = game.new(seed)
        while not state.over:
            game.apply(state, choose(state, stream))
        num_right += int(state.guessed.sum())
    assert num_right / (20 * NUM_CARDS) < 0.45


@pytest.mark.compiled_only
def test_the_leak_test_catches_an_agent_that_knows_the_next_card():
    game = sim.load("treelings", players=3)

    def cheat(state, stream):
        legal = game.legal(state)
        next_card = int(state.deck[state.num_drawn])
        return legal[(next_card + below(stream, 2)) % len(legal)]

    assert max(leak(game, s, cheat) for s in positions_to_test(game)) > 8


@pytest.mark.compiled_only
def test_the_leak_test_catches_an_agent_that_knows_the_chance_to_come():
    game = sim.load("connect_four")

    def cheat(state, stream):
        legal = game.legal(state)
        return legal[int(next_word(state.chance.copy()) % len(legal))]

    assert max(leak(game, s, cheat) for s in positions_to_test(game)) > 8
