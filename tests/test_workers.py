"""Tests are distributed among processes so that those that belong together stay together."""

import pytest

from tests.workers import unit_of


@pytest.mark.parametrize(
    ("nodeid", "unit"),
    [
        ("docs/index.md::line:3,column:1", "docs/index.md"),
        ("tests/typing/test_type_checkers.py::test_accepts[a-mypy]", "tests/typing/test_type_checkers.py"),
        ("tests/a.py::test_b[x]", "tests/a.py::test_b"),
        ("tests/a.py::test_b[x::y]", "tests/a.py::test_b"),
        ("searchkit/tree.py::searchkit.tree.SearchTree", "searchkit/tree.py::searchkit.tree.SearchTree"),
    ],
)
def test_units(nodeid: str, unit: str) -> None:
    """A page is one unit, and so are all cases of a test."""
    assert unit_of(nodeid) == unit
