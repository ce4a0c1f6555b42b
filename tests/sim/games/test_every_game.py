"""What holds in every game, whatever its rules. A new game gets these tests by being there."""

import games_under_test
import numpy as np
import pytest
from games_under_test import conserved, walk
from numba import config

import sim
from sim import playouts, protocol
from sim.chance import NUM_WORDS, below, seed_stream
from sim.match import END_WORDS, MatchRecord, record_of
from sim.records import CAPPED, FINISHED, HIDDEN, OWN, copy_of

GAMES = games_under_test.all_games()
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.players}p")
every_variant = pytest.mark.parametrize(
    "game", games_under_test.variants(), ids=lambda game: f"{game.name}-{game.changed_options}"
)
SEEDS = range(1 if config.DISABLE_JIT else 4)


def test_every_game_says_what_is_conserved():
    assert set(games_under_test.CONSERVED) == set(games_under_test.SHIPPED)
    assert set(games_under_test.SHIPPED) <= set(sim.known_games())


def check_walk(game, seed):
    """Play a random game and check what must hold at every step of it."""
    first = None
    for state, action, legal in walk(game, seed):
        assert legal.tolist() == sorted(set(legal.tolist()))
        assert (len(legal) == 0) == bool(state.over)
        assert all(0 <= a < game.num_actions for a in legal)
        first = conserved(game, state) if first is None else first
        assert conserved(game, state) == first
        assert 0 <= state.to_move < game.players
        assert state.num_players == game.players
        if action is not None:
            before = copy_of(state)
            once, twice = copy_of(state), copy_of(state)
            game.apply(once, action)
            game.apply(twice, action)
            assert once == twice
            assert state == before, "a copy that is played on changes the original"
            assert once != before
    locks_up = game.changed_options == {"overflow": "truncate"}  # Welkin, section 4 of its rules
    assert state.over == FINISHED or (locks_up and state.over == CAPPED)
    return state


@every_game
def test_legal_actions_are_ascending_unique_and_none_exactly_when_over(game):
    for seed in SEEDS:
        check_walk(game, seed)


@pytest.mark.compiled_only
@every_variant
def test_the_same_holds_under_every_option(game):
    check_walk(game, seed=1)


@every_game
def test_the_same_seed_deals_the_same_and_another_deals_otherwise(game):
    assert game.new(seed=5) == game.new(seed=5)
    assert game.new(seed=5) != game.new(seed=6)


@every_game
def test_ranks_agree_with_scores(game):
    for seed in SEEDS:
        *_, (state, _, _) = walk(game, seed)
        points, places = game.scores(state), game.ranks(state)
        if game.players == 1:
            assert places.tolist() in ([1], [2])  # alone one wins, or loses
            continue
        assert sorted(places)[0] == 1
        for p in range(game.players):
            assert places[p] == 1 + sum(places < places[p])
            assert all(points[q] >= points[p] for q in range(game.players) if places[q] < places[p])


@every_game
def test_a_world_dealt_anew_agrees_with_all_that_the_player_sees(game):
    stream = np.random.SFC64(1).state["state"]["state"]
    for seed in SEEDS:
        for step, (state, _, _) in enumerate(walk(game, seed)):
            if step % 5:
                continue
            for player in range(game.players):
                before = copy_of(state)
                world = game.view(state, player, stream)
                assert state == before
                assert game.observation(world, player) == game.observation(state, player)
                assert conserved(game, world) == conserved(game, state)
                assert (
                    world.over
                    or game.legal(world).tolist() == game.legal(state).tolist()
                    or (player != state.to_move)
                )
                assert not np.array_equal(world.chance, state.chance)
                assert game.features(world, player) == game.features(state, player)


@every_game
def test_worlds_dealt_anew_vary_in_all_that_is_hidden(game):
    hidden = fields_seen_by(game, HIDDEN)
    stream = np.random.SFC64(2).state["state"]["state"]
    state = game.new(seed=3)
    worlds = [game.view(state, 0, stream) for _ in range(20)]
    for name in hidden:
        assert len({world[name].tobytes() for world in worlds}) > 1, name
    assert len({world.chance.tobytes() for world in worlds}) == 20


@pytest.mark.compiled_only
@every_game
def test_worlds_dealt_anew_vary_in_what_others_see_alone(game):
    fields = set(fields_seen_by(game, OWN)) if game.players > 1 else set()
    stream = np.random.SFC64(2).state["state"]["state"]
    for seed in range(200):
        for state, _, _ in list(walk(game, seed))[seed % 10 :: 10] if fields else []:
            for player in range(game.players):
                worlds = [game.view(state, player, stream) for _ in range(5)]
                fields -= {f for f in fields if len({w[f].tobytes() for w in worlds}) > 1}
    assert not fields


def fields_seen_by(game, who):
    visibility = game.definition.state.visibility
    return [name for name, seen_by in visibility.items() if seen_by == who and name != "chance"]


@every_game
def test_an_observation_hides_what_it_must(game):
    for state, _, _ in list(walk(game, 1))[::7]:
        for player in range(game.players):
            seen = game.observation(state, player)
            for name, who in game.definition.state.visibility.items():
                if who == HIDDEN:
                    assert not seen[name].any(), name
                elif who == OWN:
                    others = [p for p in range(len(seen[name])) if p != player]
                    assert not seen[name][others].any(), name
                    assert np.array_equal(seen[name][player], state[name][player])
                else:
                    assert np.array_equal(seen[name], state[name])


@every_game
@pytest.mark.parametrize("num_before", [None, 5])
def test_the_compiled_loop_plays_the_same_games_as_the_python_face(game, num_before):
    num_games = 1 if config.DISABLE_JIT else 5
    start = None
    if num_before is not None:
        start = game.new(seed=1)
        for _ in range(num_before):
            game.apply(start, game.legal(start)[0])
    kept = copy_of(start) if start is not None else None
    totals = playouts.random_games(game, num_games, seed=7, start=start)
    assert start == kept
    counts = {"games": num_games, "actions": 0, "turns": 0, "points": 0}
    for seed in range(7, 7 + num_games):
        stream = np.zeros(NUM_WORDS, np.uint64)
        seed_stream(stream, seed, 0, 1)
        state = game.new(seed) if start is None else game.view(start, int(start.to_move), stream)
        while len(legal := game.legal(state)):
            game.apply(state, legal[below(stream, len(legal))])
            counts["actions"] += 1
        counts["turns"] += int(state.turn)
        counts["points"] += int(game.scores(state).sum())
    assert totals == counts


@every_game
def test_a_match_on_record_can_be_played_again(game, tmp_path):
    for seed in SEEDS:
        states, actions = [], []
        for state, action, _ in walk(game, seed):
            states.append(copy_of(state))
            if action is not None:
                actions.append(action)
        record = record_of(game, seed, actions, state, "finished")
        record.save(tmp_path / "match.json")
        again = MatchRecord.load(tmp_path / "match.json")
        assert again == record
        assert all(a == b for a, b in zip(again.replay(), states, strict=True))


@pytest.mark.compiled_only
@every_variant
def test_a_match_under_changed_rules_can_be_played_again(game):
    actions = [action for _, action, _ in walk(game, 2) if action is not None]
    *_, (state, _, _) = walk(game, 2)
    record = record_of(game, 2, actions, state, END_WORDS[state.over])
    assert record.load_game().rules_hash == game.rules_hash
    assert list(record.replay())[-1] == state


@every_game
def test_an_illegal_action_is_refused_and_changes_nothing(game):
    state = game.new(seed=1)
    before = copy_of(state)
    legal = game.legal(state)
    illegal = [a for a in range(-2, game.num_actions + 2) if a not in legal]
    for action in [*illegal, None, "0", 0.0, True, float("nan")]:
        with pytest.raises(ValueError, match=f"not legal; legal: {legal[0]} "):
            game.apply(state, action)
    assert state == before


@every_game
def test_nothing_can_be_played_after_the_end(game):
    *_, (state, _, _) = walk(game, 1)
    with pytest.raises(ValueError, match="the match is over"):
        game.apply(state, 0)


@every_game
def test_a_match_that_reaches_the_guard_is_capped_not_finished(game):
    short = game.variant(max_turns=3)
    for seed in SEEDS:
        *_, (state, _, _) = walk(short, seed)
        assert state.over == CAPPED
        assert state.turn == 3
        assert len(short.legal(state)) == 0


@every_game
def test_the_first_feature_is_the_score(game):
    assert game.definition.feature_names[0] == "score"
    for state, _, _ in list(walk(game, 4))[::5]:
        for player in range(game.players):
            before = copy_of(state)
            assert game.features(state, player)["score"] == game.scores(state)[player]
            assert state == before, "what is tried out in thought is taken back"


@every_game
def test_positions_and_actions_read_well(game):
    for state, _, legal in list(walk(game, 1))[::3]:
        text = game.describe(state)
        assert max(map(len, text.splitlines())) <= 100
        words = [game.action_text(state, action) for action in legal]
        assert all(words)
        assert len(set(words)) == len(words)


@every_game
def test_a_game_survives_pickling_with_its_rules(game):
    import pickle

    changed = game.variant(max_turns=50)
    again = pickle.loads(pickle.dumps(changed))
    assert again.rules == changed.rules
    assert again.rules_hash == changed.rules_hash != game.rules_hash
    assert again.players == changed.players


@every_game
def test_python_and_compiled_code_call_the_same_rules(game):
    state = game.new(seed=1)
    definition = protocol.definition_of(state)
    assert definition is game.definition
    assert definition.title
    assert definition.not_modelled
