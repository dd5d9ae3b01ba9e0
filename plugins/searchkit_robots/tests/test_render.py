"""Drawings of robots and their paths."""

from hypothesis import given

from searchkit import solve
from searchkit.plugin import Drawing
from searchkit.render.drawings import frames, still
from searchkit_robots import MultiAgentGrid, robots
from searchkit_robots.strategies import agents


def glyphs(drawing: Drawing) -> list[str]:
    """Return the rows as a terminal without colours shows them."""
    return ["".join(drawing.marks[key].glyph for key in row) for row in drawing.rows]


def test_each_path_has_its_colour() -> None:
    """Starts are letters, goals capitals, paths dots; everything of one robot has one hue."""
    problem = robots(["....", ".#..", "...."], [((0, 0), (3, 0)), ((0, 2), (2, 2))])
    result = solve(problem, "cbs")
    assert result.solution is not None
    drawing = still(problem, result.solution.states)
    assert drawing is not None
    assert glyphs(drawing) == ["a••A", "·█··", "b•B·"]
    colours = [{drawing.marks[drawing.rows[y][1]].colour} for y in (0, 2)]
    assert colours[0] != colours[1]


def test_a_start_on_the_goal_of_another_robot_shows_both() -> None:
    """A letter in a circle, the start's, in the colour of the robot that goes there; the legend names both."""
    problem = robots(["....", "#.##"], [((0, 0), (3, 0)), ((3, 0), (1, 0))])
    drawing = still(problem)
    assert drawing is not None
    assert glyphs(drawing)[0] == "aB·ⓑ"
    marks = [drawing.marks[key] for key in drawing.rows[0]]
    assert marks[3].label == "start of b, goal of A"
    assert marks[3].colour == marks[0].colour != marks[1].colour


@given(agents())
def test_whatever_was_found_can_be_drawn(problem: MultiAgentGrid) -> None:
    """The drawing has the size of the map, with a plan or without; so has each frame."""
    result = solve(problem, "lacam")
    path = result.solution.states if result.solution else ()
    drawing = still(problem, path)
    assert drawing is not None
    for one in (drawing, *frames(problem, path)):
        assert (one.width, one.height) == (problem.terrain.width, problem.terrain.height)
