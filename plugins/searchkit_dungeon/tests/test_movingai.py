"""MovingAI maps: what is read, and the one error of each faulty map, with its line and column."""

from pathlib import Path
from typing import Any

import pytest

from searchkit import draw, load, solve
from searchkit.plugin import InputFormatError, MissingCapabilityError
from searchkit_dungeon.formats.movingai import is_movingai_map, read_movingai_map

HEADER = "type octile\nheight 2\nwidth 3\nmap\n"


def test_reads_passable_and_impassable_cells() -> None:
    """`.` `G` `S` and water can be entered, `@` `O` `T` can't; there is no start, and moves are 8."""
    found = read_movingai_map("m", "type octile\nheight 2\nwidth 4\nmap\n.GS@\nOTW.\n")
    assert [[found.terrain.weight((x, y)) for x in range(4)] for y in range(2)] == [
        [1, 1, 1, 0],
        [0, 0, 1, 1],
    ]
    assert (found.starts, found.goals, found.moves, found.first_line) == ((), (), 8, 5)


@pytest.mark.parametrize(
    ("start", "goal", "cost"),
    [((0, 0), (1, 0), 1), ((3, 0), (4, 1), 1.41421356), ((0, 2), (1, 2), 1), ((1, 1), (3, 1), None)],
)
def test_water_is_passable_but_not_from_land(
    start: Any, goal: Any, cost: float | None, tmp_path: Path
) -> None:
    """No step leads from the one to the other, nor past a corner of the other; it is drawn as water."""
    path = tmp_path / "a.map"
    path.write_text("type octile\nheight 3\nwidth 5\nmap\n..WWW\n..WWW\nSSWWW\n")
    for backend in ("python", "compiled"):
        found = solve(load(path, start=start, goal=goal), "astar", backend=backend).cost
        assert found == (cost and pytest.approx(cost))
    assert "water" in str(draw(load(path, start=start, goal=goal)))
    with pytest.raises(MissingCapabilityError, match="engine 'jps' needs jumps"):
        solve(load(path, start=start, goal=goal), "jps")


def test_octile_corner_maps_have_the_heights_of_corners_before_their_cells(tmp_path: Path) -> None:
    """The last row and the last column of the cells don't count."""
    path = tmp_path / "a.map"
    path.write_text("type octile-corner\nheight 3\nwidth 4\nmap\n2222\n2333\n2222\n.tT.\n..g.\n@@@@\n")
    problem: Any = load(path, start=(0, 0), goal=(2, 1))
    assert (problem.terrain.width, problem.terrain.height) == (3, 2)
    assert solve(problem).cost == 3


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "...\n.@.\n",
        HEADER + "...\n.@.",
        HEADER + "...\n.@.\n\n\n",
        HEADER.replace("\n", "\r\n") + "...\r\n.@.\r\n",
        "height 2\nwidth\t3\n\ntype octile \nmap\n...\n.@.\n",
    ],
)
def test_line_ends_and_the_order_of_the_header_do_not_matter(tmp_path: Path, text: str) -> None:
    """CRLF, no newline at the end, blank lines after the map, header lines in any order."""
    path = tmp_path / "a.map"
    path.write_bytes(text.encode())
    result = solve(load(path, start=(0, 1), goal=(2, 1)))
    assert result.cost == 4
    assert result.solution is not None
    assert result.solution.actions == ("N", "E", "E", "S")


FAULTS = {
    "unknown character": (HEADER + "...\n.x.\n", 6, 2, "unknown character 'x'; expected . G S passable"),
    "row too short": (HEADER + "..\n...\n", 5, 3, "has 2 cells, but the header says width 3"),
    "row too long": (HEADER + "...\n....\n", 6, 4, "has 4 cells, but the header says width 3"),
    "blank row": (HEADER + "\n...\n", 5, 1, "has 0 cells"),
    "too few rows": (
        HEADER + "...\n",
        6,
        1,
        "the file has 1 rows, but its header says height 2; is it truncated?",
    ),
    "cut in a row": (HEADER + "..", 5, 3, "has 2 cells, but the header says width 3"),
    "cut in the last row": (HEADER + "...\n..", 6, 3, "has 2 cells, but the header says width 3"),
    "no rows": (HEADER, 5, 1, "the file has 0 rows"),
    "too many rows": (HEADER + "...\n...\n...\n", 7, 1, "has 3 rows, but its header says height 2"),
    "no height": ("type octile\nwidth 3\nmap\n...\n", 3, 1, "the header has no height"),
    "no width": ("type octile\nheight 1\nmap\n...\n", 3, 1, "the header has no width"),
    "no map line": ("type octile\nheight 1\nwidth 3\n...\n", 4, 1, "'...' is not a line of a header"),
    "ends in the header": ("type octile\nheight 1\n", 3, 1, "ends before the line map"),
    "height not a number": ("type octile\nheight two\nwidth 3\nmap\n...\n", 2, 8, "height is 'two'"),
    "height missing its number": ("type octile\nheight\nwidth 3\nmap\n...\n", 2, 7, "height is ''"),
    "height 0": (
        "type octile\nheight 0\nwidth 3\nmap\n",
        2,
        8,
        "height is '0'; expected a whole number, at least 1",
    ),
    "width negative": ("type octile\nheight 1\n width -3\nmap\n...\n", 3, 8, "width is '-3'"),
    "width of thousands of digits": (
        "type octile\nheight 1\nwidth " + "9" * 5000 + "\nmap\n",
        3,
        7,
        "expected a whole number",
    ),
    "another type": (
        "type hexagonal\nheight 1\nwidth 3\nmap\n...\n",
        1,
        6,
        "type is 'hexagonal'; expected octile",
    ),
    "empty": ("", 1, 1, "the file is empty"),
    "no start": (
        HEADER + "...\n...\n",
        None,
        None,
        "the map has no start: give one with --start X,Y (in Python start=(x, y)",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_map_is_one_error_with_its_place(tmp_path: Path, name: str) -> None:
    """The format is recognised: the error names file, line, column, what was found and what was expected."""
    text, line, column, message = FAULTS[name]
    path = tmp_path / "a.map"
    path.write_text(text)
    with pytest.raises(InputFormatError) as caught:
        load(path)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_start_in_a_wall_is_named_with_its_place_in_the_file(tmp_path: Path) -> None:
    """The header counts."""
    path = tmp_path / "a.map"
    path.write_text(HEADER + "...\n.@.\n")
    with pytest.raises(InputFormatError, match="the start 1,1 is inside a wall") as caught:
        load(path, start=(1, 1), goal=(0, 0))
    assert (caught.value.line, caught.value.column) == (6, 2)


@pytest.mark.parametrize(
    "text",
    ["type of thing\nheight\n", "Types\n", "maps\n", '{"version": 3}', "", "version 1\n", "typed octile\n"],
)
def test_other_texts_are_not_taken_for_maps(text: str) -> None:
    """Only a first line that is a line of the header makes a file a MovingAI map."""
    assert not is_movingai_map(text)
