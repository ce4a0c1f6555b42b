"""Positions and actions for people."""

from sim.games.pillars.components import (
    BAG,
    BUY,
    GIVE_UP,
    INSPIRE_CRAFTSMAN,
    KEEP_EXEMPTION,
    KEEP_THOMAS,
    KIND_NAMES,
    LET_STAND,
    LOSE,
    MAX_TRADE,
    NUM_KINDS,
    NUM_ROUNDS,
    PASS,
    PLACE,
    PLACE_REMIGIUS,
    RETURN_BUILDER,
    RETURN_CUBE,
    SELL,
    SPACE_CODES,
    STOP,
    SUPPLY,
    TAKE_ADVANTAGE,
    TAKE_CRAFTSMAN,
    TAKE_CUBE,
    TAKE_RESOURCE,
    TRACK,
    USE_CRAFTSMAN,
    USE_EXEMPTION,
    USE_THOMAS,
)
from sim.records import NONE
from sim.sets import members

_WIDTH = 98
_STEP_NAMES = (
    "resource cards and craftsmen",
    "builders from the bag",
    "builders that passed",
    "event",
    "archbishop",
    "bishop's seat",
    "Thomas",
    "wool mill",
    "Kingsbridge",
    "priory",
    "production",
    "king's court",
    "Shiring",
    "castle",
    "market",
    "cathedral",
    "end of the round",
)
_SPACE_NAMES = {
    "B": "bishop's seat",
    "K": "Kingsbridge",
    "P": "priory",
    "C": "king's court",
    "S": "Shiring",
    "G": "Shiring Castle",
    "M": "market",
    "Z": "cathedral",
}


def _craftsman(game, c):
    """Name, and what one use does, as in "sculptor (1 stone: 2 VP, 3x)"."""
    rules = game.rules
    name = game.component_rows("craftsmen")[c]["name"].lower()
    inputs = [f"{n} {KIND_NAMES[k]}" for k, n in enumerate(rules.craftsman_in[c]) if n]
    if rules.craftsman_in_gold[c]:
        inputs.append(f"{rules.craftsman_in_gold[c]} gold")
    output = f"{rules.craftsman_vp[c]} VP" if rules.craftsman_vp[c] else ""
    output = output or f"{rules.craftsman_gold[c]} gold"
    return f"{name} ({' + '.join(inputs) or 'nothing'}: {output}, {rules.craftsman_capacity[c]}x)"


def _resource(game, i):
    row = game.component_rows("resources")[i]
    return f"{row['yield']} {row['resource']} ({row['workers']} workers)"


def _advantage(game, c):
    return game.component_rows("advantages")[c]["short_name"]


def _fold(label, parts):
    """Lines of at most `_WIDTH` characters, the label before the first."""
    lines = [f"{label:13}"]
    for i, part in enumerate(parts):
        text = part + ("," if i < len(parts) - 1 else "")
        if len(lines[-1]) + len(text) + 1 > _WIDTH:
            lines.append(" " * 13)
        lines[-1] += " " + text
    return lines if parts else [f"{label:13} none"]


def describe(game, state):
    """The whole table: round, step, supply, board, market, and each player."""
    lines = [
        f"The Pillars of the Earth, {state.num_players} players, "
        f"round {state.round_number + 1} of {NUM_ROUNDS}, {_phase(state)}",
        *_event_and_tax(game, state),
        *_supply(game, state),
        *_board(game, state),
    ]
    for p in range(state.num_players):
        lines += _player(game, state, p)
    if state.over:
        lines.append("The game is over.")
    return "\n".join(lines)


def _phase(state):
    phase = "I" if state.step == SUPPLY else "II" if state.step in (BAG, TRACK) else "III"
    return f"phase {phase}: {_STEP_NAMES[state.step]}"


def _event_and_tax(game, state):
    event = "not revealed yet"
    if state.event != NONE:
        event = game.component_rows("events")[state.event]["short_name"]
    tax = "" if state.tax == NONE else f"   tax {state.tax}"
    return [f"{'event':13} {event}{tax}"]


def _supply(game, state):
    cards = [_resource(game, i) for i in members(state.resources_for_sale)]
    cards += [
        f"{_craftsman(game, c)} for {game.rules.craftsman_cost[c]} gold"
        for c in members(state.craftsmen_for_sale)
    ]
    shiring = [_craftsman(game, c) for c in state.at_shiring if c != NONE]
    kingsbridge = [_advantage(game, c) for c in state.at_kingsbridge if c != NONE]
    return (
        _fold("supply", cards) + _fold("at Shiring", shiring) + _fold("at Kingsbridge", kingsbridge)
    )


def _board(game, state):
    spaces = [
        f"{code}:{'-' if state.space[s] == NONE else state.space[s] + 1}"
        for s, code in enumerate(SPACE_CODES)
    ]
    waiting = [
        f"seat {state.track[cost] + 1} at {cost}"
        for cost in range(len(state.track) - 1, 0, -1)
        if state.track[cost] != NONE
    ]
    bag = ", ".join(f"seat {p + 1} {state.bag[p]}" for p in range(state.num_players))
    drawn = "" if state.drawn == NONE else f"   drawn: seat {state.drawn + 1}"
    stock = ", ".join(f"{state.stock[k]} {KIND_NAMES[k]}" for k in range(NUM_KINDS - 1))
    return [
        f"{'board':13} {' '.join(spaces)}",
        f"{'bag':13} {bag}   cost {state.cost}{drawn}",
        *([f"{'waiting':13} {', '.join(waiting)}"] if waiting else []),
        f"{'market':13} {stock}   court: {state.court_metal} metal",
    ]


def _player(game, state, p):
    mark = ">" if p == state.to_move and not state.over else " "
    start = " (start)" if p == state.start_player else ""
    cubes = ", ".join(f"{state.cubes[p, k]} {KIND_NAMES[k]}" for k in range(NUM_KINDS))
    taken = [_resource(game, i) for i in members(state.resources[p])]
    cards = [_advantage(game, c) for c in members(state.advantages[p])]
    craftsmen = [_craftsman(game, c) for c in members(state.craftsmen[p])]
    lines = [
        f"{mark} seat {p + 1}{start}: {state.vp[p]} VP, {state.gold[p]} gold, {cubes}, "
        f"{state.workers[p]} workers free"
    ]
    lines += _fold("    craftsmen", craftsmen)
    if taken:
        lines += _fold("    resources", taken)
    if cards:
        lines += _fold("    cards", cards)
    return lines


def action_text(game, state, action):
    """What a player would say."""
    fixed = {
        PASS: "pass",
        STOP: "stop building",
        RETURN_BUILDER: "put the builder back into the bag",
        LET_STAND: "let the builder stand",
        USE_THOMAS: "use Thomas",
        KEEP_THOMAS: "keep Thomas",
        USE_EXEMPTION: "use the tax exemption",
        KEEP_EXEMPTION: "pay the tax",
    }
    if action in fixed:
        return fixed[action]
    if action < TAKE_CRAFTSMAN:
        return f"take {_resource(game, action - TAKE_RESOURCE)}"
    if action < GIVE_UP:
        return f"take the {_craftsman(game, action - TAKE_CRAFTSMAN)}"
    if action < PLACE:
        verb = "lose" if state.decision == LOSE else "dismiss"
        return f"{verb} the {_craftsman(game, action - GIVE_UP)}"
    if action < PLACE_REMIGIUS:
        return f"place on {_space(action - PLACE)}" + _price(state)
    if action < TAKE_CUBE:
        return f"place on {_space(action - PLACE_REMIGIUS)} with Remigius"
    if action < INSPIRE_CRAFTSMAN:
        return f"take 1 {KIND_NAMES[action - TAKE_CUBE]}"
    if action < USE_CRAFTSMAN:
        return f"inspire the {_craftsman(game, action - INSPIRE_CRAFTSMAN)}"
    if action < RETURN_CUBE:
        return f"use the {_craftsman(game, action - USE_CRAFTSMAN)}"
    if action < TAKE_ADVANTAGE:
        return f"return 1 {KIND_NAMES[action - RETURN_CUBE]}"
    if action < BUY:
        return f"take {_advantage(game, action - TAKE_ADVANTAGE)}"
    verb, first = ("buy", BUY) if action < SELL else ("sell", SELL)
    kind, number = divmod(action - first, MAX_TRADE)
    return f"{verb} {number + 1} {KIND_NAMES[kind]}"


def _price(state):
    return f" for {state.cost} gold" if state.step == BAG and state.cost > 0 else " free"


def _space(s):
    code = SPACE_CODES[s]
    return f"{code} ({_SPACE_NAMES[code[0]]})"
