"""Holding problems, heuristics and engines to what they promise. Needs the extra `testing`.

Each check is a plain function: it returns a `Report` where everything holds and raises `CheckFailure`, an
`AssertionError` with the smallest counterexample drawn, where something does not. One line makes a test:

    def test_my_maze():
        check_problem(Maze(...))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from searchkit.errors import MissingExtraError

try:
    import hypothesis as _  # noqa: F401
except ImportError as error:
    raise MissingExtraError(
        "searchkit.testing needs Hypothesis; install it with: pip install 'statespace-searchkit[testing]'"
    ) from error

if TYPE_CHECKING:
    from searchkit.testing.compiled_views import check_compiled as check_compiled
    from searchkit.testing.engines import check_engine as check_engine
    from searchkit.testing.heuristics import check_heuristic as check_heuristic
    from searchkit.testing.pairs import check_pair as check_pair
    from searchkit.testing.problems import check_problem as check_problem
    from searchkit.testing.reports import Check as Check
    from searchkit.testing.reports import CheckFailure as CheckFailure
    from searchkit.testing.reports import Counterexample as Counterexample
    from searchkit.testing.reports import Report as Report
    from searchkit.testing.shares import Share as Share
    from searchkit.testing.shares import Shares as Shares
    from searchkit.testing.shares import measure_draws as measure_draws
    from searchkit.testing.space import StateSpace as StateSpace
    from searchkit.testing.space import explore as explore

_HOMES = {
    "compiled_views": ("check_compiled",),
    "engines": ("check_engine",),
    "heuristics": ("check_heuristic",),
    "pairs": ("check_pair",),
    "problems": ("check_problem",),
    "reports": ("Check", "CheckFailure", "Counterexample", "Report"),
    "shares": ("Share", "Shares", "measure_draws"),
    "space": ("StateSpace", "explore"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'searchkit.testing' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"searchkit.testing.{_HOME[name]}"), name)
    return value
