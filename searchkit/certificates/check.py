"""Checking a certificate against the problem, by the definition alone: without code of engines, trees or drivers."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from attrs import define, field, frozen

from searchkit.basics.rounding import exceeds, is_sum, rests_of
from searchkit.certificates.certificate import Ball, Certificate
from searchkit.certificates.layers import Rerun, check_layers
from searchkit.certificates.steps import (
    Backward,
    Forward,
    Heuristic,
    ObjectionError,
    Steps,
    heuristic_of,
    no_heuristic,
    step_cost,
)
from searchkit.problem import Cost, Reversible, SearchProblem


@frozen
class Grounds:
    """What an accepted certificate relies on besides the definition of the problem."""

    ruled_out: int
    """How many steps out of the forward ball need the heuristic to be ruled out."""
    backward: bool
    """Whether it relies on `predecessors` and `goal_states`."""
    bound: Cost
    """The lower bound that is proved: that of the certificate, unless its layers were made again in part only."""
    by_view: bool = False
    """Whether it relies on the compiled view."""
    left: str = ""
    """What was made again of the layers and what was not; "" if everything was checked."""


def check(
    problem: SearchProblem[Any, Any],
    certificate: Certificate,
    again: Callable[[SearchProblem[Any, Any], Certificate], Rerun] = check_layers,
) -> Grounds:
    """Check every statement of a certificate; raise `ObjectionError` at the first one that is false.

    Takes time linear in the number of steps out of the recorded states, and memory linear in the certificate. Of a
    certificate of layers, the layers are made by `again`.
    """
    heuristic = heuristic_of(problem) if certificate.heuristic else no_heuristic
    _check_path(problem, certificate, heuristic)
    if certificate.layers:
        rerun = again(problem, certificate)
        _check_status(certificate, certificate.lower_bound)
        return Grounds(rerun.ruled_out, False, rerun.bound, rerun.by_view, _left(certificate, rerun))
    backward = certificate.backward
    if backward is None:
        opposite, reach = Opposite(), certificate.forward.radius
    else:
        if certificate.heuristic:
            raise ObjectionError("it counts a heuristic in, and is made from both ends")
        if not isinstance(problem, Reversible):
            raise ObjectionError("it is made from both ends, and the problem can't be followed backwards")
        replayed = Replay(Backward(problem), backward, Opposite(), no_heuristic).run()
        opposite = Opposite(backward.radius, replayed.arrivals)
        reach = certificate.forward.radius + backward.radius
    forward = Replay(
        Forward(problem), certificate.forward, opposite, heuristic, certificate.lower_bound
    ).run()
    bound = min(reach, forward.meeting, inf if certificate.cost is None else certificate.cost)
    if certificate.lower_bound != bound:
        raise ObjectionError(
            f"that no path costs less than {certificate.lower_bound} does not follow from the states recorded, which "
            f"prove {bound}"
        )
    _check_status(certificate, bound)
    return Grounds(forward.ruled_out, backward is not None, bound)


def _check_status(certificate: Certificate, bound: Cost) -> None:
    ended = "solved" if certificate.path else "unsolvable" if bound == inf else "cutoff"
    if certificate.status != ended:
        raise ObjectionError(f"its status is {certificate.status}, and what it proves is: {ended}")


def _left(certificate: Certificate, rerun: Rerun) -> str:
    if rerun.layers == len(certificate.layers):
        return ""
    return (
        f"{rerun.layers} of {len(certificate.layers)} layers were made again, with {rerun.states:,} of "
        f"{certificate.size:,} states"
    )


def _check_path(problem: SearchProblem[Any, Any], certificate: Certificate, heuristic: Heuristic) -> None:
    """Check that the path given by ordinals has the stated cost, ends in a goal, and shows no overestimate."""
    if not certificate.path:
        if certificate.cost is not None:
            raise ObjectionError(f"it says that a path costs {certificate.cost}, and has none")
        return
    states = [_chosen(problem.initial_states(), certificate.path[0], "start")]
    actions = []
    for ordinal in certificate.path[1:]:
        action, after = _chosen(problem.successors(states[-1]), ordinal, f"successor of {states[-1]!r}")
        actions.append(action)
        states.append(after)
    if not problem.is_goal(states[-1]):
        raise ObjectionError(f"its path ends in {states[-1]!r}, which is not a goal")
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
    rests = rests_of(costs)
    for state, rest in zip(states, rests, strict=True):
        h = heuristic(state)
        if exceeds(h, rest, len(costs), rests[0]):
            raise ObjectionError(
                f"heuristic({state!r}) is {h}, and a path of cost {rest} leads from there to a goal"
            )


def _chosen(offered: Any, ordinal: int, what: str) -> Any:
    for number, chosen in enumerate(offered):
        if number == ordinal:
            return chosen
    raise ObjectionError(f"its path takes {what} number {ordinal}, and there is none of that number")


@frozen
class Opposite:
    """The ball of the other direction, after its replay."""

    radius: Cost = 0
    arrivals: dict[Any, Cost] = field(factory=dict)


@define(eq=False)
class Replay:
    """The check of one ball: it finds the states of the records again, and follows every step out of them.

    After `run`, with *g* the cost so far: each recorded state is reached by steps that cost *g*. Each step out of a
    recorded state leads to a recorded state whose *g* is no larger, or *g* + cost + *h* is no less than the radius. In
    the forward direction, no recorded state is a goal.
    """

    steps: Steps
    ball: Ball
    opposite: Opposite
    heuristic: Heuristic
    bound: Cost = 0
    """The lower bound to be proved; it decides which steps out of the ball need the heuristic."""
    arrivals: dict[Any, Cost] = field(factory=dict)
    meeting: Cost = inf
    """The least cost of a path from this ball into the opposite one."""
    ruled_out: int = 0
    border: Cost = inf
    """The least cost so far + heuristic of a step into a state that was not recorded at that time."""
    awaited: dict[Any, Cost] = field(factory=dict)
    """State → cost at which a step reached it below the radius. Each must be recorded later, at a lower cost."""

    def run(self) -> "Replay":
        """Replay all records. Raises `ObjectionError` unless the ball is the one ball of its radius."""
        records, next_record = self.ball.arrivals, 0
        states: list[Any] = []
        before: Any = None
        g: Cost = 0
        position = -1
        while True:
            steps = self.steps.first() if position < 0 else self.steps.out_of(before)
            for ordinal, action, state, cost in steps:
                arrival = g + cost
                if state in self.opposite.arrivals:
                    self._meet(position < 0, before, state, cost, arrival)
                if next_record < len(records) and records[next_record][:2] == (position, ordinal):
                    self._enter(next_record, action, before, state, arrival)
                    states.append(state)
                    next_record += 1
                elif state in self.arrivals:
                    if self.arrivals[state] > arrival:
                        raise ObjectionError(
                            f"{state!r} is recorded at cost {self.arrivals[state]}, and a step from {before!r} "
                            f"reaches it at {arrival}"
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
        for state, cost in self.awaited.items():
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
                f"arrival {number} is recorded at cost {g}, and {state!r} is reached at {arrival}"
            )
        if state in self.arrivals:
            raise ObjectionError(f"arrival {number} is of {state!r}, which is recorded already")
        if not arrival + self.heuristic(state) < self.ball.radius:
            raise ObjectionError(
                f"arrival {number} is of {state!r}, which is not below the radius {self.ball.radius}"
            )
        if not arrival < self.awaited.pop(state, inf):
            raise ObjectionError(f"arrival {number}: a step before this one reaches {state!r} as cheaply")
        problem = self.steps.problem
        if isinstance(self.steps, Backward):
            if parent < 0 and not problem.is_goal(state):
                raise ObjectionError(f"{state!r} is among the goal_states, and is not a goal")
            if parent >= 0 and (action, before) not in [tuple(step) for step in problem.successors(state)]:
                raise ObjectionError(
                    f"{state!r} is a predecessor of {before!r}, and does not lead there by {action!r}"
                )
        elif problem.is_goal(state):
            raise ObjectionError(f"arrival {number}: {state!r} is a goal, reached at cost {arrival}")
        self.arrivals[state] = arrival

    def _leave(self, state: Any, arrival: Cost, left: int) -> None:
        """Process a step into a state that is not recorded yet."""
        h = self.heuristic(state)
        if arrival + h >= self.ball.radius:
            self.border = min(self.border, arrival + h)
            if arrival < self.bound and self.heuristic is not no_heuristic:
                self.ruled_out += 1
                if h > 0 and self.steps.problem.is_goal(state):
                    raise ObjectionError(f"heuristic({state!r}) is {h}, and it is a goal")
            return
        self.awaited[state] = min(self.awaited.get(state, inf), arrival)
        if len(self.awaited) > left:  # so that memory stays linear in the certificate, whatever it says
            raise self._missing(state, arrival)

    def _meet(self, first: bool, before: Any, state: Any, cost: Cost, arrival: Cost) -> None:
        """Process a step into the opposite ball, whose replay must have found the same step."""
        beyond = self.opposite.arrivals
        self.meeting = min(self.meeting, arrival + beyond[state])
        through = beyond[state] + cost
        if not first and through < self.opposite.radius and not beyond.get(before, inf) <= through:
            raise ObjectionError(f"predecessors({state!r}) leaves out a step from {before!r}")

    def _missing(self, state: Any, arrival: Cost) -> ObjectionError:
        return ObjectionError(
            f"{state!r} is not recorded at the cost {arrival} or less at which it is reached, below the radius "
            f"{self.ball.radius}"
        )
