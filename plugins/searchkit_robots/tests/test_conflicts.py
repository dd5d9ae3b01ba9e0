"""Conflicts between paths: what each robot does in one, and which one is resolved first."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from searchkit_robots.engines._conflicts import Conflict, conflicts_between, most_costly
from searchkit_robots.engines._single import at

Walks = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6).map(tuple), min_size=2, max_size=4)


@given(Walks)
@example([(2, 0, 1), (2, 1, 0)])
def test_a_robot_does_in_a_conflict_what_its_path_says(paths: list[tuple[int, ...]]) -> None:
    """It is at the location, or makes the move, that ends at the time."""
    for conflict in conflicts_between(paths):
        event("both move" if conflict.here != conflict.there else "both are there")
        for side, robot in enumerate((conflict.first, conflict.second)):
            way = conflict.way(side)
            first = conflict.time - len(way) + 1
            assert way == tuple(at(paths[robot], time) for time in range(first, conflict.time + 1))


@pytest.mark.parametrize(
    ("widths", "conflicts", "expected"),
    [
        # cardinal for both robots, for one, for none
        ([[1, 1, 1], [1, 1, 1], [1, 2, 1]], [(1, 0, 2, 5, 5), (1, 0, 1, 5, 5)], (1, 0, False)),
        ([[1, 2, 1], [1, 3, 1], [1, 1, 1]], [(1, 0, 1, 5, 5), (1, 0, 2, 5, 5)], (1, 1, False)),
        # a move counts at both of its times: here it is not cardinal for the second robot
        ([[1, 1, 1, 1], [1, 2, 1, 1], [1, 1, 1, 1]], [(2, 0, 1, 5, 6), (1, 0, 2, 5, 5)], (1, 0, False)),
        # the robot with fewer locations there is constrained
        ([[1, 3, 1], [1, 2, 1]], [(1, 0, 1, 5, 5)], (0, 1, False)),
        ([[1, 2, 1], [1, 3, 1]], [(1, 0, 1, 5, 5)], (0, 0, False)),
        # one that has arrived, at its last time or later: the one that was there for longest, and that robot
        ([[1, 1], [1] * 6, [1] * 9], [(2, 0, 1, 5, 5), (4, 0, 1, 5, 5)], (1, 0, True)),
        ([[1] * 6, [1, 1, 1]], [(2, 0, 1, 5, 5)], (0, 1, True)),
        ([[1] * 6, [1, 1, 1]], [(1, 0, 1, 5, 5)], (0, 0, False)),
    ],
)
def test_which_conflict_is_resolved_first(
    widths: list[list[int]], conflicts: list[tuple[int, ...]], expected: tuple[int, int, bool]
) -> None:
    """As the diagrams say: their widths at each time."""
    diagrams: Any = [SimpleNamespace(widths=each) for each in widths]
    for form in (Conflict._make, list):
        found = most_costly([form(each) for each in conflicts], lambda robot: diagrams[robot])
        assert found == (Conflict._make(conflicts[expected[0]]), *expected[1:])


def test_pairs_of_conflicts_as_arrays() -> None:
    """Each pair once, in the order in which the conflicts name them."""
    np = pytest.importorskip("numpy")
    from searchkit_robots.compiled.drawing import Clashes

    rows = [[1, 2, 7, 4, 4], [1, 0, 3, 4, 5], [2, 2, 7, 6, 6], [3, 0, 1, 9, 9]]
    clashes = Clashes(np.array(rows, np.int32))
    assert list(clashes.pairs(8)) == [(2, 7), (0, 3), (0, 1)]
    assert (list(clashes), len(clashes), clashes[1]) == (rows, 4, rows[1])
    assert list(Clashes(np.empty((0, 5), np.int32)).pairs(8)) == []
