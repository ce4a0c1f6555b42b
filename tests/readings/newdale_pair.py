"""Expedition to Newdale in both readings."""

from second_reading_newdale import Newdale
from sfc64 import Sfc64

from sim.games.newdale import components
from sim.games.newdale import position as engine
from sim.records import FINISHED, NONE

FIXED = {
    engine.GO: ("go",),
    engine.TAKE_GOODS: ("take",),
    engine.HIRE_HELPERS: ("hire",),
    engine.TRADE_CARDS: ("trade",),
    engine.EXCHANGE_CARDS: ("exchange",),
    engine.HELPERS_FIRST: ("helpers_first",),
    engine.CHAIN_FIRST: ("chain_first",),
    engine.DRAW: ("draw",),
    engine.PAY_THE_EVENT: ("pay_event",),
}
SKIPS = {  # what SKIP is called in a decision
    engine.HIRE: ("leave",),
    engine.CHAIN: ("no_chain",),
    engine.TAKE_TILE: ("no_tile",),
    engine.USE: ("done",),
    engine.LAST_CHAIN: ("done",),
}
PHASES = {
    engine.DISCARDING: 0,
    engine.PERSONS: 0,
    engine.EVENT: 1,
    engine.PLANNING: 2,
    engine.STONES: 4,
    engine.BUILDING: 5,
    engine.PAYING_EVENT: 6,
    engine.SPECIALS: 6,
    engine.NEXT_ROUND: 6,
    engine.LAST_CHAINS: 7,
}


def field_of(number):
    """A field as the slow reading calls it."""
    if number < engine.FIRST_SLOT:
        return engine.FIELD_NAMES[number]
    return divmod(int(number) - engine.FIRST_SLOT, components.SLOTS_PER_AREA)


def move_of(game, state, action):
    """The move of the slow reading that an action of the engine stands for."""
    if action == engine.SKIP:
        return SKIPS.get(int(state.decision), ("skip",))
    if action in FIXED:
        return FIXED[action]
    names = game.component_names
    boons = names("bonus_tiles")
    for first, size, make in (
        (engine.USE_BOON, components.MAX_TILES, lambda i: ("tile", boons[i])),
        (
            engine.USE_BOON + components.MAX_TILES,
            components.MAX_PERSONS,
            lambda i: ("tile", names("persons")[i]),
        ),
        (engine.CHOOSE_PERSON, components.MAX_PERSONS, lambda i: ("person", names("persons")[i])),
        (
            engine.PLAN_FIELD,
            engine.NUM_FIELDS,
            lambda i: ("plan", int(state.stone) + 1, field_of(i)),
        ),
        (engine.BUY_STONE, 4, lambda i: ("buy", i + 1)),
        (engine.TAKE_PROGRESS, 2, lambda i: ("progress", names("progress")[i])),
        (engine.DISCARD_CARD, components.MAX_CARDS, lambda c: ("discard", names("buildings")[c])),
        (engine.KEEP_CARD, components.MAX_CARDS, lambda c: ("keep", names("buildings")[c])),
        (engine.BUILD_CARD, components.MAX_CARDS, lambda c: ("build", names("buildings")[c])),
        (engine.USE_SPECIAL, components.MAX_CARDS, lambda c: ("use", names("buildings")[c])),
        (engine.CHOOSE_TOWN_ACTION, components.MAX_TOWNS, lambda t: ("town", names("towns")[t])),
        (engine.CHOOSE_AREA_ACTION, components.NUM_AREAS, lambda a: ("area", a)),
        (engine.TAKE_FROM_ZONE, components.MAX_ZONES, lambda z: ("take_tile", zones(game)[z])),
        (engine.PICK_KIND, components.MAX_TILES, lambda i: ("pick", boons[i])),
        (
            engine.PAY_GOOD,
            components.MAX_GOODS,
            lambda i: ("pay", names("goods")[game.rules.good_at[i]]),
        ),
        (engine.GIVE_GOOD, components.MAX_GOODS, lambda g: ("give", names("goods")[g])),
        (engine.TAKE_GOOD, components.MAX_GOODS, lambda g: ("good", names("goods")[g])),
        (
            engine.CHOOSE_COLOUR,
            components.NUM_CHOSEN,
            lambda c: ("helper", components.COLOURS[c]),
        ),
        (engine.CHAIN_UNITS, components.MAX_CHAIN, lambda k: ("chain", k + 1)),
        (engine.CHAIN_AREA, components.NUM_AREAS, lambda a: ("last_chain", a)),
    ):
        if first <= action < first + size:
            return make(action - first)
    raise ValueError(action)


def zones(game):
    return list(dict.fromkeys(row["area"] for row in game.component_rows("bonus_areas")))


def map_rows(game):
    """Towns, roads and bonus areas as one table of records."""
    rows = [{"record": "location", **row} for row in game.component_rows("towns")]
    rows += [{"record": "edge", **row} for row in game.component_rows("roads")]
    rows += [{"record": "zone", "id": zone} for zone in zones(game)]
    return rows + [
        {"record": "zone_corner", "id": row["id"], "a": row["area"], "b": row["town"]}
        for row in game.component_rows("bonus_areas")
    ]


class Shuffle:
    """Makes new piles with the stream of the match, the last card of the table first."""

    def __init__(self, names, words):
        self.names, self.stream = names, Sfc64(words)

    def __call__(self, cards):
        pile = sorted(cards, key=self.names.index, reverse=True)
        for i in range(len(pile) - 1, 0, -1):
            j = self.stream.below(i + 1)
            pile[i], pile[j] = pile[j], pile[i]
        return pile[::-1]  # the top of the engine's pile is its last card


class Pair:
    """See `comparison`."""

    def __init__(self, game):
        self.game = game
        self.options = {k: v for k, v in game.options.items() if k != "max_turns"}
        names = ("buildings", "events", "bonus_tiles", "secret_orders", "progress", "slots")
        self.tables = {name: game.component_rows(name) for name in names}
        self.tables |= {n: game.component_rows(n) for n in ("actions", "setup", "track", "persons")}
        self.tables["map"] = map_rows(game)
        self.tables["helpers"] = game.component_rows("helpers")
        chapter = dict(game.component_rows("chapters")[0])
        places = ("military_first", "military_second", "military_third")
        chapter["military_vp"] = ";".join(str(chapter[place]) for place in places)
        self.tables["chapters"] = [chapter]
        self.tables["goods"] = [
            row | {f"rations_ch{chapter['chapter']}": row["rations"]}
            for row in game.component_rows("goods")
        ]

    def start(self, seed):
        self.state = self.game.new(seed)
        self.slow = self.slow_game(self.deal())

    def deal(self):
        """What chance has decided ahead, in a form that any other engine can be given."""
        state, rules, names = self.state, self.game.rules, self.game.component_names
        players = range(self.game.players)
        cards = names("buildings")
        order = [(int(state.start_player) + i) % self.game.players for i in players]
        hands = [[*state.hand[p][: state.hand_size[p]], *state.aside[p]] for p in order]
        hands = [[c for c in hand if c > 0] for hand in hands]  # the Coal Mine is in no hand
        pile = [c for hand in hands for c in hand] + state.pile[: state.pile_size].tolist()[::-1]
        return {
            "start": int(state.start_player),
            "events": [names("events")[e] for e in state.event_order if e != NONE],
            "tiles": [names("bonus_tiles")[i] for i in state.tile_order if i != NONE],
            "pile": [cards[c] for c in pile],
            "orders": [names("secret_orders")[state.order[p]] for p in players],
            "helpers": [
                [components.COLOURS[c] for c in drawn if c != NONE]
                for drawn in state.drawn_helper[: rules.num_rounds[0]]
            ],
            "persons": [name for i, name in enumerate(names("persons")) if state.person_left[i]],
            "chance": [int(word) for word in state.chance],
        }

    def slow_game(self, deal, draw=None):
        """The slow reading from this deal."""
        shuffle = Shuffle(self.game.component_names("buildings"), deal["chance"])
        return Newdale(self.game.players, deal, shuffle, self.tables, **self.options)

    def moves(self):
        return {
            move_of(self.game, self.state, action): action
            for action in self.game.legal(self.state).tolist()
        }

    def slow_moves(self):
        return self.slow.moves()

    def play(self, move):
        self.game.apply(self.state, self.moves()[move])
        self.slow.play(move)

    @property
    def is_over(self):
        return bool(self.state.over)

    def places(self):
        """Of one player whether the game is won."""
        if self.game.players > 1:
            return self.slow.ranks()
        return [1 if self.slow.is_won() else 2]

    def position(self, state):
        """What `Newdale.position` says, of the engine."""
        game, rules, names = self.game, self.game.rules, self.game.component_names
        cards, players = names("buildings"), range(game.players)
        towns, tiles = names("towns"), names("bonus_tiles")
        houses = [
            [p for p in players if (int(state.houses[p]) >> t) & 1] for t in range(len(towns))
        ]
        premiums = tuple(
            name
            for t, name in enumerate(towns)
            if rules.town_premium[t] and not houses[t] and self.can_discover(t)
        )
        return (
            ("to_move", int(state.to_move)),
            ("over", "finished" if state.over == FINISHED else ""),
            ("round", int(state.round_number) + 1),
            ("phase", PHASES[int(state.step)]),
            ("start", int(state.start_player)),
            ("event", None if state.event == NONE else names("events")[state.event]),
            ("market", tuple(state.market.tolist()) if state.has_market else None),
            ("pile", int(state.pile_size)),
            ("discards", flagged(cards, state.in_discards)),
            ("display", flagged(cards, state.on_display)),
            (
                "areas",
                tuple(
                    tuple(sorted(name for i, name in enumerate(tiles) for _ in range(zone[i])))
                    for zone in state.zone_tile[: rules.num_zones]
                ),
            ),
            ("houses", tuple(map(tuple, houses))),
            ("premiums", premiums),
            ("players", tuple(self.player(state, p) for p in players)),
        )

    def can_discover(self, t):
        is_start = (int(self.game.rules.start_towns) >> t) & 1
        return not is_start or self.options["premium_start_town"]

    def player(self, state, p):
        rules, names = self.game.rules, self.game.component_names
        cards = names("buildings")
        boons = [(i, name) for i, name in enumerate(names("bonus_tiles"))]
        boons += [(components.MAX_TILES + i, name) for i, name in enumerate(names("persons"))]
        setup = rules.setup_houses[self.game.players - 1]
        plan = [(s + 1, f) for s, f in enumerate(state.plan[p]) if f != NONE]
        if state.step != engine.PLANNING or self.options["planning"] == "sequential":
            plan = [(s + 1, f) for s, f in enumerate(state.shown_plan[p]) if f != NONE]
        return (
            int(state.vp[p]),
            int(setup) - int(state.houses[p]).bit_count(),
            tuple(state.goods[p, : rules.num_goods].tolist()),
            tuple(sorted(cards[c] for c in state.hand[p, : state.hand_size[p]])),
            names("secret_orders")[state.order[p]],
            tuple(s + 1 for s in range(4) if (state.stones[p] >> s) & 1),
            tuple(n for i, n in enumerate(names("progress")) if (state.progress[p] >> i) & 1),
            tuple(sorted(name for i, name in boons for _ in range(state.boon[p, i]))),
            tuple(None if c == NONE else cards[c] for c in state.built[p]),
            tuple(sorted(cards[c] for c in state.special[p] if c != NONE)),
            tuple((stone, field_of(field)) for stone, field in plan),
        )

    def differences(self):
        state, slow = self.state, self.slow
        pairs = {
            name: (mine, other)
            for (name, mine), (_, other) in zip(self.position(state), slow.position(), strict=True)
            if not state.over or name not in ("to_move", "phase")
        }
        pairs |= {
            "scores": (self.game.scores(state).tolist(), slow.scores()),
            "ranks": (self.game.ranks(state).tolist(), self.places()),
        }
        return [f"{name}: {a} in the engine, {b}" for name, (a, b) in pairs.items() if a != b]


def flagged(names, flags):
    return tuple(sorted(name for name, flag in zip(names, flags, strict=False) if flag))
