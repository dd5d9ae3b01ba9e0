"""How the options of a grid problem are read."""

import pytest

from searchkit.plugin import InvalidOptionError, UnknownNameError
from searchkit_dungeon.options import parse


@pytest.mark.parametrize(
    ("value", "cells"),
    [
        ("3,4", [(3, 4)]),
        (" 3 , 4 ", [(3, 4)]),
        ("(3, 4)", [(3, 4)]),
        ("3,4;5,6", [(3, 4), (5, 6)]),
        ((3, 4), [(3, 4)]),
        ([3, 4], [(3, 4)]),
        ([(3, 4)], [(3, 4)]),
        ([(3, 4), (5, 6)], [(3, 4), (5, 6)]),
        ([[3, 4], [5, 6], [7, 8]], [(3, 4), (5, 6), (7, 8)]),
        (["3,4"], [(3, 4)]),
        (["3,4", "5,6;7,8"], [(3, 4), (5, 6), (7, 8)]),
        ((cell for cell in [(3, 4), (5, 6)]), [(3, 4), (5, 6)]),
        ("-1,4", [(-1, 4)]),
        ((), []),
        ([], []),
    ],
)
def test_cells_in_all_their_forms(value: object, cells: list[tuple[int, int]]) -> None:
    """What the command line passes, what Python passes, one or many, none."""
    assert parse({"start": value})["start"] == tuple(cells)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "3",
        "3;4",
        "3,4,5",
        "a,b",
        "3,4;",
        "1.5,2",
        7,
        None,
        (1.5, 2),
        (1, 2, 3),
        [3],
        [(1, 2), 3],
        {"x": 1},
    ],
)
def test_what_is_not_a_cell_is_refused(value: object) -> None:
    """The error names the option, the value and the form that is expected."""
    with pytest.raises(InvalidOptionError, match=r"^goal=.*expected .*goal is the goal cell, X,Y"):
        parse({"goal": value})


@pytest.mark.parametrize(("value", "moves"), [(4, 4), ("8", 8)])
def test_moves(value: object, moves: int) -> None:
    """4 or 8, as a number or as text."""
    assert parse({"moves": value})["moves"] == moves


@pytest.mark.parametrize(
    "options",
    [
        {"moves": 6},
        {"moves": "six"},
        {"moves": 4.0},
        {"corners": "round"},
        {"corners": True},
        {"heuristic": "best"},
    ],
)
def test_values_that_are_none_of_the_choices(options: dict[str, object]) -> None:
    """Each is one error that names the option."""
    with pytest.raises(InvalidOptionError, match=f"^{next(iter(options))}="):
        parse(options)


def test_defaults_and_unknown_options() -> None:
    """Options that are left out have their defaults; the error for an unknown option lists the valid ones."""
    assert parse({}) == {
        "moves": None,
        "corners": "no",
        "lengths": "real",
        "heuristic": None,
        "start": None,
        "goal": None,
    }
    with pytest.raises(
        UnknownNameError,
        match=r"no option 'goals': did you mean goal\? Its options are moves, corners, lengths, heuristic, start, goal",
    ):
        parse({"goals": "1,1"})
