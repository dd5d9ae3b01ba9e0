"""From files and texts to grids with regions. The maps are read by `searchkit_dungeon`."""

from collections.abc import Iterable, Mapping
from operator import index
from textwrap import dedent
from typing import Any

from searchkit.plugin import InputFormatError, Parameter, Source, parse_options
from searchkit_corridor.depths import MOST, clearance, flat
from searchkit_corridor.grid import CorridorGrid
from searchkit_dungeon.loading import read_map
from searchkit_dungeon.map_file import MapFile
from searchkit_dungeon.options import cells
from searchkit_dungeon.text_map import read_text_map


def at_least(least: int) -> Any:
    """Return the reader of whole numbers from `least` up."""

    def read(value: Any) -> int:
        number = int(value) if isinstance(value, str) else index(value)
        if number < least:
            raise ValueError(f"expected a whole number, at least {least}")
        return number

    return read


PARAMETERS = (
    Parameter(
        "cell", "the side of the blocks that are the regions, in cells", default=4, convert=at_least(1)
    ),
    Parameter(
        "depth",
        "what a path keeps as much of as it can: none, clearance (steps from the nearest wall or edge) "
        "or digits (1 to 9 on the map are depths, not costs)",
        default="none",
        choices=("none", "clearance", "digits"),
    ),
    Parameter(
        "start", "the cell to start in, X,Y (several: X,Y;X,Y); stands for the map's own", convert=cells
    ),
    Parameter("goal", "the cell to reach, X,Y (several: X,Y;X,Y); stands for the map's own", convert=cells),
)
OWN = ("cell", "depth")
"""Options that only this plugin has: whoever gives one wants a grid with regions."""


def parse(options: Mapping[str, object]) -> dict[str, Any]:
    """Read the options, defaults filled in. Raises `UnknownNameError`, `InvalidOptionError`."""
    defaults = {parameter.name: parameter.default for parameter in PARAMETERS}
    return defaults | parse_options("problem 'corridor'", PARAMETERS, options)


def corridor_grid(map: str | Iterable[str], **options: object) -> CorridorGrid:
    """Return the problem that a text map draws, with regions.

    Args:
        map: the map, as one text or as a list of rows: `#` wall, `.` floor, `S` or `@` start, `G` goal.
        options: `cell`, `depth`, `start` and `goal`, as for a file.

    Raises:
        InputFormatError: the map is faulty, or floor costs more than 1.
        UnknownNameError, InvalidOptionError: no such option, or a value that it can't have.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_corridor import corridor_grid
        >>> solve(corridor_grid(["S.#G", "....", ".##."], cell=2), "corridor").cost
        5

    """
    text = dedent(map) if isinstance(map, str) else "\n".join(map)
    return with_regions(read_text_map("", "\n".join(text.splitlines())), parse(options))


def load(source: Source, format: str | None, options: Mapping[str, object]) -> CorridorGrid | None:
    """Return the problem in a file; None where the file is no map, or nothing says that regions are wanted."""
    certain = format == "corridor"
    if not certain and (format is not None or not options.keys() & set(OWN)):
        return None
    map_file = read_map(source, certain)
    return None if map_file is None else with_regions(map_file, parse(options))


def with_regions(map_file: MapFile, options: Mapping[str, Any]) -> CorridorGrid:
    """Return the problem on a map that was read."""
    grid = map_file.problem({**options, "moves": 4, "corners": "no", "lengths": "real"})
    terrain, depth, depths = grid.terrain, options["depth"], None
    if depth == "digits":
        digits = bytearray(terrain.weights)
        for x, y in (*map_file.starts, *map_file.goals):
            digits[y * terrain.stride + x] = MOST  # a cell drawn as S or G has no digit, and limits nothing
        depths, terrain = bytes(digits), flat(terrain) if terrain.weighted else terrain
    elif terrain.weighted:
        raise InputFormatError(
            "this map has floor that costs more than 1, and a corridor counts steps; "
            "read the digits as depths with depth=digits, or solve it with another engine as problem dungeon",
            source=map_file.source,
        )
    elif depth == "clearance":
        depths = clearance(terrain)
    return CorridorGrid(terrain, grid.starts, grid.goals, options["cell"], depths)
