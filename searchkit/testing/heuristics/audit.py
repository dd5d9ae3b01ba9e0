"""One heuristic on one state space: its values, the exact distances, and where it breaks which promise."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from math import inf
from typing import Any

from attrs import frozen

from searchkit.basics.checks import python_number
from searchkit.basics.text import kind_of
from searchkit.problem import Cost, SearchProblem
from searchkit.testing.spaces.space import checked_space, exceeds
from searchkit.testing.trials import last_line

PROMISES: Mapping[str, str] = {
    "numbers": "the heuristic of every state is a number ≥ 0, or infinity",
    "admissible": "h(s) ≤ h*(s), the least cost from s to a goal, for every state s",
    "consistent": "h(s) ≤ cost(s, a, t) + h(t) for every action a from a state s to a state t",
    "zero at goals": "h(s) = 0 for every goal s",
    "informed": "h(s) > 0 for some state s from which a goal can be reached",
}
"""Name → the promise as a sentence, in the order in which reports list them."""

Heuristic = Callable[[Any, SearchProblem[Any, Any]], Any]
"""`h(state, problem)`."""


@frozen
class Violation:
    """One place where a promise is broken, and by how much."""

    detail: str
    gap: Any = 0
    """The amount by which the inequality fails, in units of cost."""
    states: int = 1
    """The number of states on the path that shows it."""
    state: Any = None
    successor: Any = None
    """The successor, if an action shows it."""
    numbers: tuple[tuple[str, str], ...] = ()


class Audit:
    """The heuristic of one problem, evaluated in every reachable state, or in the first `max_states`."""

    def __init__(self, problem: SearchProblem[Any, Any], heuristic: Heuristic, max_states: int):
        self.problem = problem
        self.space = checked_space(problem, max_states)
        self.values: dict[Any, Cost] = {}
        """State → h, for the states with a valid value."""
        self.faults: list[Violation] = []
        """The states with an invalid value."""
        for state in self._met():
            value, fault = _value(heuristic, state, problem)
            if fault:
                shown = (("s", repr(state)), ("h(s)", "" if value is None else repr(value)))
                self.faults.append(
                    Violation(f"h({state!r}) {fault}", state=state, numbers=tuple(n for n in shown if n[1]))
                )
            else:
                self.values[state] = value

    def _met(self) -> Iterator[Any]:
        """Yield each state once, in the order in which a walk meets them."""
        met = dict.fromkeys(self.space.starts)
        met.update(dict.fromkeys(self.space.edges))
        for edges in self.space.edges.values():
            met.update(dict.fromkeys(successor for _, successor, _ in edges))
        yield from met

    @cached_property
    def exact(self) -> dict[Any, Cost]:
        """h* of each state from which a goal can be reached; on a part of a space, an upper bound of h*."""
        return self.space.to_goals()

    @property
    def guides(self) -> bool:
        """Whether it is above 0 for some state from which a goal can be reached."""
        return any(self.values.get(state) for state in self.exact)

    def broken(self, promise: str) -> Violation | None:
        """Return the violation of the promise with the least gap, and among these the one with the fewest states."""
        places = self._violations(promise)
        return min(places, key=lambda place: (place.gap, place.states), default=None)

    def decided(self, promise: str) -> bool:
        """Whether the absence of violations proves a promise, or the rest of the space could break it."""
        if promise == "informed":
            return self.space.whole or self.guides
        return self.space.whole

    def _violations(self, promise: str) -> Iterator[Violation]:
        if promise == "numbers":
            return iter(self.faults[:1])
        if promise == "admissible":
            return self._overestimates()
        if promise == "consistent":
            return self._drops()
        if promise == "zero at goals":
            return self._goals()
        return self._uninformed()

    def _scale(self) -> Cost:
        """Return the largest distance to a goal: heuristic values have rounding errors of numbers of that size."""
        return max((distance for distance in self.exact.values() if distance < inf), default=0)

    def _overestimates(self) -> Iterator[Violation]:
        scale = self._scale()
        over = [
            (state, h, self.exact[state])
            for state, h in self.values.items()
            if state in self.exact and exceeds(h, self.exact[state], scale)
        ]
        if not over:
            return
        steps = self.space.steps_to_goals(self.exact)
        truth = "h*(s)" if self.space.whole else "cost of a path from s to a goal"
        for state, h, least in over:
            yield Violation(
                f"h({state!r}) = {h}, and a path of cost {least} leads from there to a goal: {h - least} too much",
                h - least,
                int(steps[state]) + 1,
                state,
                numbers=(("s", repr(state)), ("h(s)", str(h)), (truth, str(least)), ("gap", str(h - least))),
            )

    def _drops(self) -> Iterator[Violation]:
        scale = self._scale()
        for state, edges in self.space.edges.items():
            for action, successor, cost in edges:
                if state not in self.values or successor not in self.values:
                    continue
                h, after = self.values[state], self.values[successor]
                if h == after == inf or (h != inf and not exceeds(h, cost + after, scale)):
                    continue
                gap = h - (cost + after)
                yield Violation(
                    f"h drops from {h} in {state!r} to {after} in {successor!r}, by more than the cost {cost} "
                    f"of the action {action!r}",
                    gap,
                    2,
                    state,
                    successor,
                    (
                        ("s", repr(state)),
                        ("t", repr(successor)),
                        ("action", repr(action)),
                        ("h(s)", str(h)),
                        ("cost(s, action, t)", str(cost)),
                        ("h(t)", str(after)),
                        ("gap", str(gap)),
                    ),
                )

    def _goals(self) -> Iterator[Violation]:
        scale = self._scale()
        for state in self.values:
            if state in self.space.goals and exceeds(self.values[state], 0, scale):
                h = self.values[state]
                numbers = (("s", repr(state)), ("h(s)", str(h)))
                yield Violation(f"{state!r} is a goal, and h({state!r}) = {h}", h, 1, state, numbers=numbers)

    def _uninformed(self) -> Iterator[Violation]:
        guided = [state for state in self.values if self.exact.get(state, 0) > 0]
        if self.space.whole and guided and not self.faults and not self.guides:
            yield Violation(
                "h(s) = 0 for every state from which a goal can be reached: it does not guide a search",
                states=len(guided),
                state=guided[0],
                numbers=(("states with h* > 0", str(len(guided))),),
            )


def _value(heuristic: Heuristic, state: Any, problem: SearchProblem[Any, Any]) -> tuple[Any, str]:
    """Return the heuristic value of a state, and what is wrong with it ("" if nothing is)."""
    try:
        value = heuristic(state, problem)
    except Exception as error:
        return None, f"raised {last_line(error)}"
    number = python_number(value)
    if number is None:
        fault = kind_of(value)
    elif number >= 0:
        return number, ""
    else:
        fault = "which is negative" if number < 0 else "which is not a number"
    return value, f"is {value!r}, {fault}; expected a number ≥ 0, or infinity where no goal can be reached"
