"""Who runs tasks: a thread, and processes that end when they should."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import closing
from pathlib import Path

import pytest

from searchkit.errors import InvalidOptionError, PluginError, PluginWarning, UnknownNameError, WorkerError
from searchkit.plugin import WorkersSpec
from searchkit.plugin.registry import Registry, load_registry, use_registry
from searchkit.scale.workers import Workers, cores, open_workers, processes
from searchkit.scale.workers.processes import Processes
from searchkit.scale.workers.threads import ThreadWorkers
from tests.disk import tasks

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="it sends signals")


@pytest.fixture(scope="module")
def two() -> Iterator[Processes]:
    """Two processes that several tests use."""
    with closing(Processes(2)) as workers:
        yield workers


def wait_for(path: Path, lines: int) -> list[str]:
    """Wait until a file has so many lines, and return them."""
    for _ in range(2000):
        if path.exists() and len(found := path.read_text().splitlines()) >= lines:
            return found
        time.sleep(0.01)
    raise AssertionError(f"{path} did not get {lines} lines")


def wait_until_ended(pid: int) -> None:
    """Wait until there is no process of this id."""
    for _ in range(2000):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{pid}/stat").exists() and ") Z " in Path(f"/proc/{pid}/stat").read_text():
            return  # it ended, and nobody has asked for its exit code
        time.sleep(0.01)
    raise AssertionError(f"process {pid} did not end")


@pytest.mark.parametrize("kind", ["serial", "threads", "processes"])
def test_results_come_back(kind: str, two: Processes) -> None:
    """Each future has the result of its own task, whichever way the tasks were run."""
    workers: Workers = two if kind == "processes" else ThreadWorkers(1 if kind == "serial" else 3)
    futures = [workers.submit(tasks.square, number) for number in range(20)]
    assert [future.result() for future in futures] == [number * number for number in range(20)]
    big = bytes(range(256)) * 4096
    assert workers.submit(tasks.size, big).result() == (len(big), big)


@pytest.mark.parametrize("kind", ["serial", "processes"])
def test_errors_come_back_with_type_and_place(kind: str, two: Processes) -> None:
    """The error of a task has its type; from another process, its traceback is a note."""
    workers: Workers = ThreadWorkers() if kind == "serial" else two
    error = workers.submit(tasks.fail, "missing").exception()
    assert isinstance(error, KeyError)
    assert error.args == ("missing",)
    if kind == "processes":
        assert "in fail\n    raise KeyError(kind)" in "".join(error.__notes__)
    odd = workers.submit(tasks.fail, "odd").exception()
    if kind == "processes":  # it can't be made again from what it keeps
        assert isinstance(odd, WorkerError)
        assert str(odd) == "OddError: a fault in a task"
        assert "in fail" in "".join(odd.__notes__)
    else:
        assert isinstance(odd, tasks.OddError)


def test_what_cannot_be_sent_is_an_error_that_names_the_task(two: Processes) -> None:
    """An argument or a result that can't be pickled; the process runs the following tasks."""
    error = two.submit(tasks.size, threading.Lock()).exception()
    assert isinstance(error, WorkerError)
    assert str(error).startswith("size(")
    assert "can't be sent to another process" in str(error)
    lost = two.submit(tasks.give_lock).exception()
    assert isinstance(lost, WorkerError)
    assert "the result of the task can't be sent" in str(lost)
    assert two.submit(tasks.square, 3).result() == 9


def test_tasks_print_to_standard_error_and_read_nothing(
    two: Processes, capfd: pytest.CaptureFixture[str]
) -> None:
    """The pipes of a process are not those of its tasks."""
    with closing(Processes(1)) as workers:  # begun now: standard error is captured
        assert workers.submit(tasks.say, "hello from a task").result() == ""
    out, err = capfd.readouterr()
    assert (out, err) == ("", "hello from a task\n")


@posix
def test_killed_process_costs_nothing_but_its_task(tmp_path: Path) -> None:
    """A task whose process is killed runs again, in another process; one that is killed between tasks is replaced."""
    with closing(Processes(1)) as workers:
        assert workers.submit(tasks.die_until, str(tmp_path / "calls"), 2).result() == 3
        first = workers.submit(tasks.pid).result()
        os.kill(first, signal.SIGKILL)
        wait_until_ended(first)
        assert workers.submit(tasks.pid).result() != first
        error = workers.submit(tasks.die_until, str(tmp_path / "always"), 99).exception()
        assert isinstance(error, WorkerError)
        assert "always" in str(error)
        assert "begun 3 times" in str(error)
        assert "SIGKILL" in str(error)
        assert (tmp_path / "always").read_text() == "xxx"
        assert workers.submit(tasks.square, 4).result() == 16


@posix
def test_close_cancels_what_waits_and_ends_what_runs(tmp_path: Path) -> None:
    """No future is left without an answer, and no process is left."""
    workers = Processes(1)
    running = workers.submit(tasks.mark, str(tmp_path / "begun"), 60.0)
    waiting = workers.submit(tasks.square, 2)
    process = int(wait_for(tmp_path / "begun", 1)[0])
    workers.close()
    workers.close()
    assert "closed while mark(" in str(running.exception())
    with pytest.raises(CancelledError):
        waiting.result()
    wait_until_ended(process)
    with pytest.raises(RuntimeError, match="closed"):
        workers.submit(tasks.square, 2)


@pytest.mark.parametrize("count", [1, 2])
def test_close_of_threads_cancels_what_waits(tmp_path: Path, count: int) -> None:
    """The tasks that run, one for each thread, are completed."""
    workers = ThreadWorkers(count)
    running = [workers.submit(tasks.mark, str(tmp_path / "begun"), 0.1) for _ in range(count)]
    waiting = workers.submit(tasks.square, 2)
    wait_for(tmp_path / "begun", count)
    workers.close()
    workers.close()
    assert [future.result(0) for future in running] == [os.getpid()] * count
    assert waiting.cancelled()
    with pytest.raises(RuntimeError, match="closed"):
        workers.submit(tasks.square, 2)


def test_threads_run_as_many_tasks_at_once_as_there_are_threads() -> None:
    """Each of three tasks waits for the other two."""
    together = threading.Barrier(3, timeout=60)
    with closing(ThreadWorkers(3)) as workers:
        turns = [workers.submit(together.wait) for _ in range(6)]
        assert sorted(future.result() for future in turns) == [0, 0, 1, 1, 2, 2]


SCRIPT = """
import os, sys
from searchkit.scale.workers import open_workers
from tests.disk import tasks
print("begun", flush=True)
workers = open_workers("processes:2")
futures = [workers.submit(tasks.mark, sys.argv[1], 60.0) for _ in range(2)]
futures[0].result()
"""


@posix
@pytest.mark.parametrize("ending", [pytest.param(signal.SIGKILL, marks=pytest.mark.long), signal.SIGINT])
def test_processes_end_with_the_one_that_started_them(tmp_path: Path, ending: signal.Signals) -> None:
    """The script has no guard and runs once. When it is killed, or Ctrl-C ends it, so are its processes."""
    (tmp_path / "script.py").write_text(SCRIPT)
    script = subprocess.Popen(
        [sys.executable, "script.py", "marks"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    processes = [int(line) for line in wait_for(tmp_path / "marks", 2)]
    if ending is signal.SIGINT:
        os.killpg(script.pid, ending)  # as a terminal does: to all of them
    else:
        script.kill()
    out, err = script.communicate(timeout=60)
    assert out == "begun\n"
    assert err.count("KeyboardInterrupt") == (ending is signal.SIGINT)
    for process in processes:
        wait_until_ended(process)


OWN = """
from searchkit.scale.workers import open_workers
{blocked}
class Own:
    def __eq__(self, other): return type(self) is type(other)
def same(value): return value
print("begun", flush=True)
workers = open_workers("processes:1")
print(workers.submit(same, Own()).result() == Own())
"""


@pytest.mark.parametrize("installed", [True, pytest.param(False, marks=pytest.mark.long)])
def test_what_a_script_defines_is_sent_or_refused(tmp_path: Path, installed: bool) -> None:
    """With cloudpickle, classes and functions of the script itself work; else one message says what to do."""
    if installed:
        pytest.importorskip("cloudpickle")
    blocked = "" if installed else "import sys; sys.modules['cloudpickle'] = None"
    (tmp_path / "script.py").write_text(OWN.format(blocked=blocked))
    done = subprocess.run(
        [sys.executable, "script.py"],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=60,
    )
    assert done.stdout == ("begun\nTrue\n" if installed else "begun\n"), done.stderr
    if not installed:
        assert "same, which is defined in the script itself" in done.stderr
        assert done.stderr.splitlines()[-1].endswith("pip install cloudpickle")


def test_names_of_workers() -> None:
    """What is written opens what it says; what is wrong is said, with what was meant."""
    with closing(open_workers("processes:3")) as three:
        assert three.count == 3
    with closing(open_workers("processes")) as all_cores:
        assert all_cores.count == cores()
    with closing(open_workers("serial")) as one:
        assert one.count == 1
    with closing(open_workers("threads:3")) as threads:
        assert threads.count == 3
    with pytest.raises(UnknownNameError, match="no workers 'proceses:2': did you mean processes"):
        open_workers("proceses:2")
    for wrong in ("processes:0", "processes:two", "processes:", "serial:2", "threads:0"):
        with pytest.raises(InvalidOptionError, match=f"workers '{wrong}'"):
            open_workers(wrong)


def test_process_that_cannot_begin_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python without searchkit, no Python, and a program without Python: no task is tried again and again."""
    monkeypatch.setattr("searchkit.scale.workers.processes.BOOT", "import sys; sys.exit(7)")
    with closing(Processes(1)) as workers:
        assert "could not begin to run tasks (exit code 7)" in str(
            workers.submit(tasks.square, 1).exception()
        )
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        assert "no process can be started" in str(workers.submit(tasks.square, 1).exception())
        monkeypatch.setattr(sys, "executable", "")
        assert "use workers serial" in str(workers.submit(tasks.square, 1).exception())


@posix
def test_process_that_is_killed_before_it_is_ready_costs_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Another one takes its task, three times at most."""
    begun = tmp_path / "begun"
    count = f"import os; file = open({str(begun)!r}, 'a'); file.write('x'); file.close()\n"
    die = f"if os.path.getsize({str(begun)!r}) not in (3, 7): os.kill(os.getpid(), 9)\n"
    monkeypatch.setattr(processes, "BOOT", count + die + processes.BOOT)
    with closing(Processes(1)) as workers:
        assert workers.submit(tasks.square, 3).result() == 9
        os.kill(workers.pids[0], signal.SIGKILL)
        error = workers.submit(tasks.square, 3).exception()
        assert isinstance(error, WorkerError)
        assert "was begun 3 times" in str(error)
        assert "SIGKILL" in str(error)


def plugin_with(specs: object) -> Registry:
    """Return a registry whose only plugin has this result of the hook."""
    from importlib.metadata import EntryPoint
    from types import ModuleType

    from searchkit import hookimpl

    module = ModuleType("toy_workers")

    def searchkit_workers() -> object:
        if isinstance(specs, Exception):
            raise specs
        return specs

    module.searchkit_workers = hookimpl(searchkit_workers)  # type: ignore[attr-defined]
    sys.modules["toy_workers"] = module
    return load_registry(found=[EntryPoint("toy", "toy_workers", "searchkit")])


def test_plugins_bring_workers() -> None:
    """The plugin gets the whole text; a faulty hook is left out with a warning, a name used twice is an error."""
    given: list[str] = []

    def opened(text: str) -> Workers:
        given.append(text)
        return ThreadWorkers()

    with use_registry(plugin_with([WorkersSpec("toy", "for tests", opened)])):
        open_workers("toy://host:1").close()
    assert given == ["toy://host:1"]
    with (
        use_registry(plugin_with([WorkersSpec("serial", "for tests", opened)])),
        pytest.raises(PluginError, match="'serial' are brought by searchkit and by the plugin 'toy'"),
    ):
        open_workers("serial")
    for faulty, said in (
        (["toy"], "expected a list of WorkersSpec"),
        (ValueError("bad"), "raised ValueError: bad"),
    ):
        with use_registry(plugin_with(faulty)), pytest.warns(PluginWarning, match=said):
            open_workers("serial").close()
