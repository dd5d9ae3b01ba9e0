"""What a student's function does on a problem, as data: the path it returns, or its estimates.

This runs in the student's process. What it says is what the student's code says; the count of the expansions is
kept in the grader's.
"""

from collections.abc import Callable, Sequence
from numbers import Integral, Rational, Real
from reprlib import Repr
from typing import Any

from searchkit_coursework.student.remote import RemoteProblem, name_of

LONGEST = 100_000
"""States of a path that are reported at most."""
GENERATOR = 0x20
"""The flag of a function's code (`inspect.CO_GENERATOR`)."""
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100


class RaisedAtError(Exception):
    """A heuristic raised something; the state at which it did."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def is_engine(function: Callable[..., Any]) -> bool:
    """Whether a function is an engine of searchkit's form, `run(problem, tree)`; otherwise it is `find(problem)`."""
    code = getattr(function, "__code__", None)
    return bool(getattr(code, "co_flags", 0) & GENERATOR)


def observe_search(
    function: Callable[..., Any], problem: RemoteProblem, tree: Callable[[], Any] | None = None
) -> dict[str, Any]:
    """Run a student's search; return the path, as numbers of states or as texts where they are none, or what came.

    An engine of searchkit's form is given a `tree`.
    """
    found = _driven(function, problem, tree()) if tree and is_engine(function) else function(problem)
    if found is None:
        return {"path": None}
    if isinstance(found, list | tuple):
        return {"path": [_named(problem, state) for state in found[:LONGEST]]}
    return {"odd": f"{type(found).__name__} {_SHORT.repr(found)}"}


def observe_estimates(
    function: Callable[..., Any], problem: RemoteProblem, states: Sequence[Any]
) -> dict[str, Any]:
    """Ask a student's heuristic for these states; return the estimates in their order, or the first that is none."""
    values: list[Any] = []
    for info in states:
        state = problem._take(info)
        try:
            value = function(state, problem)
        except Exception as error:
            raise RaisedAtError(info[0]) from error
        number = as_data(value)
        if number is None:
            return {"odd": _SHORT.repr(value), "state": info[0]}
        values.append(number)
    return {"values": values}


def as_data(value: Any) -> Any:
    """Return a number as JSON can hold it: a fraction as its two parts; None for what is not a number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Rational):
        return [int(value.numerator), int(value.denominator)]
    return float(value)


def _driven(function: Callable[..., Any], problem: RemoteProblem, tree: Any) -> Any:
    """Run an engine of searchkit's form to its end."""
    for _ in function(problem, tree):
        tree.expanded += 1
    return list(tree.path_to(tree.goal)[0]) if tree.found else None


def _named(problem: RemoteProblem, state: Any) -> Any:
    try:
        number = problem._find(state)
    except TypeError:  # it can't be looked up: no state is a list
        number = None
    return name_of(state)[:200] if number is None else number
