"""Text maps: a picture of a map in characters, which people draw by hand."""

import re

from searchkit.plugin import InputFormatError
from searchkit_dungeon.map_file import MapFile, check_row
from searchkit_dungeon.moves import Cell
from searchkit_dungeon.terrain import WALL, Terrain

EXPECTED = "# wall, . floor, S or @ start, G goal, 1 to 9 floor that costs as much to enter"
UNKNOWN = re.compile("[^#.S@G1-9]")
WEIGHTS = {"#": WALL, ".": 1, "S": 1, "@": 1, "G": 1, **{str(digit): digit for digit in range(1, 10)}}
TO_WEIGHTS = bytes(WEIGHTS.get(chr(code), WALL) for code in range(256))
MARKS = {"start": "S or @", "goal": "G"}
LIKELY = 0.5
"""A file is taken for a map if this part of it, blanks left out, are characters of maps."""
SAMPLE = 1 << 16
"""As many characters are looked at."""
LISTING, RARE = 2, 0.2
"""It is not, if it has more words a line than this, and a smaller part of it is walls and plain floor."""


def is_text_map(text: str) -> bool:
    """Whether a text looks like a map, faulty or not: mostly characters of maps, walls or floor among them."""
    text = text[:SAMPLE]
    visible = "".join(text.split())
    foreign = len(UNKNOWN.findall(visible))
    drawn = visible.count("#") + visible.count(".")
    if len(text.split()) > LISTING * len(text.split("\n")) and drawn < RARE * len(visible):
        return False  # a list of numbers, with a decimal point or a comment here and there
    return drawn > 0 and foreign < (1 - LIKELY) * len(visible)


def read_text_map(name: str, text: str) -> MapFile:
    """Return the map that `text` draws. Blank lines before and after it are no part of it.

    Raises `InputFormatError`, with `name`, line and column, for a text without a map, for rows of different
    lengths and for characters that mean nothing.
    """
    lines = text.split("\n")
    drawn = [number for number, line in enumerate(lines) if line.strip()]
    if not drawn:
        raise InputFormatError(
            f"the file is empty; expected a map: {EXPECTED}", source=name, line=1, column=1
        )
    first = drawn[0]
    rows = lines[first : drawn[-1] + 1]
    width = len(rows[0])
    for number, row in enumerate(rows, first + 1):
        check_row(
            name,
            number,
            row,
            UNKNOWN,
            EXPECTED,
            width,
            f"the rows above have {width}; fill it up with # or cut it",
        )
    return MapFile(
        name,
        Terrain([row.encode("ascii").translate(TO_WEIGHTS) for row in rows]),
        first_line=first + 1,
        moves=4,
        starts=_drawn(rows, "S@"),
        goals=_drawn(rows, "G"),
        marks=MARKS,
    )


def _drawn(rows: list[str], marks: str) -> tuple[Cell, ...]:
    return tuple((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark in marks)
