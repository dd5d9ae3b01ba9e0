"""MovingAI maps, the format of the pathfinding benchmarks (Sturtevant 2012).

Four header lines, `type octile`, `height H`, `width W` and `map`, then H rows of W characters. Water is passable, but
not from land. In maps of the type `octile-corner`, H rows with the heights of W corners come first, and the last row
and the last column of the cells, which have no corner behind them, don't count.
"""

import re
from functools import partial

from searchkit.plugin import InputFormatError
from searchkit_dungeon.formats.map_file import MapFile, check_rows
from searchkit_dungeon.terrain import WALL, Terrain

FLOOR, WATER, WALLS = ".GS", "W", "@OT"
EXPECTED = ". G S passable, W water, @ O T not"
UNKNOWN = re.compile(f"[^{FLOOR}{WATER}{WALLS}]")
CORNERS, EXPECTED_CORNERS = (re.compile("[^0-9A-Za-z:;<=>?]"), "the height of a corner, a digit")
TO_WEIGHTS = bytes(1 if chr(code) in FLOOR + WATER else WALL for code in range(256))
TO_WATER = bytes(chr(code) in WATER for code in range(256))
HEADER_LINE = re.compile(r"\s*(type|height|width)(\s+\S+)?\s*|\s*map\s*")
CORNER_TYPE = "octile-corner"
SIZE = "a whole number, at least 1", re.compile(r"0{0,9}[1-9][0-9]{0,8}")
EXPECTED_VALUES = {
    "type": ("octile or octile-corner", re.compile(f"octile|{CORNER_TYPE}")),
    "height": SIZE,
    "width": SIZE,
}
"""The keys of header lines, with what their values have to be."""


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
    check_rows(name, begin + 1, rows[:height], UNKNOWN, EXPECTED, width, contrast)
    if len(rows) != height:
        advice = "is it truncated?" if len(rows) < height else "correct the one or the other"
        message = f"the file has {len(rows)} rows, but its header says height {height}; {advice}"
        line = min(begin + height, len(lines)) + 1
        raise InputFormatError(message, source=name, line=line, column=1)
    cells = [row[: width - corners].encode("ascii") for row in rows[: height - corners]]
    terrain = Terrain(
        [row.translate(TO_WEIGHTS) for row in cells], [row.translate(TO_WATER) for row in cells]
    )
    return MapFile(name, terrain, first_line=begin + 1, moves=8)


def _read_header(name: str, lines: list[str]) -> tuple[int, int, int, bool]:
    """Return the height, the width, the index of the line after the header, and whether there are corners."""
    values: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        fault = partial(InputFormatError, source=name, line=number)
        key, value = (*line.split(maxsplit=1), "", "")[:2]
        key, value = key.strip(), value.strip()
        if key == "map" and not value:
            for size in ("height", "width"):
                if size not in values:
                    message = f"the header has no {size}; expected a line such as {size} 512 before this one"
                    raise fault(message, column=1)
            return (int(values["height"]), int(values["width"]), number, values.get("type") == CORNER_TYPE)
        if key not in EXPECTED_VALUES and key:
            raise fault(
                f"{line[:20]!r} is not a line of a header; expected type, height, width, and then map before the rows",
                column=line.find(key) + 1,
            )
        expected, pattern = EXPECTED_VALUES.get(key, ("", re.compile("")))
        if not pattern.fullmatch(value):
            rest = line[line.index(key) + len(key) :]
            column = len(line) - len(rest.lstrip()) + 1
            raise fault(f"{key} is {value!r}; expected {expected}", column=column)
        values[key] = value
    message = "the file ends before the line map, which begins the rows; is it truncated?"
    raise InputFormatError(message, source=name, line=len(lines) + 1, column=1)
