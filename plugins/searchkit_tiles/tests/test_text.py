"""Boards as text: rows, lists, what is wrong with them, and back again."""

from io import StringIO

import pytest
from hypothesis import given

from searchkit import load
from searchkit.plugin import InputFormatError
from searchkit.plugin.loading import write
from searchkit.plugin.places import places_of
from searchkit.render.drawings import still
from searchkit_tiles import SlidingTiles
from searchkit_tiles.files import Instance, is_board, read_instances
from searchkit_tiles.strategies import boards


def test_rows() -> None:
    """Blank lines, comments and any spaces between the numbers."""
    text = "# mine\n\n 3 1  2 # first\n\t0 4 5\n\n"
    assert read_instances("", text) == [Instance(3, 2, (3, 1, 2, 0, 4, 5))]


def test_lists() -> None:
    """A size, then a board in each line, with the length of a shortest solution or without."""
    text = "2x2 # width x height\n0 1 2 3 = 0\n\n1 0 2 3=9".replace("3=9", "3 = 1")
    assert read_instances("", text) == [Instance(2, 2, (0, 1, 2, 3), 0), Instance(2, 2, (1, 0, 2, 3), 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: line 1, column 1: the file is empty; expected rows of numbers"),
        ("1 0\n2", "f: line 2, column 2: this row has 1 numbers, and the first has 2"),
        ("1 0\n2 3 4", "f: line 2, column 5: this row has 3 numbers, and the first has 2"),
        ("1 0\n2 4", "f: line 2, column 3: '4'; expected a number from 0, the blank, to 3"),
        ("1 0\n2 -1", "f: line 2, column 3: '-1'; expected"),
        ("1 0\n2 x", "f: line 2, column 3: 'x'; expected"),
        (
            "1 0\n2 1",
            "f: line 2, column 3: 1 is here and at line 1, column 1; expected each number once, and 3",
        ),
        ("2x2", "f: line 1: no board follows the size; expected a line of 4 numbers"),
        ("0x2\n1", "f: line 1: expected a size such as 4x4 alone in its line, at least 1x1"),
        ("2x2 5\n1", "f: line 1: expected a size such as 4x4 alone in its line"),
        ("2x2\n0 1 2", "f: line 2, column 5: 3 numbers; expected 4 for a board of 2x2"),
        ("2x2\n0 1 2 3 4", "f: line 2, column 9: 5 numbers; expected 4"),
        ("2x2\n= 4", "f: line 2, column 1: 0 numbers; expected 4"),
        ("2x2\n0 1 2 3 =", "f: line 2, column 9: expected one number after ="),
        ("2x2\n0 1 2 3 = x", "f: line 2, column 9: expected one number after ="),
        ("2x2\n0 1 2 3\n0 1 1 3", "f: line 3, column 5: 1 is here and at line 3, column 3"),
    ],
)
def test_faulty_texts(text: str, message: str) -> None:
    """The error names the place."""
    with pytest.raises(InputFormatError) as error:
        read_instances("f", text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("0 1", True),
        ("2x2\n0 1 2 3 = 4", True),
        ("2x2\n0 1 1 3", True),
        ("1 2 3\n4 4 5\n6 7 0", True),
        ("0 1\n1 1", False),
        ("1 2\n2 3", False),
        ("1163\n1381", False),
        ("S.G", False),
        ("2x2", False),
        ("", False),
    ],
)
def test_telling_boards_from_other_texts(text: str, known: bool) -> None:
    """Numbers are a board if they are valid, follow a size, or have one number twice; others are read if declared."""
    assert is_board(text) is known
    if not known:
        with pytest.raises(InputFormatError):
            load(StringIO(text), "tiles")


@given(boards())
def test_what_is_written_is_read_again(problem: SlidingTiles) -> None:
    """The same board, goal and heuristic."""
    written = write(problem)
    assert written is not None
    again = load(StringIO(written.text), None, **written.options)
    assert again == problem


def test_drawing() -> None:
    """The last board of the path; numbers in columns, those in order in a colour of their own."""
    problem = SlidingTiles(4, 3, (1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10))
    drawing = still(problem)
    assert drawing is not None
    assert ["".join(drawing.marks[mark].glyph for mark in row) for row in drawing.rows] == [
        " 1  ·  2  3",
        " 4  5  6  7",
        " 8  9 11 10",
    ]
    green = [mark for row in drawing.rows for mark in row if drawing.marks[mark].colour == "#3ddc84"]
    assert len(green) == 8
    last = still(problem, [problem.tiles, problem.goal])
    assert last is not None
    assert last.rows[0] == " _  b  c  d"
    assert places_of(problem).label(problem.tiles) == " 1  ·  2  3\n 4  5  6  7\n 8  9 11 10"
