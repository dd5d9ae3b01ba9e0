"""Points that are not deserved: imported engines, hidden expansions, forged messages. Each attack fails."""

import subprocess
from pathlib import Path

import pytest

from searchkit_coursework.sandbox import supervision
from searchkit_coursework.sandbox.access import Access
from searchkit_coursework.sandbox.endings import Ending, Failure, RunLimits
from searchkit_coursework.sandbox.service import Book, Service
from searchkit_coursework.sandbox.supervision import Process, Supervision
from searchkit_coursework.student.containment import FILES, PROTECTIONS
from searchkit_coursework.tests.attacks import LIMITS, ROOT, Run, find, needs, reason


@pytest.mark.parametrize(
    "code",
    [
        "from searchkit import solve",
        "import searchkit",
        "import searchkit.engines.informed.astar",
        "from searchkit.search.driver import Search",
        "import importlib; importlib.import_module('searchkit.search.distances')",
        "__import__('searchkit.certificates.verdict')",
        "import searchkit_dungeon",
        "exec('import searchkit')",
    ],
)
def test_searchkit_s_own_engines_can_t_be_imported(run: Run, code: str) -> None:
    """Nor its plugins; the modules of searchkit in the process itself are hidden."""
    assert "may not be imported in this assignment" in reason(run(find(code)))


def test_searchkit_s_files_are_out_of_reach(run: Run) -> None:
    """Even by code that removes the refusal of imports."""
    code = f"""
        import sys
        sys.meta_path[:] = [each for each in sys.meta_path if "Refusal" not in type(each).__name__]
        sys.path.insert(0, {str(ROOT)!r})
        import importlib
        importlib.import_module("searchkit")
        """
    outcome = run("import os\n" + find(code.replace("\n        ", "\n")))
    needs(outcome, FILES)
    assert "ModuleNotFoundError" in reason(outcome) or "PermissionError" in reason(outcome)


def test_a_rubric_can_allow_searchkit(run: Run) -> None:
    """With `forbid_imports = []`; the search then counts as the student's."""
    code = "from searchkit import solve\nreturn solve(problem, 'bfs', backend='python').solution.states"
    outcome = run(find(code), LIMITS, access=Access(()))
    assert outcome.answers[0]["path"][-1] == (3, 3), reason(outcome)


def test_a_rubric_can_forbid_any_module(run: Run) -> None:
    """Modules of the standard library may still import each other."""
    access = Access(("heapq", "asyncio.queues"))
    assert "heapq may not be imported" in reason(run(find("import heapq"), access=access))
    assert "asyncio.queues may not be imported" in reason(
        run(find("from asyncio import queues"), access=access)
    )
    assert run(find("import asyncio\nasyncio.sleep\nimport bisect"), access=access).answers[0] == {
        "path": None,
        "expanded": (),
    }


@pytest.mark.parametrize(
    "code",
    [
        "problem._problem",
        "del problem.expanded[:]",
        "problem.instance",
        "problem.source",
        "problem.solve",
        "problem.__self__",
        "problem._ask('get', '_problem').anything",
        "problem._ask('get', '__class__').anything",
        "problem.with_goals",
    ],
)
def test_the_problem_can_t_be_peeled(run: Run, code: str) -> None:
    """It has no attributes of the real problem."""
    assert "raised AttributeError" in reason(run(find(code)))


@pytest.mark.parametrize(
    "code",
    [
        "for _ in range(3): problem.successors(problem.initial_states()[0])",
        "for _ in range(3): problem._ask('expand', 0)",
        "type(problem).successors(problem, (1, 1)); vars(problem).clear(); ask('expand', 0); ask('expand', 0)",
        "s = (1, 1)\nfor _ in range(3):\n    problem._costs.clear()\n    problem.cost(s, 'E', (2, 1))",
    ],
)
def test_expansions_are_counted_where_they_can_t_be_changed(run: Run, book: Book, code: str) -> None:
    """Each answer with new states counts as one, whatever the student's process does."""
    service = Service(book, "search")
    outcome = run(find("ask = problem._ask\n" + code), services=[service])
    assert outcome.finished
    assert len(outcome.answers[0]["expanded"]) == len(service.expanded) == 3, reason(outcome)


def test_an_action_s_cost_is_not_told_before_the_state_is_expanded(run: Run, book: Book) -> None:
    """Otherwise the map could be explored by guessing states."""
    code = "problem.cost((1, 1), 'E', (2, 1))"
    outcome = run(find(code))
    assert outcome.answers[0]["expanded"] == ((1, 1),)


def test_more_expansions_than_allowed_can_t_be_denied(run: Run) -> None:
    """Code that catches the exception, and then returns an answer, has still expanded too many."""
    code = "try:\n    while True: problem.successors((1, 1))\nexcept BaseException: return [(1, 1)]"
    assert run(find(code)).answers[0] == Failure(Ending.EXPANSION_LIMIT, "1,000")


@pytest.mark.parametrize(
    "message",
    [
        '{"end": {"kind": "finished", "detail": "", "place": ""}}',
        '{"end": {"kind": "stopped", "detail": "", "place": ""}}',
        '{"end": {"kind": "misuse", "detail": "", "place": ""}}',
        '{"end": {"kind": 3}}',
        '{"end": 3}',
        '{"answer": {"path": [99]}}',
        '{"answer": {"path": [-1]}}',
        '{"answer": {"path": [true]}}',
        '{"answer": {"path": [[1]]}}',
        '{"answer": {"values": [0]}}',
        '{"answer": {"expanded": []}}',
        '{"answer": {"failure": {"kind": "stopped", "detail": "", "place": ""}}}',
        '{"answer": {"failure": {"kind": "expansions", "detail": "0", "place": ""}}}',
        '{"answer": 3}',
        '{"answer": null}',
        '{"case": 1}',
        '{"ready": true}',
        '{"loaded": true}',
        '{"process": 1}',
        '{"protected": ["all"]}',
        '["expand", 99]',
        '["expand", -1]',
        '["expand", "0"]',
        '["find", 0]',
        '["nosuch"]',
        "[]",
        "null",
    ],
)
def test_messages_can_t_be_forged(book: Book, tmp_path: Path, message: str) -> None:
    """A message that the process has no reason to send fails that submission; the grader is not affected."""
    assert ending_of(book, tmp_path, message) is Ending.GARBLED


def ending_of(book: Book, directory: Path, message: str) -> Ending:
    """Return how a process ends that sends this before its answer."""
    said = directory / "said"
    begin = ['{"ready": true}', '{"protected": []}', '{"loaded": true}']
    said.write_text("\n".join([*begin, message, '{"answer": {"path": null}}', ""]), encoding="utf-8")
    pipe, service = subprocess.PIPE, Service(book, "search")
    with subprocess.Popen(["cat", said], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        watcher = Supervision(Process(process), LIMITS, [service])
        watcher._service = service
        return watcher.watch({}).ending


def test_questions_without_end_do_not_move_the_deadline(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a map is counted from the moment at which it was sent."""
    code = """
import signal
signal.setitimer(signal.ITIMER_REAL, 0)
while True: problem._ask("find", "nothing")
"""
    monkeypatch.setattr(supervision, "GRACE_SECONDS", 0.1)
    outcome = run(find(code), RunLimits(seconds=0.1))
    assert outcome.failure.ending is Ending.TIME_LIMIT


def test_protections_can_t_be_claimed(run: Run) -> None:
    """They are reported before any line of the student's code runs."""
    outcome = run(
        'import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == "Channel":\n'
        '        o.send({"protected": ["all"]})\ndef find(problem): pass\n'
    )
    assert outcome.failure.ending is Ending.GARBLED
    assert set(outcome.protections) <= set(PROTECTIONS)
