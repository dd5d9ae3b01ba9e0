"""Workers of a cluster: results, errors, lost processes and lost nodes. Two nodes stand on the loopback interface."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from contextlib import closing
from pathlib import Path

import pytest

from searchkit.plugin import InvalidOptionError, MissingExtraError, WorkerError
from searchkit.scale.workers import ClusterWorkers, available_workers, open_workers
from searchkit_cluster.tests import pure
from searchkit_cluster.tests.nodes import QUIET, cluster, lose_node, processes, with_ray

pytestmark = pytest.mark.usefixtures("token")

PARTS, NUMBERS = 8, 1000
"""The files of the tasks, and the numbers in each."""


def test_plugin_brings_workers() -> None:
    """They are listed without Ray; a wrong address is an error before Ray is imported."""
    assert "ray" in available_workers()
    for wrong in (
        "ray:8",
        "ray://",
        "ray:///",
        "ray://head",
        "ray://head:",
        "ray://:10001",
        "ray://head:99999",
    ):
        with pytest.raises(InvalidOptionError, match="expected ray, or ray://HOST:PORT"):
            open_workers(wrong)


def test_missing_ray_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError) as raised:
        open_workers("ray")
    assert str(raised.value) == (
        "workers ray need Ray, which is not installed: python -m pip install 'statespace-searchkit[cluster]'"
    )


def begun(folder: Path, number: int) -> str:
    """Wait until a task of `begin_on` has begun, and return its node."""
    for _ in range(3000):
        if found := list(folder.glob(f"begun-{number}-*")):
            return found[0].name.split("-")[2]
        time.sleep(0.01)
    raise AssertionError(f"task {number} did not begin")


@pytest.mark.long  # Ray takes seconds to start
@with_ray
@QUIET
def test_lost_process_costs_its_task_and_a_lost_node_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """All results are exact after SIGKILL of a process and of a node; errors come back; nothing is printed."""
    for part in range(PARTS):
        (tmp_path / f"in-{part}").write_text(" ".join(map(str, range(part * NUMBERS, (part + 1) * NUMBERS))))
    with cluster(monkeypatch) as nodes:
        handler = signal.getsignal(signal.SIGTERM)
        capfd.readouterr()
        with closing(open_workers("ray")) as workers:
            assert isinstance(workers, ClusterWorkers)
            assert workers.count == 2
            error = workers.submit(pure.fail, "missing").exception()
            assert isinstance(error, KeyError)
            assert "in fail\n    raise KeyError(key)" in "".join(error.__notes__)
            # A process.
            assert workers.submit(pure.die_until, str(tmp_path / "calls"), 2).result() == 3
            lost = workers.submit(pure.die_until, str(tmp_path / "always"), 99).exception()
            assert isinstance(lost, WorkerError)
            assert "the task die_until(" in str(lost)
            assert (tmp_path / "always").stat().st_size == 4
            # Near others, or near nothing that is left.
            anywhere, _ = workers.submit_with_objects(pure.node_and, (), (), 1, 3)
            assert len(anywhere.result()) == 1
            workers.run_one_task_a_node()
            assert (workers.count, workers.threads) == (2, 1)
            made = [workers.submit_with_objects(pure.node_and, (), (), 1, near) for near in range(5)]
            (first,), (second,), *others = [future.result() for future, _ in made]
            assert first != second
            assert others == [(first,), (second,), (first,)]
            last, _ = workers.submit_with_objects(pure.node_and, (), [one for _, (one,) in made], 1, 3)
            assert last.result() == (first, second, first, second, first, second)
            # A node.
            futures = [workers.submit(pure.doubled, str(tmp_path), part, 0.5) for part in range(PARTS)]
            lose_node(nodes)
            total = sum(future.result() for future in futures)
            assert total == 2 * sum(range(PARTS * NUMBERS))
            written = [
                int(word) for part in range(PARTS) for word in (tmp_path / f"out-{part}").read_text().split()
            ]
            assert written == [2 * number for number in range(PARTS * NUMBERS)]
            found = {
                workers.submit_with_objects(pure.node_and, (), (), 1, near)[0].result()[0] for near in (0, 1)
            }
            assert len(found) == 1
            assert found < {first, second}
            # The end.
            running = workers.submit(pure.begin_on, str(tmp_path), 0, 60.0)
            waiting = workers.submit(pure.begin_on, str(tmp_path), 1, 60.0)
            begun(tmp_path, 0)
        for future in (running, waiting):
            with pytest.raises((CancelledError, WorkerError)):
                future.result(0)
        with pytest.raises(RuntimeError, match="closed"):
            workers.submit(pure.fail, "late")
        assert signal.getsignal(signal.SIGTERM) is handler
    assert capfd.readouterr().out == ""


OPENED_IN_A_THREAD = """
import sys, threading, time
from searchkit.scale.workers import open_workers

opened = []
thread = threading.Thread(target=lambda: opened.append(open_workers("ray")))
thread.start()
thread.join()
print(opened[0].submit(pow, 2, 10).result(), flush=True)
sys.stdin.readline()
if sys.argv[1] == "close":
    opened[0].close()
    opened[0].close()
    print("closed", flush=True)
    sys.stdin.readline()
elif sys.argv[1] == "running":
    opened[0].submit(time.sleep, 600).result()
"""
"""It opens workers in a thread that ends at once, runs a task, and ends as its argument says."""


@pytest.mark.long  # as above
@with_ray
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
@pytest.mark.parametrize("ending", ["close", "exit", "SIGINT", "SIGTERM", "SIGKILL"])
def test_cluster_of_this_machine_lives_as_long_as_its_workers(
    ending: str, ray_folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It outlives the thread that opened them, and no process of it outlives the program."""
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
            elif ending == "SIGINT":
                time.sleep(1.0)  # the task runs
                os.killpg(program.pid, signal.SIGINT)
            elif ending.startswith("SIG"):
                time.sleep(1.0)
                program.send_signal(signal.Signals[ending])
            out, errors = program.communicate(timeout=60)
            assert out == ""
            if ending == "SIGINT":
                assert errors.endswith("KeyboardInterrupt\n")
            elif how == "running":
                assert program.returncode == -signal.Signals[ending]
            else:
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

    After SIGTERM and SIGKILL, two agents of Ray try for a minute to report that the rest is lost.
    """
    for _ in range(1200):
        if not started & {(pid, begin) for pid, (_, begin) in processes().items()}:
            return True
        time.sleep(0.1)
    return False
