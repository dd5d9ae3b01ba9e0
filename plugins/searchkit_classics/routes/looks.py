"""How the routes look: a map with roads, a street, and two words that have to become one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import Any

from searchkit.plugin import Cell, Drawing, Mark, Places, Route, picture
from searchkit_classics.routes.romania import LENGTHS, TOWNS, Romania
from searchkit_classics.routes.tram import Tram
from searchkit_classics.routes.wordladder import WordLadder

LETTER, BLANK = "#d7dae0", Mark(" ", "#1b1f27")
PLACE, ROAD, WALKED, EXPANDED, ON_PATH, START, GOAL = "\x01\x02\x03\x04\x05\x06\x07"
MARKS = {
    " ": BLANK,
    ROAD: Mark("·", "#5c6370", "road"),
    WALKED: Mark("•", "#ffd23f", "path", rank=3),
    PLACE: Mark("○", "#9aa3b2", "town", rank=2),
    EXPANDED: Mark("◎", "#2f74c0", "expanded", rank=2),
    ON_PATH: Mark("●", "#ffd23f", rank=3),
    START: Mark("S", "#3ddc84", "start", rank=4),
    GOAL: Mark("G", "#ff5c7a", "goal", rank=4),
}
"""Keys of the map; names and lengths have their letters as keys."""
WEST, NORTH, SCALE = 91, 571, 7
"""The coordinates of the upper left corner, and those of a column; a row is twice as high."""


def romania(problem: Romania) -> Places[str]:
    """Return the map with the names of the towns and the lengths of the roads."""
    points = {
        town: (round((x - WEST) / SCALE), round((NORTH - y) / SCALE / 2)) for town, (x, y) in TOWNS.items()
    }
    canvas = {}
    for one, other in LENGTHS:
        canvas.update(dict.fromkeys(between(points[one], points[other]), ROAD))
    for (one, other), length in LENGTHS.items():
        if one < other:
            line = list(between(points[one], points[other]))
            write(canvas, line[len(line) // 2], str(length))
    for town, (x, y) in points.items():
        write(canvas, (x + 1, y), town)
    canvas.update({points[town]: PLACE for town in TOWNS} | {points[problem.start]: START})
    canvas[points[problem.goal]] = GOAL
    width, height = (1 + max(cell[axis] for cell in canvas) for axis in (0, 1))
    rows = ["".join(canvas.get((x, y), " ") for x in range(width)) for y in range(height)]
    letters = {key: Mark(key, LETTER) for row in rows for key in row if key not in MARKS}

    def routes(path: Sequence[str]) -> list[Route]:
        cells = [points[path[0]]]
        for one, other in pairwise(path):
            cells += [*between(points[one], points[other]), points[other]]
        return [Route(cells, {ROAD: WALKED, PLACE: ON_PATH})]

    return Places(
        Drawing(rows, MARKS | letters),
        cells=lambda town: (points[town],),
        expanded={PLACE: EXPANDED},
        routes=routes,
        position=lambda town: TOWNS[town],
    )


def between(one: Cell, other: Cell) -> Iterator[Cell]:
    """Yield the cells of a line without its ends, the same in both directions."""
    (left, top), (right, bottom) = min(one, other), max(one, other)
    steps = max(right - left, abs(bottom - top))
    for step in range(1, steps):
        yield round(left + (right - left) * step / steps), round(top + (bottom - top) * step / steps)


def write(canvas: dict[Cell, str], at: Cell, text: str) -> None:
    """Write a text from left to right."""
    canvas.update({(at[0] + place, at[1]): letter for place, letter in enumerate(text)})


STREET = {
    ".": Mark("·", "#3b414d", "block"),
    "x": Mark("░", "#2f74c0", "expanded", rank=1),
    "*": Mark("●", "#ffd23f", "path", rank=2),
    "S": Mark("S", "#3ddc84", "start", rank=3),
    "G": Mark("G", "#ff5c7a", "goal", rank=3),
}


def tram(problem: Tram) -> Places[int]:
    """Return the street from left to right; as a graph, an arc on which rides are chords."""
    ends = "S" + "." * (problem.n - 2) + "G"

    def position(block: int) -> tuple[float, float]:
        angle = pi * (block - 1) / max(problem.n - 1, 1)
        return -cos(angle), sin(angle)

    return Places(
        Drawing([ends[: problem.n]], STREET),
        cells=lambda block: ((block - 1, 0),),
        expanded={".": "x"},
        path={".": "*"},
        position=position,
    )


TYPE = {
    **{letter: Mark(letter, "#9aa3b2") for letter in "abcdefghijklmnopqrstuvwxyz"},
    **{
        letter: Mark(letter.lower(), "#3ddc84", "letter of the last word")
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    },
}
"""Keys of letters; those in their places have capital letters as keys."""


def wordladder(problem: WordLadder) -> Places[str]:
    """Return the word, with the letters that the last word has there in another colour."""
    others = {letter: Mark(letter, "#9aa3b2") for letter in problem.letters if letter not in TYPE}

    def rows(word: str) -> list[str]:
        pairs = zip(word, problem.goal, strict=True)
        return ["".join(one.upper() if one == other and one in TYPE else one for one, other in pairs)]

    return picture(rows, problem.start, TYPE | others, label=str)


LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {Romania: romania, Tram: tram, WordLadder: wordladder}
