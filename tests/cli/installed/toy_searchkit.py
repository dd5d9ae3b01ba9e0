"""A plugin for the tests of the command line: small problems that end in every way a search can end.

Its files begin with the name of the kind: `field` (a map with `#`, `.`, `S` and `G`; costs 1, a heuristic),
`line` (`line FROM TO`: counting up and down without a heuristic), `odd` (states that JSON can't hold) and
`faulty` (its successors raise). `square`, an empty field, is made without a file.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from searchkit import Example, Parameter, ProblemSpec, SearchProblem, hookimpl
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.plugin import CommandSpec, Drawing, Mark, Places, Query, Scenario, Source

Cell = tuple[int, int]
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
HERE = Path(__file__).parent


class Field(SearchProblem[Cell, str]):
    """A map with four moves."""

    def __init__(self, rows: Sequence[str], starts: Sequence[Cell], goals: Sequence[Cell]):
        self.rows, self.starts, self.goals = rows, starts, goals

    def initial_states(self) -> Sequence[Cell]:
        return self.starts

    def successors(self, state: Cell) -> Iterable[tuple[str, Cell]]:
        for name, (dx, dy) in STEPS.items():
            x, y = state[0] + dx, state[1] + dy
            if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]) and self.rows[y][x] != "#":
                yield name, (x, y)

    def is_goal(self, state: Cell) -> bool:
        return state in self.goals

    def heuristic(self, state: Cell) -> int:
        return min(abs(x - state[0]) + abs(y - state[1]) for x, y in self.goals)


class Line(SearchProblem[int, str]):
    """Counting, one by one, from one number to another; endless where the other is not a whole number."""

    def __init__(self, first: int, last: float):
        self.first, self.last = first, last

    def initial_states(self) -> list[int]:
        return [self.first]

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("up", state + 1), ("down", state - 1)]

    def is_goal(self, state: int) -> bool:
        return state == self.last


class Odd(SearchProblem[frozenset[int] | tuple[float, str], Fraction]):
    """States, actions and costs that JSON has no form for."""

    def __init__(self, last: Fraction):
        self.last = last

    def initial_states(self) -> list[frozenset[int]]:
        return [frozenset([1])]

    def successors(
        self, state: frozenset[int] | tuple[float, str]
    ) -> list[tuple[Fraction, tuple[float, str]]]:
        return [(self.last, (inf, "end"))]

    def is_goal(self, state: frozenset[int] | tuple[float, str]) -> bool:
        return state == (inf, "end")

    def cost(self, state: object, action: Fraction, successor: object) -> Fraction:
        return action


class Faulty(SearchProblem[int, str]):
    """A problem whose successors raise."""

    def initial_states(self) -> list[int]:
        return [1]

    def successors(self, state: int) -> list[tuple[str, int]]:
        raise ZeroDivisionError("by nought")

    def is_goal(self, state: int) -> bool:
        return False


def read_cell(value: object) -> Cell:
    """Read `x,y`."""
    x, y = str(value).split(",")
    return int(x), int(y)


def read_cells(values: object) -> list[Cell]:
    """Read one `x,y`, or a list of them."""
    return [read_cell(value) for value in (values if isinstance(values, list) else [values])]


def faulty_ones() -> Any:
    """Return a strategy."""
    from hypothesis import strategies as st

    return st.builds(Faulty)


def short_lines() -> Any:
    """Draw lines of one step at most: a strategy that shows nothing."""
    from hypothesis import strategies as st

    return st.builds(Line, st.just(0), st.integers(0, 1))


START = Parameter("start", "start cells", convert=read_cells)
GOAL = Parameter("goal", "goal cells", convert=read_cells)
PAINT = Parameter("paint", "how it is drawn", default="plain", choices=("plain", "raising", "colourless"))
SIZE = Parameter("size", "cells of a side", default=3, convert=int)
LEGEND = Parameter("legend", "a file that nothing is read from", file=True)
TIES = Parameter("ties", "an option that engines have too", default="none")


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the kinds."""
    return [
        ProblemSpec(
            "square",
            "an empty field",
            square,
            (SIZE, LEGEND),
            (Example("yard", None, "a larger square", {"size": 5}),),
            group="made of nothing",
            instance=square,
        ),
        ProblemSpec(
            "field",
            "a map",
            Field,
            (START, GOAL, PAINT),
            (Example("meadow", HERE / "meadow.txt", "a small field"),),
            read=read_field,
            formats=(begins("field"),),
            scenario=read_scenario,
            places=places,
        ),
        ProblemSpec(
            "line",
            "counting",
            Line,
            (TIES,),
            strategies={"lines": "toy_searchkit:short_lines"},
            read=lambda source, ties: Line(int(source.text.split()[1]), float(source.text.split()[2])),
            formats=(begins("line"),),
        ),
        ProblemSpec(
            "odd",
            "states that JSON can't hold",
            Odd,
            read=lambda source: Odd(Fraction(source.text.split()[1])),
            formats=(begins("odd"),),
        ),
        ProblemSpec(
            "faulty",
            "raises",
            Faulty,
            (Parameter("silent", ""),),
            strategies={"faults": "toy_searchkit:faulty_ones"},
            read=lambda source, silent: Faulty(),
            formats=(begins("faulty"),),
        ),
    ]


@hookimpl
def searchkit_commands() -> list[CommandSpec]:
    """Return a command."""
    return [CommandSpec("starts", "Count the start states of a problem.", "toy_commands:starts")]


def square(size: int, legend: str | None = None) -> Field:
    """Return an empty field from corner to corner."""
    if size < 1:
        raise InvalidOptionError(f"size={size}: expected at least 1")
    if size > 9:
        raise RuntimeError("out of space")
    field = Field(["." * size] * size, [(0, 0)], [(size - 1, size - 1)])
    field.paint = "plain"  # type: ignore[attr-defined]
    return field


def find(rows: Sequence[str], mark: str) -> list[Cell]:
    """Return the cells with this mark."""
    return [(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == mark]


def read_field(source: Source, start: list[Cell] | None, goal: list[Cell] | None, paint: str) -> Field:
    """Read a map."""
    rows = source.text.splitlines()[1:]
    starts, goals = start or find(rows, "S"), goal or find(rows, "G")
    if not starts:
        raise InputFormatError("there is no start; expected a cell S, or --start", source=source.name, line=1)
    for x, y in starts:
        if not (0 <= y < len(rows) and 0 <= x < len(rows[y])):
            raise InvalidOptionError(f"start {x},{y} is off the map")
    field = Field(rows, starts, goals or [(-1, -1)])
    field.paint = paint  # type: ignore[attr-defined]
    return field


def begins(kind: str) -> Callable[..., bool]:
    """Return a function that says whether a file begins with the name of a kind."""
    return lambda source, options: source.text.split()[:1] == [kind]


def read_scenario(source: Source, map: str | None) -> Scenario | None:
    """Read a scenario: `scenario MAP`, then lines of `x,y x,y cost`."""
    lines = source.text.splitlines()
    if not lines or not lines[0].startswith("scenario"):
        return None
    path = Path(map) if map else source.path.with_name(lines[0].split()[1])
    rows = Source(path).text.splitlines()[1:]
    queries = [
        Query(number, read_cell(start), read_cell(goal), float(cost), 0.5)
        for number, line in enumerate(lines[1:], 2)
        for start, goal, cost in [line.split()]
    ]
    return Scenario(str(path), queries, lambda query: Field(rows, [query.start], [query.goal]))  # type: ignore[list-item]


def places(problem: Field) -> Places[Cell]:
    """Return the cells of a field."""
    if problem.paint == "raising":  # type: ignore[attr-defined]
        raise RuntimeError("out of paint")
    mark = partial(Mark, colour="nothing" if problem.paint == "colourless" else "#808080")  # type: ignore[attr-defined]
    marks = {
        "#": mark("#", label="wall"),
        ".": mark("."),
        "S": Mark("S", "#00ff00", "start", 3),
        "G": Mark("G", "#ff0000", "goal", 3),
        "+": Mark("+", "#ffff00", "path", 2),
        "o": Mark("o", "#0000ff", "expanded", 1),
    }
    rows = [list(row) for row in problem.rows]
    for cells, key in ((problem.starts, "S"), (problem.goals, "G")):
        for x, y in cells:
            if (x, y) != (-1, -1):
                rows[y][x] = key
    ground = Drawing(tuple("".join(row) for row in rows), marks)
    return Places(ground, cells=lambda cell: [cell], expanded={".": "o"}, path={".": "+"})
