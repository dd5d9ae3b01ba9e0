"""Files of a search on disk: written whole or not at all, and read only as far as what they say is right.

A *run* is a file of sorted states: a header, an index of blocks and the blocks, packed
(`searchkit.scale.arrays.packing`). All numbers are little-endian uint64.
"""

import os
import socket
import struct
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any, NoReturn
from uuid import uuid4
from zlib import crc32

import numpy as np
from attrs import frozen

from searchkit.compiled.kit.state import state_array
from searchkit.errors import DirectoryError
from searchkit.scale.arrays.packing import BLOCK, pack, unpack

MAGIC = b"searchkit run 1\n"
HEADER = struct.Struct("<16sQQQQQ")
"""Magic bytes, words of a state, blocks, words of data, states, CRC-32 of index and header."""
LAYER, PART, STATES, OFFSET, LENGTH, SUM, FIRST = range(7)
"""Columns of the index: the layer and the part of a block, its states, where its words begin and how many they are,
their CRC-32, and the words of its first state."""
ABOVE = 1 << 48
"""No number in a file that counts or places something is as large."""


def passed(step: str, path: Path) -> None:
    """Do nothing. Called after each step of writing; tests replace it to stop a process there."""


@frozen
class Written:
    """A file that was written."""

    bytes: int
    sha256: str
    """Empty if it was not asked for."""


def write_file(path: Path, pieces: Iterable[Any], durable: bool, *, digested: bool = True) -> Written:
    """Write the bytes of some arrays or bytes objects to a file, which is there with all of them or not at all.

    The name of the temporary file begins with that of the file and ends with `.tmp`. If `durable`, the contents are on
    the disk when the file has its name; call `sync_folder` to have the name there too. The result has a digest of the
    contents if `digested`. Raises `OSError`.
    """
    host = "".join(letter if letter.isalnum() else "-" for letter in socket.gethostname())[:40]
    beside = path.with_name(f"{path.name}.{host}.{os.getpid()}.{uuid4().hex}.tmp")
    digest, size = sha256(), 0
    try:
        with beside.open("xb", buffering=0) as file:
            passed("created", path)
            for piece in pieces:
                data = memoryview(piece).cast("B")
                if digested:
                    digest.update(data)
                size += len(data)
                while len(data):
                    data = data[file.write(data) :]
                passed("written", path)
            if durable:
                os.fsync(file.fileno())
        passed("complete", path)
        beside.replace(path)
        passed("renamed", path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    return Written(size, digest.hexdigest() if digested else "")


def sync_folder(path: Path) -> None:
    """Have the names in a folder on the disk. Windows does that by itself."""
    if sys.platform != "win32":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    passed("folder", path)


class RunWriter:
    """The contents of a run, block by block.

    Args:
        words: the words of a state.

    """

    def __init__(self, words: int):
        self.words, self.states = words, 0
        self._index: list[list[int]] = []
        self._blocks: list[Any] = []
        self._offset = 0

    def add(self, layer: int, part: int, states: Any) -> None:
        """Add the sorted, different states of a part; parts in ascending order, unless a `RunSource` reads them."""
        for begin in range(0, len(states), BLOCK):
            block = states[begin : begin + BLOCK]
            packed = pack(block)
            first = np.atleast_1d(block[0]).tolist()
            self._index.append(
                [layer, part, len(block), self._offset, len(packed), crc32(packed.view(np.uint8)), *first]
            )
            self._blocks.append(packed)
            self._offset += len(packed)
            self.states += len(block)

    def extend(self, other: "RunWriter") -> None:
        """Add the blocks of another writer, after those of this one."""
        for entry in other._index:
            entry[OFFSET] += self._offset
        self._index += other._index
        self._blocks += other._blocks
        self._offset += other._offset
        self.states += other.states

    def contents(self) -> list[Any]:
        """Return the bytes of the run, in pieces."""
        index = np.array(self._index, "<u8").reshape(len(self._index), FIRST + self.words)
        numbers = self.words, len(index), self._offset, self.states
        check = crc32(index.view(np.uint8).data, crc32(HEADER.pack(MAGIC, *numbers, 0)))
        blocks = (np.ascontiguousarray(block, "<u8") for block in self._blocks)
        return [HEADER.pack(MAGIC, *numbers, check), index, *blocks]

    def write(self, path: Path, durable: bool) -> Written:
        """Write the file. Raises `OSError`."""
        return write_file(path, self.contents(), durable)


class RunReader:
    """A run on disk. Close it, or use it in a `with` statement.

    Args:
        path: the file.
        words: the words of a state.
        size: how long the file was when it was written.
        contents: the bytes of the file, if they are in memory; then `path` is only a name for messages.

    Raises:
        DirectoryError: the file is not there, is not as long, or its index is damaged.

    """

    def __init__(self, path: Path, words: int, size: int, contents: Any = None):
        self.path, self.words = path, words
        self._contents = None if contents is None else memoryview(contents).cast("B")
        self._file: FileIO | None = None
        try:
            if contents is None:
                self._file = FileIO(path)
        except FileNotFoundError:
            raise DirectoryError(f"{path} is missing", path.name) from None
        except OSError as error:
            raise DirectoryError(f"{path} can't be read: {error.strerror}") from error
        try:
            self.index = self._read_index(size)
        except BaseException:
            self.close()
            raise

    def _read_index(self, size: int) -> Any:
        if self._contents is None:
            assert self._file is not None
            found = os.fstat(self._file.fileno()).st_size
        else:
            found = len(self._contents)
        if found != size:
            self._damaged(f"it has {found:,} bytes, and {size:,} were written")
        header = self._at(0, HEADER.size)
        magic, words, blocks, data, states, check = HEADER.unpack(header)
        if magic != MAGIC or words != self.words or max(blocks, data, states) >= ABOVE:
            self._damaged("its header is not that of such a file")
        columns = FIRST + words
        self._begin = HEADER.size + 8 * blocks * columns
        if self._begin + 8 * data != size:
            self._damaged("its length is not what its header says")
        index = self._at(HEADER.size, self._begin - HEADER.size)
        if crc32(index, crc32(HEADER.pack(magic, words, blocks, data, states, 0))) != check:
            self._damaged("the checksum of its index is wrong")
        table = np.frombuffer(index, "<u8").reshape(blocks, columns)
        small = table[:, [LAYER, PART, STATES, OFFSET, LENGTH]]
        if blocks and (
            int(small.max()) >= ABOVE
            or int(table[:, STATES].max()) > BLOCK
            or int(table[:, STATES].min()) < 1
            or int(table[:, STATES].sum()) != states
            or int(table[0, OFFSET])
            or (table[1:, OFFSET] != table[:-1, OFFSET] + table[:-1, LENGTH]).any()
            or int(table[-1, OFFSET] + table[-1, LENGTH]) != data
        ):
            self._damaged("its index contradicts itself")
        return table

    def block(self, number: int) -> Any:
        """Return the states of a block. Raises `DirectoryError` if it is damaged."""
        return self.blocks([number])

    def blocks(self, numbers: Sequence[int]) -> Any:
        """Return the states of some blocks, one after the other. Raises `DirectoryError` if one is damaged."""
        states = state_array(int(self.index[numbers, STATES].sum()), self.words)
        self.read(numbers, states)
        return states

    def read(self, numbers: Sequence[int], out: Any) -> None:
        """Write the states of some blocks to an array of their number. Raises `DirectoryError` if one is damaged."""
        at = 0
        for number in numbers:
            count = int(self.index[number, STATES])
            self._read_block(number, out[at : at + count])
            at += count

    def _read_block(self, number: int, out: Any) -> None:
        entry = self.index[number]
        data = self._at(self._begin + 8 * int(entry[OFFSET]), 8 * int(entry[LENGTH]))
        words = np.frombuffer(data, "<u8").astype(np.uint64, copy=False)
        if crc32(data) != int(entry[SUM]) or not unpack(words, len(out), self.words, out):
            self._damaged(f"block {number} is not what was written")

    def numbers(self, layer: int, part: int | None = None) -> list[int]:
        """Return the numbers of the blocks of a layer, or of a part of it."""
        chosen = self.index[:, LAYER] == layer
        if part is not None:
            chosen &= self.index[:, PART] == part
        found: list[int] = np.flatnonzero(chosen).tolist()
        return found

    def _at(self, place: int, size: int) -> Any:
        if self._contents is not None:
            return self._contents[place : place + size]
        assert self._file is not None
        self._file.seek(place)
        pieces = []
        while size:
            try:
                piece = self._file.read(size)
            except OSError as error:
                raise DirectoryError(f"{self.path} can't be read: {error.strerror}") from error
            if not piece:
                self._damaged("it is shorter than it was")
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _damaged(self, what: str) -> NoReturn:
        raise DirectoryError(f"{self.path} is damaged: {what}", self.path.name)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> "RunReader":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class RunSource:
    """The states of a layer in a run whose parts may have several blocks, each sorted by itself.

    Args:
        run: reads the run; it is closed with this.
        layer: the number of the layer in the run.
        bits: the layer is divided into 2**bits parts.

    Raises:
        DirectoryError: the run has other parts than were written.

    """

    def __init__(self, run: RunReader, layer: int, bits: int):
        self._run, self._layer = run, layer
        blocks = run.index[run.numbers(layer)]
        self.counts = np.zeros(1 << bits, np.int64)
        """The number of states of each part."""
        if len(blocks) and int(blocks[:, PART].max()) >= len(self.counts):
            run.close()
            raise DirectoryError(f"{run.path} is damaged: it has more parts than were written", run.path.name)
        np.add.at(self.counts, blocks[:, PART].astype(np.int64), blocks[:, STATES].astype(np.int64))

    def read(self, part: int, out: Any) -> None:
        """Write the states of a part to an array of their number. Raises `DirectoryError` if they are damaged."""
        self._run.read(self._run.numbers(self._layer, part), out)

    def close(self) -> None:
        """Close the run."""
        self._run.close()
