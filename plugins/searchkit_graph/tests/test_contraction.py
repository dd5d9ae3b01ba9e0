"""Contraction hierarchies: every distance is that of a search, and every path has it."""

from array import array
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, certify, distance_map, solve
from searchkit.plugin import InvalidOptionError, MissingCapabilityError
from searchkit_dungeon import grid
from searchkit_graph import distances_between, graph
from searchkit_graph.precomputed.contraction import hierarchy as hierarchies
from searchkit_graph.precomputed.contraction import making
from searchkit_graph.precomputed.contraction.engine import Meeting
from searchkit_graph.precomputed.contraction.hierarchy import Half, Hierarchy
from searchkit_graph.precomputed.contraction.making import NAME, Contraction
from searchkit_graph.precomputed.contraction.table_file import written
from searchkit_graph.precomputed.network import FAR
from searchkit_graph.problem import ExplicitGraph
from searchkit_graph.strategies import graphs


def town(rng: Random) -> ExplicitGraph:
    """Return a directed graph of some dozen nodes, with parallel edges, loops, costs of 0 and unreachable nodes."""
    size, least, width = rng.randint(1, 40), rng.randint(0, 1), rng.choice((3, 40))
    edges = [
        f"{tail} {min(size - 1, max(0, tail + rng.randint(-width, width)))} {rng.randint(least, 9)}"
        for tail in range(size)
        for _ in range(rng.randint(0, 4))
    ]
    return graph(["start 0", f"goal {size - 1}", *(f"node {number}" for number in range(size)), *edges])


TOWNS = st.randoms(use_true_random=False).map(town)


def hierarchy_of(problem: Any) -> Hierarchy | None:
    """Return the hierarchy of a problem; None if its costs can't be added exactly."""
    try:
        found: Hierarchy = problem.contraction_hierarchy()
    except MissingCapabilityError:
        return None
    return found


def first_fault(problem: ExplicitGraph, hierarchy: Hierarchy, sources: list[int]) -> str:
    """Return what is wrong with the paths from some nodes to all others; "" if nothing is."""
    network = hierarchy.network
    for source in sources:
        distances = distance_map(problem.aimed([problem.names[source]], []))
        for goal, name in enumerate(problem.names):
            meeting = Meeting([hierarchy.ranks[source]], [hierarchy.ranks[goal]])
            while (side := meeting.next()) is not None:
                meeting.settle(side, hierarchy)
            if (meeting.value == FAR) != (name not in distances):
                return f"{source} to {goal}: reached or not"
            if meeting.value == FAR:
                continue
            if network.cost(meeting.value) != distances[name]:
                return f"{source} to {goal}: {network.cost(meeting.value)}, not {distances[name]}"
            way = hierarchy.way(meeting.path())
            if (way.states[0], way.states[-1], way.values[-1]) != (source, goal, meeting.value):
                return f"{source} to {goal}: the path is {way}"
    return ""


@given(st.one_of(TOWNS, graphs()))
@settings(max_examples=20)
def test_the_engine_finds_what_dijkstra_finds(problem: Any) -> None:
    """The same cost or the same proof that there is no path; the certificate is accepted."""
    if hierarchy_of(problem) is None:
        return
    result, expected = (solve(problem, engine, backend="python") for engine in (NAME, "dijkstra"))
    assert (result.status, result.cost, result.optimal) == (expected.status, expected.cost, expected.optimal)
    assert result.lower_bound == expected.lower_bound
    assert certify(problem, result).accepted


@given(st.one_of(TOWNS, graphs()), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_distances_between_any_nodes(problem: Any, rng: Random) -> None:
    """From some nodes to all; each path has real edges, and exactly the value that was found."""
    hierarchy = hierarchy_of(problem)
    if hierarchy is not None:
        size = hierarchy.network.size
        assert first_fault(problem, hierarchy, rng.sample(range(size), min(3, size))) == ""


class WithoutSomeShortcuts(Contraction):
    """A defect: a way that is up to twice as long as a shortcut makes it unnecessary."""

    def witnesses(self, source: int, without: int, limit: int, wanted: set[int], most: int) -> dict[int, int]:
        """Return values that are too small."""
        found = super().witnesses(source, without, 2 * limit, wanted, most)
        return {state: value // 2 for state, value in found.items()}


class WithItself(Contraction):
    """A defect: the way around a state may lead through it."""

    def witnesses(self, source: int, without: int, limit: int, wanted: set[int], most: int) -> dict[int, int]:
        """Ignore which state is to be avoided."""
        return super().witnesses(source, -1, limit, wanted, most)


class StalledTooOften(Meeting):
    """A defect: a state is stalled by a way that is longer than its own."""

    def settle(self, side: int, hierarchy: Hierarchy) -> int:
        """Settle the next state as if it were a little farther away."""
        ascent = self.ascents[side]
        value, here = ascent.frontier[0]
        ascent.frontier[0] = (value + 4 * hierarchy.network.units[0], here)
        return super().settle(side, hierarchy)


@pytest.mark.parametrize("defect", [WithoutSomeShortcuts, WithItself, StalledTooOften, None])
def test_a_planted_defect_is_found(defect: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison with searches finds it within some random graphs; without a defect it finds nothing."""
    contraction = defect if isinstance(defect, type) and issubclass(defect, Contraction) else Contraction
    if defect is StalledTooOften:
        monkeypatch.setitem(globals(), "Meeting", defect)
    found = []
    for seed in range(8):
        problem = town(Random(seed))
        network = problem.contraction_hierarchy().network
        found.append(first_fault(problem, contraction(network).hierarchy(), [0, network.size - 1]))
    assert any(found) == (defect is not None)


def test_ranks_first_rise_and_then_fall() -> None:
    """A search expands few states of a long street: those of high ranks."""
    streets = [f"{one} {other} 1" for one in range(200) for other in (one + 1, max(0, one - 1))]
    result = solve(graph(streets, start=0, goal=190), NAME, backend="python")
    assert (result.cost, result.statistics.expanded) == (190, 16)


@pytest.mark.parametrize("backend", ["python", pytest.param("compiled", marks=pytest.mark.long)])
def test_a_search_from_many_starts_is_cut_off_and_saved(tmp_path: Path, backend: str) -> None:
    """It goes on after a limit, and so does what was written to a file, to the same path."""
    ring = [f"{one} {(one + step) % 50} {1 + one % 3}" for one in range(50) for step in (1, 7)]
    problem = graph(ring, start=[0, 20], goal=[13, 44])
    search: Search[Any, Any] = Search(problem, NAME, backend=backend)
    assert search.run(Limits(expansions=3)).status is Status.CUTOFF
    search.save(tmp_path / "half.search")
    results = [search.run(), Search.load(tmp_path / "half.search", problem).run(), solve(problem, NAME)]
    assert [result.cost for result in results] == [solve(problem, "dijkstra").cost] * 3
    assert len({result.solution for result in results}) == 1
    assert len({result.statistics.expanded for result in results}) == 1


def test_many_distances_at_once() -> None:
    """Infinite where no path exists; a grid has no hierarchy."""
    roads = graph(["A B 2", "B C 2", "C A 0", "A C 5"], start="A", goal="C")
    assert distances_between(roads, [("A", "C"), ("B", "A"), ("C", "C")], NAME) == [4, 2, 0]
    lane = graph(["A B 2"], start="A", goal="B")
    assert distances_between(lane, [("B", "A")], NAME) == [inf]
    with pytest.raises(
        InvalidOptionError, match="engine=astar: expected hub-labels or contraction-hierarchies"
    ):
        distances_between(lane, [], "astar")
    with pytest.raises(MissingCapabilityError, match="no table for engine contraction-hierarchies"):
        distances_between(grid(["S.G"]), [], NAME)


def test_graphs_that_have_no_hierarchy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs that can't be added exactly, shortcuts that are too long or too many: an error names other engines."""
    with pytest.raises(MissingCapabilityError, match=r"not multiples of .*; use engine astar"):
        solve(graph(["start A", "goal B", "A B 0.1"]), NAME)
    with pytest.raises(MissingCapabilityError, match=r"for costs below .*; use engine dijkstra or astar"):
        solve(graph(["start A", "goal C", "A B 5000000000", "B C 1"]), NAME)
    edges = [f"{node} {node + 1} 4000000000" for node in range(40)]
    with pytest.raises(MissingCapabilityError, match="the paths are too long"):
        solve(graph(["start 0", "goal 40", *edges]), NAME)
    monkeypatch.setattr(making, "MOST_ARCS", 45)
    ring = [f"{one} {(one + step) % 20} 1" for one in range(20) for step in (1, 19)]
    with pytest.raises(MissingCapabilityError, match="would have more than 45 arcs"):
        solve(graph(ring, start=0, goal=9), NAME)
    zero = ["start A", "goal B", "A B 0", "B A 1", "C A 1"]
    monkeypatch.setattr(hierarchies, "COUNTED", (2, 1))
    monkeypatch.setattr("searchkit_graph.precomputed.network.COUNTED", (2, 1))
    with pytest.raises(MissingCapabilityError, match="some edges cost 0"):
        solve(graph(zero), NAME)


@pytest.mark.long  # compiles
@given(TOWNS, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_machine_code_makes_and_finds_the_same(problem: Any, rng: Random) -> None:
    """To the last byte; the same distances, paths and counters."""
    from searchkit_graph.precomputed.contraction.compiled.contracting import make_hierarchy
    from searchkit_graph.precomputed.contraction.compiled.searching import costs_between

    hierarchy = problem.contraction_hierarchy()
    assert written(make_hierarchy(hierarchy.network)) == written(hierarchy)
    searches = [Search(problem, NAME, backend=backend) for backend in ("python", "compiled")]
    for search in searches:
        search.run(Limits(expansions=rng.randint(0, 9)))
    results = [search.run() for search in searches]
    assert results[0].solution == results[1].solution
    assert searches[0].tree.expanded_states() == searches[1].tree.expanded_states()
    counters = [
        (each.statistics.expanded, each.statistics.generated, each.statistics.peak_frontier)
        for each in results
    ]
    assert counters[0] == counters[1]
    size = hierarchy.network.size
    pairs = [(rng.randrange(size), rng.randrange(size)) for _ in range(30)]
    expected = [
        distance_map(problem.aimed([problem.names[start]], [])).get(problem.names[goal], inf)
        for start, goal in pairs
    ]
    assert costs_between(hierarchy, *(list(ends) for ends in zip(*pairs, strict=True))) == expected


@pytest.mark.long  # compiles
def test_machine_code_stops_often_and_its_arrays_grow(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """However short the pieces and small the arrays are, the result is the same; progress is logged."""
    from searchkit_graph.precomputed.compiled import tables
    from searchkit_graph.precomputed.contraction.compiled import contracting, searching

    caplog.set_level("INFO", "searchkit")
    problem = graph(CROSSINGS, start=0, goal=399)
    expected = solve(problem, NAME, backend="python")
    for module in (contracting, searching):
        monkeypatch.setattr(module, "PIECE", 1)
    monkeypatch.setattr(searching, "FIRST_ROOM", 1)
    monkeypatch.setattr(tables, "PATIENCE", 0)
    hierarchy = problem.contraction_hierarchy()
    assert written(contracting.make_hierarchy(hierarchy.network)) == written(hierarchy)
    assert solve(problem, NAME, backend="compiled").solution == expected.solution
    assert any("states have their ranks" in message for message in caplog.messages)
    distances = distance_map(problem.aimed([3], []))
    assert distances_between(problem, [(3, name) for name in distances], NAME) == list(distances.values())
    monkeypatch.setattr(searching, "MOST_SEEN", 1)
    reader = searching.Reader(hierarchy)
    reader.begin(np.array([0]), np.array([399]))
    assert [reader.settle(100) for _ in range(5)] == [1] * 5  # a state has more arcs than one call looks at
    assert solve(problem, NAME, backend="compiled").solution == expected.solution
    assert distances_between(problem, [(3, name) for name in distances], NAME) == list(distances.values())
    star = [f"0 {leaf} 1\n{leaf} 0 1" for leaf in range(1, 3000)]
    wide = graph(star, start=1, goal=2999)
    assert contracting.make_hierarchy(wide.contraction_hierarchy().network).up.heads == array(
        "I", [2999] * 2999
    )


CROSSINGS = [
    f"{20 * y + x} {20 * (y + up) + x + right} {1 + (7 * x + 5 * y + 3 * up) % 9}"
    for x in range(20)
    for y in range(20)
    for up, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
    if 0 <= x + right < 20 and 0 <= y + up < 20
]
"""The streets of a town of 20 × 20 crossings."""


@pytest.mark.long  # compiles
@given(st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_check_accepts_what_was_made_and_nothing_that_misleads(rng: Random) -> None:
    """Hierarchies that were made pass. Of those that were changed, the ones that pass give right answers."""
    from searchkit_graph.precomputed.contraction.compiled.checking import fault_of

    problem = town(rng)
    hierarchy = problem.contraction_hierarchy()
    assert fault_of(hierarchy) == ""
    network, sources = hierarchy.network, list(range(hierarchy.network.size))
    for _ in range(20):
        parts = [array("I", part) for part in (hierarchy.ranks, *hierarchy.up, *hierarchy.down)]
        how = rng.randrange(3)
        if how == 0:  # a number, or two of them
            for part in rng.choices([part for part in parts if part], k=rng.randint(1, 2)):
                numbers = (0, 1, 2**32 - 1, rng.choice(part), rng.choice(part) + 1, rng.randrange(50))
                part[rng.randrange(len(part))] = min(rng.choice(numbers), 2**32 - 1)
        elif how == 1:  # an arc
            first = rng.choice((1, 5))
            if not parts[first + 1]:
                continue
            place = rng.randrange(len(parts[first + 1]))
            for part in parts[first + 1 : first + 4]:
                del part[place]
            for index, begin in enumerate(parts[first]):
                parts[first][index] = begin - (begin > place)
        elif network.size > 1:  # the ranks of two states
            one, other = rng.sample(sources, 2)
            parts[0][one], parts[0][other] = parts[0][other], parts[0][one]
        forged = Hierarchy(network, parts[0], Half(*parts[1:5]), Half(*parts[5:]))
        if fault_of(forged) == "":
            assert first_fault(problem, forged, sources) == ""
