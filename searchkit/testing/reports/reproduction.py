"""Lines of Python that make a problem again, and do with it what went wrong."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import searchkit
from searchkit import testing
from searchkit.plugin.loading import write
from searchkit.problem import SearchProblem
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.spaces.with_heuristic import WithHeuristic

STRING = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
HOMES: dict[str, str] = {
    "digraph": "searchkit.testing.spaces.digraphs",
    "WithHeuristic": "searchkit.testing.spaces.with_heuristic",
    "StringIO": "io",
    "Fraction": "fractions",
    "inf": "math",
    **dict.fromkeys(testing.__all__, "searchkit.testing"),
    **dict.fromkeys(searchkit.__all__, "searchkit"),
}
"""Where the names come from that may stand in a line."""


def reproduce(problem: SearchProblem[Any, Any], call: str, otherwise: Iterable[str] = ()) -> tuple[str, ...]:
    r"""Return three lines of Python: the imports, `problem = …`, and `call`.

    The problem is made by its expression, if it is a `WeightedDigraph`, or read from the text that its plugin writes
    (the hook `searchkit_write`). The functions that `call` calls are imported from `searchkit` and `searchkit.testing`.

    Args:
        problem: the problem; of a `WithHeuristic` over a table, its problem and the table.
        call: an expression in which the problem is called `problem`, such as `solve(problem, "astar")`.
        otherwise: the lines to return where nothing can write the problem.

    Example:
        >>> from searchkit.testing.spaces.digraphs import digraph
        >>> print("\n".join(reproduce(digraph("0 -3→ 1", [0], [1]), 'solve(problem, "bfs")')))
        from searchkit import solve; from searchkit.testing.spaces.digraphs import digraph
        problem = digraph("0 -3→ 1", starts=[0], goals=[1])
        solve(problem, "bfs")

    """
    expression = express(problem)
    if expression is None:
        return tuple(otherwise)
    imports = imports_of(f"{expression} {call}")
    return (imports, f"problem = {expression}", call)


def express(problem: SearchProblem[Any, Any]) -> str | None:
    """Return an expression that makes the problem; None where there is none."""
    if isinstance(problem, WeightedDigraph):
        return repr(problem)
    if isinstance(problem, WithHeuristic):
        inner = express(problem.problem)
        if inner is None or not isinstance(problem.estimate, Mapping):
            return None
        return f"WithHeuristic({inner}, {dict(problem.estimate)!r})"
    written = write(problem)
    if written is None:
        return None
    options = "".join(f", {name}={value!r}" for name, value in written.options.items())
    return f"load(StringIO({written.text!r}), {written.kind!r}{options})"


def imports_of(code: str) -> str:
    """Return one line that imports the names in a piece of code."""
    wanted: dict[str, list[str]] = {}
    for name in sorted(set(NAME.findall(STRING.sub("", code))) & HOMES.keys()):
        wanted.setdefault(HOMES[name], []).append(name)
    homes = sorted(wanted, key=lambda home: (home != "searchkit", home))
    return "; ".join(f"from {home} import {', '.join(wanted[home])}" for home in homes)
