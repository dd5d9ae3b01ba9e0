"""Judging the values of a heuristic by exact distances."""

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Any

from searchkit.problem import Cost
from searchkit_coursework.grading.paths import Settings
from searchkit_coursework.grading.verdicts import RIGHT, Verdict
from searchkit_coursework.maps import Instance, exceeds
from searchkit_coursework.sandbox.service import Seen
from searchkit_coursework.sandbox.wording import shown


def admissible(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether no value is larger than the least cost of a path to a goal; so it is 0 at goals."""
    h = _values(instance, seen)
    if isinstance(h, Verdict):
        return h
    over = [state for state in instance.rest if exceeds(h[state], instance.rest[state], instance.scale)]
    if not over:
        return RIGHT
    state = min(over, key=lambda state: (instance.rest[state], repr(state)))
    if state in instance.space.goals:
        return Verdict(
            False, f"h is {shown(h[state])} at the goal {state!r}; at a goal it has to be 0", instance.draw()
        )
    return Verdict(
        False,
        f"h({state!r}) = {shown(h[state])} is too much: "
        f"a path of cost {shown(instance.rest[state])} leads from there to a goal "
        f"({len(over)} of {len(instance.rest)} states are overestimated)",
        instance.draw(instance.best_from(state)),
    )


def consistent(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether no step reduces the value by more than its cost, and whether the value is 0 at goals."""
    h = _values(instance, seen)
    if isinstance(h, Verdict):
        return h
    for goal in sorted(instance.space.goals, key=repr):
        if exceeds(h[goal], 0, instance.scale):
            return Verdict(
                False,
                f"h is {shown(h[goal])} at the goal {goal!r}; at a goal it has to be 0",
                instance.draw(),
            )
    drops = [
        (state, successor, cost)
        for state, out in instance.space.edges.items()
        for _, successor, cost in out
        if exceeds(h[state], _sum(cost, h[successor]), instance.scale)
    ]
    if not drops:
        return RIGHT
    state, successor, cost = min(drops, key=lambda drop: (instance.rest.get(drop[0], inf), repr(drop[:2])))
    return Verdict(
        False,
        f"h drops from {shown(h[state])} at {state!r} to {shown(h[successor])} at {successor!r}; "
        f"that step costs {shown(cost)}, "
        "and h may drop by no more than that",
        instance.draw((state, successor)),
    )


def informed(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it is admissible, and on average at least a given share of the true cost."""
    bounded = admissible(instance, seen, settings)
    if not bounded.right:
        return bounded
    h = _values(instance, seen)
    assert not isinstance(h, Verdict)
    shares = [h[state] / rest for state, rest in instance.rest.items() if rest > 0]
    share = float(sum(shares)) / len(shares)
    if share >= settings["share"] and share > 0:
        return RIGHT
    said = "it is 0 everywhere" if share == 0 else f"on average it is {share:.0%} of the true cost"
    return Verdict(False, f"{said}; at least {settings['share']:.0%} is expected")


def expands_as_few(instance: Instance, seen: Seen, settings: Settings) -> Verdict:
    """Judge whether it is admissible and consistent, and whether A* with it expands as few states as with another.

    The states whose f is at most the least cost of a path are counted. That is the most that A* expands with a
    consistent heuristic, however it breaks ties.
    """
    for bound in (admissible, consistent):
        verdict = bound(instance, seen, settings)
        if not verdict.right:
            return verdict
    h = _values(instance, seen)
    assert not isinstance(h, Verdict)
    count, most = (
        instance.until_goal({state: g + values[state] for state, g in instance.distance.items()})[1]
        for values in (h, instance.reference(settings["reference"]))
    )
    if count <= most:
        return RIGHT
    return Verdict(
        False,
        f"it is consistent, but in {count:,} states f is not above the least cost of a path, so A* may expand all of "
        f"them; at most {most:,} are allowed",
    )


def _sum(a: Cost, b: Cost) -> Cost:
    try:
        return a + b
    except OverflowError:  # an integer too large for a float, and a float
        return Fraction(a) + Fraction(b)


def _values(instance: Instance, seen: Seen) -> Mapping[Any, Cost] | Verdict:
    if seen.odd:
        return Verdict(False, f"it returned {seen.odd} at {seen.state!r}; expected a number ≥ 0")
    for state, value in seen.values.items():
        if not value >= 0:  # also false for NaN
            return Verdict(False, f"h({state!r}) = {shown(value)}; expected a number ≥ 0", instance.draw())
    return seen.values
