"""`cbs` in machine code: the same plans and counters as in Python, and the least cost."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status
from searchkit.plugin import SearchkitError
from searchkit.search.backend import compiled_run
from searchkit.testing import check_engine
from searchkit.tree import SearchTree
from searchkit_robots import MultiAgentGrid, check_plan, plan_cost, robots
from searchkit_robots.engines import _common
from searchkit_robots.engines._conflicts import Conflict
from searchkit_robots.strategies import agents
from searchkit_robots.tests.brute_force import least_cost
from searchkit_robots.tests.instances import random_instance
from searchkit_robots.tests.test_costs import crowds
from searchkit_robots.tests.together import answer, both, in_pieces

pytest.importorskip("numba")

from searchkit.compiled.kit import control
from searchkit_robots.compiled import roads, single, tools
from searchkit_robots.compiled.drawing import Clashes
from searchkit_robots.compiled.tree import NumberedTree

pytestmark = pytest.mark.long
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
MOST = 300


@slow
@given(st.one_of(agents(most=4, width=5, height=5), crowds()))
def test_both_forms_do_the_same(problem: MultiAgentGrid) -> None:
    """Status, cost, bound, plan and counters, also for problems without a plan."""
    python, compiled = both(problem, "cbs", MOST)
    assert compiled == python
    event(f"{python[0]}, {python[4]}")


def test_it_is_saved_in_python_only() -> None:
    """The error says so."""
    search: Search[Any, Any] = Search(random_instance(8, 3, 0.1, 1), "cbs", backend="compiled")
    search.run(Limits(expansions=1))
    with pytest.raises(SearchkitError, match="can't be saved; use backend='python'"):
        search.save("nowhere")
    assert check_engine("cbs", ["saved"], problems=agents(most=3, width=3, height=3), examples=15)


@settings(slow, max_examples=40)
@given(agents(most=2, width=3, height=2))
def test_the_cost_is_that_of_brute_force(problem: MultiAgentGrid) -> None:
    """Over all plans in time up to a length."""
    search: Search[Any, Any] = Search(problem, "cbs", backend="compiled")
    result, expected = search.run(), least_cost(problem, 5)
    if expected is not None:
        assert result.cost == expected
    if result.solution is not None:
        assert check_plan(problem, result.solution.states) == []
        assert plan_cost(problem, result.solution.states) == result.cost


@settings(slow, max_examples=20)
@given(st.one_of(agents(most=4, width=4, height=4), crowds()), st.integers(1, 12))
def test_a_search_that_is_paused(problem: MultiAgentGrid, size: int) -> None:
    """At any pause: it ends as if it had not been."""
    assert in_pieces(problem, "cbs", size, 60) == in_pieces(problem, "cbs", 60, 60)


CROSSINGS = [
    robots(["..", ".."], [((0, 0), (1, 0)), ((1, 0), (0, 0))]),
    robots(["...", "..."], [((0, 0), (2, 0)), ((2, 0), (0, 0))]),
    robots(["...", "#.#"], [((0, 0), (2, 0)), ((2, 0), (0, 0))]),
    robots(["....", "#.##"], [((1, 0), (1, 0)), ((0, 0), (3, 0))]),
    robots(["...", "...", "..."], [((0, 1), (2, 1)), ((1, 0), (1, 2))]),
]
DEFECTS: dict[str, Callable[[Any, Conflict], bool]] = {
    "both robots in one cell": lambda paths, conflict: conflict.here == conflict.there,
    "robots change places": lambda paths, conflict: conflict.here != conflict.there,
    "one rests at its goal": lambda paths, conflict: (
        conflict.time >= min(len(paths[conflict.first]), len(paths[conflict.second]))
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_defects_are_found(defect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without conflicts of a kind, a plan is invalid on one of these maps; with them, none is."""
    search = NumberedTree.conflicts

    def faults() -> list[str]:
        results = [Search(problem, "cbs", backend="compiled").run() for problem in CROSSINGS]
        plans = [result.solution.states for result in results if result.solution is not None]
        assert len(plans) == len(CROSSINGS)
        return [
            fault
            for problem, plan in zip(CROSSINGS, plans, strict=True)
            for fault in check_plan(problem, plan)
        ]

    def blind(tree: Any, paths: Any) -> Clashes:
        seen = [each for each in search(tree, paths) if not DEFECTS[defect](paths, Conflict._make(each))]
        return Clashes(np.array(seen, np.int32).reshape(-1, 5))

    assert faults() == []
    monkeypatch.setattr(NumberedTree, "conflicts", blind)
    assert faults() != []


def test_some_size() -> None:
    """Thirty robots: both forms, and a search in pieces."""
    problem = random_instance(32, 30, 0.2, 2)
    python, compiled = both(problem, "cbs", 1000)
    assert compiled == python
    assert compiled[:2] == (Status.SOLVED, 712)
    assert in_pieces(problem, "cbs", 29, 1000) == python


KERNELS = ("find", "draw", "meet", "compare")


def calls_of(kernels: list[str], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Return a list that gets each call of kernels: the name, and how many arrivals, places or rows it added."""
    calls: list[tuple[str, int]] = []

    def counted(name: str, run: Callable[..., Any]) -> Callable[..., Any]:
        at = single.ROW if name == "meet" else single.COUNT

        def call(*arguments: Any) -> Any:
            counters = arguments[-2]
            before = int(counters[at])
            why = run(*arguments)
            calls.append((name, max(0, int(counters[at]) - before)))
            return why

        call.overloads = {}  # type: ignore[attr-defined]  # it is called as it is
        return call

    for name in kernels:
        monkeypatch.setattr(single, name, counted(name, getattr(single, name)))
    return calls


@pytest.mark.parametrize("steps", [1, 40])
def test_kernels_return_after_some_steps(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is broken off at any of these returns goes on there: plans and counters are the same."""
    problem, random = random_instance(16, 14, 0.1, 1), Random(0)
    search: Search[Any, Any] = Search(problem, "cbs", backend="compiled")
    expected = answer(search, search.run())
    calls = calls_of(list(KERNELS), monkeypatch)
    Search(problem, "cbs", backend="compiled").run()
    whole, most = Counter(name for name, _ in calls), max(added for _, added in calls)
    calls.clear()
    monkeypatch.setattr(tools, "MOST_STEPS", steps)
    monkeypatch.setattr(tools.Tools, "is_late", lambda self: random.random() < 0.3)
    search = Search(problem, "cbs", backend="compiled")
    assert answer(search, search.run()) == expected
    pieces = Counter(name for name, _ in calls)
    assert all(pieces[name] > 2 * whole[name] for name in KERNELS)
    level = 16 * 16 * 5  # a diagram is drawn in whole levels
    assert max(added for name, added in calls if name != "draw") <= steps + 5 < most
    assert max(added for name, added in calls if name == "draw") <= steps + level


@pytest.mark.parametrize("engine", ["cbs", "lacam"])
def test_distances_are_computed_in_pieces(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The constructor computes none. A search that is late after each piece finds the same."""
    problem = random_instance(16, 14, 0.1, 1)
    search: Search[Any, Any] = Search(problem, engine, backend="compiled")
    expected = answer(search, search.run())
    calls: list[int] = []
    flood = roads.flood

    def counted(*arguments: Any) -> Any:
        calls.append(arguments[-1])
        return flood(*arguments)

    monkeypatch.setattr(roads, "flood", counted)
    monkeypatch.setattr(roads, "MOST_FLOODED", 20)
    monkeypatch.setattr(tools.Tools, "is_late", lambda self: len(calls) % 2 == 1)
    search = Search(problem, engine, backend="compiled")
    run = compiled_run(problem, SearchTree(), search.spec, {})
    assert (run.explorer, run.state, calls) == (None, None, [])
    assert run.slice(1) == (control.PAUSED, 0)
    assert calls == [20]
    run.open_whole()
    whole = 14 * (16 * 16 * 0.9 // 20)
    assert len(calls) >= whole
    calls.clear()
    assert answer(search, search.run()) == expected
    assert len(calls) >= whole


@pytest.mark.parametrize("engine", ["cbs", "lacam"])
def test_plans_are_entered_in_pieces(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No call of `advance` handles more steps of robots than a piece has."""
    problem = random_instance(16, 14, 0.1, 1)
    search: Search[Any, Any] = Search(problem, engine, backend="compiled")
    expected = answer(search, search.run())
    piece, work = 40, Counter[str]()
    monkeypatch.setattr(_common, "MOST_ENTERED", piece)
    locations, steps = roads.Numbered.locations, type(problem).joint_steps

    def located(numbered: Any, numbers: Any) -> Any:
        work["located"] += len(numbers)
        return locations(numbered, numbers)

    def joint_steps(grid: Any, paths: Any) -> Any:
        for step in steps(grid, paths):
            work["entered"] += len(paths)
            yield step

    monkeypatch.setattr(roads.Numbered, "locations", located)
    monkeypatch.setattr(type(problem), "joint_steps", joint_steps)
    search = Search(problem, engine, backend="compiled")
    run = compiled_run(problem, SearchTree(), search.spec, {})
    most, total, between = Counter[str](), Counter[str](), 0
    while not run.ended:
        work.clear()
        run.advance(1000)
        total, most = total + work, most | work
        if run._task is not None and work["entered"]:
            between += 1
    assert run.tree.incumbent == expected[1]
    assert between > 4
    assert most["located"] < 2 * piece
    assert most["entered"] < 2 * piece + len(problem.robots)
    assert min(total.values()) > 9 * piece
