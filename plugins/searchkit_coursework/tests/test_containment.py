"""Ways out of a student's process: files, other processes, the network. Each attack fails."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit_coursework.sandbox.access import Access
from searchkit_coursework.sandbox.endings import Ending
from searchkit_coursework.sandbox.jobs import Sandbox
from searchkit_coursework.sandbox.service import Book, Service
from searchkit_coursework.student.containment import FILES, NETWORK
from searchkit_coursework.tests.attacks import LIMITS, ROOT, Run, find, needs, reason


def test_the_environment_is_what_is_needed(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No secret, and no path of the grader."""
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    outcome = run(find("import os, sys\nprint(*os.environ)\nprint(os.environ, sys.argv, sys.path)"))
    names, values = outcome.printed.split("\n", 1)
    needed = {"HOME", "TMPDIR", "LANG", "PATH", "PYTHONHASHSEED", "PYTHONUNBUFFERED", "TZ", "LC_CTYPE"}
    assert set(names.split()) <= needed
    assert str(ROOT / "searchkit") not in values
    assert "maze.txt" not in values


def test_the_reference_solution_can_t_be_read(run: Run, tmp_path: Path) -> None:
    """Nor the maps, nor other submissions: the audit reports it, and the kernel enforces it."""
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
"""System calls that the audit does not see."""


@pytest.mark.skipif(os.name != "posix", reason="system calls of POSIX systems")
@pytest.mark.parametrize("alone", [True, False])
def test_the_kernel_keeps_code_in_its_directory(
    student: Callable[[str], Path], job_of: Any, book: Book, tmp_path: Path, alone: bool
) -> None:
    """Any call, even one that avoids Python: all of them fail, in namespaces and without."""
    folder = tmp_path / "folder"
    (folder / "empty").mkdir(parents=True)
    victim = folder / "marks.txt"
    victim.write_text("all of them", encoding="utf-8")
    names = {"victim": os.fsencode(victim), "folder": os.fsencode(folder), "grader": os.getpid()}
    calls = "\n".join(f"print({name!r}, {call.format(**names)}, sep=': ')" for name, call in RAW.items())
    code = find(f"import ctypes, os\nlibc = ctypes.CDLL(None)\nopen('mine', 'w').close()\n{calls}")
    # Without protection, it could only harm the test's own folder and send the signal 0.
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
    """A process that was started without Python, and has left the group, ends with the namespace."""
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
    """Code that avoids Python's audit can't either: there is no interface that leads anywhere."""
    outcome = run(find("import socket\nprint(len(socket.if_nameindex()))"))
    needs(outcome, NETWORK)
    assert outcome.printed.strip() == "1"


def test_signals_of_the_group_do_not_reach_the_grader(run: Run) -> None:
    """`os.killpg` ends the student's own process at most."""
    outcome = run(find(f"import ctypes\nctypes.CDLL(None).kill(0, {int(signal.SIGTERM)})"))
    assert outcome.failure.ending in (Ending.CRASH, Ending.FINISHED)
