"""`random`: every legal action is equally likely."""

from sim.chance import below
from sim.jit import jit


@jit
def choose(num_legal, stream, notes):
    """Return one of ``notes.legal[:num_legal]``."""
    return notes.legal[below(stream, num_legal)]
