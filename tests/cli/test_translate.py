"""`searchkit translate`: what it prints, one JSON object, exit codes, and one message for bad input."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite")
Run = Callable[..., Any]

PROBLEMS = '''
"""A student's file."""
from searchkit import SearchProblem


class Count(SearchProblem):
    def __init__(self, target: int = 20):
        self.target = target

    def initial_states(self):
        return [(0, False)]

    def is_goal(self, state):
        return state[0] == self.target

    def successors(self, state):
        n, odd = state
        for step in (1, 2):
            if n + step <= self.target:
                yield step, (n + step, not odd)

    def heuristic(self, state):
        return (self.target - state[0]) / 2


class Complex(Count):
    def successors(self, state):
        number = complex(1, state[0])
        yield 1, (int(number.imag) + 1, True)


class Raising(Count):
    def successors(self, state):
        raise ValueError("no more")


class Nothing(Count):
    def initial_states(self):
        return []
'''


@pytest.fixture
def counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the path of the student's file."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "counts.py"
    path.write_text(PROBLEMS)
    return str(path)


def test_translated(run: Run, counts: str) -> None:
    """How a state is stored, its bits, what it took, and the speed of both forms; exit code 0."""
    outcome = run("translate", f"{counts}:Count", "--set", "target=30")
    assert (outcome.code, outcome.err) == (0, "")
    rows = dict(line.rstrip().split(None, 1) for line in outcome.out.splitlines() if line[0] != " ")
    assert rows["problem"] == "counts.py:Count"
    assert rows["translated"] == "yes"
    assert rows["state"].startswith("(0 to ")
    assert rows["state"].endswith(" bits in 1 word")
    assert rows["made"].endswith(" s, compared with Python on 60 states")
    assert " µs in Python, " in outcome.out


def test_json_and_assembly(run: Run, counts: str, tmp_path: Path) -> None:
    """The fields that are documented; the generated code is written to a file."""
    code = tmp_path / "counts.ll"
    outcome = run("translate", f"{counts}:Count", "--json", "--assembly", code)
    value = json.loads(outcome.out)
    assert outcome.code == 0
    assert (value["translated"], value["reason"], value["words"]) == (True, None, 1)
    assert 0 < value["machine_code"] < value["python"]
    assert "define i64 @expand(" in code.read_text()


def test_not_translated(run: Run, counts: str, tmp_path: Path) -> None:
    """One reason with file and line; exit code 1; no file is written."""
    code = tmp_path / "counts.ll"
    outcome = run("translate", f"{counts}:Complex", "--assembly", code)
    assert (outcome.code, outcome.err, code.exists()) == (1, "", False)
    assert "counts.py:28: " in outcome.out
    value = json.loads(run("translate", f"{counts}:Complex", "--json").out)
    assert (value["translated"], value["reason"].partition(":")[0]) == (False, "counts.py")
    assert "the problem has no start state" in run("translate", f"{counts}:Nothing").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Raising",), "counts.py:Raising raised ValueError: no more, while its states were looked at"),
        (("Missing",), "Missing"),
        (("Count", "--set", "target=x"), "target"),
        (("Count", "--set", "speed=1"), "speed"),
        (("Count", "--assembly", "no/such/folder/code.ll"), "--assembly no/such/folder/code.ll"),
    ],
)
def test_wrong_use(run: Run, counts: str, arguments: tuple[str, ...], message: str) -> None:
    """Exit code 2 and one message."""
    name, *options = arguments
    assert message in run("translate", f"{counts}:{name}", *options).refusal()
