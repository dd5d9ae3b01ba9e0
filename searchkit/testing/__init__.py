"""Checks of the promises of problems, heuristics and engines. Needs the extra `testing`.

Each check is a plain function. It returns a `Report` if everything holds, and otherwise raises `CheckFailure`, an
`AssertionError` with a drawing of the smallest counterexample. One line makes a test:

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
    from searchkit.testing.problems import check_problem as check_problem
    from searchkit.testing.reports import Check as Check
    from searchkit.testing.reports import CheckFailure as CheckFailure
    from searchkit.testing.reports import Counterexample as Counterexample
    from searchkit.testing.reports import Report as Report
    from searchkit.testing.spaces.digraphs import WeightedDigraph as WeightedDigraph
    from searchkit.testing.spaces.digraphs import digraph as digraph
    from searchkit.testing.spaces.space import StateSpace as StateSpace
    from searchkit.testing.spaces.space import explore as explore

_HOMES = {
    "compiled_views": ("check_compiled",),
    "engines": ("check_engine",),
    "heuristics": ("check_heuristic",),
    "problems": ("check_problem",),
    "reports": ("Check", "CheckFailure", "Counterexample", "Report"),
    "spaces.digraphs": ("WeightedDigraph", "digraph"),
    "spaces.space": ("StateSpace", "explore"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'searchkit.testing' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"searchkit.testing.{_HOME[name]}"), name)
    return value
