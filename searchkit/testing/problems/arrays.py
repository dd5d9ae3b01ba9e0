"""Whether the array layout of a problem (`Arrayable`) gives each state an index of its own."""

from collections.abc import Iterator, Sequence
from typing import Any

from searchkit.compiled.array_layout import Arrayable, ArrayLayout
from searchkit.testing.problems.survey import MISSING, Survey, direct, same, short

PROMISE = "array layout"


def arrayable(seen: Survey) -> str:
    """Compare the array layout with the states and the costs; return the reason if that is impossible, or ""."""
    if not isinstance(seen.problem, Arrayable):
        return "it is not Arrayable: it has no array_layout"
    layout = seen.ask(None, "array_layout()", seen.problem.array_layout)
    if layout is MISSING:
        return ""
    fault = form_fault(layout)
    if fault:
        seen.note(PROMISE, f"array_layout() {fault}", call=direct("array_layout()"))
        return ""
    for place, detail in (*_place_faults(seen, layout), *_cost_faults(seen, layout)):
        seen.note(PROMISE, detail, place, call=direct("array_layout()"))
    return ""


def form_fault(layout: Any) -> str:
    """Return what is wrong with a layout by itself, or ""."""
    if not isinstance(layout, ArrayLayout):
        return f"returned {short(layout)}, which is not an ArrayLayout"
    axes = len(layout.shape)
    if not _are_numbers(layout.shape):
        return f"has the shape {layout.shape!r}; expected a number ≥ 0 for each axis"
    if layout.strides is not None and (len(layout.strides) != axes or not _are_numbers(layout.strides)):
        return f"has the shape {layout.shape!r} and the strides {layout.strides!r}; expected a number ≥ 0 for each axis"
    if layout.labels is not None and (axes != 1 or len(layout.labels) != layout.shape[0]):
        return f"has {len(layout.labels)} labels and the shape {layout.shape!r}; expected one axis of that length"
    return ""


def _are_numbers(numbers: Sequence[Any]) -> bool:
    return all(isinstance(number, int) and number >= 0 for number in numbers)


def _place_faults(seen: Survey, layout: ArrayLayout[Any]) -> Iterator[tuple[int, str]]:
    """Yield states whose index is outside the array, that of another state, or that of another label."""
    taken: dict[tuple[int, ...], int] = {}
    for number, state in enumerate(seen.states):
        index = seen.ask(number, f"array_layout().place({state!r})", layout.place, state)
        if index is MISSING:
            continue
        if (
            not isinstance(index, tuple)
            or len(index) != len(layout.shape)
            or not _are_numbers(index)
            or any(at >= end for at, end in zip(index, layout.shape, strict=True))
        ):
            yield (
                number,
                f"the index of {state!r} is {index!r}, which is not in an array of the shape {layout.shape}",
            )
        elif not same(seen.states[taken.setdefault(index, number)], state):
            yield number, f"{seen.states[taken[index]]!r} and {state!r} both have the index {index!r}"
        elif layout.labels is not None and not same(layout.labels[index[0]], state):
            yield (
                number,
                f"the index of {state!r} is {index[0]}, where labels has {layout.labels[index[0]]!r}",
            )


def _cost_faults(seen: Survey, layout: ArrayLayout[Any]) -> Iterator[tuple[int, str]]:
    """Yield a state from which an action has a cost that is not an integer, although the layout promises integers."""
    for number, costs in enumerate(seen.costs if layout.whole else ()):
        for cost in costs:
            if cost is not MISSING and not isinstance(cost, int):
                yield (
                    number,
                    f"whole=True promises integers, and an action out of {seen.states[number]!r} costs {cost!r}",
                )
