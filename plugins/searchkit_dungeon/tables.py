"""Where the jump table of a terrain comes from: the file beside the map, or it is made, once."""

from searchkit.plugin import MissingCapabilityError
from searchkit.search.auto import is_usable
from searchkit_dungeon.jump_table import LONGEST, JumpTable
from searchkit_dungeon.table_file import path_beside, read_table
from searchkit_dungeon.table_making import make_table
from searchkit_dungeon.terrain import Terrain

LARGE = 10_000
"""On a map of more cells than this, making the table as machine code saves more than importing Numba takes."""


def table_of(terrain: Terrain, corners: str) -> JumpTable:
    """Return the table of a terrain: read from beside its map, or made, at the first use.

    Raises `InputFormatError` where a file lies there that does not fit, and as `make` does.
    """
    _refuse_too_large(terrain)
    name = "jump table", corners
    if name not in terrain.kept:
        path = None if terrain.path is None else path_beside(terrain.path, corners)
        if path is not None and path.exists():
            terrain.kept[name] = read_table(path, terrain, corners, make)
        else:
            terrain.kept[name] = make(terrain, corners)
    table: JumpTable = terrain.kept[name]
    return table


def make(terrain: Terrain, corners: str) -> JumpTable:
    """Return the table of a terrain, made by the faster way there is: both make the same.

    Raises `MissingCapabilityError` where a run may be longer than a table can hold.
    """
    _refuse_too_large(terrain)
    if len(terrain.weights) > LARGE and is_usable():
        from searchkit_dungeon.compiled_jumps.tables import make_table as make_fast

        return make_fast(terrain, corners)
    return make_table(terrain, corners)


def _refuse_too_large(terrain: Terrain) -> None:
    if max(terrain.width, terrain.height) > LONGEST:
        raise MissingCapabilityError(
            f"the map is {terrain.width} wide and {terrain.height} high, and jump distances are kept for at most "
            f"{LONGEST} either way; use engine jps"
        )
