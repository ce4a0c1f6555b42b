"""The one decorator of the compiled code, and where compiled code is kept.

numba finds compiled code again by the source file of the function itself. That is not enough
here: an edit to a helper or constant in *another* file would run the old inlined code without a
word (numba issues 1833 and 8396). The cache directory is therefore named after a digest of every
source that compiled code can come from, and of the settings that change the code. Games that live
outside this package add the digest of their own sources to the key of each compiled function
(see `watch_sources`).

The directory is ``$KIBITZ_CACHE_DIR``, or the user's cache directory, or, where neither can be
written, a private directory below the system's temporary one. The installed package itself may be
read-only.
"""

import contextlib
import functools
import hashlib
import os
import pickle
import shutil
import tempfile
import warnings
from pathlib import Path

import numba
import platformdirs
from filelock import FileLock
from numba import config
from numba.core import caching

_PACKAGE_ROOT = Path(__file__).resolve().parent.parent
_COMPILED_PACKAGES = ("sim", "agents")
_DIRECTORY_PREFIX = "code-"
_MAX_DIRECTORIES = 6


def digest_of(folders):
    """Digest of all Python sources below some folders.

    Parameters
    ----------
    folders : iterable of Path

    Returns
    -------
    str
        Sixteen hexadecimal digits; another file name, place or content gives another digest.
    """
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.relative_to(folder.parent).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_directory():
    """Return the directory of this version's compiled code; made when missing, old ones cleared.

    Returns
    -------
    Path
    """
    settings = (numba.__version__, bool(config.BOUNDSCHECK), config.OPT, config.DEBUGINFO_DEFAULT)
    sources = digest_of(_PACKAGE_ROOT / name for name in _COMPILED_PACKAGES)
    digest = hashlib.sha256(repr((sources, settings)).encode()).hexdigest()[:16]
    for parent in _candidate_parents():
        directory = parent / (_DIRECTORY_PREFIX + digest)
        try:
            directory.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=directory).close()
            os.utime(directory)
        except OSError:
            continue
        _clear_old(parent)
        return directory
    raise OSError("no place to keep compiled code; set KIBITZ_CACHE_DIR to a writable directory")


def _candidate_parents():
    """Where compiled code may be kept, the best place first."""
    if named := os.environ.get("KIBITZ_CACHE_DIR"):
        yield Path(named)
    yield platformdirs.user_cache_path("kibitz")
    yield Path(tempfile.gettempdir()) / f"kibitz-{platformdirs.user_cache_path().parent.name}"


def _clear_old(parent):
    """Keep the directories used last; two installations side by side do not clear each other."""
    directories = [path for path in parent.glob(_DIRECTORY_PREFIX + "*") if path.is_dir()]
    with contextlib.suppress(FileNotFoundError):  # another process may be clearing too
        directories.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for directory in directories[_MAX_DIRECTORIES:]:
            shutil.rmtree(directory, ignore_errors=True)


_watched_sources = {}


def watch_sources(record_type, digest):
    """Let compiled code that takes `record_type` be found again only for this digest of sources.

    Parameters
    ----------
    record_type : numba.types.Record
        The state of a game whose rules live outside this package.
    digest : str
        Of the sources that its rules are made of; see `digest_of`.
    """
    _watched_sources[record_type] = digest


class _Locator(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):
    """Puts the compiled code of one source file below `cache_directory`."""

    def __init__(self, function, file):
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._path = str(cache_directory() / self.get_suitable_cache_subpath(file))

    def get_cache_path(self):
        return self._path


class _CacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]


class _Cache(caching.FunctionCache):
    """numba's cache of one function, made safe for several processes and interrupted writes."""

    _impl_class = _CacheImpl

    def _index_key(self, signature, codegen):
        watched = tuple(_digest_of_type(argument) for argument in signature)
        return (*super()._index_key(signature, codegen), watched)

    def load_overload(self, signature, target_context):
        """A damaged file counts as none: it is compiled and written again."""
        try:
            return super().load_overload(signature, target_context)
        except (EOFError, pickle.UnpicklingError, ValueError, KeyError, IndexError) as error:
            warnings.warn(f"compiled code is damaged, compiling again: {error}", stacklevel=2)
            self._cache_file.flush()
            return None

    def save_overload(self, signature, data):
        """One writer at a time: two first compilations could mix up their numbered files.

        The code runs without having been kept, so a full disk is a warning, not an error.
        """
        try:
            with FileLock(Path(self._cache_path) / "writer.lock"):
                super().save_overload(signature, data)
        except OSError as error:
            warnings.warn(f"compiled code could not be kept: {error}", stacklevel=2)


def _digest_of_type(argument):
    """Digest of the game whose state a compiled function takes, alone or in an array."""
    return _watched_sources.get(getattr(argument, "dtype", None)) or _watched_sources.get(argument)


def jit(function):
    """Compile a kernel: no Python objects, no interpreter lock, kept on disk.

    With ``NUMBA_DISABLE_JIT=1`` the function is returned as it is and runs as plain Python.
    """
    if config.DISABLE_JIT:
        return function
    dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    dispatcher._cache = _Cache(function)
    return dispatcher
