"""`check_problem`: its arguments, its report, and that every installed problem keeps its promises."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit import SearchProblem, available_problems, load, problem_from
from searchkit.errors import InvalidOptionError
from searchkit.testing import CheckFailure, check_problem, explore, strategies
from searchkit.testing import problems as check
from searchkit.testing.problems import in_every_process
from searchkit.testing.reports import HOLDS
from tests.helpers import drawn


def failure(subject: Any, **options: Any) -> CheckFailure:
    """Return how a check fails."""
    with pytest.raises(CheckFailure) as raised:
        check_problem(subject, **options)
    return raised.value


def outcomes(report: Any) -> dict[str, str]:
    """Return what became of each promise."""
    return {check.name: check.outcome for check in report.checks}


@pytest.mark.one_in(2)  # CI runs the others
@pytest.mark.parametrize("name", available_problems())
def test_every_installed_problem_keeps_its_promises(
    name: str, share: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its strategy, and its examples; it is drawn and written too.

    Other processes are asked by the test below, about all kinds of problem at once: starting them takes longest.
    """
    monkeypatch.setattr(check, "in_every_process", lambda problems: HOLDS)
    examples = share(100) // 2
    report = check_problem(name, examples=examples, max_states=share(1_000))
    assert report.holds
    assert report.examples > examples
    found = outcomes(report)
    assert {found[name] for name in ("examples", "drawing", "round trip")} == {"holds"}
    assert found["every process"] == "holds"


def test_every_installed_problem_answers_alike_in_every_process(
    share: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawn problems, and an example of each kind."""
    monkeypatch.setattr(check, "HASH_SEEDS", ("1", "2"))
    monkeypatch.setattr(check, "PROBLEMS", 100_000)
    problems = [
        (problem, list(explore(problem, 40).edges))
        for name, spec in available_problems().items()
        for problem in (
            *drawn(strategies.problems(name), share(100), 0),
            *(load(e.name) for e in spec.examples[:1]),
        )
    ]
    assert in_every_process(problems).outcome == "holds"


def test_what_does_not_apply_is_skipped_with_its_reason() -> None:
    """A problem without costs, heuristic and predecessors makes no promises about them."""
    report = check_problem(problem_from([0], lambda n: [("+1", n + 1)], lambda n: n == 3), max_states=10)
    reasons = {check.name: check.detail for check in report.checks if check.outcome == "skipped"}
    assert reasons["costs"] == "it has no cost method: every action costs 1"
    assert reasons["heuristic at goals"] == "it has no heuristic"
    assert "not Reversible" in reasons["predecessors"]
    assert "ProblemSpec.places" in reasons["drawing"]
    assert "ProblemSpec.write" in reasons["round trip"]
    assert "can't be sent to another process" in reasons["every process"]
    assert report.facts["states"] == 10


def test_a_member_that_raises_does_not_hide_the_rest() -> None:
    """The error is reported with its last line and its state, and a negative cost elsewhere is found all the same."""

    def successors(n: int) -> list[tuple[str, int]]:
        if n == 2:
            raise LookupError("no room\nat all")
        return [("+1", n + 1), ("+2", n + 2)] if n < 9 else []

    found = failure(problem_from([0], successors, lambda n: n == 9, cost=lambda n, _, to: 5 - to)).report
    checks = {check.name: check for check in found.failures}
    assert checks.keys() == {"no errors", "costs"}
    assert checks["no errors"].detail.startswith("successors(2) raised LookupError: no room, raised in ")
    case = checks["no errors"].counterexample
    assert case is not None
    assert case.paths == (("the path to this state", "0 -3→ 2, cost 3"),)
    assert "cost(4, '+2', 6) is -1" in checks["costs"].detail


def test_two_failures_draw_the_problem_once() -> None:
    """A value of a wrong type needs no drawing."""

    def successors(n: int) -> list[tuple[str, int]]:
        return [("+1", n + 1)] if n < 4 else []

    problem: Any = problem_from(
        [0],
        successors,
        lambda n: n == 3,
        cost=lambda n, action, to: -n,
        heuristic=lambda n: "a" if n == 2 else 9,
    )
    found = failure(problem).report
    checks = {check.name: check.counterexample for check in found.failures}
    assert checks.keys() == {"costs", "heuristic", "heuristic at goals"}
    assert checks["heuristic"] is None
    assert str(found).count("to see it again:") == 1


Moved: Any = type("Moved", (list,), {"__hash__": lambda self: hash(tuple(self))})


def moving(state: Any) -> Any:
    """Change the state that is given, instead of a copy."""
    state[0] = (state[0] + 1) % 4
    yield "on", Moved(state)


MEMBERS = {"initial_states": lambda _: [0], "successors": lambda *_: [], "is_goal": lambda *_: True}


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        (
            problem_from([[0]], lambda n: [], lambda n: True),
            "use a tuple, a frozenset, a string or a frozen dataclass",
        ),
        (problem_from([0], lambda n: None, lambda n: True), "expected a collection of (action, state) pairs"),
        (problem_from([0], lambda n: [n + 1], lambda n: n > 3), "expected an (action, state) pair"),
        (problem_from([0], lambda n: [("+1", None)], lambda n: False), "None means that there is no state"),
        (
            problem_from([0], lambda n: [("+1", 1)], lambda n: None),
            "None, which counts as no: does it lack a return?",
        ),
        (
            type("Misspelt", (), MEMBERS | {"costs": lambda *_: 5})(),
            "it has no cost; it has a method costs: did you mean cost?",
        ),
        (
            problem_from(
                [0], lambda n: [("+1", n + 1)], lambda n: n == 9, heuristic=lambda n: 2 * abs(9 - n)
            ),
            "h(8) = 2, and a path of cost 1 leads from there",
        ),
        (
            problem_from([Moved([0])], moving, [9].__eq__, predecessors=lambda n: [], goals=[]),
            "was [0] when it was returned: a method changes it; make a new state instead",
        ),
        (5, "5 is not a search problem"),
        (SearchProblem, "is a class, and a problem is an instance of one"),
    ],
)
def test_the_message_says_what_to_do(subject: Any, message: str) -> None:
    """A faulty problem is one line that names the member, what it gave, and what was expected."""
    with pytest.raises((CheckFailure, InvalidOptionError)) as raised:
        check_problem(subject)
    assert message in str(raised.value)


def test_states_without_an_equality_of_their_own_are_no_fault() -> None:
    """Nodes of a graph that are equal only to themselves are valid states."""

    class Node:
        def __init__(self, *after: "Node"):
            self.after = after

    last = Node()
    first = Node(Node(last), last)
    report = check_problem(problem_from([first], lambda n: list(enumerate(n.after)), lambda n: n is last))
    assert report.holds


def test_states_with_more_successors_than_anybody_can_list() -> None:
    """They are checked up to the bound, and no state is reported as missing."""
    wide = problem_from([0], lambda n: ((step, n + step) for step in range(10**12)), lambda n: False)
    report = check_problem(wide, max_states=20)
    assert report.holds
    assert outcomes(report)["searchable"] == "skipped"


def test_the_lines_of_a_report_show_the_failure_again(tmp_path: Path) -> None:
    """They run as they are, and end in the same failure."""
    module = tmp_path / "bold.py"
    module.write_text(
        "from attrs import frozen\n"
        "from searchkit import SearchProblem\n\n"
        "@frozen(slots=False)\n"
        "class Bold(SearchProblem[int, str]):\n"
        "    goal: int\n\n"
        "    def initial_states(self): return [0]\n"
        "    def is_goal(self, state): return state == self.goal\n"
        "    def successors(self, state): return [('+1', state + 1)] if state < self.goal else []\n"
        "    def heuristic(self, state): return self.goal - state + (state == self.goal)\n"
    )
    script = (
        "from hypothesis import strategies as st\n"
        "from searchkit.testing import CheckFailure, check_problem\n"
        "import bold\n"
        "try:\n    check_problem(st.integers(2, 9).map(bold.Bold))\n"
        "except CheckFailure as failure:\n"
        "    print(*failure.report.failures[0].counterexample.reproduce, sep='\\n')\n"
    )
    lines = _python(script, tmp_path)
    assert lines.stdout.count("\n") == 3, lines.stderr
    assert "problem = Bold(goal=2)" in lines.stdout
    again = _python(lines.stdout, tmp_path)
    assert "CheckFailure" in again.stderr
    assert "heuristic(2) is 1, and the state is a goal" in again.stderr


def test_a_file_that_checks_its_problem_when_it_is_imported(tmp_path: Path) -> None:
    """Each process that it was checked in imported it, and started others."""
    members = "initial_states, successors, is_goal = lambda p: [0], lambda p, n: [], lambda p, n: True"
    source = f"from searchkit.testing import check_problem\nclass P:\n    {members}\nprint(check_problem(P()).holds)"
    (tmp_path / "checked.py").write_text(source)
    assert _python("import checked", tmp_path).stdout == "True\n"


def _python(script: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script], cwd=path, capture_output=True, encoding="utf-8", check=False
    )
