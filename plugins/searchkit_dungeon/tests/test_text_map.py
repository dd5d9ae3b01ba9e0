"""Text maps: what is read, and the one error of each faulty map, with its line and column."""

from pathlib import Path
from typing import Any

import pytest

from searchkit import load, solve
from searchkit.plugin import InputFormatError
from searchkit_dungeon import grid
from searchkit_dungeon.formats.text import is_text_map, read_text_map


def error_of(tmp_path: Path, text: str, **options: object) -> InputFormatError:
    """Return the error of loading a file with this text as a dungeon."""
    path = tmp_path / "map.txt"
    path.write_bytes(text.encode())
    with pytest.raises(InputFormatError) as caught:
        load(path, "dungeon", **options)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    return caught.value


def test_reads_walls_weights_starts_and_goals() -> None:
    """Each character has its meaning, and S, @ and G stand on plain floor."""
    found = read_text_map("m", "S.#\n@4G\n")
    assert (found.terrain.width, found.terrain.height, found.moves) == (3, 2, 4)
    assert [[found.terrain.weight((x, y)) for x in range(3)] for y in range(2)] == [[1, 1, 0], [1, 4, 1]]
    assert found.starts == ((0, 0), (0, 1))
    assert found.goals == ((2, 1),)


@pytest.mark.parametrize("text", ["S.G", "\n\nS.G\n\n \n", "S.G\r\n", "\ufeffS.G\n"])
def test_blank_lines_and_line_ends_are_no_part_of_the_map(tmp_path: Path, text: str) -> None:
    """CRLF, a byte order mark, and blank lines around the map are accepted."""
    path = tmp_path / "map.txt"
    path.write_bytes(text.encode())
    assert solve(load(path)).cost == 2


FAULTS = {
    "ragged: too short": ("#####\n#S.G#\n###\n", 3, 4, "has 3 cells, the rows above have 5"),
    "ragged: too long": ("####\n#SG##\n####\n", 2, 5, "has 5 cells, the rows above have 4"),
    "ragged: blank line": ("####\n\n#SG#\n", 2, 1, "has 0 cells"),
    "unknown character": ("####\n#SG#\n#.x#\n", 3, 3, "unknown character 'x'; expected # wall, . floor"),
    "weight 0": ("####\n#S0G\n", 2, 3, "unknown character '0'"),
    "trailing space": ("#### \n#SG#\n", 1, 5, "unknown character ' '"),
    "not ASCII": ("####\n#SéG\n", 2, 3, "unknown character 'é'"),
    "after blank lines": ("\n\n####\n#S?#\n", 4, 3, "unknown character '?'"),
    "empty": ("", 1, 1, "the file is empty"),
    "blank": (" \n\n", 1, 1, "the file is empty"),
    "no start": ("...\n..G\n", None, None, "has no start: draw one as S or @, or give one with --start X,Y"),
    "no goal": ("...\n..S\n", None, None, "has no goal: draw one as G, or give one with --goal X,Y"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_map_is_one_error_with_its_place(tmp_path: Path, name: str) -> None:
    """The error names the file, the line, the column, what was found and what was expected."""
    text, line, column, message = FAULTS[name]
    error = error_of(tmp_path, text)
    assert (error.line, error.column) == (line, column)
    assert message in str(error)


PLACES: dict[str, tuple[dict[str, Any], int | None, int | None, str]] = {
    "start in a wall": ({"start": (0, 1)}, 4, 1, "the start 0,1 is inside a wall"),
    "goal in a wall": ({"goal": "1,1;2,0"}, 3, 3, "the goal 2,0 is inside a wall"),
    "start off the map": (
        {"start": (3, 1)},
        None,
        None,
        "the start 3,1 is off the map, which is 3 wide and 2 high",
    ),
    "goal off the map": ({"goal": (0, -1)}, None, None, "expected x from 0 to 2 and y from 0 to 1"),
    "start=()": ({"start": ()}, None, None, "the map has no start"),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_start_or_goal_nobody_can_stand_in_is_named(tmp_path: Path, name: str) -> None:
    """A cell inside a wall is named with the line and column of the wall; one off the map with the map's size."""
    options, line, column, message = PLACES[name]
    error = error_of(tmp_path, "\n\nSG#\n#..\n", **options)
    assert (error.line, error.column) == (line, column)
    assert message in str(error)


def test_options_stand_for_the_marks_of_the_map() -> None:
    """A start and a goal given replace those drawn; goal=() leaves none, for distance maps."""
    given = grid("S.G", start=(1, 0), goal=[(0, 0), (2, 0)])
    assert given.starts == ((1, 0),)
    assert given.goals == ((0, 0), (2, 0))
    assert grid("S.G", goal=()).goals == ()
    assert grid("S..", goal=()).heuristic((0, 0)) == 0


def test_the_python_factory_takes_indented_text_and_rows() -> None:
    """A text in source code may be indented; a list of rows is a map too; errors give line and column."""
    text = """
        S.#
        ..G
    """
    assert solve(grid(text)).cost == solve(grid(["S.#", "..G"])).cost == 3
    with pytest.raises(InputFormatError, match=r"^line 2, column 3: unknown character 'x'"):
        grid(["S.#", "..x"])


@pytest.mark.parametrize(
    "text",
    [
        '{"map": [[1, 2], [3, 4]]}',
        "# A title\n\nSome prose. It ends with a full stop...\n",
        "#!/usr/bin/env python\n# comment\nimport os\nprint(os.name)\n",
        "type: thing\n",
        "1,2,3\n4,5,6\n",
        "12345\n",
        "",
        "\n\n",
    ],
)
def test_other_texts_are_not_taken_for_maps(text: str) -> None:
    """JSON, prose, source code, tables, numbers."""
    assert not is_text_map(text)


@pytest.mark.parametrize("text", ["####\n#SG#\n", "S.G", "....\n.5x.\n", "9999\n9.S9\n"])
def test_maps_are_taken_for_maps_even_if_faulty(text: str) -> None:
    """So that the user gets a message about their faults."""
    assert is_text_map(text)
