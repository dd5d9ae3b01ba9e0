"""The benchmarks run, on tiny workloads, with those of the other libraries that are installed."""

import json
from pathlib import Path

import pytest

from benchmarks.kit.documents import kept
from benchmarks.kit.machine import installed, this_machine
from benchmarks.python import contenders_table, in_python, ties
from benchmarks.python.answer import Answer, NotApplicableError, fault
from benchmarks.python.contenders import BASELINE, CONTENDERS, OURS, PEERS, load, package
from benchmarks.python.domains.instance import Counter
from benchmarks.python.runner import Comparison, Row, check_costs, compare
from benchmarks.python.worker import Work
from benchmarks.python.workloads import GROUPS, WORKLOADS, names


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


def test_a_contender_over_its_budget_is_given_up_and_named() -> None:
    """A full-sized search and no patience: a row that says so, and no times."""
    comparison = compare("grid-bfs", contenders=(BASELINE,), rounds=1, budget=0.02)
    assert comparison.rows[0].problem == "over 0.02 s"
    assert comparison.rows[0].seconds == []


def test_what_is_not_installed_or_wrong_is_a_row_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that is missing takes nothing else down; a cost other than the baseline's is marked."""
    monkeypatch.setattr("benchmarks.python.runner.installed", lambda distribution: None)
    comparison = compare("grid-bfs", contenders=PEERS, rounds=1, tiny=True)
    assert {row.problem for row in comparison.rows} == {"not installed"}
    rows = [Row(BASELINE, cost=10), Row("other", cost=11)]
    check_costs(rows)
    assert [row.problem for row in rows] == ["", "wrong: cost 11, not 10"]


def test_the_verdict_is_against_contenders_with_the_same_task() -> None:
    """A row with an easier task has a verdict of its own; one with a problem counts in none."""
    comparison = Comparison(
        "grid-bfs",
        "title",
        (
            Row(BASELINE, 9, 100, seconds=[1.0, 1.0, 1.0]),
            Row(OURS, 9, 100, seconds=[1.1, 1.2, 1.1]),
            Row("nographs", 9, 101, seconds=[1.3, 1.1, 1.3]),
            Row("nographs, states only", 9, 50, easier="gives no actions", seconds=[0.5, 0.5, 0.5]),
            Row("simpleai", 8, 10, problem="wrong: cost 8, not 9", seconds=[0.1]),
        ),
    )
    assert contenders_table.verdict(comparison) == contenders_table.Verdict(
        overhead=True, fastest=True, fastest_of_all=False, same_cost=True, fewest_expansions=True
    )


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


def test_counting_changes_no_answer() -> None:
    """The counted workload is the same problem."""
    counter = Counter()
    workload = WORKLOADS["puzzle8-whole"](True)
    assert load(OURS).prepare(workload.counted(counter), counter)() == load(OURS).prepare(workload, None)()
    assert counter.calls == 12


def test_the_table_of_ties_names_every_policy() -> None:
    """All engines with an option `ties`, all its values; those that promise it agree on the cost."""
    cells = ties.measure(rounds=1, tiny=True)
    assert {cell.engine for cell in cells} >= {"astar", "bucket", "dijkstra", "greedy", "wastar"}
    assert {cell.ties for cell in cells} == {"high-g", "lifo", "fifo", "low-h"}
    assert all(sum(cell.default for cell in group) == 1 for group in ties.grouped(cells))
    assert ties.markdown(cells, this_machine()).count("**") == 2 * len(list(ties.grouped(cells)))
    assert ties.table(cells).row_count == len(list(ties.grouped(cells)))


def test_commands_keep_what_they_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run of all parts writes its files; a part of them only prints."""
    tiny = compare("grid-bfs", contenders=(BASELINE, OURS), rounds=1, tiny=True)
    cells = ties.measure(rounds=1, tiny=True)
    monkeypatch.setattr(in_python, "compare", lambda *arguments, **options: tiny)
    monkeypatch.setattr(ties, "measure", lambda *arguments, **options: cells)
    assert in_python.main(["--only", "grid", "--results", str(tmp_path)]) == 0
    assert "12×12 grid" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
    assert in_python.main(["--results", str(tmp_path)]) == ties.main(["--results", str(tmp_path)]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"python.json", "python.md", "ties.json", "ties.md"}
    read = kept("python", tmp_path)
    assert read is not None
    assert len(read["comparisons"]) == len(WORKLOADS)


def test_groups_cover_all_workloads() -> None:
    """`--only` can reach each."""
    assert sorted(name for group in GROUPS for name in names(group)) == sorted(WORKLOADS)
