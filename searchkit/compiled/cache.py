"""Machine code on disk: one file for each function and the types of its arguments.

Numba has such a cache too. This one belongs to searchkit alone, so that nothing is configured for the whole process; it
loads only what is as it was written, because machine code with one wrong bit may crash the process.
"""

import logging
import os
import pickle
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any
from uuid import uuid4

from attrs import frozen


def user_cache() -> Path:
    """Return searchkit's folder in the user's cache directory; it may not be there yet.

    Raises `RuntimeError` where there is no home directory.
    """
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "searchkit"


logger = logging.getLogger("searchkit")
MAGIC = b"searchkit machine code 1\n"
_thread = threading.local()
_said: set[str] = set()


@frozen
class Request:
    """What another process needs to know to compile a function for some types of arguments."""

    module: str
    name: str
    """Where its module has the function, attribute by attribute; "" if importing the module compiles it."""
    types: bytes
    """The types, pickled."""
    file: Path
    """Where the machine code will be."""


class NotCompiledError(Exception):
    """Raised within `no_compiling` for a function that is not on disk yet."""

    def __init__(self, request: Request):
        super().__init__(f"{request.module}.{request.name} is not compiled yet")
        self.request = request


class no_compiling:  # noqa: N801  # read as a statement: with no_compiling()
    """Make this thread raise `NotCompiledError` instead of compiling a function, while the block runs."""

    __slots__ = ("_before",)

    def __enter__(self) -> None:
        self._before = getattr(_thread, "refuses", False)
        _thread.refuses = True

    def __exit__(self, *error: object) -> None:
        _thread.refuses = self._before


class CodeCache:
    """What is kept of one function. It stands for the cache that Numba gives to a function (`numba.core.caching`).

    Args:
        function: the function.
        folder: where the files are.
        key: what the machine code depends on besides the function's bytecode, the types and the processor.
        write, read: from what Numba compiled to bytes, and back, for a target.
        name: where its module has what compiles the function, attribute by attribute.
        by_import: whether the function is compiled when its module is imported.

    """

    def __init__(
        self,
        function: Callable[..., Any],
        folder: Path,
        key: str,
        write: Callable[[Any], bytes],
        read: Callable[[Any, Any], Any],
        pickled: Callable[[Any], bytes],
        *,
        name: str,
        by_import: bool = False,
    ):
        self.function, self.folder, self.name = function, folder, "" if by_import else name
        self.write, self.read, self.pickled = write, read, pickled
        code = function.__code__
        self.stem = f"{Path(code.co_filename).stem}.{function.__name__}-{code.co_firstlineno}"
        python = sys.implementation.cache_tag, getattr(sys, "abiflags", "")
        self.key = f"{key} {function.__qualname__} {python} {_described(code)}"

    @property
    def cache_path(self) -> str:
        """The folder, as Numba asks for it."""
        return str(self.folder)

    def enable(self) -> None:
        """Do nothing: it is always enabled."""

    disable = enable

    def flush(self) -> None:
        """Delete what is kept of the function."""
        for path in self.folder.glob(f"{self.stem}-*.nbc"):
            _delete(path)

    def load_overload(self, types: Any, target: Any) -> Any:
        """Return what was compiled for these types; None if that is to be done now.

        Raises `NotCompiledError` within `no_compiling`. What is damaged is deleted.
        """
        target.refresh()
        key = self._key(types, target.codegen())
        path = self._path(key)
        found = self._load(path, key, target)
        if found is None and getattr(_thread, "refuses", False):
            raise NotCompiledError(Request(self.function.__module__, self.name, self.pickled(types), path))
        return found

    def save_overload(self, types: Any, compiled: Any) -> None:
        """Keep what was compiled. Where it can't be kept, say so once, and do no harm."""
        key = self._key(types, compiled.codegen)
        path = self._path(key)
        content = pickle.dumps((key, self.write(compiled)))
        beside = path.with_name(f"{path.name}.{uuid4().hex[:8]}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(MAGIC + sha256(content).digest() + content)
            beside.replace(path)
        except OSError as error:
            _delete(beside)
            _say(
                f"compiled code can't be kept in {self.folder} ({error}): every process compiles what it uses"
            )

    def _key(self, types: Any, codegen: Any) -> str:
        return f"{self.key} {codegen.magic_tuple()} {types}"

    def _path(self, key: str) -> Path:
        return self.folder / f"{self.stem}-{sha256(key.encode()).hexdigest()[:20]}.nbc"

    def _load(self, path: Path, key: str, target: Any) -> Any:
        try:
            content = path.read_bytes()
        except OSError:
            return None
        begin = len(MAGIC) + sha256().digest_size
        if content[:begin] == MAGIC + sha256(content[begin:]).digest():
            try:
                written, data = pickle.loads(content[begin:])  # its digest is that of what was written
                if written == key:
                    return self.read(target, data)
            except Exception as error:  # whatever is wrong with it, it can be compiled anew
                logger.debug("%s can't be loaded: %r", path, error)
        _say(f"compiled code in {path} was damaged; it is deleted, and compiled again")
        _delete(path)
        return None


def _described(constant: object) -> str:
    """Return what a constant of a function is, the same in every process.

    The repr of a code object has its address in it, and that of a frozenset an order that depends on hashes.
    """
    if isinstance(constant, CodeType):
        bytecode = sha256(constant.co_code).hexdigest()
        return f"code({constant.co_name} {bytecode} {constant.co_names} {_described(constant.co_consts)})"
    if isinstance(constant, tuple):
        return f"({', '.join(map(_described, constant))})"
    if isinstance(constant, frozenset):
        return f"{{{', '.join(sorted(map(_described, constant)))}}}"
    return repr(constant)


def _delete(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _say(what: str) -> None:
    """Log a warning, once."""
    if what not in _said:
        _said.add(what)
        logger.warning(what)


def is_writable(folder: Path) -> bool:
    """Whether files can be written into a folder, which is made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
