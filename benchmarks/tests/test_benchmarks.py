"""The benchmarks run, on tiny workloads, with those of the other libraries that are installed."""

import json

import pytest

from benchmarks.kit.machine import installed, this_machine
from benchmarks.python import contenders_table, ties
from benchmarks.python.answer import Answer, NotApplicableError, fault
from benchmarks.python.contenders import BASELINE, CONTENDERS, OURS, load, package
from benchmarks.python.runner import compare
from benchmarks.python.worker import Work
from benchmarks.python.workloads import WORKLOADS


@pytest.fixture
def short_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time one run, not many: what is measured does not matter here."""
    monkeypatch.setattr("benchmarks.python.worker.SAMPLE_SECONDS", 1e-6)


@pytest.mark.parametrize("workload", WORKLOADS)
def test_searchkit_answers_and_expands_as_the_hand_written_loop_does(workload: str) -> None:
    """Same cost and same number of expansions, or the comparison of times would mean nothing."""
    ours, theirs = Work(OURS, workload, tiny=True).count(), Work(BASELINE, workload, tiny=True).count()
    assert (ours.problem, theirs.problem) == ("", "")
    assert (ours.cost, ours.expanded) == (theirs.cost, theirs.expanded)
    assert theirs.expanded > 0


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("contender", CONTENDERS)
@pytest.mark.usefixtures("short_samples")
def test_every_contender_finds_the_cost_or_says_why_not(contender: str, workload: str) -> None:
    """A library that is used wrongly shows as a wrong cost, a wrong path or an exception."""
    if package(contender) and installed(package(contender)) is None:
        pytest.skip(f"{package(contender)} is not installed")
    expected = Work(BASELINE, workload, tiny=True).count().cost
    work = Work(contender, workload, tiny=True)
    try:
        counted, timed = work.count(), work.time()
    except NotApplicableError as reason:
        pytest.skip(str(reason))
    assert counted.problem == ""
    assert counted.cost == timed.cost == expected
    assert counted.expanded > 0
    assert timed.seconds > 0


def test_a_comparison_runs_in_processes_of_its_own_and_makes_tables() -> None:
    """The whole way from the workers to the tables, with the two contenders that are always there."""
    comparison = compare("grid-astar", contenders=(BASELINE, OURS), rounds=2, tiny=True)
    assert [row.problem for row in comparison.rows] == ["", ""]
    assert [len(row.seconds) for row in comparison.rows] == [2, 2]
    ratio = comparison.ratio(OURS)
    assert ratio is not None
    assert ratio.low <= ratio.median <= ratio.high
    assert contenders_table.table(comparison).row_count == 2
    text = contenders_table.markdown([comparison], this_machine())
    assert "12×12 grid" in text
    assert "| searchkit |" in text
    data = json.loads(json.dumps(contenders_table.data(comparison)))
    assert data["verdict"]["same_cost"] is True
    assert data["verdict"]["fastest"] is None


def test_a_wrong_path_is_found_out() -> None:
    """The check of answers shares nothing with the contenders: it re-walks the path."""
    workload = WORKLOADS["puzzle15-astar"](True)
    instance = workload.instances[0]
    right = load(BASELINE).prepare(workload, None)()[0]
    assert fault(instance, right) == ""
    assert right.actions is not None
    wrong = {
        "the path does not lead": Answer(right.cost, right.states[1:]),
        "step 1 of the path": Answer(right.cost, (right.states[0], right.states[-1])),
        "action 1 of the path": Answer(right.cost, right.states, (0, *right.actions[1:])),
        "the path costs": Answer(right.cost + 1, right.states),
    }
    for message, answered in wrong.items():
        assert fault(instance, answered).startswith(message)


def test_the_table_of_ties_names_every_policy() -> None:
    """All engines with an option `ties`, all its values; those that promise it agree on the cost."""
    cells = ties.measure(rounds=1, tiny=True)
    assert {cell.engine for cell in cells} >= {"astar", "bucket", "dijkstra", "greedy", "wastar"}
    assert {cell.ties for cell in cells} == {"high-g", "lifo", "fifo", "low-h"}
    assert all(sum(cell.default for cell in group) == 1 for group in ties.grouped(cells))
    assert ties.markdown(cells, this_machine()).count("**") == 2 * len(list(ties.grouped(cells)))
    assert ties.table(cells).row_count == len(list(ties.grouped(cells)))
