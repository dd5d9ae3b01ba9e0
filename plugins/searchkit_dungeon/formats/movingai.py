"""MovingAI maps, the format of the pathfinding benchmarks (Sturtevant 2012).

Four header lines, `type octile`, `height H`, `width W` and `map`, then H rows of W characters. Water is passable, but
not from land. In maps of the type `octile-corner`, H rows with the heights of W corners come first, and the last row
and the last column of the cells, which have no corner behind them, don't count.
"""

import re

from searchkit.plugin import InputFormatError
from searchkit_dungeon.formats.map_file import MapFile, check_rows
from searchkit_dungeon.terrain import WALL, Terrain

FLOOR, WATER, WALLS = ".GS", "W", "@OT"
EXPECTED = ". G S passable, W water, @ O T not"
UNKNOWN = re.compile(f"[^{FLOOR}{WATER}{WALLS}]")
CORNERS, EXPECTED_CORNERS = re.compile("[^0-9A-Za-z:;<=>?]"), "the height of a corner, a digit"
TO_WEIGHTS = bytes(1 if chr(code) in FLOOR + WATER else WALL for code in range(256))
TO_WATER = bytes(chr(code) in WATER for code in range(256))
HEADER_LINE = re.compile(r"\s*(type|height|width)(\s+\S+)?\s*|\s*map\s*")
NUMBER = re.compile(r"0{0,9}[1-9][0-9]{0,8}")


def is_movingai_map(text: str) -> bool:
    """Whether a text begins like a MovingAI map, valid or not."""
    return HEADER_LINE.fullmatch(text.lstrip("\n").partition("\n")[0]) is not None


def read_movingai_map(name: str, text: str) -> MapFile:
    """Return the map. It has no start and no goal, and 8 moves.

    Raises `InputFormatError`, with `name`, line and column, if the header is incomplete, if it contradicts
    the rows, and if a character is unknown.
    """
    lines = text.rstrip("\n").split("\n")
    height, width, begin, corners = _read_header(name, lines)
    contrast = f"but the header says width {width}; correct the one or the other"
    if corners:
        check_rows(name, begin + 1, lines[begin : begin + height], CORNERS, EXPECTED_CORNERS, width, contrast)
        begin += height
        lines = [line.upper() for line in lines]  # small letters are cells of two halves
    rows = lines[begin:]
    if len(rows) < height:
        raise InputFormatError(
            f"the file ends after {len(rows)} rows, but its header says height {height}; is it truncated?",
            source=name,
            line=len(lines) + 1,
            column=1,
        )
    check_rows(name, begin + 1, rows[:height], UNKNOWN, EXPECTED, width, contrast)
    if len(rows) > height:
        raise InputFormatError(
            f"the file has {len(rows)} rows, but its header says height {height}; correct the one or the other",
            source=name,
            line=begin + height + 1,
            column=1,
        )
    cells = [row[: width - corners].encode("ascii") for row in rows[: height - corners]]
    terrain = Terrain(
        [row.translate(TO_WEIGHTS) for row in cells], [row.translate(TO_WATER) for row in cells]
    )
    return MapFile(name, terrain, first_line=begin + 1, moves=8)


def _read_header(name: str, lines: list[str]) -> tuple[int, int, int, bool]:
    """Return the height, the width, the index of the line after the header, and whether there are corners."""
    corners = False
    sizes: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        key, *values = line.split() or [""]
        if key == "map" and not values:
            for size in ("height", "width"):
                if size not in sizes:
                    raise InputFormatError(
                        f"the header has no {size}; expected a line such as {size} 512 before this one",
                        source=name,
                        line=number,
                        column=1,
                    )
            return sizes["height"], sizes["width"], number, corners
        column = line.find(key) + 1
        if key in ("height", "width"):
            if len(values) != 1 or not NUMBER.fullmatch(values[0]):
                raise InputFormatError(
                    f"{key} is {' '.join(values)!r}; expected a whole number, at least 1",
                    source=name,
                    line=number,
                    column=_column_of_value(line, key),
                )
            sizes[key] = int(values[0])
        elif key == "type":
            corners = values == ["octile-corner"]
            if values != ["octile"] and not corners:
                raise InputFormatError(
                    f"the map's type is {' '.join(values)!r}; expected octile or octile-corner",
                    source=name,
                    line=number,
                    column=_column_of_value(line, key),
                )
        elif key:
            raise InputFormatError(
                f"{line[:20]!r} is not a line of a header; expected type, height, width and then map, "
                "which begins the rows",
                source=name,
                line=number,
                column=column,
            )
    raise InputFormatError(
        "the file ends before the line map, which begins the rows; is it truncated?",
        source=name,
        line=len(lines) + 1,
        column=1,
    )


def _column_of_value(line: str, key: str) -> int:
    """Return the column of the value after `key`, or of the end of the line if there is no value."""
    rest = line[line.index(key) + len(key) :]
    return len(line) - len(rest.lstrip()) + 1
