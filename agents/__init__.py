"""Players; they know the rule protocol, never a particular game."""

from agents.agent import KINDS, Agent, resolve

__all__ = ["KINDS", "Agent", "resolve"]
