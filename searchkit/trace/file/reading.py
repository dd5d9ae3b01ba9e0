"""The header and the columns of a `.trace` file, with every type, length and range checked."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from searchkit.trace.file.columns import decode, moved, read_exact

Value = TypeVar("Value")


def no_constant(name: str) -> Any:
    """Raise ValueError: NaN and Infinity are not JSON."""
    raise ValueError(f"{name} is not a number of JSON")


def member(kind: type[Value], header: Mapping[str, Any], name: str) -> Value:
    """Return a member of a JSON object, which has to be of a type. Raises ValueError."""
    value = header.get(name)
    if type(value) is not kind:
        raise ValueError(f"{name} in its header should be a {kind.__name__}")
    return value


def count(header: Mapping[str, Any], name: str, most: int = 1 << 62) -> int:
    """Return a whole number from 0 to `most`. Raises ValueError."""
    number = member(int, header, name)
    if not 0 <= number <= most:
        raise ValueError(f"{name} in its header should be a number from 0 to {most:,}")
    return number


LENGTHS = {
    **dict.fromkeys(
        ("kind", "notes", "note_counts", "action_values", "step_at_values", "g_values"), "events"
    ),
    **dict.fromkeys(("other", "except_at", "except_parent"), "events"),
    **dict.fromkeys(("action", "step", "step_at", "step_at_ulps", "g"), "events"),
    **dict.fromkeys(("expanded", "generated"), "expansions"),
    **dict.fromkeys(("half", "labels", "x", "y", "x_values", "y_values", "place", "more_counts"), "nodes"),
    **dict.fromkeys(("h", "h_step", "h_step_values", "h_step_ulps", "h_at", "h_at_values"), "nodes"),
    **dict.fromkeys(("change_counts",), "nodes"),
    **dict.fromkeys(("edges", "more_places", "change_cells", "change_marks", "ground", "note_cells"), None),
}
"""Each column that a reader knows, and the member of the header that says how many values it has at most."""


def check_lengths(header: Mapping[str, Any], descriptions: Sequence[Mapping[str, Any]]) -> None:
    """Check the columns against the header, before any of them is inflated. Raises ValueError."""
    events, nodes, expansions = (count(header, name) for name in ("events", "nodes", "expansions"))
    if nodes + expansions > events:
        raise ValueError("its header says fewer events than nodes and expansions")
    for description in descriptions:
        name, n = description["name"], description["n"]
        limit = LENGTHS.get(name)
        if limit is not None and n > count(header, limit) + 1:
            raise ValueError(f"column {name} has {n:,} values, too many for the {limit} in its header")
    if not any(one["name"] == "kind" and one["n"] == events for one in descriptions):
        raise ValueError(f"it should have a column kind of {events:,} whole numbers")


class Columns:
    """The columns of a file by name, with their lengths and ranges checked. Each is decoded when it is asked for."""

    def __init__(self, columns: Mapping[str, tuple[Mapping[str, Any], bytes]]):
        self._columns = columns

    def _decoded(self, name: str) -> Any:
        return decode(*self._columns[name]) if name in self._columns else None

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def whole(
        self, name: str, n: int | None = None, least: int | None = None, below: int | None = None
    ) -> "array[int]":
        """Return a column of `n` whole numbers, each from `least` to less than `below`. Raises ValueError."""
        values = self._decoded(name)
        if not isinstance(values, array) or (n is not None and len(values) != n):
            raise ValueError(
                f"it should have a column {name} of {'' if n is None else f'{n:,} '}whole numbers"
            )
        if values and (
            (least is not None and min(values) < least) or (below is not None and max(values) >= below)
        ):
            raise ValueError(f"column {name} has a number that is out of range")
        return values

    def texts(self, name: str, n: int | None = None) -> list[str]:
        """Return a column of `n` texts. Raises ValueError."""
        values = self._decoded(name)
        if not isinstance(values, list) or (n is not None and len(values) != n):
            raise ValueError(f"it should have a column {name} of {'' if n is None else f'{n:,} '}texts")
        return values

    def numbers(self, name: str, n: int) -> list[Any]:
        """Return a column of `n` exact numbers: indices in one column and texts in another. Raises ValueError."""
        known = [read_exact(text) for text in self.texts(f"{name}_values")]
        return [known[index] for index in self.whole(name, n, 0, len(known))]

    def exact(self, names: tuple[str, str, str], n: int) -> "Exact":
        """Return `n` exact numbers in one of the three forms. Raises ValueError."""
        if names[0] in self:
            return Exact(iter(self.whole(names[0], n)), None)
        if names[1] in self:
            ulps = f"{names[1]}_ulps"
            return Exact(iter(self.numbers(names[1], n)), iter(self.whole(ulps, n)) if ulps in self else None)
        return Exact(iter(self.numbers(names[2], n)), None, steps=False)


class Exact:
    """Exact numbers, given by steps from others, or directly."""

    def __init__(self, values: Iterator[Any], ulps: Iterator[int] | None, steps: bool = True):
        self._values, self._ulps, self._steps = values, ulps, steps

    def next(self, base: Any) -> Any:
        """Return the next number, which may be a step from `base`; None for no base."""
        value = next(self._values)
        if self._steps and base is not None:
            value += base
        ulps = next(self._ulps) if self._ulps is not None else 0
        return moved(value, ulps) if ulps else value
