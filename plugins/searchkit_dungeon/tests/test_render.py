"""Drawings of grids: what is drawn over what, and what stays visible."""

from typing import Any

from hypothesis import given

from searchkit import Search, SearchProblem
from searchkit.plugin import Drawing
from searchkit.render.drawings import still
from searchkit_dungeon import Cell, Grid, grid
from searchkit_dungeon.strategies import grids


def drawn(problem: SearchProblem[Any, Any], path: tuple[Cell, ...], expanded: frozenset[Cell]) -> Drawing:
    """Return the drawing, which there is."""
    drawing = still(problem, path, expanded)
    assert drawing is not None
    return drawing


def glyphs(drawing: Drawing) -> list[str]:
    """Return what a terminal without colours shows."""
    return ["".join(drawing.marks[key].glyph for key in row) for row in drawing.rows]


def test_layers() -> None:
    """Ground, then expanded cells, the path, starts and goals."""
    problem = grid(["S..#", "5..G"])
    path = ((0, 0), (1, 0), (2, 0), (2, 1), (3, 1))
    drawing = drawn(problem, path, frozenset({(0, 0), (1, 0), (0, 1), (1, 1)}))
    assert glyphs(drawing) == ["S●●█", "⁵░●G"]
    assert glyphs(drawn(problem, (), frozenset())) == ["S··█", "5··G"]


def test_marks_hide_neither_weights_nor_one_another() -> None:
    """A start, a goal and the path show what the cell below costs; a start that is a goal is both."""
    problem = grid(["3.59"], start=(0, 0), goal=(3, 0))
    drawing = drawn(problem, ((0, 0), (1, 0), (2, 0), (3, 0)), frozenset())
    assert glyphs(drawing) == ["❸●⑤⓽"]
    labels = [drawing.marks[key].label for key in drawing.rows[0]]
    assert labels == ["start", "path", "path", "goal"]
    both = drawn(grid(["3."], start=[(0, 0), (1, 0)], goal=[(0, 0), (1, 0)]), (), frozenset())
    assert glyphs(both) == ["⑶&"]
    assert [both.marks[key].label for key in both.rows[0]] == ["start and goal"] * 2


@given(grids())
def test_every_search_can_be_drawn(problem: Grid) -> None:
    """The drawing has the size of the map and shows each start or a goal on it, whatever was searched."""
    search = Search(problem)
    solution = search.run().solution
    drawing = drawn(problem, solution.states if solution else (), frozenset(search.tree.expanded_states()))
    assert (drawing.width, drawing.height) == (problem.terrain.width, problem.terrain.height)
    assert all("start" in drawing.marks[drawing.rows[y][x]].label for x, y in problem.starts)
    assert all("goal" in drawing.marks[drawing.rows[y][x]].label for x, y in problem.goals)
    walls = sum(drawing.marks[key].label == "wall" for row in drawing.rows for key in row)
    assert walls == drawing.width * drawing.height - problem.terrain.passable
