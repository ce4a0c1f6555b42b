"""The worked examples of the rules text (section 4)."""

from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import pytest
from newdale_positions import (
    ANY_CARDS,
    CARDS,
    EVENTS,
    FIRST_RING,
    GOODS,
    ORDERS,
    PAY_ORDER,
    SECOND_RING,
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
    draw_helpers,
    edited,
    gain,
    goods_from,
    hand,
    has_tiles,
    held,
    hold,
    in_phase_6,
    military_vp,
    minimal_payments,
    numbers,
    offered,
    own,
    pay,
    pay_with,
    payments,
    position,
    ready_to_build,
    run,
    same,
    settle,
    slot,
    stones,
    table_of,
    tiles_of,
    use,
    worlds_of,
)
from numba import config

import sim
from sim.games.newdale.components import (
    BLUE,
    GREEN,
    MAX_TILES,
    RED,
)
from sim.games.newdale.position import (
    AREA,
    BEGIN,
    BUILD_CARD,
    BUILDING,
    BUY_STONE,
    CARD,
    CHAIN,
    CHAIN_AREA,
    CHAIN_UNITS,
    CHOOSE_AREA_ACTION,
    CHOOSE_TOWN_ACTION,
    DISCARD_CARD,
    DRAW,
    EXCHANGE_CARDS,
    GO,
    HIRE,
    HIRE_HELPERS,
    KEEP_CARD,
    LAST_CHAINS,
    PAY_HELPERS,
    PLAN,
    PLAN_FIELD,
    PLANNING,
    SKIP,
    TAKE_FROM_ZONE,
    TAKE_GOOD,
    TAKE_GOODS,
    TAKE_PROGRESS,
    TAKE_TILE,
    TRADE_CARDS,
    USE_BOON,
)
from sim.records import FINISHED, NONE
from sim.sets import set_of

# 4 Worked examples --------------------------------------------------------------------------------


PAYMENTS = {
    "x01": (
        *("progress", {"coal": 3, "planks": 2}),
        [{"planks": 2}, {"planks": 1, "coal": 2}],
    ),
    "x03": (
        *("offspring", {"coal": 5, "flour": 2, "bread": 1}),
        [
            *({"bread": 1, "flour": 1}, {"bread": 1, "coal": 2}),
            *({"flour": 2, "coal": 3}, {"flour": 1, "coal": 5}),
        ],
    ),
}


@pytest.mark.parametrize(("field", "goods", "expected"), PAYMENTS.values(), ids=PAYMENTS)
def test_exactly_the_minimal_payments_can_be_chosen(field, goods, expected):
    game, state = table_of()
    hold(state, A, **goods)
    stones(game, state, field)
    game.apply(state, game.legal(state)[1])
    assert same(payments(game, state), expected)
    assert same(minimal_payments(goods, state.price), expected)


def pay_for_special(goods, **options):
    """Market Hall, for 5 coins, on a town without a discount, premium or tile."""
    game, state = table_of(**options)
    hold(state, A, **goods)
    deal(state, A, "C093")
    run(game, state, BUILDING)
    apply(game, state, BUILD_CARD + CARDS["C093"], CHOOSE_TOWN_ACTION + TOWNS["L03"])
    return game, state


def test_x02_no_change_is_given():
    game, state = pay_for_special({"cattle": 2, "meat": 1})
    assert payments(game, state) == [{"cattle": 1, "meat": 1}]


@pytest.mark.parametrize("is_automatic", [False, True])
def test_payments_agree_with_trying_all_sets_of_goods(is_automatic):
    game = sim.load("newdale", payment="auto" if is_automatic else "choice")
    prices = {"C005": 2, "C093": 5, "C034": 5, "C024": 7, "C049": 9, "C043": 10, "C082": 14}
    rng = np.random.default_rng(1)
    start = position(game)
    deal(start, A, *prices)
    num_checked = 0
    for _ in range(40 if config.DISABLE_JIT else 200):
        state = game.copy(start)
        kinds = rng.choice(list(GOODS), size=4, replace=False)
        goods = {str(g): int(rng.integers(1, 6)) for g in kinds}
        hold(state, A, **goods)
        card = str(rng.choice(list(prices)))
        run(game, state, BUILDING)
        can_pay = sum(VALUE[g] * n for g, n in goods.items()) >= prices[card]
        assert (card in offered(game, state, BUILD_CARD, CARDS)) == can_pay
        if not can_pay:
            continue
        before = held(state, A)
        apply(game, state, BUILD_CARD + CARDS[card], CHOOSE_TOWN_ACTION + TOWNS["L03"])
        expected = minimal_payments(goods, prices[card])
        if state.decision == AREA:
            game.apply(state, CHOOSE_AREA_ACTION + 1)
        if is_automatic:
            rest = held(state, A)
            paid = {g: n - rest.get(g, 0) for g, n in before.items() if n != rest.get(g, 0)}
            assert paid == min(expected, key=automatic_order)
        else:
            assert same(payments(game, state), expected)
        num_checked += 1
    assert num_checked > 15


def automatic_order(paid):
    total = sum(VALUE[g] * n for g, n in paid.items())
    return [total, *(-paid.get(g, 0) for g in PAY_ORDER)]


def test_x03_an_automatic_payment_takes_the_smallest_total_and_then_the_most_coal():
    game, state = table_of(payment="auto")
    hold(state, A, coal=5, flour=2, bread=1)
    stones(game, state, "offspring")
    game.apply(state, BUY_STONE + 2)
    assert held(state, A) == {"flour": 1, "bread": 1}
    assert state.stones[A] == 0b101


def test_x03_automatic_goods_for_helpers_are_the_first_in_the_pay_order():
    game, state = at_work("C049", (1, 1), {"meat": 2, "flour": 2, "planks": 2}, payment="auto")
    game.apply(state, HIRE_HELPERS)
    assert held(state, A) == {"flour": 1, "meat": 2 + 2}


def test_x04_a_sloppy_slot_ignores_a_missing_helper_and_each_ore_card_makes_coal():
    game, state = table_of()
    hold(state, A, coal=5)
    deal(state, A, "C029", "C030", "C001")
    stones(game, state, (0, 0))
    assert game.legal(state).tolist() == [SKIP, TAKE_GOODS]
    game.apply(state, TAKE_GOODS)
    assert game.legal(state).tolist() == [SKIP, CHAIN_UNITS, CHAIN_UNITS + 1]
    game.apply(state, CHAIN_UNITS + 1)
    assert offered(game, state, DISCARD_CARD, CARDS) == {"C029"}
    discard(game, state, "C029", "C030")
    assert held(state, A) == {"coal": 10}
    assert hand(state, A) == ["C001"]


@pytest.mark.parametrize(
    ("card", "place", "good", "expected", "parts"),
    [
        pytest.param("MINE", (0, 0), "coal", (2, 0), {}, id="x05 sloppy"),
        pytest.param("MINE", (0, 1), "coal", (3, 0), {}, id="x05 orderly"),
        pytest.param("MINE", (0, 2), "coal", (4, 0), {}, id="x05 extraordinary"),
        pytest.param("C049", (1, 1), "meat", (2, 3), {}, id="x06 orderly"),
        pytest.param("C049", (1, 0), "meat", (1, 0), {}, id="x06 sloppy"),
        pytest.param("C049", (2, 1), "meat", (3, 9), {}, id="x06 extraordinary"),
        pytest.param("C049", (1, 1), "meat", (2, 2), {"progress": 2}, id="x06 orderly, PT2"),
        pytest.param("C049", (2, 1), "meat", (3, 6), {"progress": 2}, id="x06 extra, PT2"),
        pytest.param("C049", (1, 1), "meat", (2, 3), {"progress": 1}, id="x06 orderly, PT1"),
        pytest.param("C057", (3, 2), "barrels", (3, 3), {}, id="x07"),
        pytest.param("C049", (1, 1), "meat", (2, 0), {"tiles": ["BT03"]}, id="x08"),
        pytest.param("C049", (1, 1), "meat", (2, 0), {"tiles": ["BT05"]}, id="x08 red, blue"),
        pytest.param("C049", (1, 1), "meat", (2, 3), {"tiles": ["BT04"]}, id="x08 yellow, green"),
        pytest.param("C050", (4, 0), "leather", (1, 0), {"drawn": "RRRR"}, id="two ignored"),
    ],
)
def test_missing_helpers_are_counted_by_the_mode_of_the_slot(card, place, good, expected, parts):
    assert goods_from(card, place, good, **parts) == expected


def test_volunteers_make_replacing_a_helper_cheaper():
    assert goods_from("C049", (1, 1), "meat", event="E10", drawn="YYRR") == (2, 2)
    assert goods_from("C049", (1, 1), "meat", event="E10", drawn="YYRR", progress=2) == (2, 2)
    dear = {"events": edited("events", {"E10": {"eff_a": 4}})}
    assert goods_from("C049", (1, 1), "meat", event="E10", drawn="YYRR", tables=dear) == (2, 3)


def test_x06_any_goods_replace_a_helper_and_all_missing_ones_or_none():
    goods = {"coal": 2, "planks": 1, "food": 1, "corn": 1}
    game, state = at_work("C049", (1, 1), goods)
    assert game.legal(state).tolist() == [SKIP, HIRE_HELPERS]
    game.apply(state, HIRE_HELPERS)
    sets = {tuple(sorted(s)) for s in combinations_with_replacement(goods, 3)}
    sets = [{g: s.count(g) for g in s} for s in sets]
    expected = [paid for paid in sets if all(paid[g] <= goods[g] for g in paid)]
    assert same(payments(game, state, decision=PAY_HELPERS), expected)
    game, state = at_work("C049", (2, 1), {"coal": 8})
    assert state.decision == CARD
    assert (state.step, state.hand_size[A]) == (BUILDING, 1)


def test_x09_a_single_chain_moves_any_number_of_goods_and_adds_one():
    game, state = at_work("C049", (1, 1), {"meat": 2, "cattle": 6})
    game.apply(state, SKIP)
    assert game.legal(state).tolist() == [SKIP, *range(CHAIN_UNITS, CHAIN_UNITS + 6)]
    game.apply(state, CHAIN_UNITS + 5)
    assert held(state, A) == {"meat": 9}


@pytest.mark.parametrize(
    ("event", "tiles", "bread"),
    [
        pytest.param("E01", [], 7, id="x10"),
        pytest.param("E06", [], 8, id="x11 event"),
        pytest.param("E01", ["BT10"], 8, id="x11 tile"),
        pytest.param("E06", ["BT10"], 9, id="x11 both"),
        pytest.param("E06", ["BT10", "BT10"], 10, id="x11 two tiles add up"),
    ],
)
def test_a_set_chain_makes_two_goods_of_each_set_and_the_bonus_comes_once(event, tiles, bread):
    game, state = at_work("C043", (1, 1), {"coal": 4, "flour": 3}, event=event, tiles=tiles)
    while state.decision == BEGIN:
        game.apply(state, game.legal(state)[-1])
    game.apply(state, SKIP)
    assert game.legal(state)[-1] == CHAIN_UNITS + 2
    game.apply(state, CHAIN_UNITS + 2)
    assert held(state, A) == {"bread": bread, "coal": 1}
    assert tiles_of(state, A) == []


@pytest.mark.parametrize(("chain", "goods", "cards"), [(1, 2, 0), (None, 0, 1)])
def test_x12_the_chain_works_without_helpers_and_nothing_at_all_draws_a_card(chain, goods, cards):
    game, state = at_work("C046", (1, 1), {"cattle": 5}, drawn="RRRR", event="E05")
    assert state.decision == CHAIN, "five goods do not replace two helpers"
    game.apply(state, SKIP if chain is None else CHAIN_UNITS + chain - 1)
    assert held(state, A).get("meat", 0) == goods
    assert state.hand_size[A] == cards


def test_x12_leaving_helpers_and_chain_draws_one_card_and_using_one_part_none():
    game, state = at_work("C043", (1, 1), {"coal": 1, "flour": 1})
    for actions, cards in [
        ([SKIP, SKIP], 1),
        ([TAKE_GOODS, SKIP], 0),
        ([SKIP, CHAIN_UNITS], 0),
    ]:
        after = game.copy(state)
        apply(game, after, *actions)
        assert (after.step, after.hand_size[A]) == (BUILDING, cards)


def test_x13_a_stone_on_an_empty_area_draws_a_card():
    game, state = at_work("MINE", (5, 1), {"coal": 9})
    assert (state.step, state.hand_size[A]) == (BUILDING, 1)


def test_x13_an_earlier_stone_may_put_the_building_there():
    game, state = table_of()
    hold(state, A, coal=3)
    deal(state, A, "C010")
    stones(game, state, "build", (1, 1))
    assert build(game, state, "C010", "L03", area=1) == 3
    assert game.legal(state).tolist() == [SKIP, TAKE_GOODS]
    game.apply(state, TAKE_GOODS)
    assert held(state, A) == {"flour": 2}


def test_x14_the_black_market_takes_two_cards_for_four_coal_and_a_good():
    game, state = table_of()
    own(state, A, a1="C043")
    deal(state, A, *ANY_CARDS[:5])
    stones(game, state, "black_market")
    assert game.legal(state).tolist() == [SKIP, TRADE_CARDS]
    skipped = game.copy(state)
    game.apply(skipped, SKIP)
    assert (held(skipped, A), skipped.hand_size[A]) == ({}, 6)
    game.apply(state, TRADE_CARDS)
    discard(game, state, ANY_CARDS[1], ANY_CARDS[3])
    assert offered(game, state, TAKE_GOOD, GOODS) == {"coal", "bread"}
    assert len(game.legal(state)) == 2
    game.apply(state, TAKE_GOOD + GOODS["bread"])
    assert held(state, A) == {"coal": 4, "bread": 1}
    assert hand(state, A) == [ANY_CARDS[0], ANY_CARDS[2], ANY_CARDS[4]]
    assert np.flatnonzero(state.in_discards).tolist() == [CARDS[ANY_CARDS[i]] for i in (1, 3)]


def test_x14_with_one_card_the_black_market_is_void():
    game, state = table_of()
    deal(state, A, "C001")
    stones(game, state, "black_market")
    assert (state.step, state.hand_size[A], held(state, A)) == (BUILDING, 2, {})


def test_x15_hand_cards_are_exchanged_but_one_and_three_are_drawn():
    game, state = table_of()
    deal(state, A, *ANY_CARDS)
    stones(game, state, "hand_cards")
    assert game.legal(state).tolist() == [SKIP, EXCHANGE_CARDS]
    after = game.copy(state)
    game.apply(after, SKIP)
    assert set(ANY_CARDS) < set(hand(after, A))
    assert (after.hand_size[A], after.num_discards) == (9, 0)
    game.apply(state, EXCHANGE_CARDS)
    assert len(game.legal(state)) == 6
    game.apply(state, KEEP_CARD + CARDS["C084"])
    assert set(hand(state, A)) & set(ANY_CARDS) == {"C084"}
    assert (state.hand_size[A], state.num_discards) == (9, 5)


@pytest.mark.parametrize("number", [0, 1])
def test_x15_with_no_or_one_card_three_are_drawn_at_once(number):
    game, state = table_of()
    deal(state, A, *ANY_CARDS[:number])
    stones(game, state, "hand_cards")
    assert (state.step, state.hand_size[A]) == (BUILDING, 3 + number)


def test_x16_stone_3_costs_7_and_is_placed_from_the_next_round():
    game, state = table_of()
    state.stones[A] = 0b11
    hold(state, A, coal=7)
    stones(game, state, "offspring", "progress")
    assert game.legal(state).tolist() == [SKIP, BUY_STONE + 2]
    game.apply(state, BUY_STONE + 2)
    pay(game, state)
    assert (held(state, A), state.stones[A], state.vp[A]) == ({}, 0b111, 3)
    assert (state.step, state.hand_size[A]) == (BUILDING, 1)
    game.apply(state, DRAW)
    for stone in range(3):
        assert (state.decision, state.stone, state.round_number) == (PLAN, stone, 1)
        game.apply(state, game.legal(state)[0])
    assert state.step != PLANNING


def test_x16_stone_4_costs_13_and_its_3_vp_can_pass_a_mark():
    game, state = table_of()
    state.stones[A], state.vp[A] = 0b111, 13
    hold(state, A, coal=13)
    stones(game, state, "offspring")
    assert game.legal(state).tolist() == [SKIP, BUY_STONE + 3]
    game.apply(state, BUY_STONE + 3)
    pay(game, state)
    assert (state.vp[A], state.hand_size[A], state.stones[A], held(state, A)) == (16, 2, 15, {})


@pytest.mark.parametrize(("coins", "can_buy"), [(6, False), (13, True)])
def test_x16_without_stone_3_only_stone_3_can_be_bought(coins, can_buy):
    game, state = table_of()
    hold(state, A, coal=coins)
    stones(game, state, "offspring")
    if can_buy:
        assert game.legal(state).tolist() == [SKIP, BUY_STONE + 2]
        game.apply(state, SKIP)
    assert (state.step, state.hand_size[A]) == (BUILDING, 1)


def test_x17_progress_costs_4_for_2_vp_and_an_ability_and_ends_after_two():
    game, state = table_of()
    state.vp[A] = 4
    state.stones[A] = 0b111
    hold(state, A, coal=12)
    stones(game, state, "progress", "progress", "progress")
    assert game.legal(state).tolist() == [SKIP, TAKE_PROGRESS, TAKE_PROGRESS + 1]
    game.apply(state, TAKE_PROGRESS)
    pay(game, state)
    assert (state.vp[A], state.hand_size[A], state.progress[A]) == (6, 2, 1)
    assert game.legal(state).tolist() == [SKIP, TAKE_PROGRESS + 1]
    game.apply(state, TAKE_PROGRESS + 1)
    pay(game, state)
    assert (state.vp[A], state.step, state.hand_size[A]) == (8, BUILDING, 2 + 1)
    assert held(state, A) == {"coal": 4}


def test_x18_each_mark_that_is_passed_brings_two_cards():
    game, state = table_of(tables=numbers(stone_4_vp=7))
    state.stones[A], state.vp[A] = 0b111, 4
    hold(state, A, coal=13)
    stones(game, state, "offspring")
    game.apply(state, BUY_STONE + 3)
    pay(game, state)
    assert (state.vp[A], state.hand_size[A]) == (11, 4)


TWO_HOUSES = {"L02", "L03", "L04", "L05", "L07", "L09", "L08", "L10", "L12"}


@pytest.mark.parametrize(
    ("houses", "progress", "expected"),
    [
        (["L01"], 0, FIRST_RING | SECOND_RING),
        (["L01"], 2, FIRST_RING | SECOND_RING),
        (["L01", "L06"], 0, TWO_HOUSES),
        (["L01", "L06"], 1, TWO_HOUSES | {"L11", "L13", "L15"}),
    ],
)
def test_x19_a_house_is_put_at_most_two_steps_away_or_three_with_pt1(houses, progress, expected):
    game, state = table_of(2)
    settle(state, A, *houses)
    settle(state, B, "L01", "L02", "L03", "L04")  # other houses never block
    state.progress[A] = progress
    hold(state, A, coal=5)
    deal(state, A, "C093")
    run(game, state, BUILDING)
    game.apply(state, BUILD_CARD + CARDS["C093"])
    assert offered(game, state, CHOOSE_TOWN_ACTION, TOWNS) == expected


@pytest.mark.parametrize(
    ("town", "price", "zones"),
    [("L07", 2, None), ("L04", 2, ["Z4"]), ("L02", 3, ["Z1"])],
)
def test_x20_discount_by_terrain_and_a_tile_only_at_one_step(town, price, zones):
    game, state = ready_to_build("C010")
    assert build(game, state, "C010", town, area=1) == price
    assert state.built[A, 1] == CARDS["C010"]
    assert state.houses[A] == set_of([0, TOWNS[town]])
    assert state.vp[A] == 3
    if zones is None:
        assert (state.decision, tiles_of(state, A)) == (PLAN, [])
        return
    expected = [SKIP, *(TAKE_FROM_ZONE + int(zone[1]) - 1 for zone in zones)]
    assert (state.decision, game.legal(state).tolist()) == (TAKE_TILE, expected)
    skipped = game.copy(state)
    game.apply(skipped, SKIP)
    assert tiles_of(skipped, A) == []
    game.apply(state, expected[1])
    assert tiles_of(state, A) == ["BT06"]
    assert state.zone_tile.sum() == game.rules.num_zones - 1


def test_x20_without_coins_for_the_price_the_town_is_not_offered():
    game, state = ready_to_build("C010", coal=2)
    game.apply(state, BUILD_CARD + CARDS["C010"])
    assert offered(game, state, CHOOSE_TOWN_ACTION, TOWNS) == {"L04", "L07"}
    game, state = ready_to_build("C010", coal=1)
    assert game.legal(state).tolist() == [DRAW]


def test_x21_only_the_first_builder_takes_the_premium():
    game, state = ready_to_build("C010", players=2, houses=["L01", "L06"])
    settle(state, B, "L01", "L06")
    hold(state, B, coal=9)
    deal(state, B, "C011")
    build(game, state, "C010", "L09", area=1)
    assert state.vp[A] == 4
    game.apply(state, SKIP)
    assert state.to_move == B
    build(game, state, "C011", "L09", area=1)
    assert state.vp[B] == 3


@pytest.mark.parametrize(
    ("town", "beside", "vp", "cards", "coal"),
    [
        *[("L19", "L17", 3, 2, 0), ("L08", "L05", 1, 0, 0), ("L10", "L07", 0, 1, 0)],
        *[("L13", "L10", 0, 0, 2), ("L16", "L13", 0, 2, 0), ("L05", "L02", 0, 0, 0)],
    ],
)
def test_x21_premiums_are_vp_cards_or_coal(town, beside, vp, cards, coal):
    game, state = ready_to_build("C101", houses=["L01", beside])
    assert build(game, state, "C101", town) == 9 - coal
    assert (state.vp[A], state.hand_size[A]) == (3 + vp, cards)
    assert (state.decision == TAKE_TILE) == (town != "L19")


@pytest.mark.parametrize(("card", "town"), [("C010", "L07"), ("C005", "L02"), ("C005", "L05")])
def test_x22_the_subsidy_lowers_prices_of_phase_5_not_below_0(card, town):
    game, state = ready_to_build(card, event="E04", coal=0)
    assert build(game, state, card, town, area=1) == 0
    assert state.built[A, 1] == CARDS[card]


def test_x22_the_build_action_has_no_event_discount():
    game, state = table_of(event="E04")
    hold(state, A, coal=5)
    deal(state, A, "C010")
    stones(game, state, "build")
    assert build(game, state, "C010", "L07", area=1) == 2


def laid_out(tiles, number, *, num_areas=7, is_stacking=False):
    """Section 1.3, step 3: the tiles of each area."""
    areas = [[] for _ in range(num_areas)]
    for tile in tiles:
        if sum(map(len, areas)) == number:
            break
        equal = [area for area in areas if tile in area]
        empty = [area for area in areas if not area]
        if equal or empty:
            (equal or empty)[0].append(tile)
        elif is_stacking:
            min(areas, key=len).append(tile)
    return [sorted(area) for area in areas]


def tiles_on_map(game, state):
    zones = state.zone_tile[: game.rules.num_zones]
    return [[t for t in range(MAX_TILES) for _ in range(zone[t])] for zone in zones]


def test_x23_the_layout_of_these_tests_is_that_of_the_example():
    assert laid_out([3, 1, 3, 7, 1, 9, 2], 7) == [[3, 3], [1, 1], [7], [9], [2], [], []]


@pytest.mark.parametrize("overflow", ["discard", "stack_lowest"])
@pytest.mark.parametrize(("players", "number"), [(1, 7), (2, 9), (3, 12), (4, 15)])
def test_x23_equal_tiles_are_stacked_and_others_fill_the_areas(players, number, overflow):
    game = sim.load("newdale", players=players, bonus_overflow=overflow)
    is_stacking = overflow == "stack_lowest"
    num_differing = 0
    for seed in range(20):
        state = game.new(seed)
        order = state.tile_order[:40].tolist()
        assert sorted(order) == sorted(list(range(10)) * 4)
        assert tiles_on_map(game, state) == laid_out(order, number, is_stacking=is_stacking)
        num_differing += laid_out(order, number) != laid_out(order, number, is_stacking=True)
    assert num_differing or players == 1


@pytest.mark.parametrize(
    ("goods", "vp", "rest"),
    [
        ({"coal": 4, "planks": 3, "bread": 2}, 4, 0),
        ({"coal": 7, "planks": 3, "bread": 2}, 4, 3),
        ({"corn": 5}, 2, 0),
    ],
)
def test_x24_five_coins_of_left_over_goods_are_1_vp(goods, vp, rest):
    game, state = table_of(2)
    hold(state, A, **goods)
    assert gain(game, state) == vp
    hold(state, B, coal=5 * vp + rest)
    assert game.ranks(state).tolist() == [1, 1]
    hold(state, B, coal=5 * vp + 1 + rest)
    assert game.ranks(state).tolist() == [2, 1]
    state.vp[A] += 2
    assert game.ranks(state).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("strengths", "vp"),
    [
        ([4, 2, 2, 0], [4, 2, 2, 0]),
        ([3, 3], [4, 4]),
        ([5, 4, 1, 1], [4, 2, 1, 1]),
        ([0, 0, 0], [0, 0, 0]),
        ([2, 2, 1], [4, 4, 1]),
        ([5, 4, 3, 2], [4, 2, 1, 0]),
    ],
)
def test_x25_tied_armies_share_the_place_and_all_its_vp(strengths, vp):
    assert military_vp(*strengths) == vp


def test_x26_a_secret_order_brings_2_vp_for_each_house_with_its_banner():
    game, state = table_of()
    state.order[A] = ORDERS["SO04"]  # crown
    for number, town in enumerate(["L03", "L13", "L14"], 1):
        state.houses[A] |= 1 << TOWNS[town]
        assert gain(game, state) == 2 * number
    state.houses[A] |= 1 << TOWNS["L02"]
    assert gain(game, state) == 6


@pytest.mark.parametrize(
    ("goods", "vp"),
    [
        ({"bread": 3, "meat": 1}, 4),
        ({"bread": 9}, 4),
        ({"bread": 10}, 10),
        ({"food": 6, "meat": 1}, 10),
        ({"bread": 3}, 0),
        ({"corn": 9, "cattle": 9, "flour": 9}, 0),
    ],
)
def test_x27_rations_reach_the_limits_8_and_20(goods, vp):
    game, state = table_of()
    hold(state, A, **goods)
    coins = sum(VALUE[g] * n for g, n in goods.items())
    assert gain(game, state) == vp + coins // 5


def last_chains():
    game, state = table_of()
    own(state, A, a1="C010", a2="C043", a3="C085")
    hold(state, A, flour=1, coal=5)
    deal(state, A, "C007", "C008")
    state.round_number, state.event = 7, NONE
    run(game, state, LAST_CHAINS)
    game.apply(state, CHAIN_AREA + 1)
    assert game.legal(state).tolist() == [CHAIN_UNITS, CHAIN_UNITS + 1]
    game.apply(state, CHAIN_UNITS + 1)
    discard(game, state, "C007", "C008")
    assert held(state, A) == {"flour": 3, "coal": 5}
    apply(game, state, CHAIN_AREA + 2, CHAIN_UNITS + 2)
    assert held(state, A) == {"bread": 6, "coal": 2}
    return game, state


BUILT_FOR_LAST_CHAINS = 2 + 3 + 5


@pytest.mark.parametrize(("uses_factory", "vp"), [(False, 10), (True, 12)])
def test_x28_each_chain_is_used_once_more_at_the_end_without_a_bonus(uses_factory, vp):
    game, state = last_chains()
    assert game.legal(state).tolist() == [SKIP, CHAIN_AREA + 3]
    if uses_factory:
        apply(game, state, CHAIN_AREA + 3, CHAIN_UNITS + 5)
        assert held(state, A) == {"food": 6, "coal": 2}
    else:
        game.apply(state, SKIP)
    assert state.over == FINISHED
    assert gain(game, state) == vp + BUILT_FOR_LAST_CHAINS


def test_x28_tiles_can_be_used_before_the_last_chains_but_not_for_a_bonus():
    game, state = table_of()
    state.vp[A] = 4
    hold(state, A, coal=4)
    has_tiles(state, A, "BT07", "BT10")
    state.round_number, state.event = 7, NONE
    run(game, state, LAST_CHAINS)
    assert game.legal(state).tolist() == [GO, USE_BOON + TILES["BT07"]]
    game.apply(state, USE_BOON + TILES["BT07"])
    pay(game, state)
    assert (state.vp[A], state.hand_size[A], held(state, A)) == (6, 2, {})


def test_x29_the_parts_of_the_final_score_add_up():
    game, state = table_of(2)
    state.vp[A] = 17
    own(state, A, "C101", a1="C001", a2="C007", a3="C043", a4="C024")
    hold(state, A, bread=3, meat=2, coal=4)
    state.order[A] = ORDERS["SO01"]  # oak
    settle(state, A, "L01", "L02", "L09")
    assert game.scores(state).tolist() == [46, 3]
    assert game.ranks(state).tolist() == [1, 2]


def test_x30_corn_pays_and_replaces_helpers():
    game, state = in_phase_6("C087", "C088")
    assert game.legal(state).tolist() == [SKIP, use("C087"), use("C088")]
    game.apply(state, use("C088"))
    assert held(state, A) == {"corn": 1}
    assert game.legal(state).tolist() == [SKIP, use("C087")]
    game.apply(state, use("C087"))
    assert held(state, A) == {"corn": 2}
    assert state.decision == PLAN
    stones(game, state, "progress")
    game.apply(state, TAKE_PROGRESS)
    assert payments(game, state) == [{"corn": 2}]
    game, state = at_work("C049", (1, 1), {"corn": 3})
    game.apply(state, HIRE_HELPERS)
    pay_with(game, state, "corn", "corn", "corn")
    assert held(state, A) == {"meat": 2}


def helper_draws(number):
    """All sets that can be drawn from 7, 6, 4, 3, each with its probability."""
    for drawn in product(*(range(n + 1) for n in (7, 6, 4, 3))):
        if sum(drawn) == number:
            ways = np.prod([comb(n, k) for n, k in zip((7, 6, 4, 3), drawn, strict=True)])
            yield (
                "".join(c * k for c, k in zip("YGRB", drawn, strict=True)),
                ways / comb(20, number),
            )


def completeness(card, place, event):
    """Probability that no helper is missing."""
    game, start = table_of(event=event)
    if card != "MINE":
        own(start, A, **{f"a{place[0]}": card})
    start.plan[A, 0] = NONE
    run(game, start, PLANNING)
    total = 0
    for drawn, probability in helper_draws(6 if event == "E02" else 4):
        state = game.copy(start)
        draw_helpers(state, drawn)
        game.apply(state, PLAN_FIELD + slot(*place))
        total += probability * (state.decision == HIRE)
    return total


def test_x31_helper_odds_of_one_event():
    assert completeness("C049", (1, 1), "E01") == pytest.approx(0.404541, abs=5e-7)
    assert sum(q for drawn, q in helper_draws(4) if "B" in drawn) == pytest.approx(0.508772, 1e-6)
    assert sum(q for drawn, q in helper_draws(4) if "R" in drawn) == pytest.approx(0.624355, 1e-6)


@pytest.mark.parametrize(
    ("card", "place", "expected"),
    [
        *[("MINE", (0, 1), 0.8658), ("MINE", (0, 2), 0.6556), ("MINE", (0, 0), 1.0)],
        ("C038", (1, 1), 0.8513),
    ],
)
def test_x31_helper_odds_over_all_events(card, place, expected):
    odds = [completeness(card, place, event) for event in EVENTS]
    assert np.mean(odds) == pytest.approx(expected, abs=5e-5)


def test_x31_helpers_come_out_of_the_bag_with_these_odds():
    game, state = table_of()
    num_views = 100 if config.DISABLE_JIT else 3000
    worlds = worlds_of(game, state, A, num_views)
    drawn = np.array([world.drawn_helper[:7, :4] for world in worlds]).reshape(-1, 4)
    for colour, odds in [(BLUE, 0.508772), (RED, 0.624355), (GREEN, 0.793395)]:
        share = (drawn == colour).any(axis=1).mean()
        assert share == pytest.approx(odds, abs=4.5 * (0.25 / len(drawn)) ** 0.5)


def test_x32_the_start_player_moves_on_after_each_round():
    game = sim.load("newdale", players=3)
    state = game.new(seed=2)
    first = int(state.start_player)
    starts = {}
    while len(legal := game.legal(state)):
        game.apply(state, legal[0])
        if state.decision == PLAN and state.round_number not in starts:
            starts[int(state.round_number)] = int(state.to_move)
            assert state.start_player == state.to_move
    assert [starts[r] for r in range(7)] == [(first + r) % 3 for r in range(7)]
    assert state.start_player == (first + 7) % 3
    assert {int(game.new(seed).start_player) for seed in range(30)} == {A, B, C}
