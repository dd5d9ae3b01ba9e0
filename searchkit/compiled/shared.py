"""Tables that processes share: files are checked once on a machine, and then mapped into the memory of each process.

A process that reads a mapped page that its file no longer has is ended by the signal SIGBUS, and a file beside a map
may be cut short at any time, such as by `cp`. So such a file is read, and never mapped. After its contents have been
checked, they are copied to a folder of the user's cache directory, and the copy is mapped. The next process compares
the file with the copy, byte by byte: if they are the same, the file need not be checked again. Whoever can write to the
cache directory could as well change the machine code there.

The owner of a copy can still change it. Machine code never uses a number of a mapped table as an index without a check
or a copy of its own, and whoever answers from a table calls `SharedTable.check_unchanged` before the answer counts.
"""

import os
import re
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path

from attrs import field, frozen

from searchkit.basics.files import OPENING, opened, read_bytes, replacing
from searchkit.compiled.cache import user_cache
from searchkit.errors import InputFormatError

LEAST = 1 << 20
"""Smaller files, in bytes, are read into memory: sharing them saves nothing."""
MOST_KEPT = 1 << 31
"""The bytes of all copies together. Before another one is written, the oldest are deleted."""
BLOCK = 1 << 18
LOCAL = frozenset(
    {"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "tmpfs", "xfs", "zfs"}
)
"""File systems of Linux on which no other machine can cut a file short."""
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@frozen(eq=False)
class MappedFile:
    """A file that is mapped into memory."""

    path: Path
    memory: mmap
    _status: tuple[int, ...] = field(repr=False)

    @property
    def is_changed(self) -> bool:
        """Whether the file was written to, or cut short, since it was mapped; not, whether it was replaced or deleted.

        Deliberate changes that hide the time of writing are not noticed.
        """
        try:
            now = _status(self.path.stat())
        except OSError:
            return False
        return now != self._status and now[:2] == self._status[:2]


def map_file(path: Path, size: int, access: int = ACCESS_READ) -> MappedFile | None:
    """Map a file into memory; return None if it is not there, or can't be relied on.

    It has to be a regular file of `size` bytes that belongs to this user or to root, that others may not write, on a
    file system of this machine.
    """
    try:
        if not _is_local(path.parent):
            return None
        descriptor = os.open(path, OPENING)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size != size or not _is_ours(status):
            return None
        return MappedFile(path, mmap(descriptor, size, access=access), _status(status))
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)


def keep_private(descriptor: int) -> None:
    """Let nobody else write a file of this user, whatever the umask is."""
    if sys.platform != "win32":
        os.fchmod(descriptor, stat.S_IRUSR | stat.S_IWUSR)


@frozen(eq=False)
class SharedTable:
    """The contents of a file that was checked."""

    first: bytes
    """Its first bytes, which no other process can change."""
    memory: memoryview
    """All bytes, read-only, from the begin of a page on."""
    copy: MappedFile | None = None
    """The file whose memory it is; None if no other process can change it."""

    def check_unchanged(self) -> None:
        """Raise `InputFormatError` if the memory was changed since it was checked."""
        if self.copy is not None and self.copy.is_changed:
            raise InputFormatError(
                "this copy of a checked table was changed while it was in use; delete it, and solve again",
                source=str(self.copy.path),
            )


def read_shared(
    path: Path, name: str, most: int, own: int, check: Callable[[memoryview], None]
) -> SharedTable:
    """Return the contents of a file, mapped into memory that processes share where that is possible.

    Args:
        path: the file.
        name: the name of the copy: what the contents are checked against, and the versions of their format and of the
            check.
        most: the most bytes that are read.
        own: how many of the first bytes this process has for itself: those that machine code uses as indices.
        check: is called with the contents, unless the same contents have been checked on this machine before; raises
            `InputFormatError` if they are wrong.

    Raises:
        InputFormatError: as `read_bytes` and `check` do.

    """
    copy = _copy_of(path, name, most)
    if copy is None:
        return _checked(path, most, own, check, None)
    found = _compared(path, copy, own)
    if found is not None:
        return found
    return _checked(path, most, own, check, copy)


def _copy_of(path: Path, name: str, most: int) -> Path | None:
    """Return the path of the copy of a file; None if there should be none."""
    try:
        status, folder = path.stat(), user_cache() / "tables"
        folder.mkdir(stat.S_IRWXU, parents=True, exist_ok=True)
        is_safe = _is_ours(folder.stat()) and _is_local(folder)
    except (OSError, RuntimeError, ValueError):
        return None
    return (
        folder / name
        if is_safe and stat.S_ISREG(status.st_mode) and LEAST <= status.st_size <= most
        else None
    )


def _compared(path: Path, copy: Path, own: int) -> SharedTable | None:
    """Return a copy if it has the same bytes as the file; otherwise None."""
    with opened(path) as file:
        mapped = map_file(copy, os.fstat(file.fileno()).st_size)
        if mapped is None:
            return None
        parts, place = [], 0
        while block := file.read(BLOCK):
            if mapped.memory[place : place + len(block)] != block:
                return None
            parts += [block[: own - place]] if place < own else []
            place += len(block)
    return (
        SharedTable(b"".join(parts), memoryview(mapped.memory), mapped)
        if place == len(mapped.memory)
        else None
    )


def _checked(
    path: Path, most: int, own: int, check: Callable[[memoryview], None], copy: Path | None
) -> SharedTable:
    """Return the contents of a file after a check: mapped if a copy can be written, otherwise in private memory."""
    contents = read_bytes(path, most)
    check(memoryview(contents))
    mapped = None if copy is None else _written(copy, contents)
    if mapped is not None:
        return SharedTable(contents[:own], memoryview(mapped.memory), mapped)
    memory = mmap(-1, len(contents))
    memory.write(contents)
    return SharedTable(contents[:own], memoryview(memory).toreadonly())


def _written(copy: Path, contents: bytes) -> MappedFile | None:
    """Write a copy, which takes the place of an older one, and map it; return None if that is not possible."""
    try:
        _make_room(copy.parent, len(contents))
        with replacing(copy) as file:
            keep_private(file.fileno())
            file.write(contents)
    except OSError:
        return None
    mapped = map_file(copy, len(contents))
    starts = range(0, len(contents), BLOCK)
    if mapped is None or any(
        mapped.memory[place : place + BLOCK] != contents[place : place + BLOCK] for place in starts
    ):
        return None
    return mapped


def _make_room(folder: Path, size: int) -> None:
    """Delete the oldest copies until there is room for another one. Those in use stay in memory until then."""
    kept = []
    for path in folder.iterdir():
        with suppress(OSError):
            kept.append((path.stat().st_mtime_ns, path.stat().st_size, path))
    total = sum(length for _, length, _ in kept) + size
    for _, length, path in sorted(kept):
        if total <= MOST_KEPT:
            break
        with suppress(OSError):
            path.unlink()
        total -= length


def _status(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _is_ours(status: os.stat_result) -> bool:
    """Whether a file or a folder belongs to this user or to root, and others may not write it."""
    if sys.platform == "win32":  # the folder is the user's, and a mapped file can't be cut short
        return True
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & OTHERS_WRITE


def _is_local(folder: Path) -> bool:
    """Whether a folder is on a file system of this machine. Raises `OSError` if that can't be found out."""
    if sys.platform != "linux":
        return True
    target, longest, kind = os.path.realpath(folder), "", ""
    for line in Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines():
        place = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), line.split(" ")[4])
        if len(place) >= len(longest) and (target + "/").startswith(place.rstrip("/") + "/"):
            longest, kind = place, line.partition(" - ")[2].split(" ")[0]
    return kind in LOCAL
