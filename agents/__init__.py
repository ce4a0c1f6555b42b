"""Players; they know the rule protocol, never a particular game."""

from agents.agent import KINDS, Agent, resolve, with_parameters

__all__ = ["KINDS", "Agent", "resolve", "with_parameters"]
