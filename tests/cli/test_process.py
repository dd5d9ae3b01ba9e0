"""What shows only in a process of its own: signals, pipes, terminals and imports."""

import os
import pkgutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import searchkit

ENDLESS = "line 0 0.5"


def interrupted(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command that says when it searches, and send it one SIGINT then, as Ctrl-C does."""
    watched = [
        sys.executable,
        "-c",
        "import os, sys; from searchkit.search import driver as search\n"
        "inner = search.Search.run\n"
        "def run(self, limits=None, **how):\n"
        "    os.write(2, b'searching\\n')\n"
        "    return inner(self, limits, **how)\n"
        "search.Search.run = run\n"
        "from searchkit.cli import main; sys.exit(main())",
        *command,
    ]
    with subprocess.Popen(
        watched, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def test_ctrl_c_prints_what_is_known(file: Callable[..., Any], environment: dict[str, str]) -> None:
    """Exit code 3, the statistics and the lower bound, and how to go on; no traceback."""
    done = interrupted(["solve", str(file(ENDLESS))], environment)
    assert (done.returncode, done.stderr) == (3, "")
    assert "status    cut off by an interruption" in done.stdout
    assert "none found; any path costs at least" in done.stdout
    assert "run it again; in Python, result.search.resume() continues" in done.stdout


def test_ctrl_c_in_a_comparison_ends_all_of_it(file: Callable[..., Any], environment: dict[str, str]) -> None:
    """The present engine is cut off, and the rest do not begin."""
    done = interrupted(["compare", str(file(ENDLESS)), "--engines", "bfs,dijkstra"], environment)
    assert (done.returncode, done.stderr) == (3, "")
    assert "bfs: cut off by an interruption" in done.stdout
    assert "dijkstra: not run: interrupted before its turn" in done.stdout


def test_a_second_ctrl_c_ends_a_search_that_does_not_answer(
    file: Callable[..., Any], environment: dict[str, str], tmp_path: object
) -> None:
    """One expansion that never ends can't be cut off; the program can."""
    code = (
        "import sys, time, toy_searchkit\n"
        "def stuck(self, state):\n"
        "    print('stuck', file=sys.stderr, flush=True)\n"
        "    while True: time.sleep(0.01)\n"
        "toy_searchkit.Line.successors = stuck\n"
        "from searchkit.cli import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, "solve", str(file(ENDLESS))]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "stuck\n"
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        for _ in range(20):  # two that come before Python runs again are one
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=3)
                break
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (3, "", "interrupted\n")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "meadow"],
        ["solve", "meadow", "--json"],
        ["demo"],
        ["--help"],
    ],
)
def test_a_reader_that_stops_reading(
    program: list[str], environment: dict[str, str], arguments: list[str]
) -> None:
    """As `head` does: no traceback, and the command's own exit code."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*program, *arguments],
            env=environment,
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def test_stdout_that_is_closed(program: list[str], environment: dict[str, str]) -> None:
    """`searchkit … >&-` still has its exit code."""
    command = ["sh", "-c", '"$@" >&-', "sh", *program, "solve", "meadow"]
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_nothing_is_imported_that_is_not_used(environment: dict[str, str], arguments: list[str]) -> None:
    """The start does not load rich or anything else that is heavy; only the list of commands loads plugins."""
    code = (
        "import sys; from searchkit.cli import main; main(); "
        "print(*(name for name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, timeout=60
    )
    loaded = {name.split(".")[0] for name in done.stderr.split()} | set(done.stderr.split())
    assert "searchkit.cli" in loaded
    assert not loaded & {
        "rich", "numpy", "numba", "toy_commands", "searchkit_dungeon", "hypothesis", "asyncio", "pydantic",
    }  # fmt: skip
    if arguments == ["--version"]:
        assert not loaded & {"toy_searchkit", "searchkit.engines", "searchkit_coursework", "sortedcontainers"}


def test_ctrl_c_is_handled_before_anything_is_imported() -> None:
    """Until `main` is called, Ctrl-C ends Python with a traceback: only these two small modules are loaded by then."""
    folder = str(Path(searchkit.__file__).parents[1])
    code = (
        f"import sys; sys.path.append({folder!r}); before = set(sys.modules); import searchkit.cli; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60
    )
    built_in = {"atexit", "gc"}
    assert set(done.stdout.split()) - built_in == {"searchkit", "searchkit.cli"}, done.stderr


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("searchkit.cli.request.Request.resolve", "interrupted\n"),
        ("searchkit.search.driver.Search.run", "cut off by an interruption"),
        ("searchkit.cli.console.drawing_of", "interrupted\n"),
    ],
)
def test_ctrl_c_at_any_moment_of_solve(
    run: Callable[..., Any],
    file: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
    said: str,
) -> None:
    """Before the search, in it and after it: one line or the report, exit code 3, and no traceback."""
    place, _, name = moment.rpartition(".")
    owner = pkgutil.resolve_name(place)
    inner, pressed = getattr(owner, name), []

    def press(*arguments: Any, **options: Any) -> Any:
        if not pressed:
            pressed.append(moment)
            signal.raise_signal(signal.SIGINT)
        return inner(*arguments, **options)

    monkeypatch.setattr(owner, name, press)
    done = run("solve", file("line 0 5"), "--draw")
    assert (done.code, pressed) == (3, [moment])
    assert said in done.out + done.err
    assert "Traceback" not in done.err


def test_ctrl_c_while_the_interpreter_ends_prints_no_traceback() -> None:
    """The answer is printed; the process may still be waiting for a thread."""
    code = "import os, signal, sys, threading; from searchkit.cli import main; sys.argv = ['searchkit', '--version']\n"
    code += "threading._register_atexit(os.kill, os.getpid(), signal.SIGINT)\nraise SystemExit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr, "searchkit " in done.stdout) == (-signal.SIGINT, "", True)
