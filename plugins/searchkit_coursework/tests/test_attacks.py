"""Whatever a submission does, it has one reason, and no effect: on points, files, other processes or the run."""

import os
import signal
from pathlib import Path
from textwrap import indent

import pytest

from searchkit_coursework import sandbox
from searchkit_coursework.grader import Grader
from searchkit_coursework.rubric import read_rubric
from searchkit_coursework.service import clean
from searchkit_coursework.student.containment import CALLS, FILES
from searchkit_coursework.tests.conftest import GradeCode, message

LOOP = "while True:\n    pass"
RAW = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nlibc.syscall.restype = ctypes.c_long\n"
GUESS = """
from collections import deque

def find(problem):
    start = problem.initial_states()[0]
    parents, frontier = {start: None}, deque([start])
    while frontier:
        cell = frontier.popleft()
        if GOAL:
            path = []
            while cell is not None:
                path.append(cell)
                cell = parents[cell]
            return path[::-1]
        x, y = cell
        for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if other not in parents and FREE:
                parents[other] = cell
                frontier.append(other)
"""
CORRECT = """
frontier = [[state] for state in problem.initial_states()]
for path in frontier:
    if problem.is_goal(path[-1]):
        return path
    frontier += [[*path, state] for _, state in problem.successors(path[-1]) if state not in path]
"""
FORGED = "import os\nfor n in range(3, 20):\n    try: os.write(n, {!r} + b'\\n')\n    except OSError: pass"
OUT_OF_REACH = (
    "raised PermissionError",
    "raised OSError",
    "raised FileNotFoundError",
    "raised BlockingIOError",
)
ENDS = {
    # limits
    "endless loop": (LOOP, "time limit: still running after 0.5 s, in line "),
    "endless loop outside of Python": (
        "from itertools import repeat\nsum(repeat(0))",
        "time limit: still running after 0.5 s, in line 3 (sum(repeat(0)))",
    ),
    "the clock stopped": (
        f"import faulthandler\nfaulthandler.cancel_dump_traceback_later()\n{LOOP}",
        "time limit: still",
    ),
    "questions without end": (
        "import faulthandler\nfaulthandler.cancel_dump_traceback_later()\n"
        "while True: problem._ask('get', 'nothing')",
        "time limit",
    ),
    "stops itself": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        ("time limit", "returned None"),
    ),
    "10 GB at once": (
        "return bytearray(10 * 10**9)",
        "memory limit: it asked for more than 256 MB, in line 2 (return",
    ),
    "1.2 GB in anonymous files": (
        "import os\nfor _ in range(12):\n    os.write(os.memfd_create('x'), bytes(100 << 20))",
        "raised PermissionError",
    ),
    "480 MB of disk": (
        f"for n in range(12):\n    with open(str(n), 'wb') as file: file.write(bytes(40 << 20))\n{LOOP}",
        (
            "raised OSError: [Errno 28] No space left",
            "disk limit: it wrote more than 50 MB",
            "raised OSError",
        ),
    ),
    "output": (
        "while True:\n    print('x' * 1000)",
        "raised OSError: [Errno 27] File too large, in line 3 (print('x' * 1000)); files, and what is printed",
    ),
    "expansions": (
        "try:\n    while True: problem.successors((1, 1))\nexcept BaseException: return [(1, 1)]",
        "it asked for successors 1,000 times",
    ),
    # ends
    "os._exit": (
        "import os\nos._exit(3)",
        "it ended the program with exit code 3 (os._exit?); return an answer",
    ),
    "sys.exit": (
        "import sys\nsys.exit('bye')",
        "it ended the program with sys.exit('bye'), in line 3 (sys.exit(",
    ),
    "crash": (
        "import ctypes\nctypes.string_at(0)",
        "crashed: SIGSEGV, in line 3 (ctypes.string_at(0)); often that is a recursion that is too deep",
    ),
    "kills its group": (f"import os\nos.kill(0, {int(signal.SIGTERM)})", "raised PermissionError"),
    "KeyError": ("return {}[3]", "raised KeyError: 3, in line 2 (return {}[3])"),
    "input": (
        "return input()",
        "raised EOFError: EOF when reading a line, in line 2 (return input()); nobody is there",
    ),
    "recursion": ("return find(problem)", "raised RecursionError: maximum recursion depth exceeded"),
    "no Exception at all": ("class E(BaseException): pass\nraise E", "raised E"),
    "deep recursion": (
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f() + 1\nf()",
        ("crashed: SIGSEGV", "memory limit", "RecursionError", "time limit"),
    ),
    # processes and the network
    "fork": (
        "import os\nwhile True: os.fork()",
        "raised PermissionError: [Errno 1] Operation not permitted, in line 3",
    ),
    "subprocess": ("import subprocess\nsubprocess.run(['true'])", OUT_OF_REACH),
    "20 processes by a raw system call": (
        f"{RAW}pids = [libc.syscall(57 if os.uname().machine == 'x86_64' else 220, 17) for _ in range(20)]\n"
        "raise SystemExit(max(pids))",
        "sys.exit(-1)",
    ),
    "a thread": (
        "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()",
        "it returned None",
    ),
    "threads left behind": (
        "import threading\nthreading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\nreturn []",
        "returned an empty list",
    ),
    "network": ("import socket\nsocket.create_connection(('127.0.0.1', 9))", "raised PermissionError"),
    # messages that can't be shown
    "escape sequences": ("raise ValueError('\\x1b[31mred\\x07')", "ValueError: ␛[31mred␇, in"),
    "str() raises": (
        "class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E",
        "(it can't be shown)",
    ),
    "str() never ends": (
        "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E",
        "time limit",
    ),
    # answers of another form
    "repr() of the answer raises": (
        "class A:\n    def __repr__(self): 1 / 0\nreturn A()",
        "it returned A (it can't be shown)",
    ),
    "the answer claims to be a list": (
        "class A:\n    __class__ = list\n    def __getitem__(self, i): 1 / 0\nreturn A()",
        "raised ZeroDivisionError",
    ),
    "a state that equals everything": (
        "class A:\n    __hash__ = lambda self: hash((1, 1))\n    __eq__ = lambda *_: True\nreturn [A()]",
        "the path ends in (1, 1), which is not a goal",
    ),
    "a path that never ends": (
        "class A(list):\n    def __getitem__(self, i): return self\n    def __iter__(self):\n"
        "        while True: yield (1, 1)\nreturn A()",
        "time limit",
    ),
    "a path of itself": (
        "path = []\npath.append(path)\nreturn path",
        "item 0 of the list it returned is [[...]]",
    ),
    "a path with escapes": (
        "return ['\\x1b[2J\\ud800']",
        r"item 0 of the list it returned is '\x1b[2J\ud800'",
    ),
    # attacks on the channel
    "modules deleted": ("import sys\nsys.modules.clear()\nreturn []", "returned an empty list"),
    "os.write replaced": ("import os\nos.write = lambda *_: 1 / 0", ("it ended the program", "raised")),
    "stdout closed": ("import sys\nsys.stdout.close()\nreturn []", "returned an empty list"),
    "bytes to every descriptor": (
        FORGED.format(b"\xff\x00 no JSON"),
        "its answers can't be read: it wrote to a file",
    ),
    "JSON of great depth": (FORGED.format(b"[" * 60000), "its answers can't be read"),
    # points without a search
    "searchkit": ("from searchkit import solve", "raised ModuleNotFoundError: No module named 'searchkit'"),
    "searchkit by its path": (
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parents[3])!r})\nimport searchkit",
        ("ModuleNotFoundError", "PermissionError"),
    ),
    "the problem of the grader": ("problem._problem", "raised AttributeError"),
    "a method of the problem": (
        "problem.with_goals",
        "raised AttributeError: the problem has no data 'with_goals'",
    ),
    "a state that was not told": (
        "problem.successors((3, 3))",
        "raised ValueError: (3, 3) is not a state that the",
    ),
    "a number that was not told": ("return problem._ask('expand', 5)", "its answers can't be read"),
    "the right path without a question": (
        "return [(1, 1), (2, 1), (3, 1), (3, 2), (3, 3)]",
        "item 1 of the list it returned is (2, 1), which is not a state that the problem returned",
    ),
}
"""What the code does → the body of a search, and the possible messages for the student."""
LOADING = {
    "endless loop": (LOOP, "time limit: "),
    "sys.exit": ("import sys\nsys.exit()", "it ended the program with sys.exit(), in line 2 (sys.exit())"),
    "syntax error": (
        "def find(problem:\n    pass",
        "student.py, line 1: not valid Python: '(' was never closed: def",
    ),
    "import error": (
        "import nosuch",
        "loading the file raised ModuleNotFoundError: No module named 'nosuch', in line 1",
    ),
    "misnamed": ("def fimd(problem):\n    pass", "student.py has no 'find'; did you mean fimd?"),
    "no function": ("find = [1]", "find in student.py is [1]; expected a function"),
    "protections claimed": (
        'import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == "Worker":\n'
        '        o._send({"protected": ["all"]})\ndef find(problem): pass',
        "its answers can't be read",
    ),
}
posix = pytest.mark.skipif(os.name != "posix", reason="file descriptors and signals of POSIX systems")


@pytest.fixture(params=["bubblewrap", "self-restricted"])
def contained(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Run a test in each of the containments that this system has; return whether it is bubblewrap."""
    is_bwrap = bool(request.param == "bubblewrap")
    if is_bwrap and not sandbox.bwrap_works():
        pytest.skip("bubblewrap is not installed, or not allowed to make namespaces here")
    monkeypatch.setattr(sandbox, "bwrap_works", lambda: is_bwrap)
    return is_bwrap


def search(body: str) -> str:
    """Return a search with this body."""
    return f"def find(problem):\n{indent(body, '    ')}\n"


@posix
@pytest.mark.parametrize("name", [*ENDS, *(f"{name}, while loading" for name in LOADING)])
def test_one_reason(grade: GradeCode, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Which any terminal and any file can show."""
    is_loading = name.endswith(", while loading")
    code, expected = LOADING[name.removesuffix(", while loading")] if is_loading else ENDS[name]
    monkeypatch.setattr(sandbox, "GRACE_SECONDS", 0.3)
    slow = "time limit" in str(expected) or "never ends" in str(expected)
    graded = grade(code if is_loading else search(code), seconds=0.5 if slow else 5)
    reason = message(graded)
    assert any(each in reason for each in ([expected] if isinstance(expected, str) else expected)), reason
    assert (graded.score, clean(reason, 10_000, lines=True)) == (0, reason)
    assert len(reason) < 1000
    reason.encode()


@pytest.mark.parametrize(
    ("free", "goal"),
    [
        ("can(problem.heuristic, other)", "problem.is_goal(cell)"),
        ("can(problem.is_goal, other)", "cell == (3, 3)"),
        ("can(lambda to: problem.cost(cell, 'E', to), other)", "cell == (3, 3)"),
        ("other in {(2, 1), (3, 1), (3, 2), (3, 3)}", "cell == (3, 3)"),
    ],
)
def test_no_points_without_a_search(grade: GradeCode, free: str, goal: str) -> None:
    """Questions about cells that were never told are not answered, and a path has to be asked for step by step."""
    can = "def can(ask, cell):\n    try: ask(cell)\n    except Exception: return False\n    return True\n"
    code = can + GUESS.replace("FREE", free).replace("GOAL", goal)
    properties = ("valid", "optimal", "complete", "expands-at-most", "order")
    assert [mark.score for mark in grade(code, *properties).marks] == [0] * len(properties)


@posix
@pytest.mark.parametrize(
    "opened", ["os.open('.', os.O_TMPFILE | os.O_RDWR)", "os.open(n, os.O_CREAT | os.O_RDWR); os.unlink(n)"]
)
def test_files_without_a_name_are_counted(grade: GradeCode, contained: bool, opened: str) -> None:
    """Those that were never in a folder, and those that were deleted and are open: that was up to 5 GB."""
    code = f"import os\nfor n in map(str, range(99)):\n    file = {opened}\n    os.write(file, bytes(40 << 20))\n{LOOP}"
    assert any(
        each in message(grade(search(code))) for each in ("No space left", "disk limit: it wrote more than")
    )


@posix
def test_no_folder_hides_files(grade: GradeCode, contained: bool) -> None:
    """Files in folders that can't be read, or that lie very deep, were not counted, nor were the folders deleted."""
    deep = grade(
        search("import os\nfor _ in range(2000):\n    os.mkdir('d', 0o300)\n    os.chdir('d')\nreturn []")
    )
    assert not deep.ungraded
    assert contained or "raised PermissionError" in message(deep)


@posix
def test_a_forged_number_that_no_float_can_be_is_no_fault_of_the_grader(grade: GradeCode) -> None:
    """The submission has no points, and is not called ungraded."""
    forged = FORGED.format(b'{"values": [' + b", ".join([b"1" * 400] * 8) + b"]}\\n")
    graded = grade(
        f"def h(state, problem):\n{indent(forged, '    ')}\n    return 0", "admissible", function="h"
    )
    assert (graded.score, graded.ungraded, "can't be read" in message(graded)) == (0, False, True)


def test_few_expansions_are_no_merit_of_their_own(grade: GradeCode) -> None:
    """A path that was known before is expanded alone: that is not A*, which expands all states with f below C*."""
    code = search(
        "path = [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3)]\nfor state in path[:-1]: problem.successors(state)\n"
        "return path"
    )
    valid, few, order = grade(code, "valid", "expands-at-most", "order").marks
    assert (valid.score, few.score, order.score) == (1, 1, 0)
    assert "it did not expand (2, 1) with 1, which comes before the goal" in order.message


def test_expansions_are_counted_where_they_can_t_be_changed(grade: GradeCode) -> None:
    """Each answer counts as one, whatever the student's process does."""
    code = search(
        "for _ in range(2): problem.successors((1, 1))\nproblem._ask('expand', 0)\nvars(problem)['_edges'].clear()\n"
        "problem.cost((1, 1), 'E', (2, 1))\n" + CORRECT
    )
    assert "expanded (1, 1) twice" in message(grade(code, "order"))


RAW_CALLS = {
    "writes": "libc.open({victim}, os.O_WRONLY | os.O_TRUNC)",
    "makes": "libc.open({folder} + b'/new', os.O_WRONLY | os.O_CREAT, 0o600)",
    "removes": "libc.unlink({victim})",
    "renames": "libc.rename({victim}, {folder} + b'/other')",
    "puts": "libc.rename(b'mine', {victim})",
    "links": "libc.link({victim}, b'linked')",
    "makes a folder": "libc.mkdir({folder} + b'/new', 0o700)",
    "removes a folder": "libc.rmdir({folder} + b'/empty')",
    "truncates": "libc.truncate({victim}, 0)",
    "reads": "libc.open({victim}, 0)",
    "lists": "libc.open({folder}, os.O_DIRECTORY)",
    "starts a program": "libc.execv(b'/bin/sh', (ctypes.c_char_p * 3)(b'sh', b'-c', None))",
    "forks": "libc.fork()",
    "signals": "libc.kill({grader}, 0)",
    "changes a mode": "libc.chmod({victim}, 0o777)",
    "changes times": "libc.utimes({victim}, None)",
    "traces": "libc.ptrace(16, {grader}, 0, 0)",
    "shares memory": "libc.shmget(0, 1 << 20, 0o1600)",
    "makes namespaces": "libc.unshare(0x10000000)",
    "connects": "libc.socket(2, 1, 0)",
}


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="system calls of Linux")
def test_the_kernel_keeps_code_in_its_directory(grade: GradeCode, contained: bool, tmp_path: Path) -> None:
    """Any call, even one that avoids Python: all of them fail, in bubblewrap and without."""
    folder = tmp_path / "folder"
    (folder / "empty").mkdir(parents=True)
    victim = folder / "marks.txt"
    victim.write_text("all of them", encoding="utf-8")
    names = {"victim": os.fsencode(victim), "folder": os.fsencode(folder), "grader": os.getpid()}
    calls = "\n".join(
        f"print({name!r}, {call.format(**names)}, sep=': ', flush=True)" for name, call in RAW_CALLS.items()
    )
    # Without protection, it could only harm the test's own folder and send the signal 0.
    graded = grade(search(f"{RAW}open('mine', 'w').close()\n{calls}"))
    if not {sandbox.BWRAP if contained else FILES, CALLS} <= set(graded.protections):
        pytest.skip(f"this system has only {graded.protections}")
    got = dict(line.split(": ") for line in graded.printed.splitlines())
    assert got == dict.fromkeys(RAW_CALLS, "-1"), message(graded)
    assert victim.read_text(encoding="utf-8") == "all of them"
    assert {each.name for each in folder.iterdir()} == {"empty", "marks.txt"}


def test_what_a_submission_can_use(grade: GradeCode, contained: bool, tmp_path: Path) -> None:
    """Its folder, an empty working directory, and the standard library; no secret, and no installed package."""
    helper = tmp_path / "student" / "helper.py"
    helper.parent.mkdir()
    helper.write_text("PATH = []\n", encoding="utf-8")
    body = (
        "import helper, json, os, sqlite3\nfrom pathlib import Path\n"
        "assert list(Path().iterdir()) == []\nPath('x').write_text('x')\nos.remove('x')\n"
        "print(*sorted(os.environ))\nreturn helper.PATH"
    )
    graded = grade(search(body), top='submissions = "*/student.py"')
    assert "returned an empty list" in message(graded)
    allowed = "HOME LANG LC_CTYPE PATH PWD PYTHONHASHSEED PYTHONUNBUFFERED TMPDIR TZ"
    assert set(graded.printed.split()) <= set(allowed.split())
    assert "No module named 'sortedcontainers'" in message(grade(search("import sortedcontainers")))


def test_the_folder_of_a_class_is_not_one_s_own(grade: GradeCode, contained: bool, tmp_path: Path) -> None:
    """A submission that is graded alone can't read those beside it either, nor the maps of the rubric."""
    (tmp_path / "student").mkdir()
    other = tmp_path / "student" / "other.py"
    other.write_text("PATH = []\n", encoding="utf-8")
    for file in (other, tmp_path / "maze.txt"):
        graded = grade(search(f"print(open({str(file)!r}).read())"))
        assert any(
            f": raised {error}" in message(graded) for error in ("FileNotFoundError", "PermissionError")
        )
        assert graded.printed == ""
    assert "No module named 'other'" in message(grade(search("import other")))


def test_a_heuristic_that_raises_names_map_and_state(grade: GradeCode) -> None:
    """Otherwise nobody could reproduce it."""
    code = "def h(state, problem):\n    return {}[3] if state == (3, 1) else 0\n"
    assert message(grade(code, "admissible", function="h")).splitlines()[:2] == [
        "right on 0 of 1 map",
        "maze.txt: raised KeyError: 3 at (3, 1), in line 2 (return {}[3] if state == (3, 1) else 0)",
    ]


def test_other_maps_are_tried_after_a_failure(grade: GradeCode) -> None:
    """What is raised ends the map and not the process; what ends the process is tried twice more."""
    raises = grade(
        search("calls.append(1)\nif len(calls) == 2: raise KeyError\n" + CORRECT) + "calls = []\n", maps=4
    )
    assert raises.marks[0].message.splitlines()[0] == "right on 3 of 4 maps"
    ends = grade(
        search("import os\ncalls.append(1)\nif len(calls) == 2: os._exit(1)\n" + CORRECT) + "calls = []\n",
        maps=6,
    )
    assert (ends.marks[0].right, ends.marks[0].judged) == (3, 6)


def test_what_is_printed_is_kept_apart_and_shown_without_control_characters(grade: GradeCode) -> None:
    """Except line ends."""
    graded = grade(
        search(
            "import os\nprint('{\"answer\": {\"path\": []}}\\ta\\x1b[2J\\x9b')\nos.write(1, b'one\\n')\n"
            + CORRECT
        )
    )
    assert graded.score == 1
    assert graded.printed == '{"answer": {"path": []}}␉a␛[2J\ufffd\none\n'


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are counted in /proc")
def test_no_process_is_left(grade: GradeCode) -> None:
    """At the end, all are killed, threads of the student's and all."""
    grade(search(ENDS["threads left behind"][0]))
    own = [stat.read_text().rpartition(")")[2].split() for stat in Path("/proc/self/task").glob("*/children")]
    assert [pid for pids in own for pid in pids if b"searchkit_coursework" in _command(pid)] == []


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_search_does_not_know_what_a_heuristic_was_told(grade: GradeCode, tmp_path: Path) -> None:
    """A heuristic is asked for every state of a map; a search of the same file has to find them."""
    code = "TOLD = []\ndef find(problem): raise ValueError(len(TOLD))\ndef h(state, problem):\n    TOLD.append(state)\n"
    heuristic = (
        '[[criteria]]\nname = "h"\nfunction = "h"\nproperty = "consistent"\nmaps = "all"\npoints = 1\n'
    )
    grade(code)
    rubric = tmp_path / "rubric.toml"
    text = rubric.read_text(encoding="utf-8")
    before, criteria = text.split("[[criteria]]", 1)
    rubric.write_text(f"{before}{heuristic}[[criteria]]{criteria}", encoding="utf-8")
    marks = Grader(read_rubric(rubric)).grade(tmp_path / "student" / "student.py").marks
    assert "raised ValueError: 0, in line 2" in marks[1].message
