"""From a built wheel in an environment of its own, kibitz works as from the clone."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOT_OF_THE_PROJECT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", "*.egg-info", "build", "dist", "results", ".*_cache"
)


def call(*command, cwd, **environment):
    """Run a command that must succeed; what it printed."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "KIBITZ_", "PYTHON", "XDG_", "COLUMNS"))
    }
    result = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=kept | {name: str(value) for name, value in environment.items()},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel built from a copy of the project, with nothing left over from other builds."""
    folder = tmp_path_factory.mktemp("build")
    source = Path(shutil.copytree(ROOT, folder / "source", ignore=NOT_OF_THE_PROJECT))
    call(sys.executable, "-m", "build", "--wheel", "--outdir", folder / "dist", source, cwd=folder)
    (wheel,) = (folder / "dist").iterdir()
    return wheel


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment with the wheel; everything else comes from the environment of the tests.

    That one is reached as a plain folder (a line in a .pth file), whose own .pth files are not
    read: an editable kibitz there stays out of it.
    """
    folder = tmp_path_factory.mktemp("installed")
    call(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    site = Path(
        call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)[
            :-1
        ]
    )
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    call(*pip, "install", "--quiet", "--no-deps", "--no-index", "--no-compile", wheel, cwd=folder)
    paths = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    (site / "others.pth").write_text("".join(f"{path}\n" for path in paths))
    home = folder / "home"
    home.mkdir()
    return {"venv": folder / "venv", "site": site, "home": home}


def at_home(installed, *command, **environment):
    """Run a command of the environment as somebody with a home of his own would."""
    home = installed["home"]
    return call(
        installed["venv"] / "bin" / command[0],
        *command[1:],
        cwd=home,
        HOME=home,
        XDG_CACHE_HOME=home / "caches",
        PYTHONDONTWRITEBYTECODE="1",
        COLUMNS="120",
        **environment,
    )


def files_below(folder):
    return {
        file: (file.stat().st_size, file.stat().st_mtime_ns)
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_the_wheel_holds_the_packages_and_their_tables_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {
        file.relative_to(ROOT).as_posix()
        for package in ("sim", "agents", "experiments")
        for pattern in ("*.py", "*.csv")
        for file in (ROOT / package).rglob(pattern)
    }
    assert names == expected
    folders = {name.rpartition("/")[0] for name in names}
    games = {folder for folder in folders if folder.startswith("sim/games/")}
    assert folders - games == {"sim", "sim/games", "agents", "experiments"}
    assert any(name.endswith(".csv") for name in names)


def test_the_wheel_says_what_it_is_and_needs(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        about = message_from_string(archive.read(name).decode())
        (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/entry_points.txt")]
        commands = archive.read(name).decode()
        licences = [n for n in archive.namelist() if "/licenses/" in n]
    assert about["Name"] == "kibitz"
    assert about["Requires-Python"] == ">=3.11"
    assert about["License-Expression"] == "MIT"
    assert set(about.get_all("Provides-Extra")) == {
        "bench",
        "cluster",
        "notebooks",
        "test",
        "tune",
    }
    assert len(licences) == 1
    assert "kibitz = experiments.cli:main" in commands
    needs = [need for need in about.get_all("Requires-Dist") if "extra ==" not in need]
    assert all(">=" in need for need in needs), "bounded from below by what is tested"
    core = {re.match(r"[\w-]+", need)[0] for need in needs}
    issue = "numpy numba pandas joblib matplotlib scipy pyarrow typer rich platformdirs"
    assert core >= set(issue.split())


def test_every_package_that_is_imported_is_a_dependency():
    """Found in a fresh environment by chance only, when another package brings it along."""
    import ast

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {need.partition(">=")[0] for need in settings["dependencies"]}
    extras = settings["optional-dependencies"]
    optional = {
        need.partition(">=")[0] for extra in ("tune", "bench", "cluster") for need in extras[extra]
    }
    optional = {{"open_spiel": "pyspiel"}.get(name, name) for name in optional}
    assert any(need.startswith("ipykernel") for need in extras["notebooks"])
    optional.add("IPython")  # comes with ipykernel
    imported = set()
    for package in ("sim", "agents", "experiments"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    imported |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    imported.add(node.module.partition(".")[0])
    ours = {"sim", "agents", "experiments"}
    outside = imported - set(sys.stdlib_module_names) - ours
    # Pgx is measured by a program of its own, which stands as text in experiments/peers.py.
    assert optional - {"pgx"} <= outside
    outside -= optional
    assert outside <= declared
    # pandas reads and writes Parquet by pyarrow without our importing it.
    assert declared - outside <= {"pyarrow"}


def test_the_tests_have_all_that_the_other_extras_of_the_packages_need():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = settings["optional-dependencies"]
    assert set(extras["tune"]) <= set(extras["test"])


def test_kibitz_comes_from_the_wheel(installed):
    code = """
import json
from importlib import metadata
import agents, experiments, sim
print(json.dumps([sim.__file__, agents.__file__, experiments.__file__,
                  str(metadata.distribution("kibitz").locate_file(""))]))
"""
    places = json.loads(at_home(installed, "python", "-c", code))
    assert all(place.startswith(str(installed["site"])) for place in places)


def test_the_commands_work_and_nothing_is_written_beside_the_packages(installed):
    before = files_below(installed["venv"])
    listing = at_home(installed, "kibitz", "games")
    assert "treelings" in listing and "connect_four" in listing
    words = "tournament connect_four random greedy --matches 10 --seed 1 --jobs 2 --out run"
    printed = at_home(installed, "kibitz", *words.split())
    assert "greedy" in printed
    home = installed["home"]
    assert (home / "run" / "results.parquet").exists()
    assert json.loads((home / "run" / "manifest.json").read_text())["matches"] == 10
    assert files_below(installed["venv"]) == before
    compiled = [file for file in home.rglob("*.nbc")]
    assert compiled
    assert all(file.is_relative_to(home / "caches" / "kibitz") for file in compiled)
    assert not list(Path(home).rglob("__pycache__"))


def test_the_tables_of_components_are_there(installed):
    code = """
import json
import sim
frame = sim.load("treelings", players=3).components["guilds"]
print(json.dumps([len(frame), int(frame["count"].sum()) if "count" in frame else None]))
"""
    kinds, cards = json.loads(at_home(installed, "python", "-c", code, NUMBA_DISABLE_JIT=1))
    assert kinds == 6
    assert cards in (None, 6 * 18)
