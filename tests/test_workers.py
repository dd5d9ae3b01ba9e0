"""Tests are distributed among processes so that those that belong together stay together."""

import os
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

from tests.workers import unit_of, write_byte_code


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


def test_byte_code_is_where_importing_looks_for_it(
    tmp_path: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test has pytest's assertions, any other module is as Python compiles it; both follow the source."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    test, module = tmp_path / "test_it.py", tmp_path / "it.py"
    kept = rewrite.get_cache_dir(test) / f"test_it{rewrite.PYC_TAIL}"
    for number in (1, 22):
        for path in (test, module):
            path.write_text(f"def check(): assert number == {number}\n")
            os.utime(path, (number, number))
            write_byte_code(path, pytestconfig)
        code = rewrite._read_pyc(test, kept)
        assert code is not None
        assert "@pytest_ar" in code.co_names
        source = SourceFileLoader("it", str(module))
        before = Path(cache_from_source(module)).stat().st_mtime_ns
        plain = source.get_code("it")
        assert plain is not None
        assert number in plain.co_consts[0].co_consts
        assert Path(cache_from_source(module)).stat().st_mtime_ns == before
