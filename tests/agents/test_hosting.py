"""Agents written in Python have a process each, with limits, and harm nobody but themselves."""

import contextlib
import os
import subprocess
import sys
import threading
import time

import psutil
import pytest

import experiments as ex
import sim
from agents import Limits, resolve
from agents.hosting import Forfeit, Host, Hosts
from agents.stepwise import play_match

CONNECT_FOUR = sim.load("connect_four")
STRICT = Limits(decision=1.0, match=30.0, memory=300)


class Plays:
    def choose(self, view, legal, rng):
        return rng.choice(legal)


class Counts:
    """Plays a place that depends on how often this very object has been asked."""

    def __init__(self):
        self.num_asked = 0

    def choose(self, view, legal, rng):
        self.num_asked += 1
        return legal[self.num_asked % len(legal)]


class LoopsForEver:
    def choose(self, view, legal, rng):
        while True:
            pass


class Sleeps:
    """A little in each decision, so that only the match takes too long."""

    def choose(self, view, legal, rng):
        time.sleep(0.25)
        return legal[0]


class SleepsToBeMade:
    def __init__(self):
        time.sleep(60)

    def choose(self, view, legal, rng):
        return legal[0]


class LeavesAtOnce:
    def choose(self, view, legal, rng):
        os._exit(3)


class LeavesBetweenDecisions:
    """Answers, and is gone before it is asked again."""

    def choose(self, view, legal, rng):
        threading.Timer(0.05, os._exit, [7]).start()
        return legal[0]


class EatsMemory:
    def choose(self, view, legal, rng):
        eaten = []
        while True:
            eaten.append(bytearray(10_000_000))


class PrintsMegabytes:
    def choose(self, view, legal, rng):
        for _ in range(10):
            print("x" * 1_000_000)
            sys.stderr.write("y" * 1_000_000)
            os.write(1, b"z" * 100_000)
        return legal[0]


class StartsProcesses:
    """One in its own group and one that leaves it, and then loops for ever."""

    def choose(self, view, legal, rng):
        for new_session in (False, True):
            subprocess.Popen(["sleep", "98.7654"], start_new_session=new_session)
        while True:
            pass


class Crashes:
    def choose(self, view, legal, rng):
        os.kill(os.getpid(), 11)
        time.sleep(10)


class Answers:
    def __init__(self, answer):
        self.answer = answer

    def choose(self, view, legal, rng):
        return self.answer


class Meddles:
    """Overwrites all that it is given."""

    def choose(self, view, legal, rng):
        action = int(legal[0])
        legal[:] = -1
        for name in view.dtype.names:
            view[name] = 1
        return action


def sleepers():
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if "98.7654" in process.cmdline():
                found.append(process.pid)
    return found


def reason(agent, limits=STRICT):
    """Why the agent forfeits a match against `random`."""
    results = ex.tournament("connect_four", [agent, "random"], blocks=1, limits=limits)
    assert results.groupby("match").utility.sum().tolist() == [1, 1]
    (why,) = set(results.note) - {""} or {""}
    return why


# What they may not do -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (LoopsForEver, "TimeLimit: longer than 1 s for a decision"),
        (SleepsToBeMade, "TimeLimit: longer than 1 s for a decision"),
        (LeavesAtOnce, "ProcessEnded: exit code 3"),
        (Crashes, "ProcessEnded: signal 11"),
        (EatsMemory, "MemoryError"),
        (Answers(float("nan")), "ValueError: action nan is not legal"),
        (Answers(2.0), "ValueError: action 2.0 is not legal"),
        (Answers(10**30), "ValueError: action 1000000000000000000000000000000 is not legal"),
        (Answers(99), "ValueError: action 99 is not legal"),
        (Answers(-1), "ValueError: action -1 is not legal"),
        (Answers(True), "ValueError: action True is not legal"),
        (Answers(None), "ValueError: action None is not legal"),
        (Answers("x" * 1_000_000), "ValueError: action 'xxx"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_who_breaks_a_rule_forfeits_and_the_kind_is_told(agent, expected):
    assert reason(agent).startswith(expected)


def test_time_is_limited_in_a_match_too():
    why = reason(Sleeps, Limits(decision=5.0, match=0.6, memory=300))
    assert why == "TimeLimit: longer than 0.6 s for a match"


def test_who_prints_megabytes_is_not_heard(capfd):
    assert reason(PrintsMegabytes, Limits(memory=300)) == ""
    heard = capfd.readouterr()
    assert heard.out == heard.err == ""


def test_who_changes_what_it_is_given_changes_nothing():
    results = ex.tournament("connect_four", [Meddles, "random"], blocks=3, seed=2)
    assert set(results.end) == {"finished"}


def test_no_process_is_left_behind():
    assert sleepers() == []
    assert reason(StartsProcesses).startswith("TimeLimit")
    before = time.monotonic()
    while sleepers() and time.monotonic() < before + 5:
        time.sleep(0.1)
    assert sleepers() == []
    agents = [p for p in psutil.Process().children(recursive=True) if "_serve" in str(p.cmdline())]
    assert agents == []


def test_the_others_play_on_as_if_nothing_had_happened():
    agents = [LoopsForEver, LeavesAtOnce, "random", Plays]
    how = {"blocks": 6, "seed": 3, "limits": Limits(decision=0.3, memory=300)}
    results = ex.tournament("connect_four", agents, **how)
    alone = ex.tournament("connect_four", agents[2:], blocks=6, seed=3)
    # The last of the six line-ups, in block 5, is that of the two that play.
    mine, theirs = results[results.block == 5], alone[alone.block == 5]
    for name in ("seed", "score", "rank", "turns", "fingerprint"):
        assert mine[name].tolist() == theirs[name].tolist()
    assert set(mine.end) == {"finished"}


# The process --------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", [Plays, Counts])
def test_a_match_is_the_same_in_a_process_and_without(agent):
    seated = [resolve(agent, CONNECT_FOUR), resolve("random", CONNECT_FOUR)]
    hosts = Hosts(Limits())
    try:
        for seed in range(3):
            here, _, _ = play_match(CONNECT_FOUR, seated, seed=seed)
            there, _, reasons = play_match(CONNECT_FOUR, seated, seed=seed, hosts=hosts)
            assert reasons == ["", ""]
            assert here == there
    finally:
        hosts.close()


def test_a_process_serves_match_after_match_until_it_is_closed():
    host = Host(CONNECT_FOUR, resolve(Counts, CONNECT_FOUR), Limits())
    state = CONNECT_FOUR.new()
    legal = CONNECT_FOUR.legal(state)
    host.start(0, 1)
    assert [host.choose(state, legal) for _ in range(3)] == [1, 2, 3]
    pid = host._process.pid
    host.start(0, 1)  # a fresh object, in the same process
    assert [host.choose(state, legal) for _ in range(2)] == [1, 2]
    assert host._process.pid == pid
    host.close()
    assert not psutil.pid_exists(pid)


def test_after_a_forfeit_the_next_match_has_a_new_process():
    host = Host(CONNECT_FOUR, resolve(LeavesAtOnce, CONNECT_FOUR), Limits())
    state = CONNECT_FOUR.new()
    for _ in range(2):
        host.start(0, 1)
        with pytest.raises(Forfeit, match="exit code 3"):
            host.choose(state, CONNECT_FOUR.legal(state))
    host.close()


def test_who_ends_its_process_between_two_decisions_forfeits_at_the_next():
    host = Host(CONNECT_FOUR, resolve(LeavesBetweenDecisions, CONNECT_FOUR), Limits())
    state = CONNECT_FOUR.new()
    legal = CONNECT_FOUR.legal(state)
    for _ in range(2):  # and the next match begins with a new process
        host.start(0, 1)
        assert host.choose(state, legal) == 0
        time.sleep(0.3)
        with pytest.raises(Forfeit, match="exit code 7"):
            host.choose(state, legal)
    host.close()


def test_the_process_ends_with_the_one_that_asks(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, time\n"
        "import sim\n"
        "from agents import Limits, resolve\n"
        "from agents.hosting import Host\n"
        "class Loops:\n"
        "    def choose(self, view, legal, rng):\n"
        "        return legal[0]\n"
        "if __name__ == '__main__':\n"
        "    game = sim.load('connect_four')\n"
        "    host = Host(game, resolve(Loops, game), Limits())\n"
        "    state = game.new()\n"
        "    host.start(0, 1)\n"
        "    host.choose(state, game.legal(state))\n"
        "    print(host._process.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        pid = int(parent.stdout.readline())
        assert psutil.pid_exists(pid)
        parent.kill()
    before = time.monotonic()
    while psutil.pid_exists(pid) and time.monotonic() < before + 10:
        time.sleep(0.1)
    assert not psutil.pid_exists(pid)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"decision": 0}, "decision limit 0 is not accepted; accepted: 0.001 to 86400 seconds"),
        ({"decision": "soon"}, "decision limit 'soon' is not accepted"),
        ({"match": float("nan")}, "match limit nan is not accepted"),
        ({"memory": 1}, "memory limit 1 is not accepted; accepted: 16 to"),
        ({"memory": 1.5}, "memory limit 1.5 is not accepted"),
    ],
)
def test_limits_that_are_none_are_refused(limits, words):
    with pytest.raises(ValueError, match=words):
        Limits(**limits)
