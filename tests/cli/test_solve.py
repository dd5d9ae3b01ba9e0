"""What `searchkit solve` prints for people, and how it ends."""

import re
from collections.abc import Callable
from typing import Any

import pytest

FIELD = ("field", "S.#", "..G")


def row(out: str, name: str) -> str:
    """Return the text after a name."""
    found = re.search(rf"^{name} +(.*?) *$", out, re.MULTILINE)
    assert found, out
    return found[1]


def test_a_solved_problem(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """The report shows everything that is known, the chosen engine with the reason, and the map with its legend."""
    outcome = run("solve", file(*FIELD))
    assert (outcome.code, outcome.err) == (0, "")
    assert row(outcome.out, "problem") == "field"
    assert row(outcome.out, "engine") == "astar (auto chose astar: the problem has a heuristic)"
    assert row(outcome.out, "status") == "solved"
    assert row(outcome.out, "cost") == "3 (optimal if the heuristic is admissible)"
    assert row(outcome.out, "actions") == "3, from (0, 0) to (2, 1)"
    assert re.fullmatch(
        r"\d+  generated \d+  reopened 0  reached \d+  peak frontier \d+", row(outcome.out, "expanded")
    )
    assert re.match(r"\d\.\d{4}", row(outcome.out, "seconds"))
    lines = outcome.out.splitlines()
    assert lines[-3].startswith("S")
    assert lines[-2].endswith("+G")
    assert lines[-1].startswith("# wall  S start  G goal  + path")


def test_a_problem_proved_unsolvable(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Exit code 1, and no number stands in for a cost."""
    outcome = run("solve", file("field", "S#G"))
    assert outcome.code == 1
    assert row(outcome.out, "status") == "unsolvable: no path exists if the heuristic is admissible"
    unguided = run("solve", file("field", "S#G"), "--engine", "bfs")
    assert row(unguided.out, "status") == "unsolvable: no path exists"
    assert row(outcome.out, "cost") == "none"
    assert "actions" not in outcome.out


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        (("--max-expansions", 7), "the limit of 7 expansions"),
        (("--max-expansions", 0), "the limit of 0 expansions"),
        (("--max-seconds", 0), "the limit of 0.0 seconds"),
        (("--max-memory", 1), "the limit of 1.0 MB of memory"),
    ],
)
def test_a_cutoff(
    run: Callable[..., Any], file: Callable[..., Any], limit: tuple[str, int], reason: str
) -> None:
    """Exit code 3; the reason, the lower bound, the path so far and what to do next."""
    outcome = run("solve", file("line 0 0.5"), *limit)
    assert outcome.code == 3
    assert row(outcome.out, "status") == f"cut off by {reason}"
    assert re.fullmatch(r"none found; any path costs at least \d+", row(outcome.out, "cost"))
    assert re.match(r"a path of cost \d+, \d+ actions, from 0 to -?\d+", row(outcome.out, "so far"))
    assert row(outcome.out, "next") == (
        "raise the limit or leave it out; in Python, result.search.resume() continues"
    )


def test_a_path_that_is_not_known_to_be_optimal(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """The report shows the lower bound, and how far the path can be from it."""
    outcome = run("solve", file("field", "S#G", ".#.", "..."), "--engine", "wastar", "--set", "weight=2")
    assert outcome.code == 0
    assert (
        row(outcome.out, "cost") == "6 (at least 3 is needed if the heuristic is admissible: ≤ 2 × optimum)"
    )


@pytest.mark.parametrize(
    ("paint", "warning"), [("raising", "RuntimeError: out of paint"), ("colourless", "ValueError: ")]
)
def test_a_drawing_that_fails_costs_no_result(run: Callable[..., Any], paint: str, warning: str) -> None:
    """It is a line on stderr."""
    outcome = run("solve", "meadow", "--set", f"paint={paint}")
    assert outcome.code == 0
    assert outcome.err.startswith(f"warning: places of problem 'field' raised {warning}")
    assert outcome.err.count("\n") == 1
    assert row(outcome.out, "cost") == "16 (optimal if the heuristic is admissible)"


def test_a_warning_of_the_result_is_printed(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Bfs on a problem with costs is called neither optimal nor right."""
    outcome = run("solve", file("odd 1/3"), "--engine", "bfs")
    assert outcome.code == 0
    assert "warning: bfs ignores costs" in outcome.out
    assert row(outcome.out, "cost") == "1/3 ≈ 0.333333 (not known to be optimal)"


def test_a_heuristic_that_is_verified(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """`solve --verify-heuristic` says that the cost is optimal, without a condition."""
    problem = file("field", "S.G")
    assert "2 (optimal if the heuristic is admissible)" in run("solve", problem).out
    assert "2 (optimal) " in run("solve", problem, "--verify-heuristic").out
    assert '"assumes": null' in run("solve", problem, "--verify-heuristic", "--json").out
