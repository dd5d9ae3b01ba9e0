"""Files of tables. A file lies beside its map or graph, is checked when it is read, and is rejected if it is wrong.

A file is a header of 128 bytes and arrays of integers of 32 bits in the byte order of the machine that wrote it.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from struct import Struct
from typing import Any
from zlib import crc32

from attrs import frozen

from searchkit.compiled.shared import SharedTable, read_shared
from searchkit.plugin import InputFormatError
from searchkit_graph.precomputed.network import Network

ORDER = 0x01020304
"""An integer that shows the byte order of the machine."""
HEADER = Struct("=16sIIIII32s")
SIZE = 128
"""The length of the header, padded with zeros."""
LARGE = 2_000
"""With more states than this, checking a table by machine code saves more time than importing Numba takes."""


@frozen
class TableFormat:
    """What tells files of one kind from others."""

    name: str
    """In the names of copies that processes share."""
    what: str
    """What the files have, for messages."""
    magic: bytes
    """The first 16 bytes."""
    version: int
    """It is incremented when the same network gives another table, or when the check changes."""

    def contents(self, network: Network, counts: tuple[int, int], arrays: Iterable[Any]) -> list[bytes]:
        """Return the contents of a file in parts: the header with two numbers that tell the lengths, and arrays."""
        body = [bytes(part) for part in arrays]
        header = HEADER.pack(self.magic, ORDER, self.version, *counts, _checksum(body), network.digest)
        return [header.ljust(SIZE, b"\0"), *body]

    def read(
        self, path: Path, network: Network, most: int, own: int, fault: Callable[[memoryview], str]
    ) -> SharedTable:
        """Return the contents of a file; processes share its memory: see `read_shared`.

        Args:
            path: the file.
            network: what it has to be made for.
            most: the most bytes that are read.
            own: how many bytes this process has for itself.
            fault: returns what is wrong with the numbers of contents whose header is right, or "". It is not called if
                the same contents were checked on this machine before.

        Raises `InputFormatError` if the file can't be read, is damaged or forged, or was written for another map or
        graph or by another version.

        """

        def check(contents: memoryview) -> None:
            wrong = self._fault(contents, network)
            if not wrong and (found := fault(contents)):
                wrong = f"it is damaged: {found}"
            if wrong:
                raise InputFormatError(
                    f"{wrong}; make it anew with searchkit precompute, or delete it", source=str(path)
                )

        name = f"{self.name}-{self.version}-{network.digest.hex()}"
        return read_shared(path, name, most, own, check)

    def _fault(self, contents: memoryview, network: Network) -> str:
        """Return the error of a file as far as its header shows it, or ""."""
        if len(contents) < SIZE or contents[: len(self.magic)] != self.magic:
            return f"this is not a file of {self.what}, or it was cut short"
        _, order, version, _, _, checksum, digest = HEADER.unpack_from(contents)
        if order != ORDER:
            return "it was made on a machine with another order of bytes"
        if version != self.version:
            return f"it is of version {version} of the format; expected {self.version}"
        if digest != network.digest:
            return "it was made for another map or graph: what it belongs to has changed since"
        if checksum != _checksum([contents[SIZE:]]):
            return "it is damaged: its contents do not fit the checksum in its header"
        return ""


def counts_of(contents: memoryview) -> tuple[int, int]:
    """Return the two numbers of a header that tell the lengths of arrays."""
    _, _, _, one, other, _, _ = HEADER.unpack_from(contents)
    return one, other


def _checksum(parts: list[Any]) -> int:
    checksum = 0
    for part in parts:
        checksum = crc32(part, checksum)
    return checksum
