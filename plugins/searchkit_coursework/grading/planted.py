"""Checking a rubric: typical mistakes are run on its maps, and a criterion that all of them pass can't be failed.

The mistakes are those of a search, a heuristic or a problem that is right otherwise: they show what the maps can tell
apart.
"""

import pickle
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from typing import Any
from zlib import crc32

from attrs import frozen

from searchkit_coursework.grading.grader import Grader
from searchkit_coursework.grading.rubric import Criterion
from searchkit_coursework.maps import Instance
from searchkit_coursework.sandbox.endings import Failure
from searchkit_coursework.sandbox.service import Book, Seen, Service
from searchkit_coursework.sandbox.values import Graph
from searchkit_coursework.student.observing import observe_search
from searchkit_coursework.student.problem import Overexpanded, RemoteProblem, name_of

Priority = Callable[[int, Any, Any, int], Any]
"""`priority(depth, g, h, number of the entry)`: entries of the least one come first."""


@frozen
class Defect:
    """A mistake, and what is judged when a function with it is run on a map."""

    name: str
    observe: Callable[[Book, Criterion], Seen | Failure]


@frozen
class CriterionReport:
    """On how many maps each defect fails a criterion."""

    criterion: Criterion
    failed: Mapping[str, int]
    """Defect → the number of maps."""
    judged: int

    @property
    def can_fail(self) -> bool:
        """Whether a defect fails it on a map."""
        return any(self.failed.values())

    def __str__(self) -> str:
        """Return one line."""
        if self.can_fail:
            found = (f"{name} on {number} of {self.judged}" for name, number in self.failed.items())
            return f"✓ {self.criterion.name}: fails {', '.join(found)}"
        maps = f"{self.judged} map{'s' * (self.judged != 1)}"
        return f"✗ {self.criterion.name}: no map can fail it; on {maps} it holds for {', '.join(self.failed)}"


def check_grader(grader: Grader) -> list[CriterionReport]:
    """Return for each criterion of the rubric which defects fail it."""
    return [_checked(grader, criterion) for criterion in grader.rubric.criteria]


def _checked(grader: Grader, criterion: Criterion) -> CriterionReport:
    books = [grader.books[repr(entry)] for entry in grader.rubric.entries(criterion)]
    books = [each for each in books if criterion.property.has_say(each.instance, criterion.settings)]
    failed = {}
    for defect in defects_of(criterion):
        seen = [(book.instance, defect.observe(book, criterion)) for book in books]
        failed[defect.name] = sum(
            isinstance(what, Failure)
            or criterion.property.judge(instance, what, criterion.settings).right is False
            for instance, what in seen
        )
    return CriterionReport(criterion, failed, len(books))


def defects_of(criterion: Criterion) -> Sequence[Defect]:
    """Return the mistakes that the property of a criterion is there to find."""
    names = TARGETS[criterion.property.name]
    return [
        DEFECTS[name] for name in (names if isinstance(names, tuple) else names[criterion.settings["by"]])
    ]


def searching(name: str, priority: Priority, **how: bool) -> Defect:
    """Return a best-first search with a mistake."""

    def observe(book: Book, criterion: Criterion) -> Seen | Failure:
        service = Service(book, "search")
        opening = service.opening()
        problem = RemoteProblem(lambda *question: pickle.loads(service.answer(list(question))), opening)
        answer: dict[str, Any] = {}
        with suppress(Overexpanded):
            answer = observe_search(lambda problem: best_first(problem, priority, **how), problem)
        return service.seen(answer)

    return Defect(name, observe)


def best_first(
    problem: Any,
    priority: Priority,
    early: bool = False,
    reopen: bool = True,
    forget: bool = False,
    whole: bool = False,
) -> list[Any] | None:
    """Return the path of a best-first search.

    Args:
        problem: the problem.
        priority: the order of the frontier.
        early: whether it ends as soon as a goal is generated.
        reopen: whether a state is kept in mind at a lower cost than before.
        forget: whether all successors are put into the frontier, those that were reached before too.
        whole: whether it ends only when all states are expanded.

    """
    number = count()
    parents: dict[Any, tuple[Any, Any]] = dict.fromkeys(problem.initial_states(), (0, None))
    frontier: list[tuple[Any, int, Any, int, Any]] = []

    def path_to(state: Any) -> list[Any]:
        path = []
        while state is not None:
            path.append(state)
            state = parents[state][1]
        return path[::-1]

    def push(state: Any, depth: int, g: Any) -> None:
        entry = next(number)
        heappush(frontier, (priority(depth, g, problem.heuristic(state), entry), entry, state, depth, g))

    for start in parents:
        push(start, 0, 0)
    found = None
    while frontier:
        _, _, state, depth, g = heappop(frontier)
        if g > parents[state][0] and not forget:
            continue
        if problem.is_goal(state) and found is None:
            found = path_to(state)
        if found is not None and not whole:
            return found
        for action, successor in problem.successors(state):
            new = g + problem.cost(state, action, successor)
            if successor not in parents or (reopen and new < parents[successor][0]):
                parents[successor] = new, state
            elif not forget:
                continue
            if early and problem.is_goal(successor):
                return path_to(successor)
            push(successor, depth + 1, new)
    return found


def estimating(name: str, value: Callable[[Instance, Criterion, Any], Any]) -> Defect:
    """Return a heuristic with a mistake: `value(map, criterion, state)`."""

    def observe(book: Book, criterion: Criterion) -> Seen:
        return Seen(values={state: value(book.instance, criterion, state) for state in book.states})

    return Defect(name, observe)


def modelling(name: str, change: Callable[[Graph], Graph]) -> Defect:
    """Return a problem with a mistake, made of the graph of the right one."""

    def observe(book: Book, criterion: Criterion) -> Seen:
        space, numbers = book.instance.space, {state: number for number, state in enumerate(book.states)}
        edges = [
            [(name_of(a), cost, numbers[t]) for a, t, cost in space.edges[state]] for state in book.states
        ]
        starts, goals = (
            [numbers[each] for each in space.starts],
            frozenset(numbers[each] for each in space.goals),
        )
        return Seen(graph=change(Graph(starts, goals, edges, len(edges), len(edges) * 4)))

    return Defect(name, observe)


def _half(instance: Instance, state: Any) -> Any:
    return instance.rest.get(state, 0) if crc32(name_of(state).encode()) % 2 else 0


def _with_parity(graph: Graph) -> Graph:
    """Return the graph of a problem whose states also say whether the number of steps is even."""
    size = graph.states
    edges = [[(a, c, size * (1 - half) + n) for a, c, n in out] for half in (0, 1) for out in graph.edges]
    goals = graph.goals | {size + goal for goal in graph.goals}
    return Graph(graph.starts, goals, edges, 2 * size, graph.most)


DEFECTS = {
    defect.name: defect
    for defect in (
        searching("states are reached again and again", lambda depth, g, h, number: depth, forget=True),
        searching("depth-first search", lambda depth, g, h, number: -number),
        searching("breadth-first search", lambda depth, g, h, number: depth, reopen=False),
        searching("Dijkstra's algorithm", lambda depth, g, h, number: g),
        searching("greedy search", lambda depth, g, h, number: h),
        searching("a goal tested when it is generated", lambda depth, g, h, number: g, early=True),
        searching("A* that never reopens", lambda depth, g, h, number: g + h, reopen=False),
        searching("a search of all states", lambda depth, g, h, number: g, whole=True),
        estimating("twice the distance", lambda instance, criterion, state: 2 * instance.rest.get(state, 0)),
        estimating(
            "the distance in half of the states", lambda instance, criterion, state: _half(instance, state)
        ),
        estimating("0 everywhere", lambda instance, criterion, state: 0),
        modelling(
            "an action is forgotten",
            lambda graph: Graph(
                graph.starts, graph.goals, [e[1:] for e in graph.edges], graph.states, graph.most
            ),
        ),
        modelling(
            "no goal", lambda graph: Graph(graph.starts, frozenset(), graph.edges, graph.states, graph.most)
        ),
        modelling("a state says if the number of steps is even", _with_parity),
    )
}
_FORGETS = ("states are reached again and again",)
_EXPENSIVE = ("depth-first search", "breadth-first search", "greedy search")
TARGETS: Mapping[str, Any] = {
    "terminates": _FORGETS,
    "valid": _FORGETS,
    "complete": _FORGETS,
    "optimal": (*_EXPENSIVE, "a goal tested when it is generated", "A* that never reopens"),
    "expands-at-most": {
        "f": ("Dijkstra's algorithm",),
        "g": ("a search of all states",),
        "depth": ("a search of all states",),
    },
    "order": {
        "f": ("Dijkstra's algorithm", "greedy search"),
        "g": ("breadth-first search", "depth-first search"),
        "depth": ("depth-first search", "Dijkstra's algorithm"),
    },
    "closest": ("Dijkstra's algorithm", "depth-first search"),
    "admissible": ("twice the distance",),
    "consistent": ("the distance in half of the states",),
    "informed": ("0 everywhere",),
    "expands-as-few": ("0 everywhere",),
    "same-steps": ("an action is forgotten",),
    "same-goals": ("no goal",),
    "no-more-states": ("a state says if the number of steps is even",),
}
"""Property → the defects that it is there to find, of some properties by the order `by`."""
