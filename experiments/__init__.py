"""Questions asked of games and agents; every answer is a table, every picture is drawn from one.

Examples
--------
>>> import experiments as ex
>>> results = ex.tournament("treelings", ["random", "greedy"], players=2, blocks=5, seed=1)
>>> ex.win_shares(results).agent.tolist()
['greedy', 'random']
"""

import importlib

_HOMES = {
    "LiveTable": "watching",
    "ablation": "ladders",
    "anytime": "stopping",
    "cycles": "meetings",
    "equilibrium": "meetings",
    "explain": "explaining",
    "ladder": "ladders",
    "line_ups": "schedules",
    "load_results": "store",
    "match_length": "stats",
    "merge": "merging",
    "payoffs": "meetings",
    "play_again": "tournaments",
    "score_by_seat": "stats",
    "rate": "ratings",
    "schedule": "tournaments",
    "seat_effect": "stats",
    "tournament": "tournaments",
    "tune": "tuning",
    "who_beats_whom": "stats",
    "win_shares": "stats",
}

__all__ = sorted(_HOMES)


def __getattr__(name):
    """Import a function when it is first asked for: the command line need not wait for all."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"experiments.{_HOMES[name]}"), name)


def __dir__():
    return __all__
