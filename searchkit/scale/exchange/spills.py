"""Files of successors, as tasks that merge read them: `searchkit.scale.external.tasks.expand` writes them."""

import os
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np

from searchkit.errors import DirectoryError


def spill_name(depth: int, number: int) -> str:
    """Return the name of the file with the successors that one task has generated for the layer at a depth."""
    return f"successors-{depth:07d}-{number:06d}.spill"


class Spill:
    """A file that `expand` has written. Raises `DirectoryError` if it is not as it was written.

    It stays open if it is one of few: the system limits how many files a process may have open.
    """

    def __init__(self, path: Path, bits: int, words: int, *, stays_open: bool):
        self.path, self.words = path, words
        self._file: FileIO | None = None
        self.counts: Any = None
        """The number of states of each part."""
        file = self._opened()
        try:
            self._read_table(file, bits)
        except (OSError, ValueError) as error:
            raise DirectoryError(f"{path} can't be read: {error}") from error
        finally:
            file.close()
        self._file = self._opened() if stays_open else None

    def _read_table(self, file: FileIO, bits: int) -> None:
        """Read what stands after the pieces."""
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - 8))
        pieces = int.from_bytes(file.read(8), "little")
        begin = size - 8 - (pieces * 16 << bits)
        if begin >= 0:
            file.seek(begin)
            table = np.frombuffer(file.read(size - 8 - begin), np.uint64).reshape(pieces, 1 << bits, 2)
            counts = table[:, :, 0]
            ends = np.cumsum(counts, dtype=np.uint64)
            total = int(ends[-1]) if pieces else 0
            if total * 8 * self.words == begin and int(counts.max(initial=0)) <= total:
                self._counts, self._begins = counts.astype(np.int64), ends.reshape(counts.shape) - counts
                self.counts = self._counts.sum(0)
                self._sums = table[:, :, 1].sum(0, dtype=np.uint64)
                return
        raise DirectoryError(f"{self.path} is damaged: its length is not what it says")

    def _opened(self) -> FileIO:
        try:
            return FileIO(self.path)
        except OSError as error:
            raise DirectoryError(f"{self.path} can't be read: {error}") from error

    def read(self, part: int, out: Any) -> None:
        """Write the states of a part to an array of their number."""
        file = self._file or self._opened()
        target = memoryview(out).cast("B")
        each, at = 8 * self.words, 0
        try:
            for begin, count in zip(
                self._begins[:, part].tolist(), self._counts[:, part].tolist(), strict=True
            ):
                end = at + count * each
                file.seek(begin * each)
                while at < end:
                    read = file.readinto(target[at:end])
                    if not read:
                        raise DirectoryError(f"{self.path} is damaged: it is shorter than it was")
                    at += read
        finally:
            if file is not self._file:
                file.close()
        if int(out.sum(dtype=np.uint64)) != int(self._sums[part]):
            raise DirectoryError(f"{self.path} is damaged: part {part} is not what was written")

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._file is not None:
            self._file.close()
