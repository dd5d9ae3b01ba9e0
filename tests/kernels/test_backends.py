"""The choice of the backend, and its errors."""

import os
import subprocess
import sys
from pathlib import Path
from random import random
from typing import Any

import pytest

from searchkit import Limits, Search, Status, available_engines, problem_from, solve
from searchkit.compiled.kit import records as kit_records
from searchkit.compiled.view import CSR, CompiledProblem
from searchkit.errors import InvalidProblemError, MissingCapabilityError, MissingExtraError, UnknownNameError
from searchkit.plugin import has_heuristic
from searchkit.search import auto as backends
from searchkit.testing import digraph
from searchkit_dungeon import Grid, Terrain
from tests.kernels.views import compilable, view_of

OPEN = Grid(Terrain([b"\1" * 60] * 60), [(0, 0)], [(59, 59)])
LINE = problem_from([0], lambda x: [("+", x + 1)], lambda x: x == 5)


def test_observers_keep_a_search_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """An observer of each expansion sees each; if machine code is required, it stops at each expansion too."""
    monkeypatch.setattr(backends, "WARM_SECONDS", 0.0)
    monkeypatch.setattr(backends, "COLD_SECONDS", 0.0)
    seen: dict[str, list[Any]] = {"auto": [], "compiled": []}
    for backend, states in seen.items():
        result = solve(
            OPEN, "bfs", backend=backend, observers=[lambda search, state, to=states: to.append(state)]
        )
        assert result.backend == ("compiled" if backend == "compiled" else "python")
        assert len(states) == result.statistics.expanded
    assert seen["auto"] == seen["compiled"]


def test_errors_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine or a problem without a compiled form, an unknown backend, and a missing Numba."""
    with pytest.raises(MissingCapabilityError, match="'dfs' has no compiled form; use backend='python'"):
        solve(OPEN, "dfs", backend="compiled")
    with pytest.raises(MissingCapabilityError, match=r"has no compiled\(\), and can't be .*backend='python'"):
        solve(problem_from([0], lambda x: [(0, int(random()))], lambda x: False), "bfs", backend="compiled")
    with pytest.raises(UnknownNameError, match="no backend 'fast'; there are auto, python, compiled"):
        solve(OPEN, "bfs", backend="fast")
    monkeypatch.setattr(backends, "numba_found", lambda: False)
    with pytest.raises(MissingExtraError, match=r"pip install 'statespace-searchkit\[fast\]'"):
        solve(OPEN, "bfs", backend="compiled")
    with pytest.raises(
        MissingExtraError, match=r"'external_bfs' as machine code needs numpy and Numba; install .*\[fast\]"
    ):
        solve(OPEN, "external_bfs", directory="somewhere")
    assert solve(OPEN, "bfs").backend == "python"


def test_without_numba_nothing_else_is_missed(tmp_path: Path) -> None:
    """Where Numba can't be imported, `auto` stays in Python and the command line says what to install."""
    (tmp_path / "numba.py").write_text("raise ImportError('not here')")
    code = (
        "from searchkit import solve\nfrom searchkit.search import auto as backends\n"
        "backends.COLD_SECONDS = backends.WARM_SECONDS = 0.0\n"
        "from searchkit_dungeon import Terrain, Grid\n"
        "print(solve(Grid(Terrain([b'\\1' * 60] * 60), [(0, 0)], [(59, 59)]), 'bfs').backend)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "python\n"


def test_bad_costs_and_estimates_are_named() -> None:
    """A compiled view with a negative cost or a NaN is an error that names the state; nothing is lost."""
    graph = digraph("0 -1→ 1, 1 -1→ 2", [0], [2], {0: 0})

    class Negative(type(graph)):  # type: ignore[misc]
        def compiled(self) -> CompiledProblem:
            return CompiledProblem(CSR([0, 1, 2, 2], [1, 2], [1.0, -1.0]), int, int, goals=[2])

    problem = Negative(graph.edges, graph.starts, graph.goals, graph.table)
    search = Search(problem, "dijkstra", backend="compiled")
    with pytest.raises(
        InvalidProblemError, match=r"compiled view .* has a cost at 2 .* the problem itself has not"
    ):
        search.run()
    assert search.tree.expanded == 1
    assert search.next_state == 1

    estimated = compilable(digraph("0 -1→ 1, 1 -1→ 2", [0], [2], {1: float("nan")}), "rows")
    with pytest.raises(InvalidProblemError, match=r"heuristic\(1\) is nan; expected a number ≥ 0"):
        solve(estimated, "astar", backend="compiled")


def test_members_that_raise_while_a_kernel_is_made_are_named() -> None:
    """So are views that can't be made; the search can be resumed once the member is corrected."""
    graph = compilable(digraph("0 -1→ 1, 1 -1→ 2", [0], [2], dict.fromkeys(range(3), 0)), "rows")
    failing: list[str] = []

    class Failing:
        def __getattr__(self, member: str) -> Any:
            def called(*state: Any) -> Any:
                if member in failing:
                    raise ZeroDivisionError(member)
                return getattr(graph, member)(*state)

            return called

    search: Search[Any, Any] = Search(Failing(), "astar", backend="compiled")  # type: ignore[arg-type]
    for member in ("initial_states", "heuristic", "compiled"):
        failing[:] = [member]
        expected = rf"raised ZeroDivisionError: {member}, while the search was starting"
        with pytest.raises(InvalidProblemError, match=expected):
            search.run()
    failing.clear()
    assert search.run().cost == 2


def test_memory_that_runs_out_is_a_cutoff(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an array can't grow, the search is cut off with nothing lost, and continues when it can."""
    chain = ", ".join(f"{node} -1→ {node + 1}" for node in range(6_000))
    graph = compilable(digraph(chain, [0], [6_000], dict.fromkeys(range(6_001), 0)), "functions")
    monkeypatch.setattr(kit_records, "MANY", 0)  # so they grow little by little
    search = Search(graph, "astar", backend="compiled")
    search.run(Limits(expansions=1))
    records = search.tree.reached
    grow = type(records).grow

    def no_memory(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(type(records), "grow", no_memory)
    result = search.run()
    assert result.status is Status.CUTOFF
    assert result.cutoff == "the memory of this machine"
    assert search.next_state == search.tree.expanded
    assert 0 < result.lower_bound < 6_000
    monkeypatch.setattr(type(records), "grow", grow)
    assert search.run().cost == 6_000


def test_what_a_kernel_calls_may_change(tmp_path: Path) -> None:
    """A plugin's kernel is compiled again when a function changes that it calls from another file of its folder."""
    (tmp_path / "caller.py").write_text(
        "from called import more\nfrom searchkit.compiled.functions import kernel\n\n"
        "@kernel\ndef twice(number):\n    return more(more(number))\n"
    )
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(tmp_path),
        "NUMBA_CACHE_DIR": "",
        "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]),
    }
    printed = []
    for step in (1, 10):
        (tmp_path / "called.py").write_text(
            "from searchkit.compiled.functions import compiled_function\n\n"
            f"@compiled_function\ndef more(number):\n    return number + {step}\n"
        )
        done = subprocess.run(
            [sys.executable, "-B", "-c", "from caller import twice; print(twice(5))"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(done.stdout)
    assert printed == ["7\n", "25\n"]


def test_every_kernel_that_is_named_exists() -> None:
    """`EngineSpec.kernel` names a class that can be imported."""
    graph = compilable(digraph("0 -1→ 1, 1 -1→ 2", [0], [2], {0: 2, 1: 1, 2: 0}), "rows")
    assert has_heuristic(graph)
    for spec in available_engines().values():
        if spec.kernel and not spec.requires:
            assert solve(graph, spec, backend="compiled", limits=Limits(expansions=1)).backend == "compiled"


def test_what_is_no_state_was_not_reached() -> None:
    """A cell off the map is not in the tree, though its number is that of another cell."""
    search = Search(OPEN, "bfs", backend="compiled")
    search.run()
    assert (5, 3) in search.tree.reached
    for cell in ((-5, 3), (66, 2), (5, -1), (5, 600), "text", None):
        assert cell not in search.tree.reached


@pytest.mark.parametrize("name", ["bucket", "greedy", "idastar"])
def test_a_view_without_the_heuristic_is_refused(name: str) -> None:
    """If machine code is required, that is an error; `auto` stays in Python."""
    graph = digraph("0 -1→ 1", [0], [1], {0: 1})
    problem = view_of(graph, CompiledProblem(CSR([0, 1, 1], [1], [1.0]), int, int, goals=[1]))
    with pytest.raises(MissingCapabilityError, match="has no heuristic; use backend='python'"):
        solve(problem, name, backend="compiled")
    assert solve(problem, name).backend == "python"


def test_costs_that_only_the_view_has_are_its_own_fault() -> None:
    """The error of `zero_one` does not blame the problem for them."""
    graph = digraph("0 -1→ 1, 1 -1→ 2", [0], [2])
    view = CompiledProblem(CSR([0, 1, 2, 2], [1, 2], [1.0, 3.0]), int, int, goals=[2])
    with pytest.raises(InvalidProblemError, match=r"compiled view .* a cost at 2 that is neither 0 nor 1"):
        solve(view_of(graph, view), "zero_one", backend="compiled")
