import numpy as np
import pytest

import sim
from sim.match import MatchRecord, record_of


def refused(call, message, error=ValueError):
    with pytest.raises(error, match=message):
        call()


def test_an_unknown_game_is_told_with_the_nearest_right_name_first():
    refused(
        lambda: sim.load("treeling"),
        r"unknown game 'treeling'; did you mean treelings\? known: .*connect_four, .*treelings",
    )
    refused(lambda: sim.load("zzz"), r"unknown game 'zzz'; known: .*connect_four, .*treelings")


@pytest.mark.parametrize("players", [1, 6, 0, -1, 2.5, "3", True])
def test_a_wrong_number_of_players_is_refused(players):
    refused(
        lambda: sim.load("treelings", players=players),
        rf"treelings is not played by {players!r} players; accepted: 2 to 5",
    )
    refused(lambda: sim.load("connect_four", players=3), "accepted: 2$")


def test_an_unknown_option_is_told_with_the_nearest_right_name_first():
    refused(
        lambda: sim.load("treelings", market_sise=6),
        r"unknown option of treelings 'market_sise'; did you mean market_size\? known: cards_",
    )
    refused(lambda: sim.load("treelings").variant(gilds=1), r"did you mean guilds\?")


@pytest.mark.parametrize(
    ("option", "value", "accepted"),
    [
        ("refill_timing", "later", "end, start"),
        ("refill_timing", 1, "end, start"),
        ("market_size", 0, "1 to 24"),
        ("market_size", 25, "1 to 24"),
        ("market_size", "6", "1 to 24"),
        ("market_size", 5.0, "1 to 24"),
        ("market_size", True, "1 to 24"),
        ("max_turns", -1, "1 to 1000"),
    ],
)
def test_a_value_that_is_not_accepted_is_refused(option, value, accepted):
    message = rf"{option}={value!r} is not accepted; accepted: {accepted}"
    refused(lambda: sim.load("treelings", **{option: value}), message)


def test_a_variant_changes_what_it_says_and_nothing_else():
    game = sim.load("treelings", players=3, refill_timing="start")
    other = game.variant(market_size=6)
    assert dict(other.options) == {**game.options, "market_size": 6}
    assert other.players == 3
    assert game.options["market_size"] == 5
    assert game.rules_hash != other.rules_hash
    assert other.variant(market_size=5).rules_hash == game.rules_hash
    assert other.variant(players=4).options["market_size"] == 6


def test_an_edited_table_stays_in_further_variants():
    game = sim.load("treelings", players=3)
    edited = game.variant(guilds=game.components["guilds"].assign(count=20))
    assert edited.variant(market_size=6).rules.guild_count.tolist() == [20] * 6
    assert list(edited.changed_components) == ["guilds"]
    assert not game.changed_components


def test_editing_a_frame_of_components_does_not_change_the_game():
    game = sim.load("treelings", players=3)
    frame = game.components["guilds"]
    frame.loc[:, "count"] = 1
    assert game.components["guilds"]["count"].tolist() == [18] * 6
    assert game.rules.guild_count.tolist() == [18] * 6


def test_names_of_components_are_words_only():
    game = sim.load("treelings", players=3)
    names = ["oak", "elm", "fir", "ash", "yew", "fig"]
    renamed = game.variant(guilds=game.components["guilds"].assign(name=names))
    assert renamed.rules_hash == game.rules_hash
    assert any(name in renamed.describe(renamed.new(1)) for name in names)


@pytest.mark.parametrize("seed", [1.5, "1", None, True])
def test_a_seed_is_a_whole_number(seed):
    refused(lambda: sim.load("treelings").new(seed), r"accepted: whole numbers", TypeError)


def test_seeds_of_64_bits_are_accepted_and_no_larger_ones():
    game = sim.load("treelings")
    assert game.new(-1) == game.new(2**64 - 1)
    assert game.new(-1) != game.new(1)
    refused(lambda: game.new(2**64), "64-bit")


def test_a_state_of_another_game_is_refused():
    treelings, connect_four = sim.load("treelings"), sim.load("connect_four")
    refused(lambda: treelings.legal(connect_four.new()), "a state of treelings", TypeError)
    refused(
        lambda: treelings.legal(None), "a state of treelings is needed, got NoneType", TypeError
    )
    refused(
        lambda: treelings.legal(treelings.variant(players=3).new()),
        "the state has 3 players, the game 2",
    )


@pytest.mark.parametrize("player", [-1, 2, 1.5, None, True])
def test_a_player_who_does_not_play_is_refused(player):
    game = sim.load("treelings", players=2)
    state = game.new()
    for call in (game.view, game.observation, game.features):
        refused(lambda call=call: call(state, player), r"accepted: 0 to 1")


def test_an_action_in_words_needs_an_action_of_the_game():
    game = sim.load("treelings")
    for action in (-1, 20, "1", True):
        refused(lambda a=action: game.action_text(game.new(), a), r"accepted: 0 to 19")


def test_the_message_about_an_illegal_action_lists_the_legal_ones_in_words():
    game = sim.load("connect_four")
    state = game.new()
    for _ in range(6):
        game.apply(state, 3)
    refused(
        lambda: game.apply(state, 3), r"action 3 is not legal; legal: 0 \(column 1\), .* 6 \(col"
    )


def test_a_record_that_was_tampered_with_is_noticed(tmp_path):
    game = sim.load("connect_four")
    state = game.new()
    actions = [0, 1, 0, 1, 0, 1, 0]
    for action in actions:
        game.apply(state, action)
    record = record_of(game, 0, actions, state, "finished")
    file = tmp_path / "match.json"
    record.save(file)
    text = file.read_text()
    file.write_text(text.replace('"rules_hash": "', '"rules_hash": "0'))
    refused(lambda: list(MatchRecord.load(file).replay()), "have changed since")
    file.write_text(text.replace('"scores": [\n  1,', '"scores": [\n  2,'))
    refused(lambda: list(MatchRecord.load(file).replay()), r"ends with scores \(1, 0\)")
    for broken in ("", "[]", "{}", '{"format": 2}', text.replace('"seed"', '"sed"')):
        file.write_text(broken)
        refused(lambda: MatchRecord.load(file), "is not the record of a match")


def test_views_differ_from_call_to_call_unless_a_stream_is_given():
    game = sim.load("treelings")
    state = game.new()
    assert game.view(state, 0) != game.view(state, 0)
    streams = [np.arange(1, 5, dtype=np.uint64) for _ in range(2)]
    assert game.view(state, 0, streams[0]) == game.view(state, 0, streams[1])


def test_random_games_need_a_number_of_games():
    game = sim.load("connect_four")
    for number in (0, -5):
        refused(lambda n=number: sim.playouts.random_games(game, n), "accepted: 1 and more")
