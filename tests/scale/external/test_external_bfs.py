"""The compiled form of `external_bfs` and its form in Python agree, in memory and on disk."""

import os
import signal
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, certify, per_slice, solve
from searchkit.errors import InvalidProblemError, MissingCapabilityError, UnknownNameError
from searchkit.scale.arrays import expanding
from searchkit.scale.exchange import files
from searchkit.scale.external import bfs, layers, tasks
from searchkit.scale.external.bfs import ExternalBreadthFirst
from searchkit.scale.external.files import write_file
from searchkit.scale.external.layers import LayerReader
from searchkit.scale.external.united import FEW, SHARE
from searchkit.search.distances import goalless
from searchkit.testing.spaces.digraphs import WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit.tree import SearchTree
from searchkit_tiles import SlidingTiles
from tests.helpers import walk
from tests.kernels.views import FORMS, compilable, view_of
from tests.scale.external.boards import Directed, board, facts, on_disk, small_layers

CHEAP = ("rows",)


def in_python(problem: Any) -> Any:
    """Return the result of the form in Python."""
    return solve(problem, "external_bfs", backend="python")


@pytest.mark.parametrize("small", [0, 10**9])
@pytest.mark.parametrize(
    "form", [form if form in CHEAP else pytest.param(form, marks=pytest.mark.long) for form in sorted(FORMS)]
)
@given(graph=weighted_digraphs("unit"))
@settings(max_examples=100)
def test_on_digraphs(form: str, small: int, graph: WeightedDigraph) -> None:
    """On graphs with dead ends, loops, several starts and parallel edges: the same counters, and a valid path."""
    problem = compilable(graph, form)
    with small_layers(small):
        result = on_disk(problem)
    expected = in_python(problem)
    assert facts(result) == facts(expected)
    if result.solution is not None:
        assert walk(problem, result.solution, graph.starts) == result.cost
    reached, other = result.search.tree.reached, expected.search.tree.reached
    assert {state: reached[state][0] for state in reached} == {state: other[state][0] for state in other}
    assert all(node in reached for node in other)
    assert set(result.search.tree.expanded_states()) == set(expected.search.tree.expanded_states())
    assert object() not in reached


@pytest.mark.parametrize("small", [0, 20, 10**9])
@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_boards(kind: Any, small: int) -> None:
    """Whether earlier layers are all subtracted or the last two, small layers stay in memory or not."""
    problem = board(kind=kind)
    with small_layers(small):
        result = on_disk(problem)
    assert facts(result) == facts(in_python(problem))
    assert result.solution is not None
    assert walk(problem, result.solution, problem.initial_states()) == result.cost
    tree = result.search.tree
    assert tree.reached[result.solution.states[3]][0] == 3
    assert len(set(tree.reached)) == len(tree.reached)


def test_few_files_are_open_at_once() -> None:
    """However many files a round has written, and however many layers are subtracted."""
    counts, merged = list[tuple[int, int]](), tasks._merged

    def spied(sources: Any, part: int, words: int) -> Any:
        counts.append((len(sources), sum(source._file is not None for source in sources)))
        return merged(sources, part, words)

    def most_held(reader: LayerReader, file: Any) -> Any:
        run = opened(reader, file)
        held.append(len(reader._open))
        return run

    held, opened = list[int](), LayerReader.run
    problem = board(kind=Directed)
    with (
        small_layers(0),
        patch.object(bfs, "LARGEST_CHUNK", 40),
        patch.object(tasks, "MOST_OPEN", 2),
        patch.object(layers, "MOST_OPEN", 2),
        patch.object(tasks, "_merged", spied),
        patch.object(LayerReader, "run", most_held),
    ):
        result = on_disk(problem)
    assert facts(result) == facts(in_python(problem))
    assert max(sources for sources, _ in counts) > 2
    assert all(is_open == (sources if sources <= 2 else 0) for sources, is_open in counts)
    assert max(held) == 2


def test_few_runs_instead_of_many_layers(tmp_path: Path) -> None:
    """If all earlier layers are subtracted, small ones are united; the files are not needed by the next search."""
    subtracted, merge = list[list[layers.Layer]](), files.merge

    def spied(job: Any, depth: int, group: int, bits: int, spills: int, earlier: list[layers.Layer]) -> Any:
        subtracted.append(earlier)
        return merge(job, depth, group, bits, spills, earlier)

    problem = goalless(board(kind=Directed))
    with small_layers(0), patch.object(files, "merge", spied):
        search = Search(problem, "external_bfs", backend="compiled", directory=str(tmp_path))
        assert search.run(Limits(expansions=200)).status is Status.CUTOFF
        assert list(tmp_path.glob("united-*"))
        search.kernel.place.close()
        result = on_disk(problem, tmp_path)
    assert facts(result) == facts(in_python(problem))
    assert max(map(len, subtracted)) < SHARE + FEW
    states = [layer.states for layer in result.search.kernel.layers]  # type: ignore[attr-defined]
    for runs in subtracted:
        assert sum(run.states for run in runs) == sum(states[: runs[0].depth + 1])
    assert not list(tmp_path.glob("united-*"))


@pytest.mark.parametrize("worth", [0.0, tasks.WORTH_KEEPING])
def test_duplicates_in_files(worth: float) -> None:
    """A task leaves duplicates out of its file if they are many; these files are not hashed."""
    edges = [f"0 → {node}" for node in range(1, 9)]
    edges += [f"{node} → {after}" for node in range(1, 9) for after in range(9, 13)]
    edges += [f"{node} → 13" for node in range(9, 13)]
    problem, found = compilable(digraph(", ".join(edges), [0], [13]), "rows"), list[list[int]]()

    def spied(path: Path, pieces: Iterable[Any], durable: bool, **options: Any) -> Any:
        *states, table = [piece.tolist() for piece in pieces]
        assert table[-1] == len(states) == 1
        found.append(states[0])
        file = write_file(path, pieces, durable, **options)
        assert not file.sha256
        return file

    with (
        small_layers(0),
        patch.object(tasks, "write_file", spied),
        patch.object(tasks, "WORTH_KEEPING", worth),
    ):
        result = on_disk(problem)
    assert facts(result) == facts(in_python(problem))
    if worth:
        assert all(len(set(states)) == len(states) for states in found)
    else:
        assert sum(map(len, found)) == result.statistics.generated == 8 + 32 + 4


def test_without_goals() -> None:
    """No state is asked whether it is a goal if none can be one."""
    problem = goalless(board())
    with small_layers(20), patch.object(expanding, "_first_goal", side_effect=AssertionError):
        assert on_disk(problem).statistics.reached == 360
    with patch.object(expanding, "_first_goal", side_effect=AssertionError), pytest.raises(AssertionError):
        on_disk(board())


@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_all_ways_give_the_same_path(kind: Any) -> None:
    """Parents are the least states, wherever they are and however parts are divided."""
    paths = set()
    for small in (0, 5, 20, 10**9):
        with small_layers(small):
            solution = on_disk(board(kind=kind)).solution
        assert solution is not None
        paths.add(solution.states)
    assert len(paths) == 1


@given(data=st.data())
@settings(max_examples=50)
def test_pauses(data: st.DataObject) -> None:
    """A search that is cut up into runs ends as one that is not; it overshoots by whole tasks or small layers only."""
    problem = board(kind=data.draw(st.sampled_from([SlidingTiles, Directed])))
    with small_layers(data.draw(st.sampled_from([0, 20, 10**9]))):
        search = Search(problem, "external_bfs", backend="compiled")
        result = search.run(Limits(expansions=0))
        while result.status is Status.CUTOFF:
            assert result.partial is not None
            assert walk(problem, result.partial, problem.initial_states()) == result.partial.cost
            before = search.tree.expanded
            most = data.draw(st.integers(1, 100))
            result = search.run(Limits(expansions=most))
            assert search.tree.expanded <= before + most + 60
    assert facts(result) == facts(in_python(problem))


def test_a_limit_of_cost() -> None:
    """The search ends before a layer whose states cost more."""
    with small_layers(20):
        result = on_disk(board(), limits=Limits(cost=7))
    assert (result.status, result.cutoff, result.lower_bound) == (Status.CUTOFF, "the cost limit of 7", 8)
    resumed = result.search.resume()
    assert facts(resumed) == facts(in_python(board()))


def test_stepping() -> None:
    """A search can be stepped through; a step expands a task's states or a small layer."""
    with small_layers(20):
        search = Search(board(), "external_bfs", backend="compiled")
        states = list(search)
    assert facts(search.run()) == facts(in_python(board()))
    assert len(states) < 360
    assert all(state in search.tree.reached for state in states)


def test_layers_are_noted() -> None:
    """A recording can show the layers."""
    notes: list[tuple[str, int]] = []
    tree: SearchTree[Any, Any] = SearchTree()
    tree.listener = lambda kind, text, facts: notes.append((kind, facts["states"]))
    run = ExternalBreadthFirst(board(), tree)
    while not run.ended:
        tree.expanded += run.advance(1 << 20)
    assert {kind for kind, _ in notes} == {"layer"}
    assert 1 + sum(states for _, states in notes) == len(tree.reached)
    assert f"layer {len(notes)}  {len(tree.reached)} states" in run.progress()


@pytest.mark.parametrize("workers", ["threads:3", "processes:2"])
def test_workers(workers: str) -> None:
    """Tasks run in threads, which share the problem, or in other processes, to which it is sent."""
    with small_layers(50):
        result = on_disk(board(), workers=workers)
    assert facts(result) == facts(in_python(board()))


@pytest.mark.long  # processes take a second to start, and three pairs are started
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_killed_processes_cost_nothing_but_their_tasks() -> None:
    """All processes are killed twice while their tasks run: counts and cost are those of one process."""
    problem = board((8, 6, 7, 2, 5, 4, 3, 0, 1))
    killed: list[tuple[int, ...]] = []

    def strike(search: Search[Any, Any], state: Any) -> None:
        pids = search.kernel.place.workers.pids
        if len(killed) < 2 <= len(set(pids).difference(*killed)) and search.tree.expanded > 20_000:
            killed.append(pids)
            for pid in pids:
                os.kill(pid, signal.SIGKILL)

    with small_layers(500), patch.object(bfs, "LARGEST_CHUNK", 500), patch.object(bfs, "LEAST_CHUNK", 500):
        search = Search(
            problem, "external_bfs", backend="compiled", observers=[per_slice(strike)], workers="processes:2"
        )
        result = search.run()
    assert len(killed) == 2
    assert facts(result) == facts(in_python(problem))
    assert certify(problem, result).accepted


def test_what_is_refused() -> None:
    """Workers that do not exist, options of machine code in Python, and a false declaration."""
    with pytest.raises(UnknownNameError, match="serial"):
        on_disk(board(), workers="serail")
    with pytest.raises(MissingCapabilityError, match="option directory in machine code only"):
        solve(board(), "external_bfs", backend="python", directory="somewhere")
    one_way = digraph("0 → 1, 1 → 2, 2 → 0, 2 → 3", [0], [3])
    declared = view_of(one_way, evolve(FORMS["rows"](one_way), undirected=True))
    with pytest.raises(InvalidProblemError, match="declared undirected"), small_layers(0):
        on_disk(declared)
