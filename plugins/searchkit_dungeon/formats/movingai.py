"""MovingAI maps, the format of the pathfinding benchmarks (Sturtevant 2012).

Four header lines, `type octile`, `height H`, `width W` and `map`, then H rows of W characters.
"""

import re

from searchkit.plugin import InputFormatError
from searchkit_dungeon.formats.map_file import MapFile, check_rows
from searchkit_dungeon.terrain import WALL, Terrain

FLOOR, WALLS = ".GS", "@OTW"
EXPECTED = ". G S passable, @ O T W not"
UNKNOWN = re.compile(f"[^{FLOOR}{WALLS}]")
TO_WEIGHTS = bytes(1 if chr(code) in FLOOR else WALL for code in range(256))
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
    height, width, begin = _read_header(name, lines)
    rows = lines[begin:]
    if len(rows) < height:
        raise InputFormatError(
            f"the file ends after {len(rows)} rows, but its header says height {height}; is it truncated?",
            source=name,
            line=len(lines) + 1,
            column=1,
        )
    contrast = f"but the header says width {width}; correct the one or the other"
    check_rows(name, begin + 1, rows[:height], UNKNOWN, EXPECTED, width, contrast)
    if len(rows) > height:
        raise InputFormatError(
            f"the file has {len(rows)} rows, but its header says height {height}; correct the one or the other",
            source=name,
            line=begin + height + 1,
            column=1,
        )
    terrain = Terrain([row.encode("ascii").translate(TO_WEIGHTS) for row in rows])
    return MapFile(name, terrain, first_line=begin + 1, moves=8)


def _read_header(name: str, lines: list[str]) -> tuple[int, int, int]:
    """Return the height, the width and the index of the line after the header."""
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
            return sizes["height"], sizes["width"], number
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
            if values != ["octile"]:
                raise InputFormatError(
                    f"the map's type is {' '.join(values)!r}; expected octile, the only one that can be read",
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
