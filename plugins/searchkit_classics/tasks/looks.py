"""How the tasks look: squares with dirt, jugs with water, and all states as a graph."""

from collections.abc import Callable, Mapping
from itertools import product
from math import cos, pi, sin
from typing import Any

from searchkit.plugin import Mark, Places, picture
from searchkit_classics.tasks.jugs import Jugs
from searchkit_classics.tasks.vacuum import State as World
from searchkit_classics.tasks.vacuum import Vacuum

WALL, CLEAN, DIRT, CLEANER = "#.*V"
ROOM = {
    WALL: Mark("█", "#9aa3b2"),
    CLEAN: Mark(" ", "#2a2f3a", "clean"),
    DIRT: Mark("*", "#b5793c", "dirt", rank=1),
    CLEANER: Mark("V", "#4cc9f0", "cleaner", rank=2),
}


MOST_SQUARES = 6
"""Longer rows have too many states for a graph."""


def vacuum(problem: Vacuum) -> Places[World]:
    """Return the squares in a row; as a graph, the more dirt the higher."""

    def rows(state: World) -> list[str]:
        at, dirty = state
        line = WALL * (2 * problem.squares + 1)
        cleaner = WALL + "".join(
            (CLEANER if at == square else CLEAN) + WALL for square in range(problem.squares)
        )
        dirt = WALL + "".join((DIRT if is_dirty else CLEAN) + WALL for is_dirty in dirty)
        return [line, cleaner, dirt, line]

    def label(state: World) -> str:
        at, dirty = state
        squares = ("V" * (at == square) + "*" * is_dirty or " " for square, is_dirty in enumerate(dirty))
        return f"[{'|'.join(squares)}]"

    def position(state: World) -> tuple[float, float]:
        at, dirty = state
        alike = [other for other in worlds if sum(other) == sum(dirty)]
        middle = (len(alike) - 1) / 2
        return (alike.index(dirty) - middle) * (problem.squares + 1) + at, 1.3 * sum(dirty)

    small = problem.squares <= MOST_SQUARES
    worlds = sorted(product((True, False), repeat=problem.squares), reverse=True) if small else []
    return picture(rows, next(iter(problem.initial_states())), ROOM, label, position if small else None)


GLASS, EMPTY, WATER, OUTSIDE = "|_~ "
JUGS = {
    GLASS: Mark("█", "#9aa3b2", "jug"),
    EMPTY: Mark(" ", "#2a2f3a"),
    WATER: Mark("▒", "#2f9ee0", "water", rank=1),
    OUTSIDE: Mark(" ", "#14171c"),
}
WIDE, TALLEST = 3, 24
"""The width of a jug inside, and the most rows of a drawing; larger jugs are scaled down."""


def jugs(problem: Jugs) -> Places[tuple[int, ...]]:
    """Return the jugs as bars; as a graph, the litres as coordinates: at right angles, or at 60° (Tweedie 1939)."""
    most = max(problem.sizes)
    height = min(most, TALLEST)

    def rows(state: tuple[int, ...]) -> list[str]:
        found = []
        for level in range(height, -1, -1):
            row = OUTSIDE
            for litres, size in zip(state, problem.sizes, strict=True):
                if level == 0:
                    row += GLASS * (WIDE + 2) + OUTSIDE
                elif level > -(-size * height // most):
                    row += OUTSIDE * (WIDE + 3)
                else:
                    inside = WATER if level <= -(-litres * height // most) else EMPTY
                    row += GLASS + inside * WIDE + GLASS + OUTSIDE
            found.append(row)
        return found

    def position(state: tuple[int, ...]) -> tuple[float, float]:
        if len(state) == 2:
            return state
        angles = [pi / 3 * jug for jug in range(len(state) - 1)]
        return (
            sum(litres * cos(angle) for litres, angle in zip(state[1:], angles, strict=True)),
            sum(litres * sin(angle) for litres, angle in zip(state[1:], angles, strict=True)),
        )

    return picture(
        rows,
        next(iter(problem.initial_states())),
        JUGS,
        lambda state: " ".join(map(str, state)),
        position if len(problem.sizes) == 2 or (len(problem.sizes) == 3 and not problem.tap) else None,
    )


LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {Vacuum: vacuum, Jugs: jugs}
