"""The compiled forms of `external_dijkstra` and `external_astar` agree with those in Python, in memory and on disk."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, certify, solve
from searchkit.errors import DirectoryError, InvalidProblemError
from searchkit.scale.buckets import astar, store
from searchkit.scale.buckets.manifest import body_of_buckets, buckets_of
from searchkit.scale.workers.processes import Processes
from searchkit.testing.spaces.digraphs import WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit_dungeon import grid
from searchkit_tiles import SlidingTiles
from tests.helpers import walk
from tests.kernels.views import FORMS, compilable
from tests.scale.external.boards import TILES, Directed, facts

ENGINES = ("external_dijkstra", "external_astar")
QUICK = ("rows",)


@contextmanager
def small_buckets(most: int) -> Iterator[None]:
    """Merge and expand buckets of more than `most` states by tasks; keep little in memory."""
    with (
        patch.object(astar, "SMALL", most),
        patch.object(astar, "CHUNK", 8),
        patch.object(store, "MOST_HELD", min(most, 50)),
        patch.object(store, "KNOWN", min(most, 100)),
        patch.object(store, "SAVE_SECONDS", 0.0),
    ):
        yield


def board(kind: type[SlidingTiles] = SlidingTiles, heuristic: str = "manhattan") -> SlidingTiles:
    """Return a board of 3×2, of whose 360 states a search reaches most."""
    return kind(3, 2, TILES, "blank-first", heuristic)


def in_python(problem: Any, engine: str) -> Any:
    """Return the result of the form in Python."""
    return solve(problem, engine, backend="python")


def compiled(problem: Any, engine: str, folder: Path | str = "", **options: Any) -> Any:
    """Return the result of the compiled form."""
    return solve(problem, engine, backend="compiled", directory=str(folder), **options)


def dearer(graph: WeightedDigraph) -> WeightedDigraph:
    """Return the graph with costs of 1 more each: its heuristic is still consistent."""
    edges = [evolve(edge, cost=(edge.cost or 0) + 1) for edge in graph.edges]
    return digraph(edges, graph.starts, graph.goals, graph.table)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("small", [0, 10**9])
@pytest.mark.parametrize(
    "form", [form if form in QUICK else pytest.param(form, marks=pytest.mark.long) for form in sorted(FORMS)]
)
@given(graph=weighted_digraphs("int", heuristic="consistent"))
@settings(max_examples=30)
def test_on_digraphs(form: str, small: int, engine: str, graph: WeightedDigraph) -> None:
    """On graphs with dead ends, loops, several starts and parallel edges: the same counters, and a valid path."""
    problem = compilable(dearer(graph), form)
    with small_buckets(small):
        result = compiled(problem, engine)
    expected = in_python(problem, engine)
    assert facts(result) == facts(expected)
    if result.solution is not None:
        assert walk(problem, result.solution, graph.starts) == result.cost
    reached, other = result.search.tree.reached, expected.search.tree.reached
    assert {state: reached[state][0] for state in reached} == {state: other[state][0] for state in other}
    assert all(node in reached for node in other)
    assert object() not in reached


@pytest.mark.one_in(6)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("small", [0, 20])
@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_boards(kind: Any, small: int, engine: str) -> None:
    """Whether all earlier buckets are compared with or those within two steps, in memory or on disk."""
    problem = board(kind)
    with small_buckets(small):
        result = compiled(problem, engine)
    assert facts(result) == facts(in_python(problem, engine))
    assert walk(problem, result.solution, problem.initial_states()) == result.cost


@pytest.mark.long  # processes take a second to start
@pytest.mark.parametrize("engine", ENGINES)
def test_processes(engine: str) -> None:
    """Tasks run in other processes: the counters are those of the form in Python."""
    problem = board()
    tasks = patch.object(Processes, "submit", autospec=True, side_effect=Processes.submit)
    with small_buckets(5), tasks as submit:
        result = compiled(problem, engine, workers="processes:2")
    assert submit.call_count > 10
    assert facts(result) == facts(in_python(problem, engine))
    assert walk(problem, result.solution, problem.initial_states()) == result.cost


@pytest.mark.one_in(2)
@pytest.mark.parametrize("engine", ENGINES)
def test_weights(engine: str) -> None:
    """A grid whose steps cost 1 to 9, and cost something else on the way back."""
    rows = ["S.9..", "13#4.", ".2.7G"]
    problem = grid(rows)
    with small_buckets(2):
        result = compiled(problem, engine)
    assert facts(result) == facts(in_python(problem, engine))
    assert result.cost == solve(problem, "dijkstra").cost


@given(data=st.data())
@settings(max_examples=3)
def test_another_search_goes_on_in_the_directory(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """After any cutoff, with any mixture of states in memory and on disk; the counters are those of one search."""
    engine = data.draw(st.sampled_from(ENGINES))
    problem = board(data.draw(st.sampled_from([SlidingTiles, Directed])))
    folder = tmp_path_factory.mktemp("search")
    with small_buckets(data.draw(st.sampled_from([0, 20, 10**9]))):
        for _ in range(3):
            search = Search(problem, engine, backend="compiled", directory=str(folder))
            result = search.run(Limits(expansions=data.draw(st.integers(1, 150))))
            if result.status is Status.CUTOFF:
                assert result.partial is not None
                assert walk(problem, result.partial, problem.initial_states()) == result.partial.cost
            search.kernel.place.close()
        result = compiled(problem, engine, folder)
    assert facts(result) == facts(in_python(problem, engine))


WRONG = {
    "a cost of 0": (digraph("0 -1→ 1, 1 -0→ 2", [0], [2], {0: 1}), r"cost\(1, .*, 2\) is 0; engine"),
    "a cost that is not whole": (
        digraph("0 -1→ 1, 1 -1.5→ 2", [0], [2], {}),
        r"cost\(1, .*, 2\) is 1\.5; engine",
    ),
    "a value that is not whole": (
        digraph("0 -2→ 1, 1 -1→ 2", [0], [2], {1: 0.5}),
        r"heuristic\(1\) is 0\.5; engine",
    ),
    "an inconsistent step": (
        digraph("0 -1→ 1, 1 -4→ 2", [0], [2], {0: 5}),
        "inconsistent between 0 and 1: it drops",
    ),
    "a step that is inconsistent by 1": (
        digraph("0 -1→ 1, 1 -4→ 2", [0], [2], {0: 2}),
        "inconsistent between 0 and 1: it drops",
    ),
    "a goal with a value": (
        digraph("0 -1→ 1", [0], [1], {0: 1, 1: 2}),
        r"heuristic\(1\) is 2, and this is a goal",
    ),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("small", [0, 10**9])
def test_what_is_refused(name: str, small: int) -> None:
    """Both forms name the same action or the same step, and say what to use."""
    graph, message = WRONG[name]
    problem = compilable(graph, "rows")
    with pytest.raises(InvalidProblemError, match=message) as caught:
        in_python(problem, "external_astar")
    assert "astar" in str(caught.value)
    with small_buckets(small), pytest.raises(InvalidProblemError, match=f"^{re.escape(str(caught.value))}$"):
        compiled(problem, "external_astar")


def test_numbers_that_machine_code_refuses() -> None:
    """From 2⁵³ on the search begins again in Python."""
    problem = compilable(digraph(f"0 -{2**53 + 1}→ 1, 1 -1→ 2", [0], [2]), "rows")
    result = solve(problem, "external_dijkstra")
    assert (result.cost, result.backend) == (2**53 + 2, "python")


def test_a_start_from_which_no_goal_can_be_reached() -> None:
    """Nothing is expanded if the heuristic values of all starts are infinite."""
    problem = compilable(digraph("0 -1→ 1", [0], [], {0: float("inf"), 1: float("inf")}), "rows")
    for backend in ("python", "compiled"):
        result = solve(problem, "external_astar", backend=backend)
        assert (result.status, result.statistics.expanded) == (Status.UNSOLVABLE, 0)


def stopped(problem: Any, engine: str, folder: Path) -> Any:
    """Search for a while, and return the search, which has left its directory."""
    search = Search(problem, engine, backend="compiled", directory=str(folder))
    search.run(Limits(expansions=20))
    search.kernel.buckets.write()
    search.kernel.place.close()
    return search.kernel.buckets


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("which", "engine"),
    [
        ("waits", "external_astar"),
        ("first", "external_dijkstra"),
        ("middle", "external_astar"),
        ("last", "external_dijkstra"),
    ],
)
def test_a_damaged_file(tmp_path: Path, which: str, engine: str) -> None:
    """It is named with what is intact; an intact copy mends the search, and so does expanding again what is intact."""
    rows = ["".join(str((7 * x + 5 * y * y) % 9 + 1) for x in range(8)) for y in range(8)]
    problem = grid([f"S{rows[0][1:]}", *rows[1:-1], f"{rows[-1][:-1]}G"])
    expected = facts(in_python(problem, engine))
    with small_buckets(3), patch.object(store, "SAVE_SECONDS", 60.0):
        held = stopped(problem, engine, tmp_path)
        places = {"first": 0, "middle": len(held.layers) // 2, "last": -1}
        waits = held.waiting.peekitem(0)[1].files[0]
        file = tmp_path / (waits if which == "waits" else held.layers[places[which]].files[0]).name
        whole = file.read_bytes()
        file.write_bytes(whole[:60] + bytes([whole[60] ^ 1]) + whole[61:])
        copy = tmp_path.with_name(f"{tmp_path.name}-copy")
        shutil.copytree(tmp_path, copy)
        search = Search(problem, engine, backend="compiled", directory=str(tmp_path))
        with pytest.raises(DirectoryError, match=f"{file.name}.*intact.*repair=yes"):
            assert search.run().search.tree.costs(), "files that the search does not need are read here"
        if search.kernel is not None:
            search.kernel.place.close()
        file.unlink()
        with pytest.raises(DirectoryError, match=f"{file.name} is missing.*intact.*repair=yes"):
            compiled(problem, engine, tmp_path)
        repaired = stopped_and_repaired(problem, engine, copy)
        assert facts(repaired) == expected
        file.write_bytes(whole)
        assert facts(compiled(problem, engine, tmp_path)) == expected


@pytest.mark.parametrize(
    "key", [[3, 4], [4, -1], [-1, -2], [1 << 54, 0], [4.0, 3], [True, 1], [4], None, "43"]
)
def test_forged_keys_of_a_manifest(key: Any) -> None:
    """A key is a pair of integers 0 ≤ g ≤ f that costs can have; keys are in order, one for each layer."""
    layer: Any = None
    body = body_of_buckets([], [], None, [(4, 3)], 1, 1, []) | {"keys": [[4, 3]]}
    assert buckets_of(body, None, [layer])[0] == [(4, 3)]
    with pytest.raises(DirectoryError, match="contradicts itself"):
        buckets_of(body | {"keys": [key]}, None, [layer])
    with pytest.raises(DirectoryError, match="contradicts itself"):
        buckets_of(body | {"keys": [[4, 3], [4, 2]]}, None, [layer, layer])


def stopped_and_repaired(problem: Any, engine: str, folder: Path) -> Any:
    """Repair a search, stop it soon, and return the result of going on."""
    search = Search(problem, engine, backend="compiled", directory=str(folder), repair=True)
    search.run(Limits(expansions=1))
    assert not search.kernel.buckets.to_expand
    search.kernel.place.close()
    return compiled(problem, engine, folder, repair=True)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("backend", ["python", "compiled"])
@pytest.mark.parametrize("engine", ENGINES)
def test_certificates(engine: str, backend: str) -> None:
    """The states of all buckets prove the cost, wherever they are; the checker knows nothing of buckets."""
    problem = board()
    with small_buckets(20):
        result = solve(problem, engine, backend=backend, certificate=True)
    assert result.certificate is not None
    assert certify(problem, result.certificate).proved[1] == f"no path costs less than {result.cost}"
    assert certify(problem, result).unproved == ()


def test_a_planted_defect_is_found() -> None:
    """Without the buckets on disk, states would be expanded again: the counters show it."""
    problem = board(Directed)
    with small_buckets(20), patch.object(store.Buckets, "earlier", lambda self, key: []):
        result = compiled(problem, "external_dijkstra", limits=Limits(expansions=2000))
    assert facts(result) != facts(in_python(problem, "external_dijkstra"))
