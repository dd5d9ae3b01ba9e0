"""A map as a rubric lists it, and the validators that say which values a key of a rubric can have."""

from collections.abc import Mapping
from math import inf
from typing import Any

from attrs import Attribute, field, frozen


class RefusedError(ValueError):
    """A value that a key can't have."""

    def __init__(self, key: str, value: object, expected: str):
        super().__init__(f"{value!r}; expected {expected}")
        self.key = key


def number(least: float, *, more: bool = False) -> Any:
    """Return a validator for a finite number ≥ `least`; for one > `least` with `more`."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        sign = ">" if more else "≥"
        good = isinstance(value, int | float) and not isinstance(value, bool) and least <= value < inf
        if not good or (more and value == least):
            raise RefusedError(attribute.name, value, f"a number {sign} {least:g}")

    return check


def kind(expected: type, what: str) -> Any:
    """Return a validator for values of a type."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if not isinstance(value, expected):
            raise RefusedError(attribute.name, value, what)

    return check


def one_of(*choices: str) -> Any:
    """Return a validator for some words."""

    def check(instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if value not in choices:
            raise RefusedError(attribute.name, value, f"one of {', '.join(choices)}")

    return check


@frozen
class MapEntry:
    """One map: a file, or the name of an example, and how it is read."""

    file: str = field(validator=kind(str, "the path of a file"))
    problem: str = field(default="", validator=kind(str, "the name of a kind of problem"))
    """The kind of problem to read it as; empty where only one can read it."""
    options: Mapping[str, Any] = field(factory=dict, validator=kind(dict, "a table of options"))
    heuristic: str = field(default="auto", validator=one_of("auto", "own", "patchy"))
    """`own`: the problem's own heuristic; `patchy`: one that is admissible, but not consistent; `auto`: the problem's
    own for searches, and none where a heuristic is graded."""
