"""Compiled code on disk: found again, never stale, never damaged, never in the way.

Every scenario runs Python in processes of its own, with a cache directory of its own.
"""

import json
import os
import random
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
NOWHERE = "/dev/null/nowhere"  # below a file: no user whatever can write there

# The smallest kernel of the package that calls another one.
DRAW = """
import json
import numpy as np
from sim.chance import below, next_word, seed_stream

stream = np.zeros(4, np.uint64)
seed_stream(stream, 1, 2, 3)
drawn = [int(below(stream, 1000)) for _ in range(3)]
hits = misses = 0
for kernel in (seed_stream, below):
    hits += sum(kernel.stats.cache_hits.values())
    misses += sum(kernel.stats.cache_misses.values())
print(json.dumps({"drawn": drawn, "hits": hits, "misses": misses}))
"""
DRAWN = [746, 802, 553]  # as numpy's SFC64 has them, see the last test


def environment(cache, source=ROOT, **settings):
    """The variables of a process that keeps compiled code below `cache`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "KIBITZ_", "PYTHON", "XDG_"))
    }
    kept |= {
        "KIBITZ_CACHE_DIR": str(cache),
        "PYTHONPATH": str(source),
        "PYTHONDONTWRITEBYTECODE": "1",  # two edits within a second would run old byte code
    }
    return kept | {name: str(value) for name, value in settings.items()}


def start(code, cache, *, source=ROOT, cwd=None, **settings):
    """Start a process that runs `code`."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd or cache.parent,
        env=environment(cache, source, **settings),
    )


def finish(process):
    """Wait for a process that must succeed; what it printed as JSON, and its standard error."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return json.loads(out.splitlines()[-1]), err


def run(code, cache, **options):
    """Run `code` and return what it printed as JSON."""
    return finish(start(code, cache, **options))[0]


def kept(cache, suffix="nbc"):
    """The files of compiled code that are there."""
    return sorted(cache.rglob(f"*.{suffix}"))


def copy_of_packages(parent):
    """The packages in a place where they may be edited."""
    for name in ("sim", "agents"):
        shutil.copytree(
            ROOT / name, parent / name, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    return parent


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def first_cache(tmp_path_factory):
    """A cache with the code of `DRAW`; never changed, tests take copies."""
    cache = tmp_path_factory.mktemp("first") / "cache"
    answer = run(DRAW, cache)
    assert answer == {"drawn": DRAWN, "hits": 0, "misses": 2}
    return cache


@pytest.fixture
def warm_cache(first_cache, tmp_path):
    return Path(shutil.copytree(first_cache, tmp_path / "cache"))


# Found again --------------------------------------------------------------------------------------


def test_a_second_process_compiles_nothing(warm_cache):
    before = {file: file.stat().st_mtime_ns for file in kept(warm_cache)}
    assert before
    assert run(DRAW, warm_cache) == {"drawn": DRAWN, "hits": 2, "misses": 0}
    assert {file: file.stat().st_mtime_ns for file in kept(warm_cache)} == before


def test_nothing_is_written_beside_the_sources(tmp_path):
    source = copy_of_packages(tmp_path / "source")
    before = sorted(source.rglob("*"))
    run(DRAW, tmp_path / "cache", source=source)
    assert kept(tmp_path / "cache")
    assert sorted(source.rglob("*")) == before


def test_a_relative_cache_directory_stays_where_it_was_named(tmp_path):
    away = tmp_path / "away"
    away.mkdir()
    code = f"import os, sim\nos.chdir({str(away)!r})\n" + DRAW
    answer = run(code, tmp_path / "unused", cwd=tmp_path, KIBITZ_CACHE_DIR="here")
    assert answer["drawn"] == DRAWN
    assert not list(away.iterdir())
    assert kept(tmp_path / "here")


def test_without_the_compiler_nothing_is_compiled_or_kept(tmp_path):
    code = DRAW.partition("hits =")[0] + "print(json.dumps([drawn, hasattr(below, 'stats')]))"
    assert run(code, tmp_path / "cache", NUMBA_DISABLE_JIT=1) == [DRAWN, False]
    assert not (tmp_path / "cache").exists()


def test_a_kernel_typed_at_a_prompt_runs(tmp_path):
    code = """
import json
from sim.jit import jit

@jit
def twice(n):
    return 2 * n

print(json.dumps(twice(4)))
"""
    assert run(code, tmp_path / "cache") == 8


# Never stale --------------------------------------------------------------------------------------

TALLY = "from sim.jit import jit\n\nSTEP = 2\n\n\n@jit\ndef more(n):\n    return n + 1\n"
COUNT = """from sim.jit import jit
from {package}.tally import STEP, more


@jit
def count(n):
    return STEP * more(n)
"""
ASK = """
import json
from {package}.count import count
print(json.dumps([int(count(10)), sum(count.stats.cache_hits.values())]))
"""


def with_two_files(parent, package):
    """Copies of the packages with a kernel, and what it needs in a file beside it."""
    source = copy_of_packages(parent)
    folder = source / package.replace(".", "/")
    (folder / "tally.py").write_text(TALLY)
    (folder / "count.py").write_text(COUNT.format(package=package))
    return source, folder / "tally.py", ASK.format(package=package)


@pytest.mark.parametrize("package", ["sim.games", "agents"])
def test_an_edit_in_another_file_of_the_packages_is_seen_by_the_next_process(tmp_path, package):
    source, tally, ask = with_two_files(tmp_path / "source", package)
    cache = tmp_path / "cache"
    assert run(ask, cache, source=source) == [22, 0]
    edit(tally, "STEP = 2", "STEP = 3")
    assert run(ask, cache, source=source) == [33, 0]
    edit(tally, "n + 1", "n + 2")
    assert run(ask, cache, source=source) == [36, 0]


def test_an_edit_taken_back_while_a_process_runs_leaves_nothing_stale(tmp_path):
    source, tally, ask = with_two_files(tmp_path / "source", "sim")
    cache = tmp_path / "cache"
    edits = f"""
import sim
from pathlib import Path
tally = Path({str(tally)!r})
text = tally.read_text()
tally.write_text(text.replace("STEP = 2", "STEP = 3"))
"""
    assert run(edits + ask, cache, source=source)[0] == 33
    edit(tally, "STEP = 3", "STEP = 2")
    assert run(ask, cache, source=source)[0] == 22


def test_lock_files_of_an_editor_beside_the_sources_do_no_harm(tmp_path):
    source = copy_of_packages(tmp_path / "source")
    (source / "sim" / ".#chance.py").symlink_to("somebody@somewhere.1234:5678")  # as Emacs does
    assert run(DRAW, tmp_path / "cache", source=source)["drawn"] == DRAWN


# A game from outside ------------------------------------------------------------------------------

HEAP = '''"""The numbers of the game, in a file of their own."""

from sim.jit import jit

MOST = 2


@jit
def most_of(heap):
    return min(MOST, heap)


@jit
def worth(winner, player):
    return 5 if winner == player else 0
'''
LAST_COUNTER = '''"""Last counter.

A heap of counters; 2 players take one or two in turn; whoever takes the last one wins.

Not modelled
------------
- Other numbers of heaps.
"""

import numpy as np
from heap import most_of, worth

from sim.jit import jit
from sim.protocol import Definition, Option, register
from sim.records import FINISHED, NONE, PUBLIC, rules_record, state_record


@jit
def setup(rules, state):
    state.heap = rules.heap_size
    state.winner = NONE


@jit
def legal_actions(rules, state, actions):
    for i in range(_num_choices(state.heap)):
        actions[i] = i
    return _num_choices(state.heap)


@jit
def _num_choices(heap):
    return most_of(heap)


@jit
def apply_action(rules, state, action):
    state.heap -= action + 1
    state.turn += 1
    if state.heap == 0:
        state.winner = state.to_move
        state.over = FINISHED
    state.to_move = 1 - state.to_move


@jit
def scores(rules, state, points):
    for p in range(2):
        points[p] = worth(state.winner, p)


@jit
def ranks(rules, state, points, ranks):
    for p in range(2):
        ranks[p] = 1 if points[p] >= points[1 - p] else 2


@jit
def determinize(rules, state, observer):
    pass


@jit
def features(rules, state, player, values):
    values[0] = worth(state.winner, player)


GAME = register(
    Definition(
        name="last_counter",
        home=__name__,
        doc=__doc__,
        players=range(2, 3),
        rules=rules_record("last_counter", ("heap_size", np.int64)),
        state=state_record(
            "last_counter",
            ("heap", np.int64, PUBLIC),  # counters that are left
            ("winner", np.int8, PUBLIC),  # or NONE
        ),
        num_actions=3,
        options=(
            Option("heap_size", range(1, 100), 12, "counters at the start"),
            Option("max_turns", range(1, 101), 100, "guard: a match this long is capped"),
        ),
        tables=(),
        feature_names=("score",),
        weights=(1.0,),
        describe=lambda game, state: f"{state.heap} counters",
        action_text=lambda game, state, action: f"take {action + 1}",
        setup=setup,
        legal_actions=legal_actions,
        apply_action=apply_action,
        scores=scores,
        ranks=ranks,
        determinize=determinize,
        features=features,
    )
)
'''
PLAY_LAST_COUNTER = """
import json
import last_counter
import sim

game = sim.load("last_counter")
sums = sim.playouts.random_games(game, 50)
misses = sum(sim.playouts._random_games.stats.cache_misses.values())
print(json.dumps([sums["actions"], sums["points"], game.legal(game.new()).tolist(), misses]))
"""


@pytest.fixture
def outside(tmp_path):
    """A folder with a game of the user's own, its numbers in a second file."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "heap.py").write_text(HEAP)
    (folder / "last_counter.py").write_text(LAST_COUNTER)
    return folder


def play_outside(folder, code=PLAY_LAST_COUNTER, **settings):
    source = os.pathsep.join([str(folder), str(ROOT)])
    return run(code, folder.parent / "cache", source=source, **settings)


def test_a_game_from_outside_is_found_again_and_an_edit_beside_it_is_seen(outside):
    actions, points, legal, misses = play_outside(outside)
    assert (points, legal, misses) == (250, [0, 1], 1)
    assert 6 * 50 <= actions <= 12 * 50
    assert play_outside(outside) == [actions, points, legal, 0]
    edit(outside / "heap.py", "return 5 if", "return 7 if")  # called by a rule
    assert play_outside(outside)[:3] == [actions, 350, legal]


def test_an_edit_is_seen_where_a_rule_reaches_it_by_a_function_without_a_state(outside):
    actions, _, legal, _ = play_outside(outside)
    assert legal == [0, 1]
    edit(outside / "heap.py", "MOST = 2", "MOST = 3")  # behind _num_choices(heap)
    fewer, _, legal, _ = play_outside(outside)
    assert legal == [0, 1, 2]
    assert fewer < actions


def test_a_game_from_outside_plays_the_same_without_the_compiler(outside):
    code = PLAY_LAST_COUNTER.replace(
        "misses = sum(sim.playouts._random_games.stats.cache_misses.values())", "misses = 0"
    )
    assert play_outside(outside)[:3] == play_outside(outside, code, NUMBA_DISABLE_JIT=1)[:3]


def test_a_game_from_outside_loads_while_an_editor_has_its_lock_file_there(outside):
    (outside / ".#heap.py").symlink_to("somebody@somewhere.1234:5678")
    code = "import json, last_counter\nprint(json.dumps(last_counter.GAME.num_actions))"
    assert play_outside(outside, code) == 3


def test_a_game_from_outside_is_played_by_other_processes_too(outside):
    code = """
import json
import last_counter
import experiments

class First:
    def choose(self, view, legal, rng):
        return legal[0]

results = experiments.tournament("last_counter", [First], blocks=2, n_jobs=2)
print(json.dumps([sorted(set(results.end)), results.turns.tolist()]))
"""
    # Without the compiler, which has no part in it.
    assert play_outside(outside, code, NUMBA_DISABLE_JIT=1) == [["finished"], [12] * 4]


# Settings that change code ------------------------------------------------------------------------

LOOK = """
import json
import numpy as np
from look import at
from sim.chance import shuffle

values = np.arange(10)  # of which the kernels are given three, so that junk does no harm
try:
    found = int(at(values[:3], 5))
except IndexError:
    found = "IndexError"
try:
    shuffle(values[:3], 0, 5, np.ones(4, np.uint64))
    shuffled = True
except IndexError:
    shuffled = "IndexError"
hits = sum(sum(kernel.stats.cache_hits.values()) for kernel in (at, shuffle))
print(json.dumps([found, shuffled, hits]))
"""


def test_bounds_checks_are_on_when_asked_for_and_never_in_other_lanes(tmp_path):
    source = copy_of_packages(tmp_path / "source")
    (source / "look.py").write_text(
        "from sim.jit import jit\n\n\n@jit\ndef at(values, i):\n    return values[i]\n"
    )
    cache = tmp_path / "cache"
    checks = {"NUMBA_BOUNDSCHECK": "1"}
    assert run(LOOK, cache, source=source) == [5, True, 0]
    assert run(LOOK, cache, source=source, **checks) == ["IndexError", "IndexError", 0]
    assert run(LOOK, cache, source=source) == [5, True, 2]
    assert run(LOOK, cache, source=source, **checks) == ["IndexError", "IndexError", 2]


# Several processes --------------------------------------------------------------------------------

SLOW_DISK = """
import os, time
_replace = os.replace
def slow_replace(*arguments):
    time.sleep(0.1)
    _replace(*arguments)
os.replace = slow_replace
"""
WAIT = """
import pathlib, time
pathlib.Path("ready-" + {me!r}).touch()
while not pathlib.Path("go").exists():
    time.sleep(0.005)
"""


def all_at_once(codes, cache, **options):
    """Run processes that begin to compile at the same moment; their answers."""
    processes = [
        start(WAIT.format(me=str(i)).join(code.split("# wait here\n", 1)), cache, **options)
        for i, code in enumerate(codes)
    ]
    deadline = time.monotonic() + 60
    while len(list(cache.parent.glob("ready-*"))) < len(codes) and time.monotonic() < deadline:
        time.sleep(0.01)
    (cache.parent / "go").touch()
    return [finish(process)[0] for process in processes]


def test_four_processes_compile_the_same_at_once(tmp_path):
    code = DRAW.replace("\nstream =", "\n# wait here\nstream =", 1)
    answers = all_at_once([code] * 4, tmp_path / "cache")
    assert [answer["drawn"] for answer in answers] == [DRAWN] * 4
    assert run(DRAW, tmp_path / "cache") == {"drawn": DRAWN, "hits": 2, "misses": 0}


def test_four_processes_compile_one_kernel_for_four_types_at_once_on_a_slow_disk(tmp_path):
    source = copy_of_packages(tmp_path / "source")
    (source / "add.py").write_text(
        "from sim.jit import jit\n\n\n@jit\ndef add(values):\n"
        "    total = 0\n    for value in values:\n        total += value\n    return total\n"
    )
    ask = """
import json
import numpy as np
from add import add
# wait here
sums = [int(add(np.arange(100, dtype=kind))) for kind in {kinds}]
print(json.dumps([sums, sum(add.stats.cache_hits.values())]))
"""
    kinds = ["int8", "int16", "int32", "float64"]
    cache = tmp_path / "cache"
    answers = all_at_once(
        [SLOW_DISK + ask.format(kinds=[kind]) for kind in kinds], cache, source=source
    )
    assert answers == [[[4950], 0]] * 4
    assert run(ask.format(kinds=kinds), cache, source=source) == [[4950] * 4, 4]


# Damage -------------------------------------------------------------------------------------------

NOISE = random.Random(1)


def _hole(content):
    """A block of zeros in the middle, as a power cut leaves it."""
    middle = len(content) // 2
    return content[: middle - 512] + bytes(1024) + content[middle + 512 :]


DAMAGES = {
    "empty": lambda content: b"",
    "cut short": lambda content: content[: len(content) // 2],
    "noise": lambda content: NOISE.randbytes(len(content)),
    "words": lambda content: b"cannot be\nread\n." * 20,  # a module that is not there, to pickle
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_noticed_and_compiled_again(warm_cache, damage):
    indexes = [file for file in kept(warm_cache, "nbi") if "seed_stream" in file.name]
    codes = [file for file in kept(warm_cache) if "below" in file.name]
    assert len(indexes) == len(codes) == 1
    for file in indexes + codes:
        file.write_bytes(damage(file.read_bytes()))
    answer, err = finish(start(DRAW, warm_cache))
    assert answer == {"drawn": DRAWN, "hits": 0, "misses": 2}
    assert "damaged" in err
    answer, err = finish(start(DRAW, warm_cache))
    assert (answer, err) == ({"drawn": DRAWN, "hits": 2, "misses": 0}, "")


def test_a_hole_in_the_machine_code_is_noticed_and_compiled_again(warm_cache):
    for file in kept(warm_cache):
        content = file.read_bytes()
        file.write_bytes(_hole(content))
        assert len(content) == file.stat().st_size
    assert run(DRAW, warm_cache) == {"drawn": DRAWN, "hits": 0, "misses": 2}
    assert run(DRAW, warm_cache) == {"drawn": DRAWN, "hits": 2, "misses": 0}


def test_a_missing_file_is_compiled_again(warm_cache):
    for file in kept(warm_cache):
        file.unlink()
    assert run(DRAW, warm_cache) == {"drawn": DRAWN, "hits": 0, "misses": 2}


KILLED = """
import os, signal
_replace, _left = os.replace, {renames}
def replace(*arguments):
    global _left
    if _left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    _left -= 1
    _replace(*arguments)
os.replace = replace
"""


@pytest.mark.parametrize("renames", [0, 1])
def test_a_process_killed_while_it_keeps_code_leaves_a_usable_cache(tmp_path, renames):
    cache = tmp_path / "cache"
    process = start(KILLED.format(renames=renames) + DRAW, cache)
    process.communicate(timeout=120)
    assert process.returncode == -9
    assert run(DRAW, cache)["drawn"] == DRAWN
    assert run(DRAW, cache) == {"drawn": DRAWN, "hits": 2, "misses": 0}


def test_a_process_killed_while_it_compiles_leaves_a_usable_cache(tmp_path):
    cache = tmp_path / "cache"
    code = DRAW.replace("\nstream =", '\nprint("compiling", flush=True)\nstream =', 1)
    process = start(code, cache)
    assert process.stdout.readline() == "compiling\n"
    time.sleep(0.15)
    process.kill()
    process.communicate(timeout=120)
    assert run(DRAW, cache)["drawn"] == DRAWN
    assert run(DRAW, cache) == {"drawn": DRAWN, "hits": 2, "misses": 0}


# No room ------------------------------------------------------------------------------------------

# No file can grow beyond so many bytes: writing fails as it does on a full disk, without one.
FULL_DISK = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
NOTHING_FITS, INDEX_FITS = 0, 4096


@pytest.mark.parametrize("size", [NOTHING_FITS, INDEX_FITS])
def test_a_full_disk_is_a_warning_and_the_next_process_finds_no_wrong_code(tmp_path, size):
    cache = tmp_path / "cache"
    answer, err = finish(start(FULL_DISK.format(size=size) + DRAW, cache))
    assert answer["drawn"] == DRAWN
    assert "could not be kept" in err
    assert not kept(cache)
    assert run(DRAW, cache) == {"drawn": DRAWN, "hits": 0, "misses": 2}


def test_a_damaged_file_on_a_full_disk_is_no_error_either(warm_cache):
    for file in kept(warm_cache):
        file.write_bytes(b"")
    answer, _ = finish(start(FULL_DISK.format(size=NOTHING_FITS) + DRAW, warm_cache))
    assert answer["drawn"] == DRAWN


def test_code_that_could_not_be_kept_after_an_edit_leaves_no_older_code_in_its_place(tmp_path):
    source = copy_of_packages(tmp_path / "source")
    file = source / "mine.py"
    file.write_text("from sim.jit import jit\n\n\n@jit\ndef size(n):\n    return n + 20\n")
    ask = "import json\nfrom mine import size\nprint(json.dumps(int(size(1))))\n"
    cache = tmp_path / "cache"
    assert run(ask, cache, source=source) == 21
    edit(file, "n + 20", "n + 30")
    assert run(FULL_DISK.format(size=INDEX_FITS) + ask, cache, source=source) == 31
    assert run(ask, cache, source=source) == 31


def test_where_the_named_place_cannot_be_written_the_users_cache_is_used(tmp_path):
    answer = run(DRAW, tmp_path / "x", KIBITZ_CACHE_DIR=NOWHERE, XDG_CACHE_HOME=tmp_path / "user")
    assert answer["drawn"] == DRAWN
    assert kept(tmp_path / "user" / "kibitz")


def test_where_nothing_of_the_user_can_be_written_a_private_temporary_place_is_used(tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    nowhere = {"KIBITZ_CACHE_DIR": NOWHERE, "XDG_CACHE_HOME": NOWHERE, "HOME": NOWHERE}
    code = "import os\nos.umask(0o022)\n" + DRAW
    for hits in (0, 2):
        answer = run(code, tmp_path / "x", TMPDIR=temporary, **nowhere)
        assert (answer["drawn"], answer["hits"]) == (DRAWN, hits)
    assert kept(temporary)
    # Compiled code is unpickled: nobody else may put any there.
    (private,) = temporary.iterdir()
    assert stat.S_IMODE(private.stat().st_mode) & 0o077 == 0


def test_where_nothing_at_all_can_be_written_the_error_says_what_to_set(tmp_path):
    code = f"import tempfile\ntempfile.tempdir = {NOWHERE!r}\n" + DRAW
    process = start(
        code, tmp_path / "x", KIBITZ_CACHE_DIR=NOWHERE, XDG_CACHE_HOME=NOWHERE, HOME=NOWHERE
    )
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "set KIBITZ_CACHE_DIR to a writable directory" in err


# Old directories ----------------------------------------------------------------------------------

WHERE = (
    "import json\nfrom sim.jit import cache_directory\nprint(json.dumps(str(cache_directory())))"
)
DAY = 24 * 3600


def make_old(folder, days):
    moment = time.time() - days * DAY
    os.utime(folder, (moment, moment))


def test_old_directories_are_cleared_but_not_of_two_installations_in_use(tmp_path):
    cache = tmp_path / "cache"
    here = copy_of_packages(tmp_path / "here")
    there = copy_of_packages(tmp_path / "there")
    edit(there / "sim" / "chance.py", "_SEEDING_ROUNDS = 18", "_SEEDING_ROUNDS = 19")
    first, second = (Path(run(WHERE, cache, source=source)) for source in (here, there))
    assert first != second
    for i in range(20):
        old = first.with_name(f"{first.name[:-4]}{i:04x}")
        old.mkdir()
        make_old(old, days=10 + i)
    make_old(first, days=100)  # not used for long, but now again:
    assert Path(run(WHERE, cache, source=here)) == first
    for i in range(2):  # work goes on in one of them
        edit(there / "sim" / "chance.py", "_SEEDING_ROUNDS", f"_SEEDING_ROUNDS_{i}")
        run(WHERE, cache, source=there)
    left = set(cache.iterdir())
    assert {first, second} <= left
    assert len(left) < 10


def test_clearing_leaves_alone_what_is_not_its_own(tmp_path):
    cache = tmp_path / "cache"
    others = [cache / name for name in ("code-review", "code-of-conduct", "notes", "code-2024")]
    for other in others:
        other.mkdir(parents=True)
        (other / "precious.txt").write_text("years of work")
        make_old(other, days=1000)
    first = Path(run(WHERE, cache))
    for i in range(20):
        old = first.with_name(f"{first.name[:-4]}{i:04x}")
        old.mkdir()
        make_old(old, days=10 + i)
    source = copy_of_packages(tmp_path / "source")
    edit(source / "sim" / "chance.py", "_SEEDING_ROUNDS", "_ROUNDS_OF_SEEDING")
    run(WHERE, cache, source=source)
    assert [other for other in others if not (other / "precious.txt").exists()] == []


def test_the_numbers_of_these_tests_are_those_of_numpy():
    stream = np.random.SFC64()
    words = np.array([1, 2, 3, 1], np.uint64)
    stream.state |= {"state": {"state": words}}
    stream.random_raw(18)  # the rounds of seeding
    assert [(int(stream.random_raw()) >> 32) * 1000 >> 32 for _ in range(3)] == DRAWN
