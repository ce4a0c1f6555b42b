"""Positions of Expedition to Newdale that are made by hand, and steps from them: for its tests."""

from itertools import product

import numpy as np

import sim
from sim.games.newdale.components import (
    BLUE,
    MAX_TILES,
    MINE,
    SLOTS_PER_AREA,
)
from sim.games.newdale.position import (
    AREA,
    BEGIN,
    BUILD_CARD,
    BUILDING,
    CHOOSE_AREA_ACTION,
    CHOOSE_COLOUR,
    CHOOSE_TOWN_ACTION,
    DISCARD_CARD,
    FIELD_NAMES,
    FIRST_SLOT,
    HELPERS_FIRST,
    ORDER,
    PAY,
    PAY_GOOD,
    PAY_HELPERS,
    PAYING_EVENT,
    PLANNING,
    SHOWING,
    SKIP,
    USE_SPECIAL,
)
from sim.records import FINISHED, NONE
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

FIRST_RING = {"L02", "L03", "L04"}
SECOND_RING = {"L05", "L06", "L07"}
RATIONS = {"meat": 2, "bread": 2, "food": 3}
ARMIES = {0: [], 1: ["C076"], 2: ["C099"], 3: ["C101"], 4: ["C100", "C071"], 5: ["C102", "C072"]}
ARMIES_AGAIN = {0: [], 1: ["C077"], 2: ["C073"], 3: ["C102"], 4: [], 5: []}


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


def ready_to_build(*cards, houses=("L01",), coal=20, players=1, **parts):
    """Phase 5; a tile lies on each bonus area."""
    game, state = table_of(players, **parts)
    settle(state, A, *houses)
    hold(state, A, coal=coal)
    deal(state, A, *cards)
    state.zone_tile[: game.rules.num_zones, TILES["BT06"]] = 1
    run(game, state, BUILDING)
    return game, state


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


def in_phase_6(*specials, goods=None, cards=(), event="E01", areas=None, tables=None):
    game, state = table_of(event=event, tables=tables)
    own(state, A, *specials, **(areas or {}))
    hold(state, A, **(goods or {}))
    deal(state, A, *cards)
    run(game, state, PAYING_EVENT)
    return game, state


def use(name):
    return USE_SPECIAL + CARDS[name]


def worth(goods):
    return sum(n * VALUE[g] for g, n in goods.items())


def with_persons(players=3, **options):
    persons = edited("persons", {name: {"in_chapter": 1} for name in PERSONS})
    chapters = edited("chapters", {1: {"persons": 1}})
    game = sim.load("newdale", players=players, **options)
    return game.variant(persons=persons, chapters=chapters)


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


def worlds_of(game, state, observer, number):
    stream = np.random.SFC64(observer).state["state"]["state"]
    return [game.view(state, observer, stream) for _ in range(number)]
