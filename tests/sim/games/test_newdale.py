"""What no worked example shows: rules, invariants and hidden information (sections 1 to 4)."""

import numpy as np
import pytest
from newdale_positions import (
    ANY_CARDS,
    CARDS,
    EVENTS,
    GOODS,
    ORDERS,
    PAY_ORDER,
    TILES,
    TOWNS,
    A,
    B,
    C,
    Watch,
    apply,
    build,
    check_random_games,
    deal,
    edited,
    field_of,
    hand,
    has_tiles,
    held,
    hold,
    in_phase_6,
    military_vp,
    offered,
    own,
    pay,
    ready_to_build,
    run,
    settle,
    slot,
    stones,
    table_of,
    throw_away,
    tiles_of,
    use,
    worlds_of,
)
from numba import config

import sim
from sim import playouts
from sim.games.newdale.components import (
    MINE,
    OPTIONS,
    SLOTS_PER_AREA,
)
from sim.games.newdale.position import (
    ADVANCE,
    BEGIN,
    BUILD_CARD,
    BUILDING,
    CARD,
    CHAIN_UNITS,
    CHOOSE_AREA,
    DISCARD,
    DISCARD_CARD,
    DRAW,
    EVENT,
    FIRST_SLOT,
    GIVE_GOOD,
    GO,
    PAY_GOOD,
    PAY_THE_EVENT,
    PAYING_EVENT,
    PLAN,
    PLAN_FIELD,
    PLANNING,
    PUT,
    SHOWING,
    SKIP,
    SPECIALS,
    TAKE_GOOD,
    TAKE_PROGRESS,
    USE_BOON,
)
from sim.records import NONE
from sim.sets import set_of

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


# 4 Invariants -------------------------------------------------------------------------------------


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


# 2.10 Hidden information --------------------------------------------------------------------------


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


# Words --------------------------------------------------------------------------------------------


def test_a_hand_card_tells_all_and_a_built_one_what_still_matters():
    game, state = table_of(2)
    state.order[:2] = ORDERS["SO01"]
    deal(state, A, "C071")
    own(state, A, "C087", a1="C040")
    text = game.describe(state)
    assert "C071 Weaponsmith (ore, 13 coins, 2 off on hills, 3 VP, strength 2; " in text
    assert "2 yellow 2 green; coal + iron: weapons)" in " ".join(text.split())
    assert "1 Bakery (1 yellow 3 green; coal + flour: bread)" in text
    assert "Corn Field (put 1 corn marker" in text
    assert game.action_text(state, use("C087")).startswith("use Corn Field (put 1")
    built = game.action_text(state, BUILD_CARD + CARDS["C071"])
    assert built.startswith("build C071 Weaponsmith (ore, ")
