"""Features: named quantities by which a player may judge a position."""

from sim.games.newdale.scoring import score_of
from sim.jit import jit

FEATURES = ("score",)
WEIGHTS = (1.0,)


@jit
def features(rules, state, player, values):
    """The score as it stands."""
    values[0] = score_of(rules, state, player)
