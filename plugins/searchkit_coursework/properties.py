"""The properties that a rubric can require of a search, a heuristic or a problem, and how a map shows that they hold.

A judge raises `Failure` if its property does not hold on a map.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any, Literal

from attrs import evolve, frozen

from searchkit import Limits, Status, problem_from, solve
from searchkit.basics.values import readable
from searchkit.plugin import Parameter
from searchkit.problem import Cost
from searchkit.testing.heuristics import Audit
from searchkit.testing.spaces.space import StateSpace, cost_of_list, exceeds, fault_of_list, same
from searchkit_coursework.maps import Failure, Instance
from searchkit_coursework.service import MAX_STATES, Observation

Judge = Callable[..., None]
"""`judge(instance, observation, **settings)`."""
Difference = Callable[[Instance, StateSpace, Any, int], str]
"""Returns what is wrong with a state of a student's problem, given that of the map; "" if nothing is."""
MAX_ACTIONS = 12
"""The largest number of actions that a message lists."""
ORDERS = {
    "depth": "the fewest actions from a start (depth)",
    "g": "the least cost from a start (g)",
    "f": "f = g + h",
}


@frozen
class Property:
    """Something that holds or fails for a function on a map."""

    name: str
    kind: Literal["search", "heuristic", "problem"]
    """Whether the function is `find(problem)`, `h(state, problem)` or `make(text)`, which returns a problem."""
    judge: Judge
    can_decide: Callable[..., bool]
    """`can_decide(instance, **settings)`: whether a map can show that the property holds; only then it is judged."""
    settings: tuple[Parameter, ...] = ()

    def __str__(self) -> str:
        return self.name

    def fault(
        self, instance: Instance, observation: Observation | Failure, settings: Mapping[str, Any]
    ) -> Failure | None:
        """Return what is wrong with an answer, or why there is none; None if the property holds."""
        if isinstance(observation, Failure):
            return observation
        try:
            self.judge(instance, observation, **settings)
        except Failure as failure:
            return failure
        return None


def _solvable(instance: Instance, **settings: Any) -> bool:
    return instance.space.least_cost < inf


def _ordered(instance: Instance, by: str) -> bool:
    return by != "f" or instance.consistent


def _has_reference(instance: Instance, reference: str) -> bool:
    return _solvable(instance) and bool(instance.reference(reference))


REFERENCE = Parameter("reference", "a value of the problem's option 'heuristic'")
SHARE = Parameter("share", "the least share of the true cost, on average", default=0.0, least=0, most=1)
BY_G, BY_F = (Parameter("by", "the order", default=by, choices=tuple(ORDERS)) for by in ("g", "f"))
FACTOR = Parameter("factor", "how many times the states that are needed", default=1.0, least=0, most=1e6)
EXTRA = Parameter("extra", "how many states more", default=0, least=0, most=10**9)
PROPERTIES: dict[str, Property] = {}


def judges(
    kind: Literal["search", "heuristic", "problem"],
    *settings: Parameter,
    can_decide: Callable[..., bool] = lambda instance, **settings: True,
) -> Callable[[Judge], Judge]:
    """Enter a function as the judge of the property of its name."""

    def enter(judge: Judge) -> Judge:
        name = judge.__name__.replace("_", "-")
        PROPERTIES[name] = Property(name, kind, judge, can_decide, settings)
        return judge

    return enter


@judges("search")
def terminates(instance: Instance, observation: Observation) -> None:
    """Judge whether the function returned an answer. If this is called, it did."""


@judges("search", can_decide=_solvable)
def valid(instance: Instance, observation: Observation) -> None:
    """Judge whether it returns a path if one exists."""
    _path(instance, observation)


@judges("search")
def complete(instance: Instance, observation: Observation) -> None:
    """Judge whether it returns a path if one exists, and None otherwise."""
    if instance.space.least_cost < inf:
        _path(instance, observation)
    elif observation.path:
        raise Failure(
            f"it returned a path of {len(observation.path)} states; no path exists here, so return None",
            instance.draw(),
        )
    elif not observation.exhausted:
        raise Failure(
            "it returned no path, which is right, but it can't know that: it did not expand all states that it had "
            f"reached ({len(set(observation.expanded))} expanded)"
        )


@judges("search", can_decide=_solvable)
def optimal(instance: Instance, observation: Observation) -> None:
    """Judge whether the path costs the least possible."""
    path = _path(instance, observation)
    cost = cost_of_list(instance.space, path)
    if exceeds(cost, instance.space.least_cost, instance.scale):
        best = instance.space.best_path or ()
        raise Failure(
            f"its path costs {readable(cost)}; the least possible is {readable(instance.space.least_cost)}",
            f"its path:\n{instance.draw(path)}\na best path:\n{instance.draw(best)}",
        )


@judges(
    "search",
    BY_F,
    FACTOR,
    EXTRA,
    can_decide=lambda instance, by, **_: _solvable(instance) and _ordered(instance, by),
)
def expands_at_most(instance: Instance, observation: Observation, by: str, factor: float, extra: int) -> None:
    """Judge whether it finds a path, and expands no more states than precede the goal in the order of `by`."""
    _path(instance, observation)
    within = _check_expanded(instance, observation, by)
    most = int(within * factor) + extra
    if len(observation.expanded) > most:
        raise Failure(
            f"it expanded {len(observation.expanded)} states; at most {most:g} are allowed "
            f"(in {within} states, {by} is not above that of the best goal)"
        )


@judges("search", REFERENCE, can_decide=_has_reference)
def closest(instance: Instance, observation: Observation, reference: str) -> None:
    """Judge whether the path always goes to a closest state in which the heuristic `reference` is lower.

    If the heuristic counts what is left to collect, the path always collects what is closest.
    """
    path, left, begin = _path(instance, observation), instance.reference(reference), 0
    for end in range(1, len(path)):
        if not left[path[end]] < left[path[begin]]:
            continue
        lower = {state for state in instance.states if left[state] < left[path[begin]]}
        space = evolve(instance.space, starts=(path[begin],), goals=frozenset(lower))
        walked, least = cost_of_list(space, path[begin : end + 1]), space.least_cost
        if exceeds(walked, least, instance.scale):
            raise Failure(
                f"from {path[begin]!r} it goes {readable(walked)} to the next state where {reference} is "
                f"lower; the closest one is {readable(least)} away",
                f"it goes:\n{instance.draw(path[begin : end + 1])}\n"
                f"closest:\n{instance.draw(space.best_path or ())}",
            )
        begin = end


@judges("search", BY_G, can_decide=_ordered)
def order(instance: Instance, observation: Observation, by: str) -> None:
    """Judge whether it expands states in the order of `by`, ties in any order, and no state twice."""
    complete(instance, observation)
    values, before, met = instance.values(by), None, set()
    highest: Cost = -inf
    for number, state in enumerate(observation.expanded, 1):
        if state in met:
            raise Failure(f"it expanded {state!r} twice (the second time as number {number})")
        met.add(state)
        if exceeds(highest, values[state], instance.scale):
            raise Failure(
                f"it expanded {state!r} with {readable(values[state])} after {before!r} with {readable(highest)}; "
                f"states come in the order of {ORDERS[by]}"
            )
        before, highest = state, max(highest, values[state])
    if instance.space.least_cost < inf:
        _check_expanded(instance, observation, by)


def _check_expanded(instance: Instance, observation: Observation, by: str) -> int:
    """Check that all states were expanded that a search in the order of `by` has to expand; return how many it may."""
    values = instance.values(by)
    # breadth-first search may recognise a goal when it is generated
    must, within = instance.until_goal(values, 1 if by == "depth" else 0)
    missing = must - set(observation.expanded)
    if missing:
        state = min(missing, key=lambda state: (values[state], repr(state)))
        raise Failure(
            f"it did not expand {state!r} with {readable(values[state])}, which comes before the goal: states come in "
            f"the order of {ORDERS[by]}, and {len(must)} have to be expanded"
        )
    return within


def _path(instance: Instance, observation: Observation) -> tuple[Any, ...]:
    """Return the states of the path. Raises `Failure` if it is none."""
    if not observation.path:
        nothing = "None" if observation.path is None else "an empty list"
        raise Failure(
            f"it returned {nothing}; a path exists, of cost {readable(instance.space.least_cost)}",
            instance.draw(instance.space.best_path or ()),
        )
    path = tuple(observation.path)
    fault = fault_of_list(instance.space, list(path))
    if fault:
        raise Failure(fault, instance.draw(path))
    for state in path[:-1]:
        if state not in observation.expanded:
            raise Failure(
                f"the path leads on from {state!r}, but it never asked for the successors of that state: use "
                "problem.successors(state)"
            )
    return path


@judges("heuristic", can_decide=lambda instance: bool(instance.space.to_goals))
def admissible(instance: Instance, observation: Observation) -> None:
    """Judge whether no value is larger than the least cost of a path to a goal; so it is 0 at goals."""
    _audit(instance, observation, "admissible")


@judges("heuristic")
def consistent(instance: Instance, observation: Observation) -> None:
    """Judge whether no step reduces the value by more than its cost, and whether the value is 0 at goals."""
    _audit(instance, observation, "consistent")
    _audit(instance, observation, "admissible")  # a consistent heuristic that is 0 at goals is admissible


def _audit(instance: Instance, observation: Observation, promise: str) -> None:
    found = Audit(instance.problem, instance.space, observation.values).finding(promise)
    if found.outcome == "fails":
        raise Failure(found.detail, *(instance.draw(path) for _, path in found.paths))


@judges("heuristic", SHARE, can_decide=lambda instance, share: any(instance.space.to_goals.values()))
def informed(instance: Instance, observation: Observation, share: float) -> None:
    """Judge whether it is admissible, and on average at least a given share of the true cost."""
    admissible(instance, observation)
    shares = [observation.values[state] / rest for state, rest in instance.space.to_goals.items() if rest > 0]
    mean = float(sum(shares)) / len(shares)
    if mean < share or mean == 0:
        said = "it is 0 everywhere" if mean == 0 else f"on average it is {mean:.0%} of the true cost"
        raise Failure(f"{said}; at least {share:.0%} is expected")


@judges("heuristic", REFERENCE, can_decide=_has_reference)
def expands_as_few(instance: Instance, observation: Observation, reference: str) -> None:
    """Judge whether it is admissible and consistent, and whether A* with it expands as few states as with another.

    The states whose f is at most the least cost of a path are counted. That is the most that A* expands with a
    consistent heuristic, however it breaks ties.
    """
    admissible(instance, observation)
    consistent(instance, observation)
    count, most = (
        instance.until_goal({state: g + values[state] for state, g in instance.space.from_starts.items()})[1]
        for values in (observation.values, instance.reference(reference))
    )
    if count > most:
        raise Failure(
            f"it is consistent, but in {count:,} states f is not above the least cost of a path, so A* may expand all "
            f"of them; at most {most:,} are allowed"
        )


def _can_follow(instance: Instance) -> bool:
    """Whether actions lead to one state each, from one start, and the map can be written as text."""
    unique = all(len(instance.steps[state]) == len(out) for state, out in instance.space.edges.items())
    return len(instance.space.starts) == 1 and unique and bool(instance.text)


@judges("problem", can_decide=_can_follow)
def same_steps(instance: Instance, observation: Observation) -> None:
    """Judge whether, after all sequences of actions up to a goal, the same actions are possible at the same cost."""
    _compare(instance, observation.graph, _wrong_step)


@judges("problem", can_decide=_can_follow)
def same_goals(instance: Instance, observation: Observation) -> None:
    """Judge whether it has the same steps, and whether the same sequences of actions end in a goal."""
    _compare(instance, observation.graph, _wrong_step)
    _compare(instance, observation.graph, _wrong_goal)


@judges("problem", can_decide=_can_follow)
def no_more_states(instance: Instance, observation: Observation) -> None:
    """Judge whether it has the same steps, and no more states that can be reached than the map has."""
    graph, enough = observation.graph, len(instance.states)
    _compare(instance, graph, _wrong_step)
    states = {to for out in graph.edges.values() for _, to, _ in out}.union(graph.edges)
    if len(states) > enough:
        more = "" if graph.whole else "more than "
        raise Failure(
            f"it has {more}{len(states):,} states, and {enough:,} are enough: states that differ, but from which the "
            "same actions lead to a goal, have to be equal"
        )


def _compare(instance: Instance, graph: StateSpace, difference: Difference) -> None:
    """Take the same actions on the map and in a student's problem, and raise the first difference.

    A search for it finds the fewest actions that lead there, whatever the student's states look like.
    """

    def successors(both: tuple[Any, int]) -> list[tuple[str, tuple[Any, int]]]:
        steps = {} if both[0] in instance.space.goals else instance.steps[both[0]]
        return [(name, (steps[name][1], to)) for name, to, _ in graph.edges[both[1]] if name in steps]

    start, limits = (instance.space.starts[0], graph.starts[0]), Limits(expansions=MAX_STATES)
    pairs = problem_from([start], successors, lambda both: bool(difference(instance, graph, *both)))
    result = solve(pairs, "bfs", backend="python", limits=limits)
    if result.status is Status.CUTOFF:
        raise Failure(f"it has too many states; {len(instance.states):,} are enough")
    if result.solution is not None:
        actions, states = result.solution.actions, result.solution.states
        listed = ["…"] * (len(actions) > MAX_ACTIONS) + list(actions[-MAX_ACTIONS:])
        where = f"after {', '.join(listed)}: " if listed else "at the start: "
        path = tuple(state for state, _ in states)
        raise Failure(where + difference(instance, graph, *states[-1]), instance.draw(path))


def _wrong_goal(instance: Instance, graph: StateSpace, state: Any, number: int) -> str:
    is_goal = state in instance.space.goals
    if is_goal == (number in graph.goals):
        return ""
    return f"is_goal is {not is_goal}, and this is {'' if is_goal else 'not '}a goal"


def _wrong_step(instance: Instance, graph: StateSpace, state: Any, number: int) -> str:
    if number not in graph.edges:
        return f"there are more than {len(graph.edges):,} states, and {len(instance.states):,} are enough"
    ours, theirs = instance.steps[state], graph.edges[number]
    if state in instance.space.goals:
        return ""
    told = [action for action, _, _ in theirs]
    for action, _, cost in theirs:
        if told.count(action) > 1:
            return f"successors has {action} twice"
        if action not in ours:
            return f"successors has {action}, which is not possible there"
        if cost != cost or not same(ours[action][0], cost, instance.scale):  # NaN is not itself
            return f"{action} costs {readable(cost)}; expected {readable(ours[action][0])}"
    missing = next((action for action in ours if action not in told), None)
    return f"successors does not have {missing}, which is possible there" if missing else ""
