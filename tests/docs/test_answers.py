"""The Python side of the playground: answers are searchkit's, and what is wrong is one message with its line."""

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from searchkit import load, solve

FOLDER = Path(__file__).parents[2] / "docs" / "playground"
CODE = sorted((FOLDER / "problems").glob("*.py"))
MAP = "S.3\n.#.\n..G"
ASTAR = {"engine": "astar", "options": {}}
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Return a function that asks as the page does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        answers = import_module("answers")

        def ask(kind: str, text: str, **more: Any) -> dict[str, Any]:
            wish = {"kind": kind, "text": text, "runs": [{"engine": "auto", "options": {}}], "problem": None}
            wish |= {"options": {}, "example": "", "expansions": 1000, "seconds": 60, "title": "x"}
            reply = json.loads(answers.answer(json.dumps(wish | more)))
            assert isinstance(reply, dict)
            return reply

        yield ask


def test_a_map_is_solved_by_each_engine(ask: Ask) -> None:
    """With verdicts that were checked, the page of the player, and the cells for the editor."""
    reply = ask("map", MAP, runs=[ASTAR, {"engine": "dijkstra", "options": {"ties": "fifo"}}])
    assert [one["text"] for one in reply["verdicts"]] == [
        "solved: cost 4 (optimal), 4 actions; astar expanded 4 states",
        "solved: cost 4 (optimal), 4 actions; dijkstra expanded 6 states",
    ]
    assert reply["verdicts"][0]["proved"] == [
        "a path from a start to a goal costs 4",
        "no path costs less than 4",
    ]
    assert reply["marks"]["path"] == [[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]]
    assert [0, 1] in reply["marks"]["reached"]
    assert reply["page"].startswith("<!doctype html>")
    assert reply["printed"] == ""


@pytest.mark.parametrize("name", ["vault4", "siding", "random32"])
def test_examples_are_loaded_by_name(ask: Ask, name: str) -> None:
    """Also those of several files, and robots whose states have too many successors to be looked at."""
    [verdict] = ask("file", "", example=name)["verdicts"]
    assert verdict["text"] == str(solve(load(name)))


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.stem)
def test_the_examples_in_python_are_solved(ask: Ask, path: Path) -> None:
    """All that the page offers."""
    [verdict] = ask("python", path.read_text(encoding="utf-8"))["verdicts"]
    assert "(optimal" in verdict["text"]
    assert verdict["proved"][1].startswith("no path costs less than")


HEAD = """class P:
    def initial_states(self):
        return [0]
    def is_goal(self, state):
        return state == 3
"""


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        ("x = (", 1, "SyntaxError: '(' was never closed"),
        ("from searchkit import SearchProblem", None, "expected one class with initial_states"),
        (
            f"{HEAD}    def successors(self, state):\n        return [('a', 1 / 0)]",
            7,
            "ZeroDivisionError: division by zero, while 0 was",
        ),
        (f"{HEAD}    def successors(self, state):\n        return [('a', [])]\n", None, "hash"),
        (f"{HEAD}    def successors(self, state): return []\nclass Q(P): pass", None, "are: P, Q"),
        (f"{HEAD}    def sucessors(self, state): return []", None, "did you mean successors?"),
        ("raise SystemExit(3)", 1, "SystemExit: 3"),
    ],
)
def test_wrong_code_is_one_message(ask: Ask, code: str, line: int | None, message: str) -> None:
    """With the line, if it is the reader's."""
    reply = ask("python", code)
    assert message in reply["error"]
    assert "resume" not in reply["error"]
    assert reply["line"] == line


def test_limits_hold(ask: Ask) -> None:
    """A search in an infinite space is cut off."""
    code = (
        HEAD.replace("== 3", "< 0")
        + "    def successors(self, state):\n        return [('more', state + 1)]\n"
    )
    [verdict] = ask("python", code)["verdicts"]
    assert verdict["text"].startswith("cut off by the limit of 1000 expansions")


def test_wrong_options_are_searchkits_message(ask: Ask) -> None:
    """The same as on the command line; options reach the map as texts."""
    reply = ask("map", "S..\n...\n..G", runs=[ASTAR], options={"moves": "8", "lengths": "whole"})
    assert reply["verdicts"][0]["text"].startswith("solved: cost 1154 (optimal if")
    assert "did you mean astar" in ask("map", MAP, runs=[{"engine": "astr", "options": {}}])["error"]
    assert "weight" in ask("map", MAP, runs=[{"engine": "wastar", "options": {"weight": "x"}}])["error"]
    assert "line 1, column 2" in ask("map", "Sx.G")["error"]
