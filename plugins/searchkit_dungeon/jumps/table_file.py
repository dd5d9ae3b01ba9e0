"""Files of jump tables. A file lies beside its map, is checked when it is read, and is rejected if it does not fit.

A file is a header of 128 bytes and the table as it is in memory, in the byte order of the machine that wrote it. All
numbers are checked here. Processes share the memory of a table, which somebody could change later: so machine code
checks that a run ends on the map, and that each step of a path is possible.
"""

from collections.abc import Callable
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from struct import Struct
from zlib import crc32

from searchkit.compiled.shared import read_shared
from searchkit.plugin import InputFormatError
from searchkit_dungeon.jumps.table import JumpTable
from searchkit_dungeon.terrain import PASSABLE, Terrain

FORMAT = 1
"""The version. It is incremented when the same map gives another table, or when the check changes."""
MAGIC = b"searchkit jumps\n"
ORDER = 0x01020304
"""An integer that shows the byte order of the machine."""
HEADER = Struct("=16sIIIII32s8s")
SIZE = 128
"""The length of the header, padded with zeros."""
LARGE = 10_000
"""On a map with more cells than this, checking a table by numpy saves more time than importing numpy takes."""
LARGEST_FOREIGN = 2**28
"""The largest file that is read to find its error, unless the table of the map is larger."""


def path_beside(map_path: Path, corners: str) -> Path:
    """Return the path of the table of a map, such as `arena.map.no.jumps`."""
    return map_path.with_name(map_path.name + suffix(corners))


def suffix(corners: str) -> str:
    """Return the suffix of table files for a corner rule."""
    return f".{corners}.jumps"


def written(terrain: Terrain, corners: str, table: JumpTable) -> list[bytes]:
    """Return the contents of the file of a table, in parts."""
    header = HEADER.pack(
        MAGIC,
        ORDER,
        FORMAT,
        terrain.width,
        terrain.height,
        crc32(table.data),
        _digest(terrain),
        corners.encode(),
    )
    return [header.ljust(SIZE, b"\0"), bytes(table.data)]


def read_table(
    path: Path, terrain: Terrain, corners: str, make: Callable[[Terrain, str], JumpTable]
) -> JumpTable:
    """Return the table in a file; processes share its memory: see `read_shared`.

    All numbers are checked, unless the same file has been checked on this machine before: with numpy, in a quarter of
    the time that computing them takes; without numpy, or on a small map, by comparison with the table that `make`
    returns.

    Raises `InputFormatError` if the file can't be read, is damaged or forged, or was written for another map, another
    corner rule or by another version.
    """

    def check(contents: memoryview) -> None:
        fault = _fault(contents, terrain, corners)
        if not fault:
            if len(terrain.weights) > LARGE and find_spec("numpy") is not None:
                from searchkit_dungeon.jumps.compiled.checking import fault_of

                found = fault_of(contents[SIZE:], terrain, corners)
            else:
                same = contents[SIZE:] == make(terrain, corners).data.cast("B")
                found = "" if same else "its distances are not those that the map makes"
            fault = found and f"it is damaged: {found}"
        if fault:
            raise InputFormatError(
                f"{fault}; make it anew with searchkit precompute, or delete it", source=str(path)
            )

    expected = SIZE + 64 * len(terrain.weights)
    name = f"jumps-{FORMAT}-{corners}-{terrain.width}-{terrain.height}-{_digest(terrain).hex()}"
    table = read_shared(path, name, max(expected, LARGEST_FOREIGN), 0, check)
    return JumpTable(
        table.memory[SIZE:], table
    )  # page-aligned, so the bytes of each cell are in one cache line


def _fault(mapped: memoryview, terrain: Terrain, corners: str) -> str:
    """Return the error of a file, or ""."""
    if len(mapped) < SIZE or mapped[: len(MAGIC)] != MAGIC:
        return "this is not a file of jump distances, or it was cut short"
    _, order, version, width, height, checksum, digest, rule = HEADER.unpack_from(mapped)
    if order != ORDER:
        return "it was made on a machine with another order of bytes"
    if version != FORMAT:
        return f"it is of version {version} of the format; expected {FORMAT}"
    if rule.rstrip(b"\0") != corners.encode():
        return f"it was made for corners={rule.rstrip(bytes(1)).decode(errors='replace')}; expected corners={corners}"
    if (width, height, digest) != (terrain.width, terrain.height, _digest(terrain)):
        return "it was made for another map: the cells have changed since"
    expected = SIZE + 64 * len(terrain.weights)
    if len(mapped) != expected:
        return f"it has {len(mapped)} bytes; expected {expected}: was it cut short?"
    if checksum != crc32(mapped[SIZE:]):
        return "it is damaged: its contents do not fit the checksum in its header"
    return ""


def _digest(terrain: Terrain) -> bytes:
    """Return the digest of the set of cells that can be entered."""
    return sha256(terrain.weights.translate(PASSABLE)).digest()
