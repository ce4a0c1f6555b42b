"""Components, rules, state and actions of The Pillars of the Earth (sections 1, 5 and 7)."""

from pathlib import Path

import numpy as np

from sim.protocol import Option
from sim.records import HIDDEN, OWN, PUBLIC, rules_record, state_record
from sim.sets import set_of
from sim.tables import Column, Table

MAX_PLAYERS = 4
NUM_ROUNDS = 6

# Cubes --------------------------------------------------------------------------------------------

SAND, WOOD, STONE, METAL = 0, 1, 2, 3
KIND_NAMES = ("sand", "wood", "stone", "metal")
NUM_KINDS = 4

# Cards --------------------------------------------------------------------------------------------

NUM_STARTING = 3  # mortar mixer, woodworker, stonecutter: rows 0 to 2 of the table
PER_ROUND = 4  # craftsmen numbered alike on the back
NUM_CRAFTSMEN = NUM_STARTING + NUM_ROUNDS * PER_ROUND
STARTING_CRAFTSMEN = set_of(range(NUM_STARTING))
NUM_RESOURCES = 9  # resource cards
ALL_RESOURCES = set_of(range(NUM_RESOURCES))
NUM_FACES = 6
NUM_OMITTED = 2  # of them out each round
NUM_REGULAR = 14  # advantage cards of which 4 are removed unseen
NUM_LAST = 2  # advantage cards of the last round
NUM_ADVANTAGES = NUM_REGULAR + NUM_LAST
NUM_EVENTS = 10  # of which 4 are removed unseen

MORTAR_MIXER, WOODWORKER, STONECUTTER = 0, 1, 2  # trades that other cards and the market ask for
NUM_TRADES = 3
TRADES = ("", "mortar_mixer", "woodworker", "stonecutter")  # in tables; "" is none

IMMEDIATE, CONTINUOUS, ONE_TIME = 0, 1, 2
ADVANTAGE_KINDS = ("immediate", "continuous", "one-time")
(
    GAIN,
    INCOME,
    CRAFTSMAN_SLOT,
    WORKER,
    TAX_FIXED,
    PRIORY_PLUS,
    PEEK_EVENT,
    NO_TAX_ONCE,
    EVENT_PROTECTION,
    FREE_BUILDER,
) = range(10)
ADVANTAGE_EFFECTS = (
    "gain",
    "income",
    "craftsman_slot",
    "worker",
    "tax_fixed_2",
    "priory_plus_1",
    "peek_event",
    "no_tax_once",
    "event_protection_once",
    "free_builder_once",
)

GOOD, BAD = 0, 1
EVENT_SIGNS = ("positive", "negative")
(
    EVENT_GOLD,
    EVENT_METAL,
    EVENT_VP,
    EVENT_BUILDERS,
    EVENT_MILL_GOLD,
    EVENT_YIELD,
    EVENT_LOSE_CRAFTSMAN,
    EVENT_CAPACITY,
) = range(8)
EVENT_EFFECTS = (
    "gold",
    "metal",
    "vp",
    "builders_next_round",
    "gold_per_mill_worker_cap",
    "yield_per_resource_card",
    "lose_craftsman",
    "capacity_plus_one",
)

_NUMBER = {"low": 0, "high": 30}
_FLAG = {"low": 0, "high": 1}
_FOLDER = Path(__file__).parent

CRAFTSMEN = Table(
    name="craftsmen",
    file=_FOLDER / "craftsmen.csv",
    key="card_id",
    columns=(
        Column("card_id"),
        Column("name"),
        Column("german_name"),
        Column("deck", "craftsman_deck", words=("start", "round")),
        Column("round", "craftsman_round", low=0, high=NUM_ROUNDS),
        Column("copies", low=1, high=MAX_PLAYERS, field="craftsman_copies"),
        Column("cost_gold", "craftsman_cost", **_NUMBER),
        Column("in_sand", "craftsman_in", at=SAND, **_NUMBER),
        Column("in_wood", "craftsman_in", at=WOOD, **_NUMBER),
        Column("in_stone", "craftsman_in", at=STONE, **_NUMBER),
        Column("in_metal", "craftsman_in", at=METAL, **_NUMBER),
        Column("in_gold", "craftsman_in_gold", **_NUMBER),
        Column("out_vp", "craftsman_vp", **_NUMBER),
        Column("out_gold", "craftsman_gold", **_NUMBER),
        Column("capacity", "craftsman_capacity", **_NUMBER),
        Column("needs_mortar_mixer", "craftsman_needs_mixer", **_FLAG),
        Column("needs_metal_present", "craftsman_needs_metal", **_FLAG),
        Column("counts_as_mortar_mixer", "craftsman_trade", at=MORTAR_MIXER, **_FLAG),
        Column("counts_as_woodworker", "craftsman_trade", at=WOODWORKER, **_FLAG),
        Column("counts_as_stonecutter", "craftsman_trade", at=STONECUTTER, **_FLAG),
        Column("archbishop_eligible", "craftsman_eligible", **_FLAG),
        Column("confidence"),
        Column("source"),
    ),
    min_rows=NUM_CRAFTSMEN,
    max_rows=NUM_CRAFTSMEN,
)

ADVANTAGES = Table(
    name="advantages",
    file=_FOLDER / "advantages.csv",
    key="card_id",
    columns=(
        Column("card_id"),
        Column("short_name"),
        Column("german_key"),
        Column("deck", "advantage_deck", words=("regular", "last round")),
        Column("kind", "advantage_kind", words=ADVANTAGE_KINDS),
        Column("effect_code", "advantage_effect", words=ADVANTAGE_EFFECTS),
        Column("amount_sand", "advantage_cubes", at=SAND, **_NUMBER),
        Column("amount_wood", "advantage_cubes", at=WOOD, **_NUMBER),
        Column("amount_stone", "advantage_cubes", at=STONE, **_NUMBER),
        Column("amount_metal", "advantage_cubes", at=METAL, **_NUMBER),
        Column("amount_gold", "advantage_gold", **_NUMBER),
        Column("amount_vp", "advantage_vp", **_NUMBER),
        Column("amount_workers", "advantage_workers", **_NUMBER),
        Column("amount_craftsman_slots", "advantage_slots", **_NUMBER),
        Column("applies_at"),
        Column("first_usable"),
        Column("decision"),
        Column("confidence"),
        Column("source"),
        Column("notes", may_be_empty=True),
    ),
    min_rows=NUM_ADVANTAGES,
    max_rows=NUM_ADVANTAGES,
)

EVENTS = Table(
    name="events",
    file=_FOLDER / "events.csv",
    key="event_id",
    columns=(
        Column("event_id"),
        Column("short_name"),
        Column("german_key"),
        Column("sign", "event_sign", words=EVENT_SIGNS),
        Column("effect_code", "event_effect", words=EVENT_EFFECTS),
        Column("amount", "event_amount", low=-30, high=30),
        Column("affects"),
        Column("resolves_at"),
        Column("player_choice"),
        Column("bishop_blocks", "event_bishop_blocks", **_FLAG),
        Column("one_time_protection_card_blocks", "event_card_blocks", **_FLAG),
        Column("confidence"),
        Column("source"),
        Column("notes", may_be_empty=True),
    ),
    min_rows=NUM_EVENTS,
    max_rows=NUM_EVENTS,
)

RESOURCES = Table(
    name="resources",
    file=_FOLDER / "resources.csv",
    key="card_id",
    columns=(
        Column("card_id"),
        Column("resource", "resource_kind", words=KIND_NAMES),
        Column("site"),
        Column("size"),
        Column("yield", "resource_yield", **_NUMBER),
        Column("workers", "resource_workers", **_NUMBER),
        Column("confidence"),
        Column("source"),
    ),
    min_rows=NUM_RESOURCES,
    max_rows=NUM_RESOURCES,
)

MARKET = Table(
    name="market",
    file=_FOLDER / "market.csv",
    key="resource",
    columns=(
        Column("resource"),
        Column("price", "price", low=1, high=30),
        Column("can_buy", "can_buy", **_FLAG),
        Column("can_sell", "can_sell", **_FLAG),
        Column("market_stock_at_round_start", "market_stock", **_NUMBER),
        Column("craftsman_needed_to_buy", "trade_to_buy", words=TRADES, may_be_empty=True),
        Column("craftsman_needed_to_sell", "trade_to_sell", words=TRADES, may_be_empty=True),
        Column("cubes_in_box", "cubes_in_box", low=0, high=200),
        Column("source"),
    ),
    min_rows=NUM_KINDS,
    max_rows=NUM_KINDS,
)

TAX_DIE = Table(
    name="tax_die",
    file=_FOLDER / "tax_die.csv",
    key="face",
    columns=(
        Column("face", "tax_number", low=1, high=NUM_FACES),
        Column("gold", "tax_face", **_NUMBER),
        Column("source"),
    ),
    min_rows=NUM_FACES,
    max_rows=NUM_FACES,
)

STARTING_GOLD = Table(
    name="starting_gold",
    file=_FOLDER / "starting_gold.csv",
    key="position",
    columns=(
        Column("position", "seat_number", low=1, high=MAX_PLAYERS),
        Column("gold", "starting_gold", **_NUMBER),
        Column("source"),
    ),
    min_rows=MAX_PLAYERS,
    max_rows=MAX_PLAYERS,
)

(
    MAX_GOLD,
    STARTING_VP,
    FIRST_COST,
    BUILDERS,
    WORKERS,
    CRAFTSMAN_LIMIT,
    CUBE_LIMIT,
    GREY_TAKEN,
    FIXED_TAX,
    PRIORY_FIRST,
    PRIORY_SECOND,
    COURT_METAL,
) = range(12)
NUMBER_NAMES = (
    "max_gold",
    "starting_vp",
    "first_cost",
    "builders",
    "workers",
    "craftsman_limit",
    "cube_limit",
    "grey_workers",
    "fixed_tax",
    "priory_first",
    "priory_second",
    "court_metal",
)
MOST_COST = 7  # spaces of the cost track above 0

TRACKS = Table(
    name="tracks",
    file=_FOLDER / "tracks.csv",
    key="name",
    columns=(
        Column("name"),
        Column("value", "number", low=0, high=100),
        Column("source"),
    ),
    min_rows=len(NUMBER_NAMES),
    max_rows=len(NUMBER_NAMES),
)

TABLES = (
    CRAFTSMEN,
    ADVANTAGES,
    EVENTS,
    RESOURCES,
    MARKET,
    TAX_DIE,
    STARTING_GOLD,
    TRACKS,
)

# Board (section 1.4) ------------------------------------------------------------------------------

SPACE_CODES = ("B", "K1", "K2", "P1", "P2", "C1", "C2", "C3", "C4", "S1", "S2", "G") + (
    "M1",
    "M2",
    "M3",
    "M4",
    "Z",
)
NUM_SPACES = len(SPACE_CODES)
BISHOP, KINGSBRIDGE, PRIORY, COURT, SHIRING, CASTLE, MARKET_PLACE, CATHEDRAL = (
    SPACE_CODES.index(code) for code in ("B", "K1", "P1", "C1", "S1", "G", "M1", "Z")
)  # the first space of each location
NUM_COURT = 4
NUM_MARKET = 4
NUM_PAIR = 2  # spaces of Kingsbridge, priory and Shiring

LARGE_WORKER = 5  # workers that the large figure is worth
MAX_TRADE = 30  # cubes that one action buys or sells at the most

# Rules (section 7) --------------------------------------------------------------------------------

YES_NO = (True, False)
VP_PER_2_FLOOR, VP_PER_2_CEIL, VP_PER_1, NO_PENALTY = 0, 1, 2, 3
SECOND = 1  # the value of an option that is not its default; of YES_NO False

OPTIONS = (
    Option(
        "shortfall_rule",
        ("vp_per_2_floor", "vp_per_2_ceil", "vp_per_1", "no_penalty"),
        "vp_per_2_floor",
        "VP lost for gold missing",
    ),
    Option("bishop_bonus_source", ("market", "supply"), "market", "where the bishop's cube is"),
    Option("glassblower_vp", range(0, 31), 3, "VP of a glassblower, if not 3"),
    Option("market_slots", ("per_builder", "per_player"), "per_builder", "who trades"),
    Option("sold_cubes_to_market", (False, True), False, "sold cubes can be bought"),
    Option("master_woodworker_counts", YES_NO, True, "as a woodworker"),
    Option("improved_mortar_mixer_counts", YES_NO, True, "as a mortar mixer"),
    Option("grey_workers_in_mill", YES_NO, True, "earn gold there"),
    Option(
        "toolmaker_mode",
        ("two_gold_if_any", "two_gold_each"),
        "two_gold_if_any",
        "gold for metal held",
    ),
    Option("conversion_outputs_chain", YES_NO, True, "gold earned can be used at once"),
    Option("priv_income_unconditional", YES_NO, True, "Richard, Tom, Aliena need no card"),
    Option("advantage_by_space", YES_NO, True, "K1 and K2 have a card each"),
    Option("shiring_by_space", YES_NO, True, "S1 and S2 have a card each"),
    Option("over_limit_discard", ("immediate", "at_step_13"), "immediate", "when it is due"),
    Option("winter_scope", ("per_card", "per_kind"), "per_card", "what E07 and E08 change"),
    Option("philip_event_cap", (5, "none"), 5, "gold of E06 at the most"),
    Option("archbishop_choice_time", ("step_13", "step_1"), "step_13", "when E10 asks"),
    Option("archbishop_excludes_fixed", YES_NO, True, "E10 not for every craftsman"),
    Option(
        "veto_scope",
        ("any_draw_with_bag_left", "paid_draws_only"),
        "any_draw_with_bag_left",
        "which builders can be returned",
    ),
    Option("prior_philip_per_space", (True, "once_per_round"), True, "bonus for each space"),
    Option("thomas_on_good_events", (False, True), False, "Thomas may take a cube"),
    Option("sell_then_buy_same_kind", YES_NO, True, "allowed in one round"),
    Option("resale_ban_scope", ("kind", "bought_cubes_only"), "kind", "what may not be resold"),
    Option("workers_divisible", YES_NO, True, "the large figure can be changed"),
    Option("final_tie", ("shared", "seat_order"), "shared", "who wins after equal gold"),
    Option("max_turns", range(1, 10_001), 5000, "guard: a match this long is capped"),
)

RULES = rules_record(
    "pillars",
    ("craftsman_deck", np.int8, NUM_CRAFTSMEN),  # 0 = starting card, 1 = card of a round
    ("craftsman_round", np.int8, NUM_CRAFTSMEN),  # 1 to 6; 0 for starting cards
    ("craftsman_copies", np.int8, NUM_CRAFTSMEN),
    ("craftsman_cost", np.int16, NUM_CRAFTSMEN),  # gold
    ("craftsman_in", np.int16, (NUM_CRAFTSMEN, NUM_KINDS)),  # cubes of each kind for one use
    ("craftsman_in_gold", np.int16, NUM_CRAFTSMEN),
    ("craftsman_vp", np.int16, NUM_CRAFTSMEN),
    ("craftsman_gold", np.int16, NUM_CRAFTSMEN),
    ("craftsman_capacity", np.int16, NUM_CRAFTSMEN),  # uses in a round
    ("craftsman_needs_mixer", np.int8, NUM_CRAFTSMEN),
    ("craftsman_needs_metal", np.int8, NUM_CRAFTSMEN),  # held, not used up
    ("craftsman_trade", np.int8, (NUM_CRAFTSMEN, NUM_TRADES)),  # 1 = counts as such
    ("craftsman_eligible", np.int8, NUM_CRAFTSMEN),  # for E10
    ("advantage_deck", np.int8, NUM_ADVANTAGES),  # 0 = regular, 1 = last round
    ("advantage_kind", np.int8, NUM_ADVANTAGES),  # IMMEDIATE, CONTINUOUS, ONE_TIME
    ("advantage_effect", np.int8, NUM_ADVANTAGES),  # GAIN to FREE_BUILDER
    ("advantage_cubes", np.int16, (NUM_ADVANTAGES, NUM_KINDS)),
    ("advantage_gold", np.int16, NUM_ADVANTAGES),
    ("advantage_vp", np.int16, NUM_ADVANTAGES),
    ("advantage_workers", np.int16, NUM_ADVANTAGES),
    ("advantage_slots", np.int16, NUM_ADVANTAGES),  # added to the limit of craftsmen
    ("event_sign", np.int8, NUM_EVENTS),  # GOOD, BAD
    ("event_effect", np.int8, NUM_EVENTS),  # EVENT_GOLD to EVENT_CAPACITY
    ("event_amount", np.int16, NUM_EVENTS),
    ("event_bishop_blocks", np.int8, NUM_EVENTS),
    ("event_card_blocks", np.int8, NUM_EVENTS),
    ("resource_kind", np.int8, NUM_RESOURCES),
    ("resource_yield", np.int16, NUM_RESOURCES),
    ("resource_workers", np.int16, NUM_RESOURCES),
    ("price", np.int16, NUM_KINDS),
    ("can_buy", np.int8, NUM_KINDS),
    ("can_sell", np.int8, NUM_KINDS),
    ("market_stock", np.int16, NUM_KINDS),  # at the start of a round
    ("trade_to_buy", np.int8, NUM_KINDS),  # 0 = none, else 1 + trade
    ("trade_to_sell", np.int8, NUM_KINDS),
    ("cubes_in_box", np.int16, NUM_KINDS),
    ("tax_face", np.int16, NUM_FACES),  # gold on each face of the tax die
    ("tax_number", np.int16, NUM_FACES),
    ("starting_gold", np.int16, MAX_PLAYERS),  # by position, that of the start player first
    ("seat_number", np.int16, MAX_PLAYERS),
    ("number", np.int16, len(NUMBER_NAMES)),  # MAX_GOLD to COURT_METAL
    *((option.name, np.int16) for option in OPTIONS if option.name != "max_turns"),
    # What `prepare` derives from the tables and options; sets as in sim.sets.
    ("cards_of_trade", np.int32, NUM_TRADES),  # craftsmen that count as such
    ("eligible_cards", np.int32),  # craftsmen for E10
    ("cards_of_effect", np.int32, len(ADVANTAGE_EFFECTS)),  # advantage cards
    ("cards_of_kind", np.int32, NUM_KINDS),  # resource cards
    ("num_for_gold", np.int16, (NUM_KINDS, MAX_TRADE + 1)),  # cubes that 0 to 30 gold buy
)

# State --------------------------------------------------------------------------------------------

# Decision points (section 2.5): what is asked now.
(
    NOTHING,
    TURN,
    REMOVE,
    VETO,
    BUILDER,
    FREE_BUILDER_PLACE,
    THOMAS,
    LOSE,
    BONUS,
    EXEMPTION,
    TRADE,
    INSPIRE,
    USE,
    RETURN,
    PICK_ADVANTAGE,
    PICK_CRAFTSMAN,
) = range(16)

# Steps of the round, in order.
(
    SUPPLY,
    BAG,
    TRACK,
    EVENT,
    INSPIRATION,
    BISHOP_BONUS,
    THOMAS_BONUS,
    MILL,
    ADVANTAGE,
    PRIORY_VP,
    PRODUCTION,
    TAX,
    FREE_CRAFTSMEN,
    GREY,
    TRADING,
    BUILDING,
    NEXT_ROUND,
) = range(17)

STATE = state_record(
    "pillars",
    ("round_number", np.int8, PUBLIC),  # 0 to 5
    ("step", np.int8, PUBLIC),  # SUPPLY to NEXT_ROUND
    ("decision", np.int8, PUBLIC),  # TURN to PICK_CRAFTSMAN
    ("cursor", np.int8, PUBLIC),  # how far the step is: place in player order, space, or cost
    ("stage", np.int8, PUBLIC),  # within the cursor's player, where a step has several parts
    ("owes", np.int8, PUBLIC),  # craftsmen that the event still takes from the player
    ("start_player", np.int8, PUBLIC),
    ("first_start", np.int8, PUBLIC),  # start player of round 1
    ("gold", np.int16, MAX_PLAYERS, PUBLIC),  # 0 to 30
    ("vp", np.int16, MAX_PLAYERS, PUBLIC),  # 0 and more
    ("cubes", np.int16, (MAX_PLAYERS, NUM_KINDS), PUBLIC),
    ("general", np.int16, NUM_KINDS, PUBLIC),  # general supply; below 0 is a debt
    ("stock", np.int16, NUM_KINDS, PUBLIC),  # market
    ("court_metal", np.int8, PUBLIC),
    ("workers", np.int16, MAX_PLAYERS, PUBLIC),  # not committed: in the wool mill
    ("grey", np.int16, MAX_PLAYERS, PUBLIC),  # grey workers of this round
    ("grey_free", np.int16, MAX_PLAYERS, PUBLIC),  # of them not committed
    ("grey_next", np.int16, MAX_PLAYERS, PUBLIC),  # taken at the castle for the next round
    ("large_free", np.int8, MAX_PLAYERS, PUBLIC),  # 1 = the large figure is not committed
    ("craftsmen", np.int32, MAX_PLAYERS, PUBLIC),  # cards of each player: sets as in sim.sets
    ("advantages", np.int32, MAX_PLAYERS, PUBLIC),  # set of cards that lie before the owner
    ("resources", np.int32, MAX_PLAYERS, PUBLIC),  # set of cards taken this round
    ("resources_for_sale", np.int32, PUBLIC),  # set of cards in the supply
    ("craftsmen_for_sale", np.int32, PUBLIC),
    ("at_kingsbridge", np.int8, NUM_PAIR, PUBLIC),  # advantage card at K1 and K2, or NONE
    ("at_shiring", np.int8, NUM_PAIR, PUBLIC),  # craftsman at S1 and S2, or NONE
    ("passed", np.int8, MAX_PLAYERS, PUBLIC),  # 1 = has passed in phase I
    ("space", np.int8, NUM_SPACES, PUBLIC),  # player whose builder stands there, or NONE
    ("trading", np.int8, NUM_MARKET, PUBLIC),  # 1 = the builder at M1 to M4 has not passed
    ("bag", np.int8, MAX_PLAYERS, PUBLIC),  # builders in the bag
    ("walled", np.int8, MAX_PLAYERS, PUBLIC),  # builders that stay out next round
    ("drawn", np.int8, PUBLIC),  # owner of the builder just drawn, or NONE
    ("veto_used", np.int8, PUBLIC),
    ("cost", np.int8, PUBLIC),  # of the next builder, 7 to 0
    ("track", np.int8, MOST_COST + 1, PUBLIC),  # player whose builder waits at a cost, or NONE
    ("event", np.int8, PUBLIC),  # of this round once it is revealed, or NONE
    ("tax", np.int16, PUBLIC),  # rolled this round, or NONE
    ("is_protected", np.int8, MAX_PLAYERS, PUBLIC),  # from this round's bad event
    ("inspired", np.int8, MAX_PLAYERS, PUBLIC),  # craftsman with capacity + 1, or NONE
    ("used", np.int8, NUM_CRAFTSMEN, PUBLIC),  # uses by the player who builds
    ("gold_aside", np.int16, PUBLIC),  # earned in step 13 and not yet to be used
    ("bought", np.int16, (MAX_PLAYERS, NUM_KINDS), PUBLIC),  # this round
    ("sold", np.int16, (MAX_PLAYERS, NUM_KINDS), PUBLIC),  # this round
    ("seen_event", np.int8, MAX_PLAYERS, OWN),  # this round's event seen with Ellen, or NONE
    ("event_order", np.int8, NUM_EVENTS, HIDDEN),  # one each round, then those removed
    ("regular_order", np.int8, NUM_REGULAR, HIDDEN),  # two each round, then those removed
    ("last_order", np.int8, NUM_LAST, HIDDEN),
    ("craftsman_order", np.int8, (NUM_ROUNDS, PER_ROUND), HIDDEN),  # S1, S2, then the supply
    ("resource_order", np.int8, (NUM_ROUNDS, NUM_RESOURCES), HIDDEN),  # the first two are out
    ("tax_roll", np.int8, NUM_ROUNDS, HIDDEN),  # face of the die in each round
)

# Actions ------------------------------------------------------------------------------------------

PASS = 0
STOP = PASS + 1
RETURN_BUILDER = STOP + 1
LET_STAND = RETURN_BUILDER + 1
USE_THOMAS = LET_STAND + 1
KEEP_THOMAS = USE_THOMAS + 1
USE_EXEMPTION = KEEP_THOMAS + 1
KEEP_EXEMPTION = USE_EXEMPTION + 1
TAKE_RESOURCE = KEEP_EXEMPTION + 1
TAKE_CRAFTSMAN = TAKE_RESOURCE + NUM_RESOURCES
GIVE_UP = TAKE_CRAFTSMAN + NUM_CRAFTSMEN
PLACE = GIVE_UP + NUM_CRAFTSMEN
PLACE_REMIGIUS = PLACE + NUM_SPACES
TAKE_CUBE = PLACE_REMIGIUS + NUM_SPACES
INSPIRE_CRAFTSMAN = TAKE_CUBE + NUM_KINDS
USE_CRAFTSMAN = INSPIRE_CRAFTSMAN + NUM_CRAFTSMEN
RETURN_CUBE = USE_CRAFTSMAN + NUM_CRAFTSMEN
TAKE_ADVANTAGE = RETURN_CUBE + NUM_KINDS
BUY = TAKE_ADVANTAGE + NUM_ADVANTAGES
SELL = BUY + NUM_KINDS * MAX_TRADE
NUM_ACTIONS = SELL + NUM_KINDS * MAX_TRADE


def prepare(rules, rows):
    """Check that the decks have the sizes of section 1, and write what follows from the tables.

    Parameters
    ----------
    rules : np.record
        Modified.
    rows : dict of str to list of dict
        The rows of each component table.

    Raises
    ------
    ValueError
        Saying which rows are accepted.
    """
    decks = [row["deck"] for row in rows["craftsmen"]]
    rounds = [row["round"] for row in rows["craftsmen"]]
    expected = [r for r in range(1, NUM_ROUNDS + 1) for _ in range(PER_ROUND)]
    if decks[:NUM_STARTING] != ["start"] * NUM_STARTING or rounds[NUM_STARTING:] != expected:
        raise ValueError(
            f"craftsmen: accepted: {NUM_STARTING} rows of deck start, then {PER_ROUND} rows of "
            f"deck round for each of the rounds 1 to {NUM_ROUNDS}, in this order"
        )
    decks = [row["deck"] for row in rows["advantages"]]
    if decks != ["regular"] * NUM_REGULAR + ["last round"] * NUM_LAST:
        raise ValueError(
            f"advantages: accepted: {NUM_REGULAR} rows of deck regular, then {NUM_LAST} of deck "
            "last round"
        )
    if tuple(row["resource"] for row in rows["market"]) != KIND_NAMES:
        raise ValueError(f"market: accepted: the rows {', '.join(KIND_NAMES)}, in this order")
    if tuple(row["name"] for row in rows["tracks"]) != NUMBER_NAMES:
        raise ValueError(f"tracks: accepted: the rows {', '.join(NUMBER_NAMES)}, in this order")
    if not 1 <= rules.number[FIRST_COST] <= MOST_COST:
        raise ValueError(f"tracks: first_cost is not accepted; accepted: 1 to {MOST_COST}")
    if not 1 <= rules.number[MAX_GOLD] <= MAX_TRADE:
        raise ValueError(f"tracks: max_gold is not accepted; accepted: 1 to {MAX_TRADE}")
    if rules.num_players * rules.number[BUILDERS] > NUM_SPACES:
        raise ValueError(f"tracks: more builders than the {NUM_SPACES} spaces of the board")
    _derive(rules)
    if rules.glassblower_vp != 3:
        for c, row in enumerate(rows["craftsmen"]):
            if row["name"] == "Glassblower":
                rules.craftsman_vp[c] = rules.glassblower_vp
    if rules.philip_event_cap == SECOND:
        for i, row in enumerate(rows["events"]):
            if row["effect_code"] == "gold_per_mill_worker_cap":
                rules.event_amount[i] = np.iinfo(np.int16).max


def _derive(rules):
    """Write into `rules` what is asked too often to be looked up in the tables each time."""
    starting = set_of(np.flatnonzero(rules.craftsman_deck == 0))
    for trade in range(NUM_TRADES):
        rules.cards_of_trade[trade] = set_of(np.flatnonzero(rules.craftsman_trade[:, trade]))
    if rules.master_woodworker_counts == SECOND:
        rules.cards_of_trade[WOODWORKER] &= starting
    if rules.improved_mortar_mixer_counts == SECOND:
        rules.cards_of_trade[MORTAR_MIXER] &= starting
    is_eligible = (rules.craftsman_eligible == 1) | (rules.archbishop_excludes_fixed == SECOND)
    rules.eligible_cards = set_of(np.flatnonzero(is_eligible))
    for effect in range(len(ADVANTAGE_EFFECTS)):
        rules.cards_of_effect[effect] = set_of(np.flatnonzero(rules.advantage_effect == effect))
    for kind in range(NUM_KINDS):
        rules.cards_of_kind[kind] = set_of(np.flatnonzero(rules.resource_kind == kind))
        rules.num_for_gold[kind] = np.arange(MAX_TRADE + 1) // rules.price[kind]
