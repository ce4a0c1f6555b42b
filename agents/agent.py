"""What an agent is, and the spec strings that name one.

A spec is ``name`` or ``name:parameter=value,parameter=value``, such as ``greedy`` or
``mcts:simulations=200``; ``file.py:Class`` or ``package.module:Class`` names an agent written in
Python. The spec with all effective parameters is the agent's label in every table.
"""

import copy
import dataclasses
import hashlib
import importlib
import importlib.util
import inspect
import sys
from pathlib import Path

import joblib
import numpy as np

from agents import play
from agents.play import AGENT
from sim.game import unknown_name
from sim.jit import digest_beside

_DEFAULT_SIMULATIONS = 1000
_MAX_SIMULATIONS = 10**9
_DEFAULT_SOFTNESS = 3.0
_TIMED_NODES = 1 << 20
_MAX_THREADS = 256
_NODES_PER_SIMULATION = 16  # where all actions of a position become nodes at once
_SEARCH_SETTINGS = (
    "exploration",
    "prior",
    "paired",
    "horizon",
    "greed",
    "margin",
    "rank",
)


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A number that a compiled agent can be given.

    Attributes
    ----------
    name : str
    type : type
        `int` or `float`.
    default : int, float or None
        None means that it is only in force when given.
    low, high : int or float
        The accepted range, both ends included.
    help : str
        One line.
    """

    name: str
    type: type
    default: int | float | None
    low: int | float
    high: int | float
    help: str

    def parse(self, text):
        """Return the number that `text` stands for, or refuse it."""
        try:
            value = None if "_" in text else self.type(text)
        except (TypeError, ValueError):
            value = None
        if value is None or not self.low <= value <= self.high:
            kind = "whole numbers" if self.type is int else "numbers"
            accepted = f"{kind} {self.low:.10g} to {self.high:.10g}"
            raise ValueError(f"{self.name}={text} is not accepted; accepted: {accepted}")
        return value


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of compiled agent.

    Attributes
    ----------
    name : str
    number : int
        As in ``AGENT.kind``.
    help : str
        One line.
    parameters : tuple of Parameter
    judges : bool
        Whether it takes a weight for each feature of the game.
    """

    name: str
    number: int
    help: str
    parameters: tuple = ()
    judges: bool = False


KINDS = {
    kind.name: kind
    for kind in (
        Kind("random", play.RANDOM, "plays every legal action equally often"),
        Kind(
            "greedy",
            play.GREEDY,
            "ends its own turn as its judgement likes best; takes the game's features as weights",
            judges=True,
        ),
        Kind(
            "mcts",
            play.MCTS,
            "Monte Carlo tree search, one dealt world per simulation; random playouts to the end",
            (
                Parameter(
                    "simulations",
                    int,
                    None,
                    1,
                    _MAX_SIMULATIONS,
                    f"of each decision; {_DEFAULT_SIMULATIONS} by default",
                ),
                Parameter("seconds", float, None, 1e-4, 3600.0, "of each decision, instead"),
                Parameter(
                    "exploration",
                    float,
                    0.7,
                    0.0,
                    100.0,
                    "weight of the little tried, in UCB1 or PUCT",
                ),
                Parameter(
                    "prior",
                    float,
                    None,
                    1e-3,
                    1e6,
                    "judgement that makes an action e times as likely",
                ),
                Parameter(
                    "paired", int, None, 0, 1, "whether n-th visits of all actions share a world"
                ),
                Parameter(
                    "horizon", int, None, 1, 10**6, "turns from the decision on, then judged"
                ),
                Parameter("greed", float, None, 0.0, 1.0, "share of playout steps that look best"),
                Parameter("softness", float, None, 1e-3, 1e6, "points or judgement worth e : 1"),
                Parameter(
                    "margin", float, None, 0.0, 1.0, "share of the score margin in the reward"
                ),
                Parameter("rank", float, None, 0.0, 1.0, "share of the rank in the rest of it"),
                Parameter(
                    "nodes", int, None, 2, _MAX_SIMULATIONS, "at which the tree stops growing"
                ),
                Parameter(
                    "threads", int, None, 1, _MAX_THREADS, "of each decision, a tree for each"
                ),
            ),
            judges=True,
        ),
    )
}


@dataclasses.dataclass(frozen=True, eq=False)
class Agent:
    """An agent, ready to play one game.

    Attributes
    ----------
    label : str
        The spec with all effective parameters.
    parameters : dict of str to int or float
        All of them by name, the weights of the features too.
    row : np.record or None
        What compiled code reads; None for an agent written in Python.
    maker : object or None
        For an agent written in Python: a spec, a class, or an object that is copied.
    """

    label: str
    parameters: dict
    row: np.record | None = None
    maker: object = None

    @property
    def is_compiled(self):
        """Whether a match among such agents can run as one compiled call."""
        return self.row is not None and self.num_threads == 1

    @property
    def num_threads(self):
        """Threads that one decision takes."""
        return self.parameters.get("threads", 1)

    @property
    def max_nodes(self):
        """Room that the search tree needs."""
        return 1 if self.row is None else max(1, int(self.row.nodes))

    def make(self):
        """Return a fresh player of an agent written in Python, for one seat of one match.

        Returns
        -------
        object
            With ``choose(view, legal, rng) -> action``.
        """
        maker = _find_class(self.maker) if isinstance(self.maker, str) else self.maker
        return maker() if inspect.isclass(maker) else copy.deepcopy(maker)


def resolve(spec, game):
    """Make an agent for a game from its spec.

    Parameters
    ----------
    spec : str, class or object
        A spec string, or a class or object with ``choose(view, legal, rng) -> action``. Its
        attribute ``label``, if there is one, or the name of the class, is its label.
    game : sim.Game

    Returns
    -------
    Agent

    Raises
    ------
    ValueError
        For an unknown agent or parameter, or a value out of range; names what is accepted.
    TypeError
        For something that cannot be an agent.

    Examples
    --------
    >>> import sim
    >>> resolve("mcts:simulations=50", sim.load("treelings")).label
    'mcts:simulations=50,exploration=0.7'
    """
    if not isinstance(spec, str):
        return _python_agent(spec)
    name, _, rest = spec.strip().partition(":")
    if name == "default":
        name, rest = "mcts", _with_defaults(rest, game.default_agent.partition(":")[2])
    if name in KINDS:
        return _compiled_agent(KINDS[name], rest, game)
    if "." not in name:
        if rest and Path(f"{name}.py").is_file():
            raise ValueError(f"unknown agent {spec!r}; did you mean {name}.py:{rest}?")
        raise unknown_name("agent", name, KINDS)
    if name.endswith(".py"):
        if not Path(name).is_file():
            raise ValueError(f"there is no file {name!r} to take an agent from")
        name = str(Path(name).resolve())  # workers may have another working directory
    found = _find_class(f"{name}:{rest}")
    return Agent(spec.strip(), {"digest": _digest_of_maker(found)}, maker=f"{name}:{rest}")


def _compiled_agent(kind, rest, game):
    """Fill the row of a compiled agent and spell out its label."""
    known = {parameter.name: parameter for parameter in kind.parameters}
    weights = {}
    if kind.judges:
        definition = game.definition
        weights = dict(zip(definition.feature_names, definition.weights, strict=True))
        known |= {name: Parameter(name, float, None, -1e6, 1e6, "weight") for name in weights}
    given = {}
    for part in filter(None, rest.split(",")):
        name, equals, text = part.partition("=")
        if name not in known:
            raise unknown_name(f"parameter of {kind.name}", name, known)
        if not equals:
            raise ValueError(f"{kind.name}: {name} needs a value, as in {name}=1")
        if name in given:
            raise ValueError(f"{kind.name}: {name} is given twice")
        given[name] = known[name].parse(text)
    row = np.zeros(1, AGENT)[0]
    row.kind = kind.number
    parameters = {p.name: p.default for p in kind.parameters if p.default is not None}
    parameters |= {name: value for name, value in given.items() if name not in weights}
    if kind.name == "mcts":
        _fill_budget(row, parameters, game)
        for name in _SEARCH_SETTINGS:
            row[name] = parameters.get(name, 0)
        row.softness = parameters.get("softness", _DEFAULT_SOFTNESS)
    weights |= {name: value for name, value in given.items() if name in weights}
    if parameters.get("threads", 1) > row.simulations > 0:
        raise ValueError(
            f"mcts: {parameters['threads']} threads for {row.simulations} simulations; "
            "accepted: no more threads than simulations"
        )
    if "softness" in given and not {"horizon", "margin"} & set(given):
        raise ValueError("mcts: softness has no effect without horizon or margin")
    if kind.name == "mcts" and not {"horizon", "greed", "prior"} & set(given):
        for name in given:
            if name in weights:
                raise ValueError(f"mcts: {name} has no effect without horizon, greed or prior")
        weights = {}
    row.weights[: len(weights)] = list(weights.values())
    shown = [name for name in known if name in parameters or name in given]
    label = ",".join(f"{name}={_in_words((parameters | weights)[name])}" for name in shown)
    return Agent(f"{kind.name}:{label}" if label else kind.name, parameters | weights, row)


def _with_defaults(given, defaults):
    """Add the defaults that are not given; a budget in seconds takes the place of simulations."""
    names = {part.partition("=")[0] for part in given.split(",")}
    if "seconds" in names:
        names.add("simulations")
    missing = [part for part in defaults.split(",") if part.partition("=")[0] not in names]
    return ",".join(filter(None, (*missing, given)))


def _in_words(number):
    """The shortest text that stands for the same number, without a useless ``.0``."""
    return repr(number).removesuffix(".0")


def _fill_budget(row, parameters, game):
    """Exactly one budget is in force; the tree has room for every simulation unless told else."""
    if "seconds" in parameters and "simulations" in parameters:
        raise ValueError("mcts: give simulations or seconds, not both")
    if "seconds" in parameters:
        row.seconds = parameters["seconds"]
        row.nodes = parameters.setdefault("nodes", _TIMED_NODES)
    else:
        row.simulations = parameters.setdefault("simulations", _DEFAULT_SIMULATIONS)
        room = row.simulations + 1
        if "prior" in parameters:
            room = _NODES_PER_SIMULATION * row.simulations + game.definition.num_actions
        row.nodes = min(parameters.get("nodes", _MAX_SIMULATIONS), room)


def with_parameters(spec, game, **parameters):
    """Return the spec of an agent with some of its parameters set or taken away.

    Parameters
    ----------
    spec : str
        Of a compiled agent, or "default".
    game : sim.Game
    **parameters : str or number
        By name; an empty text takes one away. A budget takes the place of the other kind of budget.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        When the spec or a parameter is not accepted.
    """
    resolve(spec, game)
    name, _, given = spec.partition(":")
    if name == "default":
        name, given = "mcts", _with_defaults(given, game.default_agent.partition(":")[2])
    known = dict(part.partition("=")[::2] for part in filter(None, given.split(",")))
    if {"simulations", "seconds"} & set(parameters):
        known.pop("simulations", None)
        known.pop("seconds", None)
    known |= parameters
    text = ",".join(f"{key}={value}" for key, value in known.items() if str(value))
    changed = f"{name}:{text}" if text else name
    resolve(changed, game)
    return changed


def _python_agent(maker):
    if not callable(getattr(maker, "choose", None)):
        raise TypeError(
            f"{maker!r} is not an agent; accepted: a spec string, or a class or object with "
            "choose(view, legal, rng)"
        )
    name = maker.__name__ if inspect.isclass(maker) else type(maker).__name__
    return Agent(
        str(getattr(maker, "label", name)), {"digest": _digest_of_maker(maker)}, maker=maker
    )


def _digest_of_maker(maker):
    """Digest of what an agent is made of: an edited one counts as another agent.

    That is its object, and all sources beside the file that it is written in.
    """
    kind = maker if inspect.isclass(maker) else type(maker)
    try:
        sources = digest_beside(inspect.getsourcefile(kind))
    except (OSError, TypeError):  # typed at a prompt
        sources = ""
    try:
        return joblib.hash((sources, maker))
    except Exception:  # an object that cannot be pickled; its class must do
        return joblib.hash((sources, kind.__qualname__))


def _find_class(spec):
    """Import the class that ``file.py:Class`` or ``package.module:Class`` names."""
    source, _, name = spec.rpartition(":")
    if not name:
        raise ValueError(f"agent {source!r} names no class; accepted: file.py:Class")
    module = _import_file(Path(source)) if source.endswith(".py") else _import_module(source)
    classes = [
        key
        for key, value in vars(module).items()
        if inspect.isclass(value) and callable(getattr(value, "choose", None))
    ]
    if name not in classes:
        raise unknown_name(f"agent in {source}", name, classes)
    return getattr(module, name)


def _import_file(file):
    """Import a file, anew when it has been edited since."""
    digest = hashlib.sha256(str(file).encode() + file.read_bytes()).hexdigest()[:16]
    name = f"kibitz_agents_{digest}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            del sys.modules[name]
            if isinstance(error, Exception):
                raise ValueError(f"{file} cannot be imported: {error!r}") from error
            raise
    return sys.modules[name]


def _import_module(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ValueError(f"module {name!r} cannot be imported: {error}") from error
