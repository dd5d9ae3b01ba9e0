"""Problems without a compiled view, searched as machine code that is made from their Python."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from searchkit import (
    Limits,
    Search,
    distance_map,
    per_slice,
    problem_from,
    solve,
    solve_many,
)
from searchkit.errors import InvalidProblemError, MissingCapabilityError
from searchkit.search import auto
from tests.translate import student
from tests.translate.student import Dice, Doubling, Errands, Printing, Stairs, Tiles

pytest.importorskip("numba")
START = 8, 6, 7, 2, 5, 4, 3, 0, 1
NEAR = 1, 2, 3, 0, 4, 6, 7, 5, 8
ENGINES = ("bfs", "dijkstra", "astar", "wastar", "greedy", "bucket", "idastar")


def answer(result: Any) -> list[Any]:
    """Return what has to be equal."""
    numbers = result.statistics
    path = None if result.solution is None else (result.solution.states, result.solution.actions)
    return [result.status, result.cost, path, numbers.expanded, numbers.generated, numbers.reached]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `auto` begin to translate at once."""
    if sys.gettrace() is not None:
        pytest.skip("coverage is measured, and searches stay in Python")
    monkeypatch.setattr(auto, "COLD_SECONDS", 0.0)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_kernel(engine: str) -> None:
    """It gives the answer of Python, with equal counters."""
    limits = Limits(expansions=5_000)
    python = solve(Tiles(*START), engine, backend="python", limits=limits)
    compiled = solve(Tiles(*START), engine, backend="compiled", limits=limits)
    assert (python.backend, compiled.backend, compiled.warnings) == ("python", "compiled", ())
    assert answer(compiled) == answer(python)
    assert compiled.engine_choice.startswith("machine code made from student.py, compared with Python on ")
    assert python.engine_choice == ""


@pytest.mark.parametrize("engine", ["zero_one", "dijkstra", "astar", "bucket"])
def test_costs(engine: str) -> None:
    """The problem's own costs count."""
    python, compiled = (solve(Errands(), engine, backend=backend) for backend in ("python", "compiled"))
    assert compiled.backend == "compiled"
    assert answer(compiled) == answer(python)


def test_functions() -> None:
    """A problem may be made of functions and closures."""
    width = 50
    problem = problem_from(
        [(0, 0)],
        lambda at: [
            ((dx, dy), (at[0] + dx, at[1] + dy)) for dx, dy in ((1, 0), (0, 1)) if at[0] + dx < width
        ],
        lambda at: sum(at) == 90,
    )
    python, compiled = (solve(problem, backend=backend) for backend in ("python", "compiled"))
    assert compiled.backend == "compiled"
    assert answer(compiled) == answer(python)


def test_auto_begins_again(at_once: None) -> None:
    """It begins in Python, and the result says what it was in the end."""
    result = solve(Stairs(end=200_000, door=10**6))
    assert (result.backend, result.warnings, result.cost) == ("compiled", (), 100_000)
    assert result.engine_choice.startswith("auto chose bfs: every action costs 1")
    assert "machine code made from student.py" in result.engine_choice
    assert result.engine_choice.endswith(" states")


@pytest.mark.parametrize(("kind", "reason"), [(Printing, "prints"), (Dice, "random")])
def test_what_is_not_pure_stays_python(kind: type[Stairs], reason: str, at_once: None) -> None:
    """`auto` says why, without a warning; if machine code is required, that is an error."""
    result = solve(kind(end=100_000), "bfs")
    assert (result.backend, result.warnings) == ("python", ())
    assert result.engine_choice.startswith("Python, as machine code can't be made from it: ")
    assert reason in result.engine_choice
    with pytest.raises(MissingCapabilityError, match=f"{kind.__name__} .*{reason}.*backend='python'"):
        solve(kind(), "bfs", backend="compiled")


def test_a_counter_around_the_problem_stays_python() -> None:
    """Machine code would not count, and nothing that is compared with Python would show it."""
    count = 0

    def successors(x: int) -> list[tuple[int, int]]:
        nonlocal count
        count += 1
        return [(step, x + step) for step in (1, 2) if x + step <= 40]

    with pytest.raises(MissingCapabilityError, match="successors sets count, a name outside it"):
        solve(problem_from([0], successors, lambda x: x == 40), "bfs", backend="compiled")


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "external_bfs"])
def test_a_layout_that_is_outgrown(engine: str) -> None:
    """The search begins again with more room."""
    problem = Stairs(6_000, door=4_000) if engine == "external_bfs" else Stairs()
    python = solve(problem, "dijkstra" if engine == "dijkstra" else "bfs", backend="python")
    compiled = solve(problem, engine, backend="auto" if engine == "external_bfs" else "compiled")
    assert (compiled.backend, compiled.warnings, compiled.cost) == ("compiled", (), python.cost)
    if engine != "external_bfs":
        assert answer(compiled) == answer(python)


def test_numbers_beyond_64_bits_are_pythons() -> None:
    """If more room is of no use, the search begins again in Python, and says why."""
    huge = Doubling(end=6_000, door=5_000)
    result = solve(huge, "bfs", backend="compiled")
    assert result.backend == "python"
    assert "in Python: its machine code gave up: " in result.warnings[0]
    assert answer(result) == answer(solve(huge, "bfs", backend="python"))


def test_none_is_no_state_of_machine_code_either() -> None:
    """As in Python, where it is an error."""
    problem = problem_from([0], lambda n: [("on", n + 1 if n < 3 else None)], lambda n: n is None)
    with pytest.raises(MissingCapabilityError, match="None can't be a state"):
        solve(problem, "bfs", backend="compiled")


def test_an_attribute_that_changes_between_two_runs_of_a_search_is_an_error() -> None:
    """Machine code has the old value; a new search has the new one."""
    problem = Tiles(*START)
    search = Search(problem, "bfs", backend="compiled")
    search.run(Limits(expansions=100))
    problem.start = NEAR
    with pytest.raises(
        InvalidProblemError, match="the attribute start of Tiles was changed since this search began"
    ):
        search.resume()
    assert solve(problem, "bfs", backend="compiled").cost == solve(problem, "bfs", backend="python").cost


def test_a_problem_that_has_changed_is_translated_again() -> None:
    """Nothing is kept from one search to the next."""
    problem = Stairs(end=2_000, door=10**6)
    assert solve(problem, "bfs", backend="compiled").cost == 1_000
    problem.end = 1_000
    assert solve(problem, "bfs", backend="compiled").cost == 500


@pytest.mark.parametrize("triple", ["aarch64-unknown-linux-gnu", "arm64-apple-darwin"])
def test_other_processors(triple: str) -> None:
    """The assembly names no processor, and LLVM compiles it for others, too."""
    from llvmlite import binding

    from searchkit.translate.view import Maker

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    maker = Maker(Errands())
    maker.make()
    assert maker.translation is not None
    target = binding.Target.from_triple(triple).create_target_machine()
    module = binding.parse_assembly(f'target triple = "{triple}"\n{maker.translation.text}')
    module.data_layout = str(target.target_data)
    assert "expand:" in target.emit_assembly(module)


def test_distances() -> None:
    """Distance maps are the same."""
    limits = Limits(expansions=3_000)
    python, compiled = (
        distance_map(Tiles(*START), backend=backend, limits=limits) for backend in ("python", "compiled")
    )
    assert dict(compiled) == dict(python)
    python, compiled = (distance_map(Errands(), backend=backend) for backend in ("python", "compiled"))
    assert dict(compiled) == dict(python)


@pytest.mark.parametrize("workers", ["threads:2", "processes:2"])
def test_many(workers: str) -> None:
    """Also where this process has several threads, and in other processes."""
    queries = [Tiles(*NEAR), Tiles(*START), Stairs()]
    found = solve_many(queries, engine="bfs", backend="compiled", workers=workers)
    assert [(result.backend, result.cost) for result in found] == [
        ("compiled", solve(query, backend="python").cost) for query in queries
    ]


def test_workers_of_a_search_on_disk(tmp_path: Path) -> None:
    """They get the machine code that this process made; a folder is resumed only with the same layout."""
    assert solve(Tiles(*NEAR), "external_bfs", workers="processes:2").cost == 3
    first = solve(Tiles(*START), "external_bfs", directory=str(tmp_path), limits=Limits(expansions=2_000))
    assert first.cutoff
    assert first.search is not None
    first.search.kernel.close()
    assert solve(Tiles(*START), "external_bfs", directory=str(tmp_path)).cost == 31


def test_a_saved_search(tmp_path: Path) -> None:
    """It continues where it was, in another process."""
    file, problem = tmp_path / "tiles.search", Tiles(*START)
    search: Search[Any, Any] = Search(problem, "astar", backend="compiled")
    search.run(Limits(expansions=1_000))
    search.save(file)
    code = (
        "import sys; from searchkit import Search; from tests.translate.student import Tiles\n"
        "result = Search.load(sys.argv[1], Tiles(*map(int, sys.argv[2]))).run()\n"
        "print(result.backend, result.cost, result.statistics.expanded)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file), "".join(map(str, START))],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    whole = solve(problem, "astar", backend="python")
    assert done.stdout.split() == ["compiled", str(whole.cost), str(whole.statistics.expanded)]


def test_a_saved_search_has_room(tmp_path: Path) -> None:
    """What was learnt about the problem is in the file, too."""
    search: Search[Any, Any] = Search(Stairs(), "bfs", backend="compiled")
    assert search.run(Limits(expansions=25_000)).cutoff
    search.save(tmp_path / "stairs.search")
    result = Search.load(tmp_path / "stairs.search", Stairs()).run()
    assert (result.backend, result.warnings) == ("compiled", ())
    assert answer(result) == answer(solve(Stairs(), "bfs", backend="python"))


def test_a_difference_is_found_while_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that no sample shows: a warning tells the smallest state; the answer is that of Python."""
    from searchkit.translate.translation import Comparison, DifferenceError

    compare_one = Comparison.compare_one

    def differ(self: Comparison, state: Any) -> None:
        if state[0] > 2_000:
            raise DifferenceError(f"successor 0 of {state!r}")
        compare_one(self, state)

    monkeypatch.setattr(Comparison, "compare_one", differ)
    monkeypatch.setattr("searchkit.search.backend.SHARE", 1e6)  # however slow this machine is
    result = solve(Stairs(100_000, door=100_000), "bfs", backend="compiled")
    assert (result.backend, result.cost) == ("python", 50_000)
    assert "its machine code and Python differ: successor 0 of (2001," in result.warnings[0]
    assert "please report this" in result.warnings[0]


def crash(*_: Any) -> None:
    """End this process as an access to memory that is not there does."""
    import os
    import signal

    os.kill(os.getpid(), signal.SIGSEGV)


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try machine code in a fork, which has what a test has changed, whatever idle threads other tests have left."""
    from searchkit.translate import view

    monkeypatch.setattr(view, "can_fork", lambda: True)


def test_a_crash_costs_nothing_but_speed(monkeypatch: pytest.MonkeyPatch, forked: None) -> None:
    """Machine code is tried in another process first."""
    from searchkit.translate.translation import Comparison

    monkeypatch.setattr(Comparison, "compare_one", crash)
    with pytest.raises(MissingCapabilityError, match="crashed when it was tried"):
        solve(Tiles(*NEAR), "bfs", backend="compiled")


def test_code_that_is_not_faster_is_not_used(
    monkeypatch: pytest.MonkeyPatch, at_once: None, forked: None
) -> None:
    """As where Python has a cache. What is required is used."""
    from searchkit.translate.translation import Comparison

    monkeypatch.setattr(Comparison, "pays", False)
    result = solve(Stairs(end=100_000, door=10**6), "bfs")
    assert (result.backend, result.warnings) == ("python", ())
    assert result.engine_choice.endswith("machine code is not faster than Python for the first states")
    assert solve(Stairs(), "bfs", backend="compiled").backend == "compiled"


def test_a_debugger_sees_python(at_once: None) -> None:
    """`auto` leaves the members to it."""
    sys.settrace(lambda *_: None)
    try:
        result = solve(Stairs(end=60_000, door=10**6), "bfs")
    finally:
        sys.settrace(None)
    assert result.backend == "python"
    assert "a debugger, or what measures coverage, follows its Python" in result.engine_choice


def in_thread(call: Callable[[], Any]) -> Any:
    """Return what a function returns, called in another thread."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    thread.join()
    return found[0]


def test_a_process_with_several_threads() -> None:
    """A new process tries the machine code then."""
    result = in_thread(lambda: solve(Tiles(*NEAR), "bfs", backend="compiled"))
    assert (result.backend, result.cost) == ("compiled", 3)


def test_observers(at_once: None) -> None:
    """One that is called for each state keeps the search in Python; one for each slice sees the machine code."""
    seen = []
    limits = Limits(expansions=100_000)
    result = solve(Tiles(*START), "bfs", observers=[lambda search, state: None], limits=limits)
    assert result.backend == "python"

    @per_slice
    def note(search: Any, state: Any) -> None:
        seen.append(search.backend)

    assert solve(Stairs(end=600_000, door=10**7), "bfs", observers=[note]).backend == "compiled"
    assert seen[-1] == "compiled"


def test_a_view_by_hand_wins() -> None:
    """Nothing is translated then."""
    dungeon = pytest.importorskip("searchkit_dungeon")
    assert solve(dungeon.grid(["S..", "..G"]), "bfs", backend="compiled").engine_choice == ""


def test_members_of_this_module(at_once: None) -> None:
    """The source may be anywhere; a class within a function, too."""

    class Here(Stairs):
        def successors(self, state: Any) -> Iterator[Any]:  # type: ignore[override]
            yield 3, (state[0] + 3, 0)

    result = solve(Here(end=9_000), "bfs", backend="compiled")
    assert (result.backend, result.cost) == ("compiled", 3_000)
    assert student.__name__ == "tests.translate.student"


class Endless:
    """Has a state with endlessly many successors."""

    def initial_states(self) -> list[int]:
        return [0]

    def is_goal(self, state: int) -> bool:
        return False

    def successors(self, state: int) -> Iterator[tuple[int, int]]:
        while True:
            yield 0, state + 1


def test_endlessly_many_successors_are_refused() -> None:
    """The sample of a problem ends, also inside one expansion."""
    with pytest.raises(MissingCapabilityError, match="more than 4096 successors"):
        solve(Endless(), "bfs", backend="compiled")
