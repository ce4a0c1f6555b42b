"""The worked examples, options and invariants of the rules text (sections 4, 7 and 8)."""

from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import pytest
from numba import config

import sim
from sim import playouts
from sim.games.newdale.components import (
    BLUE,
    COLOURS,
    GREEN,
    MAX_TILES,
    MINE,
    NUM_AREAS,
    OPTIONS,
    RED,
    SLOTS_PER_AREA,
    YELLOW,
)
from sim.games.newdale.position import (
    ADVANCE,
    AREA,
    BEGIN,
    BUILD_CARD,
    BUILDING,
    BUY_STONE,
    CARD,
    CHAIN,
    CHAIN_AREA,
    CHAIN_FIRST,
    CHAIN_UNITS,
    CHOOSE_AREA,
    CHOOSE_AREA_ACTION,
    CHOOSE_COLOUR,
    CHOOSE_PERSON,
    CHOOSE_TOWN_ACTION,
    DISCARD,
    DISCARD_CARD,
    DRAW,
    EVENT,
    EXCHANGE,
    EXCHANGE_CARDS,
    FIELD_NAMES,
    FIRST_SLOT,
    GIVE_GOOD,
    GO,
    HELPERS_FIRST,
    HIRE,
    HIRE_HELPERS,
    KEEP,
    KEEP_CARD,
    LAST_CHAINS,
    MAY_TAKE_GOOD,
    NEXT_ROUND,
    ORDER,
    PAY,
    PAY_EVENT,
    PAY_GOOD,
    PAY_HELPERS,
    PAY_THE_EVENT,
    PAYING_EVENT,
    PERSON,
    PICK_KIND,
    PICK_TILE,
    PLAN,
    PLAN_FIELD,
    PLANNING,
    PUT,
    SHOWING,
    SKIP,
    SPECIALS,
    TAKE_FROM_ZONE,
    TAKE_GOOD,
    TAKE_GOODS,
    TAKE_PROGRESS,
    TAKE_TILE,
    TRADE_CARDS,
    USE_BOON,
    USE_SPECIAL,
)
from sim.records import CAPPED, FINISHED, NONE
from sim.sets import has, members, set_of, size

A, B, C, D = range(4)  # players, as in the examples
NAMES = sim.load("newdale").component_names
CARDS = {name: i for i, name in enumerate(NAMES("buildings"))}
GOODS = {name: i for i, name in enumerate(NAMES("goods"))}
TOWNS = {name: i for i, name in enumerate(NAMES("towns"))}
EVENTS = {name: i for i, name in enumerate(NAMES("events"))}
TILES = {name: i for i, name in enumerate(NAMES("bonus_tiles"))}
ORDERS = {name: i for i, name in enumerate(NAMES("secret_orders"))}
PERSONS = {name: i for i, name in enumerate(NAMES("persons"))}
VALUE = {row["good"]: row["value"] for row in sim.load("newdale").component_rows("goods")}
PAY_ORDER = sorted(
    VALUE,
    key=lambda g: sim.load("newdale").component_rows("goods")[GOODS[g]]["pay_order"],
)
MARKET_M = "YGGR"  # drawn with E01: 3 yellow, 4 green, 2 red, 0 blue
ANY_CARDS = [f"C{i:03}" for i in range(83, 87)] + ["C107", "C108"]  # too dear to be built


# Positions ----------------------------------------------------------------------------------------


def table_of(players=1, *, event="E01", drawn=MARKET_M, tables=None, **options):
    """A game, and a position of it before anything is planned."""
    game = sim.load("newdale", players=players, **options).variant(**(tables or {}))
    return game, position(game, event=event, drawn=drawn)


def position(game, *, event="E01", drawn=MARKET_M, seed=1):
    """Round 1, A begins; stone 1 and a house on the start town each, no goods, cards or tiles."""
    state = game.new(seed)
    n = game.players
    while state.step not in (PLANNING, BUILDING):
        game.apply(state, game.legal(state)[0])
    state.start_player = state.to_move = A
    state.goods[:] = 0
    state.vp[:n] = 3
    state.stones[:n] = set_of([0])
    state.zone_tile[:] = 0
    state.boon[:] = 0
    state.order[:] = NONE
    state.hand[:], state.hand_size[:] = 0, 0
    state.in_discards[:], state.num_discards = 0, 0
    state.on_display[:] = 0
    state.pile[: len(CARDS) - 1] = np.arange(len(CARDS) - 1, 0, -1)
    state.pile_size = len(CARDS) - 1
    happens(state, event)
    draw_helpers(state, drawn)
    return state


def happens(state, event):
    """This round's event; it changes places with the one that lay there."""
    order, r = state.event_order, state.round_number
    place = order.tolist().index(EVENTS[event])
    order[r], order[place] = order[place], order[r]
    state.event = order[r]


def draw_helpers(state, colours):
    """The first helpers that come out of the bag in this round."""
    state.drawn_helper[state.round_number, : len(colours)] = ["YGRBP".index(c) for c in colours]


def take_out(state, c):
    """A card that lies on the pile leaves it."""
    pile = state.pile[: state.pile_size].tolist()
    pile.remove(c)
    state.pile_size -= 1
    state.pile[: state.pile_size] = pile


def deal(state, p, *names):
    """These cards come out of the pile into a hand."""
    old = state.hand[p, : state.hand_size[p]].tolist()
    for name in names:
        take_out(state, CARDS[name])
    cards = sorted(old + [CARDS[name] for name in names])
    state.hand[p, : len(cards)] = cards
    state.hand_size[p] = len(cards)


def throw_away(state, but=0):
    """The cards of the pile are discarded, but so many at the bottom."""
    for c in state.pile[but : state.pile_size].tolist():
        take_out(state, c)
        state.in_discards[c] = 1
        state.num_discards += 1


def own(state, p, *cards, **areas):
    """Buildings: special ones by name, others as ``a1="C049"``."""
    for name, card in areas.items():
        state.built[p, int(name[1:])] = CARDS[card]
        take_out(state, CARDS[card])
    for card in cards:
        state.special[p, state.num_special[p]] = CARDS[card]
        state.num_special[p] += 1
        take_out(state, CARDS[card])


def hold(state, p, **goods):
    state.goods[p] = 0
    for name, number in goods.items():
        state.goods[p, GOODS[name]] = number


def held(state, p):
    return {name: int(state.goods[p, g]) for name, g in GOODS.items() if state.goods[p, g]}


def hand(state, p):
    return [NAMES("buildings")[c] for c in state.hand[p, : state.hand_size[p]]]


def settle(state, p, *towns):
    state.houses[p] = set_of(TOWNS[town] for town in towns)


def has_tiles(state, p, *tiles):
    for tile in tiles:
        state.boon[p, TILES[tile]] += 1


def tiles_of(state, p):
    return [tile for tile, i in TILES.items() for _ in range(state.boon[p, i])]


def slot(area, number):
    return FIRST_SLOT + SLOTS_PER_AREA * area + number


def field_of(name):
    return FIELD_NAMES.index(name) if isinstance(name, str) else slot(*name)


# Playing ------------------------------------------------------------------------------------------


def run(game, state, step):
    """Go on from the beginning of a step to the next decision."""
    state.step, state.cursor, state.stage, state.stone = step, 0, 0, 0
    state.decision = ORDER  # of which the first action changes nothing by itself
    game.apply(state, HELPERS_FIRST)


def stones(game, state, *fields, others=()):
    """A's stones, and the first stones of the others, are shown on these fields."""
    for plan, p in [(fields, A), *(([f], p) for p, f in enumerate(others, 1))]:
        state.plan[p] = NONE
        state.plan[p, : len(plan)] = [field_of(name) for name in plan]
    run(game, state, SHOWING)


def apply(game, state, *actions):
    for action in actions:
        game.apply(state, action)


def offered(game, state, first, table):
    """Names of a table that the legal actions from `first` on stand for."""
    return {name for name, i in table.items() if first + i in game.legal(state)}


def discard(game, state, *cards):
    apply(game, state, *(DISCARD_CARD + CARDS[card] for card in cards))


def pay(game, state):
    """The first payment that is offered."""
    while state.decision in (PAY, PAY_HELPERS):
        game.apply(state, game.legal(state)[0])


def pay_with(game, state, *goods):
    apply(game, state, *(PAY_GOOD + PAY_ORDER.index(good) for good in goods))


def build(game, state, card, town, area=NONE):
    """Return the coins paid; all goods of the player have to be coal."""
    p = state.to_move
    apply(game, state, BUILD_CARD + CARDS[card], CHOOSE_TOWN_ACTION + TOWNS[town])
    before = state.goods[p, GOODS["coal"]]
    if state.decision == AREA:
        game.apply(state, CHOOSE_AREA_ACTION + area)
    pay(game, state)
    return before - state.goods[p, GOODS["coal"]]


def end_states(game, state, decision):
    """All positions in which a series of equal decisions can end."""
    if state.decision != decision:
        return [state]
    found = []
    for action in game.legal(state):
        after = game.copy(state)
        game.apply(after, action)
        found += end_states(game, after, decision)
    return found


def payments(game, state, p=A, decision=PAY):
    """All sets of goods that can be paid, each once, as {good: number}."""
    before = held(state, p)
    found = []
    for after in end_states(game, state, decision):
        rest = held(after, p)
        paid = {g: n - rest.get(g, 0) for g, n in before.items() if n != rest.get(g, 0)}
        assert paid not in found, "two ways to the same payment"
        found.append(paid)
    return found


def minimal_payments(goods, price):
    """Section 2.7, by trying all sets of goods."""
    found = []
    for numbers in product(*(range(n + 1) for n in goods.values())):
        paid = {g: n for g, n in zip(goods, numbers, strict=True) if n}
        total = sum(VALUE[g] * n for g, n in paid.items())
        if total >= price and all(total - VALUE[g] < price for g in paid):
            found.append(paid)
    return found


def same(first, second):
    return sorted(map(sorted, map(dict.items, first))) == sorted(
        map(sorted, map(dict.items, second))
    )


def edited(table, rows, names="newdale", key=None):
    """The published table with some values changed: {row: {column: value}}."""
    frame = sim.load(names).components[table]
    key = frame.columns[0] if key is None else key
    frame = frame.set_index(key, drop=False)
    for row, changes in rows.items():
        for column, value in changes.items():
            frame.loc[row, column] = value
    return frame.reset_index(drop=True)


def numbers(**values):
    return {"numbers": edited("numbers", {name: {"value": v} for name, v in values.items()})}


def gain(game, state, p=A):
    """Points beyond those of a position in which a player owns nothing but his track."""
    return int(game.scores(state)[p]) - int(state.vp[p])


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


def at_work(card, place, goods, *, tiles=(), progress=0, **parts):
    """The one stone of A stands on a slot of an area with this building."""
    game, state = table_of(**parts)
    if card != "MINE":
        own(state, A, **{f"a{place[0]}": card})
    hold(state, A, **goods)
    has_tiles(state, A, *tiles)
    state.progress[A] = progress
    stones(game, state, place)
    return game, state


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


def goods_from(card, place, good, **position_parts):
    """Goods that the slot yields, and how many goods replace the missing helpers."""
    game, state = at_work(card, place, {"shoes": 20}, **position_parts)
    while state.decision == BEGIN:
        game.apply(state, game.legal(state)[1])
        while len(game.legal(state)) == 4:
            game.apply(state, CHOOSE_COLOUR + BLUE)
    assert game.legal(state)[0] == SKIP
    game.apply(state, game.legal(state)[1])
    pay(game, state)
    return held(state, A)[good], 20 - held(state, A)["shoes"]


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


FIRST_RING = {"L02", "L03", "L04"}
SECOND_RING = {"L05", "L06", "L07"}
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


def ready_to_build(*cards, houses=("L01",), coal=20, players=1, **parts):
    """Phase 5; a tile lies on each bonus area."""
    game, state = table_of(players, **parts)
    settle(state, A, *houses)
    hold(state, A, coal=coal)
    deal(state, A, *cards)
    state.zone_tile[: game.rules.num_zones, TILES["BT06"]] = 1
    run(game, state, BUILDING)
    return game, state


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


ARMIES = {0: [], 1: ["C076"], 2: ["C099"], 3: ["C101"], 4: ["C100", "C071"], 5: ["C102", "C072"]}
ARMIES_AGAIN = {0: [], 1: ["C077"], 2: ["C073"], 3: ["C102"], 4: [], 5: []}


def military_vp(*strengths, **options):
    game, state = table_of(len(strengths), **options)
    built_vp = {row["id"]: row["vp"] for row in game.component_rows("buildings")}
    expected, seen = [], set()
    for p, strength in enumerate(strengths):
        cards = (ARMIES_AGAIN if strength in seen else ARMIES)[strength]
        seen.add(strength)
        for i, card in enumerate(cards):
            own(state, p, *([] if card in "C071C072C073C076C077" else [card]))
            if card in "C071C072C073C076C077":
                own(state, p, **{f"a{i + 1}": card})
        expected.append(sum(built_vp[card] for card in cards))
    return [gain(game, state, p) - expected[p] for p in range(len(strengths))]


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


def in_phase_6(*specials, goods=None, cards=(), event="E01", areas=None, tables=None):
    game, state = table_of(event=event, tables=tables)
    own(state, A, *specials, **(areas or {}))
    hold(state, A, **(goods or {}))
    deal(state, A, *cards)
    run(game, state, PAYING_EVENT)
    return game, state


def use(name):
    return USE_SPECIAL + CARDS[name]


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


# What no example shows (sections 1.3, 2.1 to 2.8) -------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_each_player_starts_with_5_coal_2_stones_and_5_cards(players):
    game = sim.load("newdale", players=players)
    state = game.new(seed=3)
    for place in range(players):
        p = (state.start_player + place) % players
        for _ in range(3):
            assert (state.decision, state.to_move) == (DISCARD, p)
            assert state.num_discards == 0
            game.apply(state, game.legal(state)[-1])
    for p in range(players):
        assert held(state, p) == {"coal": 5 + 2 * (state.event == EVENTS["E05"])}
        assert state.hand_size[p] == 5 + (state.event == EVENTS["E03"])
        assert (state.stones[p], state.vp[p], state.progress[p]) == (0b11, 3, 0)
        assert state.built[p].tolist() == [MINE] + [NONE] * 7
        assert state.houses[p] == set_of([TOWNS["L01"]])
    assert state.num_discards == 3 * players
    assert len(set(state.order[:players])) == players


def test_all_24_fields_can_be_planned_and_an_area_holds_one_stone():
    game, state = table_of()
    state.stones[A] = 0b11
    run(game, state, PLANNING)
    assert len(game.legal(state)) == 24
    second = game.copy(state)
    game.apply(state, PLAN_FIELD + field_of("build"))
    assert len(game.legal(state)) == 23
    game.apply(second, PLAN_FIELD + slot(3, 1))
    assert len(game.legal(second)) == 24 - 3


def test_stones_are_carried_out_by_number_and_then_in_turn_order():
    game, state = table_of(3)
    state.start_player = B
    state.stones[:3] = 0b11
    state.vp[:3] = 10
    for p in range(3):
        hold(state, p, coal=4)
        state.plan[p, :2] = [field_of("hand_cards"), field_of("progress")][:: -1 if p == C else 1]
    run(game, state, SHOWING)
    order = []
    while state.decision == ADVANCE:
        order.append(int(state.to_move))
        assert state.hand_size[state.to_move] == (0 if state.to_move == C else 3)
        game.apply(state, TAKE_PROGRESS)
        pay(game, state)
    assert order == [C, B, A]


@pytest.mark.parametrize(
    ("event", "expected"),
    [("E01", (0, {})), ("E03", (1, {})), ("E05", (0, {"coal": 2})), ("E08", (0, {}))],
)
def test_events_of_phase_1_happen_to_every_player(event, expected):
    game, state = table_of(2, event=event)
    run(game, state, EVENT)
    for p in (A, B):
        assert (state.hand_size[p], held(state, p)) == expected
    assert state.on_display.sum() == 2 * (event == "E08")


@pytest.mark.parametrize(("event", "market"), [("E01", [6, 2, 1, 0, 0]), ("E02", [6, 1, 1, 3, 0])])
def test_the_market_is_what_is_printed_and_drawn(event, market):
    game, state = table_of(event=event, drawn="YYYYBB")
    hold(state, A, coal=4)
    stones(game, state, "progress")
    assert state.market.tolist() == market


def test_a_display_card_is_built_as_if_from_hand_but_never_discarded():
    game, state = table_of(event="E08")
    deal(state, A, "C090")
    state.pile[state.pile_size - 2 : state.pile_size] = [CARDS["C091"], CARDS["C010"]]
    state.pile[:2] = [CARDS["C001"], CARDS["C002"]]  # whatever lay on top is somewhere below
    run(game, state, EVENT)
    hold(state, A, coal=9)
    stones(game, state, (0, 0))
    game.apply(state, SKIP)
    assert game.legal(state).tolist() == [SKIP, CHAIN_UNITS]
    game.apply(state, SKIP)
    assert offered(game, state, BUILD_CARD, CARDS) >= {"C010", "C091"}
    build(game, state, "C010", "L03", area=2)
    assert state.on_display.sum() == 1
    assert state.built[A, 2] == CARDS["C010"]
    assert "C090" in hand(state, A)


@pytest.mark.parametrize(("event", "cards"), [("E01", 2), ("E07", 3)])
def test_who_does_not_build_in_phase_5_draws(event, cards):
    game, state = table_of(event=event)
    run(game, state, BUILDING)
    assert game.legal(state).tolist() == [DRAW]
    game.apply(state, DRAW)
    assert state.hand_size[A] == cards


def test_the_court_visit_sells_2_vp_once_to_each_player_in_turn_order():
    game, state = table_of(3, event="E09")
    state.start_player = C
    hold(state, C, coal=9)
    hold(state, A, coal=3)
    hold(state, B, planks=2)
    has_tiles(state, C, "BT01")
    run(game, state, PAYING_EVENT)
    for p in (C, B):
        assert (state.to_move, game.legal(state).tolist()) == (p, [SKIP, PAY_THE_EVENT])
        game.apply(state, PAY_THE_EVENT)
        pay(game, state)
    assert state.vp[:3].tolist() == [3, 5, 5]
    assert (held(state, B), held(state, C)) == ({}, {"coal": 5})
    assert (state.step, state.to_move, state.decision) == (SPECIALS, C, BEGIN)


SPECIAL_USES = [
    # building, goods and cards before, actions, goods, cards and VP after
    ("C089", {}, 0, [], {"coal": 2}, 0, 0),
    ("C091", {}, 0, [], {}, 1, 0),
    ("C093", {}, 1, ["C083", TAKE_GOOD + GOODS["bread"]], {"bread": 1}, 0, 0),
    ("C095", {"iron": 1}, 0, [PAY_GOOD + PAY_ORDER.index("iron")], {}, 0, 1),
    ("C097", {}, 2, ["C083", "C084"], {}, 0, 1),
    ("C103", {"corn": 1}, 0, [GIVE_GOOD + GOODS["corn"], TAKE_GOOD], {"coal": 1}, 0, 0),
    ("C105", {}, 0, [TAKE_GOOD], {"coal": 1}, 0, 0),
    ("C109", {}, 0, ["last"], {}, 1, 0),
]


@pytest.mark.parametrize("case", SPECIAL_USES, ids=lambda case: case[0])
def test_special_buildings_are_used_in_phase_6(case):
    special, goods, num_cards, actions, goods_after, cards_after, vp = case
    cards = ANY_CARDS[:num_cards]
    game, state = in_phase_6(special, goods=goods, cards=cards, areas={"a1": "C043"})
    assert game.legal(state).tolist() == [SKIP, use(special)]
    game.apply(state, use(special))
    for action in actions:
        if action == "last":
            action = game.legal(state)[-1]
        game.apply(state, DISCARD_CARD + CARDS[action] if isinstance(action, str) else action)
    assert (held(state, A), state.hand_size[A], state.vp[A] - 3) == (goods_after, cards_after, vp)
    assert state.decision == PLAN


def test_trading_post_and_workshop_are_limited_by_value():
    areas = {"a1": "C043", "a2": "C049", "a3": "C034"}  # bread 5, meat 4, glass 3
    game, state = in_phase_6("C103", "C105", goods={"corn": 1, "glass": 1}, areas=areas)
    trading, workshop = game.copy(state), state
    game.apply(trading, use("C103"))
    assert offered(game, trading, GIVE_GOOD, GOODS) == {"corn", "glass"}
    bread = game.copy(trading)
    game.apply(trading, GIVE_GOOD + GOODS["corn"])
    assert offered(game, trading, TAKE_GOOD, GOODS) == {"coal", "glass", "meat"}
    game.apply(bread, GIVE_GOOD + GOODS["glass"])
    assert offered(game, bread, TAKE_GOOD, GOODS) == {"coal", "meat", "bread"}
    game.apply(workshop, use("C105"))
    assert offered(game, workshop, TAKE_GOOD, GOODS) == {"coal", "glass"}
    game, state = in_phase_6("C103", goods={"coal": 1}, areas={"a1": "C049"})
    assert state.decision == PLAN, "meat is worth 3 coins more than coal"


@pytest.mark.parametrize(
    ("tile", "actions", "expected"),
    [
        ("BT01", [], ({"coal": 9 + 3}, 0, 3)),
        ("BT02", [TAKE_GOOD + GOODS["coal"]], ({"coal": 10}, 0, 3)),
        ("BT06", [], ({"coal": 9}, 2, 3)),
        ("BT07", ["pay"], ({"coal": 5}, 2, 5)),
        ("BT08", ["pay"], ({}, 2, 7)),
    ],
)
def test_a_tile_is_used_once_at_the_start_of_an_own_turn(tile, actions, expected):
    game, state = table_of()
    hold(state, A, coal=9)
    has_tiles(state, A, tile)
    run(game, state, BUILDING)
    assert game.legal(state).tolist() == [GO, USE_BOON + TILES[tile]]
    game.apply(state, USE_BOON + TILES[tile])
    for action in actions:
        pay(game, state) if action == "pay" else game.apply(state, action)
    assert (held(state, A), state.hand_size[A], state.vp[A]) == expected
    assert (tiles_of(state, A), state.decision) == ([], CARD)


def test_discount_tiles_add_up_hold_for_one_building_and_are_lost_with_the_turn():
    game, state = table_of(3)
    hold(state, A, coal=20)
    deal(state, A, "C101", "C102", "C010")
    has_tiles(state, A, "BT09", "BT09", "BT09")
    state.stones[A] = 0b111
    tile = USE_BOON + TILES["BT09"]
    stones(game, state, "build", "build", "progress", others=["hand_cards", "hand_cards"])
    apply(game, state, tile, tile, GO)
    assert build(game, state, "C101", "L03") == 9 - 6
    assert (state.to_move, state.decision, state.stone) == (A, BEGIN, 1)
    game.apply(state, GO)
    assert build(game, state, "C102", "L06") == 9
    apply(game, state, tile, SKIP)
    assert (state.step, state.to_move) == (BUILDING, A)
    assert build(game, state, "C010", "L02", area=1) == 3


def test_houses_and_areas_run_out():
    game, state = ready_to_build("C010", "C101", houses=["L01"])
    assert offered(game, state, BUILD_CARD, CARDS) == {"C010", "C101"}
    own(state, A, **{f"a{i}": f"C{i + 30:03}" for i in range(1, 8)})
    assert offered(game, state, BUILD_CARD, CARDS) == {"C101"}
    settle(state, A, *list(TOWNS)[:10])
    assert offered(game, state, BUILD_CARD, CARDS) == {"C101"}
    settle(state, A, *list(TOWNS)[:11])
    assert game.legal(state).tolist() == [DRAW]


def test_the_discards_are_shuffled_when_a_card_is_needed_and_not_before():
    game, state = table_of()
    throw_away(state, but=2)
    stones(game, state, "progress")
    assert (state.pile_size, state.num_discards) == (1, 108)
    run(game, state, BUILDING)
    game.apply(state, DRAW)
    assert (state.pile_size, state.num_discards, state.hand_size[A]) == (107, 0, 3)


# 3.5 One player -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("strength", "vp"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 4)])
def test_alone_the_army_is_measured_by_its_strength(strength, vp):
    assert military_vp(strength) == [vp]
    assert military_vp(strength, military_zero="ranked") == [vp]


def test_alone_65_vp_and_8_rations_are_the_limits():
    rules = sim.load("newdale").rules
    assert (rules.solo_total[0], rules.solo_order[0]) == (65, 8)
    other = edited("chapters", {1: {"solo_min_total": 70, "solo_min_order": 9}})
    rules = sim.load("newdale").variant(chapters=other).rules
    assert (rules.solo_total[0], rules.solo_order[0]) == (70, 9)


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


RATIONS = {"meat": 2, "bread": 2, "food": 3}


def coins_after_order(goods):
    """Section 7, `order_consumes`: by trying all sets of goods."""
    rations = sum(n * RATIONS.get(g, 0) for g, n in goods.items())
    limit = max(limit for limit in (0, 8, 20) if rations >= limit)
    all_sets = [dict(zip(goods, n, strict=True)) for n in product(*map(range, plus_1(goods)))]
    enough = [s for s in all_sets if sum(n * RATIONS.get(g, 0) for g, n in s.items()) >= limit]
    coins = [sum(n * VALUE[g] for g, n in s.items()) for s in (goods, min(enough, key=worth))]
    return coins[0] - coins[1], {0: 0, 8: 4, 20: 10}[limit]


def worth(goods):
    return sum(n * VALUE[g] for g, n in goods.items())


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


def with_persons(players=3, **options):
    persons = edited("persons", {name: {"in_chapter": 1} for name in PERSONS})
    chapters = edited("chapters", {1: {"persons": 1}})
    game = sim.load("newdale", players=players, **options)
    return game.variant(persons=persons, chapters=chapters)


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


# 4 Invariants -------------------------------------------------------------------------------------


class Watch:
    """What a game must keep from one action to the next."""

    def __init__(self, game, state):
        self.game, self.before = game, game.copy(state)
        self.events, self.discovered = {}, set()
        self.premiums = game.component_rows("towns")
        self.check(state)

    def check(self, state):
        self.check_cards(state)
        self.check_players(state)
        self.check_houses(state)
        self.check_helpers(state)
        if state.event != NONE:
            self.events.setdefault(int(state.round_number), int(state.event))
            assert self.events[int(state.round_number)] == state.event
        self.before = self.game.copy(state)

    def check_cards(self, state):
        n = self.game.players
        places = [*state.pile[: state.pile_size], *np.flatnonzero(state.in_discards)]
        places += np.flatnonzero(state.on_display).tolist()
        for p in range(n):
            own_hand = state.hand[p, : state.hand_size[p]].tolist()
            assert own_hand == sorted(own_hand)
            assert state.num_old[p] == state.is_old[own_hand].sum()
            places += [*own_hand, *state.special[p, : state.num_special[p]]]
            places += [*state.aside[p, : state.num_aside[p]]]
            places += [c for c in state.built[p] if c not in (NONE, MINE)]
        assert sorted(int(c) for c in places) == list(range(1, self.game.rules.num_cards))
        assert state.num_discards == state.in_discards.sum()

    def check_players(self, state):
        game = self.game
        for p in range(game.players):
            num_built = int((state.built[p, 1:] != NONE).sum() + state.num_special[p])
            assert num_built <= 10
            assert state.built[p, 0] == MINE
            replaces = game.options["replace_building"]
            start = size(game.rules.start_towns) if state.step > 0 or state.houses[p] else 0
            houses = size(state.houses[p]) - start
            assert houses == num_built or (replaces and houses >= num_built)
            assert size(state.houses[p]) <= 11
            assert has(state.stones[p], 0) and has(state.stones[p], 1)
            assert (
                has(state.stones[p], 2)
                or not has(state.stones[p], 3)
                or (game.options["offspring_order"] == "free")
            )
        assert (state.goods >= 0).all()
        assert (state.vp >= self.before.vp).all()
        assert (state.boon >= 0).all() and (state.zone_tile >= 0).all()
        tiles = state.zone_tile.sum() + state.boon[:, :MAX_TILES].sum()
        assert tiles <= self.before.zone_tile.sum() + self.before.boon[:, :MAX_TILES].sum()

    def check_houses(self, state):
        """A new house brings the VP of the town to the first who builds there, else none."""
        for p in range(self.game.players):
            assert state.houses[p] & self.before.houses[p] == self.before.houses[p]
            new = members(state.houses[p] & ~self.before.houses[p])
            is_start = self.game.rules.start_towns >> np.array(new, np.int64) & 1
            if len(new) == 1 and not is_start.any():
                row = self.premiums[new[0]]
                is_first = not any(has(houses, new[0]) for houses in self.before.houses)
                assert is_first == (new[0] not in self.discovered)
                self.discovered.add(new[0])
                vp = row["premium_n"] if is_first and row["premium_kind"] == "vp" else 0
                assert state.vp[p] - self.before.vp[p] == vp

    def check_helpers(self, state):
        rules = self.game.rules
        for drawn in state.drawn_helper:
            counts = np.bincount(drawn[drawn != NONE], minlength=5)
            assert (counts <= rules.helper_bag).all()
        if state.has_market:
            drawn = state.market - rules.event_print[state.event]
            row = self.game.component_rows("events")[state.event]
            from_bag = state.drawn_helper[state.round_number, : drawn.sum()]
            assert drawn.tolist() == np.bincount(from_bag, minlength=5).tolist()
            assert drawn.sum() == (row["eff_a"] if row["effect"] == "draw_helpers" else 4)
        else:
            assert not state.market.any()


def check_random_games(game, seeds):
    """Play at random and watch; return the last position of the last game."""
    for seed in seeds:
        rng = np.random.default_rng([game.players, seed])
        state = game.new(seed)
        watch = Watch(game, state)
        while len(legal := game.legal(state)):
            game.apply(state, rng.choice(legal))
            watch.check(state)
        num_rounds = int(game.rules.num_rounds[0])
        assert (state.over, state.round_number) == (FINISHED, num_rounds)
        assert sorted(watch.events) == list(range(num_rounds))
        assert len(set(watch.events.values())) == num_rounds
    return state


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_nothing_is_lost_or_doubled_in_a_random_game(players):
    check_random_games(sim.load("newdale", players=players), range(2))


OTHER_VALUES = [
    (option.name, value)
    for option in OPTIONS
    if isinstance(option.values, tuple)
    for value in option.values
    if value != option.default
]


@pytest.mark.parametrize(("name", "value"), OTHER_VALUES)
def test_nothing_is_lost_or_doubled_under_every_option_value(name, value):
    check_random_games(sim.load("newdale", players=3, **{name: value}), range(1))


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_nothing_is_lost_or_doubled_with_many_options_at_random(players):
    rng = np.random.default_rng(players)
    for seed in range(100, 112):
        options = {}
        for option in OPTIONS:
            if isinstance(option.values, tuple):
                options[option.name] = option.values[int(rng.integers(len(option.values)))]
        game = sim.load("newdale", players=players).variant(**options)
        check_random_games(game, [seed])


SANITY = [(1, 17.7, 54), (2, 18.1, 108), (3, 18.0, 162), (4, 17.8, 217)]


@pytest.mark.compiled_only
@pytest.mark.parametrize(("players", "score", "choices"), SANITY)
def test_random_play_has_the_printed_figures(players, score, choices):
    """The steps of a payment are others than those of the text: a wider margin than its own."""
    game = sim.load("newdale", players=players)
    totals = playouts.random_games(game, 10_000, seed=1)
    assert totals["points"] / totals["games"] / players == pytest.approx(score, abs=0.4)
    found = []
    for seed in range(100):
        rng, state = np.random.default_rng(seed), game.new(seed)
        found.append(0)
        while len(legal := game.legal(state)):
            found[-1] += len(legal) > 1
            game.apply(state, rng.choice(legal))
    assert np.mean(found) == pytest.approx(choices, rel=0.03)


# 8 Chapters as data -------------------------------------------------------------------------------

OTHER_TOWNS = [
    # terrain, banner, premium
    ("none", "none", "none", 0),
    ("moor", "anchor", "none", 0),
    ("coast", "bell", "vp", 2),
    ("moor", "bell", "cards", 1),
    ("coast", "anchor", "coal", 3),
    ("none", "rose", "vp", 1),
]
OTHER_EVENTS = ["E03", "E04", "E05", "E08", "E09"]


def second_chapter(players=2, **options):
    """A ring of six towns, five rounds, persons, purple helpers, rations of clothes and shoes."""
    components = sim.load("newdale").components
    towns = components["towns"].iloc[:6].copy()
    columns = ["terrain", "banner", "premium_kind", "premium_n"]
    towns["id"] = towns["name"] = [f"M{i}" for i in range(1, 7)]
    towns[columns] = OTHER_TOWNS
    roads = components["roads"].iloc[:6].copy()
    roads["a"] = [f"M{i}" for i in range(1, 7)]
    roads["b"] = [f"M{i % 6 + 1}" for i in range(1, 7)]
    areas = components["bonus_areas"].iloc[:4].copy()
    areas["area"], areas["town"] = ["Y1", "Y1", "Y2", "Y2"], ["M2", "M3", "M5", "M6"]
    orders = components["secret_orders"]
    orders["banner"] = ["anchor", "bell", "rose"] * 4
    orders["vp_per_house"] = 3
    buildings = components["buildings"]
    buildings["terrain"] = buildings["terrain"].replace(
        {"forest": "moor", "field": "coast", "hills": "moor", "river": "none"}
    )
    buildings.loc[CARDS["C034"], "need_purple"] = 1
    events = {e: {"in_chapter": int(e in OTHER_EVENTS)} for e in EVENTS}
    goods = {g: {"rations": 0} for g in RATIONS} | {g: {"rations": 4} for g in ("clothes", "shoes")}
    chapter = {"events_used": 5, "persons": 1, "tier1": 3, "tier1_vp": 2, "tier2": 9}
    chapter |= {"tier2_vp": 7, "military_first": 6, "military_second": 5, "military_third": 3}
    return sim.load("newdale", players=players, **options).variant(
        towns=towns,
        roads=roads,
        bonus_areas=areas,
        secret_orders=orders,
        buildings=buildings,
        events=edited("events", events),
        goods=edited("goods", goods),
        chapters=edited("chapters", {1: chapter}),
        persons=edited("persons", {name: {"in_chapter": 1} for name in PERSONS}),
        helpers=edited("helpers", {"purple": {"in_bag": 2}}),
    )


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_second_chapter_given_as_tables_plays_to_the_end(players):
    game = second_chapter(players)
    state = check_random_games(game, range(2))
    events = state.event_order[: len(OTHER_EVENTS)].tolist()
    assert sorted(events) == sorted(EVENTS[e] for e in OTHER_EVENTS)
    assert state.event_order[len(OTHER_EVENTS)] == NONE
    assert state.houses.max() < 1 << 6


def in_second_chapter(players=2, event="E05", drawn=MARKET_M):
    game = second_chapter(players)
    return game, position(game, event=event, drawn=drawn)


def test_rations_limits_army_and_orders_of_a_second_chapter_count():
    game, state = in_second_chapter()
    for goods, vp in [({"bread": 9}, 0), ({"shoes": 1}, 2), ({"shoes": 1, "clothes": 2}, 7)]:
        hold(state, A, **goods)
        assert gain(game, state) == vp + worth(goods) // 5
    hold(state, A)
    own(state, A, "C101")
    own(state, B, "C099")
    assert [gain(game, state, p) for p in (A, B)] == [3 + 6, 2 + 5]
    state.order[A] = 1  # bell
    state.houses[A] = 0b011111
    assert gain(game, state) == 9 + 2 * 3


def test_map_terrain_and_premiums_of_a_second_chapter_count():
    game, state = in_second_chapter()
    deal(state, A, "C010")
    hold(state, A, coal=9)
    state.zone_tile[0, 0] = state.zone_tile[1, 0] = 1
    run(game, state, BUILDING)
    apply(game, state, BUILD_CARD + CARDS["C010"])
    towns = {f"M{i + 1}": i for i in range(6)}
    assert offered(game, state, CHOOSE_TOWN_ACTION, towns) == {"M2", "M3", "M5", "M6"}
    apply(game, state, CHOOSE_TOWN_ACTION + 2, CHOOSE_AREA_ACTION + 5)
    assert payments(game, state) == [{"coal": 2}]
    pay(game, state)
    assert (state.vp[A], state.to_move) == (5, B)


@pytest.mark.parametrize(("drawn", "missing"), [("RRRP", 0), ("RRRR", 1)])
def test_purple_helpers_are_needed_and_come_from_the_bag(drawn, missing):
    game, state = in_second_chapter(players=1, drawn=drawn)
    own(state, A, a1="C034")  # 2 yellow, 1 green, now 1 purple too; E05: 3 yellow, 1 green
    hold(state, A, planks=3)
    stones(game, state, (1, 1))
    assert game.legal(state)[1] == (HIRE_HELPERS if missing else TAKE_GOODS)
    worlds = worlds_of(game, state, A, 30)
    assert any((world.drawn_helper[1:5, :4] == 4).any() for world in worlds)


@pytest.mark.parametrize(
    ("person", "actions", "expected"),
    [
        ("PE1", [], None),
        ("PE3", [], {"hand": 4}),
        ("PE4", [], {"coal": 12}),
        ("PE5", ["pay"], {"coal": 2, "vp": 7, "hand": 2}),
        ("PE6", [], None),
    ],
)
def test_persons_are_used_once_like_tiles(person, actions, expected):
    game = with_persons(players=1)
    state = position(game)
    deal(state, A, "C101")
    hold(state, A, coal=8)
    state.boon[A, MAX_TILES + PERSONS[person]] = 1
    run(game, state, BUILDING)
    assert game.legal(state).tolist() == [GO, USE_BOON + MAX_TILES + PERSONS[person]]
    game.apply(state, game.legal(state)[1])
    pay(game, state)
    assert not state.boon[A].any()
    if expected is not None:
        found = {"coal": state.goods[A, 0], "vp": state.vp[A], "hand": state.hand_size[A] - 1}
        assert {name: found[name] for name in expected} == expected
        return
    if person == "PE6":
        assert build(game, state, "C101", "L03") == 9 - 4
    else:
        hold(state, A, coal=9)
        game.apply(state, BUILD_CARD + CARDS["C101"])
        reached = offered(game, state, CHOOSE_TOWN_ACTION, TOWNS)
        assert reached == FIRST_RING | SECOND_RING | {"L08", "L09", "L10"}


def test_the_carter_serves_one_build_of_the_same_turn():
    game = with_persons(players=1)
    state = position(game)
    state.stones[A] = 0b11
    hold(state, A, coal=15)
    deal(state, A, "C093", "C101")
    carter = USE_BOON + MAX_TILES + PERSONS["PE1"]
    state.boon[A, carter - USE_BOON] = 2
    stones(game, state, "progress", "build")
    apply(game, state, carter, GO, SKIP, GO, BUILD_CARD + CARDS["C093"])
    assert offered(game, state, CHOOSE_TOWN_ACTION, TOWNS) == FIRST_RING | SECOND_RING
    game.apply(state, CHOOSE_TOWN_ACTION + TOWNS["L02"])
    pay(game, state)
    apply(game, state, carter, BUILD_CARD + CARDS["C101"])
    assert offered(game, state, CHOOSE_TOWN_ACTION, TOWNS) >= {"L09", "L11"}


def test_the_foreman_brings_two_helpers_of_free_colours():
    game = with_persons(players=1)
    state = position(game, drawn="GGGG")
    own(state, A, a1="C082")  # 3 yellow, 2 blue; the market has 2 yellow
    state.boon[A, MAX_TILES + PERSONS["PE2"]] = 1
    hold(state, A, coal=9)
    stones(game, state, (1, 1))
    game.apply(state, game.legal(state)[1])
    apply(game, state, CHOOSE_COLOUR + YELLOW, CHOOSE_COLOUR + BLUE, HIRE_HELPERS)
    pay(game, state)
    assert held(state, A) == {"coal": 9 - 3, "shoes": 2}


# 1, 5 Tables --------------------------------------------------------------------------------------


def test_the_box_of_chapter_1():
    tables = sim.load("newdale").components
    general = tables["buildings"].query("deck == 'general'")
    assert general.copies.sum() == len(general) == 110
    assert (general.kind == "production").sum() == 86
    assert tables["bonus_tiles"].copies.sum() == 40 and len(tables["bonus_tiles"]) == 10
    assert (len(tables["towns"]), len(tables["roads"])) == (19, 25)
    assert tables["bonus_areas"].area.nunique() == 7
    assert tables["towns"].is_start.sum() == 1
    assert sorted(tables["towns"].banner.value_counts()) == [1, 3, 3, 3, 3, 3, 3]
    helpers = tables["helpers"]
    assert helpers.in_bag.tolist() == [7, 6, 4, 3, 0]
    assert (helpers.colour.tolist(), helpers.in_box.sum()) == (list(COLOURS), 22)
    assert tables["events"].in_chapter.sum() == 10
    printed = tables["events"][[f"print_{colour}" for colour in COLOURS]]
    assert (printed.sum(axis=1) == 5).all()
    assert tables["secret_orders"].in_chapter.sum() == 12
    assert tables["secret_orders"].banner.value_counts().tolist() == [2] * 6
    assert (len(tables["slots"]), len(tables["progress"])) == (19, 2)
    assert tables["setup"].bonus_tiles.tolist() == [7, 9, 12, 15]
    assert tables["track"].mark.tolist() == list(range(5, 101, 5))
    assert tables["persons"].in_chapter.sum() == 0
    chapter = tables["chapters"].iloc[0]
    assert (chapter.events_used, chapter.persons, chapter.order_consumes) == (7, 0, 0)
    assert [chapter[f"military_{place}"] for place in ("first", "second", "third")] == [4, 2, 1]


def test_each_good_is_worth_what_the_rules_say():
    by_value = {1: "coal", 2: "planks flour bricks cattle corn", 3: "cloth iron glass"}
    by_value |= {4: "meat leather barrels clothes", 5: "bread windows stoves weapons"}
    by_value |= {6: "tools shoes", 7: "food"}
    assert {value: set(names.split()) for value, names in by_value.items()} == {
        value: {g for g in VALUE if VALUE[g] == value} for value in range(1, 8)
    }
    for row in sim.load("newdale").component_rows("buildings"):
        if row["good"]:
            assert row["good_value"] == VALUE[row["good"]]


BAD_TABLES = [
    ("buildings", {"C010": {"good": "gold"}}, "C010: no good 'gold'; accepted: coal, planks"),
    ("buildings", {"C038": {"chain_in2": "gold"}}, "C038: no good 'gold'; accepted: coal"),
    ("buildings", {"C010": {"chain_in1": "gold"}}, "C010: no symbol 'gold'; accepted: none, wheat"),
    ("buildings", {"C010": {"good": ""}}, "C010 produces no good; accepted: coal"),
    ("buildings", {"C010": {"copies": 2}}, "C010 has 2 copies; accepted: 1"),
    ("buildings", {"C010": {"deck": "start"}}, "one row of deck start"),
    ("buildings", {"C010": {"cost": 41}}, "column cost: 41 is not accepted; accepted: whole .* 40"),
    ("buildings", {"C010": {"effect": "fly"}}, "column effect: 'fly' is not .* accepted: none, st"),
    ("goods", {"planks": {"pay_order": 1}}, "each pay_order from 1 to 20 once"),
    ("goods", {"planks": {"value": 7}}, "a pay_order in which values never fall"),
    ("goods", {"coal": {"good": "peat"}}, "accepted: coal as the first row"),
    ("goods", {"corn": {"good": "rye"}}, "C087: no good 'corn'; accepted: coal"),
    ("roads", {"R01": {"b": "L99"}}, "roads: no town 'L99'; accepted: L01, L02"),
    ("bonus_areas", {"Z1C1": {"town": "L99"}}, "bonus_areas: no town 'L99'; accepted: L01"),
    (
        "bonus_areas",
        {f"Z{i}C{j}": {"area": f"X{i}{j}"} for i in (1, 2) for j in range(1, 4)},
        "1 to 10",
    ),
    ("towns", {"L01": {"is_start": 0}}, "none is a start town; accepted: at least one"),
    ("towns", {"L02": {"id": "L01"}}, "column id: 'L01' stands already in"),
    ("slots", {"A1S1": {"slot": 0}}, "an area has a slot twice; accepted: each at most once"),
    ("slots", {"A5S0": {"slot": 2}}, "area 5 has no slot 0"),
    ("events", {f"E{i:02}": {"in_chapter": 0} for i in range(1, 5)}, "6 rows .* has 7 rounds"),
    (
        "secret_orders",
        {f"SO{i:02}": {"in_chapter": 0} for i in range(1, 10)},
        "3 rows .* 4 players",
    ),
    ("chapters", {1: {"persons": 1}}, "persons: 0 rows are used .* accepted: one for each player"),
    ("chapters", {1: {"order_kind": "gold"}}, "'gold' is not accepted; accepted: none, rations"),
    ("helpers", {"yellow": {"colour": "pink"}}, "the rows yellow, green, red, blue, purple"),
    ("numbers", {"hand_draw": {"name": "hand"}}, "accepted: the rows stone_3_price, stone_4_price"),
    (
        "numbers",
        {"helpers_drawn": {"value": 11}},
        "helpers_drawn is not accepted; accepted: 0 to 10",
    ),
    ("setup", {4: {"discard": 9}}, "more cards are discarded than dealt"),
    ("track", {10: {"mark": 4}}, "marks in ascending order"),
    ("bonus_tiles", {"BT07": {"eff_a": 41}}, "BT07 asks for 41 coins; accepted: 0 to 40"),
    ("buildings", {"C095": {"eff_a": 70}}, "accepted:"),
]


@pytest.mark.parametrize(("table", "rows", "message"), BAD_TABLES)
def test_a_bad_table_is_refused_with_what_is_accepted(table, rows, message):
    with pytest.raises(ValueError, match=message) as error:
        sim.load("newdale", players=4).variant(**{table: edited(table, rows)})
    assert "accepted:" in str(error.value) or "stands already" in str(error.value)


def test_corn_is_needed_where_it_is_stored():
    goods = edited("goods", {"corn": {"good": "rye"}})
    buildings = edited("buildings", {card: {"good": "rye"} for card in ("C087", "C088")})
    with pytest.raises(ValueError, match="C087 stores corn; accepted: only with a good named corn"):
        sim.load("newdale").variant(goods=goods, buildings=buildings)


def test_a_missing_column_and_an_unknown_option_are_named():
    goods = sim.load("newdale").components["goods"].drop(columns="rations")
    with pytest.raises(ValueError, match="goods: the columns must be .*; missing: rations"):
        sim.load("newdale").variant(goods=goods)
    with pytest.raises(ValueError, match="mark_rule='pass' is not accepted; accepted: reach, exc"):
        sim.load("newdale", mark_rule="pass")


# 2.10 Hidden information --------------------------------------------------------------------------


def worlds_of(game, state, observer, number):
    stream = np.random.SFC64(observer).state["state"]["state"]
    return [game.view(state, observer, stream) for _ in range(number)]


def known_to(game, state, p):
    """All fields that a player sees, with his own hand, order and plan."""
    seen = game.observation(state, p)
    own_cards = (state.hand[p].tolist(), state.aside[p].tolist(), state.plan[p].tolist())
    return seen, own_cards, int(state.order[p])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_dealt_anew_never_moves_what_the_observer_knows(players):
    game = sim.load("newdale", players=players)
    rng = np.random.default_rng(players)
    for seed in range(1 if config.DISABLE_JIT else 4):
        state = game.new(seed)
        num_steps = 0
        while len(legal := game.legal(state)):
            num_steps += 1
            if num_steps % 6 == 0:
                for p in range(players):
                    for world in worlds_of(game, state, p, 2):
                        assert known_to(game, world, p) == known_to(game, state, p)
                        past = int(state.round_number) + (state.event != NONE)
                        assert (
                            world.event_order[:past].tolist() == state.event_order[:past].tolist()
                        )
                        Watch(game, world)
            game.apply(state, rng.choice(legal))


def test_in_every_world_the_player_to_move_can_do_what_he_has_begun():
    """All see how many cards are still to be discarded and which card is being built."""
    game = sim.load("newdale", players=2)
    rng = np.random.default_rng(1)
    num_bad = 0
    for seed in range(2):
        state = game.new(seed)
        while len(legal := game.legal(state)):
            for world in worlds_of(game, state, 1 - int(state.to_move), 2):
                p = int(world.to_move)
                is_there = world.on_display[world.card] or world.card in world.hand[p]
                is_building = CHOOSE_AREA <= world.building <= PUT
                num_bad += len(game.legal(world)) == 0 or (is_building and not is_there)
            game.apply(state, rng.choice(legal))
    assert num_bad == 0


def test_at_set_up_nothing_shows_which_cards_are_put_aside():
    game = sim.load("newdale", players=2)
    state = game.new(seed=1)
    other = 1 - int(state.start_player)
    for first, second in [(0, 1), (0, -1)]:
        one, another = game.copy(state), game.copy(state)
        game.apply(one, game.legal(one)[first])
        game.apply(another, game.legal(another)[second])
        assert game.observation(one, other) == game.observation(another, other)


def test_what_is_hidden_from_all_and_from_others_varies():
    game = sim.load("newdale", players=2)
    state = game.new(seed=1)
    for _ in range(4):
        game.apply(state, game.legal(state)[0])
    worlds = worlds_of(game, state, A if state.start_player == B else B, 60)
    start = int(state.start_player)
    hidden = ["pile", "event_order", "drawn_helper", "order_deck", "hand", "aside", "order"]
    for name in hidden:
        assert len({world[name].tobytes() for world in worlds}) > 5, name
    assert len({world.hand[start].tobytes() for world in worlds}) > 50
    assert {int(world.event_order[0]) for world in worlds} == set(range(10))
    banners = {int(world.order[start]) for world in worlds}
    assert banners == set(range(12)) - {int(state.order[1 - start])}


def test_bonus_tiles_that_are_out_of_the_game_are_known_to_nobody():
    game = sim.load("newdale", players=2)
    state = game.new(seed=1)
    worlds = worlds_of(game, state, A, 20)
    assert len({world.tile_order.tobytes() for world in worlds}) > 5


def after_reshuffle():
    """A drew from the new pile; B and C have held their cards since before, the mill is built."""
    game, state = table_of(3)
    deal(state, A, "C083", "C084")
    deal(state, B, "C085", "C086", "C107")
    deal(state, C, "C108", "C101")
    own(state, B, a1="C010")
    throw_away(state)
    thrown = set(np.flatnonzero(state.in_discards).tolist())
    run(game, state, BUILDING)
    game.apply(state, DRAW)
    return game, state, thrown


def test_after_a_reshuffle_old_cards_stay_out_of_the_pile():
    game, state, thrown = after_reshuffle()
    assert (state.pile_size, state.num_discards) == (len(thrown) - 2, 0)
    old_of_others = {CARDS[c] for c in ["C085", "C086", "C107", "C108", "C101"]}
    hands_of_b = set()
    for world in worlds_of(game, state, A, 100):
        assert set(world.pile[: world.pile_size].tolist()) <= thrown
        others = world.hand[B, :3].tolist() + world.hand[C, :2].tolist()
        assert set(others) == old_of_others
        hands_of_b.add(tuple(world.hand[B, :3].tolist()))
    assert len(hands_of_b) == 10, "old cards are dealt anew among themselves"
    drawn = set()
    for world in worlds_of(game, state, B, 100):
        pile = set(world.pile[: world.pile_size].tolist())
        assert pile <= thrown
        in_hand = set(world.hand[A, :4].tolist())
        assert len(in_hand & thrown) == 2
        assert in_hand - thrown < {CARDS[c] for c in ["C083", "C084", "C108", "C101"]}
        drawn |= in_hand & thrown
    assert len(drawn) > 50


def planned(first, second):
    """A has planned two stones, B one of two."""
    game, state = table_of(3)
    state.stones[:3] = 0b11
    run(game, state, PLANNING)
    apply(game, state, PLAN_FIELD + first, PLAN_FIELD + second, PLAN_FIELD + field_of("build"))
    return game, state


def test_in_planning_nothing_depends_on_the_plan_of_another_seat():
    game, state = planned(0, 1)
    other = planned(slot(0, 0), slot(7, 1))[1]
    assert game.observation(state, B) == game.observation(other, B)
    fields = set()
    for world, again in zip(
        worlds_of(game, state, B, 200), worlds_of(game, other, B, 200), strict=True
    ):
        assert world == again
        assert world.plan[B].tolist() == [field_of("build"), NONE, NONE, NONE]
        assert world.plan[C].tolist() == [NONE] * 4
        first, second = world.plan[A, :2].tolist()
        fields |= {first, second}
        areas = {(field - FIRST_SLOT) // SLOTS_PER_AREA for field in (first, second)}
        assert first != second
        assert min(first, second) < FIRST_SLOT or len(areas) == 2
    assert fields == {*range(5), *(slot(r["area"], r["slot"]) for r in slot_rows())}


def slot_rows():
    return sim.load("newdale").component_rows("slots")


def test_once_plans_are_shown_everybody_knows_them():
    game, state = planned(0, 1)
    for _ in range(3):
        game.apply(state, PLAN_FIELD + field_of("build") + (state.stone == 1) * 1)
    assert state.step != PLANNING
    for world in worlds_of(game, state, C, 5):
        assert world.shown_plan.tolist() == state.shown_plan.tolist()
        assert world.market.tolist() == state.market.tolist()
