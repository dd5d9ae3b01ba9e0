"""Running a student's function on a problem; its path or its heuristic values as data.

This runs in the student's process, so the grader can't trust it. The grader counts the expansions itself.
"""

from collections.abc import Callable, Sequence
from numbers import Integral, Rational, Real
from reprlib import Repr
from typing import Any

from searchkit_coursework.student.remote import RemoteProblem, name_of

LONGEST = 100_000
"""The largest number of states of a path that are reported."""
LARGEST = 14_000
"""The largest number of bits of an integer that is reported: Python converts integers of up to 4,300 digits to text."""
TOO_LONG = "(an integer of more than 4,300 digits)"
GENERATOR = 0x20
"""The flag of a function's code (`inspect.CO_GENERATOR`)."""


class _Short(Repr):
    """Shortens each value. Raises `ValueError` for integers of too many digits in every version of Python."""

    def repr_int(self, x: int, level: int) -> str:
        repr(x)  # Python 3.14's own method does not raise
        return super().repr_int(x, level)


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100


class RaisedAtError(Exception):
    """A heuristic raised an exception for the state of this number."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def is_engine(function: Callable[..., Any]) -> bool:
    """Whether a function has the form of an engine, `run(problem, tree)`; otherwise it is `find(problem)`."""
    code = getattr(function, "__code__", None)
    return bool(getattr(code, "co_flags", 0) & GENERATOR)


def observe_search(
    function: Callable[..., Any], problem: RemoteProblem, tree: Callable[[], Any] | None = None
) -> dict[str, Any]:
    """Run a student's search; return its path, with the numbers of states and the texts of other objects.

    If it did not return a path, return a text about the result. An engine is given a `tree`.
    """
    found = _driven(function, problem, tree()) if tree and is_engine(function) else function(problem)
    if found is None:
        return {"path": None}
    if isinstance(found, list | tuple):
        return {"path": [_named(problem, state) for state in found[:LONGEST]]}
    return {"odd": f"{type(found).__name__} {shorten(found)}"}


def observe_estimates(
    function: Callable[..., Any], problem: RemoteProblem, states: Sequence[Any]
) -> dict[str, Any]:
    """Call a student's heuristic for these states; return the values in this order, or the first that is invalid."""
    values: list[Any] = []
    for info in states:
        state = problem._take(info)
        try:
            value = function(state, problem)
        except Exception as error:
            raise RaisedAtError(info[0]) from error
        number = as_data(value)
        if number is None:
            return {"odd": shorten(value), "state": info[0]}
        values.append(number)
    return {"values": values}


def as_data(value: Any) -> Any:
    """Return a number for JSON, a fraction as its two parts.

    Return None if it is not a number, or if it is an integer of more than `LARGEST` bits.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    if isinstance(value, Integral):
        whole = int(value)
        return whole if whole.bit_length() <= LARGEST else None
    if isinstance(value, Rational):
        parts = [as_data(value.numerator), as_data(value.denominator)]
        return None if None in parts else parts
    return float(value)


def _driven(function: Callable[..., Any], problem: RemoteProblem, tree: Any) -> Any:
    """Run an engine to its end."""
    for _ in function(problem, tree):
        tree.expanded += 1
    return list(tree.path_to(tree.goal)[0]) if tree.found else None


def _named(problem: RemoteProblem, state: Any) -> Any:
    try:
        number = problem._find(state)
    except TypeError:  # it can't be hashed, so it is not a state
        number = None
    except ValueError:  # it has an integer of too many digits
        return TOO_LONG
    return name_of(state)[:200] if number is None else number


def shorten(value: Any) -> str:
    """Return the beginning of the repr of a value, or `TOO_LONG`."""
    try:
        return _SHORT.repr(value)
    except ValueError:
        return TOO_LONG
