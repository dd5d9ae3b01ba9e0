"""The properties that a rubric can require, by name."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from attrs import frozen

from searchkit.plugin import Parameter
from searchkit_coursework.grading import heuristics, models, paths
from searchkit_coursework.grading.verdicts import Verdict
from searchkit_coursework.maps import Instance
from searchkit_coursework.sandbox.service import Seen

Judge = Callable[[Instance, Seen, Mapping[str, Any]], Verdict]
"""`judge(instance, what is judged, settings of the criterion)`."""


@frozen
class Property:
    """Something that holds or fails for a function on a map."""

    name: str
    kind: Literal["search", "estimate", "problem"]
    """Whether the function is `find(problem)`, `h(state, problem)` or `make(text)`, which returns a problem."""
    judge: Judge
    has_say: Callable[[Instance, Mapping[str, Any]], bool] = lambda instance, settings: True
    """Whether a map can show that the property holds, given the settings; only then it is judged."""
    settings: tuple[Parameter, ...] = ()


def _solvable(instance: Instance, settings: Mapping[str, Any]) -> bool:
    return instance.solvable


def _orderly(instance: Instance, settings: Mapping[str, Any]) -> bool:
    return settings["by"] != "f" or instance.consistent


def _referring(instance: Instance, settings: Mapping[str, Any]) -> bool:
    return instance.solvable and bool(instance.reference(settings["reference"]))


REFERENCE = (Parameter("reference", "a value of the problem's option 'heuristic'"),)
SHARE = (Parameter("share", "the least share of the true cost, on average", default=0.0, least=0, most=1),)


def _by(default: str) -> Parameter:
    return Parameter("by", "the order", default=default, choices=tuple(paths.ORDERS))


AT_MOST = (
    _by("f"),
    Parameter("factor", "how many times the states that are needed", default=1.0, least=0, most=1e6),
    Parameter("extra", "how many states more", default=0, least=0, most=10**9),
)
PROPERTIES: Mapping[str, Property] = {
    each.name: each
    for each in (
        Property("terminates", "search", paths.terminates),
        Property("valid", "search", paths.valid, _solvable),
        Property("complete", "search", paths.complete),
        Property("optimal", "search", paths.optimal, _solvable),
        Property(
            "expands-at-most",
            "search",
            paths.expands_at_most,
            lambda instance, settings: instance.solvable and _orderly(instance, settings),
            AT_MOST,
        ),
        Property("closest", "search", paths.closest, _referring, REFERENCE),
        Property("order", "search", paths.order, _orderly, (_by("g"),)),
        Property("admissible", "estimate", heuristics.admissible, lambda instance, _: bool(instance.rest)),
        Property("consistent", "estimate", heuristics.consistent),
        Property(
            "informed",
            "estimate",
            heuristics.informed,
            lambda instance, _: any(rest > 0 for rest in instance.rest.values()),
            SHARE,
        ),
        Property("expands-as-few", "estimate", heuristics.expands_as_few, _referring, REFERENCE),
        Property("same-steps", "problem", models.same_steps, models.can_follow),
        Property("same-goals", "problem", models.same_goals, models.can_follow),
        Property("no-more-states", "problem", models.no_more_states, models.can_follow),
    )
}
