"""The executor of a cluster: names, errors, lost processes and lost nodes. Two nodes are on the loopback interface."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from searchkit import __version__, problem_from, solve_many
from searchkit.disk.executors import available_executors, open_executor, tasks_at_once
from searchkit.plugin import InvalidOptionError, MissingExtraError, WorkerError
from searchkit_cluster import executor as cluster_executor
from searchkit_cluster.executor import run_here
from searchkit_cluster.tests.nodes import QUIET, cluster, lose_node, processes, with_ray

pytestmark = pytest.mark.usefixtures("token")


class Ray(ModuleType):
    """In place of Ray: `init` raises what it is given, one error after the other."""

    def __init__(self, *errors: BaseException):
        super().__init__("ray")
        self.errors, self.inits = list(errors), 0

    def init(self, address: str | None, **options: Any) -> None:
        """Count a call."""
        self.inits += 1
        if self.errors:
            raise self.errors.pop(0)

    def shutdown(self) -> None:
        """End nothing."""

    def is_initialized(self) -> bool:
        """Return that this program is not connected."""
        return False

    def cluster_resources(self) -> dict[str, float]:
        """Return three cores."""
        return {"CPU": 3.0}

    def remote(self, **_: Any) -> Any:
        """Return what defines a remote function: a call is an error, as of a head that has no searchkit."""

        def call(*_: object) -> None:
            raise ModuleNotFoundError("No module named 'searchkit_cluster'")

        found: Any = ModuleType("remote")
        found.remote = call
        return lambda function: found


def use(monkeypatch: pytest.MonkeyPatch, ray: Ray) -> Ray:
    """Let Ray be this one."""
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setattr(cluster_executor, "_reach", lambda address: None)
    return ray


def test_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The executor is listed without Ray; a wrong address is an error before Ray is imported."""
    assert "ray" in available_executors()
    monkeypatch.setitem(sys.modules, "ray", None)
    for wrong in ("ray:8", "ray://", "ray://head", "ray://head:", "ray://:10001", "ray://head:99999"):
        with pytest.raises(InvalidOptionError, match="expected ray, or ray://HOST:PORT"):
            open_executor(wrong)
    with pytest.raises(MissingExtraError, match=r"python -m pip install 'statespace-searchkit\[cluster\]'"):
        open_executor("ray")


def test_no_connection_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to do: other versions have another remedy than no cluster."""
    use(monkeypatch, Ray(RuntimeError("Version mismatch: The cluster was started with:\n    Ray: 2.50.1")))
    with pytest.raises(
        WorkerError, match=r"Ray: 2\.50\.1\); all machines of a cluster need the same versions"
    ):
        open_executor("ray://head:10001")
    use(monkeypatch, Ray(*[ConnectionAbortedError("lost")] * 6))
    with pytest.raises(
        WorkerError, match=r"\(ConnectionAbortedError: lost\); start a cluster with ray start"
    ):
        open_executor("ray://head:10001")
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "ray", Ray())
    for text, address in (("ray", "127.0.0.1:1"), ("ray://127.0.0.1:1", "")):
        monkeypatch.setenv("RAY_ADDRESS", address)
        with pytest.raises(
            WorkerError, match=r"can be used.*refused.*; start a cluster with ray start --head"
        ):
            open_executor(text)


def test_machine_with_another_version_is_an_error() -> None:
    """Tasks are pickled, and what another version makes of them may be wrong."""
    with pytest.raises(
        WorkerError, match=f"has searchkit {__version__}, and the program .* has 0.0; all mach"
    ):
        run_here("0.0", [], b"")


def fail(key: str) -> None:
    """Raise an error."""
    raise KeyError(key)


def sleep(path: str, seconds: float) -> int:
    """Write down that this has begun, and sleep."""
    Path(path).touch()
    time.sleep(seconds)
    return 1


def die_until(path: str, times: int) -> int:
    """Kill the own process the first `times` times; then return how often this was called."""
    with Path(path).open("a") as file:
        file.write("x")
    called = Path(path).stat().st_size
    if called <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return called


@pytest.mark.long  # Ray takes seconds to start
@with_ray
@QUIET
def test_lost_process_costs_its_task_and_a_lost_node_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """All results are right after SIGKILL of a process and of a node; errors come back; nothing is printed."""
    with cluster(monkeypatch) as nodes:
        capfd.readouterr()
        with open_executor("ray") as executor:
            assert tasks_at_once(executor) == 2
            error: Any = executor.submit(fail, "missing").exception()
            assert isinstance(error, KeyError)
            assert "in fail\n    raise KeyError(key)" in "".join(error.__notes__)
            assert executor.submit(die_until, str(tmp_path / "calls"), 2).result() == 3
            lost = executor.submit(die_until, str(tmp_path / "always"), 99).exception()
            assert isinstance(lost, WorkerError)
            assert "the task die_until(" in str(lost)
            assert (tmp_path / "always").stat().st_size == 4
            problems = [
                problem_from([0], lambda n: [("+1", n + 1)], partial(int.__eq__, goal)) for goal in range(40)
            ]
            answers = solve_many(problems, backend="python", workers=executor)
            assert [each.cost for each in answers] == list(range(40))
            futures = [executor.submit(sleep, str(tmp_path / str(part)), 0.5) for part in range(8)]
            lose_node(nodes)
            assert sum(future.result() for future in futures) == 8
            running, waiting = (executor.submit(sleep, str(tmp_path / name), 60.0) for name in ("a", "b"))
            while not ((tmp_path / "a").exists() or (tmp_path / "b").exists()):
                time.sleep(0.01)
            executor.shutdown(cancel_futures=True)
            for future in (running, waiting):
                with pytest.raises((CancelledError, WorkerError)):
                    future.result(0)
            with pytest.raises(RuntimeError, match="shut down"):
                executor.submit(fail, "late")
    assert capfd.readouterr().out == ""


OPENED_IN_A_THREAD = """
import sys, threading, time
from searchkit.disk.executors import open_executor

opened = []
thread = threading.Thread(target=lambda: opened.append(open_executor("ray")))
thread.start()
thread.join()
print(opened[0].submit(pow, 2, 10).result(), flush=True)
sys.stdin.readline()
if sys.argv[1] == "close":
    opened[0].shutdown()
    opened[0].shutdown()
    print("closed", flush=True)
    sys.stdin.readline()
elif sys.argv[1] == "running":
    opened[0].submit(time.sleep, 600).result()
"""
"""It opens an executor in a thread that ends at once, runs a task, and ends as its argument says."""


@pytest.mark.long  # as above
@with_ray
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
@pytest.mark.parametrize("ending", ["close", "exit", "SIGINT", "SIGKILL"])
def test_cluster_of_this_machine_lives_as_long_as_its_executor(
    ending: str, ray_folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It outlives the thread that opened it, and no process of it outlives the program."""
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", ray_folder)  # no cluster that runs on this machine is found
    how = "running" if ending.startswith("SIG") else ending
    with subprocess.Popen(
        [sys.executable, "-c", OPENED_IN_A_THREAD, how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C below goes to all processes of the group
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        try:
            assert program.stdout.readline() == "1024\n"
            started = descendants(program.pid)
            assert len(started) > 2  # the two servers of a cluster, and its workers
            program.stdin.write("\n")
            program.stdin.flush()
            if ending == "close":
                assert program.stdout.readline() == "closed\n"
                assert ended(started)
            elif ending.startswith("SIG"):
                time.sleep(1.0)  # the task runs
                os.killpg(program.pid, signal.SIGINT) if ending == "SIGINT" else program.kill()
            out, errors = program.communicate(timeout=60)
            assert out == ""
            if ending == "SIGINT":
                assert errors.endswith("KeyboardInterrupt\n")
            elif how != "running":
                assert (program.returncode, errors) == (0, "")
            assert ended(started)
        finally:
            program.kill()


def descendants(pid: int) -> set[tuple[int, str]]:
    """Return what a process and its children have started: the numbers, and when they began."""
    running = processes()
    found, new = set(), {pid}
    while new:
        new = {child for child, (parent, _) in running.items() if parent in new}
        found |= new
    return {(child, running[child][1]) for child in found}


def ended(started: set[tuple[int, str]]) -> bool:
    """Wait until processes have ended; return whether they have.

    After SIGKILL, two agents of Ray try for a minute to report that the rest is lost.
    """
    for _ in range(1200):
        if not started & {(pid, begin) for pid, (_, begin) in processes().items()}:
            return True
        time.sleep(0.1)
    return False
