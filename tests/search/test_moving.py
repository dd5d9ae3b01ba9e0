"""A search moves to machine code at any moment; if that fails, it continues in Python."""

import itertools
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from searchkit import Limits, Search, Status, solve
from searchkit.basics.discarding import PIECE, discard
from searchkit.compiled.cache import NotCompiledError, Request
from searchkit.search import auto as backends
from searchkit.search import background, preparation
from searchkit.search.background import FAILED, THERE, UNDER_WAY
from searchkit_dungeon import Terrain, make_grid
from tests.helpers import compile_now
from tests.without_numba import with_numba

pytestmark = with_numba

OPEN = make_grid(Terrain([b"\1" * 60] * 60), [(0, 0)], [(59, 59)])
MADE = backends.compiled_run


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile what these tests use."""
    for engine in ("bfs", "astar"):
        compile_now(OPEN, engine)


@pytest.fixture(autouse=True)
def moving_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make searches move as soon as they may."""
    monkeypatch.setattr(backends, "COLD_SECONDS", 0.0)
    monkeypatch.setattr(backends, "WARM_SECONDS", 0.0)
    monkeypatch.setattr(backends, "MOVE_AFTER", 50)
    monkeypatch.setattr("searchkit.search.driver.COMPILE_AFTER", 0.0)
    monkeypatch.setattr(preparation, "facts", preparation.ProcessFacts())


class Stub:
    """A compiler in another process, as a search sees it: it reports these states, the last one repeatedly."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *states: str):
        self.states, self.failures = list(states), {Path("there"): "a test forbids it"}
        self.calls = 0
        monkeypatch.setattr(background, "compiler", self)

        def not_yet(*arguments: Any) -> Any:
            if self.states[0] != THERE:
                raise NotCompiledError(Request("somewhere", "something", b"", Path("there")))
            return MADE(*arguments)

        monkeypatch.setattr(preparation, "compiled_run", not_yet)

    def state(self, request: Request) -> str:
        """Return the present state."""
        self.calls += 1
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]


def test_a_search_that_others_hold_up_does_not_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """CPU time decides: on a busy machine, a short search takes long, and still need not move."""
    wall = itertools.count(step=10.0)
    monkeypatch.setattr("searchkit.search.driver.LONG_SLICE", 0)
    monkeypatch.setattr("searchkit.search.driver.perf_counter", lambda: next(wall))
    monkeypatch.setattr("searchkit.search.driver.thread_time", lambda: 7.0)
    monkeypatch.setattr(backends, "COLD_SECONDS", 1e-6)
    monkeypatch.setattr(backends, "WARM_SECONDS", 1e-6)
    assert solve(OPEN, "bfs").backend == "python"
    monkeypatch.setattr("searchkit.search.driver.thread_time", lambda: next(wall))
    assert solve(OPEN, "bfs").backend == "compiled"


def test_an_engine_without_machine_code_stays_in_python() -> None:
    """It does not mark Numba as broken, which would keep all later searches in Python as well."""
    searching = Search(OPEN, "iddfs")
    searching.run(Limits(expansions=10))
    searching.move()
    assert (searching.backend, searching.notices) == ("python", [])
    moved = Search(OPEN, "bfs")
    moved.move()
    assert moved.backend == "compiled"


def test_python_goes_on_while_another_process_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that ends earlier is not delayed; one that does not moves to machine code, with the same result."""
    whole = solve(OPEN, "bfs", backend="python")
    stub = Stub(monkeypatch, UNDER_WAY)
    result = solve(OPEN, "bfs")
    assert (result.backend, result.warnings) == ("python", ())
    assert stub.calls > 0
    assert result.solution == whole.solution
    Stub(monkeypatch, UNDER_WAY, THERE)
    search = Search(OPEN, "bfs")
    while search.backend == "python":
        assert search.run(Limits(expansions=1)).status is Status.CUTOFF
    result = search.run()
    assert result.solution == whole.solution
    assert result.statistics.expanded == whole.statistics.expanded
    assert result.statistics.generated == whole.statistics.generated


def test_limits_and_interruptions_hold_while_machine_code_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost: the search continues from there when it is resumed."""
    stub = Stub(monkeypatch, UNDER_WAY)
    search = Search(OPEN, "astar", backend="compiled")
    result = search.run(Limits(seconds=0.0))
    assert (result.status, result.cutoff) == (Status.CUTOFF, "the limit of 0.0 seconds")
    search.interrupt()
    assert search.run().cutoff == "an interruption"
    assert search.run(Limits(memory=1)).cutoff == "the limit of 1 MB of memory"
    assert search.statistics.expanded == 0
    stub.states = [THERE]
    assert search.run().solution == solve(OPEN, "astar", backend="python").solution


def test_limits_hold_while_numba_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread does the import, which can't be interrupted; the search checks its limits meanwhile."""
    go_on = threading.Event()
    monkeypatch.setattr(preparation, "import_kernels", lambda spec: go_on.wait())
    search = Search(OPEN, "bfs")
    result = search.run(Limits(seconds=0.05))
    assert result.cutoff == "the limit of 0.05 seconds"
    go_on.set()
    assert search.run().solution == solve(OPEN, "bfs", backend="python").solution


def test_where_nothing_else_can_compile_this_process_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a search that requires machine code; another one stays in Python and gives the reason."""
    compiled = []
    Stub(monkeypatch, FAILED)
    result = solve(OPEN, "bfs")
    assert (result.backend, result.warnings) == (
        "python",
        ("the search stayed in Python: a test forbids it",),
    )
    stub = Stub(monkeypatch, FAILED)

    def compile_here(request: Request) -> None:
        compiled.append(request.name)
        stub.states = [THERE]

    monkeypatch.setattr(background, "compile_here", compile_here)
    assert solve(OPEN, "bfs", backend="compiled").solution == result.solution
    assert compiled == ["something"]


def test_a_view_of_another_problem_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search never continues from a state that it has not reached."""

    class Other(type(OPEN)):  # type: ignore[misc]
        def compiled(self) -> Any:
            rows = [b"\1\1\1\0" + b"\1" * 56] * 59
            return make_grid(Terrain([*rows, b"\1" * 60]), [(0, 0)], [(59, 59)]).compiled()

    other = Other(OPEN.terrain, OPEN.starts, OPEN.goals)
    result = solve(other, "bfs")
    assert result.solution == solve(OPEN, "bfs", backend="python").solution
    assert result.backend == "python"
    assert "the compiled view of Other does not expand the same states" in result.warnings[0]


@pytest.mark.parametrize(
    "error", [MemoryError(), OSError("no space"), SystemError("bad"), AttributeError("gone")]
)
def test_whatever_fails_python_goes_on(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """There is one warning."""

    def fail(*arguments: Any) -> Any:
        raise error

    monkeypatch.setattr(preparation, "compiled_run", fail)
    result = solve(OPEN, "bfs")
    assert (result.status, result.backend) == (Status.SOLVED, "python")
    assert len(result.warnings) == 1
    assert type(error).__name__ in result.warnings[0]
    with pytest.raises(type(error)):
        solve(OPEN, "bfs", backend="compiled")


def test_what_the_process_has_learned_can_be_forgotten() -> None:
    """A Numba that is known to be broken is tried again; warnings are logged again."""
    preparation.facts.broken = "a test forbids it"
    stayed = solve(OPEN, "bfs")
    assert (stayed.backend, stayed.warnings) == (
        "python",
        ("the search stayed in Python: a test forbids it",),
    )
    assert preparation.facts.warnings == set(stayed.warnings)
    preparation.reset()
    assert preparation.facts == preparation.ProcessFacts()
    moved = solve(OPEN, "bfs")
    assert (moved.backend, moved.warnings) == ("compiled", ())


def test_where_no_thread_can_be_started_the_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search does the work in its own thread."""

    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    assert solve(OPEN, "bfs").solution == solve(OPEN, "bfs", backend="python").solution


SOLVE = """
import sys
{before}
from searchkit.search import auto as backends
from searchkit import solve
from searchkit.errors import SearchkitError
backends.COLD_SECONDS = backends.WARM_SECONDS = 0.0
from searchkit_dungeon import Terrain, make_grid
grid = make_grid(Terrain([b"\\1" * 60] * 60), [(0, 0)], [(59, 59)])
for _ in range(2):
    result = solve(grid, "bfs")
    print(result.cost, result.backend, *result.warnings)
try:
    solve(grid, "bfs", backend="compiled")
except SearchkitError as error:
    print(type(error).__name__, error)
"""


def lines_of(folder: Path, before: str = "") -> tuple[list[str], str]:
    """Solve twice, and once as machine code, in another process; return its output and its log."""
    done = subprocess.run(
        [sys.executable, "-c", SOLVE.format(before=before)],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines(), done.stderr


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "error",
    [
        "ImportError('no LLVM')",
        "AttributeError('np.bool8')",
        "SystemError('initialization')",
        "SystemExit(1)",
    ],
)
def test_a_broken_numba_keeps_searches_in_python(tmp_path: Path, error: str) -> None:
    """`auto` warns in each result and logs it once; a search that requires machine code gets an error with advice."""
    (tmp_path / "numba.py").write_text(f"raise {error}")
    printed, logged = lines_of(tmp_path)
    name = error.partition("(")[0]
    for line in printed[:2]:
        assert line.startswith("118 python the search stayed in Python: machine code can't be used")
        assert name in line
    assert printed[2].startswith("MissingExtraError machine code can't be used: importing Numba failed")
    assert "pip install --force-reinstall numba; or use backend='python'" in printed[2]
    assert logged.count("stayed in Python") == 1


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="addresses are not counted here")
def test_a_limit_of_addresses_keeps_searches_in_python(tmp_path: Path) -> None:
    """LLVM would end the process if there is no room for its code (`ulimit -v`)."""
    before = "import resource; resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))"
    printed, _ = lines_of(tmp_path, before)
    for line in printed[:2]:
        assert line.startswith(
            "118 python the search stayed in Python: machine code needs 1500 MB of addresses"
        )
    assert "raise it (ulimit -v), or use backend='python'" in printed[2]


def test_containers_are_taken_apart_unless_somebody_holds_them() -> None:
    """A piece at a time; what an observer has kept is not changed."""
    held = {number: (number,) for number in range(10)}
    assert sum(1 for _ in discard([dict.fromkeys(range(2 * PIECE + 1)), list(range(PIECE)), held, None])) == 5
    assert len(held) == 10


def test_the_end_of_the_program_is_not_taken_for_a_broken_numba(tmp_path: Path) -> None:
    """A thread that imports Numba when the program ends does not go on in Python instead."""
    (tmp_path / "numba.py").write_text("from searchkit.compiled import Leaving; raise Leaving")
    code = (
        "from searchkit.compiled import Leaving, is_usable\n"
        "from searchkit.plugin.registry import registry\n"
        "from searchkit.search.preparation import import_kernels\n"
        "for call in (is_usable, lambda: import_kernels(registry().engine('astar'))):\n"
        "    try: call()\n"
        "    except Leaving: print('leaving')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("leaving\nleaving\n", "")


def test_a_broken_numba_does_not_end_what_is_worked_out_beforehand(tmp_path: Path) -> None:
    """Pattern databases and jump tables are made in Python then."""
    (tmp_path / "numba.py").write_text("raise AttributeError('np.bool8')")
    code = (
        "from searchkit_tiles.heuristics import patterns; patterns.KEPT_FROM = 0\n"
        "from searchkit_dungeon import Terrain\n"
        "from searchkit_dungeon.jumps import making; making.LARGE = 0\n"
        "making.make(Terrain([b'\\1' * 4] * 4), 'no')\n"
        "from searchkit_tiles import tiles; from searchkit import solve\n"
        "print(solve(tiles('1 2 0\\n3 4 5\\n6 7 8', heuristic='pattern-database'), 'astar', backend='python').cost)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("importing Numba failed") == 1


ENDED_IN_A_CALLBACK = """
import ctypes, threading, time
from searchkit.search import background

entered = threading.Event()

@ctypes.CFUNCTYPE(None)
def called_by_c():
    entered.set()
    while True:
        time.sleep(0.001)

thread = threading.Thread(target=called_by_c, daemon=True)
background._threads.add(thread)
thread.start()
entered.wait()
background._leave()
thread.join(30)
print(thread.is_alive())
"""


def test_a_thread_that_is_ended_in_a_function_called_by_c_prints_no_traceback() -> None:
    """LLVM calls functions of Numba in this way, and Ctrl-C may come while machine code is loaded."""
    done = subprocess.run(
        [sys.executable, "-c", ENDED_IN_A_CALLBACK], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_a_search_does_not_move_if_its_limit_leaves_too_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its run ends before moving could pay, and the next run may move."""
    monkeypatch.setattr(backends, "WARM_SECONDS", 1e-9)
    monkeypatch.setattr(backends, "COLD_SECONDS", 1e-9)
    monkeypatch.setattr(backends, "LEFT", 1e30)
    search = Search(OPEN, "bfs")
    assert search.run(Limits(expansions=1_000)).backend == "python"
    assert search.run().backend == "compiled"


def test_what_is_left_is_compared_with_what_moving_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of 1,000 expansions in a second, which costs as much as moving: it needs two more seconds of work."""
    monkeypatch.setattr(backends, "WARM_SECONDS", 1.0)
    monkeypatch.setattr(backends, "COLD_SECONDS", 1.0)
    spec = backends.engine_spec("bfs")
    assert backends.moving_pays(spec, 1_000, 1.0)
    assert backends.moving_pays(spec, 1_000, 1.0, 2_000)
    assert not backends.moving_pays(spec, 1_000, 1.0, 1_999)
    assert not backends.moving_pays(spec, 1_000, 0.9)
