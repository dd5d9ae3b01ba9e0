"""Points that are not deserved, and the ways out of a student's process: each attack fails."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from searchkit_coursework.sandbox import supervision
from searchkit_coursework.sandbox.access import Access
from searchkit_coursework.sandbox.endings import Ending, Failure, RunLimits
from searchkit_coursework.sandbox.jobs import Outcome, Sandbox
from searchkit_coursework.sandbox.service import Book, Service
from searchkit_coursework.sandbox.supervision import Process, Supervision
from searchkit_coursework.student import containment
from searchkit_coursework.student.containment import FILES, NETWORK, PROTECTIONS
from searchkit_coursework.student.values import HiddenError, Record, decode, encode

Run = Callable[..., Outcome]
ROOT = Path(__file__).parents[3]
LIMITS = RunLimits(seconds=5, memory=256)


def find(code: str) -> str:
    """Return a search with this body."""
    return "def find(problem):\n" + indent(code, "    ") + "\n"


def reason(outcome: Outcome) -> str:
    """Return what the student is told of the one map."""
    answer = outcome.answers[0] if outcome.answers else outcome.failure
    return answer.reason(LIMITS) if isinstance(answer, Failure) else str(answer)


def needs(outcome: Outcome, *protections: str) -> None:
    """Skip a test where the system does not offer a protection."""
    for protection in protections:
        if protection not in outcome.protections:
            pytest.skip(f"this system does not protect {protection}")


@pytest.mark.parametrize(
    "code",
    [
        "from searchkit import solve",
        "import searchkit",
        "import searchkit.engines.astar",
        "from searchkit.search.driver import Search",
        "import importlib; importlib.import_module('searchkit.search.distances')",
        "__import__('searchkit.certificates.verdict')",
        "import searchkit_dungeon",
        "exec('import searchkit')",
    ],
)
def test_searchkit_s_own_engines_can_t_be_imported(run: Run, code: str) -> None:
    """Nor its plugins; what of searchkit the process itself is made of is forgotten."""
    assert "may not be imported in this assignment" in reason(run(find(code)))


def test_searchkit_s_files_are_out_of_reach(run: Run) -> None:
    """Also for code that takes the refusal of imports away."""
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
    """There is nothing inside."""
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
    """Each answer that tells of new states is one, whatever the student's process does with it."""
    service = Service(book, "search")
    outcome = run(find("ask = problem._ask\n" + code), services=[service])
    assert outcome.finished
    assert len(outcome.answers[0]["expanded"]) == len(service.expanded) == 3, reason(outcome)


def test_an_action_s_cost_is_not_told_before_the_state_is_expanded(run: Run, book: Book) -> None:
    """Otherwise the map could be felt out by guessing states."""
    code = "problem.cost((1, 1), 'E', (2, 1))"
    outcome = run(find(code))
    assert outcome.answers[0]["expanded"] == ((1, 1),)


def test_more_expansions_than_allowed_can_t_be_denied(run: Run) -> None:
    """Code that catches what is raised, and then returns an answer, has expanded too many all the same."""
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
    """What the process can't have to say is that submission's failure; nothing of it reaches the grader."""
    assert ending_of(book, tmp_path, message) is Ending.GARBLED


@pytest.mark.parametrize(
    "message", ['["find", "(1, 1)"]', '["get", "nosuch"]', '["expand", 0]', '["expand",\t0]']
)
def test_questions_are_no_forgery(book: Book, tmp_path: Path, message: str) -> None:
    """So that the test above can fail."""
    assert ending_of(book, tmp_path, message) is Ending.FINISHED


def ending_of(book: Book, directory: Path, message: str) -> Ending:
    """Return how a process ends that says this before its answer."""
    said = directory / "said"
    begin = ['{"ready": true}', '{"protected": []}', '{"loaded": true}']
    said.write_text("\n".join([*begin, message, '{"answer": {"path": null}}', ""]), encoding="utf-8")
    pipe, service = subprocess.PIPE, Service(book, "search")
    with subprocess.Popen(["cat", said], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        watcher = Supervision(Process(process), LIMITS, [service])
        watcher._service = service
        return watcher.watch({}).ending


def test_a_forged_answer_is_judged_like_any_other(run: Run) -> None:
    """It is what the function might have returned; the count stays."""
    code = """
send = problem._ask.__closure__[0].cell_contents.send
problem.successors((1, 1))
send({"answer": {"path": [0, 1], "expanded": []}})
while True: pass
"""
    outcome = run(find(code))
    assert outcome.answers == ({"path": [(1, 1), (2, 1)], "expanded": ((1, 1),)},)


def test_questions_without_end_do_not_move_the_deadline(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a map is counted from the moment at which it was handed out."""
    code = """
import signal
signal.setitimer(signal.ITIMER_REAL, 0)
while True: problem._ask("find", "nothing")
"""
    monkeypatch.setattr(supervision, "GRACE_SECONDS", 0.1)
    outcome = run(find(code), RunLimits(seconds=0.1))
    assert outcome.failure.ending is Ending.TIME_LIMIT


def test_protections_can_t_be_claimed(run: Run) -> None:
    """They are said before any line of the student's is run."""
    outcome = run(
        'import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == "Channel":\n'
        '        o.send({"protected": ["all"]})\ndef find(problem): pass\n'
    )
    assert outcome.failure.ending is Ending.GARBLED
    assert set(outcome.protections) <= set(PROTECTIONS)


def test_the_environment_is_what_is_needed(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No secret, no path of the grader's."""
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    outcome = run(find("import os, sys\nprint(*os.environ)\nprint(os.environ, sys.argv, sys.path)"))
    names, values = outcome.printed.split("\n", 1)
    needed = {"HOME", "TMPDIR", "LANG", "PATH", "PYTHONHASHSEED", "PYTHONUNBUFFERED", "TZ", "LC_CTYPE"}
    needed |= {"SEARCHKIT_FINISH_COMPILING"}
    assert set(names.split()) <= needed
    assert str(ROOT / "searchkit") not in values
    assert "maze.txt" not in values


def test_the_reference_solution_can_t_be_read(run: Run, tmp_path: Path) -> None:
    """Nor the maps, nor other submissions: the audit says so, and the kernel holds it."""
    for name in ("solution.py", "maze.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")
        place = str(tmp_path / name)
        access = Access(private=(tmp_path,))
        assert reason(run(find(f"open({place!r})"), access=access)).startswith(
            f"tried to read the file {place}"
        )
        code = f"import ctypes\nprint(ctypes.CDLL(None).open({os.fsencode(place)!r}, 0))"
        outcome = run(find(code), access=access)
        needs(outcome, FILES)
        assert outcome.printed == "-1\n"


def test_files_beside_a_submission_are_its_own_if_the_folder_is(tmp_path: Path) -> None:
    """A folder with other submissions, or with the rubric, is not."""
    ada, bob = tmp_path / "class" / "ada.py", tmp_path / "class" / "bob.py"
    access = Access(private=(tmp_path,))
    assert access.of(ada) == ([str(ada.parent)], True)
    assert access.of(ada, [ada, bob]) == ([str(ada)], False)
    assert access.of(tmp_path / "ada.py") == ([str(tmp_path / "ada.py")], False)


@pytest.mark.parametrize("shared", [False, True])
def test_helpers_can_be_imported_from_an_own_folder_alone(
    student: Callable[[str], Path], job_of: Any, book: Book, shared: bool
) -> None:
    """From a folder with other submissions nothing can: it might be another student's."""
    file = student(find("import helper\nreturn helper.PATH"))
    (file.parent / "helper.py").write_text("PATH = [(1, 1)]\n", encoding="utf-8")
    job = job_of(file)
    if shared:
        readable, folder = Access().of(file.resolve(), [file.parent / "helper.py"])
        job |= {"folder": folder, "readable": [*Access().readable, *readable]}
    outcome = Sandbox().grade(job, LIMITS, [Service(book, "search")])
    if shared:
        assert "ModuleNotFoundError: No module named 'helper'" in reason(outcome)
    else:
        assert outcome.answers[0] == {"path": [(1, 1)], "expanded": ()}


RAW = {
    "writes": "libc.open({victim}, os.O_WRONLY | os.O_TRUNC)",
    "makes": "libc.open({folder} + b'/new', os.O_WRONLY | os.O_CREAT, 0o600)",
    "removes": "libc.unlink({victim})",
    "renames": "libc.rename({victim}, {folder} + b'/other')",
    "takes": "libc.rename({victim}, b'mine')",
    "puts": "libc.rename(b'mine', {victim})",
    "links": "libc.link({victim}, b'linked')",
    "links symbolically": "libc.symlink(b'/etc/passwd', {folder} + b'/link')",
    "makes a folder": "libc.mkdir({folder} + b'/new', 0o700)",
    "removes a folder": "libc.rmdir({folder} + b'/empty')",
    "truncates": "libc.truncate({victim}, 0)",
    "reads": "libc.open({victim}, 0)",
    "lists": "libc.open({folder}, os.O_DIRECTORY)",
    "starts a program": "libc.execv(b'/bin/sh', (ctypes.c_char_p * 3)(b'sh', b'-c', None))",
    "signals": "libc.kill({grader}, 0)",
    "changes a mode": "libc.chmod({victim}, 0o777)",
    "changes times": "libc.utimes({victim}, None)",
    "traces": "libc.ptrace(16, {grader}, 0, 0)",
}
"""System calls that no audit sees."""


@pytest.mark.skipif(os.name != "posix", reason="system calls of POSIX systems")
@pytest.mark.parametrize("alone", [True, False])
def test_the_kernel_keeps_code_in_its_directory(
    student: Callable[[str], Path], job_of: Any, book: Book, tmp_path: Path, alone: bool
) -> None:
    """Whatever it calls, past Python: all of it fails, in namespaces and without."""
    folder = tmp_path / "folder"
    (folder / "empty").mkdir(parents=True)
    victim = folder / "marks.txt"
    victim.write_text("all of them", encoding="utf-8")
    names = {"victim": os.fsencode(victim), "folder": os.fsencode(folder), "grader": os.getpid()}
    calls = "\n".join(f"print({name!r}, {call.format(**names)}, sep=': ')" for name, call in RAW.items())
    code = find(f"import ctypes, os\nlibc = ctypes.CDLL(None)\nopen('mine', 'w').close()\n{calls}")
    # What a system without protection would let it do is the test's own folder and the signal 0.
    outcome = Sandbox(alone=alone).grade(job_of(student(code)), LIMITS, [Service(book, "search")])
    needs(outcome, FILES, *([NETWORK] if alone else []))
    got = dict(line.split(": ") for line in outcome.printed.splitlines())
    # Landlock alone leaves modes and times, and signals before Linux 6.12.
    allowed = set() if alone else {"signals", "changes a mode", "changes times"}
    assert {name for name, result in got.items() if result != "-1"} <= allowed
    assert list(got) == list(RAW)
    assert victim.read_text(encoding="utf-8") == "all of them"
    assert {each.name for each in folder.iterdir()} == {"empty", "marks.txt"}


def test_nothing_outlives_its_grading(run: Run) -> None:
    """A process that was started past Python, and has left the group, ends with the namespace."""
    code = """
import ctypes, os
libc = ctypes.CDLL(None)
if libc.fork() == 0:
    libc.setsid()
    if libc.fork() == 0:
        while True: libc.pause()
    libc._exit(0)
print(os.getcwd())
"""
    outcome = run(find(code))
    needs(outcome, NETWORK)
    assert outcome.finished
    assert any(not is_at_work_in(outcome.printed.strip()) for _ in range(500))  # its end takes a moment


def is_at_work_in(directory: str) -> bool:
    """Whether any process works in a directory."""
    places = [os.fspath(p / "cwd") for p in Path("/proc").iterdir() if p.name.isdigit()]
    return directory in {place(each).removesuffix(" (deleted)") for each in places}


def place(link: str) -> str:
    """Return where a link leads; nowhere, if it is gone."""
    try:
        return os.fspath(Path(link).readlink())
    except OSError:
        return ""


def test_the_network_is_out_of_reach(run: Run) -> None:
    """Also past Python's audit: there is no interface that leads anywhere."""
    outcome = run(find("import socket\nprint(len(socket.if_nameindex()))"))
    needs(outcome, NETWORK)
    assert outcome.printed.strip() == "1"


def test_a_system_without_protections_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is called that is not there."""
    monkeypatch.setattr(containment, "_libc", lambda: None)
    assert containment.confine(["/"], []) is False
    assert containment.isolate(lambda process: None) is False


def test_a_refusal_of_namespaces_is_met_once(
    student: Callable[[str], Path], job_of: Any, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is started again without, and no other is tried with."""
    sandbox, job = Sandbox(), job_of(student(find("return None")))
    inner, starts = Sandbox._start, []

    def start(self: Sandbox, worker: str, directory: str) -> Any:
        starts.append(self.alone)
        if self.alone:
            message = '{"end": {"kind": "refused", "detail": "", "place": ""}}'
            pipe = subprocess.PIPE
            return Process(subprocess.Popen(["echo", message], stdin=pipe, stdout=pipe, stderr=pipe))
        return inner(self, worker, directory)

    monkeypatch.setattr(Sandbox, "_start", start)
    for _ in range(2):
        outcome = sandbox.grade(job, LIMITS, [Service(book, "search")])
        assert outcome.finished
        assert NETWORK not in outcome.protections
    assert starts == [True, False, False]


def test_values_are_data_without_paths_and_functions(tmp_path: Path) -> None:
    """What travels to a student's process leads nowhere."""

    class Vault:
        def __init__(self) -> None:
            self.keys = {"a": (1, 2)}
            self.file = tmp_path
            self.name = f"{tmp_path}/x"

        def solve(self) -> None:
            """Do nothing."""

        def __repr__(self) -> str:
            return "Vault()"

    record = decode(encode(Vault(), [str(tmp_path)]))
    assert isinstance(record, Record)
    assert (dir(record), record.keys, repr(record)) == (["keys"], {"a": (1, 2)}, "Vault()")
    for value in (tmp_path, print, [lambda: 0], {"x": str(tmp_path)}):
        with pytest.raises(HiddenError):
            encode(value, [str(tmp_path)])


def test_signals_of_the_group_do_not_reach_the_grader(run: Run) -> None:
    """`os.killpg` ends the student's own process at most."""
    outcome = run(find(f"import ctypes\nctypes.CDLL(None).kill(0, {int(signal.SIGTERM)})"))
    assert outcome.failure.ending in (Ending.CRASH, Ending.FINISHED)
