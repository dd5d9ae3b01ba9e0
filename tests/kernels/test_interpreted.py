"""Engines of machine code, run by Python, with arrays that are full at once: they do what the engines in Python do."""

from collections.abc import Mapping
from contextlib import nullcontext
from itertools import cycle
from math import inf
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from searchkit import Limits, Search, available_engines
from searchkit.compiled.kit import control
from searchkit.compiled.view import Functions
from searchkit.errors import InvalidProblemError
from searchkit.kernels.idastar import LENGTH
from searchkit.search.backend import KERNELS
from searchkit.testing.spaces.digraphs import Edge, digraph
from searchkit.tree import SearchTree
from searchkit_dungeon import grid
from tests.kernels import views
from tests.kernels.interpreted import SMALL, interpreted
from tests.kernels.views import view_of

pytestmark = interpreted
SMALL.know(
    *(views.expand, views.is_goal, views.tabled, views.tabled_spread),
    *(views.wide_expand, views.wide_is_goal, views.wide_tabled),
)
ENGINES = ("astar", "dijkstra", "wastar", "bucket", "greedy", "bfs", "zero_one", "idastar")
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "astar": [{"ties": ties} for ties in ("high-g", "low-h", "lifo", "fifo")],
    "bucket": [{"ties": ties} for ties in ("high-g", "lifo", "fifo")],
    "wastar": [{"weight": 2}],
}
EDGES = 3
"""Of each node."""
MAP = ["S...#....", ".##.#.##.", ".#..#.#..", ".#.##.#.#", "...3....G"]


def graph(seed: str, name: str, form: str, largest: int, unit: float = 1) -> Any:
    """Return a digraph with costs up to `largest` units, an inconsistent heuristic and dead ends."""
    random, nodes = Random(seed), 7 if name == "idastar" else 30
    edges = [
        Edge(tail, random.randrange(nodes), random.randint(0, largest) * unit)
        for tail in range(nodes)
        for _ in range(EDGES)
    ]
    h: Any = {node: random.choice([0, 0, 0, unit, largest // 2 * unit, inf]) for node in range(nodes)}
    h[0] = 0
    goals = sorted(random.sample(range(1, nodes), 3)) if name == "idastar" else []
    made = digraph(edges, [0], goals, None if name in ("bfs", "dijkstra", "zero_one") else h)
    view = views.FORMS[form](made)
    if isinstance(view.graph, Functions):
        view = evolve(view, graph=evolve(view.graph, branching=EDGES))
    return view_of(made, view)


def compare(problem: Any, name: str, step: int, **options: Any) -> None:
    """Run the machine code by Python and the engine in Python, some expansions at a time."""
    spec = available_engines()[name]
    module, _, kind = KERNELS[spec.kernel].partition(":")
    python: Search[Any, Any] = Search(problem, spec, backend="python", **options)
    run = getattr(SMALL.module(module), kind)(problem, SearchTree(), **options)
    while True:
        result, tree = python.run(Limits(expansions=step)), run.tree
        wanted = tree.expanded + step
        while not run.ended and not (run.settled and tree.expanded >= wanted):
            tree.expanded += run.advance(wanted - tree.expanded)
        assert counters(tree) == counters(python.tree)
        bounds = (
            tree.lower_bound,
            python.tree.lower_bound,
        )  # the first f, and of A* in Python the largest so far
        assert bounds[0] == bounds[1] or (name == "astar" and bounds[0] < bounds[1])
        assert len(tree.warnings) == len(python.tree.warnings)
        assert dict(tree.reached) == dict(python.tree.reached)
        assert run.ended == python.ended
        if isinstance(tree.closed, Mapping):
            assert set(tree.closed) == set(python.tree.closed or ())
        if python.ended:
            break
        assert run.state == python.next_state
        if name == "bfs":
            assert list(tree.frontier) == list(python.tree.frontier or ())
        if tree.expanded == step:
            saved = run.saved()
            run = getattr(SMALL.module(module), kind)(problem, SearchTree(), **options)
            run.restore(saved)
    if tree.found:
        states, actions = tree.path_to(tree.goal)
        assert result.solution is not None
        assert (states, actions) == (result.solution.states, result.solution.actions)


def counters(tree: Any) -> tuple[Any, ...]:
    """Return all numbers of a tree."""
    return (
        tree.expanded,
        tree.generated,
        tree.reopened,
        len(tree.reached),
    )


@pytest.mark.parametrize("name", ENGINES)
def test_engines_on_rows(name: str) -> None:
    """On graphs as data, in steps of a few expansions."""
    with np.errstate(over="ignore"):
        for options, largest in zip(2 * OPTIONS.get(name, [{}]), cycle((3, 200, 10**6)), strict=False):
            largest = 1 if name == "zero_one" else largest
            compare(graph(f"{name} {largest}", name, "rows", largest), name, 11, **options)


@pytest.mark.parametrize(
    ("name", "form", "unit"),
    [
        *(("astar", "functions", 0.25), ("dijkstra", "functions", 1), ("bucket", "functions", 1)),
        *(("greedy", "functions", 1), ("bfs", "functions", 1), ("idastar", "functions", 0.25)),
        *(("astar", "two words", 1), ("idastar", "two words", 1)),
    ],
)
def test_engines_on_states_with_equal_hashes(
    name: str, form: str, unit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On graphs as functions, while tables grow in which many states begin at the same slot."""
    same: Any = lambda key: (key & np.uint64(3)) * np.uint64(0x5555555555555555)  # noqa: E731  # for one test
    monkeypatch.setattr(SMALL.module("searchkit.compiled.kit.state"), "mixed", same)
    with np.errstate(over="ignore"):
        compare(graph(name, name, form, 9, unit), name, 11)


@pytest.mark.parametrize("name", ENGINES)
def test_engines_on_grids(name: str) -> None:
    """On maps, whose arrivals take few bits."""
    rows = [row[:4] for row in MAP[:2]] + ["...G"] if name == "idastar" else MAP
    if name == "zero_one":
        rows = [row.replace("3", ".") for row in rows]
    with np.errstate(over="ignore"):
        for moves in (4, 8):
            compare(grid(rows, moves=moves), name, 9)


def deepening(edges: list[Edge], goal: int, h: dict[int, Any]) -> Any:
    """Return a run of `idastar` from node 0."""
    made = digraph(edges, [0], [goal], h)
    problem = view_of(made, views.FORMS["rows"](made))
    return SMALL.module("searchkit.kernels.idastar").IterativeDeepeningAStar(problem, SearchTree())


def test_backing_up_takes_steps() -> None:
    """From the end of a path to the next state of the stack, as many slices as the path is long."""
    path = [Edge(node, node + 1, 0) for node in range(30)]
    run, most = deepening([*path, Edge(0, 31, 0)], 31, dict.fromkeys(range(32), 0)), 0
    run.steps = 4
    with np.errstate(over="ignore"):
        while not run.ended:
            before = run.counters[LENGTH]
            why, _ = run.slice(1)
            most = max(most, before - run.counters[LENGTH])
            if why not in (control.WORKED, control.PAUSED):
                list(run.handle(why) or ())
    assert (run.tree.found, most) == (True, 4)


@pytest.mark.parametrize(("h", "found"), [(inf, True), (-1, False)])
def test_estimates_of_successors(h: float, found: bool) -> None:
    """A dead end is left out, and a negative value is an error."""
    run = deepening([Edge(0, 1, 1), Edge(0, 2, 1)], 2, {0: 0, 1: h, 2: 0})
    with np.errstate(over="ignore"), nullcontext() if found else pytest.raises(InvalidProblemError):
        while not run.ended:
            run.advance(1)
    assert run.tree.found == found


def test_only_dead_ends() -> None:
    """There is no next threshold then: the search ends."""
    run = deepening([Edge(0, 1, 1), Edge(1, 2, 1)], 2, {0: 0, 1: inf, 2: 0})
    with np.errstate(over="ignore"):
        while not run.ended:
            run.advance(1)
    assert not run.tree.found
