"""Checking a rubric: typical mistakes are run on its maps, and a criterion that all of them pass can't be failed."""

from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from itertools import count
from typing import Any
from zlib import crc32

from attrs import evolve

from searchkit.testing.spaces.space import StateSpace
from searchkit_coursework.maps import Failure, Instance
from searchkit_coursework.rubric import Criterion
from searchkit_coursework.service import Observation
from searchkit_coursework.student.observing import name_of

Mistake = Callable[[Instance], Observation | Failure]
"""Returns what is judged if a function with a mistake is run on a map."""


def check_criterion(criterion: Criterion) -> tuple[str, bool]:
    """Return a line about the mistakes that fail a criterion, and whether there is one."""
    chosen, settings, maps = criterion.property, criterion.settings, criterion.deciding
    failed = {
        name: sum(chosen.fault(each, mistake(each), settings) is not None for each in maps)
        for name, mistake in MISTAKES[f"{chosen.name} {settings.get('by', '')}".strip()].items()
    }
    if any(failed.values()):
        found = (f"{name} fails {number} of {len(maps)}" for name, number in failed.items())
        return f"✓ {criterion.name}: {', '.join(found)}", True
    return f"✗ {criterion.name}: no map can fail it; it also holds for {', '.join(failed)}", False


def _wrong_search(
    priority: Callable[[int, Any, Any, int], Any],
    early: bool = False,
    reopen: bool = True,
    forget: bool = False,
) -> Mistake:
    """Return a best-first search by `priority(depth, g, h, number of the entry)`, the least one first, with a mistake.

    Args:
        priority: the order of the entries.
        early: whether it ends as soon as a goal is generated.
        reopen: whether a state that is reached at a lower cost is put into the frontier again.
        forget: whether every successor is put into the frontier.

    """

    def mistake(instance: Instance) -> Observation | Failure:
        space, number, expanded = instance.space, count(), list[Any]()
        costs: dict[Any, Any] = {}
        frontier: list[tuple[Any, int, Any, list[Any]]] = []

        def reach(path: list[Any], g: Any) -> None:
            state, entry = path[-1], next(number)
            better = state not in costs or (reopen and g < costs[state])
            if better:
                costs[state] = g
            if better or forget:
                h = instance.heuristic_values[state]
                heappush(frontier, (priority(len(path), g, h, entry), entry, g, path))

        for start in space.starts:
            reach([start], 0)
        while frontier and len(expanded) <= 3 * len(space.edges) + 100:
            _, _, g, path = heappop(frontier)
            state = path[-1]
            if g > costs[state] and not forget:
                continue
            if state in space.goals:
                return Observation(path=path, expanded=expanded)
            expanded.append(state)
            for _, successor, cost in space.edges[state]:
                if early and successor in space.goals:
                    return Observation(path=[*path, successor], expanded=expanded)
                reach([*path, successor], g + cost)
        if frontier:
            return Failure("it expands the same states again and again")
        return Observation(expanded=expanded, exhausted=True)

    return mistake


def _wrong_heuristic(value: Callable[[Any, Any], Any]) -> Mistake:
    """Return a heuristic of `value(state, its distance)`."""
    return lambda instance: Observation(
        values={s: value(s, instance.space.to_goals.get(s, 0)) for s in instance.states}
    )


def _wrong_problem(change: Callable[[StateSpace], StateSpace]) -> Mistake:
    """Return a problem with a mistake, made of the right one."""

    def mistake(instance: Instance) -> Observation:
        edges = {
            state: tuple((name, to, cost) for name, (cost, to) in steps.items())
            for state, steps in instance.steps.items()
        }
        return Observation(graph=change(evolve(instance.space, edges=edges)))

    return mistake


FORGETS = {"a search that forgets states": _wrong_search(lambda depth, g, h, number: depth, forget=True)}
DEPTH = {"depth-first search": _wrong_search(lambda depth, g, h, number: -number)}
BREADTH = {"breadth-first search": _wrong_search(lambda depth, g, h, number: depth, reopen=False)}
DIJKSTRA = {"Dijkstra's algorithm": _wrong_search(lambda depth, g, h, number: g)}
GREEDY = {"greedy search": _wrong_search(lambda depth, g, h, number: h)}
ZERO = {"0 everywhere": _wrong_heuristic(lambda state, rest: 0)}
MISTAKES: Mapping[str, Mapping[str, Mistake]] = {
    **dict.fromkeys(
        ("terminates", "valid", "complete", "expands-at-most g", "expands-at-most depth"), FORGETS
    ),
    "optimal": {
        **DEPTH,
        **BREADTH,
        **GREEDY,
        "a goal tested when it is generated": _wrong_search(lambda depth, g, h, number: g, early=True),
        "A* that never reopens": _wrong_search(lambda depth, g, h, number: g + h, reopen=False),
    },
    "expands-at-most f": DIJKSTRA,
    "order f": DIJKSTRA | GREEDY,
    "order g": BREADTH | DEPTH,
    "order depth": DEPTH | DIJKSTRA,
    "closest": DIJKSTRA | DEPTH,
    "admissible": {"twice the distance": _wrong_heuristic(lambda state, rest: 2 * rest)},
    "consistent": {
        "the distance in half of the states": _wrong_heuristic(
            lambda state, rest: rest * (crc32(name_of(state).encode()) % 2)
        )
    },
    "informed": ZERO,
    "expands-as-few": ZERO,
    "same-steps": {
        "a forgotten action": _wrong_problem(
            lambda space: evolve(space, edges={state: out[1:] for state, out in space.edges.items()})
        )
    },
    "same-goals": {"no goal": _wrong_problem(lambda space: evolve(space, goals=frozenset()))},
    "no-more-states": {
        "a state that is not needed": _wrong_problem(
            lambda space: evolve(space, edges={**space.edges, "one more": ()})
        )
    },
}
"""Property, and its order → the mistakes that it is there to find."""
