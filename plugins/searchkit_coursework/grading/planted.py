"""Checking a rubric: typical mistakes are run on its maps, and a criterion that all of them pass can't be failed."""

import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from typing import Any
from zlib import crc32

from attrs import evolve, frozen

from searchkit_coursework.grading.grader import Grader
from searchkit_coursework.grading.rubric import Criterion
from searchkit_coursework.sandbox.endings import Failure
from searchkit_coursework.sandbox.service import Book, Seen, Service
from searchkit_coursework.sandbox.values import Graph
from searchkit_coursework.student.observing import observe_search
from searchkit_coursework.student.problem import Overexpanded, RemoteProblem, name_of

Observe = Callable[[Book], Seen | Failure]
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
        chosen, settings = criterion.property, criterion.settings
        books = [grader.books[repr(entry)] for entry in grader.rubric.entries(criterion)]
        books = [book for book in books if chosen.has_say(book.instance, settings)]
        failed = {}
        for name in MISTAKES[f"{chosen.name} {settings.get('by', '')}".strip()]:
            seen = [(book.instance, OBSERVE[name](book)) for book in books]
            failed[name] = sum(
                isinstance(what, Failure) or not chosen.judge(instance, what, settings).right
                for instance, what in seen
            )
        reports.append(CriterionReport(criterion, failed, len(books)))
    return reports


def _searching(priority: Callable[[int, Any, Any, int], Any], **how: bool) -> Observe:
    def observe(book: Book) -> Seen | Failure:
        service = Service(book, "search", 3 * len(book.states) + 100)
        opening = service.opening()
        problem = RemoteProblem(lambda *question: pickle.loads(service.answer(list(question))), opening)
        answer: dict[str, Any] = {}
        with suppress(Overexpanded):
            answer = observe_search(lambda problem: best_first(problem, priority, **how), problem)
        return service.seen(answer)

    return observe


def best_first(
    problem: Any,
    priority: Callable[[int, Any, Any, int], Any],
    early: bool = False,
    reopen: bool = True,
    forget: bool = False,
    whole: bool = False,
) -> list[Any] | None:
    """Return the path of a best-first search by `priority(depth, g, h, number of the entry)`, with a mistake.

    Args:
        problem: the problem.
        priority: entries of the least one come first.
        early: whether it ends as soon as a goal is generated.
        reopen: whether a state that is reached at a lower cost is put into the frontier again.
        forget: whether every successor is put into the frontier.
        whole: whether it ends only when all states are expanded.

    """
    number = count()
    parents: dict[Any, tuple[Any, Any]] = dict.fromkeys(problem.initial_states(), (0, None))
    frontier: list[tuple[Any, int, Any, int, Any]] = []

    def path_to(state: Any) -> list[Any]:
        before = parents[state][1]
        return [state] if before is None else [*path_to(before), state]

    def push(state: Any, depth: int, g: Any) -> None:
        entry = next(number)
        heappush(frontier, (priority(depth, g, problem.heuristic(state), entry), entry, state, depth, g))

    for start in parents:
        push(start, 0, 0)
    found = None
    while frontier and (found is None or whole):
        _, _, state, depth, g = heappop(frontier)
        if g > parents[state][0] and not forget:
            continue
        if problem.is_goal(state):
            found = found or path_to(state)
            if not whole:
                break
        for action, successor in problem.successors(state):
            new = g + problem.cost(state, action, successor)
            better = successor not in parents or (reopen and new < parents[successor][0])
            if better:
                parents[successor] = new, state
                if early and problem.is_goal(successor):
                    return path_to(successor)
            if better or forget:
                push(successor, depth + 1, new)
    return found


def _estimating(value: Callable[[Any, Any], Any]) -> Observe:
    """Return a heuristic of `value(state, its distance)`."""
    return lambda book: Seen(
        values={state: value(state, book.instance.rest.get(state, 0)) for state in book.states}
    )


def _modelling(change: Callable[[Graph], Graph]) -> Observe:
    """Return a problem with a mistake, made of the graph of the right one."""

    def observe(book: Book) -> Seen:
        space, numbers = book.instance.space, {state: number for number, state in enumerate(book.states)}
        edges = [
            [(name_of(a), cost, numbers[t]) for a, t, cost in space.edges[state]] for state in book.states
        ]
        goals = frozenset(numbers[each] for each in space.goals)
        starts = [numbers[each] for each in space.starts]
        return Seen(graph=change(Graph(starts, goals, edges, len(edges), 4 * len(edges))))

    return observe


def _with_parity(graph: Graph) -> Graph:
    size = graph.states
    edges = [[(a, c, size * (1 - half) + n) for a, c, n in out] for half in (0, 1) for out in graph.edges]
    return evolve(
        graph, goals=graph.goals | {size + goal for goal in graph.goals}, edges=edges, states=2 * size
    )


OBSERVE: Mapping[str, Observe] = {
    "states are reached again and again": _searching(lambda depth, g, h, number: depth, forget=True),
    "depth-first search": _searching(lambda depth, g, h, number: -number),
    "breadth-first search": _searching(lambda depth, g, h, number: depth, reopen=False),
    "Dijkstra's algorithm": _searching(lambda depth, g, h, number: g),
    "greedy search": _searching(lambda depth, g, h, number: h),
    "a goal tested when it is generated": _searching(lambda depth, g, h, number: g, early=True),
    "A* that never reopens": _searching(lambda depth, g, h, number: g + h, reopen=False),
    "a search of all states": _searching(lambda depth, g, h, number: g, whole=True),
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
    "expands-at-most g": ("a search of all states",),
    "expands-at-most depth": ("a search of all states",),
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
