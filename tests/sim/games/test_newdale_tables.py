"""Chapters and components as data (sections 1, 5 and 8)."""

import pytest
from newdale_positions import (
    CARDS,
    EVENTS,
    FIRST_RING,
    MARKET_M,
    PERSONS,
    RATIONS,
    SECOND_RING,
    TOWNS,
    VALUE,
    A,
    B,
    apply,
    build,
    check_random_games,
    deal,
    edited,
    gain,
    held,
    hold,
    offered,
    own,
    pay,
    payments,
    position,
    run,
    stones,
    with_persons,
    worlds_of,
    worth,
)

import sim
from sim.games.newdale.components import (
    BLUE,
    COLOURS,
    MAX_TILES,
    YELLOW,
)
from sim.games.newdale.position import (
    BUILD_CARD,
    BUILDING,
    CHOOSE_AREA_ACTION,
    CHOOSE_COLOUR,
    CHOOSE_TOWN_ACTION,
    GO,
    HIRE_HELPERS,
    SKIP,
    TAKE_GOODS,
    USE_BOON,
)
from sim.records import NONE

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
