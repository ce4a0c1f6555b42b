"""Welkin in both readings."""

from second_reading_welkin import RESOURCES, Welkin

from sim.games.welkin import components as engine
from sim.records import FINISHED, NONE

FIXED = {
    engine.NO_FLIP: ("no_flip",),
    engine.STOP: ("stop",),
    engine.DONE: ("done",),
    engine.END_TURN: ("end_turn",),
    engine.USE_THIRD: ("third",),
    engine.PRODUCE: ("produce",),
}


def set_of(number):
    """The resources of a set of production chips."""
    return tuple(word for r, word in enumerate(RESOURCES) if (number >> r) & 1)


def move_of(game, state, action):
    """The move of the slow reading that an action of the engine stands for."""
    if action in FIXED:
        return FIXED[action]
    if action < engine.USE_RETOOL:
        return ("flip", game.component_names("trade_chips")[action - engine.FLIP_CHIP])
    if action < engine.USE_GAIN:
        return ("retool", set_of(action - engine.USE_RETOOL + 1))
    if action < engine.USE_SWAP:
        return ("gain", RESOURCES[action - engine.USE_GAIN])
    if action < engine.OPEN:
        pair = divmod(action - engine.USE_SWAP, engine.SWAP_WIDTH)
        return ("swap", tuple(RESOURCES[r] for r in pair if r < len(RESOURCES)))
    if action < engine.PRODUCE:
        return ("open", game.component_names("sites")[state.face_up[action - engine.OPEN]])
    if action < engine.TAKE:
        return ("turn", set_of(action - engine.TURN_CHIPS + 1))
    if action < engine.RETURN:
        return ("take", RESOURCES[action - engine.TAKE])
    if action < engine.PLACE:
        return ("return", RESOURCES[action - engine.RETURN])
    if action < engine.SCORE:
        place, spot = divmod(action - engine.PLACE, engine.PER_PLACE)
        return ("place", place, RESOURCES[spot // 2], ("own", "wild")[spot % 2])
    return ("score", action - engine.SCORE)


class Pair:
    """See `comparison`."""

    def __init__(self, game):
        self.game = game
        self.sites = game.component_names("sites")

    def start(self, seed):
        self.state = self.game.new(seed)
        self.slow = self.slow_game(self.deal())

    def deal(self):
        """What chance has decided, in a form that any other engine can be given."""
        rules, state = self.game.rules, self.state
        sides = [rules.chip_side[i, state.side[i]] for i in range(rules.num_chips)]
        return {
            "sides": [RESOURCES[r] for r in sides],
            "deck": [self.sites[s] for s in state.deck[: rules.num_cards]],
        }

    def slow_game(self, deal, draw=None):
        """The slow reading from this deal."""
        not_its_own = ("max_turns", "deck_size", "start_money", "supply_limit")
        options = {k: v for k, v in self.game.options.items() if k not in not_its_own}
        coins = [row["coins"] for row in self.game.component_rows("seats")]
        if self.game.options["start_money"] != "by_seat":
            coins = [self.game.options["start_money"]] * len(coins)
        supply = self.game.options["supply_limit"]
        stock_limit, site_limit = (row["value"] for row in self.game.component_rows("limits"))
        return Welkin(
            self.game.players,
            deal["sides"],
            deal["deck"],
            self.game.component_rows("sites"),
            self.game.component_rows("trade_chips"),
            site_limit=site_limit,
            stock_limit=stock_limit,
            start_money=coins[: self.game.players],
            supply_limit=None if supply == "none" else supply,
            **options,
        )

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

    def position(self, state):
        """What `Welkin.position` says, of the engine."""
        rules = self.game.rules
        over = {0: "", FINISHED: "finished"}.get(int(state.over), "capped")
        sides = [rules.chip_side[i, state.side[i]] for i in range(rules.num_chips)]
        unlimited = self.game.options["supply_limit"] == "none"
        return (
            ("to_move", int(state.to_move)),
            ("over", over),
            ("sides", tuple(RESOURCES[r] for r in sides)),
            ("display", tuple(None if s == NONE else self.sites[s] for s in state.face_up)),
            ("pile", int(rules.num_cards - state.num_drawn)),
            ("supply", (None,) * 5 if unlimited else tuple(state.supply.tolist())),
            ("players", tuple(self.player(state, p) for p in range(self.game.players))),
        )

    def player(self, state, p):
        places = range(self.game.rules.limit[engine.SITE_LIMIT] + 1)
        return (
            int(state.coins[p]),
            tuple(bool((state.plus[p] >> r) & 1) for r in range(len(RESOURCES))),
            tuple(state.stock[p].tolist()),
            int(state.site_limit[p]),
            tuple(
                None
                if state.site[p, i] == NONE
                else (
                    self.sites[state.site[p, i]],
                    tuple(state.on_own[p, i].tolist()),
                    tuple(state.on_wild[p, i].tolist()),
                )
                for i in places
            ),
            tuple(state.effects[p].tolist()),
            int(state.num_finished[p]),
        )

    def differences(self):
        state, slow = self.state, self.slow
        pairs = {
            name: (mine, other)
            for (name, mine), (_, other) in zip(self.position(state), slow.position(), strict=True)
        }
        pairs |= {
            "turn": (int(state.turn), slow.turn),
            "value": (state.value.tolist(), [slow.value(word) for word in RESOURCES]),
            "scores": (self.game.scores(state).tolist(), slow.scores()),
            "ranks": (self.game.ranks(state).tolist(), slow.ranks()),
        }
        return [f"{name}: {a} in the engine, {b}" for name, (a, b) in pairs.items() if a != b]
