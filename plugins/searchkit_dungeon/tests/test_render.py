"""Drawings of grids: what is drawn over what, and what stays visible."""

from typing import Any

from hypothesis import given

from searchkit import Search, SearchProblem, load, problem_from
from searchkit.plugin import Drawing
from searchkit.render.drawings import still
from searchkit_dungeon import Cell, Grid, grid, searchkit_places
from searchkit_dungeon.render import EXPANDED, GROUND
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


def test_glyphs_are_distinct_without_colours() -> None:
    """Marks with different meanings look different; colours distinguish even more."""
    drawing = drawn(grid(["S.23456789#G"]), (), frozenset())
    meaning = {mark.glyph: mark.label for mark in drawing.marks.values()}
    labels = {mark.label for mark in drawing.marks.values()}
    assert set(meaning.values()) == labels
    assert {"wall", "floor", "costs 9", "expanded", "start", "goal", "start and goal", "path"} <= labels
    assert len(meaning) == len(drawing.marks)
    ground = [mark.colour for key, mark in drawing.marks.items() if key in GROUND + EXPANDED]
    assert len(set(ground)) == len(ground)


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


def test_expanded_ground_keeps_the_shade_of_its_weight() -> None:
    """In colours the terrain shows through what was expanded."""
    drawing = drawn(grid(["S.9G"]), (), frozenset({(1, 0), (2, 0)}))
    plain, heavy = (drawing.marks[drawing.rows[0][x]] for x in (1, 2))
    assert plain.label == heavy.label == "expanded"
    assert plain.colour != heavy.colour


def test_ranks_keep_the_path_and_its_ends_visible() -> None:
    """Where cells share a place, starts and goals come before the path, and the path before all ground."""
    marks = drawn(grid(["S.#G"]), (), frozenset()).marks.values()
    rank = {mark.label: mark.rank for mark in marks}
    assert (
        min(rank["start"], rank["goal"]) > rank["path"] > max(rank["wall"], rank["floor"], rank["expanded"])
    )


def test_walls_of_rooms_are_kept_and_scattered_ones_are_not() -> None:
    """Scaled down, rooms keep their walls; a quarter of random walls would cover everything."""

    def ranks(name: str) -> tuple[int, int]:
        rank = {mark.label: mark.rank for mark in drawn(load(name), (), frozenset()).marks.values()}
        return rank["wall"], rank["floor"]

    assert ranks("rooms512") == (1, 0)
    assert ranks("random512") == ranks("maze512") == (0, 0)


def test_other_problems_are_not_drawn() -> None:
    """They are left to the plugins that know them."""
    other: SearchProblem[Cell, str] = problem_from([(0, 0)], lambda state: [], lambda state: True)
    assert searchkit_places(other) is None


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
