"""Making the balls of certificates: from arrivals that a search holds, or by a search for them."""

from collections.abc import Callable, Container, Mapping
from heapq import heappop, heappush
from math import inf
from typing import Any

from searchkit.certificates.certificate import Ball, Record
from searchkit.certificates.steps import Backward, Estimate, Steps
from searchkit.problem import Cost

PATIENCE = 1024
"""How many states are taken between two looks at whether to give up."""


class GivenUpError(Exception):
    """Whoever asked for a certificate has no more time or memory for it."""


def ball_from(
    steps: Steps,
    arrivals: Mapping[Any, Cost],
    radius: Cost,
    estimate: Estimate,
    opposite: Mapping[Any, Cost] | None = None,
    give_up: Callable[[], bool] = lambda: False,
) -> tuple[Ball, Cost] | None:
    """Return the ball of the states below the radius, and the cost of the cheapest path into the opposite ball.

    `arrivals` must hold the least cost of each state in the ball (and may hold others): where it does not, or
    where a goal lies in the ball, there is none to return. Raises `GivenUpError`.

    Takes time linear in the steps out of the states in the ball.
    """
    records: list[Record] = []
    states: list[Any] = []
    known: set[Any] = set()
    awaited: set[Any] = set()
    border: Cost = inf
    meeting: Cost = inf
    g: Cost = 0
    position = -1
    while position < len(states):
        for ordinal, _, state, cost in steps.first() if position < 0 else steps.out_of(states[position]):
            arrival = g + cost
            if opposite and state in opposite:
                meeting = min(meeting, arrival + opposite[state])
            if state in known:
                if arrival < arrivals[state]:
                    return None
                continue
            f = arrival + estimate(state)
            if f >= radius:
                border = min(border, f)
            elif state not in arrivals or arrival < arrivals[state]:
                return None
            elif arrival > arrivals[state]:
                awaited.add(state)
            elif not isinstance(steps, Backward) and steps.problem.is_goal(state):
                return None
            else:
                known.add(state)
                states.append(state)
                records.append((position, ordinal, exact(arrival)))
        position += 1
        if position < len(states):
            g = arrivals[states[position]]
        if position % PATIENCE == 0 and give_up():
            raise GivenUpError
    return (Ball(exact(border), tuple(records)), meeting) if awaited <= known else None


def least_arrivals(
    steps: Steps,
    radius: Cost,
    estimate: Estimate,
    give_up: Callable[[], bool] = lambda: False,
    within: Container[Any] | None = None,
) -> tuple[Mapping[Any, Cost], Cost] | None:
    """Return the least cost of each state below the radius, and the radius: a smaller one, if a goal is nearer.

    Dijkstra's algorithm among these states: each is taken once, whether the heuristic is consistent or not. If it
    leads to a state that is not `within`, where that is given, there is nothing to return. Raises `GivenUpError`.
    """
    least: dict[Any, Cost] = {}
    waiting: list[tuple[Cost, int, Any]] = []
    count = 0
    g: Cost = 0
    following = steps.first()
    while True:
        for _, _, state, cost in following:
            if state not in least and g + cost + estimate(state) < radius:
                if within is not None and state not in within:
                    return None
                count += 1
                heappush(waiting, (g + cost, count, state))
        while waiting and waiting[0][2] in least:
            heappop(waiting)
        if not waiting:
            return least, radius
        g, _, state = heappop(waiting)
        if steps.problem.is_goal(state):
            return least, g
        least[state] = g
        following = steps.out_of(state)
        if len(least) % PATIENCE == 0 and give_up():
            raise GivenUpError


def exact(cost: Any) -> Cost:
    """Return a cost as one of the three types that a file can hold."""
    from fractions import Fraction
    from operator import index

    if type(cost) in (int, float, Fraction):
        return cost  # type: ignore[no-any-return]
    try:
        return index(cost)
    except TypeError:
        return Fraction(cost) if isinstance(cost, Fraction) else float(cost)
