"""Positions and actions for people.

A position is told as the player to move sees it: other hands and secret orders are not shown.
"""

import textwrap

from sim.games.newdale.building import towns_within
from sim.games.newdale.components import (
    COLOURS,
    MAX_CARDS,
    MAX_GOODS,
    MAX_PERSONS,
    MAX_STEPS,
    MAX_TILES,
    MAX_TOWNS,
    MAX_ZONES,
    NUM_AREAS,
    NUM_PROGRESS,
    NUM_STONES,
    SLOTS_PER_AREA,
    SYMBOLS,
)
from sim.games.newdale.position import (
    BUILD_CARD,
    BUY_STONE,
    CHAIN_AREA,
    CHAIN_FIRST,
    CHAIN_UNITS,
    CHOOSE_AREA_ACTION,
    CHOOSE_COLOUR,
    CHOOSE_PERSON,
    CHOOSE_TOWN_ACTION,
    DISCARD_CARD,
    DISCARDING,
    DRAW,
    EXCHANGE_CARDS,
    FIELD_NAMES,
    FIRST_SLOT,
    GIVE_GOOD,
    GO,
    HELPERS_FIRST,
    HIRE_HELPERS,
    KEEP_CARD,
    PAY_GOOD,
    PAY_THE_EVENT,
    PICK_KIND,
    PLAN_FIELD,
    PLANNING,
    SKIP,
    TAKE_FROM_ZONE,
    TAKE_GOOD,
    TAKE_GOODS,
    TAKE_PROGRESS,
    TRADE_CARDS,
    USE_BOON,
    USE_SPECIAL,
)
from sim.records import NONE

_WIDTH = 98
_STEPS = (
    "discards at set-up",
    "persons",
    "phase 1: event",
    "phase 2: planning",
    "phase 3: helpers",
    "phase 4: stones",
    "phase 5: build or draw",
    "phase 6: event",
    "phase 6: special buildings",
    "end of the round",
    "last chains",
)


def describe(game, state):
    """Round and phase, market, map, display, and each player; the hand of the player to move."""
    rounds = int(game.rules.num_rounds[0])
    lines = [
        f"Expedition to Newdale, {state.num_players} players, "
        f"round {min(state.round_number + 1, rounds)} of {rounds}, {_STEPS[state.step]}, "
        f"seat {state.start_player + 1} starts",
        *_event(game, state),
        *_map(game, state),
        *_tiles(game, state),
    ]
    shown = [_card(game, c) for c in range(MAX_CARDS) if state.on_display[c]]
    if shown:
        lines += _fold("display", shown)
    if state.num_players == 1:
        total, order = int(game.rules.solo_total[0]), int(game.rules.solo_order[0])
        lines.append(f"{'goal':10} {total} VP in the end and {order} rations")
    lines.append(f"{'cards':10} {state.pile_size} in the pile, {state.num_discards} discarded")
    for p in range(state.num_players):
        lines += _player(game, state, p)
    lines.append("The game is over." if state.over else _private(game, state))
    return "\n".join(lines)


def _fold(label, parts):
    """Lines of at most `_WIDTH` characters, the label before the first; few parts are broken."""
    indent = " " * 11
    lines = [f"{label:10}"]
    for i, part in enumerate(parts):
        text = " " + part + ("," if i < len(parts) - 1 else "")
        if len(lines[-1]) + len(text) > _WIDTH and lines[-1].strip() != label.strip():
            lines.append(" " * 10)
        lines[-1:] = textwrap.wrap(lines[-1] + text, _WIDTH, subsequent_indent=indent)
    return lines if parts else [f"{label:10} none"]


def _event(game, state):
    if state.event == NONE:
        return []
    row = game.component_rows("events")[state.event]
    lines = _fold("event", [f"{row['name']}: {row['effect_text']}"])
    if state.has_market:
        lines += _fold("helpers", _counts(zip(COLOURS, state.market, strict=True)))
    return lines


def _counts(pairs):
    return [f"{n} {word}" for word, n in pairs if n]


def _map(game, state):
    """Each town with its signs, who has a house there, and how far the player to move is from it.

    The discovery premium is told as long as it is to be had.
    """
    parts = []
    for t, row in enumerate(game.component_rows("towns")):
        seats = [str(p + 1) for p in range(state.num_players) if (int(state.houses[p]) >> t) & 1]
        signs = [word for word in (row["terrain"], row["banner"]) if word != "none"]
        if row["premium_kind"] != "none" and not seats:
            signs.append(f"first: {row['premium_n']} {row['premium_kind']}")
        houses = f" houses {'+'.join(seats)}" if seats else ""
        signs = f" ({' '.join(signs)})" if signs else ""
        parts.append(f"{row['id']}{signs}{houses}{_steps(game, state, t)}")
    return _fold("map", parts)


def _steps(game, state, t):
    """Steps from the nearest house of the player to move."""
    p = state.to_move
    for steps in range(1, MAX_STEPS + 1):
        if (int(towns_within(game.rules, state, p, steps)) >> t) & 1:
            return f" {steps} away"
    return ""


def _tiles(game, state):
    names = [row["effect_text"] for row in game.component_rows("bonus_tiles")]
    zones = list(dict.fromkeys(row["area"] for row in game.component_rows("bonus_areas")))
    parts = []
    for zone, name in enumerate(zones):
        tiles = [f"{n} x {names[i]}" for i, n in enumerate(state.zone_tile[zone]) if n]
        if tiles:
            parts.append(f"{name}: {' and '.join(tiles)}")
    return _fold("tiles", parts)


def _player(game, state, p):
    goods = [row["good"] for row in game.component_rows("goods")]
    mark = ">" if p == state.to_move and not state.over else " "
    left = game.rules.setup_houses[state.num_players - 1] - int(state.houses[p]).bit_count()
    stones = ", ".join(str(s + 1) for s in range(NUM_STONES) if (state.stones[p] >> s) & 1)
    final = ""  # counts the secret order
    if state.over:
        final = f", {game.scores(state)[p]} in the end"
    elif p == state.to_move:
        final = f", {game.scores(state)[p]} if it ended now"
    lines = [
        f"{mark} seat {p + 1}: {state.vp[p]} VP{final}, {state.hand_size[p]} cards, "
        f"{left} houses left, stones {stones}"
    ]
    lines += _fold("    goods", _counts(zip(goods, state.goods[p], strict=False)))
    areas = [f"{a} {_built(game, c)}" for a, c in enumerate(state.built[p]) if c != NONE]
    lines += _fold("    areas", areas)
    specials = [_built(game, c) for c in state.special[p] if c != NONE]
    if specials:
        lines += _fold("    special", specials)
    progress = game.component_rows("progress")
    taken = [row["name"] for i, row in enumerate(progress) if (state.progress[p] >> i) & 1]
    if taken:
        lines += _fold("    progress", taken)
    boons = [f"{n} x {_boon(game, i)}" for i, n in enumerate(state.boon[p]) if n]
    if boons:
        lines += _fold("    tiles", boons)
    plan = state.plan if state.step == PLANNING and p == state.to_move else state.shown_plan
    planned = [f"stone {s + 1}: {_field(f)}" for s, f in enumerate(plan[p]) if f != NONE]
    if planned:
        lines += _fold("    plan", planned)
    return lines


def _private(game, state):
    """What only the player to move sees."""
    p = state.to_move
    order = game.component_rows("secret_orders")[state.order[p]]["banner"]
    hand = [_card(game, c) for c in state.hand[p, : state.hand_size[p]]]
    return "\n".join(_fold("hand", hand) + _fold("order", [f"houses on {order} towns"]))


def _card(game, c):
    """As "C040 Bakery (wheat, 11 coins, 2 off on field, 3 VP; 1 yellow 3 green; ...)"."""
    row = game.component_rows("buildings")[c]
    signs = [] if row["symbol"] == "none" else [row["symbol"]]
    signs.append(f"{row['cost']} coins")
    if row["discount"]:
        signs.append(f"{row['discount']} off on {row['terrain']}")
    signs.append(f"{row['vp']} VP")
    if row["strength"]:
        signs.append(f"strength {row['strength']}")
    return f"{row['id']} {row['name']} ({', '.join(signs)}; {_use(row)})"


def _built(game, c):
    """What still matters of a card that is built, as "Bakery (1 yellow 3 green; ...)"."""
    row = game.component_rows("buildings")[c]
    return f"{row['name']} ({_use(row)})"


def _use(row):
    """As "1 yellow 3 green; coal + flour: bread", or the effect of a special building."""
    if row["kind"] == "special":
        return row["effect_text"]
    inputs = " + ".join(word for word in (row["chain_in1"], row["chain_in2"]) if word)
    needs = " ".join(_counts((word, row[f"need_{word}"]) for word in COLOURS))
    return f"{needs}; {inputs or 'no chain'}: {row['good']}"


def _short(game, c):
    row = game.component_rows("buildings")[c]
    symbol = SYMBOLS[game.rules.card_symbol[c]]
    return f"{row['id']} {row['name']}" + (f" ({symbol})" if symbol != "none" else "")


def _boon(game, i):
    if i < MAX_TILES:
        return game.component_rows("bonus_tiles")[i]["effect_text"]
    return game.component_rows("persons")[i - MAX_TILES]["effect_text"]


def _field(number):
    if number < FIRST_SLOT:
        return FIELD_NAMES[number].replace("_", " ")
    area, slot = divmod(number - FIRST_SLOT, SLOTS_PER_AREA)
    return f"area {area} slot {slot}"


_FIXED = {
    SKIP: "leave it",
    GO: "go on",
    TAKE_GOODS: "take the goods",
    HIRE_HELPERS: "pay for the missing helpers",
    TRADE_CARDS: "trade two cards",
    EXCHANGE_CARDS: "exchange the hand",
    HELPERS_FIRST: "helpers first",
    CHAIN_FIRST: "chain first",
    DRAW: "draw cards",
    PAY_THE_EVENT: "pay for VP",
}


def action_text(game, state, action):
    """What a player would say."""
    if action in _FIXED:
        return _FIXED[action]
    goods = [row["good"] for row in game.component_rows("goods")]
    boons = game.component_names("bonus_tiles")
    zones = list(dict.fromkeys(row["area"] for row in game.component_rows("bonus_areas")))
    blocks = (  # first action, how many, words
        (USE_BOON, MAX_TILES + MAX_PERSONS, lambda i: f"use {_named_boon(game, i)}"),
        (CHOOSE_PERSON, MAX_PERSONS, lambda i: f"choose {_named_boon(game, MAX_TILES + i)}"),
        (
            PLAN_FIELD,
            BUY_STONE - PLAN_FIELD,
            lambda f: f"put stone {_slot(game, state, f)}",
        ),
        (BUY_STONE, NUM_STONES, lambda s: f"buy stone {s + 1}"),
        (
            TAKE_PROGRESS,
            NUM_PROGRESS,
            lambda i: f"take {_progress(game, i)}",
        ),
        (DISCARD_CARD, MAX_CARDS, lambda c: f"{_verb(state)} {_short(game, c)}"),
        (KEEP_CARD, MAX_CARDS, lambda c: f"keep {_short(game, c)}"),
        (BUILD_CARD, MAX_CARDS, lambda c: f"build {_card(game, c)}"),
        (USE_SPECIAL, MAX_CARDS, lambda c: f"use {_built(game, c)}"),
        (CHOOSE_TOWN_ACTION, MAX_TOWNS, lambda t: f"in {_town(game, t)}"),
        (CHOOSE_AREA_ACTION, NUM_AREAS, lambda a: f"on area {a}"),
        (TAKE_FROM_ZONE, MAX_ZONES, lambda z: f"take the tile of {zones[z]}"),
        (PICK_KIND, MAX_TILES, lambda i: f"take {boons[i]}: {_boon(game, i)}"),
        (PAY_GOOD, MAX_GOODS, lambda i: f"pay 1 {goods[game.rules.good_at[i]]}"),
        (GIVE_GOOD, MAX_GOODS, lambda g: f"give 1 {goods[g]}"),
        (TAKE_GOOD, MAX_GOODS, lambda g: f"take {goods[g]}"),
        (CHOOSE_COLOUR, len(COLOURS), lambda c: f"a {COLOURS[c]} helper"),
        (CHAIN_UNITS, CHAIN_AREA - CHAIN_UNITS, lambda k: f"chain of {k + 1}"),
        (CHAIN_AREA, NUM_AREAS, lambda a: f"chain of {_on_area(game, state, a)}"),
    )
    return next(say(action - first) for first, n, say in blocks if first <= action < first + n)


def _on_area(game, state, a):
    return _built(game, state.built[state.to_move, a])


def _verb(state):
    return "put aside" if state.step == DISCARDING else "discard"


def _named_boon(game, i):
    table, place = ("bonus_tiles", i) if i < MAX_TILES else ("persons", i - MAX_TILES)
    return f"{game.component_names(table)[place]}: {_boon(game, i)}"


def _town(game, t):
    row = game.component_rows("towns")[t]
    return f"{row['id']} {row['name']}"


def _progress(game, i):
    return game.component_rows("progress")[i]["name"]


def _slot(game, state, field):
    text = f"{state.stone + 1} on {_field(field)}"
    if field < FIRST_SLOT:
        return text
    place = divmod(field - FIRST_SLOT, SLOTS_PER_AREA)
    delta, num_goods = int(game.rules.delta[place]), int(game.rules.yields[place])
    return f"{text} ({delta:+d} helpers, {num_goods} goods)"
