"""Processes that work on one search have the same code, or say that they do not."""

import sys
from collections.abc import Callable
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba")

from searchkit.errors import WorkerError
from searchkit.scale.external import tasks
from searchkit.scale.external.tasks import Sent
from searchkit.scale.sources import check_sources, sources_of
from searchkit.scale.workers.packing import packed, unpacked

FILES = {
    "rings": """
from searchkit import SearchProblem
from rings_view import view

class Ring(SearchProblem):
    def initial_states(self): return [0]
    def is_goal(self, state): return state == 5
    def successors(self, state): return [("on", (state + 1) % 10)]
    def compiled(self): return view()
""",
    "rings_view": """
from searchkit.compiled.functions import expand_function, goal_function
from searchkit.compiled.view import CompiledProblem, Functions
from rings_steps import after

def expand(table, state, out_states, out_costs):
    out_states[0] = after(state)
    out_costs[0] = 1.0
    return 1

def is_goal(table, state):
    return state == 5

def view():
    return CompiledProblem(Functions(expand_function(expand), goal_function(is_goal), 1), pack=int, unpack=int)
""",
    "rings_steps": """
from searchkit.compiled.functions import kernel

STEP = 1

@kernel
def after(state):
    return (state + STEP) % 10
""",
}


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return a function that imports the problem anew, with other texts in a file, and returns it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(name: str = "", old: str = "", new: str = "") -> Any:
        for module, text in FILES.items():
            assert module != name or old in text
            text = text.replace(old, new) if module == name else text
            (tmp_path / f"{module}.py").write_bytes(text.encode())
            monkeypatch.delitem(sys.modules, module, raising=False)
            (tmp_path / "__pycache__" / f"{module}.{sys.implementation.cache_tag}.pyc").unlink(
                missing_ok=True
            )
        invalidate_caches()
        return import_module("rings").Ring()

    return make


@pytest.mark.parametrize(
    ("module", "old", "new", "named"),
    [
        ("rings", "state == 5", "state == 6", "rings"),
        ("rings_view", "state == 5", "state == 6", "rings_view"),
        ("rings_steps", "% 10", "% 11", "rings_view.expand"),
        ("rings_steps", "STEP = 1", "STEP = 2", "rings_view.expand"),
    ],
)
def test_other_code_is_an_error(
    module: str, old: str, new: str, named: str, ring: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would give other successors. Functions that are compiled count wherever they are defined."""
    monkeypatch.setattr(tasks, "_received", {})
    message = packed(Sent(ring()), str)
    problem = ring(module, old, new)
    with pytest.raises(
        WorkerError, match=rf"^{named} on .* is not the same as in the program .* need the same files"
    ):
        unpacked(message)
    check_sources(*[sources_of(problem, problem.compiled())] * 2)
    assert tasks._received == {}


def test_same_code_is_taken(ring: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if only ends of lines differ; what was received is not looked at again."""
    monkeypatch.setattr(tasks, "_received", {})
    message = packed(Sent(ring()), str)
    ring("rings", "\n", "\r\n")
    received = unpacked(message)
    ring("rings", "== 5", "== 6")
    assert unpacked(message) is received
    assert received.expander.view.pack is int


def test_script_and_modules_without_a_file_are_not_compared(
    ring: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process has another script, and a module of a program has no file."""
    problem = ring()
    view = problem.compiled()
    found = sources_of(problem, view)
    assert sorted(found) == [
        "rings", "rings_view", "rings_view.expand", "rings_view.is_goal", "searchkit.problem"
    ]  # fmt: skip
    monkeypatch.delattr(sys.modules["rings"], "__file__")
    assert sources_of(problem, view) == found | {"rings": ""}
    monkeypatch.setattr(type(problem), "__module__", "__main__")
    assert sorted(sources_of(problem, view)) == sorted(found.keys() - {"rings"})


def test_what_is_sent_is_pickled_once(ring: Callable[..., Any]) -> None:
    """Each task has it."""
    sent = Sent(ring())
    assert sent.__reduce__()[1] is sent.__reduce__()[1]
