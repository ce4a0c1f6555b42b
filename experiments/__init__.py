"""Questions asked of games and agents; every answer is a table, every picture is drawn from one.

Examples
--------
>>> import experiments as ex
>>> results = ex.tournament("treelings", ["random", "greedy"], players=2, blocks=5, seed=1)
>>> ex.win_shares(results).agent.tolist()
['greedy', 'random']
"""

from experiments.stats import score_by_seat, seat_effect, who_beats_whom, win_shares
from experiments.store import load_results
from experiments.tournament import line_ups, play_again, tournament

__all__ = [
    "line_ups",
    "load_results",
    "play_again",
    "score_by_seat",
    "seat_effect",
    "tournament",
    "who_beats_whom",
    "win_shares",
]
