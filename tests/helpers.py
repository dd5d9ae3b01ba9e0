"""Helpers for several tests: engines for digraphs, a walk along a path, h* of every node, compiled machine code."""

import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from math import inf
from traceback import walk_stack
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from searchkit import (
    Cost,
    EngineSpec,
    Result,
    SearchProblem,
    Solution,
    available_engines,
    available_problems,
    solve,
)
from searchkit.testing import WeightedDigraph, digraph, explore
from searchkit.testing.strategies import problems, weighted_digraphs


@cache
def kinds_with(capability: type) -> list[str]:
    """Return the registered kinds of problem that have a capability: a test over the others would test nothing."""
    kinds = sorted(name for name, spec in available_problems().items() if spec.strategy is not None)
    return [name for name in kinds if any(isinstance(one, capability) for one in a_few(name))]


@cache
def a_few(kind: str) -> list[SearchProblem[Any, Any]]:
    """Return some problems of a kind."""
    return list(drawn(problems(kind), 3, 0))


def every_example() -> list[Any]:
    """Return the kind and the name of each registered example, as the parameters of a test.

    The suite tries the two smallest of each kind. The others are marked `long`: they differ in size, or in options that
    tests of their plugin have on small problems.
    """
    return [
        pytest.param(kind, example.name, marks=[pytest.mark.long] if place >= 2 else [])
        for kind, spec in available_problems().items()
        for place, example in enumerate(
            sorted(spec.examples, key=lambda each: each.path.stat().st_size if each.path else 0)
        )
    ]


def facts(result: Result[Any, Any]) -> Result[Any, Any]:
    """Return the result without the one figure that differs between runs."""
    return evolve(result, statistics=evolve(result.statistics, seconds=0.0))


def problems_for(spec: EngineSpec) -> st.SearchStrategy[WeightedDigraph]:
    """Draw digraphs whose costs the engine takes, with a heuristic if it uses one."""
    costs: Any = {"any": None, "unit": "unit", "zero-one": "zero-one"}[spec.costs]
    if spec.heuristic == "required":
        return weighted_digraphs(costs, heuristic="admissible")
    if spec.heuristic == "optional":
        return st.one_of(weighted_digraphs(costs), weighted_digraphs(costs, heuristic="admissible"))
    return weighted_digraphs(costs)


def uncosted(graph: WeightedDigraph) -> WeightedDigraph:
    """Return the graph in which every action costs 1."""
    return digraph([evolve(edge, cost=None) for edge in graph.edges], graph.starts, graph.goals)


def engines_for_digraphs() -> list[EngineSpec]:
    """Return every registered engine whose requirements digraphs meet, sorted by name."""
    graph = digraph("0 -1→ 0", [0], [0], {0: 0})
    specs = sorted(available_engines().values(), key=lambda spec: spec.name)
    return [spec for spec in specs if all(isinstance(graph, capability) for capability in spec.requires)]


def walk(problem: SearchProblem[Any, Any], solution: Solution[Any, Any], starts: Iterable[Any]) -> Cost:
    """Walk a path step by step by the problem's own rules; return its cost. Fails if a step is not allowed."""
    assert solution.states[0] in starts, "the path begins in a start"
    assert len(solution.states) == len(solution.actions) + 1
    total: Cost = 0
    for before, action, after in zip(solution.states, solution.actions, solution.states[1:], strict=False):
        assert (action, after) in list(problem.successors(before)), (
            f"{before} -{action}-> {after} is not a step"
        )
        total += problem.cost(before, action, after)
    return total


def distances_to_goals(graph: WeightedDigraph) -> dict[int, Cost]:
    """Return h* of every node, reachable or not; infinite without a path."""
    exact = explore(digraph(graph.edges, graph.nodes, graph.goals)).to_goals
    return {node: exact.get(node, inf) for node in graph.nodes}


def compile_now(problem: SearchProblem[Any, Any], engine: str) -> None:
    """Compile everything that a search calls, so that a search with `auto` becomes machine code, with any cache."""
    solve(problem, engine, backend="compiled")


def interrupt_elsewhere() -> None:
    """Send Ctrl-C to this thread, while the main thread waits: its handler is called when that thread next runs."""
    main = threading.main_thread().ident
    assert main is not None
    while True:
        names = [frame.f_code.co_name for frame, _ in walk_stack(sys._current_frames()[main])]
        if names[0] == "wait" and "start" not in names:  # not for a thread to start
            break
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


def drawn(strategy: Any, draws: int, seed: int) -> Iterator[SearchProblem[Any, Any]]:
    """Yield the problems that a property test of so many examples would draw from this seed."""
    problems: list[SearchProblem[Any, Any]] = []

    @seeded(seed)
    @settings(
        max_examples=draws,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def keep(problem: SearchProblem[Any, Any]) -> None:
        problems.append(problem)

    keep()
    yield from problems


SHARES = {"apart": 0.90, "solvable": 0.75, "unsolvable": 0.08, "long": 0.60}
"""Problems in which no start is a goal, a path exists, none exists, a best path has three actions → the least share."""
MARGIN = 0.05
"""The draws of a seed depend on the modules that a process has imported: Hypothesis takes numbers from them."""


def traits(problem: SearchProblem[Any, Any]) -> set[str]:
    """Return which of `SHARES` a problem counts for, as far as 1,000 states tell."""
    space = explore(problem, 1_000)
    path = space.best_path
    found = {"apart"} if not any(start in space.goals for start in space.starts) else set()
    if path is not None:
        return found | ({"solvable", "long"} if len(path) > 3 else {"solvable"})
    return found | ({"unsolvable"} if space.whole else set())


def hold_shares(make: Callable[[], Any], besides: Iterable[str]) -> None:
    """Check the shares of problems that are not trivial: if 100 draws leave a doubt, 400 draws decide."""
    for draws, seed, margin in ((100, 0, 0.0), (400, 1, MARGIN)):
        counts = Counter(trait for problem in drawn(make(), draws, seed) for trait in traits(problem))
        short = [name for name, least in SHARES.items() if counts[name] < (least - margin) * draws]
        if not set(short) - set(besides):
            return
    raise AssertionError((short, counts))
