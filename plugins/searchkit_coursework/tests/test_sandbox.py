"""For any code of a student, the job ends with a reason, and leaves nothing behind."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from searchkit_coursework.sandbox.endings import Ending, Failure, RunLimits
from searchkit_coursework.sandbox.jobs import Outcome

Run = Callable[..., Outcome]
SHORT = RunLimits(seconds=0.5, memory=256)
posix = pytest.mark.skipif(
    os.name != "posix", reason="limits on memory and signals are those of POSIX systems"
)


def reason(outcome: Outcome) -> str:
    """Return the message for the student."""
    return outcome.failure.reason(SHORT)


@pytest.mark.one_in(2)  # CI runs the others
@pytest.mark.parametrize(
    ("code", "limits", "ending", "told"),
    [
        pytest.param(
            "def find(problem):\n    while True:\n        pass\n",
            SHORT,
            Ending.TIME_LIMIT,
            "time limit: still running after 0.5 s, in line ",
            id="endless loop",
        ),
        pytest.param(
            "from itertools import repeat\ndef find(problem):\n    return sum(repeat(0))\n",
            SHORT,
            Ending.TIME_LIMIT,
            "is it an iterator that never ends?",
            id="endless loop outside of Python code",
        ),
        pytest.param(
            "while True:\n    pass\n", SHORT, Ending.TIME_LIMIT, "in line ", id="endless loop while loading"
        ),
        pytest.param(
            "def find(problem):\n    return bytearray(10 * 10**9)\n",
            None,
            Ending.MEMORY_LIMIT,
            "memory limit: it asked for more than 256 MB, in line 2 (return bytearray(10 * 10**9))",
            id="10 GB at once",
            marks=posix,
        ),
        pytest.param(
            "import os\ndef find(problem):\n    while True:\n        os.fork()\n",
            None,
            Ending.FORBIDDEN,
            "tried to start another process (os.fork), in line 4 (os.fork()); that is not allowed here",
            id="fork bomb",
            marks=posix,
        ),
        pytest.param(
            "import subprocess\ndef find(problem):\n    subprocess.run(['true'])\n",
            None,
            Ending.FORBIDDEN,
            "tried to start another process (subprocess.Popen)",
            id="subprocess",
        ),
        pytest.param(
            "import socket\ndef find(problem):\n    socket.create_connection(('127.0.0.1', 9))\n",
            None,
            Ending.FORBIDDEN,
            "tried to use the network",
            id="network",
        ),
        pytest.param(
            "import os\ndef find(problem):\n    os.kill(os.getppid(), 9)\n",
            None,
            Ending.FORBIDDEN,
            "tried to send a signal to another process",
            id="kill the grader",
        ),
        pytest.param(
            "def find(problem):\n    while True:\n        print('x' * 1000)\n",
            None,
            Ending.OUTPUT_LIMIT,
            "output limit: it printed more than 1,000 kB; take the print statements out",
            id="output flood",
        ),
        pytest.param(
            "import os\ndef find(problem):\n    os._exit(3)\n",
            None,
            Ending.EXIT,
            "it ended the program with exit code 3 (os._exit?); return an answer instead",
            id="os._exit",
        ),
        pytest.param(
            "import sys\nsys.exit()\n",
            None,
            Ending.EXIT,
            "it ended the program with sys.exit(), in line 2 (sys.exit()); return an answer instead",
            id="sys.exit while loading",
        ),
        pytest.param(
            "import ctypes\ndef find(problem):\n    ctypes.string_at(0)\n",
            None,
            Ending.CRASH,
            "crashed: SIGSEGV; often that is a recursion that is too deep",
            id="crash",
            marks=posix,
        ),
        pytest.param(
            "import os\ndef find(problem):\n    os.closerange(0, 100)\n",
            None,
            Ending.EXIT,
            "it ended the program",
            id="closes everything",
        ),
        pytest.param(
            "def find(problem:\n    pass\n",
            None,
            Ending.UNUSABLE,
            "student.py, line 1: not valid Python: '(' was never closed: def find(problem:",
            id="syntax error",
        ),
        pytest.param(
            "import nosuchmodule\n",
            None,
            Ending.UNUSABLE,
            "loading the file raised ModuleNotFoundError: No module named 'nosuchmodule', in line 1",
            id="import error",
        ),
        pytest.param(
            "def fimd(problem):\n    pass\n",
            None,
            Ending.MISSING,
            "student.py has no 'find'; did you mean fimd?",
            id="name missing",
        ),
        pytest.param(
            "find = [1]\n",
            None,
            Ending.MISSING,
            "find in student.py is [1]; expected a function",
            id="no function",
        ),
    ],
)
def test_ends_with_its_reason(
    run: Run, code: str, limits: RunLimits | None, ending: Ending, told: str
) -> None:
    """The ways to end are distinguished, with the line if it is known."""
    outcome = run(code, limits)
    assert (outcome.failure.ending, outcome.answers) == (ending, ())
    assert told in outcome.failure.reason(limits or RunLimits(memory=256))


@pytest.mark.parametrize(
    ("code", "kind", "detail", "place"),
    [
        (
            "import sys\ndef find(problem):\n    sys.exit('bye')\n",
            "exit",
            "sys.exit('bye')",
            "line 3 (sys.exit('bye'))",
        ),
        ("def find(problem):\n    return {}[3]\n", "raised", "KeyError: 3", "line 2 (return {}[3])"),
        (
            "def find(problem):\n    return input()\n",
            "raised",
            "EOFError: EOF when reading a line",
            "line 2 (return input())",
        ),
        (
            "def find(problem):\n    return find(problem)\n",
            "raised",
            "RecursionError: maximum recursion depth exceeded",
            "line 2 (return find(problem))",
        ),
        (
            "def find(problem):\n    while True:\n        for state in problem.initial_states():\n"
            "            problem.successors(state)\n",
            "expansions",
            "1,000",
            "line 4 (problem.successors(state))",
        ),
    ],
)
def test_what_is_raised_ends_the_case_and_not_the_process(
    run: Run, code: str, kind: str, detail: str, place: str
) -> None:
    """The next case is run all the same, and the failure names the student's own line."""
    outcome = run(code, cases=2)
    assert outcome.finished
    assert outcome.answers == (Failure(Ending(kind), detail, place),) * 2


def test_what_is_printed_is_kept_apart_from_the_answer(run: Run) -> None:
    """Neither output that looks like an answer nor raw writes get among the answers."""
    outcome = run(
        """
        import os, sys
        def find(problem):
            print('{"answer": {"path": []}}')
            os.write(1, b"one\\n")
            os.write(2, b"two\\n")
            sys.__stdout__.write("three\\n")
        """
    )
    assert outcome.answers == ({"expanded": (), "path": None},)
    assert all(word in outcome.printed for word in ("answer", "one", "two", "three"))


def test_cases_before_the_end_are_kept(run: Run) -> None:
    """Answers from before the end of the process count."""
    outcome = run(
        """
        calls = []
        def find(problem):
            calls.append(1)
            while len(calls) == 3:
                pass
            return list(problem.initial_states())
        """,
        SHORT,
        cases=4,
    )
    assert outcome.failure.ending is Ending.TIME_LIMIT
    assert outcome.answers == ({"expanded": (), "path": [(1, 1)]},) * 2


def test_files_may_be_written_in_the_own_directory_alone(run: Run) -> None:
    """The directory is empty at first, and removed at the end; installed packages can be read, not changed."""
    outcome = run(
        """
        import os, shutil
        from pathlib import Path
        def find(problem):
            assert list(Path().iterdir()) == []
            Path("notes").write_text("x")
            Path("folder").mkdir()
            Path("folder/more").write_text("x")
            shutil.rmtree("folder")
            os.remove("notes")
            print(os.getcwd(), Path(os.__file__).read_text()[0])
        """
    )
    assert outcome.answers == ({"expanded": (), "path": None},)
    directory, first = outcome.printed.split()
    assert first == "r"
    assert not Path(directory).exists()


@pytest.mark.parametrize(
    "call", ["Path({!r}).write_text('')", "os.remove({!r})", "shutil.rmtree(os.path.dirname({!r}))"]
)
def test_other_files_are_safe(run: Run, tmp_path: Path, call: str) -> None:
    """A submission that deletes files does not delete the teacher's."""
    kept = tmp_path / "folder" / "marks.txt"
    kept.parent.mkdir()
    kept.write_text("all of them")
    code = f"import os, shutil\nfrom pathlib import Path\ndef find(problem):\n    {call.format(str(kept))}\n"
    outcome = run(code)
    assert outcome.failure.ending is Ending.FORBIDDEN
    assert f"the file {kept.parent}" in reason(outcome)
    assert kept.read_text() == "all of them"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are counted in /proc")
def test_no_process_is_left(run: Run) -> None:
    """The whole group is killed at the end, threads of the student's and all."""
    run(
        "import threading\ndef find(problem):\n    threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\n"
    )
    own = str(os.getpid())
    children = [
        process.name
        for process in Path("/proc").iterdir()
        if process.name.isdigit() and _parent(process) == own and _runs_worker(process)
    ]
    assert children == []


def _parent(process: Path) -> str:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[1]
    except OSError:
        return ""


def _runs_worker(process: Path) -> bool:
    try:
        return b"searchkit_coursework.student.worker" in (process / "cmdline").read_bytes()
    except OSError:
        return False


def test_an_engine_of_searchkit_s_form_is_given_a_tree(run: Run) -> None:
    """Without importing anything of searchkit's."""
    outcome = run(
        """
        def find(problem, tree):
            for state in problem.initial_states():
                tree.start(state)
            waiting = list(tree.reached)
            while waiting:
                state = waiting.pop(0)
                if problem.is_goal(state):
                    return tree.finish(state)
                yield state
                for action, successor in problem.successors(state):
                    if successor not in tree.reached:
                        tree.reached[successor] = (tree.reached[state][0] + 1, state, action)
                        waiting.append(successor)
        """
    )
    assert outcome.answers[0]["path"][-1] == (3, 3), reason(outcome)
