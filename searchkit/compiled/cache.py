"""Files that searchkit makes for itself: machine code, a file for each function and the types of its arguments; tables.

Numba has a cache of machine code, too. This one belongs to searchkit alone, so that nothing is configured for the whole
process; it knows the functions that a function calls in other files, and loads only what is as it was written, because
machine code with one wrong bit may crash the process.
"""

import logging
import os
import sys
import threading
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from attrs import frozen

from searchkit.basics.files import replacing

logger = logging.getLogger("searchkit")
_said: set[Path] = set()  # folders in which nothing can be kept


def user_cache(folder: str) -> Path | None:
    """Return a folder in searchkit's folder in the user's cache directory; None if there is no home directory."""
    try:
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return None
    return base / "searchkit" / folder


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


def read_checked(path: Path, title: str) -> bytes | None:
    """Return what `write_checked` has kept in a file; None if there is none. What is damaged is deleted.

    Args:
        path: the file.
        title: what the content depends on, such as a version. A file of another title is deleted, too.

    """
    try:
        head, _, rest = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    digest, content = rest[:32], rest[32:]
    if head == title.encode() and digest == sha256(content).digest():
        return content
    discard(path)
    return None


def discard(path: Path) -> None:
    """Delete a file that can't be used, and say so."""
    logger.warning("%s was damaged or of another version; it is deleted, and made again", path)
    with suppress(OSError):
        path.unlink()


def write_checked(path: Path, title: str, content: bytes) -> None:
    """Keep the content of a file for `read_checked`. Where that is not possible, say so, and do no harm.

    The file is replaced as a whole, so that several processes may write it at the same time.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.writelines([f"{title}\n".encode(), sha256(content).digest(), content])
    except OSError as error:
        if path.parent not in _said:
            _said.add(path.parent)
            logger.warning("nothing can be kept in %s (%s): every process makes it again", path.parent, error)
