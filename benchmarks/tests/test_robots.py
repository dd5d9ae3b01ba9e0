"""The comparison of engines for robots, on small maps."""

from pathlib import Path

import pytest

from benchmarks.kit.documents import kept
from benchmarks.pages.page import SECTIONS
from benchmarks.problems.robots import ENGINES, Row, Run, compare, keep_solved, main


def test_engines_with_proofs_agree_and_lacam_costs_no_less() -> None:
    """On small maps all are solved, and ratios are those of the common instances."""
    (row,) = compare([3], [0, 1], seconds=60, size=8)
    assert [row.solved(engine) for engine in ENGINES] == [2, 2, 2]
    costs = {engine: [run.cost for run in row.runs[engine]] for engine in ENGINES}
    assert costs["cbs"] == costs["odid"]
    ratios = row.ratios("lacam")
    assert ratios is not None
    assert ratios[2] >= 1


def test_ratios_are_over_the_instances_that_all_have_solved() -> None:
    """An instance that one engine has not solved counts for none."""
    row = Row(5)
    row.runs["cbs"] = [Run(10, 1.0, 20.0), Run(99, 9.0, 30.0)]
    row.runs["odid"] = [Run(40, 3.0, 20.0), Run(99, 9.0, None)]
    row.runs["lacam"] = [Run(5, 0.5, 25.0), Run(1, 1.0, 35.0)]
    assert row.ratios("odid") == (4, 3, 1)
    assert row.ratios("lacam") == (0.5, 0.5, 1.25)
    row.runs["cbs"][0].expanded = 0
    assert row.ratios("odid") == (None, 3, 1)
    row.runs["odid"][0].cost = None
    assert row.ratios("lacam") is None


def test_solved_instances_are_kept_by_map_and_engine(tmp_path: Path) -> None:
    """What was measured again replaces the old rows; others remain."""
    row = Row(5, ["cbs"])
    row.runs["cbs"] = [Run(10, 1.004, 20.0), Run(99, 9.0, None)]
    keep_solved([row], "room", 5, tmp_path)
    keep_solved([row], "empty", 5, tmp_path)
    row.runs["cbs"] = [Run(10, 2.0, 20.0)]
    keep_solved([row], "room", 5, tmp_path)
    data = kept("robots", tmp_path)
    assert data is not None
    rows = [(row["map"], row["solved"], row["instances"], row["slowest"]) for row in data["rows"]]
    assert rows == [("empty", 1, 2, 1.0), ("room", 1, 1, 2.0)]


@pytest.mark.long
def test_engine_of_a_checkout_gets_the_same_instances() -> None:
    """With this checkout itself, costs and expansions are the same; a folder without one is an error."""
    rows = [
        compare([3], [0, 1], 60, 8, ["cbs"], backend="python"),
        compare([3], [0, 1], 60, 8, ["cbs"], checkout=Path(__file__).parents[2], label="cbs"),
    ]
    here, there = ([(run.cost, run.expanded) for run in row.runs["cbs"]] for (row,) in rows)
    assert here == there
    with pytest.raises(RuntimeError, match="searchkit comes from"):
        compare([3], [0], 60, 8, ["cbs"], checkout=Path(__file__).parent)


def test_no_larger_numbers_after_one_without_solutions() -> None:
    """Without any time, nothing is solved, and the next number of robots gets no row."""
    rows = compare([9, 10], [0], 0, 8, ["odid"])
    assert [(row.robots, row.solved("odid")) for row in rows] == [(9, 0)]


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever its times are, it prints its table."""
    assert main(["--robots", "2", "--seeds", "0", "--size", "8"]) == 0
    assert "1 of 1" in capsys.readouterr().out


def test_the_page_has_a_field_for_each_number_of_robots(tmp_path: Path) -> None:
    """Numbers that an engine did not get are dashes, and the slowest search is that of a solved instance."""
    row, later = Row(5, ["cbs"]), Row(6, ["cbs"])
    row.runs["cbs"] = [Run(10, 1.25, 20.0), Run(99, 9.0, None)]
    later.runs["cbs"] = [Run(99, 9.0, None)]
    keep_solved([row, later], "room", 9, tmp_path)
    keep_solved([row], "empty", 9, tmp_path)
    text = SECTIONS["robots"](tmp_path)
    assert "| map | engine | 5 | 6 |" in text
    assert "| room | cbs | 1 of 2, 1.2 s | 0 of 1 |" in text
    assert "| empty | cbs | 1 of 2, 1.2 s | – |" in text
