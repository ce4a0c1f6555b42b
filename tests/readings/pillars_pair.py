"""The Pillars of the Earth in both readings."""

from second_reading_pillars import Pillars
from sfc64 import Sfc64

from sim.games.pillars import components as engine
from sim.records import NONE
from sim.sets import members

FIXED = {
    engine.PASS: ("pass",),
    engine.STOP: ("stop",),
    engine.RETURN_BUILDER: ("return_builder",),
    engine.LET_STAND: ("let_stand",),
    engine.USE_THOMAS: ("use_thomas",),
    engine.KEEP_THOMAS: ("keep_thomas",),
    engine.USE_EXEMPTION: ("use_exemption",),
    engine.KEEP_EXEMPTION: ("keep_exemption",),
}


def move_of(game, state, action):
    """The move of the slow reading that an action of the engine stands for."""
    if action in FIXED:
        return FIXED[action]
    craftsmen = game.component_names("craftsmen")
    if action < engine.TAKE_CRAFTSMAN:
        return ("take_resource", game.component_names("resources")[action - engine.TAKE_RESOURCE])
    if action < engine.GIVE_UP:
        word = "take_craftsman" if state.step == engine.SUPPLY else "choose_craftsman"
        return (word, craftsmen[action - engine.TAKE_CRAFTSMAN])
    if action < engine.PLACE:
        word = "lose" if state.decision == engine.LOSE else "remove"
        return (word, craftsmen[action - engine.GIVE_UP])
    if action < engine.PLACE_REMIGIUS:
        return ("place", engine.SPACE_CODES[action - engine.PLACE])
    if action < engine.TAKE_CUBE:
        return ("place_remigius", engine.SPACE_CODES[action - engine.PLACE_REMIGIUS])
    if action < engine.INSPIRE_CRAFTSMAN:
        return ("bonus", engine.KIND_NAMES[action - engine.TAKE_CUBE])
    if action < engine.USE_CRAFTSMAN:
        return ("inspire", craftsmen[action - engine.INSPIRE_CRAFTSMAN])
    if action < engine.RETURN_CUBE:
        return ("use", craftsmen[action - engine.USE_CRAFTSMAN])
    if action < engine.TAKE_ADVANTAGE:
        return ("return", engine.KIND_NAMES[action - engine.RETURN_CUBE])
    if action < engine.BUY:
        cards = game.component_names("advantages")
        return ("choose_advantage", cards[action - engine.TAKE_ADVANTAGE])
    word, first = ("buy", engine.BUY) if action < engine.SELL else ("sell", engine.SELL)
    kind, number = divmod(action - first, engine.MAX_TRADE)
    return (word, engine.KIND_NAMES[kind], number + 1)


def named(names, numbers):
    return [names[number] for number in numbers]


class Draw:
    """Draws builders from the stream of the match, and the tax as it was rolled ahead."""

    def __init__(self, deal):
        self.stream, self.tax = Sfc64(deal["chance"]), list(deal["tax"])

    def __call__(self, what, bag):
        if what == "tax":
            return self.tax.pop(0)
        builders = [player for player, number in enumerate(bag) for _ in range(number)]
        return builders[self.stream.below(len(builders))]


class Pair:
    """See `comparison`."""

    def __init__(self, game):
        self.game = game
        self.options = {k: v for k, v in game.options.items() if k != "max_turns"}
        if self.options["philip_event_cap"] == "none":
            self.options["philip_event_cap"] = None
        tables = ("craftsmen", "advantages", "events", "resources", "market")
        self.tables = {
            name: [{key: str(value) for key, value in row.items()} for row in rows]
            for name in tables
            for rows in [game.component_rows(name)]
        }

    def start(self, seed):
        self.state = self.game.new(seed)
        self.slow = self.slow_game(self.deal(), self.draw)

    def deal(self):
        """What chance has decided ahead, in a form that any other engine can be given.

        The builders are drawn as they are needed, from the stream that starts with ``chance``:
        a number below that of the builders in the bag, counted from player 0 on.
        """
        state = self.state
        names = {name: self.game.component_names(name) for name in self.tables}
        cards = state.regular_order[:10].tolist() + state.last_order.tolist()
        return {
            "start": int(state.first_start),
            "events": named(names["events"], state.event_order[:6]),
            "advantages": named(names["advantages"], cards),
            "craftsmen": [named(names["craftsmen"], order) for order in state.craftsman_order],
            "omitted": [named(names["resources"], order[:2]) for order in state.resource_order],
            "tax": self.game.rules.tax_face[state.tax_roll].tolist(),
            "chance": [int(word) for word in state.chance],
        }

    def slow_game(self, deal, draw=None):
        """The slow reading from this deal; without `draw` it draws for itself."""
        dealt = {name: deal[name] for name in ("start", "events", "advantages")}
        dealt |= {name: deal[name] for name in ("craftsmen", "omitted")}
        return Pillars(
            self.game.players,
            deal=dealt,
            draw=draw or Draw(deal),
            tables=self.tables,
            **self.options,
        )

    def draw(self, what, bag):
        """Answer as chance did in the engine, which has played the move already."""
        return int(self.state.tax) if what == "tax" else int(self.state.drawn)

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

    def differences(self):
        state, slow, players = self.state, self.slow, range(self.game.players)
        names = {name: self.game.component_names(name) for name in self.tables}

        def owned(table, cards):
            return sorted(named(names[table], members(cards)))

        def by_kind(counts):
            return dict(zip(engine.KIND_NAMES, map(int, counts), strict=True))

        supply = owned("resources", state.resources_for_sale)
        supply += owned("craftsmen", state.craftsmen_for_sale)
        waiting = {c: int(p) for c, p in enumerate(state.track) if p != NONE}
        spaces = {
            code: None if p == NONE else int(p)
            for code, p in zip(engine.SPACE_CODES, state.space, strict=True)
        }
        pairs = {
            "over": (bool(state.over), slow.over),
            "round": (int(state.round_number) + 1, slow.round),
            "start_player": (int(state.start_player), slow.start_player),
            "gold": (state.gold[: len(players)].tolist(), slow.gold),
            "vp": (state.vp[: len(players)].tolist(), slow.vp),
            "cubes": ([by_kind(state.cubes[p]) for p in players], slow.cubes),
            "general": (by_kind(state.general), slow.general),
            "market": (
                by_kind(state.stock),
                {**dict.fromkeys(engine.KIND_NAMES, 0), **slow.market},
            ),
            "court_metal": (int(state.court_metal), slow.court_metal),
            "craftsmen": (
                [owned("craftsmen", state.craftsmen[p]) for p in players],
                [sorted(cards) for cards in slow.craftsmen],
            ),
            "advantages": (
                [owned("advantages", state.advantages[p]) for p in players],
                [sorted(cards) for cards in slow.advantages],
            ),
            "supply": (sorted(supply), sorted(slow.supply)),
            "spaces": (spaces, slow.spaces),
            "bag": (state.bag[: len(players)].tolist(), list(slow.bag)),
            "track": (waiting, dict(slow.track)),
            "cost": (int(state.cost), slow.cost),
            "scores": (self.game.scores(state).tolist(), slow.scores()),
            "ranks": (self.game.ranks(state).tolist(), slow.ranks()),
        }
        if state.step <= engine.PRODUCTION:
            pairs["workers"] = (state.workers[: len(players)].tolist(), list(slow.workers))
        if not state.over:
            pairs["to_move"] = (int(state.to_move), slow.to_move)
        return [f"{name}: {a} in the engine, {b}" for name, (a, b) in pairs.items() if a != b]
