"""Small searches use the runs of searches that are gone; no result shows what a later search does."""

import pickle
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from searchkit import Limits, Result, Search, SearchProblem, Status, certify, kernels, solve, solve_many
from searchkit.errors import SearchkitError
from searchkit.kernels import small
from searchkit.kernels.astar import AStar
from searchkit.search.runs.small import SmallRun
from searchkit_dungeon import Grid, grid, make_grid

ENGINES = (
    *("astar", "bfs"),
    *(pytest.param(engine, marks=pytest.mark.long) for engine in ("dijkstra", "wastar")),
)
MAP = ["S...#....", ".##.#.##.", ".#..#.#..", ".#.##.#.#", "...3....G"]


@pytest.fixture(autouse=True)
def runs() -> Iterator[small.SmallRuns]:
    """No run of another test is used."""
    small.RUNS.clear()
    yield small.RUNS
    small.RUNS.clear()


def crypt(moves: int = 4) -> Grid:
    """Return a small map with terrain."""
    return grid(MAP, moves=moves)


def warm(problem: SearchProblem[Any, Any], engine: str) -> None:
    """Search often enough that the next search of the graph begins with a kept run."""
    for _ in range(6):
        solve(problem, engine, backend="compiled")


def shown(result: Result[Any, Any]) -> tuple[Any, ...]:
    """Return all that a result and its search show, apart from the time."""
    search = result.search
    assert isinstance(search, Search)
    tree, numbers = search.tree, result.statistics
    counters = numbers.expanded, numbers.generated, numbers.reopened, numbers.reached, numbers.peak_frontier
    return (
        *(result.status, result.solution, result.lower_bound, result.warnings, result.backend, counters),
        *(dict(tree.reached), set(tree.closed or ()), tree.expanded_states(), tree.goal, tree.found),
        *(search.next_state, search.ended, len(tree.frontier) if engine_shows(search) else 0),
    )


def engine_shows(search: Search[Any, Any]) -> bool:
    """Whether the frontier of the engine has a length."""
    return search.spec.name == "bfs"


def is_small(result: Result[Any, Any]) -> bool:
    """Whether a result comes from a run that may be used again."""
    assert isinstance(result.search, Search)
    return isinstance(result.search._run, SmallRun)


def usual(monkeypatch: pytest.MonkeyPatch, problem: Any, engine: str) -> Result[Any, Any]:
    """Return the result of a search that makes a run of its own."""
    with monkeypatch.context() as patch:
        patch.setattr("searchkit.search.driver.run_small", lambda search: False)
        result = solve(problem, engine, backend="compiled")
    assert not is_small(result)
    return result


@pytest.mark.parametrize("moves", [4, pytest.param(8, marks=pytest.mark.long)])
@pytest.mark.parametrize("engine", ENGINES)
def test_the_result_is_that_of_a_run_of_its_own(
    engine: str, moves: int, monkeypatch: pytest.MonkeyPatch, runs: small.SmallRuns
) -> None:
    """Answer, counters, tree, state and warnings are the same, also for other starts and goals on the same graph."""
    problem = crypt(moves)
    warm(problem, engine)
    assert len(runs) == 1
    cells = [(0, 0), (8, 4), (3, 4), (5, 0), (2, 2)]
    for start in cells:
        for goal in cells:
            for goals in ([goal], [goal, (0, 4)], []):
                aimed = problem.aimed([start], goals)
                found = solve(aimed, engine, backend="compiled")
                assert is_small(found)
                expected = usual(monkeypatch, aimed, engine)
                assert shown(found) == shown(expected)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_later_search_does_not_change_what_an_earlier_one_shows(engine: str, runs: small.SmallRuns) -> None:
    """Neither if its tree was read before, nor if it is read afterwards, nor if only a part of it is held."""
    problem = crypt()
    warm(problem, engine)
    read = solve(problem, engine, backend="compiled")
    expected = shown(read)
    unread, part = (solve(problem, engine, backend="compiled") for _ in range(2))
    assert isinstance(part.search, Search)
    reached, solution = part.search.tree.reached, part.solution
    del part
    others = [solve(problem.aimed([(8, 4)], [goal]), engine, backend="compiled") for goal in [(0, 0), (3, 2)]]
    assert all(map(is_small, others))
    assert shown(read) == shown(unread) == expected
    assert dict(reached) == expected[6]
    assert solution == expected[1]


def test_a_run_is_used_again_and_a_read_one_is_not(
    runs: small.SmallRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search makes no run if one is kept. A run whose tree was read is released with its search."""
    problem, made = crypt(), list[int]()
    warm(problem, "astar")
    original = AStar.__init__

    def counted(self: AStar, *arguments: Any, **options: Any) -> None:
        made.append(1)
        original(self, *arguments, **options)

    monkeypatch.setattr(AStar, "__init__", counted)
    for _ in range(5):
        solve(problem, "astar", backend="compiled")
    assert not made
    assert len(runs) == 1
    result = solve(problem, "astar", backend="compiled")
    assert isinstance(result.search, Search)
    assert result.search.tree.reached
    del result
    assert len(runs) == 0
    solve(problem, "astar", backend="compiled")
    assert len(made) == 1


def test_few_runs_are_kept(runs: small.SmallRuns) -> None:
    """However many searches are gone, and without their problems; runs of large graphs are not kept."""
    problem = crypt()
    warm(problem, "bfs")
    results = [solve(problem, "bfs", backend="compiled") for _ in range(3 * small.MOST_KEPT)]
    assert all(map(is_small, results))
    del results
    assert len(runs) == small.MOST_KEPT
    for kept in runs._kept.values():
        assert kept.run.problem is kept.run.view is kept.run.records.view is kept.run.records.problem is None
    runs.clear()
    side = 65
    assert side * side > small.MOST_STATES
    large = grid(["S" + "." * (side - 1)] * side, start=(0, 0), goal=(1, 1))
    for _ in range(4):
        assert not is_small(solve(large, "bfs", backend="compiled"))
    assert len(runs) == 0


def test_threads_do_not_share_a_run(runs: small.SmallRuns) -> None:
    """Searches of several threads, each with answers of its own."""
    problem = crypt()
    pairs = [((0, 0), (8, 4)), ((8, 4), (0, 0)), ((3, 4), (5, 0)), ((2, 2), (0, 4))]
    warm(problem, "astar")
    expected = [solve(problem.aimed([start], [goal]), "astar", backend="python") for start, goal in pairs]
    wrong: list[Any] = []

    def work(first: int) -> None:
        for turn in range(first, first + 60):
            start, goal = pairs[turn % len(pairs)]
            found = solve(problem.aimed([start], [goal]), "astar", backend="compiled")
            right = expected[turn % len(pairs)]
            if (found.solution, found.statistics.expanded) != (right.solution, right.statistics.expanded):
                wrong.append(found)

    threads = [Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_search_within_a_search(runs: small.SmallRuns) -> None:
    """A heuristic that solves another problem on the same graph gets another run."""
    problem = crypt()
    warm(problem, "astar")
    expected = shown(solve(problem, "astar", backend="compiled"))
    inner = list[Any]()

    class Asking(type(problem)):  # type: ignore[misc]  # the class of the map
        def heuristic(self, state: Any) -> Any:
            inner.append(solve(problem, "astar", backend="compiled").cost)
            return super().heuristic(state)

    asking = Asking(problem.terrain, problem.starts, problem.goals)
    for _ in range(6):
        found = solve(asking, "astar", backend="compiled")
        assert shown(found) == expected
    assert set(inner) == {found.cost}


def test_a_search_that_fails_leaves_no_run(runs: small.SmallRuns) -> None:
    """An error of the heuristic is reported as usual, and the next search is not touched by it."""
    problem = crypt()
    warm(problem, "astar")
    expected = shown(solve(problem, "astar", backend="compiled"))

    class Failing(type(problem)):  # type: ignore[misc]  # the class of the map
        broken = False

        def heuristic(self, state: Any) -> Any:
            if self.broken:
                raise OSError("the disk is gone")
            return super().heuristic(state)

    failing = Failing(problem.terrain, problem.starts, problem.goals)
    warm(failing, "astar")
    before = len(runs)
    failing.broken = True
    with pytest.raises((OSError, SearchkitError), match="the disk is gone"):
        solve(failing, "astar", backend="compiled")
    assert len(runs) == before - 1
    assert shown(solve(problem, "astar", backend="compiled")) == expected


def test_limits_observers_and_certificates_work_as_usual(runs: small.SmallRuns, tmp_path: Path) -> None:
    """A limit cuts off, an observer is called, a certificate holds, and a search that was saved is read again."""
    problem = crypt()
    warm(problem, "astar")
    cut = solve(problem, "astar", backend="compiled", limits=Limits(expansions=3))
    assert cut.status is Status.CUTOFF
    assert cut.statistics.expanded == 3
    seen = list[Any]()
    solve(problem, "astar", observers=[lambda search, state: seen.append(state)])
    whole = solve(problem, "astar", backend="compiled", certificate=True)
    assert is_small(whole)
    assert len(seen) == whole.statistics.expanded
    assert certify(problem, whole).accepted
    found = solve(problem, "astar", backend="compiled")
    assert isinstance(found.search, Search)
    found.search.save(tmp_path / "search")
    again: Search[Any, Any] = Search.load(tmp_path / "search", problem)
    assert again.ended
    assert dict(again.tree.reached) == dict(found.search.tree.reached)
    assert shown(again.run())[:6] == shown(found)[:6]
    copy = pickle.loads(pickle.dumps(found))
    assert (copy.solution, copy.statistics) == (found.solution, found.statistics)
    assert found.search.resume().solution == found.solution


def test_a_heuristic_that_lies_is_named(runs: small.SmallRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    """The warning about an inadmissible heuristic is that of a run of its own."""
    problem = grid(MAP, heuristic="manhattan", moves=8)
    warm(problem, "astar")
    found = solve(problem, "astar", backend="compiled")
    expected = usual(monkeypatch, problem, "astar")
    assert shown(found) == shown(expected)


@pytest.mark.parametrize("engine", ["astar", "bfs"])
def test_many_queries(engine: str, runs: small.SmallRuns) -> None:
    """The queries of `solve_many` use kept runs, and give the answers of single searches."""
    problem = make_grid(crypt().terrain, [], [])
    cells = [(0, 0), (8, 4), (3, 4), (5, 0), (2, 2)]
    pairs = [(start, goal) for start in cells for goal in cells]
    found = list(solve_many(problem, pairs * 3, engine, backend="compiled", threads=2))
    expected = [solve(problem.aimed([start], [goal]), engine, backend="python") for start, goal in pairs]
    assert [result.solution for result in found] == [result.solution for result in expected] * 3
    assert 0 < len(runs) <= 2


def test_another_thread_imports_what_keeps_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that needs the module meanwhile waits until it is whole."""
    name, begun, go = small.__name__, Event(), Event()

    class Slow:
        """Finds the module, whose code runs when the test says so."""

        def find_spec(self, wanted: str, path: Any, target: Any = None) -> Any:
            spec = PathFinder.find_spec(wanted, path) if wanted == name else None
            if spec is not None:
                loader: Any = spec.loader
                run = loader.exec_module

                def later(module: Any) -> None:
                    begun.set()
                    go.wait(10)
                    run(module)

                monkeypatch.setattr(loader, "exec_module", later)
            return spec

    problem = crypt()
    warm(problem, "bfs")
    monkeypatch.setattr(sys, "meta_path", [Slow(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(kernels, "small", small)  # which the import replaces
    other, answers = Thread(target=import_module, args=(name,)), list[Any]()
    other.start()
    assert begun.wait(10)
    asks = Thread(target=lambda: answers.append(solve(problem, "bfs", backend="compiled").cost))
    asks.start()
    asks.join(0.1)
    assert asks.is_alive()
    go.set()
    asks.join(10)
    other.join(10)
    monkeypatch.undo()
    assert answers == [solve(problem, "bfs", backend="python").cost]
