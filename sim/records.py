"""How the two records of a game are declared, and who may see which field of a state.

Both are numpy record types of one contiguous block, so that a copy is one assignment
(``worlds[0] = state``), in compiled code as in Python.
"""

from dataclasses import dataclass

import numpy as np

from sim.chance import NUM_WORDS

PUBLIC = "public"  # everybody sees it
OWN = "own"  # the first axis is the player; each sees his own row
HIDDEN = "hidden"  # nobody sees it
NONE = -1  # nothing here

GOES_ON, FINISHED, CAPPED = 0, 1, 2  # values of state.over

_STATE_HEAD = (
    ("to_move", np.int8, PUBLIC),  # the player who acts next
    ("over", np.int8, PUBLIC),  # GOES_ON, FINISHED, or CAPPED by rules.max_turns
    ("num_players", np.int8, PUBLIC),
    ("turn", np.int32, PUBLIC),  # turns completed so far, of all players together
    ("chance", np.uint64, NUM_WORDS, HIDDEN),  # the stream of everything still to come
)
_RULES_HEAD = (
    ("num_players", np.int8),
    ("max_turns", np.int32),  # the guard: a match of so many turns is over and counts as capped
)


@dataclass(frozen=True, eq=False)
class StateRecord:
    """The record type of a position, with the visibility of each field.

    Attributes
    ----------
    dtype : np.dtype
        Of kind `np.record`.
    visibility : dict of str to str
        Field name to `PUBLIC`, `OWN` or `HIDDEN`.
    """

    dtype: np.dtype
    visibility: dict


# The last of the common fields is named after the game and always 0. numba takes a record that has
# all fields of another for a subtype of it, and two records of the same fields for one type; with
# a name of its own in each, the code of one game can never be run on another's.


def state_record(game, *fields):
    """Declare the state of a game; the fields that every game has come first.

    Parameters
    ----------
    game : str
        Name of the game.
    *fields : tuple
        ``(name, type, visibility)``, or ``(name, type, shape, visibility)`` for an array.

    Returns
    -------
    StateRecord
    """
    fields = (*_STATE_HEAD, (f"{game}_state", np.int8, PUBLIC), *fields)
    for field in fields:
        if field[-1] not in (PUBLIC, OWN, HIDDEN):
            raise ValueError(f"field {field[0]!r} does not say who may see it: PUBLIC, OWN, HIDDEN")
    visibility = {field[0]: field[-1] for field in fields}
    return StateRecord(_record([field[:-1] for field in fields]), visibility)


def rules_record(game, *fields):
    """Declare the rules of a game; ``num_players`` and ``max_turns`` come first.

    Parameters
    ----------
    game : str
        Name of the game.
    *fields : tuple
        ``(name, type)``, or ``(name, type, shape)`` for an array.

    Returns
    -------
    np.dtype
        Of kind `np.record`.
    """
    return _record((*_RULES_HEAD, (f"{game}_rules", np.int8), *fields))


def _record(fields):
    for name, *_ in fields:
        if hasattr(np.record, name):  # plain Python would find the method, not the field
            raise ValueError(f"no field can be named {name!r}: numpy's records have that already")
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


def new_record(dtype):
    """Return one record of zeros.

    Parameters
    ----------
    dtype : np.dtype

    Returns
    -------
    np.record
    """
    return np.zeros(1, dtype)[0]


def copy_of(record):
    """Return a copy that shares nothing with `record`.

    Parameters
    ----------
    record : np.record

    Returns
    -------
    np.record
    """
    copies = np.zeros(1, record.dtype)
    copies[0] = record
    return copies[0]


def observation(state, state_type, observer):
    """What one player sees of a position: the state with everything else set to 0.

    Parameters
    ----------
    state : np.record
    state_type : StateRecord
    observer : int
        The player who looks.

    Returns
    -------
    np.record
        A copy.
    """
    seen = copy_of(state)
    for name, visibility in state_type.visibility.items():
        if visibility == HIDDEN:
            seen[name] = 0
        elif visibility == OWN:
            row = seen[name][observer].copy()
            seen[name] = 0
            seen[name][observer] = row
    return seen
