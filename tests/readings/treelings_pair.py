"""Treelings in both readings."""

from second_reading_treelings import Treelings

from sim.games import treelings as engine


def move_of(action):
    """The move of the slow reading that an action of the engine stands for."""
    if action < engine.TAKE_SINGLES:
        return ("take", action - engine.TAKE_GUILD)
    if action == engine.TAKE_SINGLES:
        return ("take_singles",)
    if action == engine.TAKE_NOTHING:
        return ("take_nothing",)
    if action < engine.PLACE_RIGHT:
        return ("place", action - engine.PLACE_LEFT, "left")
    return ("place", action - engine.PLACE_RIGHT, "right")


class Pair:
    """See `comparison`."""

    def __init__(self, game):
        self.game = game
        self.options = {k: v for k, v in game.options.items() if k != "max_turns"}

    def start(self, seed):
        self.state = self.game.new(seed)
        self.slow = self.slow_game(self.deal())

    def deal(self):
        """What chance has decided, in a form that any other engine can be given."""
        return {"deck": self.state.deck[: self.state.deck_size].tolist()}

    def slow_game(self, deal, draw=None):
        """The slow reading from this deal."""
        return Treelings(self.game.players, deal["deck"], **self.options)

    def moves(self):
        return {move_of(action): action for action in self.game.legal(self.state).tolist()}

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
        rows = [state.row[p, : state.num_columns[p]].tolist() for p in players]
        heights = [{c: int(state.height[p, c]) for c in rows[p]} for p in players]
        pairs = {
            "over": (bool(state.over), slow.over),
            "turn": (int(state.turn), slow.turn),
            "last_round": (bool(state.last_round), slow.last_round),
            "rows": (rows, slow.rows),
            "heights": (heights, slow.heights),
            "market": (state.market.tolist(), slow.market),
            "hand": (state.hand[: self.game.players].tolist(), slow.hand),
            "num_drawn": (int(state.num_drawn), slow.num_drawn),
            "scores": (self.game.scores(state).tolist(), slow.scores()),
            "ranks": (self.game.ranks(state).tolist(), slow.ranks()),
        }
        if not state.over:
            pairs["to_move"] = (int(state.to_move), slow.to_move)
        return [f"{name}: {a} in the engine, {b}" for name, (a, b) in pairs.items() if a != b]
