"""Text maps: maps drawn in characters. Reading them, writing them, and showing them in a `repr`."""

import re
from collections.abc import Iterable, Sequence
from textwrap import dedent

from searchkit.plugin import InputFormatError
from searchkit_dungeon.formats.map_file import MapFile, check_rows
from searchkit_dungeon.terrain import WALL, Cell, Terrain

EXPECTED = "# wall, . floor, S or @ start, G goal, 1 to 9 floor that costs as much to enter"
UNKNOWN = re.compile("[^#.S@G1-9]")
WEIGHTS = {"#": WALL, ".": 1, "S": 1, "@": 1, "G": 1, **{str(digit): digit for digit in range(1, 10)}}
TO_WEIGHTS = bytes(WEIGHTS.get(chr(code), WALL) for code in range(256))
DIGITS = re.compile("[1-9]{2,}")
MARKS = {"start": "S or @", "goal": "G"}
LIKELY = 0.5
"""A text is taken for a map if at least this share of its characters, without white space, are characters of maps."""
SAMPLE = 1 << 16
"""The number of characters that are examined."""
LISTING, RARE = 2, 0.2
"""A text with more words per line than this, and with a smaller share of `#` and `.` than that, is not a map."""


def is_text_map(text: str) -> bool:
    """Whether a text looks like a map, valid or not: it has walls or floor, and most characters are those of maps."""
    text = text[:SAMPLE]
    if text.lstrip().startswith("%") or "$" in text:
        return False  # a layout of Pac-Man, a level of Sokoban
    rows = text.split()
    if len(rows) > 1 and all(len(row) == len(rows[0]) and DIGITS.fullmatch(row) for row in rows):
        return len(rows) == len(text.strip().split("\n"))  # floor and nothing else
    visible = "".join(text.split())
    foreign = len(UNKNOWN.findall(visible))
    drawn = visible.count("#") + visible.count(".")
    if len(text.split()) > LISTING * len(text.split("\n")) and drawn < RARE * len(visible):
        return False  # a list of numbers, with a decimal point or a comment here and there
    return drawn > 0 and foreign < (1 - LIKELY) * len(visible)


def read_rows(map: str | Iterable[str]) -> MapFile:
    """Return the map that one text, which may be indented, or a list of rows draws; as `read_text_map`."""
    text = dedent(map) if isinstance(map, str) else "\n".join(map)
    return read_text_map("", "\n".join(text.splitlines()))


def read_text_map(name: str, text: str) -> MapFile:
    """Return the map that `text` draws. Blank lines before and after the map are ignored.

    Raises `InputFormatError`, with `name`, line and column, if the text has no map, if rows differ in
    length, and if a character is unknown.
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
    contrast = f"the rows above have {width}; fill it up with # or cut it"
    check_rows(name, first + 1, rows, UNKNOWN, EXPECTED, width, contrast)
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


GROUND = "#.23456789"
"""The character of each weight: wall, then floor by its cost."""
TO_GROUND = GROUND.encode("ascii").ljust(256, b"?")
WIDEST, TALLEST = 110, 60
"""The width and the height of the largest map that a `repr` shows."""


def map_text(terrain: Terrain, starts: Sequence[Cell] = (), goals: Sequence[Cell] = ()) -> str:
    """Return the rows of a text map, each followed by a newline.

    Starts are drawn over goals, and both over the ground.
    """
    text = bytearray(terrain.weights.translate(TO_GROUND))
    for mark, cells in (("G", goals), ("S", starts)):
        for x, y in cells:
            text[y * terrain.stride + x] = ord(mark)
    return "".join(f"{row.decode('ascii')}\n" for row in terrain.rows(text))


def written_map(
    terrain: Terrain, starts: Sequence[Cell], goals: Sequence[Cell], in_order: bool = True
) -> tuple[str, dict[str, object]] | None:
    """Return a text map, and the options `start` and `goal` for the starts and goals that are not drawn in it.

    Starts (or goals) become an option if drawing them would lose information: if a cell below one costs more than 1 to
    enter, if a start is a goal, or, with `in_order`, if they are not in the order of the rows. Returns None if costs
    are not 1 to 9, and if there is water.
    """
    if terrain.costs is not terrain.weights or max(terrain.weights) >= len(GROUND) or terrain.water:
        return None
    options: dict[str, object] = {}
    for name, cells, others in (("start", starts, goals), ("goal", goals, starts)):
        seen = all(terrain.weight(cell) == 1 and cell not in others for cell in cells)
        ordered = not in_order or sorted(cells, key=lambda cell: (cell[1], cell[0])) == list(cells)
        if not (cells and seen and ordered):
            options[name] = cells[0] if len(cells) == 1 else tuple(cells)
    drawn = [() if name in options else cells for name, cells in (("start", starts), ("goal", goals))]
    return map_text(terrain, *drawn), options


def map_repr(
    name: str,
    terrain: Terrain,
    starts: Sequence[Cell],
    goals: Sequence[Cell],
    facts: Iterable[str],
    rows: str | None = None,
) -> str:
    """Return the `repr` of a problem on a map: a line with `name` and `facts`, and below it the map or `rows`.

    Starts and goals are listed in the first line if they would hide a weight or one another on the map. A map of more
    than 110 × 60 cells is not shown.
    """
    head = [f"{name} {terrain.width}x{terrain.height}", *facts]
    if terrain.width > WIDEST or terrain.height > TALLEST:
        return f"<{', '.join([*head, f'{len(starts)} starts', f'{len(goals)} goals'])}>"
    written = written_map(terrain, starts, goals, in_order=False)
    hidden = {} if written is None else written[1]
    head += [f"{option} {cells}" for option, cells in hidden.items() if cells != ()]
    drawn = map_text(terrain, starts, goals) if written is None else written[0]
    return f"<{', '.join(head)}>\n{rows or drawn}".rstrip("\n")
