"""The defects that `check_engine` has to find with its defaults, whatever the seed: `python -m benchmarks power`."""

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count
from typing import Any
from unittest.mock import patch

from attrs import frozen
from hypothesis import Phase

from searchkit.plugin import has_heuristic
from searchkit.testing import reports
from searchkit.testing.engines import EXAMPLES, judge, promises_of, shares_of
from searchkit.testing.strategies.engines import sources_for
from searchkit.testing.trials import Trial, contender_for
from tests.mutants.best_first import Problem, cost_of, engine, plain, searching

ENGINE, FUNCTION = "engine", "function"


@frozen
class Planted:
    """A search with one defect, in one form."""

    defect: str
    form: str
    """`engine`: a generator function over a tree; `function`: it returns a list of states."""
    search: Any
    seeds: int = 20
    """The number of seeds, of twenty, with which it has to be found."""


WEIGHTS = ("h × 1.1", "h × 1.5", "h × 2", "h × 3")
GUIDED = (
    *WEIGHTS,
    "h + 1 off goals",
    "h + 3 off goals",
    "the parent's h",
    "h of the goal forgotten",
    "greedy",
    "no reopening",
)
"""Defects that only a heuristic shows."""
UNGUIDED = (
    "goal tested at generation",
    "first arrival kept",
    "stale parent",
    "one start only",
    "first goal only",
    "closed at generation",
    "zero-cost edges dropped",
    "costs truncated to int",
    "states compared in the heap",
    "costs compared as text",
    "depth limit of 12",
    "unit costs assumed",
    "stale queue entries expanded",
    "loops for ever without a goal",
    "mutates the frontier while iterating",
    "32-bit cost overflow",
)
ENGINES_ONLY = ("no reopening", "stale queue entries expanded")
"""Defects that break no promise of a plain function: a path is optimal with consistent heuristics, in any time."""
SEEDS = {"h × 1.1": 18}
"""Out of twenty; all twenty for the others."""
PLANTED = tuple(
    Planted(defect, form, made, SEEDS.get(defect, 20))
    for defect in (*GUIDED, *UNGUIDED)
    for form, made in (
        (ENGINE, engine(defect, guided=defect in GUIDED)),
        (FUNCTION, plain(searching(defect))),
    )
    if form == ENGINE or defect not in ENGINES_ONLY
)


def astar_by_hand(problem: Problem) -> list[Any] | None:
    """Run A* as in a textbook: correct, with a counter before the state in each entry."""
    h = problem.heuristic if has_heuristic(problem) else lambda state: 0
    ties = count()
    costs: dict[Any, Any] = {}
    parents: dict[Any, Any] = {}
    frontier: list[Any] = []
    for start in problem.initial_states():
        costs[start], parents[start] = 0, None
        heappush(frontier, (h(start), next(ties), start, 0))
    while frontier:
        _, _, state, g = heappop(frontier)
        if g > costs[state]:
            continue
        if problem.is_goal(state):
            path = [state]
            while (state := parents[state]) is not None:
                path.append(state)
            return path[::-1]
        for action, successor in problem.successors(state):
            new_g = g + cost_of(problem, state, action, successor)
            if successor not in costs or new_g < costs[successor]:
                costs[successor], parents[successor] = new_g, state
                heappush(frontier, (new_g + h(successor), next(ties), successor, new_g))
    return None


def dijkstra_by_hand(problem: Problem) -> list[Any] | None:
    """Run Dijkstra's algorithm with a closed set and whole paths in the heap: correct."""
    ties, closed = count(), set()
    frontier = [(0, next(ties), [start]) for start in problem.initial_states()]
    while frontier:
        g, _, path = heappop(frontier)
        state = path[-1]
        if problem.is_goal(state):
            return path
        if state in closed:
            continue
        closed.add(state)
        for action, successor in problem.successors(state):
            entry = (g + cost_of(problem, state, action, successor), next(ties), [*path, successor])
            heappush(frontier, entry)
    return None


CORRECT = (
    astar_by_hand,
    dijkstra_by_hand,
    plain(searching("")),
    engine("", guided=True),
    engine("", guided=False),
)
"""Searches without a defect: no seed may find one."""


def first_fault(
    search: Any, promises: Iterable[str] | None = None, *, examples: int = EXAMPLES, seed: int = 0
) -> tuple[str, int] | None:
    """Return the promise that `check_engine` finds broken first, and after how many problems; None if none is."""
    contender, tried = contender_for(search), 0
    names, failed = promises_of(contender, promises), list[str]()

    def breaks(problem: Any) -> bool:
        nonlocal tried
        tried += 1
        found = judge(Trial(contender, problem), names)
        failed.extend(name for name in names if name in found and found[name].outcome == "fails")
        return bool(failed)

    sources = sources_for(contender.spec)
    with patch.object(reports, "PHASES", (Phase.generate,)):  # making the case smaller takes most of the time
        for source, share in zip(sources, shares_of(examples, len(sources)), strict=True):
            reports.smallest(source, breaks, examples=share, seed=seed)
            if failed:
                return failed[0], tried
    return None
