"""The folder of a search on disk: a lock, a manifest, and files of packed states.

A file is written under a temporary name, and has its own name when it is complete. The manifest is written after the
files that it names are on the disk, and replaced in one step: whenever a process ends, the folder is that of a search
that stands between two buckets, and other files of the search are leftovers. Each file is created anew, never through a
link, and only in a folder that was empty or that has a manifest of a search: no file of a user is ever changed.
"""

import gc
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4
from zlib import crc32

import numpy as np
from attrs import frozen

from searchkit.basics.files import replacing, write_file
from searchkit.disk.kernels import Key
from searchkit.errors import DirectoryError

FORMAT = "searchkit search on disk 3"
MANIFEST, LOCK = "manifest.json", "search.lock"
OURS = re.compile(r"states-[\da-f]{32}\.run|(states-[\da-f]{32}\.run|manifest\.json)\.[\da-f]{12}\.new")
"""The names of files that are deleted in the folder of a search if its manifest does not name them."""
F, G, PART, COUNT, SUM = COLUMNS = range(5)
"""Columns of the index at the end of a file: f and g of a bucket, the part, the number of states, their checksum."""
SEGMENT = 1 << 18
"""The most states of a segment; a part may have several."""
UNDIVIDED = 1 << 30
"""The part of states that are not divided into parts."""
CREATE = os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


@frozen
class RunFile:
    """A file of states that is complete."""

    name: str
    bytes: int
    """The size of the states; the index follows."""
    rows: int
    checksum: int
    """Of the index, which has the checksums of the states."""


def new_name() -> str:
    """Return the name of a file of states that is not there yet."""
    return f"states-{uuid4().hex}.run"


def write_run(folder: Path, name: str, parts: Iterable[tuple[Key, int, Any]]) -> RunFile:
    """Write the states of parts of buckets to a file, in segments that can be checked one by one.

    A file of this name that is there is one of the same contents, and is replaced. Raises `DirectoryError`.
    """
    index: list[tuple[int, ...]] = []
    with _writing(folder), replacing(folder / name, sync=False) as file:
        for key, part, states in parts:
            for begin in range(0, len(states), SEGMENT):
                segment = np.ascontiguousarray(states[begin : begin + SEGMENT])
                file.write(segment.data)
                index.append((*key, part, len(segment), crc32(segment.data)))
        made = RunFile(name, file.tell(), len(index), crc32(np.array(index, np.uint64).data))
        file.write(np.array(index, np.uint64).data)
        return made


class Run:
    """Reads a file of states.

    Raises:
        DirectoryError: the file is not there, or it is not what was written.

    """

    def __init__(self, folder: Path, file: RunFile, words: int):
        self.path, self.words = folder / file.name, words
        index = self._words(file.bytes, len(COLUMNS) * file.rows, file.checksum).astype(np.int64)
        self.index = index.reshape(-1, len(COLUMNS))
        self._begins = np.concatenate([[0], np.cumsum(self.index[:, COUNT])])
        """For each segment, how many states are before it in the file."""

    def segments(self, h: int, g: range) -> list[int]:
        """Return the numbers of the segments with states of these h = f − g and g."""
        index = self.index
        chosen = (index[:, F] - index[:, G] == h) & (index[:, G] >= g.start) & (index[:, G] < g.stop)
        found: list[int] = np.flatnonzero(chosen).tolist()
        return found

    def segment(self, number: int) -> Any:
        """Return the states of a segment."""
        place, count = 8 * self.words * int(self._begins[number]), self.words * int(self.index[number, COUNT])
        found = self._words(place, count, int(self.index[number, SUM]))
        return found if self.words == 1 else found.reshape(-1, self.words)

    def _words(self, place: int, count: int, checksum: int) -> Any:
        """Return so many words from a place on."""
        try:
            found, why = np.fromfile(self.path, np.uint64, count, offset=place), "it is not what was written"
        except OSError as error:
            found, why = np.empty(0, np.uint64), error.strerror or "it can't be read"
        if len(found) != count or crc32(found.data) != checksum:
            raise DirectoryError(
                f"{self.path} is damaged: {why}; restore it from a copy, or begin again in another directory"
            )
        return found


class DiskWorkspace:
    """The folder of a search, which this process alone uses until `close`.

    Args:
        path: where it is, or is to be made; "" for a temporary folder, which `close` deletes.
        facts: what has to be the same whenever the search is resumed: name → JSON value.

    Raises:
        DirectoryError: another search uses it or made it, it has other files, its manifest is damaged, or it can't be
            written.

    """

    def __init__(self, path: str, facts: Mapping[str, Any]):
        self.facts = dict(facts)
        self._lock: int | None = None
        self.synced: set[str] = set()
        """The names of files that are on the disk, and survive a crash of the machine."""
        self._temporary: TemporaryDirectory[str] | None = None
        if not path:
            with _writing(Path("a temporary directory")):
                self._temporary = TemporaryDirectory(prefix="searchkit-", ignore_cleanup_errors=True)
        self.path = Path(self._temporary.name if self._temporary else path).absolute()
        with _writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            self.read()  # before the lock is made: the folder may be somebody else's
            self._lock = os.open(self.path / LOCK, os.O_RDWR | CREATE, 0o666)  # nothing is written to it
            if not _try_lock(self._lock):
                gc.collect()  # a search that nobody refers to any more may still hold it: it refers to itself
                if not _try_lock(self._lock):
                    self.close()
                    raise DirectoryError(
                        f"{path} is in use by another search: wait until that has ended, or name another directory"
                    )
        self.body = self.read()
        """What was committed last, when the folder was locked."""
        if not self._temporary and not self.body:
            self.commit({}, ())

    def read(self) -> dict[str, Any]:
        """Return what was committed last, or nothing. Raises `DirectoryError` if it is of another search."""
        path = self.path / MANIFEST
        names = sorted(entry.name for entry in self.path.iterdir())
        if MANIFEST not in names:
            for name in names:
                if name != LOCK and not (OURS.fullmatch(name) and name.endswith(".new")):
                    raise DirectoryError(
                        f"{self.path} has files, such as {name}, and no {MANIFEST} of a search: expected an empty "
                        "directory, or that of a search on disk; name another one"
                    )
            return {}
        try:
            found = json.loads(path.read_bytes())
            body, facts = dict(found["body"]), dict(found["facts"])
            if found["digest"] != _digest(facts, body):
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise DirectoryError(
                f"{path} is damaged, or not a manifest of a search on disk: restore it from a copy, or name another "
                "directory"
            ) from None
        for name, value in self.facts.items():
            if facts.get(name) != value:
                raise DirectoryError(
                    f"{self.path} belongs to another search: its {name} is {facts.get(name)}, and that of this search "
                    f"is {value}; nothing was changed. Name another directory"
                )
        return body

    def commit(self, body: Mapping[str, Any], names: Iterable[str]) -> None:
        """Make `body`, which names these files, what `read` returns; delete all other files of the search.

        Raises `DirectoryError`; then `read` returns what it returned before.
        """
        kept = set(names)
        with _writing(self.path):
            if self._temporary is None:
                for name in kept - self.synced:
                    _sync(self.path / name)
                text = {"facts": self.facts, "body": body, "digest": _digest(self.facts, body)}
                write_file(self.path / MANIFEST, json.dumps(text))
                if sys.platform != "win32":  # which does that by itself
                    _sync(self.path)
                self.synced = kept
            for path in self.path.iterdir():
                if OURS.fullmatch(path.name) and path.name not in kept:
                    path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let other searches use the folder; delete a temporary one. Safe to call twice."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)
        if self._temporary is not None:
            self._temporary.cleanup()


def _digest(facts: Any, body: Any) -> str:
    return sha256(json.dumps([FORMAT, facts, body], sort_keys=True).encode()).hexdigest()


def _sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Raise `DirectoryError` instead of `OSError`; the message says what to do."""
    try:
        yield
    except OSError as error:
        raise DirectoryError(
            f"{error.filename or path} can't be written: {error.strerror or error}. What was committed is intact; "
            "remove the cause or make space, and run the same search with the same directory to resume it"
        ) from error


def _try_lock(descriptor: int) -> bool:
    """Lock a file that is open; return whether that was possible. The system unlocks it when this process ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
