"""Making a counterexample of a breach: the drawings, the paths, and the lines that reproduce it."""

import ast
import builtins
import warnings
from typing import Any

from searchkit.problem import SearchProblem
from searchkit.testing.problems.survey import Breach, last_line, short
from searchkit.testing.reports import Counterexample, path_in_words, picture, reproduce

CHECK = "check_problem(problem)"
KNOWN = {"Fraction", "inf", "problem", "solve"}
"""Names that `reproduce` can import, or that its second line defines."""


def counterexample(
    problem: SearchProblem[Any, Any], breach: Breach, again: tuple[str, ...] = ()
) -> Counterexample:
    """Return the counterexample. `again` are lines that reproduce it if the problem can't be written as Python."""
    call = breach.call if breach.call and _names(breach.call) <= KNOWN else CHECK
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # another check reports plugins that fail to draw or write
        paths = tuple((name, _path(problem, path)) for name, path in breach.paths if path)
        drawing = "" if any("\n" in shown for _, shown in paths) else _drawn(problem, ())
        lines = _reproduced(problem, call, again)
    return Counterexample(drawing, paths, breach.numbers, lines, problem)


def _drawn(problem: SearchProblem[Any, Any], path: tuple[Any, ...]) -> str:
    try:
        return picture(problem, path)
    except Exception as error:
        return f"{short(problem)} (it can't be drawn: {last_line(error)})"


def _path(problem: SearchProblem[Any, Any], path: tuple[Any, ...]) -> str:
    """Return a drawing of the path, or its states and costs in words."""
    shown = _drawn(problem, path)
    return shown if "\n" in shown else path_in_words(problem, path)


def _reproduced(problem: SearchProblem[Any, Any], call: str, again: tuple[str, ...]) -> tuple[str, ...]:
    try:
        lines = reproduce(problem, call)
    except Exception:  # a repr or a writer may raise
        lines = ()
    return lines or _by_repr(problem, call) or again


def _by_repr(problem: SearchProblem[Any, Any], call: str) -> tuple[str, ...]:
    """Return the lines for a problem whose repr is an expression that makes it, such as that of an attrs class."""
    kind, made = type(problem), short(problem, 2_000)
    if not made.startswith(f"{kind.__qualname__}(") or _names(made) != {kind.__qualname__}:
        return ()
    homes = [f"from {kind.__module__} import {kind.__qualname__}"]
    if call == CHECK:
        homes.append("from searchkit.testing import check_problem")
    elif call.startswith("solve("):
        homes.append("from searchkit import solve")
    elif _names(call) - {"problem"}:
        call = CHECK
        homes.append("from searchkit.testing import check_problem")
    return ("; ".join(sorted(homes)), f"problem = {made}", call)


def _names(code: str) -> set[str]:
    """Return the names in an expression that are not built in; {"?"} if it is not an expression."""
    try:
        tree = ast.parse(code, mode="eval")
    except SyntaxError:
        return {"?"}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names - set(dir(builtins))
