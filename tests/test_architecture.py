"""What holds over all files of the packages: who imports whom, chance, kernels, docstrings."""

import ast
import doctest
import importlib
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from games_under_test import SHIPPED

from sim.game import find_definition

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("sim", "agents", "experiments")  # each may import from those before it
GAMES = ROOT / "sim" / "games"


def files_of(package):
    return sorted((ROOT / package).rglob("*.py"))


FILES = [file for package in LAYERS for file in files_of(package)]
GENERAL = [file for file in FILES if GAMES not in file.parents]
NAMELESS = [file for file in GENERAL if file.relative_to(ROOT).parts[0] != "experiments"]
ids = {"ids": lambda file: str(file.relative_to(ROOT))}
every_file = pytest.mark.parametrize("file", FILES, **ids)
every_general_file = pytest.mark.parametrize("file", GENERAL, **ids)


KERNEL = ("jit", "jit.jit", "inlined", "jit.inlined")  # the decorators, or in their module


@cache
def tree_of(file):
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def module_name(file):
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(file):
    """Pairs of line and full name of all that is imported, also inside functions."""
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: an import without the full name"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def dotted(node):
    """``a.b.c`` as text, or nothing where it is not that simple."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (front := dotted(node.value)):
        return f"{front}.{node.attr}"
    return None


def functions_of(tree):
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def is_kernel(function):
    return any(dotted(decorator) in KERNEL for decorator in function.decorator_list)


# Layers -------------------------------------------------------------------------------------------


def test_the_packages_are_those_that_are_shipped():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = settings["tool"]["setuptools"]["packages"]
    found = {module_name(file) for file in FILES if file.name == "__init__.py"}
    assert set(shipped) == found >= {*LAYERS, "sim.games"}
    assert all(name in LAYERS or name.startswith("sim.games") for name in found)


@every_file
def test_imports_point_one_way(file):
    package = file.relative_to(ROOT).parts[0]
    above = LAYERS[LAYERS.index(package) + 1 :]
    wrong = [
        (line, name)
        for line, name in imports_of(file)
        if name.partition(".")[0] in (*above, "tests", "notebooks")
    ]
    assert not wrong


def test_no_module_imports_itself_through_others():
    """Also not inside functions, where Python would not mind."""
    names = {module_name(file): file for file in FILES}

    def needs(name):
        for _, imported in imports_of(names[name]):
            front = imported.rpartition(".")[0]
            target = imported if imported in names else front
            package = names.get(target)
            # A package hands on what its modules define; it is no module of its own here.
            if package is not None and package.name != "__init__.py":
                yield target

    done, under_way = set(), []

    def visit(name):
        assert name not in under_way, " -> ".join([*under_way, name])
        if name not in done:
            under_way.append(name)
            for other in needs(name):
                visit(other)
            under_way.pop()
            done.add(name)

    for name in names:
        visit(name)


@pytest.mark.parametrize("file", NAMELESS, **ids)
def test_general_code_names_no_game(file):
    names = set(SHIPPED)
    assert names >= {"connect_four", "treelings"}
    wrong = [
        (line, name)
        for line, name in imports_of(file)
        if name.startswith("sim.games.") or name.rpartition(".")[2] in names
    ]
    assert not wrong
    prose = {id(node) for node in docstrings_of(tree_of(file))}
    words = re.compile(rf"\b({'|'.join(names)})\b", re.IGNORECASE)
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Name | ast.Attribute):
            assert not words.search(node.id if isinstance(node, ast.Name) else node.attr)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            assert not words.search(node.value), node.lineno


def docstrings_of(tree):
    """The nodes of all docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


@pytest.mark.parametrize("file", sorted(GAMES.rglob("*.py")), **ids)
def test_a_game_knows_no_other_game(file):
    own = f"sim.games.{file.relative_to(GAMES).parts[0]}"  # of a game of several files
    assert not [
        name
        for _, name in imports_of(file)
        if name.startswith(("sim.games", "sim.game.")) and not name.startswith(own)
    ]


@every_file
def test_no_file_is_a_drawer_for_odds_and_ends(file):
    assert not {"util", "utils", "helper", "helpers", "common", "base", "misc", "tools"} & {
        part.removesuffix(".py") for part in file.relative_to(ROOT).parts
    }


# Chance -------------------------------------------------------------------------------------------

# Where numpy's generators are made, and from what: a stream that was handed over or a fixed seed,
# or, in `Game.view` alone, the operating system, when the caller hands over none.
GENERATORS = {
    ("sim/game.py", "view"): {"np.random.SFC64"},
    ("agents/stepwise.py", "__init__"): {"np.random.SFC64", "np.random.Generator"},
    ("agents/hosting.py", "_serve"): {"np.random.SFC64", "np.random.Generator"},
    ("experiments/meetings.py", "equilibrium"): {"np.random.SFC64", "np.random.Generator"},
    ("experiments/bench.py", "_search_rates"): {"np.random.SFC64"},
    ("experiments/bench.py", "_slow_rate"): {"np.random.SFC64"},
    ("experiments/peers.py", "_search_figures"): {"np.random.SFC64"},
    ("experiments/peers.py", "_openspiel_figures"): {"np.random.SFC64", "np.random.Generator"},
    ("experiments/peers.py", "play_openings"): {"np.random.SFC64", "np.random.Generator"},
}
UNSEEDED = {("sim/game.py", "view")}


@every_file
def test_no_chance_but_from_a_stream_that_was_handed_over(file):
    tree = tree_of(file)
    for line, name in imports_of(file):
        assert name.partition(".")[0] not in ("random", "secrets", "uuid"), line
        assert not name.startswith("numpy.random"), line
        assert name not in ("os.urandom", "os.getrandom"), line
    used = set()
    for function in functions_of(tree):
        place = (file.relative_to(ROOT).as_posix(), function.name)
        for node in ast.walk(function):
            name = dotted(node) if isinstance(node, ast.Attribute) else None
            if name and re.match(r"(np|numpy)\.random\.", name) and name.count(".") == 2:
                assert name in GENERATORS.get(place, ()), f"line {node.lineno}: {name}"
                used.add(id(node))
            if isinstance(node, ast.Call) and dotted(node.func) in GENERATORS.get(place, ()):
                assert node.args or place in UNSEEDED, f"line {node.lineno}: seeded from nothing"
    outside = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and re.match(r"(np|numpy)\.random\.\w+$|os\.(urandom|getrandom)$", dotted(node) or "")
        and id(node) not in used
    ]
    assert not outside


# Kernels ------------------------------------------------------------------------------------------

# What a file may take from numba beside `sim.jit.jit`: the choice of the rules at compile time,
# and the clock of the C library.
NUMBA = {
    "sim/jit.py": {"numba", "numba.config", "numba.core.caching"},
    "sim/protocol.py": {"numba.types", "numba.extending.overload", "numba.np.numpy_support"},
    "agents/clock.py": {"numba.types", "numba.extending.overload"},
}


@every_file
def test_kernels_are_made_by_the_decorators_of_one_module_without_options(file):
    allowed = NUMBA.get(file.relative_to(ROOT).as_posix(), set())
    imported = {name for _, name in imports_of(file)}
    taken = {name for name in imported if name.partition(".")[0] == "numba"}
    assert taken <= allowed
    for function in functions_of(tree_of(file)):
        for decorator in function.decorator_list:
            called = isinstance(decorator, ast.Call)
            name = dotted(decorator.func if called else decorator) or ""
            last = name.rpartition(".")[2]
            assert last not in ("njit", "vectorize", "guvectorize", "jitclass", "stencil", "cfunc")
            if last in ("jit", "inlined"):
                assert name in KERNEL and not called, f"line {function.lineno}"
                assert (f"sim.jit.{last}" if name == last else "sim.jit") in imported


def test_kernels_above_the_agents_need_only_files_whose_edits_are_noticed():
    """The cache watches sim and agents; a kernel elsewhere only its own file."""
    for file in files_of("experiments"):
        neighbours = {
            name.rpartition(".")[2]
            for _, name in imports_of(file)
            if name.partition(".")[0] == "experiments"
        }
        for function in functions_of(tree_of(file)):
            if is_kernel(function):
                names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
                assert not names & neighbours, f"{file.name}: {function.name}"


@every_file
def test_kernels_stand_at_the_top_level_of_their_file(file):
    """A closure would never be found again on disk."""
    top = set(map(id, tree_of(file).body))
    inner = [f.name for f in functions_of(tree_of(file)) if is_kernel(f) and id(f) not in top]
    assert not inner


# Docstrings ---------------------------------------------------------------------------------------


def general_functions(tree):
    """Python functions that compiled code calls too, by an `overload` of the same file."""
    for function in functions_of(tree):
        for decorator in function.decorator_list:
            if isinstance(decorator, ast.Call) and dotted(decorator.func) == "overload":
                yield decorator.args[0].id


def is_command(function):
    """A command of the command line, which says of each argument what it is where it stands."""
    return any(
        isinstance(decorator, ast.Call) and (dotted(decorator.func) or "").endswith(".command")
        for decorator in function.decorator_list
    )


def public_definitions(file):
    """Pairs of full name and node: functions, classes and methods that anybody may use."""
    for node in tree_of(file).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                        yield f"{node.name}.{inner.name}", inner


@every_file
def test_whatever_is_public_says_what_it_is(file):
    assert ast.get_docstring(tree_of(file))
    assert not [n for n, node in public_definitions(file) if not ast.get_docstring(node)]


@every_general_file
def test_every_argument_of_a_public_function_is_explained(file):
    """In a section "Parameters", or, in a docstring of a line or two, by its name in backticks.

    Kernels have short docstrings; their arguments are the same everywhere.
    """
    short = set(general_functions(tree_of(file)))
    missing = []
    for name, node in public_definitions(file):
        if isinstance(node, ast.ClassDef) or is_kernel(node) or is_command(node) or name in short:
            continue
        a = node.args
        arguments = [x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
        arguments += [x.arg for x in (a.vararg, a.kwarg) if x]
        text = ast.get_docstring(node) or ""
        section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", text, re.M | re.S)
        explained = (
            set(re.findall(r"\w+", " ".join(re.findall(r"^\S.*", section[1], re.M))))
            if (section)
            else set(re.findall(r"`+(\w+)", text))
        )
        if "parameters are those of" in " ".join(text.split()):
            continue
        missing += [
            f"{name}({argument})"
            for argument in arguments
            if argument not in ("self", "cls") and argument not in explained
        ]
    assert not missing


@every_file
def test_the_examples_in_the_docstrings_run(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(module_name(file))
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
    assert not list(tmp_path.iterdir())


def test_there_are_examples_to_run():
    finder = doctest.DocTestFinder(exclude_empty=True)
    for package in LAYERS:
        modules = [importlib.import_module(module_name(file)) for file in files_of(package)]
        assert sum(len(test.examples) for m in modules for test in finder.find(m)) >= 2, package


# Games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_the_table_of_actions_in_the_docstring_covers_every_action_once(name):
    definition = find_definition(name)
    section = re.search(r"^Actions\n-+\n(.*?)(?:\n\n|\Z)", definition.doc, re.M | re.S)
    rows = re.findall(r"^(?:\S.*?\s\s+)?(\d+)(?: - (\d+))?\s\s+\S", section[1], re.M)
    blocks = [range(int(first), int(last or first) + 1) for first, last in rows]
    assert [action for block in blocks for action in block] == list(range(definition.num_actions))


@pytest.mark.parametrize("name", SHIPPED)
def test_the_named_blocks_of_actions_lie_in_range_and_ascend(name):
    """Named blocks are the constants between the headings of actions and of set-up."""
    files = [GAMES / f"{name}.py", *sorted((GAMES / name).glob("*.py"))]
    texts = {f: f.read_text(encoding="utf-8").splitlines() for f in files if f.exists()}
    file, heading = next(
        (f, i)
        for f, lines in texts.items()
        for i, line in enumerate(lines)
        if re.match(r"# Actions\b.*---", line)
    )
    lines = texts[file]
    module = importlib.import_module(module_name(file))
    num_actions = find_definition(name).num_actions
    assert num_actions == module.NUM_ACTIONS
    names = []
    for line in lines[heading + 1 :]:
        if re.match(r"# .*---", line):
            break
        if found := re.match(r"([A-Z][A-Z_0-9]*) = ", line):
            names.append(found[1])
    starts = [getattr(module, each) for each in names]
    assert names[-1] == "NUM_ACTIONS"
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert starts[-1] == num_actions
