"""Values that cross the pipe: to a student's process as data, and from it as numbers and graphs of the right form."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

from attrs import frozen

from searchkit.problem import Cost
from searchkit_coursework.sandbox.wording import clean
from searchkit_coursework.student.problem import Record

DEEPEST = 8
"""The largest depth of nested objects: some objects refer to themselves."""


class GarbledError(ValueError):
    """A student's process wrote an invalid message."""


class HiddenError(ValueError):
    """A value that is not sent: it is not data."""


def as_plain_or_record(value: Any) -> Any:
    """Return a state or an action as data; a record of its `repr` if it is not data."""
    try:
        return as_plain(value)
    except HiddenError:
        return Record(repr(value), {})


def as_plain(value: Any, depth: int = DEEPEST) -> Any:
    """Return a value as data that needs no module of searchkit's: objects become records of their public attributes.

    Raises `HiddenError` if it contains what is not data, such as a function or a path.
    """
    if type(value) in (type(None), bool, int, float, complex, str, bytes):
        return value
    if not depth:
        raise HiddenError("nested too deep")
    for container in (tuple, list, frozenset, set):
        if isinstance(value, container):
            return container(as_plain(each, depth - 1) for each in value)
    if isinstance(value, Mapping):
        return {as_plain(key, depth - 1): as_plain(each, depth - 1) for key, each in value.items()}
    plain: Any
    for kind, plain in ((str, str), (Integral, int), (Rational, Fraction), (Real, float)):
        if isinstance(value, kind):
            return plain(value)
    if callable(value) or any(hasattr(value, name) for name in ("__fspath__", "read", "successors")):
        raise HiddenError(f"{type(value).__name__} is not handed on to a student's process")
    attributes = {}
    for name in dir(value):
        if not name.startswith("_"):
            try:
                attributes[name] = as_plain(getattr(value, name), depth - 1)
            except Exception:  # a property may raise anything; then it is not sent
                continue
    return Record(repr(value), attributes)


def read_number(value: Any) -> Cost:
    """Return a number. Raises `GarbledError` if it is not a number."""
    if type(value) in (int, float):
        number: Cost = value
        return number
    match value:
        case [int(numerator), int(denominator)] if denominator > 0:
            return Fraction(numerator, denominator)
    raise GarbledError("no number")


@frozen
class Graph:
    """A student's problem as its process reports it. Nothing about it is checked but its form."""

    starts: Sequence[int]
    goals: frozenset[int]
    edges: Sequence[Sequence[tuple[str, Cost, int]]]
    """For each expanded state the actions, their costs and the numbers of the successors."""
    states: int
    """The number of states, including those that were not expanded."""
    most: int
    """The largest number of states that are expanded."""

    @classmethod
    def of(cls, answer: Mapping[str, Any], most: int) -> "Graph":
        """Read the graph of a student's problem. Raises `GarbledError` if it is not a graph."""

        def place(number: Any) -> int:
            if type(number) is not int or not 0 <= number < states:
                raise GarbledError("no state")
            return number

        def edge(data: Any) -> tuple[str, Cost, int]:
            match data:
                case [str(action), cost, number]:
                    return clean(action, 200), read_number(cost), place(number)
            raise GarbledError("no action")

        match answer:
            case {"starts": list(starts), "goals": list(goals), "edges": list(edges), "states": int(states)}:
                if len(edges) <= min(states, most) and all(isinstance(out, list) for out in edges):
                    found = [[edge(data) for data in out] for out in edges]
                    return cls([*map(place, starts)], frozenset(map(place, goals)), found, states, most)
        raise GarbledError("no graph")
