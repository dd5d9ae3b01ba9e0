"""`auto` begins in Python, and begins again as machine code if the search is long: nothing but the time shows it."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from searchkit import Limits, Result, Search, Status, solve
from searchkit.compiled.cache import NotCompiledError, Request
from searchkit.errors import MissingExtraError
from searchkit.search import auto, backend
from searchkit_dungeon import Grid, Terrain
from tests.helpers import compile_now

OPEN = Grid(Terrain([b"\1" * 120] * 120), [(0, 0)], [(119, 119)])
IMPORT = backend.import_kernel


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile what these tests use."""
    for engine in ("bfs", "astar"):
        compile_now(OPEN, engine)


@pytest.fixture(autouse=True)
def restarting_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make searches begin again as soon as they may."""
    monkeypatch.setattr(auto, "COLD_SECONDS", 0.0)
    monkeypatch.setattr(auto, "WARM_SECONDS", 0.0)


def answer(result: Result[Any, Any]) -> tuple[Any, ...]:
    """Return what does not depend on the backend."""
    counters = result.statistics.expanded, result.statistics.generated
    return result.status, result.solution, result.lower_bound, result.cutoff, result.warnings, counters


@pytest.mark.parametrize("engine", ["bfs", "astar"])
def test_a_search_that_begins_again_ends_as_if_it_had_not(engine: str) -> None:
    """The same status, path, cost, bound and counters, in Python, as machine code, and with both."""
    found = solve(OPEN, engine)
    assert found.backend == "compiled"
    for other in ("python", "compiled"):
        assert answer(found) == answer(solve(OPEN, engine, backend=other))


@pytest.mark.parametrize("expansions", [700, 3_000, 9_999])
def test_a_limit_of_expansions_stays_exact(expansions: int) -> None:
    """It counts those of the kernel; a resumed search gives the same answer."""
    search = Search(OPEN, "bfs")
    cut = search.run(Limits(expansions=expansions))
    assert cut.statistics.expanded == expansions
    assert answer(cut) == answer(solve(OPEN, "bfs", backend="python", limits=Limits(expansions=expansions)))
    assert answer(search.run()) == answer(solve(OPEN, "bfs", backend="python"))


def test_a_search_that_was_paused_in_python_stays_there() -> None:
    """So does one that is iterated, or watched at each state, or whose tree was read."""
    paused, iterated, read = (Search(OPEN, "bfs") for _ in range(3))
    paused.run(Limits(expansions=5))
    next(iterated)
    assert read.tree.expanded == 0
    for search in (paused, iterated, read):
        assert search.run().backend == "python"
    assert solve(OPEN, "bfs", observers=[lambda search, state: None]).backend == "python"


class Stub:
    """A compiler in another process, as a search sees it: it is ready after so many looks, or fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, looks: float, failure: str = ""):
        self.looks, self.failure, self.asked = looks, failure, 0
        monkeypatch.setattr(backend, "compiler", self)
        monkeypatch.setattr(backend, "_made", {})

        def not_yet(*arguments: Any) -> Any:
            if self.looks > 0:
                raise NotCompiledError(Request("somewhere", "something", b"", Path("there")))
            return IMPORT(*arguments)

        monkeypatch.setattr(backend, "import_kernel", not_yet)

    def wait(self, request: Request, seconds: float) -> bool:
        """Return whether it is compiled."""
        self.asked += 1
        self.looks -= 1
        if self.failure:
            raise MissingExtraError(self.failure)
        sleep(seconds)
        return self.looks <= 0


def test_python_continues_while_another_process_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that ends earlier is not delayed; one that does not becomes machine code, with the same answer."""
    expected = answer(solve(OPEN, "bfs", backend="python"))
    stub = Stub(monkeypatch, looks=float("inf"))
    result = solve(OPEN, "bfs")
    assert stub.asked > 0
    assert (result.backend, answer(result)) == ("python", expected)
    Stub(monkeypatch, looks=1)
    assert answer(solve(OPEN, "bfs")) == expected


def test_limits_and_interruptions_hold_while_machine_code_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost: the search continues from there when it is resumed."""
    stub = Stub(monkeypatch, looks=float("inf"))
    search = Search(OPEN, "astar", backend="compiled")
    assert search.run(Limits(seconds=0.05)).cutoff == "the limit of 0.05 seconds"
    search.interrupt()
    assert search.run().cutoff == "an interruption"
    assert search.run(Limits(memory=1)).cutoff == "the limit of 1 MB of memory"
    assert search.statistics.expanded == 0
    stub.looks = 0
    assert answer(search.run()) == answer(solve(OPEN, "astar", backend="python"))


def test_limits_hold_while_numba_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread does the import, which can't be interrupted; the search checks its limits meanwhile."""
    go_on = threading.Event()
    monkeypatch.setattr(backend, "_made", {})
    monkeypatch.setattr(backend, "import_kernel", lambda spec: go_on.wait() and IMPORT(spec))
    search = Search(OPEN, "bfs", backend="compiled")
    result = search.run(Limits(seconds=0.05))
    assert result.cutoff == "the limit of 0.05 seconds"
    go_on.set()
    assert answer(search.run()) == answer(solve(OPEN, "bfs", backend="python"))


@pytest.mark.parametrize(
    "error", [MemoryError(), OSError("no space"), SystemError("bad"), AttributeError("gone")]
)
def test_whatever_fails_python_continues(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """There is one warning."""

    def fail(*arguments: Any) -> Any:
        raise error

    monkeypatch.setattr(backend, "_made", {})
    monkeypatch.setattr(backend, "import_module", fail)
    result = solve(OPEN, "bfs")
    assert (result.status, result.backend) == (Status.SOLVED, "python")
    assert len(result.warnings) == 1
    assert type(error).__name__ in result.warnings[0]
    with pytest.raises(MissingExtraError, match=type(error).__name__):
        solve(OPEN, "bfs", backend="compiled")


SOLVE = """
import sys
{before}
from searchkit.search import auto
from searchkit import solve
from searchkit.errors import SearchkitError
auto.COLD_SECONDS = auto.WARM_SECONDS = 0.0
from searchkit_dungeon import Terrain, Grid
grid = Grid(Terrain([b"\\1" * 350] * 350), [(0, 0)], [(349, 349)])
for _ in range(2):
    result = solve(grid, "bfs")
    print(result.cost, result.backend, *result.warnings)
try:
    solve(grid, "bfs", backend="compiled")
except SearchkitError as error:
    print(type(error).__name__, error)
"""


def lines_of(folder: Path, before: str = "") -> list[str]:
    """Solve twice, and once as machine code, in another process; return its output."""
    done = subprocess.run(
        [sys.executable, "-c", SOLVE.format(before=before)],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "error",
    [
        "ImportError('no LLVM')",
        "AttributeError('np.bool8')",
        "SystemExit(1)",
    ],
)
def test_a_broken_numba_keeps_searches_in_python(tmp_path: Path, error: str) -> None:
    """`auto` warns in each result; a search that requires machine code gets an error with advice."""
    (tmp_path / "numba.py").write_text(f"raise {error}")
    printed = lines_of(tmp_path)
    name = error.partition("(")[0]
    for line in printed[:2]:
        assert line.startswith("698 python the search stayed in Python: machine code can't be used")
        assert name in line
    assert printed[2].startswith("MissingExtraError machine code can't be used: importing Numba failed")
    assert "pip install --force-reinstall numba; or use backend='python'" in printed[2]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="addresses are not counted here")
def test_a_limit_of_addresses_keeps_searches_in_python(tmp_path: Path) -> None:
    """LLVM would end the process if there is no room for its code (`ulimit -v`)."""
    before = "import resource; resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))"
    printed = lines_of(tmp_path, before)
    for line in printed[:2]:
        assert line.startswith(
            "698 python the search stayed in Python: machine code needs 1500 MB of addresses"
        )
    assert "raise it (ulimit -v), or use backend='python'" in printed[2]
