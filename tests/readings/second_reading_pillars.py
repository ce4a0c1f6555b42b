"""A second, slow reading of the rules of The Pillars of the Earth, to compare a fast engine with.

Everything here follows the rules text, and the section numbers in the docstrings are those of
that text. The game is an agenda of small tasks, the next one first. A task either does one thing
the rules say happens by itself, or it is a decision point of section 2.5 (D1 to D14) and waits
for a move. Tasks put what follows from them at the head of the agenda.
"""

ROUNDS = 6
KINDS = ("sand", "wood", "stone", "metal")
BISHOP_KINDS = ("sand", "wood", "stone")
SPACES = (
    "B",
    "K1",
    "K2",
    "P1",
    "P2",
    "C1",
    "C2",
    "C3",
    "C4",
    "S1",
    "S2",
    "G",
    "M1",
    "M2",
    "M3",
    "M4",
    "Z",
)
KINGSBRIDGE = ("K1", "K2")
PRIORY_POINTS = {"P1": 2, "P2": 1}
COURT = ("C1", "C2", "C3", "C4")
SHIRING = ("S1", "S2")
MARKET_SPACES = ("M1", "M2", "M3", "M4")

GOLD_OF_FIRST_SEAT = 20
GOLD_CAP = 30
POINTS_AT_START = 2
OWN_WORKERS = 12
LARGE_WORKER = 5
GREY_WORKERS = 4
GREY_WORKERS_TAKEN = 2
BUILDERS = 3
FIRST_COST = 7
COURT_METAL = 1
CRAFTSMAN_LIMIT = 5
CUBES_KEPT = 5
FRANCIS_TAX = 2
TAX_FACES = (2, 3, 4, 5)

BOOLEAN = (True, False)
ANY_INTEGER = "any integer"

# The first value of each option is the default; prior_philip_per_space mixes a truth value and
# a word because the table of section 7 does.
OPTIONS = {
    "shortfall_rule": ("vp_per_2_floor", "vp_per_2_ceil", "vp_per_1", "no_penalty"),
    "bishop_bonus_source": ("market", "supply"),
    "glassblower_vp": (3, ANY_INTEGER),
    "market_slots": ("per_builder", "per_player"),
    "sold_cubes_to_market": (False, True),
    "master_woodworker_counts": BOOLEAN,
    "improved_mortar_mixer_counts": BOOLEAN,
    "grey_workers_in_mill": BOOLEAN,
    "toolmaker_mode": ("two_gold_if_any", "two_gold_each"),
    "conversion_outputs_chain": BOOLEAN,
    "priv_income_unconditional": BOOLEAN,
    "advantage_by_space": BOOLEAN,
    "shiring_by_space": BOOLEAN,
    "over_limit_discard": ("immediate", "at_step_13"),
    "winter_scope": ("per_card", "per_kind"),
    "philip_event_cap": (5, None),
    "archbishop_choice_time": ("step_13", "step_1"),
    "archbishop_excludes_fixed": BOOLEAN,
    "veto_scope": ("any_draw_with_bag_left", "paid_draws_only"),
    "prior_philip_per_space": (True, "once_per_round"),
    "thomas_on_good_events": (False, True),
    "sell_then_buy_same_kind": BOOLEAN,
    "resale_ban_scope": ("kind", "bought_cubes_only"),
    "workers_divisible": BOOLEAN,
    "final_tie": ("shared", "seat_order"),
}

CRAFTSMAN_NUMBERS = (
    "cost_gold",
    "in_sand",
    "in_wood",
    "in_stone",
    "in_metal",
    "in_gold",
    "out_vp",
    "out_gold",
    "capacity",
    "needs_mortar_mixer",
    "needs_metal_present",
    "counts_as_mortar_mixer",
    "counts_as_woodworker",
    "counts_as_stonecutter",
    "archbishop_eligible",
)
ADVANTAGE_NUMBERS = (
    "amount_sand",
    "amount_wood",
    "amount_stone",
    "amount_metal",
    "amount_gold",
    "amount_vp",
    "amount_workers",
    "amount_craftsman_slots",
)
EVENT_NUMBERS = ("amount", "bishop_blocks", "one_time_protection_card_blocks")
RESOURCE_NUMBERS = ("yield", "workers")
MARKET_NUMBERS = ("price", "can_buy", "can_sell", "market_stock_at_round_start", "cubes_in_box")

DECISIONS = (
    "D1",
    "D2",
    "D3",
    "D4",
    "D5",
    "D6",
    "D7",
    "D8",
    "D9",
    "D11",
    "D12",
    "D13",
    "D14",
    "choose_advantage",
    "choose_craftsman",
)


def read_table(rows, key, numbers):
    """Turn one data table into a dict by its key column, its numbers as ints (section 5)."""
    table = {}
    for row in rows:
        entry = dict(row)
        for column in numbers:
            entry[column] = int(entry[column])
        table[entry[key]] = entry
    return table


def read_options(given):
    """Check the rule options and fill in the defaults (section 7)."""
    for name in given:
        if name not in OPTIONS:
            raise ValueError(f"unknown option: {name}")
    chosen = {}
    for name, values in OPTIONS.items():
        value = given.get(name, values[0])
        if values[1] == ANY_INTEGER:
            fits = type(value) is int
        else:
            # Python holds 1 and True for equal, the table of options does not.
            fits = any(type(value) is type(known) and value == known for known in values)
        if not fits:
            raise ValueError(f"{name} must be one of {values}, not {value!r}")
        chosen[name] = value
    return chosen


class Pillars:
    """One table of The Pillars of the Earth, from the set-up to the end of round six."""

    def __init__(self, players, *, deal, draw, tables, **options):
        """Set up the game for 2 to 4 players and begin round 1 (section 1.3).

        `deal` holds what the shuffled decks and the choice of the start player decide (2.6),
        `draw` answers for the bag and the tax die, `tables` are the data tables of section 5,
        and `options` are the rule options of section 7.
        """
        if players not in (2, 3, 4):
            raise ValueError("The Pillars of the Earth is a game for 2 to 4 players")
        if deal["start"] not in range(players):
            raise ValueError("the start seat is one of the seats")
        self.players = players
        self.deal = deal
        self.draw = draw
        self.options = read_options(options)
        self._read_tables(tables)

        seats = range(players)
        self.first_start_player = deal["start"]
        self.start_player = deal["start"]
        self.round = 0
        self.phase = "start"
        self.decision = None
        self.to_move = None
        self.over = False
        self.cathedral_pieces = 0

        self.gold = [GOLD_OF_FIRST_SEAT + self._position(seat) for seat in seats]
        self.vp = [POINTS_AT_START for _ in seats]
        self.cubes = [dict.fromkeys(KINDS, 0) for _ in seats]
        self.craftsmen = [self._starting_craftsmen() for _ in seats]
        self.advantages = [[] for _ in seats]
        self.removed_craftsmen = []
        self.discarded_advantages = []

        self.market = dict.fromkeys(KINDS, 0)
        self.court_metal = 0
        self.general = {kind: self.prices[kind]["cubes_in_box"] for kind in KINDS}

        self.castle = GREY_WORKERS
        self.workers = [OWN_WORKERS for _ in seats]
        self.large_free = [True for _ in seats]
        self.grey = [0 for _ in seats]
        self.grey_free = [0 for _ in seats]
        self.grey_next = [0 for _ in seats]

        self.supply = []
        self.taken = [[] for _ in seats]
        self.passed = [False for _ in seats]
        self.kingsbridge = {}
        self.shiring = {}

        self.bag = [0 for _ in seats]
        self.builders_next_round = [BUILDERS for _ in seats]
        self.drawn = None
        self.track = {}
        self.cost = FIRST_COST
        self.veto_available = True
        self.spaces = dict.fromkeys(SPACES)

        self.event = None
        self.yield_change = [0 for _ in seats]
        self.inspired = [None for _ in seats]
        self.tax = None
        self.trading = []
        self.bought = [dict.fromkeys(KINDS, 0) for _ in seats]
        self.sold = [dict.fromkeys(KINDS, 0) for _ in seats]
        self.uses = [{} for _ in seats]
        self.gold_set_aside = [0 for _ in seats]

        self.agenda = [("start_round",)]
        self.advance()

    # ---- tables and set-up -------------------------------------------------------------------

    def _read_tables(self, tables):
        """Read the five data tables (section 5) and what two options change in them (section 7).

        glassblower_vp and philip_event_cap name a number that also stands in a table. An option
        left at its default leaves the number of the table; any other value replaces it.
        """
        self.craftsman_cards = read_table(tables["craftsmen"], "card_id", CRAFTSMAN_NUMBERS)
        self.advantage_cards = read_table(tables["advantages"], "card_id", ADVANTAGE_NUMBERS)
        self.event_cards = read_table(tables["events"], "event_id", EVENT_NUMBERS)
        self.resource_cards = read_table(tables["resources"], "card_id", RESOURCE_NUMBERS)
        self.prices = read_table(tables["market"], "resource", MARKET_NUMBERS)

        glassblower_vp = self.options["glassblower_vp"]
        if glassblower_vp != OPTIONS["glassblower_vp"][0]:
            for card in self.craftsman_cards.values():
                if card["name"] == "Glassblower":
                    card["out_vp"] = glassblower_vp

    def _starting_craftsmen(self):
        """Give one player one of each starting craftsman (section 1.3, item 2)."""
        return sorted(
            card_id for card_id, card in self.craftsman_cards.items() if card["deck"] == "start"
        )

    def _position(self, seat):
        """Count the seat from the first start seat on; this is the seat number of 1.3, item 1."""
        return (seat - self.first_start_player) % self.players

    def _player_order(self):
        """List the seats in player order: start player first, then clockwise (short words)."""
        return [(self.start_player + k) % self.players for k in range(self.players)]

    # ---- the agenda --------------------------------------------------------------------------

    def _next(self, *tasks):
        """Put tasks at the head of the agenda, in the order given (frame of section 2)."""
        self.agenda[:0] = tasks

    def advance(self):
        """Do everything that happens by itself, up to the next decision point (section 2.5)."""
        while self.agenda:
            name, *details = self.agenda[0]
            if name in DECISIONS:
                self.decision = name
                self.to_move = details[0]
                return
            self.agenda.pop(0)
            getattr(self, "_task_" + name)(*details)
        self.decision = None
        self.to_move = None

    def moves(self):
        """List the legal moves of the decision point on hand, sorted; none when over (2.5)."""
        if not self.agenda:
            return []
        name, *details = self.agenda[0]
        return sorted(getattr(self, "_moves_" + name)(*details))

    def play(self, move):
        """Play one legal move and go on to the next decision point (section 2.5)."""
        if move not in self.moves():
            raise ValueError(f"illegal move: {move!r}")
        name, *details = self.agenda.pop(0)
        getattr(self, "_play_" + name)(move, *details)
        self.advance()

    # ---- goods -------------------------------------------------------------------------------

    def _gain_gold(self, player, amount):
        """Add gold; what goes above 30 is lost at once (section 1.2)."""
        self.gold[player] = min(GOLD_CAP, self.gold[player] + amount)

    def _change_vp(self, player, amount):
        """Add or take victory points; they never go below 0 and have no upper limit (1.2)."""
        self.vp[player] = max(0, self.vp[player] + amount)

    def _gain_cubes(self, player, kind, number):
        """Take cubes from the general supply, which is unlimited (section 2.3, steps 6-8)."""
        self.general[kind] -= number
        self.cubes[player][kind] += number

    def _give_back_cubes(self, player, kind, number):
        """Return used, sold or surplus cubes to the general supply (section 2.3, 12 and 13)."""
        self.cubes[player][kind] -= number
        self.general[kind] += number

    def _pay_with_shortfall(self, player, amount):
        """Pay tax or plunder by the shortfall rule (section 2.3, step 9; option shortfall_rule).

        All gold is paid; by default every full 2 gold missing cost 1 VP.
        """
        missing = max(0, amount - self.gold[player])
        self.gold[player] = max(0, self.gold[player] - amount)
        rule = self.options["shortfall_rule"]
        if rule == "vp_per_2_floor":
            lost = missing // 2
        elif rule == "vp_per_2_ceil":
            lost = (missing + 1) // 2
        elif rule == "vp_per_1":
            lost = missing
        else:
            lost = 0
        self._change_vp(player, -lost)

    # ---- cards in front of the players -------------------------------------------------------

    def _advantages_with(self, player, effect_code):
        """List the kept advantage cards of one effect (section 2.4)."""
        return [
            card_id
            for card_id in self.advantages[player]
            if self.advantage_cards[card_id]["effect_code"] == effect_code
        ]

    def _sum_of_advantages(self, player, effect_code, column):
        """Add up a number over the kept advantage cards of one effect (section 2.4)."""
        return sum(
            self.advantage_cards[card_id][column]
            for card_id in self._advantages_with(player, effect_code)
        )

    def _discard_advantage(self, player, effect_code):
        """Discard the one-time card that has just been used (section 2.4)."""
        card_id = self._advantages_with(player, effect_code)[0]
        self.advantages[player].remove(card_id)
        self.discarded_advantages.append(card_id)

    def _owns_trade(self, player, trade):
        """Tell whether a craftsman counts as mortar mixer, woodworker or stonecutter.

        The improved mortar mixer and the master woodworker count too (section 2.3, steps 12 and
        13), unless improved_mortar_mixer_counts or master_woodworker_counts say no (section 7).
        """
        for card_id in self.craftsmen[player]:
            card = self.craftsman_cards[card_id]
            if not card["counts_as_" + trade]:
                continue
            if card["deck"] == "start":
                return True
            if trade == "woodworker" and not self.options["master_woodworker_counts"]:
                continue
            if trade == "mortar_mixer" and not self.options["improved_mortar_mixer_counts"]:
                continue
            return True
        return False

    def _craftsman_limit(self, player):
        """Give the limit of craftsmen: 5, or 6 with Jack (section 2.1, item 3, and 2.4)."""
        slots = self._sum_of_advantages(player, "craftsman_slot", "amount_craftsman_slots")
        return CRAFTSMAN_LIMIT + slots

    def _take_craftsman(self, player, card_id):
        """Lay a new craftsman before a player; over the limit D2 follows at once (2.1, item 3).

        With over_limit_discard "at_step_13" it waits for the own step 13 (section 7).
        """
        self.craftsmen[player] = sorted([*self.craftsmen[player], card_id])
        if self.options["over_limit_discard"] == "immediate":
            self._next(("check_limit", player))

    def _lose_craftsman(self, player, card_id):
        """Take a craftsman out of the game; a bonus of E10 goes with it (2.1, E09, section 7)."""
        self.craftsmen[player].remove(card_id)
        self.removed_craftsmen.append(card_id)
        if self.inspired[player] == card_id:
            self.inspired[player] = None

    def _task_check_limit(self, player):
        """Ask for a removal as long as there are too many craftsmen (section 2.1, item 3)."""
        if len(self.craftsmen[player]) > self._craftsman_limit(player):
            self._next(("D2", player), ("check_limit", player))

    def _moves_D2(self, player):
        """List decision D2: any own craftsman, the new one included (section 2.1, item 3)."""
        return [("remove", card_id) for card_id in self.craftsmen[player]]

    def _play_D2(self, move, player):
        """Remove a craftsman from the game (section 2.1, item 3)."""
        self._lose_craftsman(player, move[1])

    # ---- start of the round ------------------------------------------------------------------

    def _task_start_round(self):
        """Prepare the next round (section 2.0)."""
        self.round += 1
        number = self.round - 1
        self.event = self.deal["events"][number]
        self.yield_change = [0 for _ in range(self.players)]
        self.inspired = [None for _ in range(self.players)]
        self.tax = None
        self.bought = [dict.fromkeys(KINDS, 0) for _ in range(self.players)]
        self.sold = [dict.fromkeys(KINDS, 0) for _ in range(self.players)]
        self.uses = [{} for _ in range(self.players)]

        craftsmen = self.deal["craftsmen"][number]
        self.shiring = {"S1": craftsmen[0], "S2": craftsmen[1]}
        omitted = self.deal["omitted"][number]
        shown = [card_id for card_id in self.resource_cards if card_id not in omitted]
        self.supply = shown + list(craftsmen[2:])
        advantages = self.deal["advantages"]
        self.kingsbridge = {"K1": advantages[2 * number], "K2": advantages[2 * number + 1]}

        self._set_market()
        self._fill_bag()
        self._gather_workers()
        self.phase = "supply"
        self.passed = [False for _ in range(self.players)]
        self._next(("supply_turn", self.start_player))

    def _set_market(self):
        """Set the market to its stock and lay metal on an empty court (section 2.0, item 4)."""
        for kind in KINDS:
            stock = self.prices[kind]["market_stock_at_round_start"]
            self.general[kind] += self.market[kind] - stock
            self.market[kind] = stock
        if self.court_metal == 0:
            self.general["metal"] -= COURT_METAL
            self.court_metal = COURT_METAL

    def _fill_bag(self):
        """Put all builders into the bag, fewer after the City Wall, cost 7 (2.0, items 4, 5)."""
        self.bag = list(self.builders_next_round)
        self.builders_next_round = [BUILDERS for _ in range(self.players)]
        self.cost = FIRST_COST
        self.track = {}
        self.drawn = None
        self.veto_available = True

    def _gather_workers(self):
        """Count the workers of this round: own, Otto's and grey ones (2.0, item 6, and 2.1).

        The large figure and the grey ones are followed by themselves for workers_divisible and
        grey_workers_in_mill (section 7).
        """
        self.grey = self.grey_next
        self.grey_next = [0 for _ in range(self.players)]
        self.grey_free = list(self.grey)
        self.large_free = [True for _ in range(self.players)]
        for player in range(self.players):
            black = self._sum_of_advantages(player, "worker", "amount_workers")
            self.workers[player] = OWN_WORKERS + black + self.grey[player]

    # ---- phase I -----------------------------------------------------------------------------

    def _task_supply_turn(self, seat):
        """Give the next turn of phase I to the first player from this seat on who has not passed.

        The phase ends when all cards are gone or all have passed (section 2.1, items 1 and 4).
        """
        if not self.supply or all(self.passed):
            self._next(("end_supply",))
            return
        while self.passed[seat]:
            seat = (seat + 1) % self.players
        self._next(("D1", seat))

    def _task_end_supply(self):
        """Clear the supply: craftsmen leave the game, resource cards wait (section 2.1, 5)."""
        for card_id in self.supply:
            if card_id in self.craftsman_cards:
                self.removed_craftsmen.append(card_id)
        self.supply = []
        self.phase = "builders"
        self._next(("draw_builder",))

    def _moves_D1(self, player):
        """List decision D1: a card the workers or the gold suffice for, or pass (2.1, item 2)."""
        choices = [("pass",)]
        for card_id in self.supply:
            if card_id in self.resource_cards:
                if self._has_workers_for(player, self.resource_cards[card_id]["workers"]):
                    choices.append(("take_resource", card_id))
            elif self.craftsman_cards[card_id]["cost_gold"] <= self.gold[player]:
                choices.append(("take_craftsman", card_id))
        return choices

    def _play_D1(self, move, player):
        """Take a card or pass for good; then the next player is on (section 2.1)."""
        self._next(("supply_turn", (player + 1) % self.players))
        if move[0] == "pass":
            self.passed[player] = True
            return
        card_id = move[1]
        self.supply.remove(card_id)
        if move[0] == "take_resource":
            self.taken[player].append(card_id)
            self._commit_workers(player, self.resource_cards[card_id]["workers"])
        else:
            self.gold[player] -= self.craftsman_cards[card_id]["cost_gold"]
            self._take_craftsman(player, card_id)

    def _small_workers(self, player):
        """Count the free small figures; the large figure is worth 5 (sections 1.1 and 7)."""
        if self.large_free[player]:
            return self.workers[player] - LARGE_WORKER
        return self.workers[player]

    def _small_needed(self, player, requirement):
        """Count the small figures a card takes, the large one used from 5 on (section 7)."""
        if self.large_free[player] and requirement >= LARGE_WORKER:
            return requirement - LARGE_WORKER
        return requirement

    def _has_workers_for(self, player, requirement):
        """Tell whether the remaining workers suffice for a card (section 2.1, item 2).

        With workers_divisible "false" free figures must add up exactly (section 7).
        """
        if self.options["workers_divisible"]:
            return requirement <= self.workers[player]
        return self._small_needed(player, requirement) <= self._small_workers(player)

    def _commit_workers(self, player, requirement):
        """Send workers to a site until steps 6-8, grey ones first (sections 2.1, 2 and 7)."""
        commits_grey = requirement
        if not self.options["workers_divisible"]:
            commits_grey = self._small_needed(player, requirement)
            if requirement >= LARGE_WORKER:
                self.large_free[player] = False
        self.workers[player] -= requirement
        self.grey_free[player] = max(0, self.grey_free[player] - commits_grey)

    def _workers_in_mill(self, player):
        """Count the workers in the wool mill: all not committed (section 2.1, item 5).

        With grey_workers_in_mill "false" grey ones left over do not count (section 7).
        """
        if self.options["grey_workers_in_mill"]:
            return self.workers[player]
        return self.workers[player] - self.grey_free[player]

    # ---- phase II ----------------------------------------------------------------------------

    def _task_draw_builder(self):
        """Draw the next builder, or go on to the passed ones with an empty bag (section 2.2).

        The start player may return it once per round, if the bag is not empty after the draw;
        with veto_scope "paid_draws_only" only at cost 1 or more (section 7).
        """
        if sum(self.bag) == 0:
            self.cost = 0
            self._next(("place_passed",))
            return
        owner = self.draw("builder", list(self.bag))
        if owner not in range(self.players) or self.bag[owner] == 0:
            raise ValueError(f"no builder of {owner!r} in the bag")
        self.bag[owner] -= 1
        self.drawn = owner
        may_veto = self.veto_available and sum(self.bag) > 0
        if self.options["veto_scope"] == "paid_draws_only" and self.cost == 0:
            may_veto = False
        if may_veto:
            self._next(("D3", self.start_player))
        else:
            self._next(("ask_owner",))

    def _moves_D3(self, player):
        """List decision D3: return the builder to the bag, or let it stand (section 2.2)."""
        return [("return_builder",), ("let_stand",)]

    def _play_D3(self, move, player):
        """Return the builder, the cost unchanged, or ask its owner (section 2.2)."""
        if move[0] == "let_stand":
            self._next(("ask_owner",))
            return
        self.bag[self.drawn] += 1
        self.drawn = None
        self.veto_available = False
        self._next(("draw_builder",))

    def _task_ask_owner(self):
        """Ask the owner of the drawn builder: D4 at cost 1 to 7, D5 at cost 0 (section 2.2)."""
        if self.cost > 0:
            self._next(("D4", self.drawn))
        else:
            self._next(("D5", self.drawn, None))

    def _free_spaces(self):
        """List the builder spaces without a builder (section 1.4)."""
        return [space for space in SPACES if self.spaces[space] is None]

    def _moves_D4(self, player):
        """List decision D4: pass, pay for a free space, or use Remigius for one (2.2)."""
        choices = [("pass",)]
        if self.gold[player] >= self.cost:
            choices += [("place", space) for space in self._free_spaces()]
        if self._advantages_with(player, "free_builder_once"):
            choices += [("place_remigius", space) for space in self._free_spaces()]
        return choices

    def _play_D4(self, move, player):
        """Pass or place the drawn builder; the cost goes down either way (section 2.2)."""
        if move[0] == "pass":
            self.track[self.cost] = player
        else:
            if move[0] == "place":
                self.gold[player] -= self.cost
            else:
                self._discard_advantage(player, "free_builder_once")
            self.spaces[move[1]] = player
        self.drawn = None
        self.cost -= 1
        self._next(("draw_builder",))

    def _moves_D5(self, player, track_cost):
        """List decision D5: any free space, free of charge (section 2.2)."""
        return [("place", space) for space in self._free_spaces()]

    def _play_D5(self, move, player, track_cost):
        """Place a builder free of charge, from the bag or from the track (section 2.2)."""
        self.spaces[move[1]] = player
        if track_cost is None:
            self.drawn = None
            self._next(("draw_builder",))
        else:
            del self.track[track_cost]
            self._next(("place_passed",))

    def _task_place_passed(self):
        """Let the passed builders be placed, the one at the highest cost first (section 2.2)."""
        if self.track:
            highest = max(self.track)
            self._next(("D5", self.track[highest], highest))
        else:
            self._next(("phase_three",))

    # ---- phase III: the order of the steps ---------------------------------------------------

    def _task_phase_three(self):
        """Do the fourteen steps in their order (section 2.3)."""
        self._next(
            ("events",),
            ("wool_mill",),
            ("kingsbridge",),
            ("priory",),
            ("production",),
            ("court",),
            ("shiring",),
            ("castle",),
            ("market",),
            ("cathedral",),
            ("end_round",),
        )

    def _in_player_order(self, name):
        """Do a task for one player after the other, each to its end, in player order (2.3)."""
        self._next(*[(name, player) for player in self._player_order()])

    # ---- steps 1 and 2: event and bishop's seat ----------------------------------------------

    def _is_good_event(self):
        """Tell a good event from a bad one (section 2.3, steps 1-2)."""
        return self.event_cards[self.event]["sign"] == "positive"

    def _task_events(self):
        """Reveal the event: effects in player order, then the cubes (section 2.3, steps 1-2).

        The cube of the bishop's seat comes after the effects so that the early choice of E10
        stands before it, and Thomas's cube comes after that (section 7).
        """
        self.phase = "event"
        if self._is_good_event():
            if self.options["thomas_on_good_events"]:
                self._in_player_order("thomas_cube")
            self._next(("bishop_cube",))
            self._in_player_order("event_effect")
        else:
            self._in_player_order("bad_event")

    def _task_bad_event(self, player):
        """Let a bad event meet a player who is not protected (section 2.3, steps 1-2).

        The owner of B is protected; an unprotected owner of Thomas is asked first (D6).
        """
        card = self.event_cards[self.event]
        if card["bishop_blocks"] and self.spaces["B"] == player:
            return
        has_thomas = self._advantages_with(player, "event_protection_once")
        if card["one_time_protection_card_blocks"] and has_thomas:
            self._next(("D6", player))
        else:
            self._next(("event_effect", player))

    def _moves_D6(self, player):
        """List decision D6: use Thomas or keep him (section 2.3, steps 1-2)."""
        return [("use_thomas",), ("keep_thomas",)]

    def _play_D6(self, move, player):
        """Discard Thomas against a bad event, or for a cube with a good one (2.3 and 7)."""
        if move[0] == "use_thomas":
            self._discard_advantage(player, "event_protection_once")
            if self._is_good_event():
                self._next(("D8", player))
        elif not self._is_good_event():
            self._next(("event_effect", player))

    def _task_event_effect(self, player):
        """Let the event take its effect on one player (section 2.3, table of effects)."""
        card = self.event_cards[self.event]
        effect = card["effect_code"]
        amount = card["amount"]
        if effect == "gold" and amount >= 0:
            self._gain_gold(player, amount)
        elif effect == "gold":
            self._pay_with_shortfall(player, -amount)
        elif effect == "metal":
            self._gain_cubes(player, "metal", amount)
        elif effect == "vp":
            self._change_vp(player, amount)
        elif effect == "builders_next_round":
            self.builders_next_round[player] = max(0, BUILDERS + amount)
        elif effect == "gold_per_mill_worker_cap":
            self._gain_gold(player, self._weavers_gold(player, amount))
        elif effect == "yield_per_resource_card":
            self.yield_change[player] = amount
        elif effect == "lose_craftsman":
            self._next(*[("roof_falls", player) for _ in range(amount)])
        elif effect == "capacity_plus_one":
            if self.options["archbishop_choice_time"] == "step_1":
                self._next(("inspiration", player))
        else:
            raise ValueError(f"unknown event effect: {effect}")

    def _weavers_gold(self, player, cap):
        """Count the gold of E06: one per worker in the mill, at most 5 (section 2.3, E06).

        philip_event_cap "none" lifts the cap (section 7).
        """
        workers = self._workers_in_mill(player)
        if self.options["philip_event_cap"] is None:
            return workers
        return min(workers, cap)

    def _task_roof_falls(self, player):
        """Ask a player hit by E09 which craftsman to lose (section 2.3, E09)."""
        if self.craftsmen[player]:
            self._next(("D7", player))

    def _moves_D7(self, player):
        """List decision D7: any own craftsman (section 2.3, E09)."""
        return [("lose", card_id) for card_id in self.craftsmen[player]]

    def _play_D7(self, move, player):
        """Lose a craftsman; the card leaves the game (section 2.3, E09)."""
        self._lose_craftsman(player, move[1])

    def _bishop_kinds(self):
        """List the kinds that the bishop's cube may have (section 2.3, steps 1-2).

        The cube comes from the market, so the kind must lie there; with bishop_bonus_source
        "supply" it comes from the unlimited general supply (section 7).
        """
        if self.options["bishop_bonus_source"] == "supply":
            return list(BISHOP_KINDS)
        return [kind for kind in BISHOP_KINDS if self.market[kind] > 0]

    def _task_bishop_cube(self):
        """Let the owner of B take a cube with a good event (section 2.3, steps 1-2)."""
        owner = self.spaces["B"]
        if owner is not None and self._bishop_kinds():
            self._next(("D8", owner))

    def _task_thomas_cube(self, player):
        """Offer an owner of Thomas who is not on B a cube (7, thomas_on_good_events)."""
        has_thomas = self._advantages_with(player, "event_protection_once")
        if has_thomas and self.spaces["B"] != player and self._bishop_kinds():
            self._next(("D6", player))

    def _moves_D8(self, player):
        """List decision D8: sand, wood or stone (section 2.3, steps 1-2)."""
        return [("bonus", kind) for kind in self._bishop_kinds()]

    def _play_D8(self, move, player):
        """Take the cube of choice from the market or the supply (section 2.3, steps 1-2)."""
        kind = move[1]
        if self.options["bishop_bonus_source"] == "supply":
            self._gain_cubes(player, kind, 1)
        else:
            self.market[kind] -= 1
            self.cubes[player][kind] += 1

    # ---- steps 3 to 8 ------------------------------------------------------------------------

    def _task_wool_mill(self):
        """Pay 1 gold per own worker in the mill, up to 30 gold (section 2.3, step 3)."""
        for player in self._player_order():
            self._gain_gold(player, self._workers_in_mill(player))

    def _task_kingsbridge(self):
        """Hand out the advantage cards (section 2.3, step 4).

        Each owner takes the card of the own space, in player order and K1 before K2. With
        advantage_by_space "false" K1's owner picks first, then K2's (section 7).
        """
        self.phase = "kingsbridge"
        self._next(("end_kingsbridge",))
        if self.options["advantage_by_space"]:
            for player in self._player_order():
                for space in KINGSBRIDGE:
                    if self.spaces[space] == player:
                        self._take_advantage(player, space)
            return
        owners = [self.spaces[space] for space in KINGSBRIDGE if self.spaces[space] is not None]
        self._next(*[("choose_advantage", owner) for owner in owners])

    def _take_advantage(self, player, space):
        """Take the card at a space: immediate cards pay out, others are kept (2.3, step 4)."""
        card_id = self.kingsbridge.pop(space)
        card = self.advantage_cards[card_id]
        if card["kind"] != "immediate":
            self.advantages[player] = sorted([*self.advantages[player], card_id])
            return
        for kind in KINDS:
            self._gain_cubes(player, kind, card["amount_" + kind])
        self._gain_gold(player, card["amount_gold"])
        self._change_vp(player, card["amount_vp"])
        self.discarded_advantages.append(card_id)

    def _moves_choose_advantage(self, player):
        """List the cards still at Kingsbridge (section 7, advantage_by_space)."""
        return [("choose_advantage", card_id) for card_id in self.kingsbridge.values()]

    def _play_choose_advantage(self, move, player):
        """Take the chosen card, wherever it lies (section 7, advantage_by_space)."""
        for space, card_id in list(self.kingsbridge.items()):
            if card_id == move[1]:
                self._take_advantage(player, space)

    def _task_end_kingsbridge(self):
        """Discard the advantage cards nobody took (section 2.3, step 4)."""
        self.discarded_advantages += self.kingsbridge.values()
        self.kingsbridge = {}

    def _task_priory(self):
        """Score the priory: P1 2 VP, P2 1 VP, Prior Philip 1 more each (2.3, step 5).

        With prior_philip_per_space "once_per_round" he pays once for all (section 7).
        """
        for player in self._player_order():
            held = [space for space in PRIORY_POINTS if self.spaces[space] == player]
            extra = self._sum_of_advantages(player, "priory_plus_1", "amount_vp")
            times = len(held)
            if self.options["prior_philip_per_space"] == "once_per_round":
                times = min(1, times)
            points = sum(PRIORY_POINTS[space] for space in held)
            self._change_vp(player, points + extra * times)

    def _task_production(self):
        """Bring in cubes of forest, quarry and gravel pit (section 2.3, steps 6-8).

        Resource cards go back to the set and the workers to their owners.
        """
        for player in self._player_order():
            for kind in KINDS:
                number = self._card_yield(player, kind) + self._income(player, kind)
                self._gain_cubes(player, kind, number)
            for card_id in self.taken[player]:
                self.workers[player] += self.resource_cards[card_id]["workers"]
            self.taken[player] = []
            self.large_free[player] = True
            self.grey_free[player] = self.grey[player]

    def _yields(self, player, kind):
        """List the printed yields of a player's resource cards of one kind (section 5)."""
        cards = [self.resource_cards[card_id] for card_id in self.taken[player]]
        return [card["yield"] for card in cards if card["resource"] == kind]

    def _card_yield(self, player, kind):
        """Count the cubes of the own cards of one kind, changed by E07 or E08 (steps 6-8).

        The change is made to each card, or once for a kind held with winter_scope "per_kind"
        (section 7). A card never yields less than nothing.
        """
        yields = self._yields(player, kind)
        change = self.yield_change[player]
        if self.options["winter_scope"] == "per_card":
            return sum(max(0, number + change) for number in yields)
        if yields:
            return max(0, sum(yields) + change)
        return 0

    def _income(self, player, kind):
        """Count the cubes of Richard, Tom and Aliena (section 2.3, steps 6-8).

        With priv_income_unconditional "false" a card of the kind is needed (section 7).
        """
        if not self.options["priv_income_unconditional"] and not self._yields(player, kind):
            return 0
        return self._sum_of_advantages(player, "income", "amount_" + kind)

    # ---- step 9: king's court ----------------------------------------------------------------

    def _task_court(self):
        """Roll the tax die and let every player settle in player order (section 2.3, step 9)."""
        self.phase = "court"
        self.tax = self.draw("tax", None)
        if self.tax not in TAX_FACES:
            raise ValueError(f"the tax die has no face {self.tax!r}")
        self._in_player_order("settle_tax")

    def _task_settle_tax(self, player):
        """Free the owners at court, C1's taking the metal, or ask or tax (2.3, step 9)."""
        if self.spaces["C1"] == player:
            self.cubes[player]["metal"] += self.court_metal
            self.court_metal = 0
        if any(self.spaces[space] == player for space in COURT):
            return
        if self._advantages_with(player, "no_tax_once"):
            self._next(("D9", player))
        else:
            self._pay_tax(player)

    def _pay_tax(self, player):
        """Pay the roll, or 2 with Francis (section 2.3, step 9)."""
        if self._advantages_with(player, "tax_fixed_2"):
            self._pay_with_shortfall(player, FRANCIS_TAX)
        else:
            self._pay_with_shortfall(player, self.tax)

    def _moves_D9(self, player):
        """List decision D9: discard the Tax Exemption card or keep it (2.3, step 9)."""
        return [("use_exemption",), ("keep_exemption",)]

    def _play_D9(self, move, player):
        """Pay nothing for the discarded card, or pay (section 2.3, step 9)."""
        if move[0] == "use_exemption":
            self._discard_advantage(player, "no_tax_once")
        else:
            self._pay_tax(player)

    # ---- steps 10 and 11: Shiring ------------------------------------------------------------

    def _task_shiring(self):
        """Hand out the craftsmen at Shiring free of charge (section 2.3, step 10).

        Each owner takes the card of the own space, in player order and S1 before S2, D2
        included. With shiring_by_space "false" S1's owner picks first, then S2's (section 7).
        """
        self.phase = "shiring"
        self._next(("end_shiring",))
        if self.options["shiring_by_space"]:
            self._next(
                *[
                    ("take_at_shiring", player, space)
                    for player in self._player_order()
                    for space in SHIRING
                    if self.spaces[space] == player
                ]
            )
            return
        owners = [self.spaces[space] for space in SHIRING if self.spaces[space] is not None]
        self._next(*[("choose_craftsman", owner) for owner in owners])

    def _task_take_at_shiring(self, player, space):
        """Take the craftsman lying at the own space (section 2.3, step 10)."""
        self._take_craftsman(player, self.shiring.pop(space))

    def _moves_choose_craftsman(self, player):
        """List the craftsmen still at Shiring (section 7, shiring_by_space)."""
        return [("choose_craftsman", card_id) for card_id in self.shiring.values()]

    def _play_choose_craftsman(self, move, player):
        """Take the chosen craftsman, wherever it lies (section 7, shiring_by_space)."""
        for space, card_id in list(self.shiring.items()):
            if card_id == move[1]:
                del self.shiring[space]
        self._take_craftsman(player, move[1])

    def _task_end_shiring(self):
        """Take the craftsmen nobody took out of the game (section 2.3, step 10)."""
        self.removed_craftsmen += self.shiring.values()
        self.shiring = {}

    def _task_castle(self):
        """Take 2 grey workers for next round; those of this round go back (2.3, step 11)."""
        owner = self.spaces["G"]
        if owner is not None:
            self.castle -= GREY_WORKERS_TAKEN
            self.grey_next[owner] += GREY_WORKERS_TAKEN
        for player in range(self.players):
            self.castle += self.grey[player]
            self.workers[player] -= self.grey[player]
            self.grey[player] = 0
            self.grey_free[player] = 0

    # ---- step 12: market ---------------------------------------------------------------------

    def _task_market(self):
        """Line up the builders on the market, M1 to M4 (section 2.3, step 12).

        With market_slots "per_player" a player stands there once, at the lowest own space
        (section 7).
        """
        self.phase = "market"
        self.trading = []
        present = set()
        for space in MARKET_SPACES:
            owner = self.spaces[space]
            if owner is None:
                continue
            if self.options["market_slots"] == "per_player" and owner in present:
                continue
            present.add(owner)
            self.trading.append(space)
        self._next(("market_turn",))

    def _task_market_turn(self):
        """Give the turn to the next builder still on the market (section 2.3, step 12)."""
        if self.trading:
            self._next(("D11", self.spaces[self.trading[0]]))

    def _buyable(self, player, kind):
        """Count how many cubes of a kind a player may buy now (section 2.3, step 12).

        Stock and gold limit it; wood needs a woodworker and metal is never for sale. With
        sell_then_buy_same_kind "false" a kind sold this round is closed (section 7).
        """
        row = self.prices[kind]
        needed = row["craftsman_needed_to_buy"]
        if not row["can_buy"]:
            return 0
        if needed and not self._owns_trade(player, needed):
            return 0
        if not self.options["sell_then_buy_same_kind"] and self.sold[player][kind] > 0:
            return 0
        number = 0
        while number < self.market[kind] and (number + 1) * row["price"] <= self.gold[player]:
            number += 1
        return number

    def _sellable(self, player, kind):
        """Count how many cubes of a kind a player may sell now (section 2.3, step 12).

        Stone needs a stonecutter. A kind bought this round may not be sold; with
        resale_ban_scope "bought_cubes_only" the cubes beyond those bought may (section 7).
        """
        row = self.prices[kind]
        needed = row["craftsman_needed_to_sell"]
        if not row["can_sell"]:
            return 0
        if needed and not self._owns_trade(player, needed):
            return 0
        held = self.cubes[player][kind]
        bought = self.bought[player][kind]
        if self.options["resale_ban_scope"] == "bought_cubes_only":
            return max(0, held - bought)
        return held if bought == 0 else 0

    def _moves_D11(self, player):
        """List decision D11: buy or sell some cubes of one kind, or pass (2.3, step 12)."""
        choices = [("pass",)]
        for kind in KINDS:
            for number in range(1, self._buyable(player, kind) + 1):
                choices.append(("buy", kind, number))
            for number in range(1, self._sellable(player, kind) + 1):
                choices.append(("sell", kind, number))
        return choices

    def _play_D11(self, move, player):
        """Trade, the builder then waiting for its next turn, or leave (2.3, step 12)."""
        space = self.trading.pop(0)
        self._next(("market_turn",))
        if move[0] == "pass":
            return
        self.trading.append(space)
        _, kind, number = move
        value = number * self.prices[kind]["price"]
        if move[0] == "buy":
            self.gold[player] -= value
            self.market[kind] -= number
            self.cubes[player][kind] += number
            self.bought[player][kind] += number
        else:
            self._gain_gold(player, value)
            self.sold[player][kind] += number
            self._hand_over_sold_cubes(player, kind, number)

    def _hand_over_sold_cubes(self, player, kind, number):
        """Move sold cubes to the general supply, not to the market (section 2.3, step 12).

        With sold_cubes_to_market "true" sand, wood and stone join the stock (section 7).
        """
        if self.options["sold_cubes_to_market"] and kind != "metal":
            self.cubes[player][kind] -= number
            self.market[kind] += number
        else:
            self._give_back_cubes(player, kind, number)

    # ---- step 13: cathedral ------------------------------------------------------------------

    def _task_cathedral(self):
        """Let every player do the whole step in player order (section 2.3, step 13)."""
        self.phase = "cathedral"
        self._next(("place_piece",))
        self._in_player_order("build")

    def _task_build(self, player):
        """Line up one player's step: D2 if delayed, D12 with E10, then D13 (2.3, step 13)."""
        self._next(("D13", player))
        event = self.event_cards[self.event]
        if event["effect_code"] == "capacity_plus_one":
            if self.options["archbishop_choice_time"] == "step_13":
                self._next(("inspiration", player))
        if self.options["over_limit_discard"] == "at_step_13":
            self._next(("check_limit", player))

    def _task_inspiration(self, player):
        """Ask for D12, left out without an eligible craftsman (section 2.3, step 13)."""
        if self._moves_D12(player):
            self._next(("D12", player))

    def _moves_D12(self, player):
        """List decision D12: an eligible own craftsman (section 2.3, E10).

        Not bell maker, organ builder, architect or toolmaker, unless archbishop_excludes_fixed
        is "false" (section 7).
        """
        excludes = self.options["archbishop_excludes_fixed"]
        return [
            ("inspire", card_id)
            for card_id in self.craftsmen[player]
            if not excludes or self.craftsman_cards[card_id]["archbishop_eligible"]
        ]

    def _play_D12(self, move, player):
        """Raise the capacity of the chosen craftsman for this round (section 2.3, E10)."""
        self.inspired[player] = move[1]

    def _capacity(self, player, card_id):
        """Count the uses per round of a craftsman, one more with E10 (section 2.3, step 13)."""
        capacity = self.craftsman_cards[card_id]["capacity"]
        if self.inspired[player] == card_id:
            capacity += self.event_cards[self.event]["amount"]
        return capacity

    def _can_use(self, player, card_id):
        """Tell whether one use of a craftsman is legal now (section 2.3, step 13).

        It must have uses left and all inputs held; a mason needs a mortar mixer and the
        toolmaker at least 1 metal, which is not consumed.
        """
        card = self.craftsman_cards[card_id]
        cubes = self.cubes[player]
        if self.uses[player].get(card_id, 0) >= self._capacity(player, card_id):
            return False
        if any(cubes[kind] < card["in_" + kind] for kind in KINDS):
            return False
        if self.gold[player] < card["in_gold"]:
            return False
        if card["needs_mortar_mixer"] and not self._owns_trade(player, "mortar_mixer"):
            return False
        if card["needs_metal_present"] and cubes["metal"] < 1:
            return False
        return True

    def _moves_D13(self, player):
        """List decision D13: the craftsmen with a legal use, or stop (section 2.3, step 13)."""
        usable = [card_id for card_id in self.craftsmen[player] if self._can_use(player, card_id)]
        return [("stop",)] + [("use", card_id) for card_id in usable]

    def _play_D13(self, move, player):
        """Use a craftsman once and go on, or stop (section 2.3, step 13).

        With conversion_outputs_chain "false" gold waits until the player stops (section 7).
        """
        if move[0] == "stop":
            self._gain_gold(player, self.gold_set_aside[player])
            self.gold_set_aside[player] = 0
            self._next(("check_storage", player))
            return
        card_id = move[1]
        card = self.craftsman_cards[card_id]
        gold = self._gold_from_use(player, card)
        for kind in KINDS:
            self._give_back_cubes(player, kind, card["in_" + kind])
        self.gold[player] -= card["in_gold"]
        self._change_vp(player, card["out_vp"])
        if self.options["conversion_outputs_chain"]:
            self._gain_gold(player, gold)
        else:
            self.gold_set_aside[player] += gold
        self.uses[player][card_id] = self.uses[player].get(card_id, 0) + 1
        self._next(("D13", player))

    def _gold_from_use(self, player, card):
        """Count the gold of one use; the toolmaker pays 2 in total, not per metal (step 13).

        With toolmaker_mode "two_gold_each" it pays for every metal held (section 7).
        """
        if card["needs_metal_present"] and self.options["toolmaker_mode"] == "two_gold_each":
            return card["out_gold"] * self.cubes[player]["metal"]
        return card["out_gold"]

    def _task_check_storage(self, player):
        """Ask for cubes to return as long as more than 5 are left (section 2.3, step 13)."""
        if sum(self.cubes[player].values()) > CUBES_KEPT:
            self._next(("D14", player), ("check_storage", player))

    def _moves_D14(self, player):
        """List decision D14: a cube of any kind held (section 2.3, step 13)."""
        return [("return", kind) for kind in KINDS if self.cubes[player][kind] > 0]

    def _play_D14(self, move, player):
        """Return one cube to the general supply (section 2.3, step 13)."""
        self._give_back_cubes(player, move[1], 1)

    def _task_place_piece(self):
        """Place one cathedral piece; the sixth ends the game (sections 2.3, step 13, and 3)."""
        self.cathedral_pieces += 1
        if self.cathedral_pieces == ROUNDS:
            self.over = True
            self.phase = "over"
            self.agenda = []

    # ---- step 14 and the end -----------------------------------------------------------------

    def _task_end_round(self):
        """Settle the next start player and take all builders back (section 2.3, step 14)."""
        if self.spaces["Z"] is not None:
            self.start_player = self.spaces["Z"]
        else:
            self.start_player = (self.start_player + 1) % self.players
        self.spaces = dict.fromkeys(SPACES)
        self._next(("start_round",))

    def scores(self):
        """Give the victory points of every player; leftovers are worth nothing (section 3)."""
        return list(self.vp)

    def ranks(self):
        """Give every player a place: most VP, then most gold; equal players share (section 3).

        With final_tie "seat_order" the lower seat number of 1.3 is placed better (section 7).
        """
        standings = []
        for seat in range(self.players):
            standing = (self.vp[seat], self.gold[seat])
            if self.options["final_tie"] == "seat_order":
                standing += (-self._position(seat),)
            standings.append(standing)
        return [1 + sum(other > own for other in standings) for own in standings]
