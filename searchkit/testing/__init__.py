"""Checks of the promises of problems, heuristics and engines. Needs the extra `testing`.

Each check is a plain function. It returns a `Report` if everything holds, and otherwise raises `CheckFailure`, an
`AssertionError` with a drawing of the smallest counterexample. One line makes a test:

    def test_my_maze():
        check_problem(Maze(...))
"""

from searchkit.errors import MissingExtraError

try:
    import hypothesis as _  # noqa: F401
except ImportError as error:
    raise MissingExtraError(
        "searchkit.testing needs Hypothesis; install it with: pip install 'statespace-searchkit[testing]'"
    ) from error

from searchkit.testing.compiled_views import check_compiled
from searchkit.testing.engines import check_engine
from searchkit.testing.heuristics import check_heuristic
from searchkit.testing.problems import check_problem
from searchkit.testing.reports import Check, CheckFailure, Counterexample, Report
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.spaces.space import StateSpace, explore
from searchkit.testing.strategies.engines import accepts

__all__ = [
    "Check",
    "CheckFailure",
    "Counterexample",
    "Edge",
    "Report",
    "StateSpace",
    "WeightedDigraph",
    "accepts",
    "check_compiled",
    "check_engine",
    "check_heuristic",
    "check_problem",
    "digraph",
    "explore",
]
