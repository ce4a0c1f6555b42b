"""A tournament in a file: as somebody wrote it in TOML, or as a run keeps it in its manifest."""

import json
import tomllib
from pathlib import Path

import sim
from agents import Limits, resolve
from experiments import store
from experiments.tournaments import Tournament
from sim.game import restore, unknown_name

_KEYS = {
    "game": str,
    "players": (int, list),
    "agents": list,
    "format": str,
    "self_play": bool,
    "seats": str,
    "blocks": int,
    "matches": int,
    "seed": int,
    "until": str,
    "precision": (int, float),
    "indifference": (int, float),
    "limits": dict,
    "options": dict,
    "tables": dict,
    "against": list,
}
_OF_PLAY = ("format", "self_play", "seats", "blocks", "seed", "until", "precision", "indifference")
_OF_RULES = ("game", "players", "options", "tables", "against")


def load_plan(file):
    """Read a tournament from a file.

    Parameters
    ----------
    file : str or Path
        A TOML file with the keys ``game, agents`` and, as `experiments.tournament` takes them,
        ``players, format, self_play, seats, blocks, matches, seed, until, precision`` and
        ``indifference``. A table ``[options]`` holds options of the game, ``[tables]`` names CSV
        files of component tables, ``[limits]`` the numbers of `agents.Limits`, ``[[against]]``
        options by which a further rule set differs. Or the manifest of a run, a JSON file.

    Returns
    -------
    Tournament

    Raises
    ------
    ValueError
        For a file that is neither, a key or value that is not accepted, and a manifest whose
        agents or rules are others now.
    """
    file = Path(file)
    try:
        text = file.read_text(encoding="utf-8")
        content = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:  # not there, not UTF-8, neither TOML nor JSON
        raise ValueError(f"{file} is no tournament: {error}") from error
    try:
        return _from_manifest(content) if file.suffix == ".json" else _from_toml(content, file)
    except (ValueError, TypeError) as error:  # the latter of what has another shape than it should
        raise ValueError(f"{file}: {error}") from error


def _from_toml(content, file):
    for key, value in content.items():
        if key not in _KEYS:
            raise unknown_name("key", key, _KEYS)
        is_flag = isinstance(value, bool)
        if not isinstance(value, _KEYS[key]) or is_flag != (_KEYS[key] is bool):
            raise ValueError(f"{key} = {value!r} is not accepted here")
    for key in ("game", "agents"):
        if key not in content:
            raise ValueError(f"{key} is missing")
    players = content.get("players")
    numbers = players if isinstance(players, list) else [players]
    tables = {name: file.parent / value for name, value in content.get("tables", {}).items()}
    rule_sets = [content.get("options", {})]
    rule_sets += [rule_sets[0] | changes for changes in content.get("against", [])]
    games = [
        sim.load(content["game"], players=number, **options, **tables)
        for options in rule_sets
        for number in numbers
    ]
    how = {key: value for key, value in content.items() if key not in (*_OF_RULES, "agents")}
    if "limits" in how:
        try:
            how["limits"] = Limits(**how["limits"])
        except TypeError:
            raise ValueError(
                f"limits {how['limits']} are not accepted; accepted: decision, match, memory"
            ) from None
    return Tournament(games, content["agents"], **how)


def load_players(file):
    """Read from the manifest of a run who played what.

    Parameters
    ----------
    file : str or Path

    Returns
    -------
    games : list of sim.Game
    agents : list of str
        Specs.
    limits : agents.Limits

    Raises
    ------
    ValueError
        As `load_plan` raises it.
    """
    content = store.read_manifest(Path(file).parent)
    return _players(content)


def _players(content):
    """Games, specs and limits of a manifest, if they can still be had as they were."""
    try:
        games = [
            restore(content["game"], rules["players"], rules["options"], rules["components"])
            for rules in content["rule_sets"]
        ]
        specs = list(content["specs"])
        limits = Limits(**content["limits"])
        hashes = [rules["rules_hash"] for rules in content["rule_sets"]]
        parameters = [agent["parameters"] for agent in content["agents"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"this is no manifest of a tournament: {error}") from error
    if None in specs:
        raise ValueError("an agent was given as an object, which no file can hold")
    if [game.rules_hash for game in games] != hashes:
        raise ValueError("its rules cannot be had from this version of the game")
    for spec, before in zip(specs, parameters, strict=True):
        agent = resolve(spec, games[0])
        now = json.loads(json.dumps(agent.parameters))
        different = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        if different:
            raise ValueError(
                f"{agent.label} has other parameters now: {', '.join(different)}; another version "
                "of kibitz or of the agent's file played it"
            )
    return games, specs, limits


def _from_manifest(content):
    """The tournament of a manifest, if it can still be played as it was."""
    games, specs, limits = _players(content)
    if "merged" in content:
        raise ValueError("several runs were merged here; play them one by one")
    try:
        how = {key: content[key] for key in _OF_PLAY}
    except KeyError as error:
        raise ValueError(f"this is no manifest of a tournament: {error}") from error
    return Tournament(games, specs, limits=limits, **how)
