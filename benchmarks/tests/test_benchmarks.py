"""The benchmarks: each command has help, contenders agree on tiny tasks, and the pages say what was measured."""

import shutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks import data, limit, pages, robots
from benchmarks.__main__ import COMMANDS, main
from benchmarks.contenders import Row, compare, judge
from benchmarks.peers.command import CONTENDERS, FOLDER, PEERS, tasks
from benchmarks.python import command as python
from benchmarks.python.problems import WORKLOADS
from benchmarks.worker import value
from searchkit.errors import MissingCapabilityError

TASKS = {task.name: task for task in tasks(tiny=True)}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`COMMAND --help` says what it measures, and is called as it was; another word is an error."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: python -m benchmarks {command} ")
    assert len(shown.split("\n\n")[1]) > 20  # a description
    assert main([f"{command}s"]) == 2


@pytest.mark.parametrize("file", pages.PAGES, ids=lambda file: file.name)
def test_the_pages_say_what_was_measured(file: Path) -> None:
    """Each marked part is what `python -m benchmarks pages` writes from benchmarks/results now."""
    text = file.read_text(encoding="utf-8")
    assert pages.MARKED.search(text)
    assert pages.filled(text) == text


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_searchkit_and_cpp_find_the_same_in_every_row(tmp_path: Path) -> None:
    """The answers agree at any speed."""
    library = limit.compiled(limit.REFERENCE, tmp_path)
    works = limit.works(library, 16, data.few_queries(), {"easy": ((83,), 1.0)}, 200)
    rows = [limit.measure(work, 0) for work in works]
    assert [row.name for row in rows if not row.agree] == []
    assert [row.rounds for row in rows] == [limit.LEAST] * len(rows)
    assert limit.table(rows).row_count == len(rows)


def test_a_wrong_answer_and_a_missing_engine_are_rows() -> None:
    """The other rows are measured all the same."""

    def refuse() -> limit.Outcome:
        raise MissingCapabilityError("engine 'x' has no compiled form")

    wrong = limit.measure(limit.Work("", lambda: limit.Outcome(1, 10), lambda: limit.Outcome(2, 5)), 0)
    assert wrong.agree is False
    assert wrong.per_expansion == pytest.approx(wrong.ratio.median * 2 if wrong.ratio else None)
    missing = limit.measure(limit.Work("", lambda: limit.Outcome(1), refuse), 0)
    assert (missing.ratio, missing.problem) == (None, "engine 'x' has no compiled form")


@pytest.mark.parametrize("name", TASKS)
def test_every_library_that_is_here_finds_what_we_find(name: str) -> None:
    """Each library answers each task that it is for."""
    answers = {}
    for contender, module in CONTENDERS.items():
        adapter = import_module(module)
        here = all(find_spec(library.partition(".")[0]) for library in adapter.LIBRARIES)
        if here and hasattr(adapter, TASKS[name].kind):
            made = getattr(adapter, TASKS[name].kind)(TASKS[name].arrays)
            search, number = made if isinstance(made, tuple) else (made, value)
            answers[contender] = float(number(search()))
    assert answers == pytest.approx(dict.fromkeys(answers, answers["searchkit"]))
    assert answers["searchkit"] > 0


@pytest.mark.parametrize("peer", PEERS)
def test_every_list_of_requirements_has_an_adapter(peer: str) -> None:
    """… that says what it is for, and does some of the work; versions are exact."""
    adapter, kinds = import_module(CONTENDERS[peer]), {task.kind for task in TASKS.values()}
    assert any(hasattr(adapter, kind) for kind in kinds)
    assert adapter.CANNOT or all(hasattr(adapter, kind) for kind in kinds)
    assert all("==" in line for line in (FOLDER / f"{peer}.txt").read_text().splitlines())


@pytest.mark.parametrize("name", WORKLOADS)
def test_contenders_in_python_find_the_same_costs(name: str) -> None:
    """In processes of their own; each path is checked."""
    here = {key: module for key, module in python.CONTENDERS.items() if key in (python.BASELINE, "searchkit")}
    rows = compare(python.task(name, tiny=True), here, python.BASELINE, 1, 20, 10)
    assert [row.problem for row in rows] == ["", ""]
    assert rows[1].ratio is not None
    for contender in ("nographs", "networkx, with building", "simpleai"):
        adapter, task = import_module(python.CONTENDERS[contender]), python.task(name, tiny=True)
        if name.startswith("puzzle15") and contender.startswith("networkx"):
            continue
        if find_spec(adapter.LIBRARIES[0].partition(".")[0]):
            search, number = getattr(adapter, task.kind)(task.arrays)
            assert number(search()) == rows[0].value, contender


def test_answers_are_judged_by_the_baseline() -> None:
    """Another value is wrong, but for rounding; ratios are taken round by round, and with building."""
    ours = Row("task", "searchkit", build=1.0, seconds=[1.0, 2.0], value=10.0)
    slow = Row("task", "scipy", build=3.0, seconds=[3.0, 10.0], value=10.0001)
    wrong = Row("task", "igraph", seconds=[1.0], value=11.0)
    judge([ours, slow, wrong], "searchkit")
    assert slow.ratio is not None
    assert (slow.ratio.median, slow.ratio_with_building) == (4, (3 + 6.5) / (1 + 1.5))
    assert wrong.problem == "wrong: 11, not 10"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("grid-bfs", "ZeroDivisionError: division by zero"),
        ("grid-astar", "over 0.5 s"),
        ("", "not installed"),
    ],
)
def test_a_contender_that_fails_or_hangs_is_a_row(name: str, problem: str) -> None:
    """Its error or its limit is in the table, or that its library is not installed."""
    options = {} if name else {"python": lambda contender: None}
    task = python.task(name or "grid-bfs", tiny=True)
    [row] = compare(task, {"x": "benchmarks.tests.faulty"}, "x", rounds=1, budget=0.5, long=1, **options)
    assert row.problem == problem


def test_engines_for_robots_agree() -> None:
    """On small maps all are solved, engines with proofs find the same costs, and lacam costs no less."""
    rows = {row.engine: row for row in robots.compare([3], [0, 1], seconds=60, size=8)}
    assert [row.solved for row in rows.values()] == [2, 2, 2]
    assert rows["cbs"].cost == rows["odid"].cost <= rows["lacam"].cost
