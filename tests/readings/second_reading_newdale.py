"""Expedition to Newdale, chapter by chapter: the rules as one plain script.

The class `Newdale` plays the board game for 1 to 4 players as the rules text beside this file says.
Numbers in docstrings (2.5, 3.2 ...) are sections of that text. The game is written as it is played:
`script` is the whole game, and wherever a player has to decide it stops at an `ask`. `moves` shows
what was asked, `play` gives the answer and lets the script run on to the next decision. Cards,
tiles, towns and goods are known by their ids; all state is in dicts, lists and tuples. A copy of a
game is made by playing its moves again.

Rulings (where the text leaves a choice)

Set-up
- All hands are dealt (start player first, eight cards in one go) before anybody discards. Start
  houses come after the discards, as 1.3 lists them; persons are chosen last of all.
- `premium_start_town`: start houses are put down in turn order, so the start player is the one who
  discovers a start town and has its premium.
- Tiles: if the pool runs out before N tiles lie on the map, fewer lie there.

Rounds
- Effects of events, but those at once in phase 1, hold in the phase that their row names.
- Turning up cards for the display is drawing: the pile is made new for it in the same way, half
  hands included. Where there is nothing to draw, nothing is turned up.
- Event, market and personal helpers are gone in the last chains.
- A stone counts as planned until its whole action is over (with the card for a void field).
- Each pay, discard or give step takes the good or card away at once; discards lie on the discard
  pile at once (but those of the set-up), so cards thrown away by an action may come back with it.
- The black market gives its 4 coal after both cards are discarded and before the good is chosen.
- A raw chain gives its goods after the last card is discarded.
- A production building without a chain has no k; an empty area is void: nothing is asked there,
  not even with `any_time` tiles.
- `any_order`: who begins with the chain and then leaves it has had his chance.
- `hand_exchange = forced` asks no more than which card stays; with it there is no place for tiles
  of any time in that action.
- `each_shown` counts helpers as the text's formula does, colour by colour, without sharing.
- Every player has an own turn in phase 6 and in the last chains, with or without buildings to use.
- Special buildings that draw may be used though there is nothing to draw.
- Phase 5 is always asked, even if drawing is all that can be done.
- `replace_building`: the house of the old building stays in its town and the new one puts another.
  The old goods go with the old card, before the new card lies there; the new building is not yet
  "another building that makes the same good".
- `helper_any` offers yellow, green, red and blue, also where a fifth colour is played.
- `helper_yg` and `helper_rb` give eff_a of the first and eff_b of the second colour.
- With `any_time` tiles, effects for "the next step of that turn" used at a paying event are lost.
- A decision that stands open only because a tile is owned is asked even if that tile cannot be
  used now.
- Half hands: in the turn order of the running round, and again each time there is nothing to draw.

End
- `order_consumes` holds if the option or the row of the chapter says so. One-player limits and the
  chapter order count the rations before they leave.
- `mine_need = Y2R1` leaves the buildings table as it is.
- Secret orders go by the banners of the map, start towns too if they have one.
- With one player the scale of 3.5 is used whatever the options on military ties and zero are.
"""

import contextlib
import copy

OPTIONS = {  # section 7, the default first
    "planning": ("simultaneous", "sequential"),
    "payment": ("choice", "auto"),
    "extraordinary": ("any_shown", "one_colour", "each_shown"),
    "mine_need": ("Y2R1", "Y2R2"),
    "offspring_order": ("in_order", "free"),
    "hand_exchange": ("optional", "forced"),
    "black_market_second": ("needs_first", "free"),
    "chain_after_helpers": ("yes", "any_order"),
    "order_consumes": (False, True),
    "military_ties": ("share_place", "lower_place", "split"),
    "military_zero": ("no_vp", "ranked"),
    "mark_rule": ("reach", "exceed"),
    "tile_timing": ("own_turn", "any_time"),
    "premium_start_town": (False, True),
    "person_order": ("right_then_clockwise", "right_then_counterclockwise"),
    "bonus_overflow": ("discard", "stack_lowest"),
    "empty_pile": ("reshuffle", "reshuffle_then_half_hands"),
    "replace_building": (False, True),
    "display_scope": ("until_end", "round"),
}

MINE = "MINE"
COMMON_FIELDS = ("offspring", "black_market", "hand_cards", "progress", "build")
STONE_PRICE = {3: 7, 4: 13}
STONE_VP = {3: 0, 4: 3}
MARKET_CARDS, MARKET_COAL = 2, 4
HELPERS_DRAWN = 4
BUILD_RANGE, REPLACE_PRICE = 2, 3  # without any progress tile
CHAIN_BONUS = 1
PHASE5_CARDS = 2
COINS_PER_VP = 5
CHOSEN_COLOURS = ("yellow", "green", "red", "blue")
SOLO_STRENGTH = (5, 3, 1)


def number(row, column):
    """Section 5: a figure of a table; columns that are not there count as 0 (section 8)."""
    return int(row.get(column) or 0)


def minimal_payments(purse, price):
    """2.7: every payment from which no good can be left out, as tuples of goods in pay order.

    `purse` lists (good, value, how many) in pay order. Behind its first good a payment is itself
    minimal for what is left of the price; and without the first good it must fall short.
    """
    if price <= 0:
        return [()]
    values = {good: value for good, value, _ in purse}
    payments = []
    for at, (good, value, owned) in enumerate(purse):
        if owned:
            rest = [(good, value, owned - 1), *purse[at + 1 :]]
            for tail in minimal_payments(rest, price - value):
                if sum(values[other] for other in tail) < price:
                    payments.append((good, *tail))
    return payments


def cheapest_rations(markers, limit):
    """Section 7, order_consumes: fewest coins of single goods (rations, value) for `limit`."""
    cheapest = {0: 0}
    for rations, value in markers:
        for reached, coins in list(cheapest.items()):
            more = min(limit, reached + rations)
            cheapest[more] = min(cheapest.get(more, coins + value), coins + value)
    return cheapest[limit]


class Newdale:
    """One game of one chapter."""

    # ---------------------------------------------------------------- the table and the moves

    def __init__(self, players, deal, draw, tables, **options):
        """1.1, 1.2: the components, laid out by ids; then the script runs to the first decision."""
        for name, value in options.items():
            if name not in OPTIONS or value not in OPTIONS[name]:
                raise ValueError(f"no such option: {name} = {value!r}")
        if players not in (1, 2, 3, 4):
            raise ValueError("1 to 4 players")
        self.players, self.deal, self.draw, self.tables = players, copy.deepcopy(deal), draw, tables
        self.options = {name: options.get(name, values[0]) for name, values in OPTIONS.items()}
        self.read_tables()
        self.history, self.shuffles = [], []
        self.over, self.round, self.phase, self.start = "", 1, 0, deal["start"]
        self.to_move, self.offered = self.start, []
        self.event, self.drawn, self.boosts = None, None, self.no_boosts()
        self.pile, self.discards, self.display = list(deal["pile"]), [], []
        self.areas = {zone: [] for zone in self.corners}
        self.houses = {town: [] for town in self.towns}
        self.seats = [self.new_seat(seat) for seat in range(players)]
        self.running = self.script()
        next(self.running)

    def read_tables(self):
        """Section 5: the rows of the tables by their ids, in table order."""
        self.chapter = self.tables["chapters"][0]
        self.cards = {row["id"]: row for row in self.tables["buildings"]}
        self.goods = {row["good"]: row for row in self.tables["goods"]}
        self.events = {row["id"]: row for row in self.tables["events"]}
        self.colours = [row["colour"] for row in self.tables["helpers"]]
        self.progress = {row["id"]: row for row in self.tables["progress"]}
        self.orders = {row["id"]: row for row in self.tables["secret_orders"]}
        self.tiles = {row["id"]: row for row in self.tables["bonus_tiles"] + self.tables["persons"]}
        self.slots = {(int(row["area"]), int(row["slot"])): row for row in self.tables["slots"]}
        self.set_up_row = next(
            row for row in self.tables["setup"] if int(row["players"]) == self.players
        )
        rows = self.tables["map"]
        self.towns = {row["id"]: row for row in rows if row["record"] == "location"}
        self.roads = [(row["a"], row["b"]) for row in rows if row["record"] == "edge"]
        self.corners = {row["id"]: [] for row in rows if row["record"] == "zone"}
        for row in rows:
            if row["record"] == "zone_corner":
                self.corners[row["a"]].append(row["b"])

    def new_seat(self, seat):
        """1.3.6: what lies before a player at the beginning, still without hand cards."""
        row = self.set_up_row
        areas = sorted({area for area, _ in self.slots})
        return {
            "vp": number(row, "start_vp"),
            "goods": {good: number(row, "coal") if good == "coal" else 0 for good in self.goods},
            "hand": [],
            "order": self.deal["orders"][seat],
            "stones": list(range(1, number(row, "stones") + 1)),
            "progress": [],
            "tiles": [],
            "built": {area: MINE if area == 0 else None for area in areas},
            "specials": [],
            "plan": {},
        }

    def script(self):
        """Sections 1.3, 2 and 3.1: a whole chapter."""
        yield from self.set_up()
        for turn in range(1, number(self.chapter, "events_used") + 1):
            self.round = turn
            yield from self.phase_1_event()
            yield from self.phase_2_planning()
            self.phase_3_helpers()
            yield from self.phase_4_actions()
            yield from self.phase_5_build_or_draw()
            yield from self.phase_6_special_buildings()
            self.end_of_round()
        self.round += 1
        yield from self.last_chains()
        self.over, self.offered = "finished", []

    def ask(self, seat, moves):
        """A decision: the script rests here until `play` brings one of the moves."""
        self.to_move, self.offered = seat, moves
        return (yield)

    def moves(self):
        """The legal moves of the player to move."""
        return list(self.offered)

    def play(self, move):
        """Answer the open decision; the script goes on to the next one."""
        if move not in self.offered:
            raise ValueError(f"not a legal move: {move!r}")
        self.history.append(move)
        with contextlib.suppress(StopIteration):
            self.running.send(move)

    def __deepcopy__(self, memo):
        """The same game again: same deal, same shuffles, same moves."""
        shuffles = iter(self.shuffles)
        twin = Newdale(
            self.players, self.deal, lambda _: next(shuffles), self.tables, **self.options
        )
        for move in self.history:
            twin.play(move)
        twin.draw = self.draw
        return twin

    # ---------------------------------------------------------------- small questions and answers

    def turn_order(self):
        """Section 2: start player first, then clockwise."""
        return [(self.start + step) % self.players for step in range(self.players)]

    def next_of(self, seat, verb, pool, owed):
        """Several like things are chosen in ascending order: one of `pool`, then what follows it.

        Only things are offered behind which enough are left for all that is `owed`.
        """
        first = dict.fromkeys(pool[: len(pool) - owed + 1])
        _, thing = yield from self.ask(seat, [(verb, thing) for thing in first])
        return thing, pool[pool.index(thing) + 1 :]

    def decide(self, seat, possible, skip, always=False):
        """2.4, 2.8: a part that may be left out, with tiles before it if they go at any time.

        `possible` is a function that tells the moves; it is asked again after each tile. A part
        that cannot be used is skipped unasked, unless it is asked `always` or a tile is owned.
        """
        while True:
            any_time = self.options["tile_timing"] == "any_time" and self.seats[seat]["tiles"]
            moves = possible()
            if not (moves or always or any_time):
                return skip
            tiles = self.tile_moves(seat) if any_time else []
            move = yield from self.ask(seat, [*moves, skip, *tiles])
            if move[0] != "tile":
                return move
            yield from self.use_tile(seat, move[1])

    def by_table(self, cards):
        """Cards in the order of the buildings table."""
        return [card for card in self.cards if card in cards]

    def by_pay_order(self):
        """2.7: all kinds of goods by `pay_order`."""
        return sorted(self.goods, key=lambda good: number(self.goods[good], "pay_order"))

    def value(self, good):
        """2.0: the coins that one good is worth."""
        return number(self.goods[good], "value")

    def holds(self, effect):
        """2.1: does the event of the round have this effect in the phase that is played?"""
        row = self.events[self.event] if self.event else {}
        return row.get("effect") == effect and number(row, "phase") == self.phase

    def event_number(self, effect, usual):
        """2.1: `eff_a` of the event if its effect holds, else the usual number."""
        return number(self.events[self.event], "eff_a") if self.holds(effect) else usual

    # ---------------------------------------------------------------- cards

    def draw_card(self):
        """2.0: the top card; the pile is made new only when the card is needed."""
        if not self.pile:
            yield from self.new_pile()
        return self.pile.pop(0) if self.pile else None

    def new_pile(self):
        """2.0, section 7 (empty_pile): the discards are shuffled, if need be half of all hands."""
        if not self.discards and self.options["empty_pile"] == "reshuffle_then_half_hands":
            for seat in self.turn_order():
                yield from self.discard(seat, len(self.seats[seat]["hand"]) // 2)
        if self.discards:
            self.pile = list(self.draw(sorted(self.discards)))
            self.shuffles.append(list(self.pile))
            self.discards = []

    def draw_cards(self, seat, count):
        """2.0: a player draws cards into the hand, as far as there are any."""
        for _ in range(count):
            card = yield from self.draw_card()
            if card:
                self.seats[seat]["hand"].append(card)

    def discard(self, seat, count, symbol=None, to=None):
        """A player discards hand cards of his choice, for a raw chain (2.4) those of one symbol.

        They lie on the discard pile at once, or where `to` says.
        """
        pool = self.cards_with(seat, symbol)
        for owed in range(count, 0, -1):
            card, pool = yield from self.next_of(seat, "discard", pool, owed)
            self.seats[seat]["hand"].remove(card)
            (self.discards if to is None else to).append(card)

    def cards_with(self, seat, symbol=None):
        """2.0: the hand cards, or those that count as one raw material."""
        hand = self.by_table(self.seats[seat]["hand"])
        return [card for card in hand if symbol in (None, self.cards[card]["symbol"])]

    # ---------------------------------------------------------------- goods, coins, VP

    def purse(self, seat):
        """2.7: own goods as (good, value, how many) in pay order."""
        goods = self.seats[seat]["goods"]
        return [(good, self.value(good), goods[good]) for good in self.by_pay_order()]

    def coins(self, seat):
        """2.0: what all own goods are worth."""
        return sum(value * owned for _, value, owned in self.purse(seat))

    def single_goods(self, seat):
        """Own goods one by one, in pay order."""
        return [good for good, _, owned in self.purse(seat) for _ in range(owned)]

    def add(self, seat, good, count):
        """2.0: put goods on the building that makes them (or take them away)."""
        self.seats[seat]["goods"][good] += count

    def pay(self, seat, price):
        """2.7: pay a price with one of the minimal payments."""
        payments = minimal_payments(self.purse(seat), price)
        if self.options["payment"] == "auto":
            payments = [min(payments, key=self.payment_rank)]
        while payments != [()]:
            good = payments[0][0]
            if self.options["payment"] == "choice":
                first = [
                    good for good in self.by_pay_order() if any(p[0] == good for p in payments)
                ]
                _, good = yield from self.ask(seat, [("pay", good) for good in first])
            self.add(seat, good, -1)
            payments = [payment[1:] for payment in payments if payment[0] == good]

    def payment_rank(self, payment):
        """2.7: automatic payment wants the smallest total, then most of the lowest pay orders."""
        total = sum(self.value(good) for good in payment)
        return total, [-payment.count(good) for good in self.by_pay_order()]

    def pay_goods(self, seat, count):
        """2.4: goods of any kinds that replace helpers; their values do not matter."""
        pool = self.single_goods(seat)
        for owed in range(count, 0, -1):
            if self.options["payment"] == "auto":
                good, pool = pool[0], pool[1:]
            else:
                good, pool = yield from self.next_of(seat, "pay", pool, owed)
            self.add(seat, good, -1)

    def made(self, seat):
        """2.4: kinds made by own production buildings, Coal Mine included, in pay order."""
        built = [card for card in self.seats[seat]["built"].values() if card]
        kinds = [self.cards[card]["good"] for card in built]
        return [good for good in self.by_pay_order() if good in kinds]

    def choose_good(self, seat, kinds, count):
        """Add goods of one kind of the player's choice."""
        _, good = yield from self.ask(seat, [("good", good) for good in kinds])
        self.add(seat, good, count)

    def gain(self, seat, vp):
        """2.9: VP in the game; each mark passed brings its cards at once."""
        before = self.seats[seat]["vp"]
        after = self.seats[seat]["vp"] = before + vp
        beyond = 1 if self.options["mark_rule"] == "exceed" else 0
        for row in self.tables["track"]:
            if before < number(row, "mark") + beyond <= after:
                yield from self.draw_cards(seat, number(row, "cards"))

    def pay_for_vp(self, seat, row):
        """2.1, 2.6, 2.8: pay `eff_a` coins for `eff_b` VP."""
        yield from self.pay(seat, number(row, "eff_a"))
        yield from self.gain(seat, number(row, "eff_b"))

    # ---------------------------------------------------------------- 1.3 set-up

    def set_up(self):
        """1.3: tiles, hands, start houses; then persons (2.8)."""
        self.lay_out_tiles()
        for seat in self.turn_order():
            yield from self.draw_cards(seat, number(self.set_up_row, "deal"))
        yield from self.first_discards()
        yield from self.start_houses()
        if number(self.chapter, "persons"):
            yield from self.choose_persons()

    def lay_out_tiles(self):
        """1.3.3: equal tiles are stacked, others lie on the first empty area."""
        for tile in self.deal["tiles"]:
            if sum(map(len, self.areas.values())) == number(self.set_up_row, "bonus_tiles"):
                return
            same = [zone for zone in self.areas if tile in self.areas[zone]]
            empty = [zone for zone in self.areas if not self.areas[zone]]
            if same or empty:
                self.areas[(same or empty)[0]].append(tile)
            elif self.options["bonus_overflow"] == "stack_lowest":
                lowest = min(self.areas, key=lambda zone: len(self.areas[zone]))
                self.areas[lowest].append(tile)

    def first_discards(self):
        """1.3.6: all choose at once: no card is seen on the discard pile before all have chosen."""
        chosen = []
        for seat in self.turn_order():
            yield from self.discard(seat, number(self.set_up_row, "discard"), to=chosen)
        self.discards = chosen

    def start_houses(self):
        """1.3.7: a house of each player on every start town (section 7: premium_start_town)."""
        for town in self.towns:
            if number(self.towns[town], "is_start"):
                for seat in self.turn_order():
                    yield from self.put_house(seat, town)

    def choose_persons(self):
        """2.8: one person each, beginning at the right of the start player."""
        step = 1 if self.options["person_order"] == "right_then_clockwise" else -1
        left = [tile for tile in self.tiles if tile in self.deal["persons"]]
        for turn in range(self.players):
            seat = (self.start - 1 + step * turn) % self.players
            _, person = yield from self.ask(seat, [("person", person) for person in left])
            left.remove(person)
            self.seats[seat]["tiles"].append(person)

    # ---------------------------------------------------------------- 2.1 to 2.3

    def phase_1_event(self):
        """2.1: turn up the event; effects of phase 1 happen now, in turn order."""
        self.phase, self.event = 1, self.deal["events"][self.round - 1]
        for seat in self.turn_order():
            yield from self.draw_cards(seat, self.event_number("each_draw", 0))
            self.add(seat, "coal", self.event_number("each_coal", 0))
        for _ in range(self.event_number("display", 0)):
            card = yield from self.draw_card()
            if card:
                self.display.append(card)

    def phase_2_planning(self):
        """2.2: every owned stone is put on a field (section 7: planning)."""
        self.phase = 2
        stones = [(seat, s) for seat in self.turn_order() for s in self.seats[seat]["stones"]]
        if self.options["planning"] == "sequential":
            stones.sort(key=lambda pair: pair[1])  # a stable sort: seats stay in turn order
        for seat, stone in stones:
            moves = [("plan", stone, field) for field in self.free_fields(seat)]
            _, _, field = yield from self.ask(seat, moves)
            self.seats[seat]["plan"][stone] = field

    def free_fields(self, seat):
        """2.2: one own stone on each common field and one on each own area."""
        taken = list(self.seats[seat]["plan"].values())
        areas = [field[0] for field in taken if field not in COMMON_FIELDS]
        common = [field for field in COMMON_FIELDS if field not in taken]
        return common + [(area, slot) for area, slot in self.slots if area not in areas]

    def phase_3_helpers(self):
        """2.3: helpers are drawn from the bag."""
        self.phase = 3
        count = self.event_number("draw_helpers", HELPERS_DRAWN)
        self.drawn = self.deal["helpers"][self.round - 1][:count]

    def market(self):
        """2.3: per colour the helpers printed and drawn; None before they are drawn."""
        if self.drawn is None:
            return None
        row = self.events[self.event]
        return {c: number(row, f"print_{c}") + self.drawn.count(c) for c in self.colours}

    # ---------------------------------------------------------------- 2.4 actions

    def phase_4_actions(self):
        """2.4: all stones 1 in turn order, then all stones 2, and so on."""
        self.phase = 4
        planned = {stone for seat in self.seats for stone in seat["plan"]}
        for stone in sorted(planned):
            for seat in self.turn_order():
                if stone in self.seats[seat]["plan"]:
                    yield from self.carry_out(seat, stone)

    def carry_out(self, seat, stone):
        """2.4: an own turn; if no part of the field was used the player draws 1 card."""
        yield from self.begin_turn(seat)
        used = yield from self.action(seat, self.seats[seat]["plan"][stone])
        if not used:
            yield from self.draw_cards(seat, 1)
        del self.seats[seat]["plan"][stone]

    def action(self, seat, field):
        """2.4: the action of a field; tells whether any part of it was used."""
        match field:
            case "offspring":
                return (yield from self.offspring(seat))
            case "black_market":
                return (yield from self.black_market(seat))
            case "hand_cards":
                return (yield from self.hand_cards(seat))
            case "progress":
                return (yield from self.take_progress(seat))
            case "build":
                return (yield from self.build(seat))
        return (yield from self.produce(seat, field))

    def offspring(self, seat):
        """2.4 Offspring: buy a stone; stone 4 brings VP."""
        move = yield from self.decide(seat, lambda: self.stones_for_sale(seat), ("skip",))
        if move[0] == "skip":
            return False
        yield from self.pay(seat, STONE_PRICE[move[1]])
        self.seats[seat]["stones"].append(move[1])
        if STONE_VP[move[1]]:
            yield from self.gain(seat, STONE_VP[move[1]])
        return True

    def stones_for_sale(self, seat):
        """2.4 Offspring: stones that can be paid; 4 only after 3 (section 7: offspring_order)."""
        missing = [stone for stone in STONE_PRICE if stone not in self.seats[seat]["stones"]]
        if self.options["offspring_order"] == "in_order":
            missing = missing[:1]
        return [("buy", stone) for stone in missing if STONE_PRICE[stone] <= self.coins(seat)]

    def black_market(self, seat):
        """2.4 Black market: 2 cards for 4 coal, then 1 good (section 7: black_market_second)."""
        move = yield from self.decide(seat, lambda: self.trade_moves(seat), ("skip",))
        traded = move[0] == "trade"
        if traded:
            yield from self.discard(seat, MARKET_CARDS)
            self.add(seat, "coal", MARKET_COAL)
        if self.options["black_market_second"] == "free":
            kinds = [("good", good) for good in self.made(seat)]
            move = yield from self.decide(seat, lambda: kinds, ("skip",), always=True)
            if move[0] == "skip":
                return traded
            self.add(seat, move[1], 1)
            return True
        if traded:
            yield from self.choose_good(seat, self.made(seat), 1)
        return traded

    def trade_moves(self, seat):
        """2.4 Black market: only with two cards in hand."""
        return [("trade",)] if len(self.seats[seat]["hand"]) >= MARKET_CARDS else []

    def hand_cards(self, seat):
        """2.4 Hand cards: exchange all but one or not (section 7: hand_exchange), then draw 3."""
        if self.options["hand_exchange"] == "forced":
            exchange = bool(self.exchange_moves(seat))
        else:
            move = yield from self.decide(seat, lambda: self.exchange_moves(seat), ("skip",))
            exchange = move[0] == "exchange"
        if exchange:
            hand = self.by_table(self.seats[seat]["hand"])
            _, kept = yield from self.ask(seat, [("keep", card) for card in hand])
            gone = [card for card in hand if card != kept]
            self.seats[seat]["hand"] = [kept]
            self.discards += gone
            yield from self.draw_cards(seat, len(gone))
        yield from self.draw_cards(seat, 3)
        return True

    def exchange_moves(self, seat):
        """2.4 Hand cards: with 0 or 1 cards there is nothing to exchange."""
        return [("exchange",)] if len(self.seats[seat]["hand"]) >= 2 else []

    def progress_moves(self, seat):
        """2.4 Progress: own tiles that are unused and can be paid."""
        taken = self.seats[seat]["progress"]
        return [
            ("progress", tile)
            for tile, row in self.progress.items()
            if taken.count(tile) < number(row, "per_player")
            and number(row, "cost") <= self.coins(seat)
        ]

    def take_progress(self, seat):
        """2.4 Progress: pay, take a tile, gain its VP."""
        move = yield from self.decide(seat, lambda: self.progress_moves(seat), ("skip",))
        if move[0] == "skip":
            return False
        row = self.progress[move[1]]
        yield from self.pay(seat, number(row, "cost"))
        self.seats[seat]["progress"].append(move[1])
        yield from self.gain(seat, number(row, "vp"))
        return True

    def ability(self, seat, effect, usual):
        """2.4 Progress: the value of an ability, improved if its tile was taken."""
        for tile, row in self.progress.items():
            if row["effect"] == effect:
                taken = tile in self.seats[seat]["progress"]
                usual = number(row, "improved_value" if taken else "base_value")
        return usual

    def build(self, seat):
        """2.4 Build: one building or none."""
        move = yield from self.decide(seat, lambda: self.build_moves(seat), ("skip",))
        if move[0] == "skip":
            return False
        yield from self.build_card(seat, move[1])
        return True

    # ---------------------------------------------------------------- 2.4 produce

    def produce(self, seat, field):
        """2.4 Produce: helpers, then chain; an empty area is void."""
        card = self.seats[seat]["built"][field[0]]
        if card is None:
            return False
        if (yield from self.asks_chain_first(seat, card)):
            chained = yield from self.chain_step(seat, card)
            helped = yield from self.helper_step(seat, card, self.slots[field])
        else:
            helped = yield from self.helper_step(seat, card, self.slots[field])
            chained = yield from self.chain_step(seat, card)
        return helped or chained

    def asks_chain_first(self, seat, card):
        """Section 7, chain_after_helpers: with `any_order` the chain may come first."""
        if self.options["chain_after_helpers"] == "yes" or not self.chain_moves(seat, card):
            return False
        move = yield from self.ask(seat, [("helpers_first",), ("chain_first",)])
        return move[0] == "chain_first"

    def helper_step(self, seat, card, slot):
        """2.4 Produce, step 1: take the goods, hire for what is missing, or leave it."""
        move = yield from self.decide(seat, lambda: self.helper_moves(seat, card, slot), ("leave",))
        if move[0] == "leave":
            return False
        if move[0] == "hire":
            yield from self.pay_goods(seat, self.hire_price(seat, card, slot))
        self.add(seat, self.cards[card]["good"], number(slot, "yield"))
        return True

    def helper_moves(self, seat, card, slot):
        """2.4 Produce, step 1: all missing helpers are replaced or none."""
        price = self.hire_price(seat, card, slot)
        if price == 0:
            return [("take",)]
        return [("hire",)] if price <= len(self.single_goods(seat)) else []

    def hire_price(self, seat, card, slot):
        """2.4 Produce, step 1: the number of goods that replace all missing helpers."""
        own_price = self.ability(seat, "replace_cost", REPLACE_PRICE)
        price = min(own_price, self.event_number("replace_cost", own_price))
        return price * self.missing(card, number(slot, "helper_delta"))

    def need(self, card):
        """2.4: the helpers that a building shows, per colour (section 7: mine_need)."""
        if card == MINE and self.options["mine_need"] == "Y2R2":
            return {c: 2 if c in ("yellow", "red") else 0 for c in self.colours}
        return {c: number(self.cards[card], f"need_{c}") for c in self.colours}

    def missing(self, card, delta):
        """2.4 Produce, step 1: helpers that are missing in a slot (section 7: extraordinary)."""
        need, market = self.need(card), self.market()
        there = {c: market[c] + self.boosts["helpers"].count(c) for c in self.colours}
        shown = [c for c in self.colours if need[c] > 0]
        short = sum(max(0, need[c] - there[c]) for c in shown)
        if delta <= 0:
            return max(0, short + delta)
        if self.options["extraordinary"] == "each_shown":
            return sum(max(0, need[c] + delta - there[c]) for c in shown)
        spares = [max(0, there[c] - need[c]) for c in shown]
        if self.options["extraordinary"] == "one_colour":
            return short + max(0, delta - max(spares, default=0))
        return short + max(0, delta - sum(spares))

    def chain_step(self, seat, card):
        """2.4 Produce, step 2: the chain once, with the bonus after it."""
        move = yield from self.decide(seat, lambda: self.chain_moves(seat, card), ("no_chain",))
        if move[0] == "no_chain":
            return False
        yield from self.run_chain(seat, card, move[1])
        bonus = self.event_number("chain_bonus", CHAIN_BONUS) + self.boosts["chain"]
        self.add(seat, self.cards[card]["good"], bonus)
        return True

    def chain_moves(self, seat, card):
        """2.4 Produce, step 2: all numbers of units for which there is enough."""
        row, goods = self.cards[card], self.seats[seat]["goods"]
        match row["chain_type"]:
            case "raw":
                most = len(self.cards_with(seat, row["chain_in1"]))
            case "single":
                most = goods[row["chain_in1"]]
            case "set":
                most = min(goods[row["chain_in1"]], goods[row["chain_in2"]])
            case _:
                most = 0
        return [("chain", k) for k in range(1, most + 1)]

    def run_chain(self, seat, card, k):
        """2.4 Produce, step 2: k units become goods of the building."""
        row = self.cards[card]
        inputs = [row["chain_in1"]]
        if row["chain_type"] == "set":
            inputs.append(row["chain_in2"])
        if row["chain_type"] == "raw":
            yield from self.discard(seat, k, inputs[0])
        else:
            for good in inputs:
                self.add(seat, good, -k)
        self.add(seat, row["good"], k * len(inputs))

    # ---------------------------------------------------------------- 2.5 building

    def houses_left(self, seat):
        """1.3.6, 2.5: houses that are not on the map yet."""
        return number(self.set_up_row, "houses") - sum(seat in on for on in self.houses.values())

    def distances(self, seat):
        """2.0: fewest steps from any own house to each town."""
        steps = {town: 0 for town in self.towns if seat in self.houses[town]}
        edge = list(steps)
        while edge:
            near = {b for a, b in self.roads if a in edge} | {a for a, b in self.roads if b in edge}
            distance = steps[edge[0]] + 1
            edge = [town for town in near if town not in steps]
            steps.update(dict.fromkeys(edge, distance))
        return steps

    def towns_for(self, seat, card):
        """2.5.1, 2.5.2: towns in reach without an own house where the card can be paid."""
        reach = self.ability(seat, "build_range", BUILD_RANGE) + self.boosts["range"]
        steps, coins = self.distances(seat), self.coins(seat)
        return [
            town
            for town in self.towns
            if 1 <= steps.get(town, 0) <= reach and self.price(card, town) <= coins
        ]

    def price(self, card, town):
        """2.5.2: cost less the discounts of the terrain, the event and tiles."""
        row, terrain = self.cards[card], self.towns[town]["terrain"]
        fits = row["terrain"] != "none" and row["terrain"] == terrain
        discount = number(row, "discount") if fits else 0
        discount += self.event_number("build_discount", 0) + self.boosts["discount"]
        return max(0, number(row, "cost") - discount)

    def areas_for(self, seat):
        """2.5.1: areas for a production building (section 7: replace_building)."""
        free = self.options["replace_building"]
        built = self.seats[seat]["built"]
        return [area for area in built if area and (built[area] is None or free)]

    def build_moves(self, seat):
        """2.5.1: cards of the hand and the display that can be built somewhere."""
        if self.houses_left(seat) == 0:
            return []
        cards = self.by_table(self.seats[seat]["hand"] + self.display)
        room = bool(self.areas_for(seat))
        return [
            ("build", card)
            for card in cards
            if (room or self.cards[card]["kind"] == "special") and self.towns_for(seat, card)
        ]

    def build_card(self, seat, card):
        """2.5: town, area, payment, card and house, premium, bonus tile."""
        towns = self.towns_for(seat, card)
        _, town = yield from self.ask(seat, [("town", town) for town in towns])
        area = None
        if self.cards[card]["kind"] == "production":
            areas = self.areas_for(seat)
            _, area = yield from self.ask(seat, [("area", area) for area in areas])
        yield from self.pay(seat, self.price(card, town))
        self.put_card(seat, card, area)
        distance = self.distances(seat)[town]
        yield from self.put_house(seat, town)
        if distance == 1:
            yield from self.take_bonus_tile(seat, town)

    def put_card(self, seat, card, area):
        """2.5.3: the card leaves hand or display for its place."""
        own = self.seats[seat]
        (own["hand"] if card in own["hand"] else self.display).remove(card)
        if area is None:
            own["specials"].append(card)
        else:
            if own["built"][area]:
                self.tear_down(seat, area)
            own["built"][area] = card

    def tear_down(self, seat, area):
        """Section 7, replace_building: the old card and, if no other makes them, its goods go."""
        own = self.seats[seat]
        card = own["built"][area]
        self.discards.append(card)
        own["built"][area] = None
        good = self.cards[card]["good"]
        if good not in self.made(seat):
            own["goods"][good] = 0

    def premium_is_open(self, town):
        """2.5.4: nobody has a house there yet; start towns only by section 7."""
        row = self.towns[town]
        never = number(row, "is_start") and not self.options["premium_start_town"]
        return row["premium_kind"] not in ("none", "") and not self.houses[town] and not never

    def put_house(self, seat, town):
        """2.5.3, 2.5.4: a house, and the discovery premium for the first one."""
        row = self.towns[town]
        kind = row["premium_kind"] if self.premium_is_open(town) else "none"
        self.houses[town].append(seat)
        match kind:
            case "vp":
                yield from self.gain(seat, number(row, "premium_n"))
            case "cards":
                yield from self.draw_cards(seat, number(row, "premium_n"))
            case "coal":
                self.add(seat, "coal", number(row, "premium_n"))

    def take_bonus_tile(self, seat, town):
        """2.5.5: one tile of an area that touches the town, or none."""
        zones = [zone for zone in self.areas if self.areas[zone] and town in self.corners[zone]]
        if not zones:
            return
        moves = [("take_tile", zone) for zone in zones]
        move = yield from self.ask(seat, [*moves, ("no_tile",)])
        if move[0] == "no_tile":
            return
        stack = self.areas[move[1]]
        kinds = [tile for tile in self.tiles if tile in stack]
        tile = kinds[0]
        if len(kinds) > 1:
            _, tile = yield from self.ask(seat, [("pick", tile) for tile in kinds])
        stack.remove(tile)
        self.seats[seat]["tiles"].append(tile)

    # ---------------------------------------------------------------- 2.6 phases 5 and 6

    def phase_5_build_or_draw(self):
        """2.6 Phase 5: each player builds one building or draws cards."""
        self.phase = 5
        for seat in self.turn_order():
            yield from self.begin_turn(seat)
            move = yield from self.build_or_draw(seat)
            if move[0] == "build":
                yield from self.build_card(seat, move[1])
            else:
                yield from self.draw_cards(seat, self.event_number("phase5_draw", PHASE5_CARDS))

    def build_or_draw(self, seat):
        """2.6 Phase 5: the decision D9."""
        return (
            yield from self.decide(seat, lambda: self.build_moves(seat), ("draw",), always=True)
        )

    def phase_6_special_buildings(self):
        """2.6 Phase 6: a paying event first, then the special buildings of each player."""
        self.phase = 6
        if self.holds("pay_coins_vp"):
            for seat in self.turn_order():
                yield from self.paying_event(seat)
        for seat in self.turn_order():
            yield from self.begin_turn(seat)
            yield from self.use_specials(seat)

    def paying_event(self, seat):
        """2.1, 2.6: pay once for VP; this is no own turn."""
        self.boosts = self.no_boosts()
        row = self.events[self.event]
        move = yield from self.decide(
            seat,
            lambda: [("pay_event",)] if number(row, "eff_a") <= self.coins(seat) else [],
            ("skip",),
        )
        if move[0] == "pay_event":
            yield from self.pay_for_vp(seat, row)

    def use_specials(self, seat):
        """2.6 Phase 6: each own special building once, in any order."""
        used = []
        while True:
            move = yield from self.decide(seat, lambda: self.special_moves(seat, used), ("done",))
            if move[0] == "done":
                return
            used.append(move[1])
            yield from self.use_special(seat, self.cards[move[1]])

    def special_moves(self, seat, used):
        """2.6 Phase 6: buildings not used yet whose effect can be used."""
        own = [card for card in self.by_table(self.seats[seat]["specials"]) if card not in used]
        return [("use", card) for card in own if self.is_usable(seat, self.cards[card])]

    def is_usable(self, seat, row):
        """2.6 Phase 6: can the effect of a special building be used?"""
        a = number(row, "eff_a")
        match row["effect"]:
            case "store_corn" | "coal" | "draw" | "draw_discard":
                return True
            case "card_to_good" | "cards_to_vp":
                return len(self.seats[seat]["hand"]) >= a
            case "coins_to_vp":
                return self.coins(seat) >= a
            case "swap":
                return any(self.swaps(seat, good, a) for good in self.single_goods(seat))
            case "cheap_good":
                return bool(self.cheap_goods(seat, a))
        return False

    def use_special(self, seat, row):
        """2.6 Phase 6: the table of effects."""
        a, b = number(row, "eff_a"), number(row, "eff_b")
        match row["effect"]:
            case "store_corn":
                self.add(seat, "corn", a)
            case "coal":
                self.add(seat, "coal", a)
            case "draw":
                yield from self.draw_cards(seat, a)
            case "card_to_good":
                yield from self.discard(seat, a)
                yield from self.choose_good(seat, self.made(seat), b)
            case "coins_to_vp":
                yield from self.pay_for_vp(seat, row)
            case "cards_to_vp":
                yield from self.discard(seat, a)
                yield from self.gain(seat, b)
            case "swap":
                yield from self.swap(seat, a)
            case "cheap_good":
                yield from self.choose_good(seat, self.cheap_goods(seat, a), b)
            case "draw_discard":
                yield from self.draw_cards(seat, a)
                yield from self.discard(seat, min(b, len(self.seats[seat]["hand"])))

    def swaps(self, seat, given, more):
        """2.6 `swap`: kinds that can be got for a good."""
        limit = self.value(given) + more
        return [good for good in self.made(seat) if good != given and self.value(good) <= limit]

    def swap(self, seat, more):
        """2.6 `swap`: one own good for one of another kind."""
        own = dict.fromkeys(self.single_goods(seat))
        gifts = [good for good in own if self.swaps(seat, good, more)]
        _, given = yield from self.ask(seat, [("give", good) for good in gifts])
        self.add(seat, given, -1)
        yield from self.choose_good(seat, self.swaps(seat, given, more), 1)

    def cheap_goods(self, seat, limit):
        """2.6 `cheap_good`: kinds made by own production buildings up to a value."""
        return [good for good in self.made(seat) if self.value(good) <= limit]

    def end_of_round(self):
        """2.6: event and helpers go, the start player moves on (section 7: display_scope)."""
        self.event, self.drawn = None, None
        self.start = (self.start + 1) % self.players
        if self.options["display_scope"] == "round":
            self.discards, self.display = self.discards + self.display, []

    # ---------------------------------------------------------------- 2.8 tiles and persons

    def no_boosts(self):
        """2.8: what tiles have added to the next step of this turn: nothing yet."""
        return {"helpers": [], "discount": 0, "chain": 0, "range": 0}

    def begin_turn(self, seat):
        """2.8: an own turn begins; tiles may be used now."""
        self.boosts = self.no_boosts()
        while self.seats[seat]["tiles"]:
            move = yield from self.ask(seat, [*self.tile_moves(seat), ("go",)])
            if move[0] == "go":
                return
            yield from self.use_tile(seat, move[1])

    def tile_moves(self, seat):
        """2.8: the kinds of own tiles that can be used now."""
        own = [tile for tile in self.tiles if tile in self.seats[seat]["tiles"]]
        return [("tile", tile) for tile in own if self.tile_is_usable(seat, self.tiles[tile])]

    def tile_is_usable(self, seat, row):
        """2.8: coins must be there, and the last chains know no bonus."""
        if row["effect"] == "coins_to_vp":
            return self.coins(seat) >= number(row, "eff_a")
        return not (row["effect"] == "chain_plus" and self.phase == 7)

    def use_tile(self, seat, tile):
        """2.8: the table of effects; the tile leaves the game."""
        self.seats[seat]["tiles"].remove(tile)
        row = self.tiles[tile]
        a, b = number(row, "eff_a"), number(row, "eff_b")
        match row["effect"]:
            case "coal":
                self.add(seat, "coal", a)
            case "good":
                yield from self.choose_good(seat, self.made(seat), a)
            case "helper_any":
                yield from self.choose_helpers(seat, a)
            case "helper_yg":
                self.boosts["helpers"] += ["yellow"] * a + ["green"] * b
            case "helper_rb":
                self.boosts["helpers"] += ["red"] * a + ["blue"] * b
            case "cards":
                yield from self.draw_cards(seat, a)
            case "coins_to_vp":
                yield from self.pay_for_vp(seat, row)
            case "discount":
                self.boosts["discount"] += a
            case "chain_plus":
                self.boosts["chain"] += a
            case "range_plus":
                self.boosts["range"] += a

    def choose_helpers(self, seat, count):
        """2.8 `helper_any`: personal helpers of chosen colours."""
        colours = [colour for colour in self.colours if colour in CHOSEN_COLOURS]
        pool = [colour for colour in colours for _ in range(count)]
        for owed in range(count, 0, -1):
            colour, pool = yield from self.next_of(seat, "helper", pool, owed)
            self.boosts["helpers"].append(colour)

    # ---------------------------------------------------------------- 3 end and scoring

    def last_chains(self):
        """3.1: in the turn order of an eighth round each player uses chains, without bonus."""
        self.phase = 7
        for seat in self.turn_order():
            yield from self.begin_turn(seat)
            used = []
            while True:
                move = yield from self.last_chain(seat, used)
                if move[0] == "done":
                    break
                used.append(move[1])
                card = self.seats[seat]["built"][move[1]]
                _, k = yield from self.ask(seat, self.chain_moves(seat, card))
                yield from self.run_chain(seat, card, k)

    def last_chain(self, seat, used):
        """3.1: which own production building is next, or none."""
        return (yield from self.decide(seat, lambda: self.last_chain_moves(seat, used), ("done",)))

    def last_chain_moves(self, seat, used):
        """3.1: areas not used yet whose chain is possible."""
        built = self.seats[seat]["built"]
        ready = [area for area in built if built[area] and area not in used]
        return [("last_chain", area) for area in ready if self.chain_moves(seat, built[area])]

    def own_cards(self, seat):
        """3.2: all cards that a player has built."""
        own = self.seats[seat]
        return [self.cards[card] for card in [*own["built"].values(), *own["specials"]] if card]

    def strength(self, seat):
        """3.2.1: military strength."""
        return sum(number(row, "strength") for row in self.own_cards(seat))

    def military(self, seat):
        """3.2.1, 3.5: VP for strength (section 7: military_ties, military_zero)."""
        prizes = [int(vp) for vp in self.chapter["military_vp"].split(";")]
        own = self.strength(seat)
        if self.players == 1:
            return next((vp for s, vp in zip(SOLO_STRENGTH, prizes, strict=False) if own >= s), 0)
        if own == 0 and self.options["military_zero"] == "no_vp":
            return 0
        prizes += [0] * self.players
        all_strengths = [self.strength(other) for other in range(self.players)]
        stronger = sum(other > own for other in all_strengths)
        tied = all_strengths.count(own)
        match self.options["military_ties"]:
            case "lower_place":
                return prizes[stronger + tied - 1]
            case "split":
                return sum(prizes[stronger : stronger + tied]) // tied
        return prizes[stronger]

    def rations_of(self, good):
        """3.2.2: the rations of a good in this chapter."""
        return number(self.goods[good], f"rations_ch{self.chapter['chapter']}")

    def rations(self, seat):
        """3.2.2: rations of all own goods."""
        return sum(self.rations_of(good) for good in self.single_goods(seat))

    def tier(self, seat):
        """3.2.2: the highest limit reached and its VP."""
        tiers = [(number(self.chapter, t), number(self.chapter, f"{t}_vp")) for t in self.tiers()]
        return max((tier for tier in tiers if tier[0] <= self.rations(seat)), default=(0, 0))

    def tiers(self):
        """Section 8: the order kind `rations` has two limits."""
        return ("tier1", "tier2") if self.chapter["order_kind"] == "rations" else ()

    def coins_left(self, seat):
        """3.2.3, 3.3: coins of the goods at the end (section 7: order_consumes)."""
        if not (self.options["order_consumes"] or number(self.chapter, "order_consumes")):
            return self.coins(seat)
        markers = [(self.rations_of(good), self.value(good)) for good in self.single_goods(seat)]
        return self.coins(seat) - cheapest_rations(markers, self.tier(seat)[0])

    def secret(self, seat):
        """3.2.4: VP for each own house on a town with the banner."""
        order = self.orders[self.seats[seat]["order"]]
        banners = [row["banner"] for town, row in self.towns.items() if seat in self.houses[town]]
        return banners.count(order["banner"]) * number(order, "vp_per_house")

    def score_parts(self):
        """3.2: per seat the parts of the final score."""
        return [
            {
                "track": self.seats[seat]["vp"],
                "military": self.military(seat),
                "order": self.tier(seat)[1],
                "leftovers": self.coins_left(seat) // COINS_PER_VP,
                "secret": self.secret(seat),
                "buildings": sum(number(row, "vp") for row in self.own_cards(seat)),
            }
            for seat in range(self.players)
        ]

    def scores(self):
        """3.2: per seat the whole score."""
        return [sum(parts.values()) for parts in self.score_parts()]

    def ranks(self):
        """3.3: places; a tie goes to more coins beyond the last full 5."""
        keys = [
            (score, self.coins_left(seat) % COINS_PER_VP)
            for seat, score in enumerate(self.scores())
        ]
        return [1 + sum(other > key for other in keys) for key in keys]

    def is_won(self):
        """3.5: one player has won with both limits reached."""
        total, order = (number(self.chapter, f"solo_min_{part}") for part in ("total", "order"))
        return self.players == 1 and self.scores()[0] >= total and self.rations(0) >= order

    # ---------------------------------------------------------------- what lies on the table

    def position(self):
        """2.10: everything that lies on the table or is held, as nested tuples."""
        market = self.market()
        return (
            ("to_move", self.to_move),
            ("over", self.over),
            ("round", self.round),
            ("phase", self.phase),
            ("start", self.start),
            ("event", self.event),
            ("market", market and tuple(market[colour] for colour in self.colours)),
            ("pile", len(self.pile)),
            ("discards", tuple(sorted(self.discards))),
            ("display", tuple(sorted(self.display))),
            ("areas", tuple(tuple(sorted(stack)) for stack in self.areas.values())),
            ("houses", tuple(tuple(sorted(seats)) for seats in self.houses.values())),
            ("premiums", tuple(town for town in self.towns if self.premium_is_open(town))),
            ("players", tuple(self.seat_position(seat) for seat in range(self.players))),
        )

    def seat_position(self, seat):
        """2.10: what one player has."""
        own = self.seats[seat]
        return (
            own["vp"],
            self.houses_left(seat),
            tuple(own["goods"][good] for good in self.goods),
            tuple(sorted(own["hand"])),
            own["order"],
            tuple(sorted(own["stones"])),
            tuple(sorted(own["progress"])),
            tuple(sorted(own["tiles"])),
            tuple(own["built"][area] for area in sorted(own["built"])),
            tuple(sorted(own["specials"])),
            tuple(sorted(own["plan"].items())),
        )
