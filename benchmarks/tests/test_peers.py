"""The comparison with other libraries: tiny tasks, theirs where they happen to be installed in this environment."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.kit.documents import document, keep
from benchmarks.pages import page
from benchmarks.peers import FOLDER, OURS, PEERS, module
from benchmarks.peers.command import CONTENDERS, judge
from benchmarks.peers.tables import Row
from benchmarks.peers.tasks import Task, tasks
from benchmarks.peers.worker import value
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
