"""Limits stop a search and lose nothing; a limit of 0 is a limit."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search, SearchProblem, Status, problem_from, solve
from searchkit.errors import InvalidLimitError, SearchkitError


def line(goal: int, heuristic: bool = False) -> SearchProblem[int, str]:
    """Return a line that is infinite in both directions, with a goal on it."""
    return problem_from(
        [0],
        lambda x: [("left", x - 1), ("right", x + 1)],
        lambda x: x == goal,
        heuristic=(lambda x: abs(goal - x)) if heuristic else None,
    )


@pytest.mark.parametrize("wanted", [0, 1, 2, np.int64(17), 5000])
def test_an_expansion_limit_is_kept_exactly(wanted: int) -> None:
    """In each run, exactly that many states are expanded."""
    search = Search(line(10**9), "bfs")
    for runs in (1, 2):
        result = search.run(Limits(expansions=wanted))
        assert result.status is Status.CUTOFF
        assert result.statistics.expanded == runs * wanted
        assert str(wanted) in result.cutoff


def test_a_search_that_is_running_is_not_run_again() -> None:
    """Another thread that did so ended the limits of the run, and two threads wrote into one kernel's memory."""
    told: list[str] = []

    def successors(state: int) -> list[tuple[str, int]]:
        if state == 3 and not told:
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
        return [("next", state + 1)]

    def run() -> None:
        with pytest.raises(SearchkitError, match="running already; another thread needs a search") as error:
            search.run()
        told.append(str(error.value))

    search = Search(problem_from([0], successors, lambda state: False), "bfs")
    assert search.run(Limits(expansions=9)).statistics.expanded == 9
    assert len(told) == 1
    assert search.run(Limits(expansions=9)).statistics.expanded == 18


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "astar", "bucket", "idastar", "iddfs", "zero_one"])
def test_a_cost_limit(engine: str) -> None:
    """A solution within the limit is found; otherwise the search stops when every path is known to cost more."""
    problem = line(6, heuristic=True)
    assert solve(problem, engine, limits=Limits(cost=6)).cost == 6
    search = Search(problem, engine)
    result = search.run(Limits(cost=5))
    assert result.status is Status.CUTOFF
    assert result.solution is None
    assert 5 < result.lower_bound <= 6
    assert "cost" in result.cutoff
    assert search.resume().cost == 6


def test_a_cost_limit_holds_for_engines_without_a_bound() -> None:
    """A path that costs more than allowed is not a solution, but is kept as the partial path."""
    loop = problem_from([0], lambda x: [("round", x + 1), ("hop", 3)][: 2 if x == 0 else 1], lambda x: x == 3)
    result = solve(loop, "dfs", limits=Limits(cost=2))
    assert result.status is Status.CUTOFF
    assert result.partial is not None
    assert result.partial.cost == 3
    assert result.partial.goal == 3


@pytest.mark.parametrize(
    "wrong",
    [{"expansions": -1}, {"expansions": 1.5}, {"expansions": "9"}, {"seconds": -0.1}, {"memory": float("nan")},
     {"cost": "x"}, {"expansions": True}],
)  # fmt: skip
def test_wrong_limits(wrong: dict[str, Any]) -> None:
    """The message names the limit, the value and what was expected."""
    ((name, value),) = wrong.items()
    with pytest.raises(InvalidLimitError, match=f"{name}={value!r}: expected a .*number ≥ 0"):
        Limits(**wrong)


COUNTING = """
import resource
from searchkit import Limits, Search, problem_from
problem = problem_from([0], lambda n: [("next", n + 1), ("far", n + 10**6)], lambda n: False)
search = Search(problem, "bfs", backend="python")
search.run(Limits(expansions=1))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 80_000_000, -1))
result = search.resume()
print(result.status.name, result.cutoff)
search.save("saved.search")
before = result.statistics.expanded
print(search.resume(Limits(expansions=10)).statistics.expanded - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="addresses are not counted here")
def test_a_search_ends_before_the_memory_of_its_process_is_used_up(tmp_path: Path) -> None:
    """There is some left to save it, and to continue."""
    command = [sys.executable, "-c", COUNTING]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    cutoff, more = done.stdout.splitlines()
    assert cutoff.startswith("CUTOFF the memory that this process may take (ulimit -v); --max-memory ends")
    assert more == "10"
    assert (tmp_path / "saved.search").stat().st_size > 1_000_000
