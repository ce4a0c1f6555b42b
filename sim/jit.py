"""The decorators of the compiled code, `jit` and `inlined`, and where compiled code is kept.

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


def _digest_of(files, root):
    """Sixteen hexadecimal digits; another name, place below `root` or content gives others."""
    digest = hashlib.sha256()
    for file in sorted(files):
        if file.is_file():  # editors leave dangling links, as .#jit.py
            digest.update(file.relative_to(root).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _digest_of_packages():
    files = [f for name in _COMPILED_PACKAGES for f in (_PACKAGE_ROOT / name).rglob("*.py")]
    return _digest_of(files, _PACKAGE_ROOT)


@functools.cache
def digest_at_start():
    """Digest of all sources of `sim` and `agents`, as they were when this process first asked.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    return _digest_of_packages()


def _digest_of_folder(folder):
    if not (folder / "__init__.py").exists():
        return _digest_of(folder.glob("*.py"), folder)
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return _digest_of(folder.rglob("*.py"), folder)


def digest_beside(file):
    """Digest of all sources that a file outside this package may be made of.

    Parameters
    ----------
    file : str or Path
        Of a package all of its sources count, of a lone file those in the same folder.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    return _digest_of_folder(Path(file).resolve().parent)


_digest_of_folder_at_start = functools.cache(_digest_of_folder)


@functools.cache
def cache_directory():
    """Return the directory of this version's compiled code; made when missing, old ones cleared.

    Returns
    -------
    Path
    """
    settings = (numba.__version__, bool(config.BOUNDSCHECK), config.OPT, config.DEBUGINFO_DEFAULT)
    sources = digest_at_start()
    digest = hashlib.sha256(repr((sources, settings)).encode()).hexdigest()[:16]
    for parent in _candidate_parents():
        directory = parent / (_DIRECTORY_PREFIX + digest)
        try:
            parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if parent.stat().st_uid != os.getuid():
                continue
            directory.mkdir(exist_ok=True)
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
        yield Path(named).expanduser().absolute()
    yield platformdirs.user_cache_path("kibitz")
    yield Path(tempfile.gettempdir()) / f"kibitz-{os.getuid()}"


def _clear_old(parent):
    """Keep the directories used last; two installations side by side do not clear each other."""
    directories = [
        path for path in parent.glob(_DIRECTORY_PREFIX + "[0-9a-f]" * 16) if path.is_dir()
    ]
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
        Of the sources that its rules are made of; see `digest_beside`.
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

    def get_source_stamp(self):
        """Of a file outside the packages all that lies beside it, which it may be made of."""
        folder = Path(self._py_file).resolve().parent
        if any(_PACKAGE_ROOT / name in (folder, *folder.parents) for name in _COMPILED_PACKAGES):
            return super().get_source_stamp()
        return _digest_of_folder_at_start(folder)


class _Files(caching.IndexDataCacheFile):
    """Files that are checked before they are unpickled; code is named after its content.

    So no index can lead to other code than it was written for, whatever was interrupted. The
    checksum guards against damage; who can write the user's cache directory is trusted.
    """

    def save(self, key, data):
        try:
            overloads = self._load_index()
        except ValueError:
            overloads = {}
        content = self._dump(data)
        name = f"{self._index_name[:-4]}.{hashlib.sha256(content).hexdigest()}.nbc"
        with self._open_for_write(self._data_path(name)) as file:
            file.write(content)
        overloads[key] = name
        self._save_index(overloads)

    def _load_data(self, name):
        content = Path(self._data_path(name)).read_bytes()
        if hashlib.sha256(content).hexdigest() != name.split(".")[-2]:
            raise ValueError(f"{name} is not as it was written")
        return pickle.loads(content)

    def _load_index(self):
        try:
            content = Path(self._index_path).read_bytes()
        except FileNotFoundError:
            return {}
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            raise ValueError(f"{self._index_name} is not as it was written")
        stamp, overloads = pickle.loads(content[32:])
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads):
        content = self._dump((self._source_stamp, overloads))
        with self._open_for_write(self._index_path) as file:
            file.write(hashlib.sha256(content).digest() + content)


class _CacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]


class _Cache(caching.FunctionCache):
    """numba's cache of one function, made safe for several processes and interrupted writes."""

    _impl_class = _CacheImpl

    def __init__(self, function):
        super().__init__(function)
        self._cache_file = _Files(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def _index_key(self, signature, codegen):
        watched = tuple(_digest_of_type(argument) for argument in signature)
        return (*super()._index_key(signature, codegen), watched)

    def load_overload(self, signature, target_context):
        """A damaged file counts as none: it is compiled and written again."""
        try:
            return super().load_overload(signature, target_context)
        except ValueError as error:
            warnings.warn(f"compiled code is damaged, compiling again: {error}", stacklevel=2)
            return None

    def save_overload(self, signature, data):
        """One writer at a time: two first compilations could mix up their numbered files.

        The code runs without having been kept, so a full disk is a warning, not an error.
        """
        if _digest_of_packages() != digest_at_start():
            return  # edited since: nobody knows which of the two this is
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

    Parameters
    ----------
    function : callable

    Returns
    -------
    callable
        The compiled kernel; with ``NUMBA_DISABLE_JIT=1`` the function as it is, which then runs
        as plain Python.
    """
    return _compiled(function, "never")


def inlined(function):
    """Compile a kernel into its callers, as if its lines stood there.

    Each kernel that is compiled by itself is optimised together with everything that it calls.
    For a thin one, which does little but call a whole game, that is most of the work and no gain:
    with the kernels of a match and of a search written into one, the first match of Pillars is
    ready in 30 s, not 37. Called from Python, it is compiled like any other.

    Parameters
    ----------
    function : callable
        Called from one place, or so short that it may stand in several.

    Returns
    -------
    callable
        See `jit`.
    """
    return _compiled(function, "always")


def _widened(argument):
    """The type of an argument between kernels: all whole numbers are passed on as int64.

    A count of int8 in a record, one of int16 and a constant would each compile a kernel once
    more, with all that it calls: the first match of Newdale took 65 s to compile, not 47.
    """
    argument = numba.types.unliteral(argument)
    is_narrow = isinstance(argument, numba.types.Integer) and argument.bitwidth <= 32
    return numba.types.int64 if is_narrow else argument


def _compiled(function, inline):
    if config.DISABLE_JIT:
        return function
    dispatcher = numba.njit(nogil=True, error_model="numpy", inline=inline)(function)
    by_exact_types = dispatcher.get_call_template
    dispatcher.get_call_template = lambda arguments, keywords: by_exact_types(
        tuple(map(_widened, arguments)), {key: _widened(t) for key, t in keywords.items()}
    )
    if os.path.exists(function.__code__.co_filename):  # not so when typed at a prompt
        dispatcher._cache = _Cache(function)
    return dispatcher
