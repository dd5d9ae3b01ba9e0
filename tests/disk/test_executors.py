"""Executors: threads, and processes that end when they should."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, wait
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from searchkit import hookimpl
from searchkit.compiled import cores
from searchkit.disk.executors import open_executor, tasks_at_once
from searchkit.errors import InvalidOptionError, MissingExtraError, UnknownNameError, WorkerError
from searchkit.plugin import ExecutorSpec, use_registry
from searchkit.plugin.registry import load_registry
from tests.disk import tasks

pytest.importorskip("loky")
ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="it sends signals")


@pytest.fixture(scope="module")
def two() -> Iterator[Executor]:
    """Two processes that several tests use."""
    with open_executor("processes:2") as executor:
        yield executor


def wait_for(path: Path, lines: int) -> list[str]:
    """Wait until a file has so many lines, and return them."""
    for _ in range(3000):
        if path.exists() and len(found := path.read_text().splitlines()) >= lines:
            return found
        time.sleep(0.01)
    raise AssertionError(f"{path} did not get {lines} lines")


def wait_until_ended(pid: int) -> None:
    """Wait until there is no process of this id."""
    for _ in range(2000):
        try:
            os.kill(pid, 0)
            if ") Z " in Path(f"/proc/{pid}/stat").read_text():
                return  # it ended, and its exit code was not read
        except ProcessLookupError:
            return
        except FileNotFoundError:
            pass
        time.sleep(0.01)
    raise AssertionError(f"process {pid} did not end")


@pytest.mark.parametrize("name", ["threads:3", "processes"])
def test_results_come_back(name: str, two: Executor) -> None:
    """Each future has the result of its own task, whichever way the tasks were run."""
    executor = two if name == "processes" else open_executor(name)
    futures = [executor.submit(tasks.square, number) for number in range(20)]
    assert [future.result() for future in futures] == [number * number for number in range(20)]
    big = bytes(range(256)) * 4096
    assert executor.submit(tasks.size, data=big).result() == (len(big), big)
    assert list(executor.map(tasks.square, range(5))) == [0, 1, 4, 9, 16]
    error = executor.submit(tasks.fail, "missing").exception()
    assert isinstance(error, KeyError)
    assert error.args == ("missing",)


def test_errors_of_other_processes_show_their_place(two: Executor) -> None:
    """The traceback is a note; what can't be sent is an error that names the task, and costs no process."""
    error: Any = two.submit(tasks.fail, "missing").exception()
    assert "in fail\n    raise KeyError(kind)" in "".join(error.__notes__)
    odd: Any = two.submit(tasks.fail, "odd").exception()  # it can't be made again from what it keeps
    assert isinstance(odd, WorkerError)
    assert str(odd) == "OddError: a fault in a task"
    assert "in fail" in "".join(odd.__notes__)
    lock: Any = threading.Lock()
    unsent = two.submit(tasks.size, lock).exception()
    assert isinstance(unsent, WorkerError)
    assert str(unsent).startswith("size(<unlocked")
    assert "can't be sent to another process" in str(unsent)
    lost = two.submit(tasks.give_lock).exception()
    assert isinstance(lost, WorkerError)
    assert "the result of the task can't be sent" in str(lost)
    assert two.submit(tasks.square, 3).result() == 9


def test_tasks_print_to_standard_error_and_read_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """Standard output is for results."""
    with open_executor("processes:1") as executor:  # begun now: standard error is captured
        assert executor.submit(tasks.say, "hello from a task").result() == ""
    assert capfd.readouterr() == ("", "hello from a task\n")


@posix
def test_killed_process_costs_nothing_but_its_task(tmp_path: Path, two: Executor) -> None:
    """Its task runs again, three times at most; the tasks of other processes run on."""
    other = two.submit(tasks.mark, str(tmp_path / "begun"), 1.0)
    wait_for(tmp_path / "begun", 1)
    error = two.submit(tasks.die_until, str(tmp_path / "always"), 99).exception()
    assert isinstance(error, WorkerError)
    assert "the task die_until('" in str(error)
    assert "was begun 3 times, and each time its process was lost (SIGKILL(-9))" in str(error)
    assert (tmp_path / "always").read_text() == "xxx"
    other.result()
    assert len(wait_for(tmp_path / "begun", 1)) == 1
    with open_executor("processes:1") as executor:
        assert executor.submit(tasks.die_until, str(tmp_path / "calls"), 2).result() == 3
        first = executor.submit(tasks.pid).result()
        os.kill(first, signal.SIGKILL)  # between two tasks
        wait_until_ended(first)
        assert executor.submit(tasks.pid).result() != first


@posix
def test_shutdown_cancels_what_waits_and_ends_what_runs(tmp_path: Path) -> None:
    """No future is left without an answer, and no process is left."""
    executor = open_executor("processes:1")
    running = executor.submit(tasks.mark, str(tmp_path / "begun"), 60.0)
    waiting = executor.submit(tasks.square, 2)
    process = int(wait_for(tmp_path / "begun", 1)[0])
    executor.shutdown(cancel_futures=True)
    executor.shutdown(cancel_futures=True)
    assert "shut down while mark(" in str(running.exception())
    with pytest.raises(CancelledError):
        waiting.result()
    wait_until_ended(process)
    with pytest.raises(RuntimeError, match="shut down"):
        executor.submit(tasks.square, 2)


def test_threads_run_as_many_tasks_at_once_as_there_are_threads() -> None:
    """Each of two tasks waits for the other. `shutdown` completes what runs, and can cancel what waits."""
    together = threading.Barrier(2, timeout=60)
    with open_executor("threads:2") as executor:
        turns = [executor.submit(together.wait) for _ in range(6)]
    assert sorted(future.result(0) for future in turns) == [0, 0, 0, 1, 1, 1]
    executor, begun, ended = open_executor("serial"), threading.Event(), threading.Event()
    running, waiting = executor.submit(lambda: (begun.set(), ended.wait(60))), executor.submit(int)
    assert begun.wait(60)
    threading.Timer(0.1, ended.set).start()
    executor.shutdown(cancel_futures=True)
    assert running.result(0) == (None, True)
    assert wait([waiting], 0).done
    assert waiting.cancelled()


SCRIPT = """
import sys
from searchkit.disk.executors import open_executor
from tests.disk import tasks
print("begun", flush=True)
executor = open_executor("processes:2")
futures = [executor.submit(tasks.mark, sys.argv[1], 600.0) for _ in range(2)]
if sys.argv[2] == "wait":
    futures[0].result()
input()
"""


@posix
@pytest.mark.parametrize("ending", ["SIGINT", "SIGKILL", "exit"])
def test_processes_end_with_the_one_that_started_them(tmp_path: Path, ending: str) -> None:
    """The script has no guard and runs once. When it ends in any way, so do its processes, in the middle of a task."""
    (tmp_path / "script.py").write_text(SCRIPT)
    script = subprocess.Popen(
        [sys.executable, "script.py", "marks", "go" if ending == "exit" else "wait"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    processes = [int(line) for line in wait_for(tmp_path / "marks", 2)]
    if ending == "SIGINT":
        os.killpg(script.pid, signal.SIGINT)  # as a terminal does: to all of them
    elif ending == "SIGKILL":
        script.kill()
    out, err = script.communicate("\n" if ending == "exit" else None, timeout=60)
    assert out == "begun\n"
    assert err.count("KeyboardInterrupt") == (ending == "SIGINT")
    assert ending != "exit" or err == ""
    for process in processes:
        wait_until_ended(process)


OWN = """
from searchkit.disk.executors import open_executor
class Own:
    def __eq__(self, other): return type(self) is type(other)
def same(value): return value
print("begun", flush=True)
with open_executor("processes:1") as executor:
    print(executor.submit(same, Own()).result() == Own())
"""


def test_what_a_script_defines_is_sent(tmp_path: Path) -> None:
    """Classes and functions of the script itself; it is not run again."""
    (tmp_path / "script.py").write_text(OWN)
    done = subprocess.run(
        [sys.executable, "script.py"],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("begun\nTrue\n", "")


def test_names_of_executors(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written opens what it says; what is wrong is an error, with what was meant."""
    for name, count in (
        ("processes:3", 3),
        ("processes", cores()),
        ("serial", 1),
        ("threads:3", 3),
        ("threads", cores()),
    ):
        with open_executor(name) as executor:
            assert tasks_at_once(executor) == count
            assert open_executor(executor) is executor
    assert tasks_at_once(Executor()) == cores()
    with pytest.raises(UnknownNameError, match="no executor 'proceses': did you mean processes"):
        open_executor("proceses:2")
    for wrong in ("processes:0", "processes:two", "processes:", "serial:2", "threads:0"):
        with pytest.raises(InvalidOptionError, match=f"workers '{wrong}'"):
            open_executor(wrong)
    with pytest.raises(
        InvalidOptionError, match="workers=4: expected a name such as processes:4 or threads:4"
    ):
        open_executor(4)  # type: ignore[arg-type]
    with pytest.raises(InvalidOptionError, match="workers='4': expected a name such as processes:4"):
        open_executor("4")
    monkeypatch.setitem(sys.modules, "loky", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'statespace-searchkit\[fast\]'"):
        open_executor("processes:2")


def test_plugins_add_executors() -> None:
    """They are opened by their name; a name of a built-in one stays what it is."""
    specs = [ExecutorSpec("toy", lambda text: open_executor("serial"))]
    specs.append(ExecutorSpec("serial", lambda text: open_executor("threads:3")))
    module: Any = ModuleType("toy_executors")
    module.searchkit_executors = hookimpl(lambda: specs, specname="searchkit_executors")
    sys.modules["toy_executors"] = module
    with use_registry(load_registry(found=[EntryPoint("toy", "toy_executors", "searchkit")])):
        assert open_executor("toy:1").submit(tasks.square, 3).result() == 9
        assert tasks_at_once(open_executor("serial")) == 1
