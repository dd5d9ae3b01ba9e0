"""The cache of pattern databases on disk: built once, then read by any number of processes.

A file consists of a header line, the SHA-256 digest of the rest, and the tables. The digests of the correct tables are
known, so a damaged or forged file is never used.
"""

import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType

from searchkit.compiled.cache import user_cache
from searchkit.plugin import InputFormatError, read_bytes, write_bytes
from searchkit_tiles.heuristics.pattern_digests import DIGESTS

VERSION = 1
"""The version of the files. It is incremented when the tables of a name change."""


def path_of(name: str) -> Path:
    """Return the path of the tables of a board. Raises `RuntimeError` if there is no home directory."""
    return user_cache() / "patterns" / f"tiles-{name}-v{VERSION}.bin"


def head_of(name: str, groups: Sequence[Sequence[int]]) -> bytes:
    """Return the header line of a file, which identifies its tables."""
    split = " ".join(",".join(map(str, group)) for group in groups)
    return f"searchkit pattern databases v{VERSION}, {name}: {split}\n".encode()


def kept(name: str, groups: Sequence[Sequence[int]], sizes: Sequence[int]) -> list[memoryview] | None:
    """Return the cached tables of a name; None if there are none, or if they are not correct."""
    head = head_of(name, groups)
    begin = len(head) + sha256().digest_size
    try:
        content = memoryview(read_bytes(path_of(name), begin + sum(sizes)))
    except (InputFormatError, RuntimeError):
        return None
    digest = sha256(content[begin:])
    whole = content[: len(head)] == head and content[len(head) : begin] == digest.digest()
    if not whole or digest.hexdigest() != DIGESTS.get(name):
        return None
    tables = []
    for size in sizes:
        tables.append(content[begin : begin + size])
        begin += size
    return tables


def keep(name: str, groups: Sequence[Sequence[int]], tables: Sequence[bytes]) -> None:
    """Cache tables under a name. Does nothing if the file can't be written.

    The file is written elsewhere and renamed, so it is complete, and several processes may write it at the same time.
    """
    content = b"".join(tables)
    try:
        path = path_of(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, head_of(name, groups) + sha256(content).digest() + content)
    except (OSError, RuntimeError):
        return


class Progress:
    """A progress line on standard error if that is a terminal."""

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
