"""The properties that a rubric can require, by name."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from attrs import field, frozen

from searchkit_coursework.grading import heuristics, models, paths
from searchkit_coursework.grading.verdicts import Verdict
from searchkit_coursework.maps import Instance
from searchkit_coursework.sandbox.service import Seen

Judge = Callable[[Instance, Seen, Mapping[str, Any]], Verdict]
"""`judge(instance, what is judged, settings of the criterion)`."""


@frozen
class Setting:
    """A key of a criterion that belongs to one property."""

    default: Any
    fault: Callable[[Any], str]
    """Returns what was expected instead of a value; "" if the value is valid."""


@frozen
class Property:
    """Something that holds or fails for a function on a map."""

    name: str
    kind: Literal["search", "estimate", "problem"]
    """Whether the function is `find(problem)`, `h(state, problem)` or `make(text)`, which returns a problem."""
    judge: Judge
    settings: Mapping[str, Setting] = field(factory=dict)
    has_say: Callable[[Instance, Mapping[str, Any]], bool] = lambda instance, settings: True
    """Whether a map can show that the property holds, given the settings; otherwise the verdict is `NO_SAY`."""


def _number(least: float, most: float, what: str) -> Callable[[Any], str]:
    def fault(value: Any) -> str:
        good = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
        return "" if good else what

    return fault


def _solvable(instance: Instance, settings: Mapping[str, Any]) -> bool:
    return instance.solvable


def _orderly(instance: Instance, settings: Mapping[str, Any]) -> bool:
    return settings["by"] != "f" or instance.consistent


def _referring(instance: Instance, settings: Mapping[str, Any]) -> bool:
    return instance.solvable and bool(instance.reference(settings["reference"]))


def _name(value: Any) -> str:
    return "" if isinstance(value, str) and value else "a value of the problem's option 'heuristic'"


def _by(value: Any) -> str:
    return "" if value in paths.ORDERS else f"one of {', '.join(paths.ORDERS)}"


PROPERTIES: Mapping[str, Property] = {
    each.name: each
    for each in (
        Property("terminates", "search", paths.terminates),
        Property("valid", "search", paths.valid, has_say=_solvable),
        Property("complete", "search", paths.complete),
        Property("optimal", "search", paths.optimal, has_say=_solvable),
        Property(
            "expands-at-most",
            "search",
            paths.expands_at_most,
            {
                "by": Setting("f", _by),
                "factor": Setting(1.0, _number(0, 1e6, "a number ≥ 0")),
                "extra": Setting(0, _number(0, 1e9, "a number ≥ 0")),
            },
            lambda instance, settings: instance.solvable and _orderly(instance, settings),
        ),
        Property("closest", "search", paths.closest, {"reference": Setting("", _name)}, _referring),
        Property("order", "search", paths.order, {"by": Setting("g", _by)}, _orderly),
        Property(
            "admissible", "estimate", heuristics.admissible, has_say=lambda instance, _: bool(instance.rest)
        ),
        Property("consistent", "estimate", heuristics.consistent),
        Property(
            "informed",
            "estimate",
            heuristics.informed,
            {"share": Setting(0.0, _number(0, 1, "a number from 0 to 1"))},
            lambda instance, _: any(rest > 0 for rest in instance.rest.values()),
        ),
        Property(
            "expands-as-few",
            "estimate",
            heuristics.expands_as_few,
            {"reference": Setting("", _name)},
            _referring,
        ),
        Property("same-steps", "problem", models.same_steps, has_say=models.can_follow),
        Property("same-goals", "problem", models.same_goals, has_say=models.can_follow),
        Property("no-more-states", "problem", models.no_more_states, has_say=models.can_follow),
    )
}
