"""The rules of a game as general functions: general code never names a game.

A game is two record types and seven rules (see `Definition`). The functions below carry the names
of the rules and find those of the right game by the record type of the state they are given. In
compiled code that choice is made at compile time (`numba.extending.overload`), so each general
loop is specialised for each game, inlined, and found again in the cache by the next process. As
plain Python (``NUMBA_DISABLE_JIT=1``) it is a look-up per call.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba import types
from numba.extending import overload
from numba.np import numpy_support

from sim import jit
from sim.chance import next_word, seed_stream
from sim.records import CAPPED, GOES_ON, StateRecord


@dataclass(frozen=True)
class Option:
    """A named choice of the rules; the rules record has an integer field of the same name.

    Attributes
    ----------
    name : str
    values : tuple, or range
        Words, truth values or numbers to choose from (the record holds the place in this tuple),
        or the range of a number (the record holds the number).
    default : str, bool or int
    help : str
        One line.
    """

    name: str
    values: tuple | range
    default: str | bool | int
    help: str

    @property
    def accepted(self):
        """The accepted values, in words."""
        if isinstance(self.values, range):
            return f"{self.values.start} to {self.values.stop - 1}"
        runs = []  # numbers that follow each other are named by their first and last
        for value in self.values:
            is_number = type(value) is int
            if is_number and runs and type(runs[-1][-1]) is int and value == runs[-1][-1] + 1:
                runs[-1].append(value)
            else:
                runs.append([value])
        return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)

    def encode(self, value):
        """Return the integer that the rules record holds for a value.

        Parameters
        ----------
        value : str, bool or int

        Returns
        -------
        int

        Raises
        ------
        ValueError
            When the value is not one of the accepted ones.
        """
        if isinstance(value, np.generic):
            value = value.item()
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if isinstance(self.values, range):
            if is_number and value in self.values:
                return int(value)
        else:
            for place, accepted in enumerate(self.values):
                if type(accepted) is type(value) and accepted == value:  # True is not 1
                    return place
        raise ValueError(f"{self.name}={value!r} is not accepted; accepted: {self.accepted}")

    def decode(self, number):
        """Return the value that the integer of a rules record stands for.

        Parameters
        ----------
        number : int

        Returns
        -------
        str, bool or int
        """
        return int(number) if isinstance(self.values, range) else self.values[number]

    def parse(self, text):
        """Return the value that somebody has typed; what is not accepted stays as it is.

        Parameters
        ----------
        text : str

        Returns
        -------
        str, bool or int
        """
        if isinstance(self.values, range):
            return int(text) if re.fullmatch("-?[0-9]+", text) else text
        words = {str(value).lower(): value for value in self.values}
        return words.get(text.lower(), text)


@dataclass(frozen=True, kw_only=True, eq=False)
class Definition:
    """All that a game is; made once, at the end of its module.

    Attributes
    ----------
    name : str
        What people type.
    home : str
        The module whose import registers the game: its ``__name__``.
    doc : str
        The module's docstring: title, designer, a turn in five lines, what is not modelled.
    players : range
        Accepted numbers of players.
    rules, state : np.dtype, StateRecord
        The two record types.
    num_actions : int
        Actions are 0 to num_actions - 1.
    options : tuple of Option
    tables : tuple of sim.tables.Table
        Component tables, whose columns are fields of the rules record.
    feature_names : tuple of str
        What `features` writes, in order; the first is "score".
    weights : tuple of float
        Default judgement: one weight per feature.
    search : str, default: ""
        Parameters that search plays this game best with, as in ``"horizon=12,greed=1"``.
    describe : callable
        ``(game, state) -> str``, a position for people.
    action_text : callable
        ``(game, state, action) -> str``, an action for people.
    setup : callable
        ``(rules, state)``: the starting position; randomness from ``state.chance``, which the
        caller has seeded. The common fields are already set.
    legal_actions : callable
        ``(rules, state, actions) -> n``: writes the legal actions, ascending; 0 exactly when over.
    apply_action : callable
        ``(rules, state, action)``: plays it, in place.
    scores : callable
        ``(rules, state, points)``: points of every player as they stand.
    ranks : callable
        ``(rules, state, points, ranks)``: 1 = winner, shared places equal; `points` from `scores`.
    determinize : callable
        ``(rules, state, observer)``: deals anew, from ``state.chance``, all that the observer
        cannot know and nothing he knows. The caller has seeded ``state.chance`` afresh.
    features : callable
        ``(rules, state, player, values)``: named quantities that the player may know.
    prepare : callable, optional
        ``(rules, rows)``, with the rows of each component table: raises ValueError where options
        and tables do not fit together, and writes into the rules what follows from both.
    """

    name: str
    home: str
    doc: str
    players: range
    rules: np.dtype
    state: StateRecord
    num_actions: int
    options: tuple
    tables: tuple
    feature_names: tuple
    weights: tuple
    describe: Callable
    action_text: Callable
    setup: Callable
    legal_actions: Callable
    apply_action: Callable
    scores: Callable
    ranks: Callable
    determinize: Callable
    features: Callable
    prepare: Callable = lambda rules, rows: None
    search: str = ""

    @property
    def default_agent(self):
        """Spec of the search that plays this game best."""
        return ",".join(filter(None, ("mcts:simulations=1000", self.search)))

    @property
    def title(self):
        """The first line of the docstring."""
        return inspect.cleandoc(self.doc).splitlines()[0].rstrip(".")

    @property
    def not_modelled(self):
        """What the module's docstring lists under "Not modelled", one string an entry."""
        text = inspect.cleandoc(self.doc)
        found = re.search(r"^Not modelled\n-+\n(.*?)(?:\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
        if found is None:
            raise ValueError(f'{self.name}: the docstring has no section "Not modelled"')
        entries = re.split(r"^- ", found[1], flags=re.MULTILINE)
        return tuple(" ".join(entry.split()) for entry in entries if entry.strip())


_PACKAGE_ROOT = Path(__file__).resolve().parent
_by_record = {}  # numpy record type of the state -> Definition
_by_type = {}  # numba's type of the same -> Definition


def register(definition):
    """Make the rules of a game known to the general functions below.

    Parameters
    ----------
    definition : Definition

    Returns
    -------
    Definition
        The same, so that a module can end with ``GAME = register(Definition(...))``.

    Raises
    ------
    ValueError
        When the state is that of another game, or features and weights do not match.
    """
    record = definition.state.dtype
    if f"{definition.name}_state" not in record.names:
        raise ValueError(f"{definition.name}: its state is not state_record({definition.name!r})")
    if len(definition.weights) != len(definition.feature_names):
        raise ValueError(f"{definition.name}: one weight for each feature is needed")
    record_type = numpy_support.from_dtype(record)
    if _is_outside(definition):
        jit.watch_sources(record_type, jit.digest_beside(_source_of(definition)))
    _by_record[record] = definition
    _by_type[record_type] = definition
    return definition


def _source_of(definition):
    return Path(definition.setup.__code__.co_filename).resolve()


def _is_outside(definition):
    """Whether the rules of a game live in a file outside this package."""
    source = _source_of(definition)
    return _PACKAGE_ROOT not in source.parents and source.exists()


def code_digest(definition):
    """Digest of all sources that decide how a match goes, of the game and of the agents.

    Parameters
    ----------
    definition : Definition

    Returns
    -------
    str
    """
    if _is_outside(definition):
        return f"{jit.digest_at_start()}-{jit.digest_beside(_source_of(definition))}"
    return jit.digest_at_start()


def registered():
    """Return the games registered so far.

    Returns
    -------
    list of Definition
    """
    return list(_by_record.values())


def definition_of(state):
    """Return the game that a state belongs to.

    Parameters
    ----------
    state : np.record or numba.types.Record
        A state, or numba's type of one.

    Returns
    -------
    Definition

    Raises
    ------
    TypeError
        When no registered game has such states.
    """
    if isinstance(state, types.Type):
        definition = _by_type.get(state)
    else:
        definition = _by_record.get(getattr(state, "dtype", None))
    if definition is None:
        raise TypeError(f"{state!r} is not a state of a registered game")
    return definition


def setup(rules, state):
    """Write the starting position; ``state.chance`` has been seeded by the caller."""
    state.num_players = rules.num_players
    definition_of(state).setup(rules, state)


@overload(setup)
def _setup(rules, state):
    rule = definition_of(state).setup

    def compiled(rules, state):
        state.num_players = rules.num_players
        rule(rules, state)

    return compiled


def legal_actions(rules, state, actions):
    """Write the legal actions, ascending, into `actions` and return how many; 0 when over."""
    if state.over != GOES_ON:
        return 0
    return definition_of(state).legal_actions(rules, state, actions)


@overload(legal_actions)
def _legal_actions(rules, state, actions):
    rule = definition_of(state).legal_actions

    def compiled(rules, state, actions):
        if state.over != GOES_ON:
            return 0
        return rule(rules, state, actions)

    return compiled


def apply_action(rules, state, action):
    """Play a legal action, in place; a match that reaches ``rules.max_turns`` is capped."""
    definition_of(state).apply_action(rules, state, action)
    if state.turn >= rules.max_turns and state.over == GOES_ON:
        state.over = CAPPED


@overload(apply_action)
def _apply_action(rules, state, action):
    rule = definition_of(state).apply_action

    def compiled(rules, state, action):
        rule(rules, state, action)
        if state.turn >= rules.max_turns and state.over == GOES_ON:
            state.over = CAPPED

    return compiled


def scores(rules, state, points):
    """Write the points of every player, as they stand, into `points`."""
    definition_of(state).scores(rules, state, points)


@overload(scores)
def _scores(rules, state, points):
    rule = definition_of(state).scores

    def compiled(rules, state, points):
        rule(rules, state, points)

    return compiled


def ranks(rules, state, points, ranks):
    """Write the place of every player into `ranks`; 1 = winner, shared places equal.

    `points` are those that `scores` has written: whoever asks for places has them at hand, and
    no rule needs an array of its own.
    """
    definition_of(state).ranks(rules, state, points, ranks)


@overload(ranks)
def _ranks(rules, state, points, ranks):
    rule = definition_of(state).ranks

    def compiled(rules, state, points, ranks):
        rule(rules, state, points, ranks)

    return compiled


def determinize(rules, state, observer):
    """Deal anew what `observer` cannot know; ``state.chance`` has been seeded by the caller."""
    definition_of(state).determinize(rules, state, observer)


@overload(determinize)
def _determinize(rules, state, observer):
    rule = definition_of(state).determinize

    def compiled(rules, state, observer):
        rule(rules, state, observer)

    return compiled


def features(rules, state, player, values):
    """Write the named quantities by which `player` may judge the position into `values`."""
    definition_of(state).features(rules, state, player, values)


@overload(features)
def _features(rules, state, player, values):
    rule = definition_of(state).features

    def compiled(rules, state, player, values):
        rule(rules, state, player, values)

    return compiled


_DEAL = 0  # third seed word of the stream that a match deals from


@jit.inlined
def deal(rules, state, seed):
    """Set up a match in `state`, which is all zeros, from the seed of the match."""
    seed_stream(state.chance, seed, 0, _DEAL)
    setup(rules, state)


@jit.inlined
def imagine(rules, world, observer, stream):
    """Turn a copy of the true state into a world that `observer` may hold for the true one.

    `world` is changed in place. Its own chance is thrown away first: nothing of what is really
    coming, neither hidden cards nor random numbers, outlives this call. This is the only door
    between the true state and an agent.
    """
    seed_stream(world.chance, next_word(stream), next_word(stream), next_word(stream))
    determinize(rules, world, observer)
