"""Components, options and rules of Expedition to Newdale (sections 1, 5, 7 and 8)."""

from pathlib import Path

import numpy as np

from sim.protocol import Option
from sim.records import NONE, rules_record
from sim.tables import Column, Table

MAX_PLAYERS = 4
MAX_ROUNDS = 10
MAX_CARDS = 128  # rows of the buildings table; row 0 is the Coal Mine
MINE = 0
MAX_GOODS = 24
COAL, CORN_NAME = 0, "corn"
MAX_TOWNS = 32
MAX_ROADS = 64
MAX_STEPS = 8  # within which distances are told
MAX_ZONES = 10  # bonus areas
MAX_EVENTS = 16
MAX_TILES = 16  # kinds of bonus tiles
MAX_COPIES = 8
MAX_PERSONS = 12
MAX_BOONS = MAX_TILES + MAX_PERSONS  # what is owned and used once: kinds of tiles, then persons
MAX_POOL = MAX_TILES * MAX_COPIES  # bonus tiles
MAX_ORDERS = 16
MAX_DRAWN = 10  # helpers of a round
MAX_MARKS = 40
MAX_CHAIN = 127  # units of one chain
MAX_HOUSES = 16
MAX_PRICE = 40  # coins
MAX_VALUE = 9  # coins of a good
ANY_VALUE = 1000  # a limit that no good exceeds

NUM_COLOURS = 5
COLOURS = ("yellow", "green", "red", "blue", "purple")
YELLOW, GREEN, RED, BLUE, PURPLE = range(NUM_COLOURS)
NUM_CHOSEN = 4  # colours that a helper of free choice may have
SYMBOLS = ("none", "wheat", "wood", "clay", "wool", "ore")
NUM_AREAS = 8  # of a player board, the Coal Mine's included
SLOTS_PER_AREA = 3
NUM_PROGRESS = 2
NUM_STONES = 4
FIRST_BOUGHT = 3  # stones 3 and 4 are bought

PRODUCTION, SPECIAL = 0, 1
RAW, SINGLE, SET = 1, 2, 3
CHAIN_TYPES = ("none", "raw", "single", "set")
(
    STORE_CORN,
    ADD_COAL,
    DRAW_CARDS,
    CARD_TO_GOOD,
    COINS_TO_VP,
    CARDS_TO_VP,
    SWAP,
    CHEAP_GOOD,
    DRAW_DISCARD,
) = range(1, 10)
SPECIAL_EFFECTS = (
    "none",
    "store_corn",
    "coal",
    "draw",
    "card_to_good",
    "coins_to_vp",
    "cards_to_vp",
    "swap",
    "cheap_good",
    "draw_discard",
)
(
    DRAW_HELPERS,
    EACH_DRAW,
    BUILD_DISCOUNT,
    EACH_COAL,
    EVENT_CHAIN,
    PHASE5_DRAW,
    DISPLAY,
    PAY_COINS,
    EVENT_REPLACE,
) = range(1, 10)
EVENT_EFFECTS = (
    "none",
    "draw_helpers",
    "each_draw",
    "build_discount",
    "each_coal",
    "chain_bonus",
    "phase5_draw",
    "display",
    "pay_coins_vp",
    "replace_cost",
)
(
    BOON_COAL,
    BOON_GOOD,
    BOON_ANY,
    BOON_YG,
    BOON_RB,
    BOON_CARDS,
    BOON_VP,
    BOON_DISCOUNT,
    BOON_CHAIN,
    BOON_RANGE,
) = range(10)
BOON_EFFECTS = (
    "coal",
    "good",
    "helper_any",
    "helper_yg",
    "helper_rb",
    "cards",
    "coins_to_vp",
    "discount",
    "chain_plus",
    "range_plus",
)
RANGE, REPLACE = 0, 1  # effects of progress tiles
PREMIUM_VP, PREMIUM_CARDS, PREMIUM_COAL = 1, 2, 3
PREMIUMS = ("none", "vp", "cards", "coal")

_NUMBER = {"low": 0, "high": 100}
_FLAG = {"low": 0, "high": 1}
_FOLDER = Path(__file__).parent


def _table(name, key, columns, low, high=None):
    high = low if high is None else high
    return Table(name, _FOLDER / f"{name}.csv", key, (*columns, Column("source")), low, high)


def _boon(name, *columns, high):
    return _table(
        name,
        "id",
        (
            Column("id"),
            *columns,
            Column("effect", f"{name}_effect", words=BOON_EFFECTS),
            Column("eff_a", f"{name}_a", **_NUMBER),
            Column("eff_b", f"{name}_b", **_NUMBER),
            Column("in_chapter", f"{name}_used", **_FLAG),
            Column("effect_text"),
        ),
        1,
        high,
    )


BUILDINGS = _table(
    "buildings",
    "id",
    (
        Column("id"),
        Column("kind", "card_kind", words=("production", "special")),
        Column("name"),
        Column("deck", "card_deck", words=("start", "general")),
        Column("copies", "card_copies", low=1, high=MAX_PLAYERS),
        Column("cost", "card_cost", low=0, high=40),
        Column("vp", "card_vp", **_NUMBER),
        Column("strength", "card_strength", **_NUMBER),
        Column("symbol", "card_symbol", words=SYMBOLS),
        Column("terrain"),
        Column("discount", "card_discount", **_NUMBER),
        Column("good", may_be_empty=True),
        Column("good_value", "card_good_value", **_NUMBER),
        *(Column(f"need_{c}", "card_need", at=i, **_NUMBER) for i, c in enumerate(COLOURS)),
        Column("chain_type", "card_chain", words=CHAIN_TYPES),
        Column("chain_in1", may_be_empty=True),
        Column("chain_in2", may_be_empty=True),
        Column("effect", "card_effect", words=SPECIAL_EFFECTS),
        Column("eff_a", "card_a", **_NUMBER),
        Column("eff_b", "card_b", **_NUMBER),
        Column("effect_text", may_be_empty=True),
    ),
    2,
    MAX_CARDS,
)
GOODS = _table(
    "goods",
    "good",
    (
        Column("good"),
        Column("value", "good_value", low=1, high=MAX_VALUE),
        Column("rations", "good_rations", **_NUMBER),
        Column("pay_order", "good_order", low=1, high=MAX_GOODS),
    ),
    1,
    MAX_GOODS,
)
TOWNS = _table(
    "towns",
    "id",
    (
        Column("id"),
        Column("name"),
        Column("terrain"),
        Column("banner"),
        Column("premium_kind", "town_premium", words=PREMIUMS),
        Column("premium_n", "town_premium_n", **_NUMBER),
        Column("is_start", "town_start", **_FLAG),
        Column("x", "town_x", **_NUMBER),
        Column("y", "town_y", **_NUMBER),
    ),
    1,
    MAX_TOWNS,
)
ROADS = _table("roads", "id", (Column("id"), Column("a"), Column("b")), 1, MAX_ROADS)
BONUS_AREAS = _table("bonus_areas", "id", (Column("id"), Column("area"), Column("town")), 1, 64)
EVENTS = _table(
    "events",
    "id",
    (
        Column("id"),
        Column("name"),
        Column("copies", "event_copies", low=1, high=1),
        Column("in_chapter", "event_used", **_FLAG),
        *(Column(f"print_{c}", "event_print", at=i, **_NUMBER) for i, c in enumerate(COLOURS)),
        Column("phase", "event_phase", low=0, high=6),
        Column("effect", "event_effect", words=EVENT_EFFECTS),
        Column("eff_a", "event_a", low=0, high=MAX_DRAWN),
        Column("eff_b", "event_b", **_NUMBER),
        Column("effect_text"),
    ),
    1,
    MAX_EVENTS,
)
BONUS_TILES = _boon(
    "bonus_tiles", Column("copies", "tile_copies", low=1, high=MAX_COPIES), high=MAX_TILES
)
PERSONS = _boon("persons", Column("name"), high=MAX_PERSONS)
SECRET_ORDERS = _table(
    "secret_orders",
    "id",
    (
        Column("id"),
        Column("banner"),
        Column("vp_per_house", "order_vp", **_NUMBER),
        Column("in_chapter", "order_used", **_FLAG),
    ),
    1,
    MAX_ORDERS,
)
PROGRESS = _table(
    "progress",
    "id",
    (
        Column("id"),
        Column("name"),
        Column("cost", "progress_cost", low=0, high=40),
        Column("vp", "progress_vp", **_NUMBER),
        Column("per_player", "progress_copies", low=1, high=1),
        Column("effect", "progress_effect", words=("build_range", "replace_cost")),
        Column("base_value", "progress_base", **_NUMBER),
        Column("improved_value", "progress_improved", low=1, high=MAX_STEPS - 3),
        Column("effect_text"),
    ),
    NUM_PROGRESS,
)
HELPERS = _table(
    "helpers",
    "colour",
    (
        Column("colour"),
        Column("in_bag", "helper_bag", low=0, high=20),
        Column("in_box", "helper_box", low=0, high=20),
    ),
    NUM_COLOURS,
)
SLOTS = _table(
    "slots",
    "id",
    (
        Column("id"),
        Column("area", "slot_area", low=0, high=NUM_AREAS - 1),
        Column("slot", "slot_number", low=0, high=SLOTS_PER_AREA - 1),
        Column("mode", "slot_mode", words=("sloppy", "orderly", "extraordinary")),
        Column("helper_delta", "slot_delta", low=-20, high=20),
        Column("yield", "slot_yield", **_NUMBER),
    ),
    1,
    NUM_AREAS * SLOTS_PER_AREA,
)
ACTIONS = _table(
    "actions",
    "id",
    (
        Column("id"),
        Column("board"),
        Column("name"),
        Column("own_stones_max"),
        Column("cost_coins"),
        Column("part_1"),
        Column("part_2", may_be_empty=True),
    ),
    6,
)
SETUP = _table(
    "setup",
    "players",
    (
        Column("players", "setup_players", low=1, high=MAX_PLAYERS),
        Column("bonus_tiles", "setup_tiles", low=0, high=40),
        Column("start_vp", "setup_vp", **_NUMBER),
        Column("deal", "setup_deal", low=0, high=20),
        Column("discard", "setup_discard", low=0, high=10),
        Column("coal", "setup_coal", **_NUMBER),
        Column("stones", "setup_stones", low=1, high=NUM_STONES),
        Column("houses", "setup_houses", low=1, high=MAX_HOUSES),
        Column("secret_orders", "setup_orders", low=1, high=1),
        Column("events", "setup_events", low=1, high=MAX_ROUNDS),
    ),
    MAX_PLAYERS,
)
TRACK = _table(
    "track",
    "mark",
    (Column("mark", "mark", low=1, high=1000), Column("cards", "mark_cards", **_NUMBER)),
    1,
    MAX_MARKS,
)
CHAPTERS = _table(
    "chapters",
    "chapter",
    (
        Column("chapter", "chapter_number", low=1, high=20),
        Column("map"),
        Column("events_used", "num_rounds", low=1, high=MAX_ROUNDS),
        Column("persons", "has_persons", **_FLAG),
        Column("order_kind", "order_kind", words=("none", "rations")),
        Column("tier1", "tier", at=0, **_NUMBER),
        Column("tier1_vp", "tier_vp", at=0, **_NUMBER),
        Column("tier2", "tier", at=1, **_NUMBER),
        Column("tier2_vp", "tier_vp", at=1, **_NUMBER),
        Column("order_consumes", "chapter_consumes", **_FLAG),
        Column("military_first", "military_vp", at=0, **_NUMBER),
        Column("military_second", "military_vp", at=1, **_NUMBER),
        Column("military_third", "military_vp", at=2, **_NUMBER),
        Column("solo_min_total", "solo_total", low=0, high=1000),
        Column("solo_min_order", "solo_order", low=0, high=1000),
    ),
    1,
)
(
    STONE_3_PRICE,
    STONE_4_PRICE,
    STONE_4_VP,
    MARKET_CARDS,
    MARKET_COAL,
    HAND_DRAW,
    HELPERS_DRAWN,
    CHAIN_BONUS,
    PHASE_5_CARDS,
    VOID_CARDS,
    COINS_PER_VP,
    BUILD_RANGE,
    REPLACE_PRICE,
    SOLO_STRENGTH,  # three of them
) = range(14)
NUMBER_NAMES = (
    "stone_3_price",
    "stone_4_price",
    "stone_4_vp",
    "market_cards",
    "market_coal",
    "hand_draw",
    "helpers_drawn",
    "chain_bonus",
    "phase_5_cards",
    "void_cards",
    "coins_per_vp",
    "build_range",
    "replace_price",
    "solo_strength_first",
    "solo_strength_second",
    "solo_strength_third",
)
NUMBERS = _table(
    "numbers",
    "name",
    (Column("name"), Column("value", "number", low=0, high=40)),
    len(NUMBER_NAMES),
)
TABLES = (
    BUILDINGS,
    GOODS,
    TOWNS,
    ROADS,
    BONUS_AREAS,
    EVENTS,
    BONUS_TILES,
    PERSONS,
    SECRET_ORDERS,
    PROGRESS,
    HELPERS,
    SLOTS,
    ACTIONS,
    SETUP,
    TRACK,
    CHAPTERS,
    NUMBERS,
)

# Options (section 7) ------------------------------------------------------------------------------

SECOND = 1  # the value of an option that is not its default
ANY_SHOWN, ONE_COLOUR, EACH_SHOWN = 0, 1, 2
SHARE_PLACE, LOWER_PLACE, SPLIT = 0, 1, 2
NO_YES = (False, True)

OPTIONS = (
    Option("planning", ("simultaneous", "sequential"), "simultaneous", "of the stones"),
    Option("payment", ("choice", "auto"), "choice", "which goods are paid"),
    Option("extraordinary", ("any_shown", "one_colour", "each_shown"), "any_shown", "helpers"),
    Option("mine_need", ("Y2R1", "Y2R2"), "Y2R1", "helpers of the Coal Mine"),
    Option("offspring_order", ("in_order", "free"), "in_order", "stone 4 before stone 3"),
    Option("hand_exchange", ("optional", "forced"), "optional", "of the field hand cards"),
    Option("black_market_second", ("needs_first", "free"), "needs_first", "the good"),
    Option("chain_after_helpers", ("yes", "any_order"), "yes", "in a production"),
    Option("order_consumes", NO_YES, False, "goods of the chapter order leave"),
    Option("military_ties", ("share_place", "lower_place", "split"), "share_place", "places"),
    Option("military_zero", ("no_vp", "ranked"), "no_vp", "strength 0"),
    Option("mark_rule", ("reach", "exceed"), "reach", "marks of the victory track"),
    Option("tile_timing", ("own_turn", "any_time"), "own_turn", "of bonus tiles"),
    Option("premium_start_town", NO_YES, False, "start houses discover"),
    Option(
        "person_order",
        ("right_then_clockwise", "right_then_counterclockwise"),
        "right_then_clockwise",
        "choice of persons",
    ),
    Option("bonus_overflow", ("discard", "stack_lowest"), "discard", "tiles without an area"),
    Option(
        "empty_pile",
        ("reshuffle", "reshuffle_then_half_hands"),
        "reshuffle",
        "nothing left to draw",
    ),
    Option("replace_building", NO_YES, False, "build over an own building"),
    Option("display_scope", ("until_end", "round"), "until_end", "cards on display"),
    Option("max_turns", range(1, 10_001), 2000, "guard: a match this long is capped"),
)

# Rules --------------------------------------------------------------------------------------------

RULES = rules_record(
    "newdale",
    ("card_kind", np.int8, MAX_CARDS),  # PRODUCTION, SPECIAL
    ("card_deck", np.int8, MAX_CARDS),  # 0 = start, 1 = general
    ("card_copies", np.int8, MAX_CARDS),
    ("card_cost", np.int16, MAX_CARDS),
    ("card_vp", np.int16, MAX_CARDS),
    ("card_strength", np.int16, MAX_CARDS),
    ("card_symbol", np.int8, MAX_CARDS),
    ("card_discount", np.int16, MAX_CARDS),
    ("card_good_value", np.int16, MAX_CARDS),
    ("card_need", np.int8, (MAX_CARDS, NUM_COLOURS)),
    ("card_chain", np.int8, MAX_CARDS),  # 0 = none, RAW, SINGLE, SET
    ("card_effect", np.int8, MAX_CARDS),  # 0 = none, STORE_CORN to DRAW_DISCARD
    ("card_a", np.int16, MAX_CARDS),
    ("card_b", np.int16, MAX_CARDS),
    ("good_value", np.int16, MAX_GOODS),
    ("good_rations", np.int16, MAX_GOODS),
    ("good_order", np.int16, MAX_GOODS),
    ("town_premium", np.int8, MAX_TOWNS),  # 0 = none, PREMIUM_VP to PREMIUM_COAL
    ("town_premium_n", np.int16, MAX_TOWNS),
    ("town_start", np.int8, MAX_TOWNS),
    ("town_x", np.int16, MAX_TOWNS),
    ("town_y", np.int16, MAX_TOWNS),
    ("event_copies", np.int8, MAX_EVENTS),
    ("event_used", np.int8, MAX_EVENTS),
    ("event_print", np.int8, (MAX_EVENTS, NUM_COLOURS)),
    ("event_phase", np.int8, MAX_EVENTS),
    ("event_effect", np.int8, MAX_EVENTS),  # 0 = none, DRAW_HELPERS to EVENT_REPLACE
    ("event_a", np.int16, MAX_EVENTS),
    ("event_b", np.int16, MAX_EVENTS),
    ("tile_copies", np.int8, MAX_TILES),
    ("bonus_tiles_used", np.int8, MAX_TILES),
    ("bonus_tiles_effect", np.int8, MAX_TILES),
    ("bonus_tiles_a", np.int16, MAX_TILES),
    ("bonus_tiles_b", np.int16, MAX_TILES),
    ("persons_used", np.int8, MAX_PERSONS),
    ("persons_effect", np.int8, MAX_PERSONS),
    ("persons_a", np.int16, MAX_PERSONS),
    ("persons_b", np.int16, MAX_PERSONS),
    ("order_vp", np.int16, MAX_ORDERS),
    ("order_used", np.int8, MAX_ORDERS),
    ("progress_cost", np.int16, NUM_PROGRESS),
    ("progress_vp", np.int16, NUM_PROGRESS),
    ("progress_copies", np.int8, NUM_PROGRESS),
    ("progress_effect", np.int8, NUM_PROGRESS),  # RANGE, REPLACE
    ("progress_base", np.int16, NUM_PROGRESS),
    ("progress_improved", np.int16, NUM_PROGRESS),
    ("helper_bag", np.int8, NUM_COLOURS),
    ("helper_box", np.int8, NUM_COLOURS),
    ("slot_area", np.int8, NUM_AREAS * SLOTS_PER_AREA),
    ("slot_number", np.int8, NUM_AREAS * SLOTS_PER_AREA),
    ("slot_mode", np.int8, NUM_AREAS * SLOTS_PER_AREA),
    ("slot_delta", np.int8, NUM_AREAS * SLOTS_PER_AREA),
    ("slot_yield", np.int16, NUM_AREAS * SLOTS_PER_AREA),
    ("setup_players", np.int16, MAX_PLAYERS),
    ("setup_tiles", np.int16, MAX_PLAYERS),
    ("setup_vp", np.int16, MAX_PLAYERS),
    ("setup_deal", np.int16, MAX_PLAYERS),
    ("setup_discard", np.int16, MAX_PLAYERS),
    ("setup_coal", np.int16, MAX_PLAYERS),
    ("setup_stones", np.int16, MAX_PLAYERS),
    ("setup_houses", np.int16, MAX_PLAYERS),
    ("setup_orders", np.int16, MAX_PLAYERS),
    ("setup_events", np.int16, MAX_PLAYERS),
    ("mark", np.int16, MAX_MARKS),
    ("mark_cards", np.int16, MAX_MARKS),
    ("chapter_number", np.int16, 1),
    ("num_rounds", np.int16, 1),
    ("has_persons", np.int8, 1),
    ("order_kind", np.int8, 1),  # 1 = rations
    ("tier", np.int16, (1, 2)),
    ("tier_vp", np.int16, (1, 2)),
    ("chapter_consumes", np.int8, 1),
    ("military_vp", np.int16, (1, 3)),
    ("solo_total", np.int16, 1),
    ("solo_order", np.int16, 1),
    ("number", np.int16, len(NUMBER_NAMES)),  # STONE_3_PRICE to SOLO_STRENGTH
    *((option.name, np.int16) for option in OPTIONS if option.name != "max_turns"),
    # What follows from the tables, see `prepare`.
    ("num_cards", np.int16),
    ("num_goods", np.int16),
    ("num_towns", np.int16),
    ("num_zones", np.int16),
    ("num_marks", np.int16),
    ("num_tiles", np.int16),
    ("num_persons", np.int16),
    ("good_at", np.int8, MAX_GOODS),  # good of each place in the pay order
    ("place_of", np.int8, MAX_GOODS),  # and the place of each good
    ("corn", np.int8),  # the good, or NONE
    ("card_good", np.int8, MAX_CARDS),  # good that is made, or NONE
    ("chain_good", np.int8, (MAX_CARDS, 2)),  # goods that a chain takes, or NONE
    ("chain_symbol", np.int8, MAX_CARDS),  # symbol that a raw chain takes
    ("card_towns", np.int64, MAX_CARDS),  # set of towns of the card's terrain
    ("order_towns", np.int64, MAX_ORDERS),  # set of towns with the banner
    ("zone_towns", np.int64, MAX_ZONES),  # set of towns that touch a bonus area
    ("within", np.int64, (MAX_TOWNS, MAX_STEPS + 1)),  # towns 1 to so many steps from a town
    ("start_towns", np.int64),
    ("delta", np.int8, (NUM_AREAS, SLOTS_PER_AREA)),  # helpers that a slot asks for
    ("yields", np.int16, (NUM_AREAS, SLOTS_PER_AREA)),
    ("has_slot", np.int8, (NUM_AREAS, SLOTS_PER_AREA)),
    ("boon_effect", np.int8, MAX_BOONS),
    ("boon_a", np.int16, MAX_BOONS),
    ("boon_b", np.int16, MAX_BOONS),
    ("usual_drawn", np.float64, NUM_COLOURS),  # helpers that the bag gives on average
    ("usual_print", np.float64, NUM_COLOURS),  # and the events of the chapter
)


def prepare(rules, rows):
    """Check that the tables fit together, and write what follows from them.

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
    _prepare_numbers(rules, rows)
    _prepare_averages(rules, rows)
    _prepare_goods(rules, rows)
    _prepare_map(rules, rows)
    _prepare_cards(rules, rows)
    _prepare_boons(rules, rows)


def _prepare_numbers(rules, rows):
    if tuple(row["name"] for row in rows["numbers"]) != NUMBER_NAMES:
        raise ValueError(f"numbers: accepted: the rows {', '.join(NUMBER_NAMES)}, in this order")
    if tuple(row["colour"] for row in rows["helpers"]) != COLOURS:
        raise ValueError(f"helpers: accepted: the rows {', '.join(COLOURS)}, in this order")
    if [row["players"] for row in rows["setup"]] != list(range(1, MAX_PLAYERS + 1)):
        raise ValueError(f"setup: accepted: the rows 1 to {MAX_PLAYERS}, in this order")
    row = rows["setup"][rules.num_players - 1]
    if row["discard"] > row["deal"]:
        raise ValueError("setup: more cards are discarded than dealt; accepted: at most as many")
    marks = [row["mark"] for row in rows["track"]]
    if marks != sorted(marks):
        raise ValueError("track: accepted: marks in ascending order")
    rules.num_marks = len(marks)
    for name, needed, text in (
        ("events", rules.num_rounds[0], "rounds"),
        ("secret_orders", rules.num_players, "players"),
    ):
        num_used = sum(row["in_chapter"] for row in rows[name])
        if num_used < needed:
            raise ValueError(
                f"{name}: {num_used} rows are used in the chapter, which has {needed} {text}; "
                "accepted: at least as many"
            )
    if rules.number[HELPERS_DRAWN] > MAX_DRAWN:
        raise ValueError(f"numbers: helpers_drawn is not accepted; accepted: 0 to {MAX_DRAWN}")
    if rules.number[BUILD_RANGE] > MAX_STEPS - 3:
        raise ValueError(f"numbers: build_range is not accepted; accepted: 0 to {MAX_STEPS - 3}")
    for row in rows["slots"]:
        rules.has_slot[row["area"], row["slot"]] = 1
        rules.delta[row["area"], row["slot"]] = row["helper_delta"]
        rules.yields[row["area"], row["slot"]] = row["yield"]
    if rules.has_slot.sum() != len(rows["slots"]):
        raise ValueError("slots: an area has a slot twice; accepted: each at most once")
    for area in range(NUM_AREAS):
        if not rules.has_slot[area, 0]:
            raise ValueError(f"slots: area {area} has no slot 0; accepted: areas with slots 0, 1..")


def _prepare_averages(rules, rows):
    """What features take for the market before it is known."""
    bag = np.array([row["in_bag"] for row in rows["helpers"]])
    rules.usual_drawn[:] = rules.number[HELPERS_DRAWN] * bag / max(bag.sum(), 1)
    used = [row for row in rows["events"] if row["in_chapter"]]
    rules.usual_print[:] = [np.mean([row[f"print_{c}"] for row in used]) for c in COLOURS]


def _prepare_goods(rules, rows):
    names = [row["good"] for row in rows["goods"]]
    orders = [row["pay_order"] for row in rows["goods"]]
    if names[COAL] != "coal":
        raise ValueError("goods: accepted: coal as the first row")
    if sorted(orders) != list(range(1, len(orders) + 1)):
        raise ValueError(f"goods: accepted: each pay_order from 1 to {len(orders)} once")
    rules.num_goods = len(names)
    rules.good_at[: len(names)] = [orders.index(i + 1) for i in range(len(names))]
    rules.place_of[: len(names)] = [order - 1 for order in orders]
    values = [rows["goods"][g]["value"] for g in rules.good_at[: len(names)]]
    if values != sorted(values):
        raise ValueError("goods: accepted: a pay_order in which values never fall")
    rules.corn = names.index(CORN_NAME) if CORN_NAME in names else NONE


def _prepare_map(rules, rows):
    names = [row["id"] for row in rows["towns"]]
    rules.num_towns = len(names)
    steps = np.full((len(names), len(names)), 10 * MAX_TOWNS)
    np.fill_diagonal(steps, 0)
    for row in rows["roads"]:
        a, b = (_place_of(names, row[end], "roads", "town") for end in "ab")
        steps[a, b] = steps[b, a] = 1
    for middle in range(len(names)):  # Floyd and Warshall
        steps = np.minimum(steps, steps[:, [middle]] + steps[[middle], :])
    for t in range(len(names)):
        for d in range(MAX_STEPS + 1):
            reached = [u for u in range(len(names)) if 1 <= steps[t, u] <= d]
            rules.within[t, d] = _set(reached)
    rules.start_towns = _set(t for t, row in enumerate(rows["towns"]) if row["is_start"])
    if rules.start_towns == 0:
        raise ValueError("towns: none is a start town; accepted: at least one")
    areas = list(dict.fromkeys(row["area"] for row in rows["bonus_areas"]))
    if len(areas) > MAX_ZONES:
        raise ValueError(f"bonus_areas: {len(areas)} areas; accepted: 1 to {MAX_ZONES}")
    rules.num_zones = len(areas)
    for row in rows["bonus_areas"]:
        town = _place_of(names, row["town"], "bonus_areas", "town")
        rules.zone_towns[areas.index(row["area"])] |= 1 << town
    for o, order in enumerate(rows["secret_orders"]):
        rules.order_towns[o] = _set(
            t for t, row in enumerate(rows["towns"]) if row["banner"] == order["banner"]
        )


def _prepare_cards(rules, rows):
    goods = [row["good"] for row in rows["goods"]]
    cards = rows["buildings"]
    rules.num_cards = len(cards)
    rules.card_good[:] = NONE
    rules.chain_good[:] = NONE
    if [row["deck"] for row in cards] != ["start"] + ["general"] * (len(cards) - 1):
        raise ValueError("buildings: accepted: one row of deck start, then those of deck general")
    if cards[MINE]["good"] != goods[COAL] or cards[MINE]["kind"] != "production":
        raise ValueError("buildings: accepted: a first row that produces coal")
    for c, row in enumerate(cards):
        place = f"buildings: {row['id']}"
        if c != MINE and row["copies"] != 1:
            raise ValueError(f"{place} has {row['copies']} copies; accepted: 1, a row for each")
        if row["good"]:
            rules.card_good[c] = _place_of(goods, row["good"], place, "good")
        elif row["kind"] == "production":
            raise ValueError(f"{place} produces no good; accepted: {', '.join(goods)}")
        if row["chain_type"] == "raw":
            rules.chain_symbol[c] = _place_of(list(SYMBOLS), row["chain_in1"], place, "symbol")
        elif row["chain_type"] != "none":
            rules.chain_good[c, 0] = _place_of(goods, row["chain_in1"], place, "good")
            if row["chain_type"] == "set":
                rules.chain_good[c, 1] = _place_of(goods, row["chain_in2"], place, "good")
        if row["effect"] == "store_corn" and rules.corn == NONE:
            raise ValueError(f"{place} stores corn; accepted: only with a good named corn")
        if row["effect"] == "coins_to_vp" and row["eff_a"] > MAX_PRICE:
            raise ValueError(f"{place} asks for {row['eff_a']} coins; accepted: 0 to {MAX_PRICE}")
        if row["terrain"] != "none":
            rules.card_towns[c] = _set(
                t for t, town in enumerate(rows["towns"]) if town["terrain"] == row["terrain"]
            )
    if rules.mine_need == SECOND:
        rules.card_need[MINE] = [2, 0, 2, 0, 0]


def _prepare_boons(rules, rows):
    rules.num_tiles = len(rows["bonus_tiles"])
    rules.num_persons = len(rows["persons"])
    for name, first in (("bonus_tiles", 0), ("persons", MAX_TILES)):
        for i, row in enumerate(rows[name]):
            rules.boon_effect[first + i] = BOON_EFFECTS.index(row["effect"])
            rules.boon_a[first + i] = row["eff_a"]
            rules.boon_b[first + i] = row["eff_b"]
            if row["effect"] == "coins_to_vp" and row["eff_a"] > MAX_PRICE:
                raise ValueError(
                    f"{name}: {row['id']} asks for {row['eff_a']} coins; accepted: 0 to {MAX_PRICE}"
                )
    num_used = sum(row["in_chapter"] for row in rows["persons"])
    if rules.has_persons[0] and num_used < rules.num_players:
        raise ValueError(
            f"persons: {num_used} rows are used in the chapter; accepted: one for each player"
        )


def _place_of(names, name, place, what):
    if name not in names:
        raise ValueError(f"{place}: no {what} {name!r}; accepted: {', '.join(names)}")
    return names.index(name)


def _set(numbers):
    return sum(1 << int(i) for i in numbers)
