"""Each option of the rules text changes what it says (section 7)."""

from itertools import product

import numpy as np
import pytest
from newdale_positions import (
    CARDS,
    PERSONS,
    RATIONS,
    TILES,
    TOWNS,
    VALUE,
    A,
    B,
    C,
    apply,
    at_work,
    build,
    deal,
    discard,
    edited,
    gain,
    goods_from,
    has_tiles,
    held,
    hold,
    military_vp,
    offered,
    own,
    pay,
    pay_with,
    ready_to_build,
    run,
    settle,
    stones,
    table_of,
    tiles_of,
    with_persons,
    worth,
)

import sim
from sim.games.newdale.components import (
    MAX_TILES,
    NUM_AREAS,
)
from sim.games.newdale.position import (
    BUILD_CARD,
    BUILDING,
    BUY_STONE,
    CARD,
    CHAIN,
    CHAIN_FIRST,
    CHAIN_UNITS,
    CHOOSE_AREA_ACTION,
    CHOOSE_PERSON,
    CHOOSE_TOWN_ACTION,
    DISCARD,
    DRAW,
    EVENT,
    EXCHANGE,
    GO,
    HELPERS_FIRST,
    HIRE_HELPERS,
    KEEP,
    MAY_TAKE_GOOD,
    NEXT_ROUND,
    PAY_EVENT,
    PAY_THE_EVENT,
    PAYING_EVENT,
    PERSON,
    PICK_KIND,
    PICK_TILE,
    PLAN,
    PLAN_FIELD,
    PLANNING,
    SKIP,
    TAKE_FROM_ZONE,
    TAKE_GOOD,
    TAKE_PROGRESS,
    TAKE_TILE,
    TRADE_CARDS,
    USE_BOON,
)
from sim.records import CAPPED, NONE

# 7 Options ----------------------------------------------------------------------------------------


def test_planning_is_hidden_and_at_once_or_open_and_stone_by_stone():
    for planning, order in [("simultaneous", [A, A, B, B]), ("sequential", [A, B, A, B])]:
        game, state = table_of(2, planning=planning)
        state.stones[:2] = 0b11
        run(game, state, PLANNING)
        movers, seen = [], []
        while state.decision == PLAN and state.round_number == 0 and state.step == PLANNING:
            movers.append(int(state.to_move))
            game.apply(state, PLAN_FIELD + len(movers) - 1)
            if state.step == PLANNING:
                seen.append(int((game.observation(state, B).shown_plan[A] != NONE).sum()))
        assert movers == order
        assert seen == ([1, 1, 2] if planning == "sequential" else [0, 0, 0])


@pytest.mark.parametrize(
    ("extraordinary", "barrels", "coal", "glass"),
    [("any_shown", 3, 0, 0), ("one_colour", 3, 3, 0), ("each_shown", 9, 6, 3)],
)
def test_extraordinary_slots_ask_for_more_helpers_of_some_shown_colours(
    extraordinary, barrels, coal, glass
):
    option = {"extraordinary": extraordinary}
    assert goods_from("C057", (3, 2), "barrels", **option) == (3, barrels)
    assert goods_from("MINE", (0, 2), "coal", **option) == (4, coal)
    assert goods_from("C036", (2, 1), "glass", drawn="GGRR", **option) == (3, 0)
    assert goods_from("C036", (2, 1), "glass", drawn="GGRY", **option) == (3, glass)


@pytest.mark.parametrize(("need", "price"), [("Y2R1", 0), ("Y2R2", 3)])
def test_the_coal_mine_may_need_two_red_helpers(need, price):
    assert goods_from("MINE", (0, 2), "coal", mine_need=need) == (4, price)


@pytest.mark.parametrize(("order", "expected"), [("in_order", [2]), ("free", [2, 3])])
def test_stone_4_may_come_before_stone_3(order, expected):
    game, state = table_of(offspring_order=order)
    hold(state, A, coal=13)
    stones(game, state, "offspring")
    assert game.legal(state).tolist() == [SKIP, *(BUY_STONE + s for s in expected)]
    game.apply(state, BUY_STONE + expected[-1])
    pay(game, state)
    assert (state.stones[A], state.vp[A]) == ((0b101, 3) if order == "in_order" else (0b1001, 6))


@pytest.mark.parametrize("exchange", ["optional", "forced"])
def test_the_exchange_of_hand_cards_may_be_forced(exchange):
    game, state = table_of(hand_exchange=exchange)
    deal(state, A, "C083", "C084")
    stones(game, state, "hand_cards")
    assert state.decision == (EXCHANGE if exchange == "optional" else KEEP)


def test_the_black_market_may_give_a_good_for_nothing():
    game, state = table_of(black_market_second="free")
    stones(game, state, "black_market")
    assert (state.decision, game.legal(state).tolist()) == (MAY_TAKE_GOOD, [SKIP, TAKE_GOOD])
    after = game.copy(state)
    game.apply(after, SKIP)
    assert (held(after, A), after.hand_size[A]) == ({}, 1)
    game.apply(state, TAKE_GOOD)
    assert (held(state, A), state.hand_size[A]) == ({"coal": 1}, 0)


def test_the_black_market_may_give_coal_without_the_good():
    game, state = table_of(black_market_second="free")
    deal(state, A, "C083", "C084")
    stones(game, state, "black_market")
    game.apply(state, TRADE_CARDS)
    discard(game, state, "C083", "C084")
    game.apply(state, SKIP)
    assert (held(state, A), state.hand_size[A]) == ({"coal": 4}, 0)


def test_the_chain_may_come_before_the_helpers():
    goods = {"cattle": 2}
    game, state = at_work("C049", (1, 1), goods)
    assert state.decision == CHAIN, "two goods do not replace a helper"
    game, state = at_work("C049", (1, 1), goods, chain_after_helpers="any_order")
    assert game.legal(state).tolist() == [HELPERS_FIRST, CHAIN_FIRST]
    first = game.copy(state)
    game.apply(first, HELPERS_FIRST)
    assert first.decision == CHAIN
    apply(game, state, CHAIN_FIRST, CHAIN_UNITS + 1)
    assert (held(state, A), game.legal(state).tolist()) == ({"meat": 3}, [SKIP, HIRE_HELPERS])
    game.apply(state, HIRE_HELPERS)
    pay(game, state)
    assert (held(state, A), state.step, state.hand_size[A]) == ({"meat": 2}, BUILDING, 0)


def coins_after_order(goods):
    """Section 7, `order_consumes`: by trying all sets of goods."""
    rations = sum(n * RATIONS.get(g, 0) for g, n in goods.items())
    limit = max(limit for limit in (0, 8, 20) if rations >= limit)
    all_sets = [dict(zip(goods, n, strict=True)) for n in product(*map(range, plus_1(goods)))]
    enough = [s for s in all_sets if sum(n * RATIONS.get(g, 0) for g, n in s.items()) >= limit]
    coins = [sum(n * VALUE[g] for g, n in s.items()) for s in (goods, min(enough, key=worth))]
    return coins[0] - coins[1], {0: 0, 8: 4, 20: 10}[limit]


def plus_1(goods):
    return [n + 1 for n in goods.values()]


@pytest.mark.parametrize("is_edited", [False, True])
def test_goods_of_the_chapter_order_may_leave_before_left_overs_and_ties(is_edited):
    tables = {"chapters": edited("chapters", {1: {"order_consumes": 1}})} if is_edited else {}
    game, state = table_of(2, order_consumes=not is_edited, tables=tables)
    rng = np.random.default_rng(3)
    for numbers_held in rng.integers(0, 6, size=(60, 4)):
        goods = dict(zip(["meat", "bread", "food", "coal"], map(int, numbers_held), strict=True))
        hold(state, A, **goods)
        coins, vp = coins_after_order(goods)
        assert gain(game, state) == vp + coins // 5
        hold(state, B, coal=coins)
        state.vp[B] = 3 + vp
        assert game.ranks(state).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("strengths", "lower_place", "split"),
    [
        ([4, 2, 2, 0], [4, 1, 1, 0], [4, 1, 1, 0]),
        ([3, 3], [2, 2], [3, 3]),
        ([5, 4, 1, 1], [4, 2, 0, 0], [4, 2, 0, 0]),
    ],
)
def test_tied_armies_may_take_the_lower_place_or_split(strengths, lower_place, split):
    assert military_vp(*strengths, military_ties="lower_place") == lower_place
    assert military_vp(*strengths, military_ties="split") == split


def test_an_army_of_strength_0_may_be_ranked():
    assert military_vp(2, 0) == [4, 0]
    assert military_vp(2, 0, military_zero="ranked") == [4, 2]
    assert military_vp(0, 0, 0, military_zero="ranked") == [4, 4, 4]


@pytest.mark.parametrize(("rule", "cards"), [("reach", [2, 0]), ("exceed", [0, 2])])
def test_a_mark_is_reached_or_exceeded(rule, cards):
    drawn = []
    for vp in (3, 5):  # 3 to 5, then 5 to 7
        game, state = table_of(mark_rule=rule)
        state.vp[A] = vp
        hold(state, A, coal=4)
        stones(game, state, "progress")
        game.apply(state, TAKE_PROGRESS)
        pay(game, state)
        drawn.append(int(state.hand_size[A]))
    assert drawn == cards


def test_a_tile_may_be_used_between_the_parts_of_a_turn():
    tile = USE_BOON + TILES["BT10"]
    game, state = at_work("C049", (1, 1), {"cattle": 1}, tiles=["BT10"], tile_timing="any_time")
    apply(game, state, GO)
    assert game.legal(state).tolist() == [SKIP, tile]
    apply(game, state, SKIP)
    assert game.legal(state).tolist() == [SKIP, tile, CHAIN_UNITS]
    apply(game, state, tile, CHAIN_UNITS)
    assert held(state, A) == {"meat": 3}
    game, state = at_work("C049", (1, 1), {"cattle": 1}, tiles=["BT10"])
    assert game.legal(state).tolist() == [GO, tile]
    game.apply(state, GO)
    assert game.legal(state).tolist() == [SKIP, CHAIN_UNITS]


@pytest.mark.parametrize(("timing", "expected"), [("any_time", True), ("own_turn", False)])
def test_a_tile_may_be_used_before_the_court_visit_is_paid(timing, expected):
    game, state = table_of(event="E09", tile_timing=timing)
    hold(state, A, coal=1)
    has_tiles(state, A, "BT01")
    run(game, state, PAYING_EVENT)
    assert (state.decision == PAY_EVENT) == expected
    if expected:
        game.apply(state, USE_BOON + TILES["BT01"])
        assert game.legal(state).tolist() == [SKIP, PAY_THE_EVENT]


OWN_TURNS = ["offspring", "black_market", "hand_cards", "progress", "build", (0, 0), (5, 0)]


@pytest.mark.parametrize("options", [{}, {"hand_exchange": "forced"}], ids=str)
@pytest.mark.parametrize("timing", ["own_turn", "any_time"])
@pytest.mark.parametrize("field", OWN_TURNS, ids=str)
def test_a_tile_can_be_used_in_every_own_turn_whatever_its_field(field, timing, options):
    game, state = table_of(tile_timing=timing, **options)
    deal(state, A, "C083", "C084")
    has_tiles(state, A, "BT06")
    stones(game, state, field)
    assert state.step not in (BUILDING, PLANNING)
    assert USE_BOON + TILES["BT06"] in game.legal(state)


@pytest.mark.parametrize("discovers", [False, True])
def test_start_houses_may_discover(discovers):
    towns = edited("towns", {"L01": {"premium_kind": "vp", "premium_n": 2}})
    game = sim.load("newdale", players=2, premium_start_town=discovers).variant(towns=towns)
    state = game.new(seed=1)
    first = int(state.start_player)
    while state.decision == DISCARD:
        game.apply(state, game.legal(state)[0])
    assert state.vp[[first, 1 - first]].tolist() == [3 + 2 * discovers, 3]
    assert state.hand_size[first] - state.hand_size[1 - first] == 2 * discovers


@pytest.mark.parametrize(
    ("order", "steps"),
    [("right_then_clockwise", [-1, 0, 1, 2]), ("right_then_counterclockwise", [-1, -2, -3, -4])],
)
def test_persons_are_chosen_from_the_right_of_the_start_player_on(order, steps):
    game = with_persons(players=4, person_order=order)
    state = game.new(seed=5)
    while state.decision == DISCARD:
        game.apply(state, game.legal(state)[0])
    turned_up = offered(game, state, CHOOSE_PERSON, PERSONS)
    assert len(turned_up) == 4
    for step in steps:
        assert (state.decision, state.to_move) == (PERSON, (state.start_player + step) % 4)
        chosen = int(game.legal(state)[-1])
        p = int(state.to_move)
        game.apply(state, chosen)
        assert state.boon[p].tolist().index(1) == MAX_TILES + chosen - CHOOSE_PERSON
    assert state.decision == PLAN


def test_of_a_mixed_stack_the_taker_picks_the_tile():
    game, state = table_of(bonus_overflow="stack_lowest")
    hold(state, A, coal=9)
    deal(state, A, "C093")
    state.zone_tile[0, [TILES["BT01"], TILES["BT06"]]] = 1
    run(game, state, BUILDING)
    build(game, state, "C093", "L02")
    game.apply(state, TAKE_FROM_ZONE)
    assert state.decision == PICK_TILE
    assert offered(game, state, PICK_KIND, TILES) == {"BT01", "BT06"}
    game.apply(state, PICK_KIND + TILES["BT06"])
    assert (tiles_of(state, A), state.zone_tile.sum()) == (["BT06"], 1)


def nothing_to_draw(hands, **options):
    """Both piles are empty; the other cards lie on the display."""
    game, state = table_of(len(hands), **options)
    for p, cards in enumerate(hands):
        deal(state, p, *cards)
    state.on_display[state.pile[: state.pile_size]] = 1
    state.pile_size = 0
    return game, state


def test_with_nothing_to_draw_nobody_draws():
    game, state = nothing_to_draw([["C083"], ["C084", "C085"]])
    run(game, state, BUILDING)
    game.apply(state, DRAW)
    assert (state.hand_size[A], state.to_move, state.decision) == (1, B, CARD)


def test_with_nothing_to_draw_all_may_have_to_discard_half_their_hands():
    hands = [["C083"], ["C084", "C085", "C086", "C107", "C108"], ["C080", "C081"]]
    game, state = nothing_to_draw(hands, empty_pile="reshuffle_then_half_hands")
    state.start_player = C
    run(game, state, BUILDING)
    game.apply(state, DRAW)
    asked = []
    while state.decision == DISCARD:
        asked.append(int(state.to_move))
        game.apply(state, game.legal(state)[0])
    assert asked == [C, B, B]
    assert state.hand_size[:3].tolist() == [1, 3, 3]
    assert (state.decision, state.to_move) == (CARD, A)


def test_after_half_hands_the_builder_goes_on_with_his_building():
    hands = [["C101", "C083"], ["C084", "C085", "C086", "C107"]]
    game, state = nothing_to_draw(hands, empty_pile="reshuffle_then_half_hands")
    settle(state, A, "L01", "L07")
    hold(state, A, coal=9)
    state.zone_tile[:7, TILES["BT01"]] = 1
    run(game, state, BUILDING)
    build(game, state, "C101", "L10")  # premium: a card
    while state.decision == DISCARD:
        assert state.to_move == B
        game.apply(state, game.legal(state)[0])
    assert state.hand_size[:2].tolist() == [2, 2]
    assert (state.decision, state.to_move) == (TAKE_TILE, A)
    game.apply(state, TAKE_FROM_ZONE + 4)
    assert tiles_of(state, A) == ["BT01"]


def test_without_the_option_areas_are_never_built_over():
    game, state = ready_to_build("C010")
    own(state, A, a2="C049")
    apply(game, state, BUILD_CARD + CARDS["C010"], CHOOSE_TOWN_ACTION + TOWNS["L03"])
    assert game.legal(state).tolist() == [CHOOSE_AREA_ACTION + a for a in (1, 3, 4, 5, 6, 7)]


@pytest.mark.parametrize(("other", "cattle"), [("C034", 0), ("C019", 3)])
def test_a_building_may_be_replaced_and_its_goods_are_lost_unless_another_makes_them(other, cattle):
    game, state = table_of(replace_building=True)
    own(state, A, a1="C018", a2=other, a3="C024", a4="C025", a5="C026", a6="C027", a7="C028")
    hold(state, A, cattle=4, coal=1)
    deal(state, A, "C010")
    run(game, state, BUILDING)
    apply(game, state, BUILD_CARD + CARDS["C010"], CHOOSE_TOWN_ACTION + TOWNS["L03"])
    assert game.legal(state).tolist() == [CHOOSE_AREA_ACTION + a for a in range(1, NUM_AREAS)]
    game.apply(state, CHOOSE_AREA_ACTION + 1)
    pay_with(game, state, "coal", "cattle")
    assert state.built[A, 1] == CARDS["C010"]
    assert held(state, A) == ({"cattle": cattle} if cattle else {})
    assert np.flatnonzero(state.in_discards).tolist() == [CARDS["C018"]]


@pytest.mark.parametrize(("scope", "left"), [("until_end", 2), ("round", 0)])
def test_the_display_stays_or_is_discarded_after_the_round(scope, left):
    game, state = table_of(event="E08", display_scope=scope)
    run(game, state, EVENT)
    run(game, state, NEXT_ROUND)
    assert state.round_number == 1
    assert (state.on_display.sum(), state.num_discards) == (left, 2 - left)


def test_a_match_of_so_many_turns_is_capped():
    game = sim.load("newdale", players=2, max_turns=9)
    state = game.new(seed=1)
    while len(legal := game.legal(state)):
        game.apply(state, legal[0])
    assert (state.over, state.turn) == (CAPPED, 9)
