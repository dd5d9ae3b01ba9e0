"""Checking a certificate against the problem, by the definition alone: without code of engines, trees or drivers.

It begins with the steps of a path, in both directions, and their costs, as they follow from the problem alone.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import inf
from numbers import Integral, Rational, Real
from typing import Any, TypeAlias

from attrs import define, field, frozen

from searchkit.basics.rounding import exceeds, is_sum
from searchkit.certificates.certificate import Ball, Certificate
from searchkit.errors import quoted
from searchkit.problem import Cost, Reversible, SearchProblem

Step: TypeAlias = tuple[int, Any, Any, Cost]
"""Its number among the steps out of a state, its action (None for a start), the state it leads to, and its cost."""
Heuristic: TypeAlias = Callable[[Any], Cost]
"""A heuristic, or `no_heuristic`."""


class ObjectionError(Exception):
    """A statement of a certificate or of a result that is false."""


@frozen
class Steps:
    """One direction: from the starts along `successors`, or from the goals along `predecessors`."""

    problem: Any
    backward: bool = False

    def first(self) -> Iterator[Step]:
        """Yield a step at cost 0 into each state that this direction begins with."""
        states = self.problem.goal_states() if self.backward else self.problem.initial_states()
        for ordinal, state in enumerate(states):
            yield ordinal, None, state, 0

    def out_of(self, state: Any) -> Iterator[Step]:
        """Yield the steps out of a state. Raises `ObjectionError` for a cost that is not a finite number ≥ 0."""
        edges = self.problem.predecessors(state) if self.backward else self.problem.successors(state)
        for ordinal, (action, other) in enumerate(edges):
            before, after = (other, state) if self.backward else (state, other)
            yield ordinal, action, other, step_cost(self.problem, before, action, after)


def step_cost(problem: SearchProblem[Any, Any], before: object, action: object, after: object) -> Cost:
    """Return the cost of a step, 1 by default. Raises `ObjectionError` unless it is a finite number ≥ 0."""
    if getattr(problem, "cost", None) is None:  # an optional member
        return 1
    given = problem.cost(before, action, after)
    cost = number_of(given)
    if cost is None or not 0 <= cost < inf:
        raise ObjectionError(
            f"cost({quoted(before)}, {quoted(action)}, {quoted(after)}) is {quoted(given)}, not a finite number ≥ 0"
        )
    return cost


def number_of(value: Any) -> Cost | None:
    """Return a real number as an int, a float or a Fraction, whose sums neither wrap around nor lose digits.

    Returns None for anything else.
    """
    if type(value) in (int, float, Fraction):
        return value  # type: ignore[no-any-return]  # one of these types
    if getattr(value, "shape", None) == ():  # of an array library
        value = value.item()
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, Real):
        return float(value)
    return None


def no_heuristic(state: object) -> Cost:
    """Return 0: the placeholder in a proof without a heuristic."""
    return 0


def heuristic_of(problem: Any) -> Heuristic:
    """Return the heuristic of the problem, which raises `ObjectionError` for a value that is not a number ≥ 0.

    Raises `ObjectionError` if the problem has no heuristic.
    """
    if getattr(problem, "heuristic", None) is None:  # an optional member
        raise ObjectionError("it counts a heuristic in, and the problem has none")

    def heuristic(state: Any) -> Cost:
        given = problem.heuristic(state)
        h = number_of(given)
        if h is None or not h >= 0:
            raise ObjectionError(f"heuristic({quoted(state)}) is {quoted(given)}, not a number ≥ 0")
        return h

    return heuristic


@frozen
class Grounds:
    """What an accepted certificate relies on besides the definition of the problem."""

    ruled_out: int
    """How many steps out of the forward ball need the heuristic to be ruled out."""
    backward: bool
    """Whether it relies on `predecessors` and `goal_states`."""


def check(problem: SearchProblem[Any, Any], certificate: Certificate) -> Grounds:
    """Check every statement of a certificate; raise `ObjectionError` at the first one that is false.

    Takes time linear in the number of steps out of the recorded states, and memory linear in the certificate.
    """
    heuristic = heuristic_of(problem) if certificate.heuristic else no_heuristic
    _check_path(problem, certificate, heuristic)
    backward, opposite, reach = certificate.backward, None, certificate.forward.radius
    if backward is not None:
        if certificate.heuristic:
            raise ObjectionError("it counts a heuristic in, and is made from both ends")
        if not isinstance(problem, Reversible):
            raise ObjectionError("it is made from both ends, and the problem can't be followed backwards")
        opposite = Replay(Steps(problem, backward=True), backward, no_heuristic).run()
        reach += backward.radius
    forward = Replay(Steps(problem), certificate.forward, heuristic, opposite, certificate.lower_bound).run()
    bound = min(reach, forward.meeting, inf if certificate.cost is None else certificate.cost)
    if certificate.lower_bound != bound:
        raise ObjectionError(
            f"that no path costs less than {certificate.lower_bound} does not follow from the states recorded, which "
            f"prove {bound}"
        )
    ended = "solved" if certificate.path else "unsolvable" if bound == inf else "cutoff"
    if certificate.status != ended:
        raise ObjectionError(f"its status is {certificate.status}, and what it proves is: {ended}")
    return Grounds(forward.ruled_out, backward is not None)


def _check_path(problem: SearchProblem[Any, Any], certificate: Certificate, heuristic: Heuristic) -> None:
    """Check that the path given by ordinals has the stated cost, ends in a goal, and shows no overestimate."""
    if not certificate.path:
        if certificate.cost is not None:
            raise ObjectionError(f"it says that a path costs {certificate.cost}, and has none")
        return
    states = [_chosen(problem.initial_states(), certificate.path[0], "start")]
    actions = []
    for ordinal in certificate.path[1:]:
        action, after = _chosen(problem.successors(states[-1]), ordinal, f"successor of {quoted(states[-1])}")
        actions.append(action)
        states.append(after)
    if not problem.is_goal(states[-1]):
        raise ObjectionError(f"its path ends in {quoted(states[-1])}, which is not a goal")
    costs = costs_of_path(problem, states, actions)
    refute_heuristic(states, costs, heuristic)
    if certificate.cost is None or not is_sum(certificate.cost, costs):
        raise ObjectionError(f"its path costs {sum(costs)}, not {certificate.cost}")


def costs_of_path(
    problem: SearchProblem[Any, Any], states: Sequence[Any], actions: Sequence[Any]
) -> list[Cost]:
    """Return the cost of each step of a path. Raises `ObjectionError` for a cost that is not a finite number ≥ 0."""
    return [
        step_cost(problem, before, action, after)
        for before, action, after in zip(states, actions, states[1:], strict=False)
    ]


def refute_heuristic(states: Sequence[Any], costs: Sequence[Cost], heuristic: Heuristic) -> None:
    """Raise `ObjectionError` if the heuristic exceeds the cost of the rest of a path to a goal."""
    # Sums from the end: differences of sums from the beginning would lose small costs
    rests = list(accumulate(reversed(costs), initial=0))[::-1]
    for state, rest in zip(states, rests, strict=True):
        h = heuristic(state)
        if exceeds(h, rest, len(costs), rests[0]):
            raise ObjectionError(
                f"heuristic({quoted(state)}) is {h}, and a path of cost {rest} leads from there to a goal"
            )


def _chosen(offered: Any, ordinal: int, what: str) -> Any:
    for number, chosen in enumerate(offered):
        if number == ordinal:
            return chosen
    raise ObjectionError(f"its path takes {what} number {ordinal}, and there is none of that number")


@define(eq=False)
class Replay:
    """The check of one ball: it finds the states of the records again, and follows every step out of them.

    After `run`, with *g* the cost so far: each recorded state is reached by steps that cost *g*. Each step out of a
    recorded state leads to a recorded state whose *g* is no larger, or *g* + cost + *h* is no less than the radius. In
    the forward direction, no recorded state is a goal.
    """

    steps: Steps
    ball: Ball
    heuristic: Heuristic
    opposite: "Replay | None" = None
    """The check of the ball of the other direction, after its `run`."""
    bound: Cost = 0
    """The lower bound to be proved; it decides which steps out of the ball need the heuristic."""
    arrivals: dict[Any, Cost] = field(factory=dict)
    meeting: Cost = inf
    """The least cost of a path from this ball into the opposite one."""
    ruled_out: int = 0
    border: Cost = inf
    """The least cost so far + heuristic of a step into a state that was not recorded at that time."""
    pending: dict[Any, Cost] = field(factory=dict)
    """State → cost at which a step reached it below the radius. Each must be recorded later, at a lower cost."""

    def run(self) -> "Replay":
        """Replay all records. Raises `ObjectionError` unless the ball is the one ball of its radius."""
        records, next_record = self.ball.arrivals, 0
        beyond = {} if self.opposite is None else self.opposite.arrivals
        states: list[Any] = []
        before: Any = None
        g: Cost = 0
        position = -1
        while True:
            steps = self.steps.first() if position < 0 else self.steps.out_of(before)
            for ordinal, action, state, cost in steps:
                arrival = g + cost
                if state in beyond:
                    self._meet(position < 0, before, state, cost, arrival)
                if next_record < len(records) and records[next_record][:2] == (position, ordinal):
                    self._enter(next_record, action, before, state, arrival)
                    states.append(state)
                    next_record += 1
                elif state in self.arrivals:
                    if self.arrivals[state] > arrival:
                        raise ObjectionError(
                            f"{quoted(state)} is recorded at cost {self.arrivals[state]}, and a step from "
                            f"{quoted(before)} reaches it at {arrival}"
                        )
                else:
                    self._leave(state, arrival, len(records) - next_record)
            position += 1
            if next_record < len(records) and records[next_record][0] < position:
                raise ObjectionError(
                    f"arrival {next_record} is not a new step from a recorded state, in their order: "
                    f"{records[next_record]}"
                )
            if position == len(states):
                break
            before, g = states[position], records[position][2]
        if next_record < len(records):
            raise ObjectionError(f"arrival {next_record} comes from a state that is not recorded")
        for state, cost in self.pending.items():
            raise self._missing(state, cost)
        if self.ball.radius != self.border:
            raise ObjectionError(
                f"its radius is {self.ball.radius}, and the least cost so far + heuristic of a step out of the states "
                f"recorded is {self.border}"
            )
        return self

    def _enter(self, number: int, action: Any, before: Any, state: Any, arrival: Cost) -> None:
        parent, _, g = self.ball.arrivals[number]
        if g != arrival:
            raise ObjectionError(
                f"arrival {number} is recorded at cost {g}, and {quoted(state)} is reached at {arrival}"
            )
        if state in self.arrivals:
            raise ObjectionError(f"arrival {number} is of {quoted(state)}, which is recorded already")
        if not arrival + self.heuristic(state) < self.ball.radius:
            raise ObjectionError(
                f"arrival {number} is of {quoted(state)}, which is not below the radius {self.ball.radius}"
            )
        if not arrival < self.pending.pop(state, inf):
            raise ObjectionError(
                f"arrival {number}: a step before this one reaches {quoted(state)} as cheaply"
            )
        problem = self.steps.problem
        if self.steps.backward:
            if parent < 0 and not problem.is_goal(state):
                raise ObjectionError(f"{quoted(state)} is among the goal_states, and is not a goal")
            if parent >= 0 and (action, before) not in map(tuple, problem.successors(state)):
                raise ObjectionError(
                    f"{quoted(state)} is a predecessor of {quoted(before)}, and does not lead there by {quoted(action)}"
                )
        elif problem.is_goal(state):
            raise ObjectionError(f"arrival {number}: {quoted(state)} is a goal, reached at cost {arrival}")
        self.arrivals[state] = arrival

    def _leave(self, state: Any, arrival: Cost, left: int) -> None:
        """Process a step into a state that is not recorded yet."""
        h = self.heuristic(state)
        if arrival + h >= self.ball.radius:
            self.border = min(self.border, arrival + h)
            if arrival < self.bound and self.heuristic is not no_heuristic:
                self.ruled_out += 1
                if h > 0 and self.steps.problem.is_goal(state):
                    raise ObjectionError(f"heuristic({quoted(state)}) is {h}, and it is a goal")
            return
        self.pending[state] = min(self.pending.get(state, inf), arrival)
        if len(self.pending) > left:  # so that memory stays linear in the certificate, whatever it says
            raise self._missing(state, arrival)

    def _meet(self, first: bool, before: Any, state: Any, cost: Cost, arrival: Cost) -> None:
        """Process a step into the opposite ball, whose replay must have found the same step."""
        assert self.opposite is not None
        beyond = self.opposite.arrivals
        self.meeting = min(self.meeting, arrival + beyond[state])
        through = beyond[state] + cost
        if not first and through < self.opposite.ball.radius and not beyond.get(before, inf) <= through:
            raise ObjectionError(f"predecessors({quoted(state)}) leaves out a step from {quoted(before)}")

    def _missing(self, state: Any, arrival: Cost) -> ObjectionError:
        return ObjectionError(
            f"{quoted(state)} is not recorded at the cost {arrival} or less at which it is reached, below the radius "
            f"{self.ball.radius}"
        )
