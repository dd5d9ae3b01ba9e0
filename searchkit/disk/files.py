"""The folder of a search on disk: a lock, a manifest, and files of packed states.

A file is written under a temporary name, and has its own name when it is complete. The manifest is written after the
files that it names, and replaced in one step: whenever a process ends, the folder is that of a search that stands at
the end of a round, and other files of the search are leftovers. Each file is created anew, never through a link, and
only in a folder that was empty or that has a manifest of a search: no file of a user is ever changed.
"""

import errno
import gc
import json
import os
import re
import socket
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from io import BufferedReader, FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn
from uuid import uuid4

import numpy as np
from attrs import frozen

from searchkit.compiled.kit.state import state_array
from searchkit.disk.kernels import Key, checksum
from searchkit.errors import DirectoryError

FORMAT = "searchkit search on disk 1"
LOCK_CONTENTS = b"searchkit: one search at a time uses this folder\n"
MANIFEST, LOCK = "manifest.json", "lock"
OURS = re.compile(
    r"states-[\da-z-]+\.run|(states-[\da-z-]+\.run|manifest\.json)\.[\w-]+\.\d+\.[\da-f]{32}\.tmp"
)
"""The names of files that are deleted in the folder of a search if its manifest does not name them."""
FOOTER = 2
"""Words after the index: the number of segments and the checksum of the index."""
F, G, PART, COUNT, SUM = range(5)
"""Columns of the index: f and g of a bucket, the part, the number of states and their checksum."""
COLUMNS = 5
SEGMENT = 1 << 17
"""The most states of a sorted segment; a part may have several."""
CREATE = os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


@frozen
class RunFile:
    """A file of states that is complete."""

    name: str
    bytes: int
    checksum: int
    """Of its index, which has the checksums of the states."""


class RunWriter:
    """Writes a file of states, segment by segment: in a `with` statement, which completes it and sets `file`.

    Args:
        folder: where.
        name: the name; a file of this name that is there is one of the same contents, and is replaced.
        words: the words of a state.
        durable: whether the file has to survive a crash of the machine.

    Raises `OSError`.

    """

    file: RunFile

    def __init__(self, folder: Path, name: str, words: int, durable: bool):
        self.words, self.name = words, name
        self._index: list[tuple[int, ...]] = []
        self._file = NewFile(folder / name, durable)
        self._bytes = 0

    def add(self, key: Key, part: int, states: Any) -> None:
        """Add the states of a part, in segments that can be checked one by one."""
        for begin in range(0, len(states), SEGMENT):
            segment = np.ascontiguousarray(states[begin : begin + SEGMENT])
            self._file.write(segment.astype("<u8", copy=False))
            self._index.append((*key, part, len(segment), checksum(segment)))
            self._bytes += segment.nbytes

    def __enter__(self) -> "RunWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._file:
            if kind is None:
                index = np.array(self._index, np.uint64).reshape(-1, COLUMNS)
                check = checksum(index)
                footer = np.array([len(index), check], np.uint64)
                self._file.write(index.astype("<u8"))
                self._file.write(footer.astype("<u8"))
                self._file.complete()
                self.file = RunFile(self.name, self._bytes + 8 * (index.size + FOOTER), check)


class NewFile:
    """A file that has its name only when it is complete; an incomplete one is deleted at the end of a `with` statement.

    Raises `OSError`.
    """

    def __init__(self, path: Path, durable: bool):
        host = re.sub(r"\W", "-", socket.gethostname(), flags=re.ASCII)[:40]
        self.path, self.durable = path, durable
        self._temporary = path.with_name(f"{path.name}.{host}.{os.getpid()}.{uuid4().hex}.tmp")
        self._file = os.fdopen(os.open(self._temporary, os.O_WRONLY | CREATE, 0o666), "wb", 1 << 20)

    def write(self, data: Any) -> None:
        """Write bytes or the contents of an array."""
        if len(data):
            self._file.write(memoryview(data).cast("B"))

    def complete(self) -> None:
        """Have the contents on the disk, if durable, and give the file its name."""
        self._file.flush()
        if self.durable:
            os.fsync(self._file.fileno())
        self._file.close()
        self._temporary.replace(self.path)

    def __enter__(self) -> "NewFile":
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._temporary.unlink()


class Run:
    """Reads a file of states: in a `with` statement.

    Raises:
        DirectoryError: the file is not there, or it is not what was written.

    """

    def __init__(self, folder: Path, file: RunFile, words: int):
        self.path, self.words = folder / file.name, words
        try:
            self._file = BufferedReader(FileIO(self.path), 1 << 16)
        except OSError as error:
            raise DirectoryError(
                damage(self.path, error.strerror or "it can't be read"), file.name
            ) from error
        try:
            self._read_index(file)
        except BaseException:
            self._file.close()
            raise

    def _read_index(self, file: RunFile) -> None:
        if os.fstat(self._file.fileno()).st_size != file.bytes:
            self._fail(f"its size is not {file.bytes:,} bytes")
        size, check = self._at(file.bytes - 8 * FOOTER, np.empty(FOOTER, np.uint64)).tolist()
        begin = file.bytes - 8 * (FOOTER + COLUMNS * size)
        if begin < 0 or check != file.checksum:
            self._fail("its end is not what was written")
        index = self._at(begin, np.empty((size, COLUMNS), np.uint64))
        if checksum(index) != file.checksum:
            self._fail("its index is not what was written")
        self.index, self.sums = index.astype(np.int64), index[:, SUM]
        self.begins = np.concatenate([[0], np.cumsum(self.index[:, COUNT])])
        """For each segment, how many states are before it in the file."""

    def segments(self, key: Key, first: int = 0, end: int | None = None) -> list[int]:
        """Return the numbers of the segments of a bucket, from one part to another, in the order of the file."""
        index = self.index
        chosen = (index[:, F] == key[0]) & (index[:, G] == key[1])
        if end is not None:
            chosen &= (index[:, PART] >= first) & (index[:, PART] < end)
        found: list[int] = np.flatnonzero(chosen).tolist()
        return found

    def states(self, segments: Sequence[int]) -> Any:
        """Return the states of some segments, one after the other."""
        out, at = state_array(int(self.index[segments, COUNT].sum()), self.words), 0
        for segment in segments:
            count = int(self.index[segment, COUNT])
            self.read(segment, out[at : at + count])
            at += count
        return out

    def read(self, segment: int, out: Any) -> None:
        """Write the states of a segment to an array of their number."""
        self._at(8 * self.words * int(self.begins[segment]), out)
        if checksum(out) != int(self.sums[segment]):
            self._fail("its states are not what was written")

    def _at(self, place: int, out: Any) -> Any:
        try:
            self._file.seek(place)
            read = self._file.readinto(memoryview(out).cast("B")) if out.size else 0
        except OSError as error:
            self._fail(error.strerror or "it can't be read")
        if read != out.nbytes:
            self._fail("it is shorter than it was")
        if sys.byteorder == "big":
            out.byteswap(inplace=True)
        return out

    def _fail(self, why: str) -> NoReturn:
        raise DirectoryError(damage(self.path, why), self.path.name)

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def damage(path: Path, why: str) -> str:
    """Return the message about a file that can't be used."""
    return f"{path} is damaged: {why}; restore it from a copy, or begin again in another directory"


class DiskWorkspace:
    """The folder of a search, which this process alone uses until `close`.

    Args:
        path: where it is, or is to be made.
        facts: what has to be the same whenever the search is resumed: name → JSON value.
        durable: whether a manifest is written, and what is written has to survive a crash of the machine.

    Raises:
        DirectoryError: another search uses it or made it, it has other files, its manifest is damaged, or it can't be
            written.

    """

    def __init__(self, path: Path, facts: Mapping[str, Any], *, durable: bool = True):
        self.path, self.facts, self.durable = path, dict(facts), durable
        self.body: Mapping[str, Any] = {}
        """What was committed last; empty in a new folder."""
        self._lock: int | None = None
        with self.writing("used"):
            if path.exists() and not path.is_dir():
                raise DirectoryError(f"{path} is a file; expected the name of a directory, or a new name")
            path.mkdir(parents=True, exist_ok=True)
            self._load()  # before the lock is made: the folder may be somebody else's
            self._take_lock()
        try:
            with self.writing("used"):
                self.body = self._load()
            if durable and not self.body:
                self.commit({})
        except BaseException:
            self.close()
            raise

    def _load(self) -> Mapping[str, Any]:
        """Return what the manifest says. Raises `DirectoryError` if the folder is not that of this search."""
        path = self.path / MANIFEST
        names = sorted(entry.name for entry in self.path.iterdir())
        if MANIFEST not in names:
            for name in names:
                if name != LOCK and not (OURS.fullmatch(name) and name.endswith(".tmp")):
                    raise DirectoryError(
                        f"{self.path} has files, such as {name}, and no {MANIFEST} of a search: expected an empty "
                        "directory, or that of a search on disk; name another one"
                    )
            return {}
        try:
            found = json.loads(path.read_bytes())
            body, facts = found["body"], found["facts"]
            if found["format"] != FORMAT:
                raise DirectoryError(
                    f"{path} is of the format {found['format']!r}, expected {FORMAT!r}; name another directory"
                )
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
        return body  # type: ignore[no-any-return]  # it is a dictionary

    def _take_lock(self) -> None:
        """Lock the folder. The system unlocks it when this process ends, however it does."""
        path = self.path / LOCK
        try:
            self._lock = os.open(path, os.O_RDWR | CREATE, 0o666)
            os.write(self._lock, LOCK_CONTENTS)
        except FileExistsError:
            self._lock = self._open_lock(path)
        if not _try_lock(self._lock):
            gc.collect()  # a search that nobody refers to any more may still hold it: it refers to itself
            if not _try_lock(self._lock):
                self.close()
                raise DirectoryError(
                    f"{self.path} is in use by another search: wait until that has ended, or name another directory"
                )

    def _open_lock(self, path: Path) -> int:
        """Open the lock that another search has made. Raises `DirectoryError` if it is no such file."""
        found = None
        with suppress(OSError):
            found = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
            contents = os.read(found, len(LOCK_CONTENTS) + 1)
            if LOCK_CONTENTS.startswith(contents) and os.fstat(found).st_nlink == 1:
                return found
        if found is not None:
            os.close(found)
        raise DirectoryError(
            f"{path} is not the lock of a search on disk, and was not changed: name another directory, or an empty one"
        )

    def commit(self, body: Mapping[str, Any]) -> None:
        """Make `body` what the manifest says. Raises `DirectoryError`; then it says what it said before."""
        if self.durable:
            text = {
                "format": FORMAT,
                "facts": self.facts,
                "body": body,
                "digest": _digest(self.facts, body),
            }
            with self.writing("written"):
                _sync_folder(self.path)
                with NewFile(self.path / MANIFEST, durable=True) as file:
                    file.write(json.dumps(text).encode())
                    file.complete()
                _sync_folder(self.path)
        self.body = body

    def clean(self, wanted: Collection[str]) -> None:
        """Delete the files of the search that are not `wanted`."""
        with self.writing("cleaned"):
            for path in self.path.iterdir():
                if OURS.fullmatch(path.name) and path.name not in wanted:
                    path.unlink(missing_ok=True)

    @contextmanager
    def writing(self, what: str = "written") -> Iterator[None]:
        """Raise `DirectoryError` instead of `OSError`; the message says what to do."""
        try:
            yield
        except OSError as error:
            raise unwritable(self.path, error, what) from error

    def close(self) -> None:
        """Let other searches use the folder. Safe to call twice."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)


def unwritable(path: Path, error: OSError, what: str = "written") -> DirectoryError:
    """Return the error for a folder that can't be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        todo = "make space"
    elif error.errno in (errno.EACCES, errno.EPERM):
        todo = "give this user the right to write there"
    else:
        todo = "remove the cause"
    return DirectoryError(
        f"{error.filename or path} can't be {what}: {error.strerror or error}. All rounds that were complete are "
        f"intact; {todo}, and run the same search with the same directory to resume it"
    )


def _digest(facts: Any, body: Any) -> str:
    return sha256(json.dumps([facts, body], sort_keys=True).encode()).hexdigest()


def _sync_folder(path: Path) -> None:
    """Have the names in a folder on the disk. Windows does that by itself."""
    if sys.platform != "win32":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    """Lock a file that is open; return whether that was possible."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, 1 << 20, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK):
            return False
        raise
    return True
