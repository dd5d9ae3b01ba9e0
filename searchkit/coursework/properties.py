"""The properties that a rubric can ask for, by name."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from attrs import field, frozen

from searchkit.coursework import estimates, paths
from searchkit.coursework.instances import Instance
from searchkit.coursework.verdicts import Verdict
from searchkit.errors import UnknownNameError
from searchkit.plugins import registry

Judge = Callable[[Instance, Mapping[str, Any], Mapping[str, Any]], Verdict]
"""`judge(instance, what was seen, the criterion's settings)`."""


@frozen
class Setting:
    """A key of a criterion that only one property has."""

    default: Any
    fault: Callable[[Any], str]
    """What was expected instead of a value; empty where it is right."""


@frozen
class Property:
    """Something that holds of a function on a map, or does not."""

    name: str
    kind: Literal["search", "estimate"]
    """Whether the function is `find(problem)` or `h(state, problem)`."""
    judge: Judge
    settings: Mapping[str, Setting] = field(factory=dict)

    @property
    def summary(self) -> str:
        """What it means, in one sentence."""
        return (self.judge.__doc__ or "").strip()


def _number(least: float, most: float, what: str) -> Callable[[Any], str]:
    def fault(value: Any) -> str:
        good = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
        return "" if good else what

    return fault


def _engine(value: Any) -> str:
    try:
        registry().engine(value)
    except UnknownNameError:
        return f"the name of an engine: {', '.join(registry().engines)}"
    return ""


def _by(value: Any) -> str:
    return "" if value in paths.ORDERS else f"one of {', '.join(paths.ORDERS)}"


PROPERTIES: Mapping[str, Property] = {
    each.name: each
    for each in (
        Property("terminates", "search", paths.terminates),
        Property("valid", "search", paths.valid),
        Property("complete", "search", paths.complete),
        Property("optimal", "search", paths.optimal),
        Property(
            "expands-at-most",
            "search",
            paths.expands_at_most,
            {
                "engine": Setting("astar", _engine),
                "factor": Setting(1.0, _number(0, 1e6, "a number ≥ 0")),
                "extra": Setting(0, _number(0, 1e9, "a number ≥ 0")),
            },
        ),
        Property("order", "search", paths.order, {"by": Setting("g", _by)}),
        Property("admissible", "estimate", estimates.admissible),
        Property("consistent", "estimate", estimates.consistent),
        Property(
            "informed",
            "estimate",
            estimates.informed,
            {"share": Setting(0.0, _number(0, 1, "a number from 0 to 1"))},
        ),
    )
}
