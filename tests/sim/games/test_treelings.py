"""The worked examples and sanity figures of the rules text (its section numbers are given)."""

import itertools

import numpy as np
import pytest

import sim
from sim import playouts
from sim.games import treelings
from sim.games.treelings import (
    PLACE_LEFT,
    PLACE_RIGHT,
    TAKE_GUILD,
    TAKE_NOTHING,
    TAKE_SINGLES,
)

RED, BLUE, GREEN, YELLOW, BLACK, WHITE = range(6)
NUM_GUILDS = 6


def table_of(*rows, **options):
    """A game and a position in which the rows of the players have these heights."""
    game = sim.load("treelings", players=len(rows), **options)
    state = game.new(seed=1)
    state.height[:] = 0
    for p, heights in enumerate(rows):
        state.num_columns[p] = len(heights)
        state.row[p, : len(heights)] = range(len(heights))
        state.height[p, : len(heights)] = heights
    return game, state


def with_market(game, state, guilds):
    state.market[:] = np.bincount(guilds, minlength=NUM_GUILDS)
    return game, state


# 4.1 Scoring --------------------------------------------------------------------------------------

SCORING = {
    "T1": ([[3, 5, 4], [2, 6]], [5, 6]),
    "T2": ([[4, 4, 2], [3, 3]], [8, 3]),
    "T3": ([[5, 1], [1, 5]], [5, 5]),
    "T4": ([[2, 7, 3], [4, 1, 3], [5, 2, 6]], [7, 3, 11]),
    "T5": ([[4], [3, 2, 4], [5, 1]], [0, 7, 5]),
    "T6": ([[6], [6, 2, 5]], [6, 6]),
    "T7": ([[7], [8]], [0, 8]),
    "T7b": ([[7], [7]], [7, 7]),
    "T8": ([[3, 3], [3, 3]], [6, 6]),
    "T9": ([[4, 4, 4, 4, 4, 4], [5, 3], [1, 9, 1], [2, 2, 4]], [24, 5, 9, 4]),
    "T10": ([[1, 2, 3], [3, 2, 1], [2, 2], [4, 1, 4], [3]], [3, 3, 0, 8, 0]),
    "T11": ([[2, 4, 1, 3], [3, 1, 5], [3, 3, 2, 2, 1, 6], [4]], [4, 5, 11, 4]),
    "T12": ([[5, 2, 5], [4, 3]], [10, 0]),
}


@pytest.mark.parametrize("name", SCORING)
def test_a_column_scores_if_it_is_at_least_as_high_as_both_neighbours(name):
    rows, expected = SCORING[name]
    game, state = table_of(*rows)
    assert game.scores(state).tolist() == expected


@pytest.mark.parametrize("name", SCORING)
def test_turning_the_table_turns_the_scores(name):
    rows, expected = SCORING[name]
    for turn in range(len(rows)):
        game, state = table_of(*rows[turn:], *rows[:turn])
        assert game.scores(state).tolist() == expected[turn:] + expected[:turn]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("T2", [0, 0]), ("T6", [0, 0]), ("T8", [0, 0]), ("T12", [10, 0]), ("T9", [0, 5, 9, 4])],
)
def test_with_no_score_an_equal_neighbour_spoils_a_column(name, expected):
    game, state = table_of(*SCORING[name][0], tie_columns="no_score")
    assert game.scores(state).tolist() == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("T2", [8, 6]), ("T6", [6, 11]), ("T8", [6, 6]), ("T12", [10, 4]), ("T9", [24, 5, 9, 4])],
)
def test_open_edges_compare_only_inside_the_own_row_of_two_players(name, expected):
    game, state = table_of(*SCORING[name][0], two_player_edges="open")
    assert game.scores(state).tolist() == expected


def test_two_equal_single_columns_share_the_victory():
    game, state = table_of(*SCORING["T7b"][0])
    assert game.ranks(state).tolist() == [1, 1]


def test_equal_players_share_the_better_place():
    game, state = table_of([5, 1], [5, 1], [1])  # rings: 1 | 5 1 | 5 1
    assert game.scores(state).tolist() == [5, 5, 0]
    assert game.ranks(state).tolist() == [1, 1, 3]


def test_most_cards_breaks_a_tie_for_every_place():
    game, state = table_of([5, 1], [5, 2], [1], winner_tie="most_cards")
    assert game.scores(state).tolist() == [5, 5, 0]
    assert game.ranks(state).tolist() == [2, 1, 3]


def test_the_later_seat_wins_a_tie_where_the_option_says_so():
    game, state = table_of([5, 1], [5, 2], [1], winner_tie="later_seat")
    assert game.ranks(state).tolist() == [2, 1, 3]
    game, state = table_of([7], [7], winner_tie="later_seat")
    assert game.ranks(state).tolist() == [2, 1]


# 4.2 Market choices -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("market", "expected"),
    [
        ("M1", [RED, BLUE, YELLOW, BLACK, TAKE_SINGLES]),
        ("M2", [RED, BLUE]),
        ("M3", [RED, BLUE]),
        ("M4", [RED, BLUE, GREEN, YELLOW, BLACK, TAKE_SINGLES]),
        ("M5", [RED]),
        ("M6", [RED, BLUE, GREEN]),
    ],
)
def test_one_guild_or_all_singles_can_be_taken(market, expected):
    guilds = {
        "M1": [RED, RED, BLUE, YELLOW, BLACK],
        "M2": [RED, RED, RED, BLUE, BLUE],
        "M3": [RED, RED, RED, RED, BLUE],
        "M4": [RED, BLUE, GREEN, YELLOW, BLACK],
        "M5": [RED] * 5,
        "M6": [RED, RED, BLUE, BLUE, GREEN],
    }[market]
    game, state = with_market(*table_of([1], [1]), guilds)
    assert game.legal(state).tolist() == expected


def test_only_an_empty_market_allows_to_take_nothing_and_it_counts_as_a_turn():
    game, state = with_market(*table_of([1], [1], refill_timing="start"), [])
    state.num_drawn = state.deck_size
    assert game.legal(state).tolist() == [TAKE_NOTHING]
    game.apply(state, TAKE_NOTHING)
    assert (state.turn, state.to_move) == (1, 1)


# 4.3 Placement ------------------------------------------------------------------------------------


def rows_after(game, state, take):
    """Every row that the player to move can end the turn with after this take."""
    player = int(state.to_move)
    game.apply(state, take)
    found, open_states = set(), [state]
    while open_states:
        position = open_states.pop()
        if position.turn > 0:
            found.add(tuple(position.row[player, : position.num_columns[player]].tolist()))
            continue
        for action in game.legal(position):
            after = game.copy(position)
            game.apply(after, action)
            open_states.append(after)
    return found


def test_l1_several_new_guilds_go_left_and_right_in_any_order():
    game, state = with_market(*table_of([2, 1], [1]), [BLUE, GREEN, BLACK, YELLOW, YELLOW])
    rows = rows_after(game, state, TAKE_SINGLES)
    G, K, R, B = GREEN, BLACK, RED, BLUE
    assert rows == {
        (G, K, R, B),
        (K, G, R, B),
        (G, R, B, K),
        (K, R, B, G),
        (R, B, G, K),
        (R, B, K, G),
    }


def test_l1_a_guild_that_stands_already_grows_at_once():
    game, state = with_market(*table_of([2, 1], [1]), [BLUE, GREEN, BLACK, YELLOW, YELLOW])
    game.apply(state, TAKE_SINGLES)
    assert state.height[0, BLUE] == 2
    assert state.hand[0].tolist() == [0, 0, 1, 0, 1, 0]
    assert game.legal(state).tolist() == [
        PLACE_LEFT + GREEN,
        PLACE_LEFT + BLACK,
        PLACE_RIGHT + GREEN,
        PLACE_RIGHT + BLACK,
    ]


def test_l2_a_new_guild_never_opens_between_two_columns():
    game, state = with_market(*table_of([2, 1], [1]), [GREEN] * 3 + [RED, BLUE])
    assert rows_after(game, game.copy(state), TAKE_GUILD + GREEN) == {
        (GREEN, RED, BLUE),
        (RED, BLUE, GREEN),
    }
    game.apply(state, TAKE_GUILD + GREEN)
    game.apply(state, PLACE_LEFT + GREEN)
    assert state.height[0, GREEN] == 3


def test_l3_with_all_six_guilds_there_is_nothing_to_place():
    game, state = with_market(*table_of([1] * 6, [1]), [RED, BLUE, GREEN, YELLOW, BLACK])
    game.apply(state, TAKE_SINGLES)
    assert state.to_move == 1
    assert state.height[0].tolist() == [2, 2, 2, 2, 2, 1]


@pytest.mark.parametrize(("num_new", "num_rows"), [(1, 2), (2, 6), (3, 24), (4, 120), (5, 720)])
def test_k_new_guilds_give_k_plus_1_times_k_factorial_rows(num_new, num_rows):
    game, state = with_market(*table_of([1], [1]), [*range(1, 1 + num_new)])
    take = TAKE_SINGLES if num_new > 1 else TAKE_GUILD + BLUE
    assert len(rows_after(game, state, take)) == num_rows


@pytest.mark.parametrize(("num_new", "num_rows"), [(1, 2), (2, 4), (3, 12), (4, 48)])
def test_on_the_same_side_k_new_guilds_give_twice_k_factorial_rows(num_new, num_rows):
    game, state = table_of([1], [1], multi_new="same_side")
    with_market(game, state, [*range(1, 1 + num_new)])
    take = TAKE_SINGLES if num_new > 1 else TAKE_GUILD + BLUE
    assert len(rows_after(game, state, take)) == num_rows


def test_with_chosen_order_every_player_orders_his_starting_columns_before_the_first_turn():
    game = sim.load("treelings", players=3, initial_order="chosen")
    for seed in range(20):
        state = game.new(seed)
        num_guilds = [np.count_nonzero(hand) for hand in state.hand[:3]]
        orders = {p: set() for p in range(3)}
        open_states = [state]
        while open_states:
            position = open_states.pop()
            assert position.turn == 0
            p = int(position.to_move)
            for action in game.legal(position):
                assert action >= PLACE_RIGHT
                after = game.copy(position)
                game.apply(after, action)
                if after.to_move != p:
                    orders[p].add(tuple(after.row[p, : after.num_columns[p]].tolist()))
                if after.phase == treelings.ORDERING:
                    open_states.append(after)
                else:
                    assert after.to_move == 0
        expected = [{1: 1, 2: 2, 3: 6}[n] for n in num_guilds]
        assert [len(orders[p]) for p in range(3)] == expected


# 4.4 End of the game ------------------------------------------------------------------------------


def before_festival(num_above, *, seat, timing="end", players=3, take=2):
    """All six guilds stand; the seat to move takes 2 cards, and few lie above the festival card."""
    game, state = table_of(*[[1] * 6] * players, refill_timing=timing)
    with_market(game, state, [RED] * take + [BLUE] * (5 - take))
    state.num_drawn = state.deck_size - 20 - num_above
    state.to_move = seat
    return game, state


def play_to_the_end(game, state):
    """Play on with the first legal action; return the seats that moved."""
    seats = []
    while not state.over:
        if state.phase == treelings.TAKING:
            seats.append(int(state.to_move))
        game.apply(state, game.legal(state)[0])
    return seats


def test_e1_after_the_festival_card_the_round_is_played_to_its_last_seat():
    game, state = before_festival(1, seat=1)
    game.apply(state, TAKE_GUILD + RED)
    assert state.last_round
    assert play_to_the_end(game, state) == [2]


def test_e2_uncovered_by_the_last_seat_it_ends_the_game_at_once():
    game, state = before_festival(1, seat=2)
    game.apply(state, TAKE_GUILD + RED)
    assert state.over


def test_e2_when_the_market_is_filled_at_the_start_a_whole_round_follows():
    game, state = before_festival(1, seat=2, timing="start")
    game.apply(state, TAKE_GUILD + RED)
    assert state.last_round
    assert not state.over
    assert play_to_the_end(game, state) == [0, 1, 2]


def test_e3_the_festival_card_takes_no_place_in_the_market():
    game, state = before_festival(1, seat=0, take=4)
    game.apply(state, TAKE_GUILD + RED)
    assert state.last_round
    assert state.market.sum() == 5
    assert state.deck_size - state.num_drawn == 17
    assert play_to_the_end(game, state) == [1, 2]


def test_e4_a_refill_that_needs_just_what_lies_above_does_not_uncover_it():
    game, state = before_festival(2, seat=0, players=2)
    game.apply(state, TAKE_GUILD + RED)
    assert not state.last_round
    game.apply(state, game.legal(state)[0])
    assert state.last_round


def test_the_festival_card_lies_below_88_cards_whatever_the_number_of_players():
    for players in range(2, 6):
        game = sim.load("treelings", players=players)
        state = game.new(seed=5)
        drawn = []
        while not state.last_round:
            drawn.append(int(state.num_drawn))
            game.apply(state, game.legal(state)[0])
        assert drawn[-1] <= 88 < state.num_drawn
        assert drawn[0] == 3 * players + 5


def test_a_short_deck_leaves_the_market_short_and_a_player_may_face_none():
    # The text allows it with five players and refills at the start of a turn; 200 deals in which
    # everybody takes as much as possible show it.
    game = sim.load("treelings", players=5, refill_timing="start", cards_below_festival=4)
    seen = set()
    for seed in range(200):
        state = game.new(seed)
        while not state.over:
            legal = game.legal(state)
            if state.phase == treelings.TAKING:
                seen.add(int(state.market.sum()))
                best = max(legal, key=lambda a: state.market[a] if a < TAKE_SINGLES else 0)
            else:
                best = legal[0]
            game.apply(state, best)
        assert state.turn % 5 == 0
    assert {0, 1, 2, 3, 4, 5} == seen


# 4.5 Sanity figures -------------------------------------------------------------------------------

SANITY = [
    # players, timing, rounds, cards per player, score, winning score, share of games tied
    (2, "end", 21.5, 42.8, 21.4, 25.1, 0.05),
    (2, "start", 22.0, 43.7, 21.7, 25.5, 0.05),
    (3, "end", 13.9, 28.8, 15.6, 19.4, 0.09),
    (3, "start", 14.3, 29.5, 15.8, 19.8, 0.09),
    (4, "end", 10.2, 21.9, 12.4, 16.2, 0.13),
    (4, "start", 10.4, 22.3, 12.6, 16.5, 0.13),
    (5, "end", 7.9, 17.7, 10.3, 14.0, 0.165),
    (5, "start", 8.1, 18.0, 10.5, 14.2, 0.165),
]


@pytest.mark.compiled_only
@pytest.mark.parametrize(("players", "timing", "rounds", "cards", "score", "best", "tied"), SANITY)
def test_random_play_has_the_printed_figures(players, timing, rounds, cards, score, best, tied):
    import experiments as ex

    game = sim.load("treelings", players=players, refill_timing=timing)
    results = ex.tournament(game, ["random"], blocks=100_000, seed=1, n_jobs=2)
    by_match = results.groupby("match")
    winners = (results["rank"] == 1).groupby(results.match).sum()
    assert results.turns.mean() / players == pytest.approx(rounds, abs=0.05)
    assert results.score.mean() == pytest.approx(score, abs=0.1)
    assert by_match.score.max().mean() == pytest.approx(best, abs=0.1)
    assert (winners > 1).mean() == pytest.approx(tied, abs=0.01)
    held = [cards_per_player(game, seed) for seed in range(2500)]
    assert np.mean(held) == pytest.approx(cards, abs=0.1)


def cards_per_player(game, seed):
    state = game.new(seed)
    stream = np.random.SFC64(seed).state["state"]["state"]
    actions = np.zeros(game.num_actions, np.int64)
    playouts.play_out(game.rules, state, actions, stream)
    return state.height.sum() / game.players


def test_the_box_has_six_guilds_of_eighteen_cards():
    guilds = sim.load("treelings").components["guilds"]
    assert guilds["count"].tolist() == [18] * 6
    assert guilds["source"].str.len().gt(0).all()


def test_an_edited_table_of_guilds_is_played():
    guilds = sim.load("treelings").components["guilds"].assign(count=[24, 3, 20, 20, 20, 1])
    game = sim.load("treelings", players=2).variant(guilds=guilds)
    state = game.new(seed=3)
    assert state.deck_size == 88
    assert np.bincount(state.deck[:88], minlength=6).tolist() == [24, 3, 20, 20, 20, 1]


def test_a_set_up_that_needs_more_cards_than_the_box_has_is_refused():
    with pytest.raises(ValueError, match=r"needs 44 cards and 70 lie below .* the box has 108"):
        sim.load("treelings", players=2, market_size=20, cards_dealt=12, cards_below_festival=70)


def test_every_order_of_placing_the_same_columns_is_legal():
    game, state = with_market(*table_of([1], [1]), [BLUE, GREEN, YELLOW])
    game.apply(state, TAKE_SINGLES)
    for order in itertools.permutations([BLUE, GREEN, YELLOW]):
        position = game.copy(state)
        for guild in order:
            game.apply(position, PLACE_RIGHT + guild)
        assert position.row[0, :4].tolist() == [RED, *order]


def test_a_row_of_more_cards_than_a_small_integer_holds_is_counted_right():
    game, state = table_of([24] * 6, [1])
    assert game.scores(state).tolist() == [144, 0]
    assert game.features(state, 0)["cards"] == 144
