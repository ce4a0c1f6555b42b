"""Positions and actions for people."""


def describe(game, state):
    return "newdale"


def action_text(game, state, action):
    return str(action)
