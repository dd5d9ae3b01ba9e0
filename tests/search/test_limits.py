"""Limits stop a search and lose nothing; a limit of 0 is a limit."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search, SearchProblem, Status, problem_from
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


@pytest.mark.parametrize(
    "wrong",
    [{"expansions": -1}, {"expansions": 1.5}, {"expansions": "9"}, {"seconds": -0.1}, {"memory": float("nan")},
     {"expansions": True}],
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
