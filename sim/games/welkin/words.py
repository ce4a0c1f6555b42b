"""Positions and actions for people."""

from sim.games.welkin.components import (
    AFTER,
    ALL_RESOURCES,
    BEFORE,
    BETWEEN,
    DONE,
    EFFECT_NAMES,
    END_TURN,
    FLIP_CHIP,
    NO_FLIP,
    NUM_EFFECTS,
    NUM_RESOURCES,
    OPEN,
    OPENING,
    PER_PLACE,
    PLACE,
    PLACING,
    PRODUCE,
    RESOURCE_NAMES,
    RETURN,
    RETURNING,
    SCORE,
    SCORING,
    STOP,
    SWAP_WIDTH,
    SWAPPING,
    TAKE,
    TAKING,
    TURN_CHIPS,
    TURNING,
    USE_GAIN,
    USE_RETOOL,
    USE_SWAP,
    USE_THIRD,
)
from sim.records import NONE

_PHASES = {
    BEFORE: "effects, or the action",
    OPENING: "may turn over a trade chip",
    TURNING: "turns over own chips to produce",
    TAKING: "takes what is produced",
    SWAPPING: "takes tokens for those returned",
    RETURNING: "returns what the stock cannot hold",
    PLACING: "places tokens",
    SCORING: "scores one of the completed sites",
    BETWEEN: "effects, or the next completed site",
    AFTER: "effects, or the end of the turn",
}


def describe(game, state):
    """The whole table: values, open sites, and each player."""
    rules = game.rules
    turn = f"round {state.turn // state.num_players + 1}"
    last = ", last round" if state.is_last_round else ""
    values = ", ".join(f"{RESOURCE_NAMES[r]} {state.value[r]}" for r in range(NUM_RESOURCES))
    lines = [
        f"Welkin, {state.num_players} players, {turn}{last}: seat {state.to_move + 1} "
        f"{_PHASES[int(state.phase)]}",
        f"values     {values}",
        *_chips(game, state),
        *_open_sites(game, state),
        f"pile       {rules.num_cards - state.num_drawn} sites",
    ]
    for p in range(state.num_players):
        lines += _player(game, state, p)
    if state.over:
        lines.append("The game is over.")
    return "\n".join(lines)


def _chips(game, state):
    """Each trade chip as "T01 plant (elemental)": what shows, what is below."""
    names = game.component_names("trade_chips")
    parts = []
    for i, name in enumerate(names):
        up = RESOURCE_NAMES[game.rules.chip_side[i, state.side[i]]]
        down = RESOURCE_NAMES[game.rules.chip_side[i, 1 - state.side[i]]]
        parts.append(f"{name} {up} ({down})")
    return _fold("chips", parts)


def _open_sites(game, state):
    return _fold("sites", [_site(game, s) for s in state.face_up if s != NONE])


def _fold(label, parts, width=98):
    """Lines of at most `width` characters, the label before the first."""
    lines = [f"{label:10}"]
    for i, part in enumerate(parts):
        text = part + ("," if i < len(parts) - 1 else "")
        if len(lines[-1]) + len(text) + 1 > width:
            lines.append(" " * 10)
        lines[-1] += " " + text
    return lines if parts else [f"{label:10} none"]


def _site(game, s):
    """As "W06 (plant elemental metal; flip, GAIN)"."""
    spots = _counts(zip(RESOURCE_NAMES, game.rules.site_spots[s], strict=True))
    spots += _counts([("wild", game.rules.site_wild[s])])
    signs = ["flip"] * int(game.rules.site_flips[s])
    if game.rules.site_effect[s]:
        signs.append(EFFECT_NAMES[game.rules.site_effect[s] - 1])
    signs = "; " + ", ".join(signs) if signs else ""
    return f"{game.component_names('sites')[s]} ({' '.join(spots)}{signs})"


def _player(game, state, p):
    mark = ">" if p == state.to_move and not state.over else " "
    chips = " ".join(
        "+1" if (state.plus[p] >> r) & 1 else RESOURCE_NAMES[r] for r in range(NUM_RESOURCES)
    )
    effects = [
        f"{state.effects[p, e]} {EFFECT_NAMES[e]}"
        for e in range(NUM_EFFECTS)
        if state.effects[p, e]
    ]
    lines = [
        f"{mark} seat {p + 1}: {state.coins[p]} coins, finished sites: {state.num_finished[p]}, "
        f"stock: {_tokens(state.stock[p]) or 'empty'}",
        f"    produces  {chips}",
    ]
    if effects:
        lines.append(f"    effects   {', '.join(effects)}")
    if state.site_limit[p] > game.rules.limit[1]:
        lines.append(f"    holds up to {state.site_limit[p]} sites")
    for i, s in enumerate(state.site[p]):
        if s != NONE:
            lines += _held_site(game, state, p, i)
    return lines


def _held_site(game, state, p, i):
    """As "W32 1 plant, 1 gem (wild), open: 1 metal, gives RETOOL"."""
    rules, s = game.rules, state.site[p, i]
    parts = _counts(zip(RESOURCE_NAMES, state.on_own[p, i], strict=True))
    parts += [
        f"{part} (wild)" for part in _counts(zip(RESOURCE_NAMES, state.on_wild[p, i], strict=True))
    ]
    still_open = [*(rules.site_spots[s] - state.on_own[p, i])]
    still_open.append(rules.site_wild[s] - state.on_wild[p, i].sum())
    missing = _counts(zip((*RESOURCE_NAMES, "wild"), still_open, strict=True))
    if missing:
        parts += [f"open: {missing[0]}", *missing[1:]]
    if rules.site_effect[s]:
        parts.append(f"gives {EFFECT_NAMES[rules.site_effect[s] - 1]}")
    return _fold(f"    {game.component_names('sites')[s]}", parts)


def _counts(pairs):
    return [f"{n} {word}" for word, n in pairs if n]


def _tokens(counts):
    return ", ".join(_counts(zip(RESOURCE_NAMES, counts, strict=True)))


def _set(chips):
    """The resources of a set of production chips."""
    return ", ".join(RESOURCE_NAMES[r] for r in range(NUM_RESOURCES) if (chips >> r) & 1)


def action_text(game, state, action):
    """What a player would say."""
    fixed = {
        NO_FLIP: "turn over no trade chip",
        STOP: "take no more",
        DONE: "place no more",
        END_TURN: "end the turn",
        PRODUCE: "produce",
        USE_THIRD: "use THIRD for one more site",
    }
    if action in fixed:
        return fixed[action]
    if action < USE_RETOOL:
        verb = "turn over" if state.phase == OPENING else "use FLIP on"
        return f"{verb} {_chip(game, state, action - FLIP_CHIP)}"
    if action < USE_GAIN:
        return f"use RETOOL on {_set(action - USE_RETOOL + 1)}"
    if action < USE_SWAP:
        return f"use GAIN for 1 {RESOURCE_NAMES[action - USE_GAIN]}"
    if action < OPEN:
        pair = divmod(action - USE_SWAP, SWAP_WIDTH)
        return f"use SWAP for {', '.join(RESOURCE_NAMES[r] for r in pair if r < NUM_RESOURCES)}"
    if action < PRODUCE:
        return f"open {_site(game, state.face_up[action - OPEN])}"
    if action < TAKE:
        return _production(game, state, action - TURN_CHIPS + 1)
    if action < RETURN:
        return f"take 1 {RESOURCE_NAMES[action - TAKE]}"
    if action < PLACE:
        return f"return 1 {RESOURCE_NAMES[action - RETURN]}"
    names = game.component_names("sites")
    if action < SCORE:
        i, spot = divmod(action - PLACE, PER_PLACE)
        wild = " (wild)" if spot % 2 else ""
        return f"place {RESOURCE_NAMES[spot // 2]} on {names[state.site[state.to_move, i]]}{wild}"
    return f"score {names[state.site[state.to_move, action - SCORE]]}"


def _chip(game, state, i):
    sides = game.rules.chip_side[i]
    up, down = RESOURCE_NAMES[sides[state.side[i]]], RESOURCE_NAMES[sides[1 - state.side[i]]]
    return f"{game.component_names('trade_chips')[i]}, {up} to {down}"


def _production(game, state, chips):
    """As "turn over plant, gem for 1 coin, produce 2 of elemental, animal, metal"."""
    plus = int(state.plus[state.to_move]) ^ chips
    price = int(game.rules.num_flips[chips]) - 1
    price = f" for {price} coin{'s' if price > 1 else ''}" if price else ""
    types = _set(ALL_RESOURCES & ~plus)
    yields = f"{plus.bit_count()} of {types}" if types and plus else "nothing"
    return f"turn over {_set(chips)}{price}, produce {yields}"
