"""Players; they know the rule protocol, never a particular game."""

from agents.agent import KINDS, Agent, resolve, with_parameters
from agents.hosting import Limits

__all__ = ["KINDS", "Agent", "Limits", "resolve", "with_parameters"]
