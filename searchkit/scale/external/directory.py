"""The directory of a search on disk: one driver at a time, and a manifest that says which files belong to it.

The manifest is written after the files that it names, and replaced in one step. So whenever a process ends, the
directory is that of a search that stands at the end of a round; other files are leftovers, which the next driver
deletes.
"""

import errno
import gc
import json
import os
import re
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from stat import S_ISDIR
from typing import Any

from searchkit.basics.files import read_bytes
from searchkit.errors import DirectoryError, InputFormatError
from searchkit.scale.external.files import sync_folder, write_file

FORMAT = 1
MANIFEST, LOCK = "manifest.json", "lock"
TEMPORARY = "searchkit-"
"""What the names of temporary directories begin with."""
LARGEST_MANIFEST = 1 << 30
OURS = re.compile(
    r"((?:layers|united)-[\d-]+\.run|buckets-[\d-]+\.run|successors-[\d-]+\.spill|manifest\.json(?=.+tmp))(\.[\w-]+\.\d+\.[0-9a-f]{32}\.tmp)?"
)
"""The files in a directory that are deleted if the manifest does not name them."""


class Directory:
    """A directory that this process drives until `close`.

    Args:
        path: where it is, or is to be made.
        facts: what has to be the same whenever the search goes on: name → JSON value.
        durable: whether what is written has to survive a crash of the machine.

    Raises:
        DirectoryError: another process drives it, it belongs to another search, it holds other files, its manifest is
            damaged, or it can't be written.

    """

    def __init__(self, path: Path, facts: Mapping[str, Any], *, durable: bool = True):
        self.path, self.facts, self.durable = path, dict(facts), durable
        self.body: Mapping[str, Any] = {}
        """What was committed last; empty in a new directory."""
        with self.writing("made"):
            if path.exists() and not path.is_dir():
                raise DirectoryError(f"{path} is a file; expected the name of a directory, or a new name")
            path.mkdir(parents=True, exist_ok=True)
        self._lock = _Lock(path / LOCK)
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        manifest = self.path / MANIFEST
        if not manifest.exists():
            names = sorted(entry.name for entry in self.path.iterdir())
            foreign = [
                name for name in names if name != LOCK and not (_is_ours(name) and name.endswith(".tmp"))
            ]
            if foreign:
                raise DirectoryError(
                    f"{self.path} holds files, such as {foreign[0]}, but no {MANIFEST}: expected an empty directory, "
                    "or that of a search on disk; name another one"
                )
            self.commit({})
            return
        try:
            found = json.loads(read_bytes(manifest, LARGEST_MANIFEST))
            body, facts = found["body"], found["facts"]
            if found["format"] != FORMAT:
                raise DirectoryError(
                    f"{self.path} has the format {found['format']!r}, and this version of searchkit writes format "
                    f"{FORMAT}; go on with the version that made it, or name another directory"
                )
            if found["digest"] != _digest(facts, body):
                raise ValueError
        except InputFormatError as error:
            raise DirectoryError(str(error)) from error
        except (ValueError, KeyError, TypeError, RecursionError):
            raise DirectoryError(
                f"{manifest} is damaged, and the files of the layers can't be told from leftovers without it: restore "
                "it from a copy, or name another directory to begin again"
            ) from None
        for name, value in self.facts.items():
            if facts.get(name) != value:
                raise DirectoryError(
                    f"{self.path} belongs to another search: its {name} is {facts.get(name)}, and that of this search "
                    f"is {value}; nothing was changed. Name another directory"
                )
        self.body = body

    def commit(self, body: Mapping[str, Any]) -> None:
        """Make `body` what the manifest says. Raises `DirectoryError`; then it says what it said before."""
        text = {"format": FORMAT, "facts": self.facts, "body": body, "digest": _digest(self.facts, body)}
        with self.writing("written"):
            if self.durable:
                sync_folder(self.path)
            write_file(self.path / MANIFEST, [json.dumps(text).encode()], self.durable)
            if self.durable:
                sync_folder(self.path)
        self.body = body

    def clean(self, wanted: set[str]) -> None:
        """Delete the leftovers: all files of such names that are not `wanted`."""
        with self.writing("cleaned"):
            for path in self.path.iterdir():
                if _is_ours(path.name) and path.name not in wanted:
                    path.unlink(missing_ok=True)

    def used(self) -> int:
        """Return the bytes that its files take."""
        total = 0
        for entry in os.scandir(self.path):
            with suppress(OSError):  # deleted meanwhile
                total += entry.stat().st_size
        return total

    @contextmanager
    def writing(self, what: str) -> Iterator[None]:
        """Raise `DirectoryError` instead of `OSError`; the message says what to do."""
        try:
            yield
        except OSError as error:
            raise unwritable(self.path, error, what) from error

    def close(self) -> None:
        """Let other processes drive it. Safe to call twice."""
        self._lock.release()


def delete_abandoned(folder: Path) -> None:
    """Delete the temporary directories in `folder` that belonged to processes of this host that were killed."""
    for path in folder.glob(f"{TEMPORARY}*"):
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError, InputFormatError):
            _delete_if_abandoned(path)


def _delete_if_abandoned(path: Path) -> None:
    """Delete one: its lock names a process but is not held, and its manifest has no facts.

    A directory whose search has just begun has an empty lock, or none; one that a user has named has facts.
    """
    status = path.lstat()
    if not S_ISDIR(status.st_mode) or (sys.platform != "win32" and status.st_uid != os.getuid()):
        return
    with (path / LOCK).open("r+b") as file:
        holder = _holder(file)
        if holder is None or holder["host"] != socket.gethostname():
            return
        if json.loads(read_bytes(path / MANIFEST, LARGEST_MANIFEST))["facts"] != {}:
            return
        _lock(file)
        for entry in path.iterdir():
            if entry.name == MANIFEST or _is_ours(entry.name):
                entry.unlink()
    (path / LOCK).unlink()
    path.rmdir()


def unwritable(path: Path, error: OSError, what: str = "written") -> DirectoryError:
    """Return the error for a directory that can't be written."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    todo = (
        "make space"
        if full
        else "give this user the right to write there"
        if error.errno in (errno.EACCES, errno.EPERM)
        else "remove the cause"
    )
    return DirectoryError(
        f"{error.filename or path} can't be {what}: {error.strerror or error}. All rounds that were complete are "
        f"intact; {todo}, and run the same search with the same directory again to go on"
    )


def _digest(facts: Any, body: Any) -> str:
    return sha256(json.dumps([facts, body], sort_keys=True).encode()).hexdigest()


def _is_ours(name: str) -> bool:
    return OURS.fullmatch(name) is not None


class _Lock:
    """A file that one process has locked. It names the process, for messages and for other machines."""

    def __init__(self, path: Path):
        self.path = path
        self._file: Any = None
        try:
            file = path.open("a+b")
        except OSError as error:
            raise unwritable(path, error) from error
        if not _is_locked(file):
            holder = _holder(file)
            file.close()
            raise DirectoryError(
                f"{path.parent} is in use by {_said(holder)}: one search at a time can go on there. Wait until it has "
                "ended, or name another directory"
            )
        holder = _holder(file)
        if holder is not None and holder.get("host") != socket.gethostname():
            file.close()
            raise DirectoryError(
                f"{path.parent} is in use by {_said(holder)}, or was when that process was killed. If it has ended, "
                f"delete {path} to go on here"
            )
        self._file = file
        try:
            file.truncate(0)
            file.write(json.dumps({"host": socket.gethostname(), "pid": os.getpid()}).encode())
            file.flush()
        except OSError as error:
            self.release()
            raise unwritable(path, error) from error

    def release(self) -> None:
        """Empty the file, so that it names nobody, and give the lock back."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.truncate(0)
            with suppress(OSError):
                file.close()


def _is_locked(file: Any) -> bool:
    """Lock a file; return whether that was possible. A search that nobody refers to any more gives its lock back."""
    try:
        _lock(file)
    except OSError:
        holder = _holder(file)
        if holder is None or (holder.get("host"), holder.get("pid")) != (socket.gethostname(), os.getpid()):
            return False
        gc.collect()  # a search refers to itself
        try:
            _lock(file)
        except OSError:
            return False
    return True


def _lock(file: Any) -> None:
    """Lock a file, or raise `OSError`. The system unlocks it when this process ends, however it does."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(1 << 20)  # beyond what is written: the locked byte can't be read by others
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(file: Any) -> dict[str, Any] | None:
    """Return the host and the process that the file names; None if it names none."""
    file.seek(0)
    try:
        found = json.loads(file.read(1000))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _said(holder: dict[str, Any] | None) -> str:
    if holder is None:
        return "another process"
    return f"process {holder.get('pid')} on {holder.get('host')}"
