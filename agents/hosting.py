"""Agents written in Python, each in a process of its own, with limits of time and memory.

What somebody's agent does in there harms nobody: when it takes too long, eats memory, ends its
process or prints without end, its process is put an end to, with all that it started, and it
forfeits the match. It is given copies, and what it answers is looked at by whoever asked.

A process is made by `multiprocessing`'s fork server where there is one, so that a fresh one costs
milliseconds, and serves its agent from match to match, each time with a fresh object.
"""

import contextlib
import dataclasses
import multiprocessing
import os
import sys
import threading
import time
from multiprocessing import connection, util

import cloudpickle
import numpy as np
import psutil

_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_MEGABYTE = 2**20
_STARTING = 60.0  # seconds for a process to come up, beside the limits of the agent
_ENDING = 1.0  # seconds from the end of its answers to its own
_MAX_ANSWER = 4096  # bytes
_MAX_REASON = 500  # characters of an exception that are kept


@dataclasses.dataclass(frozen=True)
class Limits:
    """What an agent written in Python may use.

    Attributes
    ----------
    decision : float
        Seconds for one decision.
    match : float
        Seconds for all decisions of a match.
    memory : int
        Megabytes beside what Python and kibitz take. Not enforced on Windows and macOS.
    """

    decision: float = 10.0
    match: float = 600.0
    memory: int = 2048

    def __post_init__(self):
        for name, low, high in (("decision", 0.001, 86400), ("match", 0.001, 864000)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
                raise ValueError(f"{name} limit {value!r} is not accepted; accepted: seconds")
            if not low <= value <= high:
                raise ValueError(
                    f"{name} limit {value!r} is not accepted; accepted: {low:g} to {high:g} seconds"
                )
        if not isinstance(self.memory, int) or not 16 <= self.memory <= 2**20:
            raise ValueError(
                f"memory limit {self.memory!r} is not accepted; accepted: 16 to {2**20} megabytes"
            )


class Said(str):
    """An answer that is no whole number, in the words of the agent's process."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


class Forfeit(Exception):
    """An agent did what it may not; its text says what."""


class Host:
    """The process of one agent, and the way to talk to it.

    Parameters
    ----------
    game : sim.Game
    agent : agents.Agent
        One written in Python.
    limits : Limits
    """

    def __init__(self, game, agent, limits):
        self._made_of = cloudpickle.dumps((game, agent))
        self._limits = limits
        self._process = None
        self._used = 0.0

    def start(self, player, seed):
        """Let a match begin; a fresh object is made at the first decision.

        Parameters
        ----------
        player : int
        seed : int
            Of the generator that the agent draws from.
        """
        self._used = 0.0
        self._match = (player, seed)
        if self._process is not None and not self._process.is_alive():
            self.close()
        if self._process is not None:
            self._send(self._match)

    def choose(self, view, legal):
        """Return what the agent answers.

        Parameters
        ----------
        view : np.record
        legal : np.ndarray of int64

        Returns
        -------
        int or Said
            An action, legal or not; or what was answered instead.

        Raises
        ------
        Forfeit
            When it raised, exceeded a limit or ended its process.
        """
        if self._process is None:
            self._open()
        limit, what = self._limits.decision, "a decision"
        if self._limits.match - self._used < limit:
            limit, what = self._limits.match - self._used, "a match"
        before = time.monotonic()
        self._send((view.tobytes(), legal))
        kind, value = self._receive(max(limit, 0))
        self._used += time.monotonic() - before
        if kind == "nothing":
            allowed = self._limits.decision if what == "a decision" else self._limits.match
            self.close()
            raise Forfeit(f"TimeLimit: longer than {allowed:g} s for {what}")
        if kind in ("raised", "ended"):
            raise Forfeit(value)
        return value

    def _open(self):
        """Start the process, and wait until it is there."""
        self.close()
        context = multiprocessing.get_context(_METHOD)
        if _METHOD == "forkserver":
            context.set_forkserver_preload(["agents.hosting"])
        self._conn, theirs = context.Pipe()
        theirs_alive, self._alive = context.Pipe(duplex=False)
        process = context.Process(
            target=_serve, args=(theirs, theirs_alive, self._made_of, self._limits.memory)
        )
        with _as_a_plain_process():
            process.start()
        self._process = process
        theirs.close()
        theirs_alive.close()
        kind, value = self._receive(_STARTING)
        if kind != "started":
            self.close()
            raise Forfeit(value or "ProcessEnded: it never began")
        self._send(self._match)

    def _send(self, message):
        with contextlib.suppress(OSError):  # it has ended, which is noticed at the answer
            self._conn.send(message)

    def _receive(self, limit):
        """What it says within so many seconds, or that it has ended."""
        ready = connection.wait([self._conn, self._process.sentinel], limit)
        if not ready:
            return "nothing", ""
        with contextlib.suppress(OSError, EOFError, ValueError):
            if self._conn.poll():
                return _checked(self._conn.recv_bytes(_MAX_ANSWER))
        self._process.join(_ENDING)
        code = self._process.exitcode
        self.close()
        if code is None:
            return "ended", "ProcessEnded: it answers no more"
        return "ended", f"ProcessEnded: {f'exit code {code}' if code >= 0 else f'signal {-code}'}"

    def close(self):
        """End the process and whatever it started."""
        if self._process is None:
            return
        with contextlib.suppress(psutil.Error):
            root = psutil.Process(self._process.pid)
            family = [root, *root.children(recursive=True)]
            for member in family:
                with contextlib.suppress(psutil.Error):
                    member.kill()
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, 9)
        self._process.kill()
        self._process.join()
        self._conn.close()
        self._alive.close()
        self._process = None


def _checked(answer):
    """An answer of a process that nobody vouches for: a mark, and a number or a text."""
    mark, rest = answer[:1], answer[1:]
    if mark == b"a":
        return "action", int.from_bytes(rest, "little", signed=True)
    if mark in (b"w", b"e", b"s"):
        words = {b"w": "words", b"e": "raised", b"s": "started"}
        return words[mark], Said(rest.decode("utf-8", "replace"))
    raise ValueError("no answer")


@contextlib.contextmanager
def _as_a_plain_process():
    """Keep `multiprocessing` from running the user's main script again in the new process.

    And from looking for modules in the working directory, where others may have our names, and
    from refusing a process to the workers of dask, which `multiprocessing` calls daemons.
    """
    config = multiprocessing.current_process()._config
    is_daemon = config.pop("daemon", None)
    safe = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    main = sys.modules["__main__"]
    kept = {name: getattr(main, name) for name in ("__file__", "__spec__") if hasattr(main, name)}
    try:
        main.__spec__ = None
        if "__file__" in kept:
            del main.__file__
        yield
    finally:
        for name, value in kept.items():
            setattr(main, name, value)
        if safe is None:
            del os.environ["PYTHONSAFEPATH"]
        if is_daemon is not None:
            config["daemon"] = is_daemon


class Hosts:
    """The processes of the agents written in Python that play in this process.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits):
        self._limits = limits
        self._hosts = {}

    def host_of(self, game, agent, seat):
        """Return the process of an `agent` in a `seat` of a `game`; made when it is first asked."""
        key = game.rules_hash, game.players, agent.label, seat
        if key not in self._hosts:
            self._hosts[key] = Host(game, agent, self._limits)
        return self._hosts[key]

    def close(self):
        """End them all."""
        for host in self._hosts.values():
            host.close()


_kept = {}


def kept_hosts(token, limits):
    """Return the processes of one tournament, which stay from piece to piece.

    Parameters
    ----------
    token : tuple
        Of the tournament. The processes of another one that this thread played are ended.
    limits : Limits

    Returns
    -------
    Hosts
        Those of this thread alone.
    """
    thread = threading.get_ident()
    known, hosts = _kept.get(thread, (None, None))
    if known != token:
        if hosts is not None:
            hosts.close()
        hosts = Hosts(limits)
        _kept[thread] = token, hosts
    return hosts


def close_hosts(token=None):
    """End the processes of agents that this process has started.

    Parameters
    ----------
    token : tuple, optional
        Of a tournament; by default those of all.
    """
    for thread, (known, hosts) in list(_kept.items()):
        if token in (None, known):
            hosts.close()
            _kept.pop(thread, None)


# Not `atexit`, which a worker process never comes to; and before it waits for its children.
util.Finalize(None, close_hosts, exitpriority=100)


# In the process of the agent ----------------------------------------------------------------------


def _serve(conn, alive, made_of, memory):
    """Answer one decision after the other until nobody asks any more."""
    _leave_nothing_open()
    threading.Thread(target=_end_with, args=(alive,), daemon=True).start()
    try:
        game, agent = cloudpickle.loads(made_of)
        _limit_memory(memory)
        conn.send_bytes(b"s")
    except BaseException as error:
        conn.send_bytes(b"e" + in_words(error).encode("utf-8", "replace"))
        return
    fresh = player = rng = None
    while True:
        try:
            first, second = conn.recv()
        except (EOFError, OSError):
            return
        if not isinstance(first, bytes):
            player, seed = first, second
            fresh, rng = None, np.random.Generator(np.random.SFC64(seed))
            continue
        try:
            if fresh is None:
                fresh = agent.make()
                if callable(getattr(fresh, "start", None)):
                    fresh.start(game.variant(), player)
            view = np.frombuffer(bytearray(first), game.definition.state.dtype)[0]
            answer = _in_bytes(fresh.choose(view, second, rng))
        except MemoryError as error:
            fresh = None
            answer = b"e" + in_words(error).encode()
        except BaseException as error:  # sys.exit and the like, too
            answer = b"e" + in_words(error).encode("utf-8", "replace")
        conn.send_bytes(answer)


def _in_bytes(action):
    """An answer for the way back: a whole number of 64 bits as such, all else in words."""
    is_whole = isinstance(action, int | np.integer) and not isinstance(action, bool)
    if is_whole and -(2**63) <= int(action) < 2**63:
        return b"a" + int(action).to_bytes(8, "little", signed=True)
    return b"w" + repr(action)[:_MAX_REASON].encode("utf-8", "replace")


def _leave_nothing_open():
    """A session of its own, and nothing to print to."""
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):
            os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    sys.stdin, sys.stdout, sys.stderr = (open(os.devnull, mode) for mode in ("r", "w", "w"))


def _limit_memory(megabytes):
    """Let the process have so much more memory than it has."""
    if sys.platform != "linux":
        return
    import resource

    most = psutil.Process().memory_info().vms + megabytes * _MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _end_with(alive):
    """End this process and what it started as soon as the one that asks is gone."""
    with contextlib.suppress(EOFError, OSError):
        alive.recv_bytes()
    if hasattr(os, "killpg"):
        os.killpg(os.getpid(), 9)
    os._exit(1)


def in_words(error):
    """Return an `error` as text that can be printed and stored, whatever it is made of."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # its own __str__ fails
        text = type(error).__name__
    return text[:_MAX_REASON].encode("utf-8", "replace").decode("utf-8")
