"""Games, and the loop that plays them.

Examples
--------
>>> import sim
>>> game = sim.load("treelings", players=3)
>>> state = game.new(seed=7)
>>> game.apply(state, game.legal(state)[0])
"""

from sim import playouts
from sim.game import Game, known_games, load

__all__ = ["Game", "known_games", "load", "playouts"]
