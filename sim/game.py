"""The Python face of a game: checked names in, numpy and pandas out."""

import difflib
import hashlib
import importlib
import pkgutil
from pathlib import Path
from types import MappingProxyType

import numpy as np

import sim.games
from sim import protocol
from sim.chance import NUM_WORDS
from sim.records import copy_of, new_record, observation


def known_games():
    """Return the names of the games that can be loaded, sorted.

    Returns
    -------
    list of str
    """
    shipped = {module.name for module in pkgutil.iter_modules(sim.games.__path__)}
    return sorted(shipped | {game.name for game in protocol.registered()})


def unknown_name(kind, name, known):
    """Return the error for a wrong name: the nearest right one first, then all.

    Parameters
    ----------
    kind : str
        What is named, such as "game".
    name : str
        The wrong name.
    known : iterable of str
        The right ones.

    Returns
    -------
    ValueError
    """
    known = sorted(known)
    near = difflib.get_close_matches(str(name).lower(), known, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]}?" if near else ";"
    return ValueError(f"unknown {kind} {name!r}{hint} known: {', '.join(known) or 'none'}")


def find_definition(name):
    """Return the Definition of a game by name, importing its module when needed.

    Parameters
    ----------
    name : str

    Returns
    -------
    sim.protocol.Definition

    Raises
    ------
    ValueError
        When there is no such game; the message names the games there are.
    """
    if name not in known_games():
        raise unknown_name("game", name, known_games())
    registered = {game.name: game for game in protocol.registered()}
    if name in registered:
        return registered[name]
    return importlib.import_module(f"sim.games.{name}").GAME


def load(name, *, players=None, **options):
    """Load a game.

    Parameters
    ----------
    name : str
        See `known_games`.
    players : int, optional
        Number of players; by default the smallest the game allows.
    **options
        Named options of the rules, and component tables as DataFrames or paths of CSV files.

    Returns
    -------
    Game

    Raises
    ------
    ValueError
        For an unknown name, a wrong number of players or a value that is not accepted.

    Examples
    --------
    >>> import sim
    >>> sim.load("treelings", players=4, refill_timing="start").players
    4
    """
    definition = find_definition(name)
    return Game(definition, definition.players.start if players is None else players, options, {})


class Game:
    """A game with its number of players, its options and its component tables; never changes.

    Made by `load` and by `variant`.

    Attributes
    ----------
    name : str
    players : int
    num_actions : int
        Actions are 0 to num_actions - 1.
    options : mapping of str to str or int
        Every named option with its value.
    rules : np.record
        All numbers of the rules and components, as the compiled code reads them.
    rules_hash : str
        Twelve hexadecimal digits; other rules have others.
    definition : sim.protocol.Definition
    """

    def __init__(self, definition, players, changes, tables):
        self.definition = definition
        self.name = definition.name
        self.num_actions = definition.num_actions
        if not _is_whole(players) or players not in definition.players:
            low, high = definition.players.start, definition.players.stop - 1
            accepted = f"{low} to {high}" if low < high else f"{low}"
            raise ValueError(
                f"{self.name} is not played by {players!r} players; accepted: {accepted}"
            )
        self.players = int(players)
        known = {option.name for option in definition.options}
        known |= {table.name for table in definition.tables}
        for name in changes:
            if name not in known:
                raise unknown_name(f"option of {self.name}", name, known)
        self.rules = new_record(definition.rules)
        self.rules.num_players = self.players
        for option in definition.options:
            self.rules[option.name] = option.encode(changes.get(option.name, option.default))
        self._rows = {}
        for table in definition.tables:
            if table.name in changes:
                given = changes[table.name]
                is_file = isinstance(given, str | Path)
                self._rows[table.name] = table.read(given) if is_file else table.from_frame(given)
            else:
                self._rows[table.name] = tables.get(table.name) or table.read()
            table.fill(self._rows[table.name], self.rules)
        definition.prepare(self.rules, self._rows)
        self.options = MappingProxyType(
            {option.name: option.decode(self.rules[option.name]) for option in definition.options}
        )
        digest = hashlib.sha256(self.name.encode() + self.rules.tobytes())
        self.rules_hash = digest.hexdigest()[:12]
        self._frames = None

    def __repr__(self):
        changed = "".join(f", {name}={value!r}" for name, value in self.changed_options.items())
        return f"<Game {self.name}, players={self.players}{changed}, rules {self.rules_hash}>"

    def __reduce__(self):
        # Compiled code and record types are found again by name in the other process.
        home = self.definition.home
        return _restore_in, (home, self.name, self.players, dict(self.options), self._rows)

    @property
    def changed_options(self):
        """The options that differ from their defaults."""
        defaults = {option.name: option.default for option in self.definition.options}
        return {name: value for name, value in self.options.items() if value != defaults[name]}

    @property
    def changed_components(self):
        """The rows of each component table that is not the published one, as lists of dicts."""
        return {
            table.name: self._rows[table.name]
            for table in self.definition.tables
            if self._rows[table.name] != table.read()
        }

    @property
    def components(self):
        """The component tables: a dict of name to DataFrame, to read or to edit for `variant`.

        Changing one of the frames does not change this game; give it to `variant`.
        """
        if self._frames is None:
            self._frames = {
                table.name: table.to_frame(self._rows[table.name])
                for table in self.definition.tables
            }
        return {name: frame.copy() for name, frame in self._frames.items()}

    def component_names(self, table):
        """Return the names of the rows of a component table, in its order.

        Parameters
        ----------
        table : str

        Returns
        -------
        list of str
        """
        keys = {table.name: table.key for table in self.definition.tables}
        if table not in keys:
            raise unknown_name(f"component table of {self.name}", table, keys)
        key = keys[table]
        return [row[key] for row in self._rows[table]]

    def component_rows(self, table):
        """Return the rows of a component table, to read.

        Parameters
        ----------
        table : str

        Returns
        -------
        list of dict
        """
        return self._rows[table]

    @property
    def default_agent(self):
        """Spec of the search that plays this game best; `agents.resolve` knows it as "default".

        Returns
        -------
        str
        """
        return self.definition.default_agent

    def variant(self, *, players=None, **changes):
        """Return the game with some options or component tables changed; same compiled code.

        Parameters
        ----------
        players : int, optional
        **changes
            Options by name, component tables (DataFrames or paths of CSV files) by name.

        Returns
        -------
        Game

        Raises
        ------
        ValueError
            As `load` does.

        Examples
        --------
        >>> import sim
        >>> sim.load("treelings", players=3).variant(market_size=6).options["market_size"]
        6
        """
        players = self.players if players is None else players
        return Game(self.definition, players, {**self.options, **changes}, self._rows)

    def new(self, seed=0):
        """Set up a match.

        Parameters
        ----------
        seed : int, default: 0
            Any integer; the same seed gives the same deal, also to a variant that deals alike.

        Returns
        -------
        np.record
            The state, with the fields that the game's module lists.
        """
        state = new_record(self.definition.state.dtype)
        protocol.deal(self.rules, state, checked_seed(seed))
        return state

    def copy(self, state):
        """Return a copy of a state that shares nothing with it.

        Parameters
        ----------
        state : np.record

        Returns
        -------
        np.record
        """
        return copy_of(self._checked(state))

    def legal(self, state):
        """Return the legal actions, ascending; none exactly when the match is over.

        Parameters
        ----------
        state : np.record

        Returns
        -------
        np.ndarray of int64, shape (n,)
        """
        actions = np.zeros(self.num_actions, np.int64)
        n = protocol.legal_actions(self.rules, self._checked(state), actions)
        return actions[:n]

    def apply(self, state, action):
        """Play an action, in place.

        Parameters
        ----------
        state : np.record
            Modified.
        action : int

        Raises
        ------
        ValueError
            When the action is not legal; the message lists the legal ones.
        """
        protocol.apply_action(self.rules, state, self.check_action(state, action))

    def check_action(self, state, action):
        """Refuse anything but a legal action.

        Parameters
        ----------
        state : np.record
        action : object

        Returns
        -------
        int
            The action as a plain number.

        Raises
        ------
        ValueError
            Listing the legal actions in words.
        """
        legal = self.legal(state)
        if _is_whole(action) and int(action) in legal:
            return int(action)
        if state.over:
            raise ValueError(f"action {action!r} cannot be played: the match is over")
        words = ", ".join(f"{a} ({self.action_text(state, a)})" for a in legal)
        raise ValueError(f"action {action!r} is not legal; legal: {words}")

    def scores(self, state):
        """Return the points of every player as they stand.

        Parameters
        ----------
        state : np.record

        Returns
        -------
        np.ndarray of int64, shape (players,)
        """
        points = np.zeros(self.players, np.int64)
        protocol.scores(self.rules, self._checked(state), points)
        return points

    def ranks(self, state):
        """Return the place of every player; 1 = winner, shared places equal.

        Parameters
        ----------
        state : np.record

        Returns
        -------
        np.ndarray of int64, shape (players,)
        """
        ranks = np.zeros(self.players, np.int64)
        protocol.ranks(self.rules, self._checked(state), self.scores(state), ranks)
        return ranks

    def features(self, state, player):
        """Return the named quantities by which a player may judge a position.

        Parameters
        ----------
        state : np.record
        player : int

        Returns
        -------
        dict of str to float
            The first is his score.
        """
        values = np.zeros(len(self.definition.feature_names))
        protocol.features(self.rules, self._checked(state), self._player(player), values)
        return dict(zip(self.definition.feature_names, values.tolist(), strict=True))

    def view(self, state, observer, stream=None):
        """Return a position that `observer` may hold for the true one.

        All that he sees is as it is; what he cannot know is dealt anew, and so is all chance to
        come.

        Parameters
        ----------
        state : np.record
        observer : int
            A player.
        stream : np.ndarray of uint64, shape (4,), optional
            Random stream of the new deal, modified; by default one from the operating system.

        Returns
        -------
        np.record
            A copy.
        """
        world = self.copy(state)
        if stream is None:
            stream = np.random.SFC64().state["state"]["state"]
        if getattr(stream, "dtype", None) != np.uint64 or stream.shape != (NUM_WORDS,):
            raise TypeError(f"a stream is a uint64 array of shape ({NUM_WORDS},), got {stream!r}")
        protocol.imagine(self.rules, world, self._player(observer), stream)
        return world

    def observation(self, state, observer):
        """Return a copy of a state in which all that a player does not see is 0.

        Parameters
        ----------
        state : np.record
        observer : int
            The player.

        Returns
        -------
        np.record
        """
        return observation(self._checked(state), self.definition.state, self._player(observer))

    def describe(self, state):
        """Return a position in words.

        Parameters
        ----------
        state : np.record

        Returns
        -------
        str
            Several lines.
        """
        return self.definition.describe(self, self._checked(state))

    def action_text(self, state, action):
        """Return an action in words, as a player would say it in this position.

        Parameters
        ----------
        state : np.record
            Before the action.
        action : int

        Returns
        -------
        str

        Raises
        ------
        ValueError
            When there is no action of this number.
        """
        if not _is_whole(action) or action not in range(self.num_actions):
            raise ValueError(
                f"no action {action!r} in {self.name}; accepted: 0 to {self.num_actions - 1}"
            )
        return self.definition.action_text(self, self._checked(state), int(action))

    def _checked(self, state):
        is_record = isinstance(state, np.void)
        if not is_record or state.dtype != self.definition.state.dtype:
            raise TypeError(f"a state of {self.name} is needed, got {type(state).__name__}")
        if state.num_players != self.players:
            raise ValueError(f"the state has {state.num_players} players, the game {self.players}")
        return state

    def _player(self, player):
        if not _is_whole(player) or player not in range(self.players):
            raise ValueError(f"no player {player!r}; accepted: 0 to {self.players - 1}")
        return int(player)


def restore(name, players, options, components):
    """Return a game from what `Game.changed_options` and `Game.changed_components` hold.

    Parameters
    ----------
    name : str
    players : int
    options : dict
    components : dict of str to list of dict
        Rows of component tables.

    Returns
    -------
    Game
    """
    definition = find_definition(name)
    for table in definition.tables:
        if rows := components.get(table.name):
            table.check(rows, list(rows[0]), lambda i, table=table: f"{table.name}, row {i}")
    return Game(definition, players, options, components)


def _restore_in(module, *parts):
    """As `restore`, in a process that may not have imported the game yet."""
    importlib.import_module(module)
    return restore(*parts)


def _is_whole(number):
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def checked_seed(seed):
    """Return a seed as a signed 64-bit number, or refuse what is not a whole number.

    Parameters
    ----------
    seed : int
        -2**63 to 2**64 - 1.

    Returns
    -------
    int
        The same 64 bits; one type for all kernels.
    """
    if not _is_whole(seed):
        raise TypeError(f"seed={seed!r} is not accepted; accepted: whole numbers")
    if not -(1 << 63) <= seed < (1 << 64):
        raise ValueError(f"seed={seed} is not accepted; accepted: 64-bit integers")
    seed = int(seed)
    return seed - (1 << 64) if seed >= 1 << 63 else seed
