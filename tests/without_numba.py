"""Tests of machine code are skipped where Numba is not installed, such as on free-threaded CPython 3.13.

A test needs Numba if it ends with an error that says so: the import of Numba fails, or the compiled backend is
requested by name. `auto` raises neither, so that a search which should have stayed in Python still fails its test.
Tests that fail in other ways are marked `with_numba`.
"""

import sys
from collections.abc import Generator
from doctest import UnexpectedException
from importlib.util import find_spec

import pytest

from searchkit.errors import MissingExtraError

REASON = "Numba is not installed: pip install 'statespace-searchkit[fast]'"
FOUND = find_spec("numba") is not None
with_numba = pytest.mark.skipif(not FOUND, reason=REASON)


def needs_numba(error: BaseException | None) -> bool:
    """Return whether an error, or one of those that it comes from, says that Numba is missing."""
    if isinstance(error, UnexpectedException):  # in a docstring
        return needs_numba(error.exc_info[1])
    if isinstance(error, BaseExceptionGroup):  # of several examples
        return all(map(needs_numba, error.exceptions))
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name == "numba":
            return True
        if isinstance(error, MissingExtraError) and "searchkit[fast]" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def skip(report: pytest.CollectReport | pytest.TestReport, path: str) -> None:
    """Turn the report of a failure into that of a skip."""
    report.outcome, report.longrepr = "skipped", (path, 0, f"Skipped: {REASON}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that needs Numba."""
    report = yield
    if not FOUND and report.failed and call.excinfo is not None and needs_numba(call.excinfo.value):
        skip(report, str(item.path))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module of tests that can't be imported without Numba."""
    report = yield
    call = getattr(report, "call", None)
    if not FOUND and report.failed and call is not None and needs_numba(call.excinfo.value):
        skip(report, str(collector.path))
        del report.call  # pytest would show the error of the call
        for name, module in list(sys.modules.items()):  # pytest keeps what it could not import completely
            if getattr(module, "__file__", None) == str(collector.path):
                del sys.modules[name]
    return report
