"""Large tables on disk, such as pattern databases: computed once per machine, then used by any number of processes.

A file consists of a line that identifies it, the SHA-256 digest of the tables, and the tables. The author of a table
knows the digest of the correct one, so a damaged or forged file is never used.
"""

import sys
from collections.abc import Iterable
from hashlib import sha256
from mmap import ACCESS_COPY, mmap
from pathlib import Path
from types import TracebackType

from attrs import frozen

from searchkit.basics.files import read_bytes, replacing
from searchkit.compiled.cache import user_cache
from searchkit.errors import InputFormatError


@frozen
class TableFile:
    """A file of tables in the folder `patterns` of searchkit's folder in the user's cache directory."""

    name: str
    """The name of the file. It contains a version, which is incremented when the tables change."""
    title: str
    """The line that identifies the tables."""
    size: int
    """The length of the tables in bytes."""
    digest: str
    """The SHA-256 digest of the correct tables, in hexadecimal digits; "" if it is not known: no file is correct."""
    begin: int = 0
    """Where the tables begin in the file, if that is behind the line and the digest; zeros fill the gap."""

    @property
    def path(self) -> Path:
        """The path of the file, whether or not it exists. Raises `RuntimeError` if there is no home directory."""
        return user_cache() / "patterns" / self.name

    @property
    def head(self) -> bytes:
        """What stands before the tables, if they are the correct ones."""
        return (f"{self.title}\n".encode() + bytes.fromhex(self.digest)).ljust(self.begin, b"\0")

    def read(self) -> memoryview | None:
        """Return the tables, copied into memory; None if the file does not exist or is not correct."""
        try:
            content = memoryview(read_bytes(self.path, len(self.head) + self.size))
        except (InputFormatError, RuntimeError):
            return None
        return content[len(self.head) :] if self._is_correct(content) else None

    def mapped(self) -> memoryview | None:
        """Return the whole file, mapped into memory; None if it does not exist or is not correct.

        Processes share the memory of the tables. What is written to it stays in this process, so the part before the
        tables may be used for anything. The file is checked once, and can be changed later by its owner: machine code
        that uses an entry as an index has to check it.
        """
        try:
            if not self.path.is_file():
                return None
            with self.path.open("rb") as file:
                content = memoryview(mmap(file.fileno(), 0, access=ACCESS_COPY))
        except (OSError, ValueError, RuntimeError):  # an empty file can't be mapped
            return None
        return content if self._is_correct(content) else None

    def write(self, tables: Iterable[bytes | bytearray | memoryview]) -> None:
        """Keep the tables. Does nothing if the file can't be written.

        The file is written elsewhere and renamed, so it is complete, and several processes may write it at the same
        time.
        """
        parts = list(tables)
        digest = sha256()
        for part in parts:
            digest.update(part)
        head = (f"{self.title}\n".encode() + digest.digest()).ljust(self.begin, b"\0")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self.path) as file:
                file.writelines([head, *parts])
        except (OSError, RuntimeError):
            return

    def _is_correct(self, content: memoryview) -> bool:
        head = self.head
        return (
            bool(self.digest)
            and len(content) == len(head) + self.size
            and content[: len(head)] == head
            and sha256(content[len(head) :]).hexdigest() == self.digest
        )


class Progress:
    """A line on standard error that says which step of a long computation is under way, if that is a terminal."""

    def __init__(self, what: str, steps: int):
        self.what, self.steps, self.done = what, steps, 0
        self.shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> "Progress":
        return self

    def next(self) -> None:
        """Begin the next step."""
        self.done += 1
        if self.shown:
            line = f"building the {self.what}, {self.done} of {self.steps} (once; kept for the next time)"
            print(f"\r{line}", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
