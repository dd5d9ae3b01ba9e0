"""What `auto` costs: the bound, and the table."""

from pathlib import Path

from attrs import evolve

from benchmarks.kit import documents
from benchmarks.machine_code import auto
from benchmarks.pages import page
from searchkit import Compilable, load
from searchkit.plugin.registry import registry

ROW = auto.Row("15puzzle", "bfs", 300_000, 2.0, 1.0, 1.7, 3.1, "compiled", 6.0, 1.8, 3.3)


def test_warm_and_cold_are_bounded() -> None:
    """Each by its own allowance; the process beside is not counted."""
    assert ROW.holds
    assert not evolve(ROW, warm=1.81).holds
    assert not evolve(ROW, cold=3.31).holds
    assert evolve(ROW, beside=600.0).holds


def test_the_page_says_which_rows_are_within(tmp_path: Path) -> None:
    """In its last column."""
    documents.keep("auto", documents.document([ROW, evolve(ROW, warm=9.0)], rounds=1), tmp_path)
    lines = page.SECTIONS["auto"](tmp_path).splitlines()
    assert lines[-2].endswith("| 6.00 | yes |")
    assert lines[-1].endswith("| 6.00 | **no** |")


def test_each_bundled_problem_is_measured() -> None:
    """Those whose first example can be compiled; the others stay in Python."""
    measured = {
        spec.name
        for spec in registry().problems.values()
        if {case.name for case in auto.CASES} & {spec.name, *(example.name for example in spec.examples)}
    }
    can_move = {
        spec.name
        for spec in registry().problems.values()
        if spec.examples and isinstance(load(spec.examples[0].name), Compilable)
    }
    assert measured >= can_move
    assert {"dungeon", "tiles", "cube2", "cube3", "pancakes"} <= can_move


def test_a_search_is_measured(tmp_path: Path) -> None:
    """In a process of its own, that stays in Python where it is so short."""
    figure = auto.measured(auto.Case("random512", "bfs", {}), "auto", 10, str(tmp_path))
    assert (figure.backend, figure.expanded, figure.beside) == ("python", 10, 0.0)
