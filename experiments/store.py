"""A run is a folder: a manifest, and the table of results.

While a tournament is played every finished piece of it lands as a Parquet file of its own in
``parts``, written aside and then renamed, so that each is whole or absent; its name ends with the
digest of its bytes. When all are there they become ``results.parquet``. A run that was interrupted
goes on where it stopped when it is started again.
"""

import hashlib
import io
import itertools
import json
import os
import platform
import shutil
import threading
import warnings
from importlib import metadata
from pathlib import Path

import pandas as pd
import pyarrow as pa
from filelock import FileLock, Timeout

MANIFEST = "manifest.json"
RESULTS = "results.parquet"
_PARTS = "parts"
_LOCK = ".lock"
_IDENTITY = (
    "game",
    "rule_sets",
    "code",
    "agents",
    "line_ups",
    "blocks",
    "seed",
    "until",
    "precision",
    "indifference",
    "limits",
)
_PACKAGES = ("kibitz", "numpy", "numba", "pandas", "joblib", "pyarrow")


def versions():
    """Return the versions that results may depend on.

    Returns
    -------
    dict of str to str
    """
    return {"python": platform.python_version()} | {
        name: metadata.version(name) for name in _PACKAGES
    }


def machine():
    """Return what the results were computed on.

    Returns
    -------
    dict
        System, processor and number of cores.
    """
    return {"system": platform.platform(), "processor": _processor(), "cores": os.cpu_count()}


def _processor():
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


class Folder:
    """A folder that holds one thing that is played, and no other.

    Parameters
    ----------
    folder : str or Path
        Made when missing.
    manifest : dict
        Of what is to be played here.

    Attributes
    ----------
    what : str
        What it holds, in a word.
    identity : tuple of str
        Entries of the manifest that must be the same for it to go on.

    Raises
    ------
    ValueError
        When the folder holds another one, or something else.
    """

    what = "run"
    identity = ()

    def __init__(self, folder, manifest):
        self.folder = Path(folder)
        self._lock = FileLock(self.folder / _LOCK)
        if self.folder.exists() and not self.folder.is_dir():
            raise ValueError(f"{folder} is a file; a folder is needed for the results")
        if (self.folder / MANIFEST).exists():
            _refuse_another(self.folder, manifest, type(self))
        elif self.folder.exists() and any(map(_is_foreign, self.folder.iterdir())):
            raise ValueError(f"{folder} holds other files and no {self.what}; name another folder")
        else:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ValueError(f"the folder {folder} cannot be made: {error}") from error
            self.write(
                MANIFEST,
                lambda file: file.write_text(json.dumps(manifest, indent=1) + "\n", "utf-8"),
            )

    def __enter__(self):
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ValueError(
                f"another process is playing the {self.what} in {self.folder}; wait, or name "
                "another folder"
            ) from None
        return self

    def __exit__(self, *error):
        self._lock.release()
        (self.folder / _LOCK).unlink(missing_ok=True)

    def write(self, name, write):
        """Write a file of the folder: it is whole or absent, whenever the process ends.

        Parameters
        ----------
        name : str
        write : callable
            ``(path)``, writes it to that path.
        """
        _write_aside(self.folder / name, write)


class Run(Folder):
    """A folder that holds one tournament and no other; the parameters are those of `Folder`."""

    what = "tournament"
    identity = _IDENTITY

    @property
    def is_finished(self):
        """Whether the whole table is there."""
        return (self.folder / RESULTS).exists()

    def add_part(self, frame):
        """Keep the rows of some blocks.

        Parameters
        ----------
        frame : pd.DataFrame
        """
        content = io.BytesIO()
        frame.to_parquet(content, index=False)
        content = content.getvalue()
        blocks = f"{frame.block.iloc[0]:08d}-{frame.block.iloc[-1]:08d}"
        name = f"part-{blocks}-{_digest(content)}.parquet"
        (self.folder / _PARTS).mkdir(exist_ok=True)
        _write_aside(self.folder / _PARTS / name, lambda file: file.write_bytes(content))

    def parts(self, is_right):
        """Return the parts that are there; one that is damaged or foreign is said and removed.

        Parameters
        ----------
        is_right : callable
            ``(frame) -> bool``, whether a table belongs to the tournament.

        Returns
        -------
        list of pd.DataFrame
            No block stands in two of them.
        """
        found, blocks = [], set()
        for file in sorted((self.folder / _PARTS).glob("part-*.parquet")):
            content = file.read_bytes()
            is_sound = file.stem.endswith(_digest(content))
            frame = _read_table(io.BytesIO(content)) if is_sound else None
            if frame is None or not is_right(frame) or blocks & set(frame.block):
                warnings.warn(f"{file} is damaged, its blocks are played again", stacklevel=2)
                file.unlink()
                continue
            found.append(frame)
            blocks |= set(frame.block)
        return found

    def finish(self, frame):
        """Write the whole table and drop the parts.

        Parameters
        ----------
        frame : pd.DataFrame
        """
        _write_aside(
            self.folder / RESULTS,
            lambda file: frame.to_parquet(file, index=False, write_page_checksum=True),
        )
        shutil.rmtree(self.folder / _PARTS, ignore_errors=True)

    def results(self, is_right):
        """Return the whole table.

        Parameters
        ----------
        is_right : callable
            ``(frame) -> bool``, whether a table is the whole one of the tournament.

        Returns
        -------
        pd.DataFrame

        Raises
        ------
        ValueError
            When the file is damaged or holds something else.
        """
        frame = _read_table(self.folder / RESULTS)
        if frame is None or not is_right(frame):
            raise ValueError(
                f"{self.folder / RESULTS} does not hold the results of its manifest; "
                "remove it, or name another folder"
            )
        return frame


def free_folder(parent, name, manifest, kind=Run):
    """Return the first folder of that name, numbered if need be, that is free or its own.

    Parameters
    ----------
    parent : str or Path
    name : str
    manifest : dict
        Of what looks for a place.
    kind : type, default: Run
        The `Folder` that it will be.

    Returns
    -------
    Path
    """
    for number in itertools.count(1):
        folder = Path(parent) / (name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            return folder
        try:
            _refuse_another(folder, manifest, kind)
        except ValueError:
            continue
        return folder


def read_manifest(folder, kind=Run):
    """Read what was played in a folder.

    Parameters
    ----------
    folder : str or Path
    kind : type, default: Run
        The `Folder` that it must be.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        When the folder holds none.
    """
    try:
        manifest = json.loads((Path(folder) / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # neither JSON nor UTF-8
        raise ValueError(f"{folder} holds no {kind.what}: {error}") from error
    if not isinstance(manifest, dict) or any(key not in manifest for key in kind.identity):
        raise ValueError(f"{folder} holds no {kind.what}: {MANIFEST} lacks what it must say")
    return manifest


def load_results(folder):
    """Read the results of a finished run.

    Parameters
    ----------
    folder : str or Path

    Returns
    -------
    pd.DataFrame
        As `experiments.tournament` returns it.

    Raises
    ------
    ValueError
        When there is no tournament, or one that has not been finished.
    """
    read_manifest(folder)
    file = Path(folder) / RESULTS
    if not file.exists():
        raise ValueError(f"the tournament in {folder} is not finished; start it again to go on")
    frame = _read_table(file)
    if frame is None:
        raise ValueError(f"{file} is damaged")
    return frame


def _digest(content):
    """What a part is called by, so that a byte that is missing or another one is noticed."""
    return hashlib.sha256(content).hexdigest()[:16]


def _read_table(file):
    """The table of a Parquet file, or None when it cannot be read or is damaged."""
    try:
        return pd.read_parquet(file, page_checksum_verification=True)
    except (OSError, ValueError, pa.ArrowException):
        return None


def _is_foreign(file):
    """Whether a file is not what a run that was killed at its very start leaves behind."""
    return file.name != _LOCK and not file.name.startswith(f".{MANIFEST}.")


def _refuse_another(folder, manifest, kind):
    kept = read_manifest(folder, kind)
    wanted = json.loads(json.dumps(manifest))
    different = [key for key in kind.identity if kept[key] != wanted[key]]
    if different:
        place, there, here = _first_difference(kept[different[0]], wanted[different[0]])
        name = " ".join(map(str, (different[0], *place)))
        raise ValueError(
            f"{folder} holds the results of another {kind.what} "
            f"(different: {', '.join(different)}; {name} there {_short(there)}, "
            f"here {_short(here)}); name another folder"
        )


def _first_difference(there, here):
    """Where two values of a manifest begin to differ: the way to it, and both."""
    if isinstance(there, dict) and isinstance(here, dict) and there.keys() == here.keys():
        pairs = [(key, there[key], here[key]) for key in there]
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        pairs = [(i + 1, *pair) for i, pair in enumerate(zip(there, here, strict=True))]
    else:
        return (), there, here
    key, one, other = next(pair for pair in pairs if pair[1] != pair[2])
    place, one, other = _first_difference(one, other)
    return (key, *place), one, other


def _short(value):
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _write_aside(file, write):
    """Write next to `file` and rename: it is whole or absent, whenever the process ends."""
    aside = file.with_name(f".{file.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        write(aside)
        os.replace(aside, file)
    finally:
        aside.unlink(missing_ok=True)
