"""The file of a jump table: it lies beside the map, is copied into memory, and is refused where it does not fit.

A header of 128 bytes, then the table as it is in memory, in the byte order of the machine that made it. Machine code
goes where the numbers of a table lead it, so every one of them is checked, and nobody can change them afterwards.
"""

from collections.abc import Callable
from hashlib import sha256
from importlib.util import find_spec
from mmap import mmap
from pathlib import Path
from struct import Struct
from zlib import crc32

from searchkit.plugin import InputFormatError, read_bytes
from searchkit_dungeon.jumps.table import JumpTable
from searchkit_dungeon.terrain import PASSABLE, Terrain

FORMAT = 1
"""Rises whenever the same map would make another table."""
MAGIC = b"searchkit jumps\n"
ORDER = 0x01020304
"""Reads as another number on a machine with another byte order."""
HEADER = Struct("=16sIIIII32s8s")
SIZE = 128
"""How long the header is, filled up with zeros."""
LARGE = 10_000
"""On a map of more cells than this, checking a table as arrays saves more than importing numpy takes."""
LARGEST_FOREIGN = 2**28
"""A file of more bytes than this is not read to say what is wrong with it, unless a table of the map is as large."""


def path_beside(map_path: Path, corners: str) -> Path:
    """Return where the table of a map lies: `arena.map.no.jumps`."""
    return map_path.with_name(map_path.name + suffix(corners))


def suffix(corners: str) -> str:
    """Return the end of the name of a table's file."""
    return f".{corners}.jumps"


def written(terrain: Terrain, corners: str, table: JumpTable) -> list[bytes]:
    """Return the file of a table."""
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
    """Return the table in a file, copied into memory: a file that changes later changes no search.

    All of its numbers are checked: with numpy in a quarter of the time that it takes to make them; without, or on a
    small map, they are compared with those that `make` returns.

    Raises `InputFormatError` if it can't be read, is damaged or forged, or was made for another map, another rule of
    corners or by another version.
    """
    expected = SIZE + 64 * len(terrain.weights)
    contents = memoryview(read_bytes(path, max(expected, LARGEST_FOREIGN)))
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
    memory = mmap(-1, expected)  # begins a page: each cell's bytes are in one line of a cache
    memory.write(contents)
    return JumpTable(memoryview(memory).toreadonly()[SIZE:])


def _fault(mapped: memoryview, terrain: Terrain, corners: str) -> str:
    """Say what is wrong with a file; "" for nothing."""
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
    """Return the digest of which cells can be entered."""
    return sha256(terrain.weights.translate(PASSABLE)).digest()
