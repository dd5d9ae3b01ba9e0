"""The engines on disk give the answers of those in memory, whoever runs their tasks."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings

from searchkit import Limits, Search, Status, draw, load, problem_from, solve
from searchkit.disk.files import Run
from searchkit.disk.kernels import Expander
from searchkit.disk.search import DiskSearch
from searchkit.errors import InvalidProblemError, MissingCapabilityError, MissingExtraError, SavingError
from searchkit.search import auto
from searchkit.search.distances import goalless
from searchkit.testing import WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit_classics.pancakes import Pancakes
from searchkit_dungeon import grid
from searchkit_tiles import SlidingTiles
from tests.disk.boards import COST, ENGINES, Directed, board, facts, on_disk, small_tasks
from tests.helpers import walk
from tests.kernels.views import FORMS, compilable

IN_MEMORY = {"external_bfs": "bfs", "external_dijkstra": "dijkstra", "external_astar": "astar"}


def dearer(graph: WeightedDigraph) -> WeightedDigraph:
    """Return the graph with costs of 1 more each: its heuristic is still consistent."""
    edges = [evolve(edge, cost=(edge.cost or 0) + 1) for edge in graph.edges]
    return digraph(edges, graph.starts, graph.goals, graph.table)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("small", [0, 10**9])
@pytest.mark.parametrize(
    "form", [form if form == "rows" else pytest.param(form, marks=pytest.mark.long) for form in sorted(FORMS)]
)
@given(graph=weighted_digraphs("int", heuristic="consistent"))
@settings(max_examples=30)
def test_digraphs(form: str, small: int, engine: str, graph: WeightedDigraph) -> None:
    """On graphs with dead ends, loops, several starts and parallel edges, in memory and by tasks."""
    problem = compilable(dearer(graph), form)
    with small_tasks(small):
        result = solve(problem, engine)
        expected = solve(problem, IN_MEMORY[engine], backend="python")
        unit = engine == "external_bfs"
        assert result.status == expected.status
        if result.solution is not None and expected.solution is not None:
            assert walk(problem, result.solution, graph.starts) == result.cost
            actions = len(result.solution.actions), len(expected.solution.actions)
            assert actions[0] == actions[1] if unit else result.cost == expected.cost
        assert "can't be drawn" not in str(draw(problem, result)), (
            "it drew nothing, and the command line warned"
        )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("small", [0, 12, 40, 10**9])
@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_boards(kind: Any, small: int, engine: str, tmp_path: Any) -> None:
    """Whether states are compared with all earlier buckets or with those within two steps."""
    expected = facts(solve(board(kind), engine))
    with small_tasks(small):
        for folder in ("", tmp_path):
            result = on_disk(folder, engine, kind=kind)
            assert facts(result) == expected
            assert walk(board(kind), result.solution, board().initial_states()) == COST


@pytest.mark.parametrize("workers", ["threads:3", pytest.param("processes:2", marks=pytest.mark.long)])
@pytest.mark.parametrize("engine", ENGINES)
def test_workers(engine: str, workers: str) -> None:
    """The result does not depend on them."""
    with small_tasks(), ThreadPoolExecutor(2) as own:
        one, other = on_disk("", engine), on_disk("", engine, workers=workers)
        third = on_disk("", engine, workers=own)
        assert own.submit(int).result() == 0, "it was not shut down"
    assert facts(one) == facts(other) == facts(third)
    assert one.solution == other.solution == third.solution


def test_large_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers of a thousand states, by tasks: the counters are those of layers in memory, and count within a layer."""
    pancakes, show, counts = goalless(Pancakes((1, 2, 3, 4, 5, 6, 7))), DiskSearch.show, list[int]()
    monkeypatch.setattr(DiskSearch, "show", lambda run: counts.append(run.tree.expanded) or show(run))
    with small_tasks(200, chunk=200):
        found = solve(pancakes, "external_bfs", workers="serial")
    assert max(after - before for before, after in pairwise(counts)) < found.statistics.peak_frontier
    assert facts(found) == facts(solve(pancakes, "external_bfs"))


def test_thousands_of_layers_are_read_a_few_times_each(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A corridor whose small layers are written at once: the work grows with their number, not with its square."""
    read, segment, length = list[int](), Run.segment, 400
    monkeypatch.setattr(Run, "segment", lambda run, number: read.append(number) or segment(run, number))
    edges = ", ".join(f"{x} -1→ {x + 1}" for x in range(length))
    with small_tasks(10**9):
        line = compilable(digraph(edges, [0], [length]), "functions")
        found = solve(line, "external_bfs", directory=str(tmp_path))
    assert found.cost == length
    assert len(read) < 8 * length


def test_a_merge_that_raises_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states of a bucket are not taken for those of an earlier one."""
    first_goal, errors = Expander.first_goal, iter([None, None, MemoryError()])

    def raises_once(expander: Expander, states: Any) -> Any:
        if error := next(errors, None):
            raise error
        return first_goal(expander, states)

    monkeypatch.setattr(Expander, "first_goal", raises_once)
    search = Search(board(), "external_bfs")
    assert search.run().status is Status.CUTOFF
    assert facts(search.run()) == facts(solve(board(), "external_bfs"))


def test_weights() -> None:
    """A grid whose steps cost 1 to 9, and cost something else on the way back."""
    problem = grid(["S.9..", "13#4.", ".2.7G"])
    for engine in ENGINES[1:]:
        with small_tasks(2):
            assert solve(problem, engine).cost == solve(problem, "dijkstra").cost


@pytest.mark.parametrize(
    ("edges", "table", "engine", "message"),
    [
        ("0 -0→ 1, 1 -1→ 2", {}, "external_dijkstra", "0.0; engine .* takes only whole costs ≥ 1"),
        ("0 -1.5→ 1, 1 -1→ 2", {}, "external_dijkstra", "multiply all costs by a common denominator"),
        ("0 -1→ 1, 1 -1→ 2", {0: 2, 1: 0.5}, "external_astar", "the heuristic value of 1 is 0.5; engine"),
        ("0 -1→ 1, 1 -1→ 2", {0: 2.5}, "external_astar", "the heuristic value of 0 is 2.5; engine"),
        (
            "0 -1→ 1, 1 -1→ 2",
            {0: 2},
            "external_astar",
            "0.0, that of the parent 2; .* inconsistent otherwise",
        ),
        ("0 -1→ 1, 1 -1→ 2", {0: 3, 1: 2, 2: 1}, "external_astar", "and this is a goal; expected 0"),
    ],
)
def test_numbers_that_the_engine_does_not_take(edges: str, table: Any, engine: str, message: str) -> None:
    """One error names the state or the action, and an engine that takes them."""
    problem = compilable(digraph(edges, [0], [2], {0: 0, 1: 0, 2: 0} | table), "functions")
    for small in (0, 10**9):
        with small_tasks(small), pytest.raises(InvalidProblemError, match=message):
            solve(problem, engine)


def test_machine_code_only() -> None:
    """In Python, there are no such engines."""
    with pytest.raises(MissingCapabilityError, match="machine code only"):
        solve(load("8puzzle"), "external_bfs", backend="python")
    line = problem_from([0], lambda x: [("right", x + 1)], lambda x: x == 3)
    with pytest.raises(
        MissingCapabilityError, match=r"needs compiled .of a problem with a compiled view of its own., which"
    ):
        solve(line, "external_bfs", backend="python")
    assert solve(line, "external_bfs").cost == 3  # translated


def test_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setattr(auto, "numba_found", lambda: False)
    with pytest.raises(MissingExtraError, match="pip install"):
        solve(load("8puzzle"), "external_bfs")


def test_saving(tmp_path: Any) -> None:
    """A search on disk is saved in its directory."""
    search = Search(board(), "external_bfs", directory=str(tmp_path / "folder"))
    search.run(Limits(expansions=0))
    with pytest.raises(SavingError, match="solve again with the same one to resume"):
        search.save(tmp_path / "file")


def test_no_start_leads_anywhere() -> None:
    """All starts are dead ends for the heuristic."""
    problem = compilable(digraph("0 -1→ 1", [0], [2], {0: float("inf"), 1: 0, 2: 0}), "functions")
    assert solve(problem, "external_astar").status is Status.UNSOLVABLE
