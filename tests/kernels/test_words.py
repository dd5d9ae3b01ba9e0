"""States of several words, and tables: checks before a search, and hashes that depend on all words."""

import pytest
from attrs import evolve

from searchkit import solve
from searchkit.errors import InvalidProblemError
from searchkit.testing import check_compiled, digraph
from tests.kernels.views import as_functions, as_rows, view_of

GRAPH = digraph("0 -1→ 1, 1 -1→ 2", [0], [2], {0: 2, 1: 1})
NARROW = as_functions(GRAPH)
PARTS = {
    "rows of two words": (evolve(as_rows(GRAPH), words=2), "words=2: the states of a CSR have one"),
    "narrow for wide": (evolve(NARROW, words=2), r"words=2: .* MachineCode\('expand', …, is_wide=True\)"),
    "a plain function": (evolve(NARROW, heuristic=lambda *_: 0), "words=1: .* made by .*heuristic_function"),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("engine", ["bfs", "astar", "idastar"])
def test_functions_of_the_wrong_kind(engine: str, name: str) -> None:
    """The error says what the function has to be, before anything is compiled for it."""
    view, message = PARTS[name]
    problem = view_of(GRAPH, view)
    with pytest.raises(InvalidProblemError, match=message):
        solve(problem, engine, backend="compiled")
    with pytest.raises(InvalidProblemError, match=message):
        check_compiled(problem)
