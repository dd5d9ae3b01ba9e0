"""Reading Sokoban, Rush Hour and Klotski from files, and writing them."""

import re
from collections.abc import Mapping
from typing import Any

from searchkit.plugin import InputFormatError, InvalidOptionError, ProblemSpec, Source, Written
from searchkit_classics.blocks.klotski import Klotski
from searchkit_classics.blocks.level import is_levels, read_level
from searchkit_classics.blocks.pieces import EXPECTED, WIDEST, read_pieces
from searchkit_classics.blocks.rushhour import RushHour, read_board
from searchkit_classics.blocks.sokoban import METRICS, Sokoban
from searchkit_classics.blocks.specs import SPECS

BOARD = re.compile(r"\s*(\d+\s+)?([A-Zox.]{36})(\s+\d+)?\s*")
"""A line of a database of Rush Hour: the fewest moves, the board, the states; or the board alone."""


def read_sokoban(source: Source, level: int, metric: str, heuristic: str, deadlocks: str) -> Sokoban:
    """Return a level of a file. Raises `InputFormatError` if it is faulty."""
    return METRICS[metric](read_level(source.name, source.text, level), heuristic, deadlocks)


def is_boards(text: str) -> bool:
    """Whether a text looks like boards of Rush Hour in one line each, valid or not: the first has two As in a row."""
    lines = _lines(text)
    found = BOARD.fullmatch(lines[0][1]) if lines else None
    return found is not None and "AA" in found[2]


def read_rush_hour(source: Source, board: int, **options: Any) -> RushHour:
    """Return a board of a file. Raises `InputFormatError` if it is faulty."""
    number, lines = board, _lines(source.text)
    boards = [(line, BOARD.fullmatch(text)) for line, text in lines]
    faulty = [line for line, found in boards if found is None]
    if faulty and (len(faulty) < len(boards) or len(lines[0][1]) > WIDEST):
        raise InputFormatError(
            f"this line is not a board; expected its 36 cells, {EXPECTED}", source=source.name, line=faulty[0]
        )
    if faulty or not boards:  # the rows of one board
        first, many = _first(source, lines), 1
        rows = "\n".join(text for _, text in lines)
    else:
        many = len(boards)
        first, found = boards[min(max(number, 1), many) - 1]
        rows = found[2] if found else ""
    if not 1 <= number <= many:
        few = "only one board" if many == 1 else f"{many} boards, from 1 on"
        raise InvalidOptionError(f"board={number}: {source.name} holds {few}")
    read_board(source.name, rows, first)
    return RushHour(rows, **options)


def read_klotski(source: Source, **options: Any) -> Klotski:
    """Return the board in a file. Raises `InputFormatError` if it is faulty."""
    lines = _lines(source.text)
    rows = [text.strip() for _, text in lines]
    read_pieces(source.name, _first(source, lines), rows)
    return Klotski("\n".join(rows), **options)


def _lines(text: str) -> list[tuple[int, str]]:
    """Return the lines that are not blank, without comments, with their numbers."""
    lines = [(number, line.partition("#")[0].rstrip()) for number, line in enumerate(text.split("\n"), 1)]
    return [(number, line) for number, line in lines if line]


def _first(source: Source, lines: list[tuple[int, str]]) -> int:
    """Return the number of the first row. Raises `InputFormatError` if the rows do not follow one another."""
    if not lines:
        raise InputFormatError(
            "the file is empty; expected the rows of a board", source=source.name, line=1, column=1
        )
    first = lines[0][0]
    if lines[-1][0] - first >= len(lines):
        gap = next(first + place for place, (number, _) in enumerate(lines) if number != first + place)
        raise InputFormatError(
            "expected the rows of one board, without a gap, or boards in one line each",
            source=source.name,
            line=gap,
        )
    return first


def _spec(name: str) -> ProblemSpec:
    return next(spec for spec in SPECS if spec.name == name)


def write(problem: Any) -> Written | None:
    """Return a problem of these kinds as text with options; None for any other problem."""
    given: dict[str, object]
    if type(problem) in METRICS.values():
        kind, text = "sokoban", str(problem.level)
        metric = next(name for name, made in METRICS.items() if type(problem) is made)
        given = {"metric": metric, "heuristic": problem.heuristic_name, "deadlocks": problem.deadlocks_name}
    elif type(problem) is RushHour:
        kind, text = "rushhour", "".join(f"{row}\n" for row in problem.rows(problem.start))
        given = {"metric": problem.metric, "heuristic": problem.heuristic_name}
    elif type(problem) is Klotski:
        kind, text = "klotski", "".join(f"{row}\n" for row in problem.board.split("\n"))
        given = {"metric": problem.metric, "heuristic": problem.heuristic_name, "exit": problem.exit}
    else:
        return None
    defaults = _spec(kind).parse({})
    return Written(kind, text, {name: value for name, value in given.items() if value != defaults[name]})


FILES: Mapping[str, Mapping[str, Any]] = {
    "sokoban": {
        "read": read_sokoban,
        "suffixes": (".xsb", ".sok"),
        "recognise": lambda source, options: is_levels(source.text),
        "write": write,
    },
    "rushhour": {
        "read": read_rush_hour,
        "recognise": lambda source, options: is_boards(source.text),
        "write": write,
    },
    "klotski": {"read": read_klotski, "write": write},
}
