"""Tests that need Numba are recognised where it is missing; other failures stay failures."""

import pytest

from searchkit.errors import MissingExtraError
from tests.without_numba import needs_numba

MISSING = MissingExtraError(
    "backend 'compiled' needs Numba; install it with: pip install 'statespace-searchkit[fast]'"
)
OTHER = MissingExtraError("a data frame needs pandas; install it: pip install pandas")


def raised_from(error: Exception, cause: Exception) -> Exception:
    """Return an error with its cause."""
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "needs"),
    [
        (MISSING, True),
        (ModuleNotFoundError("No module named 'numba'", name="numba"), True),
        (raised_from(ImportError("tests/a.py can't be imported"), MISSING), True),
        (ExceptionGroup("two examples", [MISSING, MISSING]), True),
        (ExceptionGroup("two examples", [MISSING, AssertionError()]), False),
        (OTHER, False),
        (ModuleNotFoundError("No module named 'ray'", name="ray"), False),
        (AssertionError("assert 'python' == 'compiled'"), False),
    ],
)
def test_errors_that_say_that_numba_is_missing(error: Exception, needs: bool) -> None:
    """The import fails, or the compiled backend is requested; of several examples, all have to need it."""
    assert needs_numba(error) == needs
