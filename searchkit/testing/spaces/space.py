"""The oracle: a state space, or a part of it, with exact distances, and whether an answer is a path in it.

It shares no code with engines.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import Any

from attrs import frozen

from searchkit.basics.checks import checked_cost
from searchkit.basics.rounding import differ
from searchkit.problem import Cost, SearchProblem, check_members, has_cost

ADDITIONS = 4096
"""The number of additions whose rounding errors are allowed in a cost."""


@frozen(slots=False)
class StateSpace:
    """The states that can be reached from the starts, up to a bound, and the actions between them."""

    starts: tuple[Any, ...]
    edges: Mapping[Any, tuple[tuple[Any, Any, Cost], ...]]
    """State → (action, successor, cost) of each action, for each expanded state."""
    goals: frozenset[Any]
    whole: bool
    """Whether every reachable state was expanded. If not, distances are those within the expanded part."""

    @cached_property
    def from_starts(self) -> dict[Any, Cost]:
        """The least cost from a start to each state (g*); states that can't be reached are absent."""
        forward = {state: [(head, cost) for _, head, cost in edges] for state, edges in self.edges.items()}
        return {state: cost for state, (cost, _, _) in _relaxed(self.starts, forward).items()}

    @cached_property
    def ways_to_goals(self) -> dict[Any, tuple[Cost, int, Any]]:
        """State → (least cost to a goal, fewest steps of a path of that cost, the next state on it or None)."""
        backward: dict[Any, list[tuple[Any, Cost]]] = {}
        for tail, edges in self.edges.items():
            for _, head, cost in edges:
                backward.setdefault(head, []).append((tail, cost))
        return _relaxed(self.goals, backward)

    @cached_property
    def to_goals(self) -> dict[Any, Cost]:
        """The least cost from each state to a goal (h*); states without a path to a goal are absent."""
        return {state: cost for state, (cost, _, _) in self.ways_to_goals.items()}

    @cached_property
    def least_cost(self) -> Cost:
        """The least cost from a start to a goal; infinite if no path exists."""
        exact = self.from_starts
        return min((exact[goal] for goal in self.goals if goal in exact), default=inf)

    @cached_property
    def best_path(self) -> tuple[Any, ...] | None:
        """The states of a path of least cost from a start to a goal; None if no path exists."""
        rest = self.to_goals
        starts = [start for start in self.starts if start in rest]
        return self.path_to_goal(min(starts, key=rest.__getitem__)) if starts else None

    def path_to_goal(self, state: Any) -> tuple[Any, ...] | None:
        """Return the states of a path of least cost from any state to a goal, of the fewest steps among these paths.

        None if no path exists.
        """
        ways, path = self.ways_to_goals, [state]
        if state not in ways:
            return None
        while path[-1] not in self.goals:
            path.append(ways[path[-1]][2])
        return tuple(path)


def explore(problem: SearchProblem[Any, Any], max_states: int = 10_000) -> StateSpace:
    """Expand every reachable state, at most `max_states` of them, in breadth-first order.

    Calls `successors` once for each state. Raises whatever the problem raises, and `InvalidProblemError` if a member is
    missing or a cost is not a finite number ≥ 0; `check_problem` says more about such a problem.
    """
    check_members(problem)
    costs = has_cost(problem)
    starts = tuple(dict.fromkeys(problem.initial_states()))
    edges: dict[Hashable, tuple[tuple[Any, Any, Cost], ...]] = {}
    reached = set(starts)
    pending = deque(starts)
    while pending and len(edges) < max_states:
        state = pending.popleft()
        edges[state] = tuple(
            (action, to, checked_cost(state, action, to, problem.cost(state, action, to)) if costs else 1)
            for action, to in problem.successors(state)
        )
        new = dict.fromkeys(to for _, to, _ in edges[state] if to not in reached)
        reached.update(new)
        pending.extend(new)
    goals = frozenset(state for state in reached if problem.is_goal(state))
    return StateSpace(starts, edges, goals, whole=not pending)


def _relaxed(
    sources: Iterable[Any], neighbours: Mapping[Any, Iterable[tuple[Any, Cost]]]
) -> dict[Any, tuple[Cost, int, Any]]:
    """Relax edges until none improves (Bellman 1958, in the queue order of Moore 1959).

    Returns state → (cost, steps, the neighbour that it was reached from or None). Of equal costs the fewest steps
    count: actions that cost 0 form no circles.
    """
    ways: dict[Any, tuple[Cost, int, Any]] = dict.fromkeys(sources, (0, 0, None))
    pending = deque(ways)
    queued = set(ways)
    while pending:
        state = pending.popleft()
        queued.discard(state)
        for other, cost in neighbours.get(state, ()):
            way = ways[state][0] + cost, ways[state][1] + 1
            if other not in ways or way < ways[other][:2]:
                ways[other] = (*way, state)
                if other not in queued:
                    queued.add(other)
                    pending.append(other)
    return ways


def same(one: Cost, other: Cost, scale: Cost = 0) -> bool:
    """Whether two costs are equal, up to the rounding of floats of their size or of the size `scale`."""
    return not differ(one, other, ADDITIONS, scale)


def exceeds(one: Cost, other: Cost, scale: Cost = 0) -> bool:
    """Whether one cost is larger than another by more than rounding."""
    return bool(one > other) and not same(one, other, scale)


def is_consistent(table: Mapping[Any, Cost], space: StateSpace) -> bool:
    """Whether h(s) ≤ c(s, a, s') + h(s') for every action, and h = 0 at goals; h is 0 for states not in the table."""
    return not any(table.get(goal, 0) for goal in space.goals) and all(
        table.get(tail, 0) <= cost + table.get(head, 0)
        for tail, edges in space.edges.items()
        for _, head, cost in edges
    )


def fault_of_steps(space: StateSpace, states: Sequence[Any], actions: Sequence[Any]) -> str:
    """Return what is wrong with a path of states and actions; "" if nothing is."""
    if len(states) != len(actions) + 1:
        return f"the path has {len(states)} states and {len(actions)} actions; one action leads from state to state"
    for before, action, after in zip(states, actions, states[1:], strict=False):
        if (action, after) not in [edge[:2] for edge in space.edges.get(before, ())]:
            return f"action {action!r} does not lead from {before!r} to {after!r}"
    return _fault_of_states(space, states)


def fault_of_list(space: StateSpace, answer: Any) -> str:
    """Return what is wrong with the path that a plain function returned, for its author; "" if nothing is."""
    if not isinstance(answer, list) or not answer:
        hint = "; write list(path)" if isinstance(answer, tuple) else ""
        return f"it returned {answer!r}; expected a list of states, the start first, or None if there is no path{hint}"
    for index, item in enumerate(answer):
        if not is_in(item, space.edges):
            said = "which is not a state that the problem returned; expected states only: [start, state, …]"
            return f"item {index} of the list it returned is {item!r}, {said}"
    fault = _fault_of_states(space, answer)
    if fault and not _fault_of_states(space, answer[::-1]):
        fault += "; backwards, it is a path: return path[::-1]"
    return fault


def _fault_of_states(space: StateSpace, states: Sequence[Any]) -> str:
    for before, after in pairwise(states):
        if after not in [successor for _, successor, _ in space.edges[before]]:
            return f"no action leads from {before!r} to {after!r}, which follow each other in the path"
    if states[0] not in space.starts:
        starts = ", ".join(map(repr, space.starts))
        return f"the path begins in {states[0]!r}, which is not a start; expected it to begin in {starts}"
    if states[-1] not in space.goals:
        return f"the path ends in {states[-1]!r}, which is not a goal"
    return ""


def cost_of_list(space: StateSpace, states: Sequence[Any]) -> Cost:
    """Return the least cost of a walk through these states."""
    return sum(
        min((cost for _, head, cost in space.edges[before] if head == after), default=inf)
        for before, after in pairwise(states)
    )


def is_in(item: Any, states: Any) -> bool:
    """Whether an item, which may not be hashable, is one of the states."""
    try:
        return item in states
    except TypeError:  # not hashable
        return False
