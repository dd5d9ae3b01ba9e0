"""The comparison with other libraries: tiny tasks, theirs where they happen to be installed in this environment."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from benchmarks.kit.documents import document, keep
from benchmarks.pages import page
from benchmarks.peers import FOLDER, OURS, PEERS, environments, module, tables
from benchmarks.peers.arrays import grid_edges, length, length_of
from benchmarks.peers.command import CONTENDERS, compare, judge, main
from benchmarks.peers.process import Process
from benchmarks.peers.tables import Row
from benchmarks.peers.tasks import Task, tasks
from benchmarks.peers.worker import timed, value
from searchkit import available_engines

TASKS = {task.name: task for task in tasks(tiny=True)}
ANSWERS = {
    "field open": 16 * 32 * 32,  # 16 on average, along either axis
    "tiles medium": 3,
    "tiles hard": 3,
    "eight": 181_440,
}
"""Those known beforehand."""
LONG = pytest.mark.long
"""For the task whose kernel no test compiles otherwise: that takes seconds."""


def answer(contender: str, task: Task) -> float:
    """Return what a contender finds, in this process."""
    made = getattr(import_module(module(contender)), task.kind)(task.arrays)
    search, number = made if isinstance(made, tuple) else (made, value)
    return float(number(search()))


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=LONG) if name == "graph" else name for name in TASKS]
)
def test_every_library_that_is_here_finds_what_we_find(name: str) -> None:
    """Each library answers each task that it is for; ours is the answer known beforehand, where one is."""
    task = TASKS[name]
    ours = answer(OURS, task)
    assert ours == ANSWERS.get(name, ours)
    for peer in CONTENDERS[1:]:
        if peer.startswith(OURS) and peer.partition(" ")[2] not in available_engines():
            continue
        adapter = import_module(module(peer))
        if not all(find_spec(library.partition(".")[0]) for library in adapter.LIBRARIES):
            continue
        if hasattr(adapter, task.kind):
            assert answer(peer, task) == pytest.approx(ours), peer
        else:
            assert adapter.CANNOT


@pytest.mark.parametrize("peer", PEERS)
def test_every_list_of_requirements_has_an_adapter(peer: str) -> None:
    """… that says what it is for, and does some of the work."""
    adapter = import_module(module(peer))
    kinds = {task.kind for task in TASKS.values()}
    assert any(hasattr(adapter, kind) for kind in kinds)
    assert set(adapter.EASIER) <= kinds
    assert adapter.CANNOT or all(hasattr(adapter, kind) for kind in kinds)
    assert all("==" in line for line in (FOLDER / f"{peer}.txt").read_text().splitlines())


def test_a_contender_works_in_a_process_of_its_own(tmp_path: Path) -> None:
    """The whole way, with ours; who is not installed is a row, as is who is for something else."""
    rows = compare(TASKS["tiles medium"], (OURS, f"{OURS} jps", "nographs", "scipy"), tmp_path, rounds=2)
    ours, jps, nographs, scipy = rows
    assert (ours.problem, ours.value, len(ours.seconds)) == ("", 3, 2)
    assert ours.ratio is not None
    assert ours.ratio.median == 1
    assert jps.cannot == "grids with 8 moves"
    assert nographs.problem == "not installed"
    assert scipy.cannot
    drawn = tables.table("title", rows)
    assert drawn.row_count == 2
    assert (
        str(drawn.caption)
        == "searchkit jps: only grids with 8 moves; scipy: only graphs that are given whole"
    )


def test_a_contender_that_fails_says_so(tmp_path: Path) -> None:
    """An exception, a process that can't begin and one that takes too long are problems with a name."""
    file = tmp_path / "task.npz"
    np.savez(file, **TASKS["field open"].arrays)
    request = {"module": "benchmarks.nothing", "kind": "field", "file": str(file)}
    with Process(sys.executable, ours=True) as process:
        reply = process.ask(request, 60)
        assert reply == {"problem": "ModuleNotFoundError: No module named 'benchmarks.nothing'"}
    with Process(sys.executable, ours=True) as process:
        assert process.ask({**request, "module": module(OURS)}, 0) == {"problem": "over 0 s"}
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho first >&2\necho 'ImportError: no such library' >&2\nexit 1\n")
    broken.chmod(0o755)
    with Process(broken) as process:
        assert process.ask(request, 60) == {"problem": "ImportError: no such library"}


def test_an_environment_counts_as_long_as_its_requirements_are_the_same(tmp_path: Path) -> None:
    """A list that has been changed since is as good as not installed."""
    assert environments.python("scipy", tmp_path) is None
    home = tmp_path / "scipy"
    home.mkdir()
    (home / environments.STAMP).write_text(environments.requirements("scipy"))
    assert environments.python("scipy", tmp_path) is not None
    (home / environments.STAMP).write_text("scipy==0.1\n")
    assert environments.python("scipy", tmp_path) is None


def test_answers_are_judged_by_ours(tmp_path: Path) -> None:
    """Another value is wrong, but for rounding; ratios are taken round by round, and with building."""
    ours = Row("task", OURS, build=1.0, seconds=[1.0, 2.0], value=10.0)
    slow = Row("task", "scipy", build=3.0, seconds=[3.0, 10.0], value=10.0001, easier="no path")
    wrong = Row("task", "igraph", seconds=[1.0], value=11.0)
    absent = Row("task", "networkit", problem="not installed")
    judge([ours, slow, wrong, absent])
    assert slow.ratio is not None
    assert (slow.ratio.median, slow.ratio_with_building) == (4, (3 + 6.5) / (1 + 1.5))
    assert wrong.problem == "wrong: 11, not 10"
    keep(
        "peers",
        document([ours, slow, wrong, absent], titles={"task": "A title"}, libraries={"scipy": "scipy==1.0"}),
        tmp_path,
    )
    shown = page.SECTIONS["peers"](tmp_path)
    assert (
        "| A title | **4.00** scipy \\* | 1,500 | 4.00 (3.80) \\* | wrong: 11, not 10 | not installed |"
        in shown
    )
    assert "Libraries: scipy 1.0." in shown
    assert "scipy: no path" in shown


def test_an_unknown_task_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names those there are."""
    with pytest.raises(SystemExit) as ended:
        main(["--only", "nothing"])
    assert ended.value.code == 2
    assert "--only nothing: there are the tasks 'field open', 'field maze', " in capsys.readouterr().err


def test_maps_become_graphs() -> None:
    """Steps go both ways, diagonals only past two free cells; lengths of paths are sums of 1 and √2."""
    ground = np.array([[1, 1, 0], [1, 1, 1]], np.uint8)
    edges = {(tail, head): step for tail, head, step in zip(*grid_edges(ground, 8), strict=True)}
    assert edges.keys() == {(head, tail) for tail, head in edges}
    assert {pair for pair, step in edges.items() if step > 1} == {(0, 4), (4, 0), (1, 3), (3, 1)}
    assert len(grid_edges(ground, 4)[0]) == 10
    assert length_of([0, 4, 5], 3) == length([0, 1, 2], [0, 1, 1]) == pytest.approx(2.414, abs=1e-3)
    assert length([5], [5]) == 0


def test_values_are_sums_of_what_can_be_reached() -> None:
    """An infinite distance, and the largest number that some libraries give, count for nothing."""
    assert value(np.array([1.0, np.inf, 2.0, 1.7e308])) == 3
    assert value(4) == 4
    found, seconds = timed(lambda: 5)
    assert found == 5
    assert seconds >= 0
