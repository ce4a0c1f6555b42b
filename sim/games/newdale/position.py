"""State and actions of Expedition to Newdale."""

import numpy as np

from sim.games.newdale.components import (
    MAX_BOONS,
    MAX_CARDS,
    MAX_CHAIN,
    MAX_DRAWN,
    MAX_EVENTS,
    MAX_GOODS,
    MAX_HOUSES,
    MAX_ORDERS,
    MAX_PERSONS,
    MAX_PLAYERS,
    MAX_POOL,
    MAX_ROUNDS,
    MAX_TILES,
    MAX_TOWNS,
    MAX_ZONES,
    NUM_AREAS,
    NUM_COLOURS,
    NUM_PROGRESS,
    NUM_STONES,
    SLOTS_PER_AREA,
)
from sim.records import HIDDEN, OWN, PUBLIC, state_record

# Fields for stones (section 2.2): five common ones, then the slots of the own areas.
OFFSPRING, BLACK_MARKET, HAND_CARDS, PROGRESS, BUILD = range(5)
FIELD_NAMES = ("offspring", "black_market", "hand_cards", "progress", "build")
FIRST_SLOT = 5
NUM_FIELDS = FIRST_SLOT + NUM_AREAS * SLOTS_PER_AREA

# What the player to move is asked.
(
    NOTHING,
    DISCARD,
    PERSON,
    PLAN,
    BEGIN,
    OFFER,
    TRADE,
    GOOD,
    EXCHANGE,
    KEEP,
    ADVANCE,
    CARD,
    TOWN,
    AREA,
    TAKE_TILE,
    PICK_TILE,
    PAY,
    HIRE,
    ORDER,
    CHAIN,
    USE,
    GIVE,
    LAST_CHAIN,
    PAY_EVENT,
    COLOUR,
    PAY_HELPERS,
    MAY_TAKE_GOOD,
) = range(27)

# Steps of the game, in order.
(
    DISCARDING,
    PERSONS,
    EVENT,
    PLANNING,
    SHOWING,
    STONES,
    BUILDING,
    PAYING_EVENT,
    SPECIALS,
    NEXT_ROUND,
    LAST_CHAINS,
) = range(11)

# Steps of building one card.
NOT_BUILDING, CHOOSE_TOWN, CHOOSE_AREA, CHOOSE_PAYMENT, PUT, CHOOSE_ZONE, FINISH = range(7)

STATE = state_record(
    "newdale",
    ("round_number", np.int8, PUBLIC),  # 0 to 6
    ("step", np.int8, PUBLIC),  # DISCARDING to LAST_CHAINS
    ("decision", np.int8, PUBLIC),  # DISCARD to MAY_TAKE_GOOD
    ("cursor", np.int8, PUBLIC),  # how far the step is: place in turn order
    ("stage", np.int8, PUBLIC),  # within the cursor's player
    ("is_new_turn", np.int8, PUBLIC),  # 1 = the next decision begins a turn
    ("stone", np.int8, PUBLIC),  # 0 to 3, planned or carried out
    ("start_player", np.int8, PUBLIC),
    ("event", np.int8, PUBLIC),  # of this round, or NONE
    ("market", np.int8, NUM_COLOURS, PUBLIC),  # helpers printed and drawn
    ("has_market", np.int8, PUBLIC),  # 1 from phase 3 of a round on
    ("vp", np.int16, MAX_PLAYERS, PUBLIC),
    ("goods", np.int16, (MAX_PLAYERS, MAX_GOODS), PUBLIC),
    ("hand_size", np.int16, MAX_PLAYERS, PUBLIC),
    ("num_aside", np.int8, MAX_PLAYERS, PUBLIC),  # cards put aside at set-up
    ("stones", np.int8, MAX_PLAYERS, PUBLIC),  # set of owned stones, bit 0 is stone 1
    ("progress", np.int8, MAX_PLAYERS, PUBLIC),  # set of progress tiles taken
    ("boon", np.int8, (MAX_PLAYERS, MAX_BOONS), PUBLIC),  # tiles and persons owned, unused
    ("built", np.int16, (MAX_PLAYERS, NUM_AREAS), PUBLIC),  # card on an area, or NONE
    ("special", np.int16, (MAX_PLAYERS, MAX_HOUSES), PUBLIC),  # special buildings, ascending
    ("num_special", np.int8, MAX_PLAYERS, PUBLIC),
    ("houses", np.int64, MAX_PLAYERS, PUBLIC),  # set of towns with an own house
    ("shown_plan", np.int8, (MAX_PLAYERS, NUM_STONES), PUBLIC),  # fields of stones, or NONE
    ("pile_size", np.int16, PUBLIC),
    ("in_discards", np.int8, MAX_CARDS, PUBLIC),  # 1 = on the discard pile
    ("num_discards", np.int16, PUBLIC),
    ("is_old", np.int8, MAX_CARDS, PUBLIC),  # 1 = was in no pile when the last one was made
    ("num_old", np.int16, MAX_PLAYERS, PUBLIC),  # old cards in the hand of each player
    ("on_display", np.int8, MAX_CARDS, PUBLIC),
    ("zone_tile", np.int8, (MAX_ZONES, MAX_TILES), PUBLIC),  # bonus tiles on the map
    ("person_left", np.int8, MAX_PERSONS, PUBLIC),  # 1 = turned up and not chosen
    # The own turn: what tiles have added, and what has been done.
    ("helpers", np.int8, NUM_COLOURS, PUBLIC),  # personal helpers
    ("discount", np.int16, PUBLIC),
    ("more_chain", np.int16, PUBLIC),
    ("more_range", np.int16, PUBLIC),
    ("has_used_part", np.int8, PUBLIC),
    ("done", np.int16, PUBLIC),  # set of special buildings (by place) or areas used in this turn
    # Steps within a decision.
    ("due", np.int16, PUBLIC),  # things still to choose
    ("least", np.int16, PUBLIC),  # place of the least that may be chosen next
    ("symbol", np.int8, PUBLIC),  # of the cards to discard, or NONE
    ("price", np.int16, PUBLIC),  # coins still to pay
    ("smallest", np.int8, PUBLIC),  # value of the least good paid, 0 before the first
    ("amount", np.int16, PUBLIC),  # goods that the choice of a kind brings
    ("limit", np.int16, PUBLIC),  # highest value of that kind
    ("given", np.int8, PUBLIC),  # kind that it may not be, or NONE
    ("vp_due", np.int16, PUBLIC),  # VP once the price is paid
    ("draws_due", np.int16, MAX_PLAYERS, PUBLIC),
    ("display_due", np.int8, PUBLIC),  # cards to be turned up
    ("half_cursor", np.int8, PUBLIC),  # place in turn order of who discards half a hand, or NONE
    ("area", np.int8, PUBLIC),  # that produces or is built on
    ("units", np.int16, PUBLIC),  # of the chain
    ("building", np.int8, PUBLIC),  # NOT_BUILDING to FINISH
    ("builder", np.int8, PUBLIC),
    ("is_near", np.int8, PUBLIC),  # 1 = the new house is one step from an own one
    ("card", np.int16, PUBLIC),  # that is built
    ("town", np.int8, PUBLIC),
    # What only the owner or nobody sees.
    ("hand", np.int16, (MAX_PLAYERS, MAX_CARDS), OWN),  # ascending
    ("aside", np.int16, (MAX_PLAYERS, 10), OWN),  # put aside at set-up, NONE beyond
    ("plan", np.int8, (MAX_PLAYERS, NUM_STONES), OWN),  # until all are shown; fields, or NONE
    ("order", np.int8, MAX_PLAYERS, OWN),  # secret order
    ("pile", np.int16, MAX_CARDS, HIDDEN),  # the top card is the last
    ("event_order", np.int8, MAX_EVENTS, HIDDEN),
    ("drawn_helper", np.int8, (MAX_ROUNDS, MAX_DRAWN), HIDDEN),  # colours, in drawing order
    ("order_deck", np.int8, MAX_ORDERS, HIDDEN),
    ("tile_order", np.int16, MAX_POOL, HIDDEN),
)

# Actions ------------------------------------------------------------------------------------------

SKIP = 0
GO = SKIP + 1
TAKE_GOODS = GO + 1
HIRE_HELPERS = TAKE_GOODS + 1
TRADE_CARDS = HIRE_HELPERS + 1
EXCHANGE_CARDS = TRADE_CARDS + 1
HELPERS_FIRST = EXCHANGE_CARDS + 1
CHAIN_FIRST = HELPERS_FIRST + 1
DRAW = CHAIN_FIRST + 1
PAY_THE_EVENT = DRAW + 1
USE_BOON = PAY_THE_EVENT + 1
CHOOSE_PERSON = USE_BOON + MAX_BOONS
PLAN_FIELD = CHOOSE_PERSON + MAX_PERSONS
BUY_STONE = PLAN_FIELD + NUM_FIELDS
TAKE_PROGRESS = BUY_STONE + NUM_STONES
DISCARD_CARD = TAKE_PROGRESS + NUM_PROGRESS
KEEP_CARD = DISCARD_CARD + MAX_CARDS
BUILD_CARD = KEEP_CARD + MAX_CARDS
USE_SPECIAL = BUILD_CARD + MAX_CARDS
CHOOSE_TOWN_ACTION = USE_SPECIAL + MAX_CARDS
CHOOSE_AREA_ACTION = CHOOSE_TOWN_ACTION + MAX_TOWNS
TAKE_FROM_ZONE = CHOOSE_AREA_ACTION + NUM_AREAS
PICK_KIND = TAKE_FROM_ZONE + MAX_ZONES
PAY_GOOD = PICK_KIND + MAX_TILES  # + place in the pay order
GIVE_GOOD = PAY_GOOD + MAX_GOODS
TAKE_GOOD = GIVE_GOOD + MAX_GOODS
CHOOSE_COLOUR = TAKE_GOOD + MAX_GOODS
CHAIN_UNITS = CHOOSE_COLOUR + NUM_COLOURS  # + units - 1
CHAIN_AREA = CHAIN_UNITS + MAX_CHAIN
NUM_ACTIONS = CHAIN_AREA + NUM_AREAS
