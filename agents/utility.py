"""What agents play for: the share of the win."""

from sim.jit import jit
from sim.protocol import ranks, scores
from sim.records import CAPPED


@jit
def utilities(rules, state, notes):
    """Write points, ranks and the share of the win of every player into `notes`.

    Each of k winners has 1/k. A match that was capped is nobody's win: all have the same share.
    """
    scores(rules, state, notes.points)
    ranks(rules, state, notes.points, notes.ranks)
    num_players = rules.num_players
    num_sharing = num_players
    if state.over != CAPPED:
        num_sharing = 0
        for p in range(num_players):
            if notes.ranks[p] == 1:
                num_sharing += 1
    for p in range(num_players):
        shares = state.over == CAPPED or notes.ranks[p] == 1
        notes.utilities[p] = 1.0 / num_sharing if shares else 0.0
