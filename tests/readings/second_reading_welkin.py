"""Welkin, a reading of the rules in `welkin.md`, to be read beside them.

Section numbers in the docstrings are those of `welkin.md`. Nothing is random here: the visible
sides of the trade chips and the order of the cards are given. Whatever can be recomputed is
recomputed: values from the trade chips, the supply from what lies elsewhere, the seat to move from
the number of turns.

How a moment of the game is described:
- `phase` is "before" (effects, or the action), "action" (inside the action), "gap" (between two
  scorings, `effects_timing = anytime` only) or "after" (effects, or the end of the turn);
- `decision` is "" or the decision now open: "flip", "take", "return", "place" or "score";
- `steps` are the moves made so far in that decision, `effects` the effects used so far in this
  phase: both only serve to keep the agreed order of small steps.

Rulings (where the text leaves something open)
- To move: once the game is over, `to_move` stays at the seat that made the last turn.
- Flip on opening: during this decision the place of the taken card is empty and the pile still has
  all its cards, as the flip is decided before the replacement is known. If `finish_round` is played
  and nothing is left to replace the card, the game goes on, so the flip is made as usual.
- `finish_round`: the round in which the card could not be replaced is the last one. Face-up sites
  may still be opened in it. If the guard `max_rounds` strikes at the end of that very round, the
  game is finished, not capped.
- `produce_exact = false`: any number from none up to what is due may be taken of any visible types.
  So the rule that a take must leave enough for the rest is only kept where all must be taken (the
  player may always stop). If only stopping is left, it is still an explicit move. After the last
  token due nothing more is asked. With `truncate` the upper bound is the free space.
- A surplus is returned to the limit exactly, never below; just taken tokens may be returned.
- SWAP: the returned tokens are in the supply when new ones are taken; as many must be taken.
- GAIN with `discard_down` and a full stock: the gained token itself may be the returned one.
- THIRD: "three held" is counted at each scoring, the site being scored included, and so are
  completed sites that wait for their scoring. The limit then falls back; a second THIRD can be used
  as soon as it has fallen back, even between two scorings. With another `site_limit` L read L + 1
  for three and L for two.
- `effect_same_turn = false`: an effect gained this turn is unused (and shown so), but no card that
  was completed this turn can be used before the next turn; older cards of the same effect can.
- `anytime` with several completed sites: the first thing is a scoring; effects only come between.
- Sites scored automatically are scored in the order of their places (it makes no difference).
- A site is complete when as many tokens lie on it as it has spots; the printed size is not used.
- Ties of `winner_tie` are looked at whenever the ranks are asked for, also during the game.
"""

import copy
import itertools
import math

RESOURCES = ("plant", "elemental", "animal", "metal", "gem")
EFFECTS = ("FLIP", "GAIN", "SWAP", "RETOOL", "THIRD")
EFFECT_MOVES = ("third", "flip", "retool", "gain", "swap")
FACE_UP = 5

CHOICES = {
    "overflow": ("discard_down", "truncate"),
    "flip_on_open_rule": ("optional", "mandatory"),
    "effects_timing": ("outside_action", "anytime"),
    "effect_same_turn": (True, False),
    "end_rule": ("immediate", "finish_round"),
    "winner_tie": ("shared", "completed_sites", "stock"),
    "produce_exact": (True, False),
    "gain_when_full": ("illegal", "discard_down"),
}


def no_tokens():
    """An empty heap of resource tokens."""
    return dict.fromkeys(RESOURCES, 0)


def in_order(tokens):
    """The amounts of a heap of tokens in the order of resources."""
    return tuple(tokens[resource] for resource in RESOURCES)


def from_on(resource):
    """This resource and the later ones in the order of resources."""
    return RESOURCES[RESOURCES.index(resource) :]


def sets_of_resources():
    """All 31 non-empty sets of resources."""
    sizes = range(1, len(RESOURCES) + 1)
    return [chosen for size in sizes for chosen in itertools.combinations(RESOURCES, size)]


def multisets(available, size):
    """All multisets of `size` tokens that can be taken from the available amounts."""
    kinds = [resource for resource in RESOURCES if available.get(resource, 0) > 0]
    picks = itertools.combinations_with_replacement(kinds, size)
    return [pick for pick in picks if all(pick.count(kind) <= available[kind] for kind in kinds)]


class Welkin:
    """A game of Welkin; `moves` and `play` go in small steps, `outcomes_...` in whole ones."""

    def __init__(
        self,
        players,
        sides,
        deck,
        sites,
        chips,
        *,
        site_limit=2,
        stock_limit=4,
        start_money=3,
        overflow="discard_down",
        flip_on_open_rule="optional",
        effects_timing="outside_action",
        effect_same_turn=True,
        end_rule="immediate",
        winner_tie="shared",
        supply_limit=15,
        produce_exact=True,
        gain_when_full="illegal",
        max_rounds=400,
    ):
        """Section 1 (set-up) and section 6 (options)."""
        self.site_limit = site_limit
        self.stock_limit = stock_limit
        self.overflow = overflow
        self.flip_on_open_rule = flip_on_open_rule
        self.effects_timing = effects_timing
        self.effect_same_turn = effect_same_turn
        self.end_rule = end_rule
        self.winner_tie = winner_tie
        self.supply_limit = supply_limit
        self.produce_exact = produce_exact
        self.gain_when_full = gain_when_full
        self.max_rounds = max_rounds
        self.sites = {row["id"]: self._read_site(row) for row in sites}
        self.chips = {row["chip"]: (row["side_a"], row["side_b"]) for row in chips}
        self.sides = dict(zip(self.chips, sides, strict=True))
        self.display = list(deck[:FACE_UP])
        self.pile = list(deck[FACE_UP:])
        money = [start_money] * players if isinstance(start_money, int) else list(start_money)
        self.players = [self._new_player(coins) for coins in money]
        self.turn = 0
        self.over = ""
        self.phase = "before"
        self.effects = []
        self.decision = ""
        self.steps = []
        self.due = 0
        self._check_setup(players)

    def _read_site(self, row):
        """Section 5, columns of the site table: what is printed on a card."""
        return {
            "spots": {resource: int(row[resource]) for resource in RESOURCES},
            "wild": int(row["wild"]),
            "flip_on_open": int(row["flip_on_open"]) == 1,
            "effect": row["effect"],
        }

    def _new_player(self, coins):
        """Section 1, set-up step 4."""
        return {
            "coins": coins,
            "plus": dict.fromkeys(RESOURCES, False),
            "stock": no_tokens(),
            "third": False,
            "places": [None] * (self.site_limit + 1),
            "finished": [],
        }

    def _check_setup(self, players):
        """Sections 1 and 6: refuse what cannot be set up."""
        for option, choices in CHOICES.items():
            if getattr(self, option) not in choices:
                raise ValueError(f"{option} must be one of {choices}")
        if len(self.players) != players:
            raise ValueError("start_money needs one number per seat")
        if len(self.display) < FACE_UP:
            raise ValueError("the deck needs at least five cards")
        if any(side not in self.chips[chip] for chip, side in self.sides.items()):
            raise ValueError("a trade chip cannot show that side")

    def __deepcopy__(self, memo):
        """An independent copy; only the printed cards and chips, which never change, are shared."""
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for name, value in vars(self).items():
            shared = name in ("sites", "chips")
            setattr(twin, name, value if shared else copy.deepcopy(value, memo))
        return twin

    # ---- What can be seen on the table -------------------------------------------------------

    @property
    def to_move(self):
        """Section 1, step 5: seats take turns from seat 0; at the end it stays at the last seat."""
        turn = self.turn - 1 if self.over else self.turn
        return turn % len(self.players)

    def _me(self):
        """The player whose turn it is."""
        return self.players[self.to_move]

    def value(self, resource):
        """Terms: the number of trade chips now showing the resource."""
        return list(self.sides.values()).count(resource)

    def supply(self, resource):
        """Section 4, invariants: what is neither in a stock nor on a site."""
        if self.supply_limit is None:
            return math.inf
        elsewhere = 0
        for player in self.players:
            elsewhere += player["stock"][resource]
            for site in self._sites_of(player):
                elsewhere += site["own"][resource] + site["wild"][resource]
        return self.supply_limit - elsewhere

    def _sites_of(self, player):
        """The sites a player holds."""
        return [site for site in player["places"] if site is not None]

    def _limit(self, player):
        """Sections 2.1 and 2.4, THIRD: how many sites the player may hold now."""
        return self.site_limit + 1 if player["third"] else self.site_limit

    def _stock_size(self, player):
        """The number of tokens in a player's stock."""
        return sum(player["stock"].values())

    def _visible(self, player):
        """Section 2.2, step 2: V, the resources visible on the own production chips."""
        return [resource for resource in RESOURCES if not player["plus"][resource]]

    def _is_complete(self, site):
        """Section 2.3, step 2: every spot of the site holds a token."""
        printed = self.sites[site["id"]]
        spots = sum(printed["spots"].values()) + printed["wild"]
        return sum(site["own"].values()) + sum(site["wild"].values()) == spots

    def _complete_places(self):
        """The own places whose site is complete and not yet scored."""
        places = enumerate(self._me()["places"])
        return [number for number, site in places if site is not None and self._is_complete(site)]

    def _unused(self, player, effect):
        """Section 2.4: the finished cards of a player with this effect still unused."""
        return [
            card
            for card in player["finished"]
            if card["unused"] and self.sites[card["id"]]["effect"] == effect
        ]

    def _usable(self, effect):
        """Section 2.4 and `effect_same_turn`: the own cards that may be used in this turn."""
        return [
            card
            for card in self._unused(self._me(), effect)
            if self.effect_same_turn or card["turn"] != self.turn
        ]

    def scores(self):
        """Section 3: score = coins."""
        return [player["coins"] for player in self.players]

    def ranks(self):
        """Section 3 and `winner_tie`: every seat's place; equal players share the better one."""
        keys = [(player["coins"], self._tie_break(player)) for player in self.players]
        return [1 + sum(other > key for other in keys) for key in keys]

    def _tie_break(self, player):
        """Section 6, `winner_tie`."""
        if self.winner_tie == "completed_sites":
            return len(player["finished"])
        if self.winner_tie == "stock":
            return self._stock_size(player)
        return 0

    def position(self):
        """Section 2.5: all that is public, as nested tuples."""
        limited = self.supply_limit is not None
        return (
            ("to_move", self.to_move),
            ("over", self.over),
            ("sides", tuple(self.sides.values())),
            ("display", tuple(self.display)),
            ("pile", len(self.pile)),
            ("supply", tuple(self.supply(r) if limited else None for r in RESOURCES)),
            ("players", tuple(self._player_position(player) for player in self.players)),
        )

    def _player_position(self, player):
        """Section 2.5: all that is public about one player."""
        return (
            player["coins"],
            in_order(player["plus"]),
            in_order(player["stock"]),
            self._limit(player),
            tuple(
                site and (site["id"], in_order(site["own"]), in_order(site["wild"]))
                for site in player["places"]
            ),
            tuple(len(self._unused(player, effect)) for effect in EFFECTS),
            len(player["finished"]),
        )

    # ---- Small acts, used by the small steps and by the whole ones ---------------------------

    def _turn_trade_chip(self, chip):
        """Section 2.1, step 2, and section 2.4, FLIP: the chip now shows its other side."""
        side_a, side_b = self.chips[chip]
        self.sides[chip] = side_b if self.sides[chip] == side_a else side_a

    def _turn_own_chips(self, chosen):
        """Section 2.2, step 1, and section 2.4, RETOOL: turn over own production chips."""
        plus = self._me()["plus"]
        for resource in chosen:
            plus[resource] = not plus[resource]

    def _put_site(self, site_id):
        """Section 2.1, step 1: put a site in the lowest-numbered free own place."""
        places = self._me()["places"]
        places[places.index(None)] = {"id": site_id, "own": no_tokens(), "wild": no_tokens()}

    def _use_card(self, effect):
        """Section 2.4: turn over one own card with this effect."""
        self._usable(effect)[0]["unused"] = False

    def _score_site(self, place):
        """Section 2.3, steps 2 and 3, and section 2.4, THIRD: score a completed site."""
        me = self._me()
        site = me["places"][place]
        if len(self._sites_of(me)) > self.site_limit:
            me["third"] = False
        for resource in RESOURCES:
            tokens = site["own"][resource] + site["wild"][resource]
            me["coins"] += tokens * self.value(resource)
        has_effect = self.sites[site["id"]]["effect"] in EFFECTS
        me["finished"].append({"id": site["id"], "unused": has_effect, "turn": self.turn})
        me["places"][place] = None

    def _amount_due(self):
        """Section 2.2, steps 2 and 3: how many tokens are to be produced."""
        me = self._me()
        visible = self._visible(me)
        due = min(len(RESOURCES) - len(visible), sum(self.supply(kind) for kind in visible))
        if self.overflow == "truncate":
            due = min(due, self.stock_limit - self._stock_size(me))
        return due

    # ---- Small steps: which moves are legal --------------------------------------------------

    def moves(self):
        """Section 2: all legal moves of this moment; none when the game is over."""
        if self.over:
            return []
        if self.decision:
            return self._decision_moves()
        if self.phase == "before":
            return self._effect_moves() + self._action_moves()
        if self.phase == "gap":
            return self._effect_moves() + self._score_moves()
        return [*self._effect_moves(), ("end_turn",)]

    def _decision_moves(self):
        """Section 2: the moves of the decision now open."""
        if self.decision == "flip":
            return self._flip_on_open_moves()
        if self.decision == "turn":
            return self._turn_moves()
        if self.decision == "take":
            return self._take_moves()
        if self.decision == "return":
            return self._return_moves()
        if self.decision == "place":
            return [*self._place_moves(), ("done",)]
        return self._score_moves()

    def _effect_moves(self):
        """Section 2.4: usable effects, in the agreed order within one phase."""
        moves = (
            self._third_moves()
            + self._flip_moves()
            + self._retool_moves()
            + self._gain_moves()
            + self._swap_moves()
        )
        if not self.effects:
            return moves
        latest = self._effect_order(self.effects[-1])
        return [move for move in moves if self._effect_order(move) >= latest]

    def _effect_order(self, move):
        """Agreed order within a phase: THIRD, FLIPs, RETOOLs, then GAIN and SWAP as one likes."""
        if move[0] == "third":
            return (0, 0)
        if move[0] == "flip":
            return (1, list(self.chips).index(move[1]))
        if move[0] == "retool":
            return (2, sum(2 ** RESOURCES.index(resource) for resource in move[1]))
        return (3, 0)

    def _third_moves(self):
        """Section 2.4, THIRD: only while the limit is the usual one."""
        return [("third",)] if self._usable("THIRD") and not self._me()["third"] else []

    def _flip_moves(self):
        """Section 2.4, FLIP: any trade chip."""
        return [("flip", chip) for chip in self.chips] if self._usable("FLIP") else []

    def _retool_moves(self):
        """Section 2.4, RETOOL: any non-empty set of own production chips."""
        return (
            [("retool", chosen) for chosen in sets_of_resources()] if self._usable("RETOOL") else []
        )

    def _gain_is_legal(self):
        """Section 2.4, GAIN, and `gain_when_full`."""
        has_room = self._stock_size(self._me()) < self.stock_limit
        return bool(self._usable("GAIN")) and (has_room or self.gain_when_full == "discard_down")

    def _gain_moves(self):
        """Section 2.4, GAIN: any token the supply has."""
        if not self._gain_is_legal():
            return []
        return [("gain", resource) for resource in RESOURCES if self.supply(resource) > 0]

    def _swap_moves(self):
        """Section 2.4, SWAP: return one or two tokens of the own stock."""
        if not self._usable("SWAP"):
            return []
        stock = self._me()["stock"]
        return [("swap", returned) for size in (1, 2) for returned in multisets(stock, size)]

    def _action_moves(self):
        """Section 2: one of the actions O, P, U."""
        return [*self._open_moves(), ("produce",), *self._place_moves()]

    def _open_moves(self):
        """Section 2.1, step 1: any face-up site, if the limit leaves room for it."""
        me = self._me()
        if len(self._sites_of(me)) >= self._limit(me):
            return []
        return [("open", site_id) for site_id in self.display if site_id is not None]

    def _flip_on_open_moves(self):
        """Section 2.1, step 2, and `flip_on_open_rule`."""
        flips = [("flip", chip) for chip in self.chips]
        return flips if self.flip_on_open_rule == "mandatory" else [*flips, ("no_flip",)]

    def _turn_moves(self):
        """Section 2.2, step 1: any affordable non-empty set of own chips, the first one is free."""
        coins = self._me()["coins"]
        return [("turn", chosen) for chosen in sets_of_resources() if len(chosen) - 1 <= coins]

    def _take_moves(self):
        """Section 2.2, step 3, and section 2.4, SWAP: the next token in the order of resources."""
        producing = self.phase == "action"
        may_stop = producing and not self.produce_exact
        kinds = self._visible(self._me()) if producing else RESOURCES
        still_due = self.due - len(self.steps)
        moves = []
        for resource in from_on(self.steps[-1][1]) if self.steps else RESOURCES:
            later = sum(self.supply(kind) for kind in from_on(resource) if kind in kinds)
            enough = may_stop or later >= still_due
            if resource in kinds and self.supply(resource) > 0 and enough:
                moves.append(("take", resource))
        return [*moves, ("stop",)] if may_stop else moves

    def _return_moves(self):
        """Section 2.2, step 4, and `gain_when_full`: the next token in the order of resources."""
        stock = self._me()["stock"]
        surplus = self._stock_size(self._me()) - self.stock_limit
        return [
            ("return", resource)
            for resource in (from_on(self.steps[-1][1]) if self.steps else RESOURCES)
            if stock[resource] > 0 and sum(stock[kind] for kind in from_on(resource)) >= surplus
        ]

    def _has_open_spot(self, site, resource, spot):
        """Section 2.3, step 1: a free own-colour spot of the resource, or a free wild spot."""
        printed = self.sites[site["id"]]
        if spot == "own":
            return site["own"][resource] < printed["spots"][resource]
        return sum(site["wild"].values()) < printed["wild"]

    def _placements(self):
        """Section 2.3, step 1: every single token that could be placed, in the agreed order."""
        me = self._me()
        return [
            ("place", place, resource, spot)
            for place, site in enumerate(me["places"])
            for resource in RESOURCES
            for spot in ("own", "wild")
            if site and me["stock"][resource] > 0 and self._has_open_spot(site, resource, spot)
        ]

    def _place_moves(self):
        """Section 2.3, step 1: the first token, or the next one in the agreed order."""
        moves = self._placements()
        if not self.steps:
            return moves
        latest = self._place_order(self.steps[-1])
        return [move for move in moves if self._place_order(move) >= latest]

    def _place_order(self, move):
        """Agreed order of the tokens placed: place, resource, own before wild."""
        _, place, resource, spot = move
        return (place, RESOURCES.index(resource), ("own", "wild").index(spot))

    def _score_moves(self):
        """Section 6, `effects_timing = anytime`: the completed sites still to be scored."""
        return [("score", place) for place in self._complete_places()]

    # ---- Small steps: what a move does -------------------------------------------------------

    def play(self, move):
        """Section 2: make one legal move."""
        if move not in self.moves():
            raise ValueError(f"illegal move: {move!r}")
        if self.decision:
            self._play_decision(move)
        elif move[0] in EFFECT_MOVES:
            self._play_effect(move)
        elif move[0] == "score":
            self._play_score(move)
        elif move[0] == "end_turn":
            self._end_turn()
        else:
            self._play_action(move)

    def _play_decision(self, move):
        """Section 2: one step of the decision now open."""
        if self.decision == "flip":
            self._play_flip_on_open(move)
        elif self.decision == "turn":
            self._play_turn(move[1])
        elif self.decision == "take":
            self._play_take(move)
        elif self.decision == "return":
            self._play_return(move)
        elif self.decision == "place":
            self._play_place(move)
        else:
            self._play_score(move)

    def _open_decision(self, decision):
        """A decision opens, no step of it has been made."""
        self.decision = decision
        self.steps = []

    def _close_decision(self):
        """A decision is closed; one inside the action was the last of the action."""
        self._open_decision("")
        if self.phase == "action":
            self._begin_phase("after")

    def _begin_phase(self, phase):
        """Section 2: a phase begins, no effect has been used in it."""
        self.phase = phase
        self.effects = []

    def _play_effect(self, move):
        """Section 2.4: use one effect."""
        self._use_card(move[0].upper())
        self.effects.append(move)
        if move[0] == "third":
            self._me()["third"] = True
        elif move[0] == "flip":
            self._turn_trade_chip(move[1])
        elif move[0] == "retool":
            self._turn_own_chips(move[1])
        elif move[0] == "gain":
            self._me()["stock"][move[1]] += 1
            self._begin_returning()
        else:
            self._play_swap(move[1])

    def _play_swap(self, returned):
        """Section 2.4, SWAP: return first, then take as many."""
        for resource in returned:
            self._me()["stock"][resource] -= 1
        self._begin_taking(len(returned))

    def _play_action(self, move):
        """Section 2: begin the action."""
        self._begin_phase("action")
        if move[0] == "open":
            self._play_open(move[1])
        elif move[0] == "produce":
            self._open_decision("turn")
        else:
            self._open_decision("place")
            self._play_place(move)

    def _play_open(self, site_id):
        """Section 2.1, and section 3 for the end."""
        self.display[self.display.index(site_id)] = None
        self._put_site(site_id)
        if not self.pile and self.end_rule == "immediate":
            self._begin_phase("after")
            self._finish_turn("finished")
        elif self.sites[site_id]["flip_on_open"]:
            self._open_decision("flip")
        else:
            self._replace_card()

    def _play_flip_on_open(self, move):
        """Section 2.1, step 2."""
        if move[0] == "flip":
            self._turn_trade_chip(move[1])
        self._replace_card()

    def _replace_card(self):
        """Section 2.1, step 3; while the pile has cards only one place of the display is empty."""
        if self.pile:
            self.display[self.display.index(None)] = self.pile.pop(0)
        self._close_decision()

    def _play_turn(self, chosen):
        """Section 2.2, steps 1 and 2."""
        self._me()["coins"] -= len(chosen) - 1
        self._turn_own_chips(chosen)
        self._begin_taking(self._amount_due())

    def _begin_taking(self, due):
        """Section 2.2, step 3, and section 2.4, SWAP: so many tokens are to be taken."""
        self.due = due
        self._open_decision("take")
        if due == 0:
            self._begin_returning()

    def _play_take(self, move):
        """Section 2.2, step 3, and section 2.4, SWAP."""
        if move[0] == "take":
            self._me()["stock"][move[1]] += 1
            self.steps.append(move)
        if move[0] == "stop" or len(self.steps) == self.due:
            self._begin_returning()

    def _begin_returning(self):
        """Section 2.2, step 4, and `gain_when_full`: go on only if there is a surplus."""
        self._open_decision("return")
        self._end_returning()

    def _play_return(self, move):
        """Section 2.2, step 4, and `gain_when_full`."""
        self._me()["stock"][move[1]] -= 1
        self.steps.append(move)
        self._end_returning()

    def _end_returning(self):
        """Section 2.2, step 4: the decision is over once the stock is within its limit."""
        if self._stock_size(self._me()) <= self.stock_limit:
            self._close_decision()

    def _play_place(self, move):
        """Section 2.3, step 1."""
        if move[0] == "done":
            self._score_all()
            return
        _, place, resource, spot = move
        self._me()["stock"][resource] -= 1
        self._me()["places"][place][spot][resource] += 1
        self.steps.append(move)

    def _score_all(self):
        """Section 2.3, step 2, and `effects_timing`: score, or let the player choose the order."""
        places = self._complete_places()
        if self.effects_timing == "anytime" and len(places) > 1:
            self._open_decision("score")
            return
        for place in places:
            self._score_site(place)
        self._close_decision()

    def _play_score(self, move):
        """Section 6, `effects_timing = anytime`: one scoring, then a gap or the action's end."""
        self._score_site(move[1])
        self._open_decision("")
        self._begin_phase("gap" if self._complete_places() else "after")

    def _end_turn(self):
        """Section 3: the end of a turn, with `finish_round` and `max_rounds`."""
        last_seat = self.to_move == len(self.players) - 1
        rounds = (self.turn + 1) // len(self.players)
        if last_seat and None in self.display:
            self._finish_turn("finished")
        elif last_seat and rounds >= self.max_rounds:
            self._finish_turn("capped")
        else:
            self._finish_turn("")

    def _finish_turn(self, over):
        """Section 2: the turn is completed; the next one begins unless the game is over."""
        self.turn += 1
        self.over = over
        self._begin_phase("before")

    # ---- Whole steps, for checking the small ones --------------------------------------------

    def _require_beginning(self):
        """The whole steps start where an action could be chosen."""
        if self.over or self.decision or self.phase != "before":
            raise ValueError("only before the action of a turn")

    def outcomes_of_action(self):
        """Section 2: every position in which one action O, P or U, without effects, may end."""
        self._require_beginning()
        if self.effects_timing == "anytime":
            raise NotImplementedError("effects may come inside the action")
        games = itertools.chain(
            self._whole_openings(), self._whole_productions(), self._whole_uses()
        )
        return {game.position() for game in games}

    def _whole_openings(self):
        """Section 2.1: every site with every flip it allows."""
        me = self._me()
        if len(self._sites_of(me)) >= self._limit(me):
            return
        for place, site_id in enumerate(self.display):
            for chip in self._whole_flips(site_id) if site_id else ():
                game = copy.deepcopy(self)
                game._put_site(site_id)
                if chip:
                    game._turn_trade_chip(chip)
                game.display[place] = game.pile.pop(0) if game.pile else None
                if not self.pile and self.end_rule == "immediate":
                    game.over = "finished"
                    game.turn += 1
                yield game

    def _whole_flips(self, site_id):
        """Section 2.1, step 2: the chips that may be turned over on opening; None for no chip."""
        ended = not self.pile and self.end_rule == "immediate"
        if ended or not self.sites[site_id]["flip_on_open"]:
            return [None]
        return list(self.chips) if self.flip_on_open_rule == "mandatory" else [None, *self.chips]

    def _whole_productions(self):
        """Section 2.2: every set F with every multiset taken and every surplus returned."""
        for chosen in sets_of_resources():
            if len(chosen) - 1 > self._me()["coins"]:
                continue
            paid = copy.deepcopy(self)
            paid._me()["coins"] -= len(chosen) - 1
            paid._turn_own_chips(chosen)
            for stock in paid._stocks_after_production():
                game = copy.deepcopy(paid)
                game._me()["stock"] = dict(zip(RESOURCES, stock, strict=True))
                yield game

    def _stocks_after_production(self):
        """Section 2.2, steps 2 to 4: every stock that the chips as they lie now may lead to."""
        stock = self._me()["stock"]
        available = {kind: self.supply(kind) for kind in self._visible(self._me())}
        due = self._amount_due()
        stocks = set()
        for size in [due] if self.produce_exact else range(due + 1):
            for taken in multisets(available, size):
                held = {kind: stock[kind] + taken.count(kind) for kind in RESOURCES}
                stocks.update(self._stocks_after_returning(held))
        return stocks

    def _stocks_after_returning(self, held):
        """Section 2.2, step 4: every stock after the surplus, if any, has been returned."""
        surplus = max(0, sum(held.values()) - self.stock_limit)
        return {
            tuple(held[kind] - returned.count(kind) for kind in RESOURCES)
            for returned in multisets(held, surplus)
        }

    def _whole_uses(self):
        """Section 2.3: every choice of tokens for spots, then the scoring."""
        single = [placement[1:] for placement in self._placements()]
        for size in range(1, self._stock_size(self._me()) + 1):
            for chosen in itertools.combinations_with_replacement(single, size):
                if self._fits(chosen):
                    yield self._whole_use(chosen)

    def _fits(self, chosen):
        """Section 2.3, step 1: the stock has these tokens, and every spot gets at most one."""
        me = self._me()
        used = [resource for _, resource, _ in chosen]
        if any(used.count(resource) > me["stock"][resource] for resource in used):
            return False
        for place, site in enumerate(me["places"]):
            on_own = [kind for number, kind, spot in chosen if (number, spot) == (place, "own")]
            on_wild = [kind for number, kind, spot in chosen if (number, spot) == (place, "wild")]
            printed = self.sites[site["id"]] if site else None
            if any(site["own"][k] + on_own.count(k) > printed["spots"][k] for k in on_own):
                return False
            if on_wild and sum(site["wild"].values()) + len(on_wild) > printed["wild"]:
                return False
        return True

    def _whole_use(self, chosen):
        """Section 2.3: the game after these tokens have been placed and sites scored."""
        game = copy.deepcopy(self)
        me = game._me()
        for place, resource, spot in chosen:
            me["stock"][resource] -= 1
            me["places"][place][spot][resource] += 1
        for place in game._complete_places():
            game._score_site(place)
        return game

    def outcomes_of_effects(self):
        """Section 2.4: every position that effects, in any order, may lead to before the action."""
        self._require_beginning()
        reached = {self.position()}
        waiting = [self]
        while waiting:
            for game in waiting.pop()._whole_effects():
                if game.position() not in reached:
                    reached.add(game.position())
                    waiting.append(game)
        return reached

    def _whole_effects(self):
        """Section 2.4: the games after one more effect, in every way it can be used."""
        yield from self._whole_thirds()
        yield from self._whole_chip_flips()
        yield from self._whole_retools()
        yield from self._whole_gains()
        yield from self._whole_swaps()

    def _after_using(self, effect):
        """A copy of the game in which one own card with this effect has been turned over."""
        game = copy.deepcopy(self)
        game._use_card(effect)
        return game

    def _whole_thirds(self):
        """Section 2.4, THIRD."""
        if self._usable("THIRD") and self._limit(self._me()) == self.site_limit:
            game = self._after_using("THIRD")
            game._me()["third"] = True
            yield game

    def _whole_chip_flips(self):
        """Section 2.4, FLIP."""
        for chip in self.chips if self._usable("FLIP") else ():
            game = self._after_using("FLIP")
            game._turn_trade_chip(chip)
            yield game

    def _whole_retools(self):
        """Section 2.4, RETOOL."""
        for chosen in sets_of_resources() if self._usable("RETOOL") else ():
            game = self._after_using("RETOOL")
            game._turn_own_chips(chosen)
            yield game

    def _whole_gains(self):
        """Section 2.4, GAIN, and `gain_when_full`."""
        stock = self._me()["stock"]
        for resource in RESOURCES if self._gain_is_legal() else ():
            if self.supply(resource) > 0:
                held = {**stock, resource: stock[resource] + 1}
                for rest in self._stocks_after_returning(held):
                    game = self._after_using("GAIN")
                    game._me()["stock"] = dict(zip(RESOURCES, rest, strict=True))
                    yield game

    def _whole_swaps(self):
        """Section 2.4, SWAP: return one or two, then take as many of what the supply then has."""
        stock = self._me()["stock"]
        for size in (1, 2) if self._usable("SWAP") else ():
            for back in multisets(stock, size):
                available = {kind: self.supply(kind) + back.count(kind) for kind in RESOURCES}
                for taken in multisets(available, size):
                    game = self._after_using("SWAP")
                    for kind in RESOURCES:
                        game._me()["stock"][kind] += taken.count(kind) - back.count(kind)
                    yield game
