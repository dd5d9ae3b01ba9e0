"""Hub labels: every distance is that of a search, every path has it, and no forged number gets past the check."""

import os
import signal
import subprocess
import sys
from array import array
from itertools import pairwise
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, certify, distance_map, solve
from searchkit.plugin import MissingCapabilityError
from searchkit_dungeon import Grid, grid
from searchkit_dungeon.strategies import dungeons, grids, mazes
from searchkit_graph import distances_between, graph
from searchkit_graph.precomputed import network
from searchkit_graph.precomputed.labels.table import HubLabels
from searchkit_graph.precomputed.labels.table_file import written
from searchkit_graph.precomputed.network import Network
from searchkit_graph.problem import ExplicitGraph
from searchkit_graph.strategies import graphs

LARGEST = 22
"""The cells of a side of the maps that tests make."""
CUTOFF = 3
"""The exit code after Ctrl-C."""


@st.composite
def caves(draw: st.DrawFn) -> Grid:
    """Draw a map on which cuts are made: some hundred cells, any moves, corner rule, lengths and weights."""
    rng = draw(st.randoms(use_true_random=False))
    width, height = rng.randint(2, LARGEST), rng.randint(2, LARGEST // 2)
    floor = rng.choice(("....#", "..#", ".", "..3#", "...52#"))
    rows = [[rng.choice(floor) for _ in range(width)] for _ in range(height)]
    rows[0][0], rows[-1][-1] = "S", "G"
    options: dict[str, Any] = {"moves": rng.choice((4, 8))}
    if options["moves"] == 8:
        options |= {"corners": rng.choice(("no", "one", "cut")), "lengths": rng.choice(("real", "whole"))}
    return grid(["".join(row) for row in rows], **options)


@st.composite
def streets(draw: st.DrawFn) -> ExplicitGraph:
    """Draw a directed graph on which cuts are made: some dozen nodes, one-way edges, costs of 0, unreachable parts."""
    rng = draw(st.randoms(use_true_random=False))
    size, least = rng.randint(2, 60), rng.randint(0, 1)
    edges = [
        f"{tail} {min(size - 1, max(0, tail + rng.randint(-4, 4)))} {rng.randint(least, 9)}"
        for tail in range(size)
        for _ in range(rng.randint(0, 3))
    ]
    nodes = [f"node {number}" for number in range(size)]
    return graph(["start 0", f"goal {size - 1}", *nodes, *edges])


PROBLEMS = st.one_of(grids(), mazes(), dungeons(), caves(), streets(), graphs())


def labels_of(problem: Any) -> HubLabels | None:
    """Return the labels of a problem; None if its costs can't be added exactly."""
    try:
        labels: HubLabels = problem.hub_labels()
    except MissingCapabilityError:
        return None
    return labels


def value_of(labels: HubLabels, path: list[int]) -> int:
    """Return the value of a path, from its edges."""
    graph = labels.network
    return sum(
        min(graph.value(length) for head, length in graph.edges(one) if head == other)
        for one, other in pairwise(path)
    )


@given(PROBLEMS, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_the_engine_finds_what_dijkstra_finds(problem: Any, rng: Random) -> None:
    """The same cost or the same proof that there is no path; the certificate is accepted."""
    if labels_of(problem) is None:
        return
    result, expected = (
        solve(problem, "hub-labels", backend="python"),
        solve(problem, "dijkstra", backend="python"),
    )
    assert (result.status, result.cost, result.optimal) == (expected.status, expected.cost, expected.optimal)
    assert result.lower_bound == expected.lower_bound
    assert certify(problem, result).accepted


@given(PROBLEMS, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_distances_from_any_state(problem: Any, rng: Random) -> None:
    """From any state to some others; each path has exactly the value that was read."""
    labels = labels_of(problem)
    if labels is None:
        return
    start = rng.choice([*problem.starts, *problem.goals])
    distances = distance_map(problem.aimed([start], []))
    states = problem.terrain.cells if isinstance(problem, Grid) else problem.names
    source = problem.number(start)
    for state in rng.sample(list(states), min(12, len(states))):
        goal = problem.number(state)
        answer = labels.ask(source, goal)
        if state not in distances:
            assert answer.value == network.FAR
            continue
        assert labels.network.cost(answer.value) == distances[state]
        path = labels.path(source, goal, answer)
        assert (path[0], path[-1], value_of(labels, path)) == (source, goal, answer.value)


@pytest.mark.long  # compiles
@given(st.one_of(caves(), streets()), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_machine_code_makes_and_reads_the_same(problem: Any, rng: Random) -> None:
    """To the last byte; the same distances, hubs and paths; the same networks."""
    from searchkit_graph.precomputed.compiled.networks import reverse_arrays
    from searchkit_graph.precomputed.labels.compiled.asking import Reader, costs_between
    from searchkit_graph.precomputed.labels.compiled.making import make_labels

    labels = labels_of(problem)
    assert labels is not None
    graph = labels.network
    reverse = reverse_arrays(graph.size, graph.begins, graph.heads, graph.lengths)
    assert reverse == ([] if graph.reverse is graph else arrays_of(graph.reverse))
    assert written(make_labels(graph)) == written(labels)
    reader = Reader(labels)
    for _ in range(30):
        start, goal = (rng.randrange(graph.size) for _ in range(2))
        values, places = reader.ask(numbers([]), numbers([]))
        assert (len(values), len(places)) == (0, 0)
        values, places = reader.ask(*map(numbers, ([start], [goal])))
        found = labels.ask(start, goal)
        if found.value == network.FAR:
            assert costs_between(labels, [start], [goal]) == [inf]
        assert tuple(found) == (values[0], places[0])
        if found.value < network.FAR:
            assert reader.path(start, goal, found) == labels.path(start, goal, found)
    assert solve(problem, "hub-labels", backend="compiled").solution == solve(problem, "hub-labels").solution


def numbers(values: list[int]) -> Any:
    """Return an array of int64."""
    import numpy as np

    return np.array(values, np.int64)


def arrays_of(graph: Network) -> list[Any]:
    """Return the edges of a network."""
    return [graph.begins, graph.heads, graph.lengths]


@pytest.mark.parametrize("backend", ["python", pytest.param("compiled", marks=pytest.mark.long)])
def test_a_search_from_many_starts_is_cut_off_and_saved(tmp_path: Path, backend: str) -> None:
    """It goes on after a limit, and so does what was written to a file, to the same path."""
    yard = grid(["S..S.S", "......", "S.##..", "..G..."], moves=8)
    search: Search[Any, Any] = Search(yard, "hub-labels", backend=backend)
    assert search.run(Limits(expansions=2)).status is Status.CUTOFF
    search.save(tmp_path / "half.search")
    results = [search.run(), Search.load(tmp_path / "half.search", yard).run(), solve(yard, "hub-labels")]
    assert [result.cost for result in results] == [solve(yard, "dijkstra").cost] * 3
    assert len({result.solution for result in results}) == 1
    assert {result.statistics.expanded for result in results} == {4}


def test_many_distances_at_once() -> None:
    """Infinite where no path exists."""
    room = grid(["S1#.", "..#G"], moves=8)
    pairs = [((0, 0), (1, 1)), ((0, 0), (3, 1)), ((3, 0), (3, 0))]
    assert distances_between(room, pairs) == [solve(grid(["S.", ".G"], moves=8)).cost, inf, 0]


@pytest.mark.long  # compiles
def test_paths_are_read_in_pieces_and_progress_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """However short the pieces are, the path is the same."""
    from searchkit_graph.precomputed.compiled import tables
    from searchkit_graph.precomputed.labels.compiled import asking
    from searchkit_graph.precomputed.labels.compiled import making as compiled_making

    monkeypatch.setattr(asking, "LONGEST_PIECE", 2)
    monkeypatch.setattr(tables, "PATIENCE", 0)
    caplog.set_level("INFO", "searchkit")
    winding = grid(["S........", "########.", ".........", ".########", "........G"])
    labels = compiled_making.make_labels(winding.network())
    start, goal = winding.number((0, 0)), winding.number((8, 4))
    reader = asking.Reader(labels)
    assert reader.path(start, goal, labels.ask(start, goal)) == labels.path(
        start, goal, labels.ask(start, goal)
    )
    assert any("hubs have their distances" in message for message in caplog.messages)
    assert any("states are in their parts" in message for message in caplog.messages)


@pytest.mark.long  # compiles
@given(st.one_of(caves(), streets()), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_check_accepts_what_was_made_and_nothing_else(problem: Any, rng: Random) -> None:
    """Labels that were made pass; with any number changed they don't, unless all distances are right nevertheless."""
    from searchkit_graph.precomputed.labels.compiled.checking import fault_of

    labels = labels_of(problem)
    assert labels is not None
    assert fault_of(labels) == ""
    names = [
        name for name in ("above", "ends", "parts", "places", "forward", "backward") if getattr(labels, name)
    ]
    for _ in range(30):
        name = rng.choice(names)
        forged = {
            each: getattr(labels, each)
            for each in ("above", "ends", "parts", "places", "forward", "backward")
        }
        changed = array("I" if name.endswith("ward") else "i", forged[name])
        place = rng.randrange(len(changed))
        least, most = (0, 2**32 - 1) if name.endswith("ward") else (-(2**31), 2**31 - 1)
        near = changed[place] + rng.choice((-65536, -1, 1, 65536))
        number = rng.choice((least, most, 0, 1, -1, min(most, near), rng.randint(least, most)))
        if not least <= number <= most or number == changed[place]:
            continue
        changed[place] = number
        both = labels.backward is labels.forward and name.endswith("ward")
        forged |= {"forward": changed, "backward": changed} if both else {name: changed}
        other = HubLabels(labels.network, **forged)
        if fault_of(other) == "":  # a state is in another part, where it may be as well
            pairs = [
                (one, state) for one in range(labels.network.size) for state in range(labels.network.size)
            ]
            assert all(other.ask(*pair).value == labels.ask(*pair).value for pair in pairs)


def test_a_grid_with_costs_of_its_own_has_no_labels() -> None:
    """The labels are those of the map, which would be wrong."""

    class Toll(type(grid(["S1G"]))):  # type: ignore[misc]
        def cost(self, state: Any, action: Any, successor: Any) -> int:
            return 7

    plain = grid(["S1G"])
    problem = Toll(plain.terrain, plain.starts, plain.goals)
    with pytest.raises(MissingCapabilityError, match="Toll has a cost of its own; use engine astar"):
        solve(problem, "hub-labels")


def test_costs_that_can_not_be_added_exactly() -> None:
    """They are an error that names the other engines."""
    with pytest.raises(MissingCapabilityError, match=r"not multiples of .*; use engine astar"):
        solve(graph(["start A", "goal B", "A B 0.1"]), "hub-labels")
    with pytest.raises(MissingCapabilityError, match=r"for costs below .*; use engine dijkstra or astar"):
        solve(graph(["start A", "goal C", "A B 5000000000", "B C 1"]), "hub-labels")
    edges = [f"{node} {node + 1} 4000000000" for node in range(40)]
    with pytest.raises(MissingCapabilityError, match="the paths are too long"):
        solve(graph(["start 0", "goal 40", *edges]), "hub-labels")


@pytest.mark.long  # starts a process
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_an_interrupted_computation_leaves_nothing(tmp_path: Path) -> None:
    """Ctrl-C: the exit code of an interrupt, and no file but the map."""
    path = tmp_path / "random.map"
    rng = Random(1)
    rows = ["".join(rng.choice("...@") for _ in range(400)) for _ in range(400)]
    path.write_text("type octile\nheight 400\nwidth 400\nmap\n" + "\n".join(rows) + "\n")
    command = [sys.executable, "-m", "searchkit", "precompute", str(path), "--method", "hub-labels"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ}) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(4)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == CUTOFF
    assert [each.name for each in tmp_path.iterdir()] == ["random.map"]
