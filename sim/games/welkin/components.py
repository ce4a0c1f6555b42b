"""Components, options, rules, state and actions of Welkin (sections 1, 2.4 and 6)."""

from pathlib import Path

import numpy as np

from sim.protocol import Option
from sim.records import HIDDEN, PUBLIC, rules_record, state_record
from sim.tables import Column, Table

MAX_PLAYERS = 4

RESOURCE_NAMES = ("plant", "elemental", "animal", "metal", "gem")
NUM_RESOURCES = 5
NUM_SETS = 2**NUM_RESOURCES  # sets of production chips: bit r is the chip of resource r
ALL_RESOURCES = NUM_SETS - 1

MAX_SITES = 120  # the box has 46; more for other card lists
MAX_SPOTS = 9  # of one kind on a site
MAX_CHIPS = 10  # trade chips
NUM_OPEN = 5  # sites that lie face up
MAX_PLACES = 4  # for sites, of one player
MIN_DECK = 10

SWAP_WIDTH = NUM_RESOURCES + 1  # second tokens of a SWAP, or none
PER_PLACE = 2 * NUM_RESOURCES  # resources on own and on wild spots

FLIP, GAIN, SWAP, RETOOL, THIRD = range(5)  # special effects; a site holds 1 + effect, 0 is none
EFFECT_NAMES = ("FLIP", "GAIN", "SWAP", "RETOOL", "THIRD")
NUM_EFFECTS = 5

_FLAG = {"low": 0, "high": 1}
_SPOTS = {"low": 0, "high": MAX_SPOTS}
_FOLDER = Path(__file__).parent

SITES = Table(
    name="sites",
    file=_FOLDER / "sites.csv",
    key="id",
    columns=(
        Column("id"),
        Column("pattern"),
        Column("lead"),
        Column("size", "site_size", low=1, high=6 * MAX_SPOTS),
        *(Column(name, "site_spots", at=r, **_SPOTS) for r, name in enumerate(RESOURCE_NAMES)),
        Column("wild", "site_wild", **_SPOTS),
        Column("flip_on_open", "site_flips", **_FLAG),
        Column("effect", "site_effect", words=("NONE", *EFFECT_NAMES)),
        Column("source"),
    ),
    min_rows=MIN_DECK,
    max_rows=MAX_SITES,
)

TRADE_CHIPS = Table(
    name="trade_chips",
    file=_FOLDER / "trade_chips.csv",
    key="chip",
    columns=(
        Column("chip"),
        Column("side_a", "chip_side", at=0, words=RESOURCE_NAMES),
        Column("side_b", "chip_side", at=1, words=RESOURCE_NAMES),
        Column("source"),
    ),
    min_rows=1,
    max_rows=MAX_CHIPS,
)

DECK_SIZES = Table(
    name="deck_sizes",
    file=_FOLDER / "deck_sizes.csv",
    key="players",
    columns=(
        Column("players", "deck_players", low=2, high=MAX_PLAYERS),
        Column("cards", "deck_cards", low=MIN_DECK, high=MAX_SITES),
        Column("source"),
    ),
    min_rows=MAX_PLAYERS - 1,
    max_rows=MAX_PLAYERS - 1,
)

SEATS = Table(
    name="seats",
    file=_FOLDER / "seats.csv",
    key="seat",
    columns=(
        Column("seat", "seat_number", low=1, high=MAX_PLAYERS),
        Column("coins", "seat_coins", low=0, high=100),
        Column("source"),
    ),
    min_rows=MAX_PLAYERS,
    max_rows=MAX_PLAYERS,
)

LIMIT_NAMES = ("stock_limit", "site_limit")
STOCK_LIMIT, SITE_LIMIT = range(2)
MOST_STOCK = 40

LIMITS = Table(
    name="limits",
    file=_FOLDER / "limits.csv",
    key="name",
    columns=(
        Column("name"),
        Column("value", "limit", low=1, high=MOST_STOCK),
        Column("source"),
    ),
    min_rows=len(LIMIT_NAMES),
    max_rows=len(LIMIT_NAMES),
)

TABLES = (SITES, TRADE_CHIPS, DECK_SIZES, SEATS, LIMITS)

# Rules (section 6) --------------------------------------------------------------------------------

SECOND = 1  # the value of an option that is not its default
SHARED, COMPLETED_SITES, STOCK = 0, 1, 2  # winner_tie
BY_TABLE = 0  # the first value of deck_size and start_money
NO_LIMIT = 5_000  # tokens of a resource that never run out; five times this fits an int16

OPTIONS = (
    Option(
        "deck_size",
        ("by_players", *range(MIN_DECK, MAX_SITES + 1)),
        "by_players",
        "sites in the game; by_players: see the table deck_sizes",
    ),
    Option(
        "start_money",
        ("by_seat", *range(101)),
        "by_seat",
        "coins of each player; by_seat: see the table seats",
    ),
    Option("overflow", ("discard_down", "truncate"), "discard_down", "more than the stock holds"),
    Option("flip_on_open_rule", ("optional", "mandatory"), "optional", "the left symbol"),
    Option("effects_timing", ("outside_action", "anytime"), "outside_action", "of effects"),
    Option("effect_same_turn", (True, False), True, "an effect just gained can be used"),
    Option("end_rule", ("immediate", "finish_round"), "immediate", "when the pile is empty"),
    Option("winner_tie", ("shared", "completed_sites", "stock"), "shared", "who wins a tie"),
    Option("supply_limit", (*range(1, 101), "none"), 15, "tokens of each resource"),
    Option("produce_exact", (True, False), True, "all tokens that are due, or up to so many"),
    Option("gain_when_full", ("illegal", "discard_down"), "illegal", "GAIN with a full stock"),
    Option("max_rounds", range(1, 10_001), 400, "guard: a match is capped after so many rounds"),
    Option("max_turns", range(1, 40_001), 40_000, "guard: a match this long is capped"),
)

RULES = rules_record(
    "welkin",
    ("site_size", np.int16, MAX_SITES),
    ("site_spots", np.int8, (MAX_SITES, NUM_RESOURCES)),
    ("site_wild", np.int8, MAX_SITES),
    ("site_flips", np.int8, MAX_SITES),  # 1 = a trade chip may be turned over on opening
    ("site_effect", np.int8, MAX_SITES),  # 0 = none, else 1 + effect
    ("chip_side", np.int8, (MAX_CHIPS, 2)),  # resource on each side
    ("deck_players", np.int16, MAX_PLAYERS - 1),
    ("deck_cards", np.int16, MAX_PLAYERS - 1),
    ("seat_number", np.int16, MAX_PLAYERS),
    ("seat_coins", np.int16, MAX_PLAYERS),
    ("limit", np.int16, len(LIMIT_NAMES)),  # STOCK_LIMIT, SITE_LIMIT
    *((option.name, np.int32) for option in OPTIONS if option.name != "max_turns"),
    # What follows from tables and options, see `prepare`.
    ("num_sites", np.int16),  # in the table
    ("num_cards", np.int16),  # sites in the game
    ("num_chips", np.int16),
    ("num_tokens", np.int16),  # of each resource
    ("num_flips", np.int8, NUM_SETS),  # chips in a set
)


def prepare(rules, rows):
    """Check that the tables fit together, and write what follows from tables and options.

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
    for row in rows["sites"]:
        num_spots = sum(row[name] for name in RESOURCE_NAMES) + row["wild"]
        if row["size"] != num_spots:
            raise ValueError(
                f"sites: {row['id']} has size {row['size']} and {num_spots} spots; accepted: a "
                "size that is the sum of the spots, wild ones included"
            )
    for row in rows["trade_chips"]:
        if row["side_a"] == row["side_b"]:
            raise ValueError(
                f"trade_chips: {row['chip']} has {row['side_a']} twice; accepted: two different "
                "resources"
            )
    for name, key, low in (("deck_sizes", "players", 2), ("seats", "seat", 1)):
        if [row[key] for row in rows[name]] != list(range(low, MAX_PLAYERS + 1)):
            raise ValueError(
                f"{name}: accepted: one row for each of {key} {low} to {MAX_PLAYERS}, in order"
            )
    if tuple(row["name"] for row in rows["limits"]) != LIMIT_NAMES:
        raise ValueError(f"limits: accepted: the rows {', '.join(LIMIT_NAMES)}, in this order")
    if rules.limit[SITE_LIMIT] >= MAX_PLACES:
        raise ValueError(
            f"limits: site_limit {rules.limit[SITE_LIMIT]} is not accepted; accepted: 1 to "
            f"{MAX_PLACES - 1}"
        )

    rules.num_sites = len(rows["sites"])
    rules.num_chips = len(rows["trade_chips"])
    if rules.deck_size == BY_TABLE:
        rules.num_cards = rules.deck_cards[rules.num_players - 2]
    else:
        rules.num_cards = MIN_DECK + rules.deck_size - 1
    if rules.num_cards > rules.num_sites:
        raise ValueError(
            f"{rules.num_cards} sites are to be used, the table sites has {rules.num_sites}; "
            f"accepted: {MIN_DECK} to {rules.num_sites} (deck_size, or the table deck_sizes)"
        )
    if rules.start_money != BY_TABLE:
        rules.seat_coins[:] = rules.start_money - 1
    limits = next(option for option in OPTIONS if option.name == "supply_limit")
    limit = limits.decode(rules.supply_limit)
    rules.num_tokens = NO_LIMIT if limit == "none" else limit
    rules.num_flips[:] = [s.bit_count() for s in range(NUM_SETS)]


# State --------------------------------------------------------------------------------------------

# What the player to move is asked.
(
    BEFORE,  # effects, or the action
    OPENING,  # may turn over a trade chip for the left symbol
    TURNING,  # own chips, to produce
    TAKING,  # tokens that are produced
    SWAPPING,  # tokens for those returned with SWAP
    RETURNING,  # tokens that the stock cannot hold
    PLACING,  # further tokens on sites
    SCORING,  # which of several completed sites comes first (`effects_timing = anytime`)
    BETWEEN,  # effects, or the next completed site
    AFTER,  # effects, or the end of the turn
) = range(10)

STATE = state_record(
    "welkin",
    ("phase", np.int8, PUBLIC),  # BEFORE to AFTER
    ("effects_phase", np.int8, PUBLIC),  # BEFORE, BETWEEN or AFTER: where a step leads back to
    ("least_effect", np.int16, PUBLIC),  # least action that the order of effects still allows
    ("least", np.int16, PUBLIC),  # the same for tokens that are taken, returned or placed
    ("due", np.int8, PUBLIC),  # tokens to take or to return
    ("is_last_round", np.int8, PUBLIC),  # 1 once a site was not replaced
    ("coins", np.int32, MAX_PLAYERS, PUBLIC),
    ("plus", np.int8, MAX_PLAYERS, PUBLIC),  # set of production chips that show "+1"
    ("stock", np.int8, (MAX_PLAYERS, NUM_RESOURCES), PUBLIC),
    ("site_limit", np.int8, MAX_PLAYERS, PUBLIC),  # one more after THIRD
    ("site", np.int8, (MAX_PLAYERS, MAX_PLACES), PUBLIC),  # row of the table, or NONE
    ("on_own", np.int8, (MAX_PLAYERS, MAX_PLACES, NUM_RESOURCES), PUBLIC),  # tokens on their spots
    ("on_wild", np.int8, (MAX_PLAYERS, MAX_PLACES, NUM_RESOURCES), PUBLIC),  # and on wild ones
    ("num_left", np.int8, (MAX_PLAYERS, MAX_PLACES), PUBLIC),  # open spots of a site held
    ("effects", np.int8, (MAX_PLAYERS, NUM_EFFECTS), PUBLIC),  # unused
    ("new_effects", np.int8, NUM_EFFECTS, PUBLIC),  # of them gained this turn
    ("num_finished", np.int8, MAX_PLAYERS, PUBLIC),  # sites
    ("side", np.int8, MAX_CHIPS, PUBLIC),  # of each trade chip, 0 or 1
    ("value", np.int16, NUM_RESOURCES, PUBLIC),  # trade chips in each area
    ("supply", np.int16, NUM_RESOURCES, PUBLIC),  # tokens
    ("face_up", np.int8, NUM_OPEN, PUBLIC),  # sites, or NONE
    ("num_drawn", np.int16, PUBLIC),  # sites turned up so far
    ("deck", np.int8, MAX_SITES, HIDDEN),  # all sites; those beyond num_cards are out of the game
)

# Actions ------------------------------------------------------------------------------------------

NO_FLIP = 0
STOP = NO_FLIP + 1
DONE = STOP + 1
END_TURN = DONE + 1
USE_THIRD = END_TURN + 1
FLIP_CHIP = USE_THIRD + 1
USE_RETOOL = FLIP_CHIP + MAX_CHIPS  # + set - 1, since no set is empty
USE_GAIN = USE_RETOOL + NUM_SETS - 1
USE_SWAP = USE_GAIN + NUM_RESOURCES  # + width * first + second; second = NUM_RESOURCES is none
OPEN = USE_SWAP + NUM_RESOURCES * SWAP_WIDTH
PRODUCE = OPEN + NUM_OPEN
TURN_CHIPS = PRODUCE + 1  # + set - 1
TAKE = TURN_CHIPS + NUM_SETS - 1
RETURN = TAKE + NUM_RESOURCES
PLACE = RETURN + NUM_RESOURCES  # + per place * place + 2 * resource + 1 if on a wild spot
SCORE = PLACE + MAX_PLACES * PER_PLACE
NUM_ACTIONS = SCORE + MAX_PLACES
