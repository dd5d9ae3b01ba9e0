"""How the options of a grid problem are read."""

from typing import Any

import pytest

from searchkit.plugin import InvalidOptionError
from searchkit_dungeon import grid

ROWS = ["....", "....", "...."]


@pytest.mark.parametrize(
    ("value", "cells"),
    [
        ("3,1", [(3, 1)]),
        (" ( 3 , 1 ) ", [(3, 1)]),
        ("3,1;0,2", [(3, 1), (0, 2)]),
        ([3, 1], [(3, 1)]),
        ([(3, 1)], [(3, 1)]),
        ([[3, 1], [0, 2]], [(3, 1), (0, 2)]),
        (["3,1", "0,2;1,1"], [(3, 1), (0, 2), (1, 1)]),
        ((cell for cell in [(3, 1), (0, 2)]), [(3, 1), (0, 2)]),
        ((), []),
    ],
)
def test_cells_in_all_their_forms(value: Any, cells: list[tuple[int, int]]) -> None:
    """What the command line passes, what Python passes, one or many, none."""
    assert grid(ROWS, start=(0, 0), goal=value).goals == tuple(cells)


@pytest.mark.parametrize(
    "value", ["", "3", "3;4", "3,4,5", "a,b", "3,4;", "1.5,2", 7, (1.5, 2), (1, 2, 3), [(1, 2), 3], {"x": 1}]
)
def test_what_is_not_a_cell_is_refused(value: Any) -> None:
    """The error names the option, the value and the form that is expected."""
    with pytest.raises(InvalidOptionError, match=r"^goal=.*expected .*goal is the goal cell, X,Y"):
        grid(ROWS, start=(0, 0), goal=value)
