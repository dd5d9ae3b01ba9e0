"""Checking a rubric: typical mistakes are run on its maps, and a criterion that all of them pass can't be failed."""

import pickle
from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from itertools import count
from typing import Any
from zlib import crc32

from attrs import evolve, frozen

from searchkit_coursework.grader import Grader
from searchkit_coursework.maps import Instance
from searchkit_coursework.rubric import Criterion
from searchkit_coursework.service import Failure, Graph, Seen, Service
from searchkit_coursework.student.observing import name_of, observe
from searchkit_coursework.student.problem import Overexpanded

Mistake = Callable[[Instance], Seen | Failure]
"""Returns what is judged if a function with a mistake is run on a map."""


@frozen
class CriterionReport:
    """On how many maps each mistake fails a criterion."""

    criterion: Criterion
    failed: Mapping[str, int]
    """Mistake → the number of maps."""
    judged: int

    @property
    def can_fail(self) -> bool:
        """Whether a mistake fails it on a map."""
        return any(self.failed.values())

    def __str__(self) -> str:
        """Return one line."""
        if self.can_fail:
            found = (f"{name} on {number} of {self.judged}" for name, number in self.failed.items())
            return f"✓ {self.criterion.name}: fails {', '.join(found)}"
        return f"✗ {self.criterion.name}: no map can fail it; it also holds for {', '.join(self.failed)}"


def check_grader(grader: Grader) -> list[CriterionReport]:
    """Return for each criterion of the rubric which mistakes fail it."""
    reports = []
    for criterion in grader.rubric.criteria:
        chosen, settings, maps = criterion.property, criterion.settings, grader.deciding(criterion)
        names = MISTAKES[f"{chosen.name} {settings.get('by', '')}".strip()]
        failed = {
            name: sum(chosen.fault(each, BY_NAME[name](each), settings) is not None for each in maps)
            for name in names
        }
        reports.append(CriterionReport(criterion, failed, len(maps)))
    return reports


def _searching(priority: Callable[[int, Any, Any, int], Any], **how: bool) -> Mistake:
    def mistake(instance: Instance) -> Seen | Failure:
        service = Service(instance, "search", most=3 * len(instance.states) + 100)
        try:
            answer = observe(
                lambda problem: best_first(problem, priority, **how),
                service.opening(),
                lambda *question: pickle.loads(service.answer(list(question))),
            )
        except Overexpanded:
            return service.too_many
        return service.seen(answer)

    return mistake


def best_first(
    problem: Any,
    priority: Callable[[int, Any, Any, int], Any],
    early: bool = False,
    reopen: bool = True,
    forget: bool = False,
) -> list[Any] | None:
    """Return the path of a best-first search by `priority(depth, g, h, number of the entry)`, with a mistake.

    Args:
        problem: the problem.
        priority: entries of the least one come first.
        early: whether it ends as soon as a goal is generated.
        reopen: whether a state that is reached at a lower cost is put into the frontier again.
        forget: whether every successor is put into the frontier.

    """
    number = count()
    costs: dict[Any, Any] = dict.fromkeys(problem.initial_states(), 0)
    frontier: list[tuple[Any, int, Any, list[Any]]] = []

    def push(path: list[Any], g: Any) -> None:
        entry = next(number)
        heappush(frontier, (priority(len(path), g, problem.heuristic(path[-1]), entry), entry, g, path))

    for start in costs:
        push([start], 0)
    while frontier:
        _, _, g, path = heappop(frontier)
        state = path[-1]
        if g > costs[state] and not forget:
            continue
        if problem.is_goal(state):
            return path
        for action, successor in problem.successors(state):
            new = g + problem.cost(state, action, successor)
            better = successor not in costs or (reopen and new < costs[successor])
            if better:
                costs[successor] = new
                if early and problem.is_goal(successor):
                    return [*path, successor]
            if better or forget:
                push([*path, successor], new)
    return None


def _estimating(value: Callable[[Any, Any], Any]) -> Mistake:
    """Return a heuristic of `value(state, its distance)`."""
    return lambda instance: Seen(values={s: value(s, instance.rest.get(s, 0)) for s in instance.states})


def _modelling(change: Callable[[Graph], Graph]) -> Mistake:
    """Return a problem with a mistake, made of the graph of the right one."""

    def mistake(instance: Instance) -> Seen:
        space, numbers = instance.space, {state: number for number, state in enumerate(instance.states)}
        edges = [
            [(name_of(action), cost, numbers[to]) for action, to, cost in space.edges[state]]
            for state in instance.states
        ]
        starts, goals = ([numbers[each] for each in states] for states in (space.starts, space.goals))
        return Seen(graph=change(Graph(starts, frozenset(goals), edges, len(edges), 4 * len(edges))))

    return mistake


def _with_parity(graph: Graph) -> Graph:
    size = graph.states
    edges = [[(a, c, size * (1 - half) + n) for a, c, n in out] for half in (0, 1) for out in graph.edges]
    goals = graph.goals | {size + goal for goal in graph.goals}
    return evolve(graph, goals=goals, edges=edges, states=2 * size)


BY_NAME: Mapping[str, Mistake] = {
    "states are reached again and again": _searching(lambda depth, g, h, number: depth, forget=True),
    "depth-first search": _searching(lambda depth, g, h, number: -number),
    "breadth-first search": _searching(lambda depth, g, h, number: depth, reopen=False),
    "Dijkstra's algorithm": _searching(lambda depth, g, h, number: g),
    "greedy search": _searching(lambda depth, g, h, number: h),
    "a goal tested when it is generated": _searching(lambda depth, g, h, number: g, early=True),
    "A* that never reopens": _searching(lambda depth, g, h, number: g + h, reopen=False),
    "twice the distance": _estimating(lambda state, rest: 2 * rest),
    "the distance in half of the states": _estimating(
        lambda state, rest: rest if crc32(name_of(state).encode()) % 2 else 0
    ),
    "0 everywhere": _estimating(lambda state, rest: 0),
    "an action is forgotten": _modelling(lambda graph: evolve(graph, edges=[out[1:] for out in graph.edges])),
    "no goal": _modelling(lambda graph: evolve(graph, goals=frozenset())),
    "a state says if the number of steps is even": _modelling(_with_parity),
}
_FORGETS = ("states are reached again and again",)
_EXPENSIVE = ("depth-first search", "breadth-first search", "greedy search")
MISTAKES: Mapping[str, tuple[str, ...]] = {
    "terminates": _FORGETS,
    "valid": _FORGETS,
    "complete": _FORGETS,
    "optimal": (*_EXPENSIVE, "a goal tested when it is generated", "A* that never reopens"),
    "expands-at-most f": ("Dijkstra's algorithm",),
    "expands-at-most g": _FORGETS,
    "expands-at-most depth": _FORGETS,
    "order f": ("Dijkstra's algorithm", "greedy search"),
    "order g": ("breadth-first search", "depth-first search"),
    "order depth": ("depth-first search", "Dijkstra's algorithm"),
    "closest": ("Dijkstra's algorithm", "depth-first search"),
    "admissible": ("twice the distance",),
    "consistent": ("the distance in half of the states",),
    "informed": ("0 everywhere",),
    "expands-as-few": ("0 everywhere",),
    "same-steps": ("an action is forgotten",),
    "same-goals": ("no goal",),
    "no-more-states": ("a state says if the number of steps is even",),
}
"""Property, and its order → the mistakes that it is there to find."""
