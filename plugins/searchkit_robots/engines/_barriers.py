"""Barriers: constraints of many places at once for two robots whose cheapest paths all conflict."""

from collections.abc import Callable
from typing import Any, NamedTuple

from searchkit_robots.engines._single import Barrier

MOST_STEPS = 16
"""The number of steps by which the costs of two robots are raised together at most."""
LARGEST = 1 << 14
"""Diagrams are not compared if the product of their sizes, divided by their length, is larger."""


class Split(NamedTuple):
    """Barriers of two robots: in each plan, one of them is outside its barrier, and arrives late."""

    robots: tuple[int, int]
    barriers: tuple[Barrier, Barrier]
    earliest: tuple[int, int]
    """The time before which the robot does not arrive for good."""
    gain: tuple[int, int]
    """By how much the cost increases in the child where that is less, and in both together."""


def split_between(one: Any, other: Any, redraw: Callable[[Any, Any, int], Any]) -> Split | None:
    """Return barriers of two robots; None if paths of their diagrams have no conflict.

    Diagrams of larger costs have more paths and so forbid more. So the cost of one robot and of the other is raised in
    turns, as long as all paths conflict. That covers conflicts that paths which wait somewhat longer have too: in a
    corridor, where one robot has to let the other one out first, or at the goal of a robot where another one passes
    later.

    Args:
        one: the diagram of the cheapest paths of a robot.
        other: the one of the other robot.
        redraw: robot, constraints, cost → a diagram.

    """
    met = one.met(other)
    if met is None:
        return None
    pair, least = [one, other], (one.cost, other.cost)
    costs = list(least)
    raises = [True, True]
    while any(raises) and sum(costs) - sum(least) < MOST_STEPS:
        for side in (0, 1):
            if not raises[side]:
                continue
            longer = list(pair)
            longer[side] = redraw(pair[side].robot, pair[side].constraints, costs[side] + 1)
            found = None
            if longer[0].size * longer[1].size < LARGEST * max(costs):
                found = longer[0].met(longer[1])
            if found is None:
                raises[side] = False
            else:
                pair, met = longer, found
                costs[side] += 1
    barriers = pair[0].barrier(met[0]), pair[1].barrier(met[1])
    gains = [cost - before + 1 for cost, before in zip(costs, least, strict=True)]
    return Split((0, 1), barriers, (costs[0] + 1, costs[1] + 1), (min(gains), sum(gains)))
