"""Machine code on disk: one file for each function and the types of its arguments.

Numba has such a cache too. This one belongs to searchkit alone, so that nothing is configured for the whole process; it
knows the functions that a function calls in other files, and loads only what is as it was written, because machine code
with one wrong bit may crash the process.
"""

import logging
import os
import pickle
import sys
import threading
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from attrs import frozen

logger = logging.getLogger("searchkit")
MAGIC = b"searchkit machine code 1\n"
_said: set[str] = set()


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


def is_writable(folder: Path) -> bool:
    """Whether files can be written into a folder, which is made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


@frozen
class Request:
    """What another process needs to know to compile a function for some types of arguments."""

    module: str
    name: str
    """The function in its module; "" if importing the module compiles it."""
    types: bytes
    """The types, pickled."""
    file: Path
    """Where the machine code will be."""


class NotCompiledError(Exception):
    """Raised within `no_compiling` for a function that is not on disk yet."""

    def __init__(self, request: Request):
        super().__init__(f"{request.module}.{request.name} is not compiled yet")
        self.request = request


class _NoCompiling(threading.local):
    """Makes this thread raise `NotCompiledError` instead of compiling a function, within a `with` statement."""

    depth = 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *error: object) -> None:
        self.depth -= 1


no_compiling = _NoCompiling()


def read_code(path: Path, key: str) -> bytes | None:
    """Return the machine code in a file; None if there is no such file. What is damaged is deleted."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    begin = len(MAGIC) + sha256().digest_size
    if content[:begin] == MAGIC + sha256(content[begin:]).digest():
        written, data = pickle.loads(content[begin:])  # its digest is that of what was written
        if written == key:
            return bytes(data)
    discard_code(path)
    return None


def discard_code(path: Path) -> None:
    """Delete a file of machine code that can't be loaded, and say so."""
    _say(f"compiled code in {path} was damaged; it is deleted, and compiled again")
    with suppress(OSError):
        path.unlink()


def write_code(path: Path, key: str, data: bytes) -> None:
    """Keep machine code. Where it can't be kept, say so once, and do no harm."""
    content = pickle.dumps((key, data))
    beside = path.with_name(f"{path.name}.{uuid4().hex[:8]}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(MAGIC + sha256(content).digest() + content)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        _say(f"compiled code can't be kept in {path.parent} ({error}): every process compiles what it uses")


def _say(what: str) -> None:
    """Log a warning, once."""
    if what not in _said:
        _said.add(what)
        logger.warning(what)
