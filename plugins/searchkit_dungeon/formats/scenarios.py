"""MovingAI scenarios: queries on a map with their published lengths (Sturtevant 2012).

A line `version 1`, then one line for each query, with fields separated by tabs or spaces:
bucket, map, width, height, start x, start y, goal x, goal y, length.
"""

import re
from decimal import Decimal, InvalidOperation
from functools import partial
from math import inf
from pathlib import Path, PurePosixPath
from typing import NoReturn

from attrs import frozen

from searchkit.plugin import InputFormatError, Query, file_in, shortened
from searchkit_dungeon.terrain import Terrain

VERSION = re.compile(r"\s*version\s+(\S+)\s*")
FIELDS = ("bucket", "map", "width", "height", "start x", "start y", "goal x", "goal y", "length")
WHOLE = re.compile(r"[0-9]{1,9}")


@frozen
class Line:
    """A line with a query, before its map is read."""

    source: str
    number: int
    words: tuple[str, ...]
    columns: tuple[int, ...]

    def fail(self, field: int, message: str) -> NoReturn:
        """Raise `InputFormatError` for a field."""
        raise InputFormatError(message, source=self.source, line=self.number, column=self.columns[field])

    def whole(self, field: int) -> int:
        """Return a field as a whole number."""
        if not WHOLE.fullmatch(self.words[field]):
            self.fail(field, f"{FIELDS[field]} is {self.words[field]!r}; expected a whole number")
        return int(self.words[field])

    @property
    def map_name(self) -> str:
        """The file name of the map; scenarios contain the path on their author's computer."""
        return PurePosixPath(self.words[1].replace("\\", "/")).name


def is_scenario(text: str) -> bool:
    """Whether a text begins like a scenario, valid or not."""
    return VERSION.fullmatch(text.lstrip("\n").partition("\n")[0]) is not None


def read_scenario_lines(name: str, text: str) -> list[Line]:
    """Return the lines with queries. Raises `InputFormatError` if a line does not have nine fields."""
    lines, begun = [], False
    for number, line in enumerate(text.split("\n"), 1):
        fault = partial(InputFormatError, source=name, line=number)
        version = None if begun else VERSION.fullmatch(line)
        begun = begun or bool(line.strip())
        if version and version[1] not in ("1", "1.0"):
            raise fault(f"the scenario's version is {version[1]!r}; expected 1", column=version.start(1) + 1)
        if version or not line.strip():
            continue
        matches = list(re.finditer(r"[^\t]+" if line.count("\t") == len(FIELDS) - 1 else r"\S+", line))
        if len(matches) != len(FIELDS):
            ends = [match.start() for match in matches[len(FIELDS) :]] or [len(line.rstrip())]
            message = f"the line has {len(matches)} fields; expected {len(FIELDS)}: {', '.join(FIELDS)}"
            raise fault(message, column=ends[0] + 1)
        columns = tuple(match.start() + 1 for match in matches)
        lines.append(Line(name, number, tuple(match[0].strip() for match in matches), columns))
    if not lines:
        message = f"the file holds no query; expected lines of {', '.join(FIELDS)}"
        raise InputFormatError(message, source=name, line=1, column=1)
    return lines


def find_scenario_map(lines: list[Line], folder: Path, option: str) -> Path:
    """Return the path of the map that all lines name, a file in `folder`.

    Raises `InputFormatError` if the file does not exist or is outside the folder; the message mentions `option`, by
    which the user can name another file.
    """
    first = lines[0]
    for line in lines:
        if line.map_name != first.map_name:
            line.fail(
                1,
                f"the map is {line.map_name}, but that of line {first.number} is {first.map_name}; expected one map",
            )
    try:
        return file_in(folder, first.map_name)
    except ValueError as error:
        first.fail(1, f"the map {shortened(first.map_name)} {error}; say where it is with {option}")


def read_scenario_queries(lines: list[Line], terrain: Terrain) -> list[Query]:
    """Return the queries. Raises `InputFormatError` if a line is faulty or is of a map of another size.

    A start or a goal may be inside a wall or off the map: there is no path then.
    """
    return [_query(line, terrain) for line in lines]


def _query(line: Line, terrain: Terrain) -> Query:
    for field, of_map, word in ((2, terrain.width, "wide"), (3, terrain.height, "high")):
        if line.whole(field) != of_map:
            line.fail(
                field,
                f"{FIELDS[field]} is {line.whole(field)}, but the map is {of_map} {word}; is it the right map?",
            )
    start, goal = ((line.whole(field), line.whole(field + 1)) for field in (4, 6))
    expected, tolerance = _length(line)
    if expected == 0 and start != goal:
        expected = inf  # that is how these files say that there is no path
    return Query(line.number, start, goal, expected, tolerance)


def _length(line: Line) -> tuple[float, float]:
    """Return the length and its tolerance, half a unit of its last digit.

    A length without a decimal point is exact: these files write 6 for 6.00000, and a tolerance of half a step would
    hide errors.
    """
    word = line.words[8]
    try:
        length = Decimal(word)
    except InvalidOperation:
        length = Decimal(-1)
    if not (length.is_finite() and length >= 0 and float(length) < inf):
        line.fail(8, f"length is {shortened(word)!r}; expected a number, at least 0")
    exponent = length.as_tuple().exponent
    assert isinstance(exponent, int)
    return float(length), 0.5 * 10.0**exponent if exponent < 0 else 0.0
