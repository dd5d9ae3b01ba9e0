"""Workers of a cluster: results, errors, lost processes and lost nodes. Two nodes stand on the loopback interface."""

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from searchkit import Search, certify, per_slice, solve
from searchkit.plugin import InvalidOptionError, MissingExtraError, WorkerError
from searchkit.scale.workers import available_workers, open_workers
from searchkit_cluster.ray_workers import RayWorkers
from searchkit_cluster.tests import pure

with_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")
QUIET = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
PARTS, NUMBERS = 8, 1000
"""The files of the tasks, and the numbers in each."""


def test_plugin_brings_workers() -> None:
    """They are listed without Ray; a wrong address is an error before Ray is imported."""
    assert "ray" in available_workers()
    for wrong in ("ray:8", "ray://", "ray:///"):
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


@contextmanager
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes of one core each, and a head without cores; the environment names the cluster."""
    for name, value in (
        ("RAY_USAGE_STATS_ENABLED", "0"),
        ("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0"),
        ("RAY_DEDUP_LOGS_SKIP_REGEX", "^"),
        ("PYTHONPATH", os.pathsep.join(filter(None, sys.path))),
    ):
        monkeypatch.setenv(name, value)
    import ray
    from ray.cluster_utils import Cluster

    soon = {
        "health_check_period_ms": 500,
        "health_check_timeout_ms": 1000,
        "health_check_failure_threshold": 3,
    }
    head = {
        "num_cpus": 0,
        "object_store_memory": 80 << 20,
        "include_dashboard": False,
        "_system_config": soon,
    }
    nodes = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            nodes.add_node(num_cpus=1, object_store_memory=80 << 20)
        monkeypatch.setenv("RAY_ADDRESS", nodes.address)
        yield nodes
    finally:
        ray.shutdown()  # a search that is still there holds the connection
        nodes.shutdown()


def lose_node(nodes: Any) -> None:
    """Kill all processes of a node, but not of the one that this process is connected to."""
    import ray

    own = ray.get_runtime_context().get_node_id()
    victim = next(node for node in nodes.worker_nodes if node.node_id != own)
    nodes.remove_node(victim, allow_graceful=False)


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
            # A node.
            futures = [workers.submit(pure.doubled, str(tmp_path), part, 0.5) for part in range(PARTS)]
            lose_node(nodes)
            total = sum(future.result() for future in futures)
            assert total == 2 * sum(range(PARTS * NUMBERS))
            written = [
                int(word) for part in range(PARTS) for word in (tmp_path / f"out-{part}").read_text().split()
            ]
            assert written == [2 * number for number in range(PARTS * NUMBERS)]
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


@pytest.fixture
def ray_folder() -> Iterator[str]:
    """Yield a folder for Ray's files. Its path is short, as sockets are in it."""
    with TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        yield folder


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


def processes() -> dict[int, tuple[int, str]]:
    """Return each process of this machine that runs → its parent, and when it began."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, parent, *rest = path.read_text().rpartition(")")[2].split()
            if state not in "ZX":
                found[int(path.parent.name)] = int(parent), rest[17]
    return found


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


@with_ray
@QUIET
def test_cluster_that_does_not_answer_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how to start one. Ray itself would try again for minutes."""
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    for text in ("ray", "ray://127.0.0.1:1"):
        with pytest.raises(WorkerError, match=r"no cluster can be used .*; start one with ray start --head"):
            open_workers(text)


@pytest.mark.long  # as above, and it compiles
@with_ray
@QUIET
def test_search_on_disk_is_exact_after_the_loss_of_a_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGKILL of a node while its tasks run: counts and cost are those of one process, and the path is right."""
    pytest.importorskip("numba")
    from searchkit.scale.external import bfs
    from searchkit_tiles import SlidingTiles

    for name, value in (("SMALL", 500), ("LEAST_BITS", 3), ("LEAST_CHUNK", 500), ("LARGEST_CHUNK", 500)):
        monkeypatch.setattr(bfs, name, value)
    board = SlidingTiles(3, 3, (8, 6, 7, 2, 5, 4, 3, 0, 1), "blank-first", "zero")
    expected = solve(board, "external_bfs", backend="python")
    lost: list[int] = []
    with cluster(monkeypatch) as nodes:

        def strike(search: Search[Any, Any], state: Any) -> None:
            if not lost and search.tree.expanded > 20_000:
                lost.append(search.tree.expanded)
                lose_node(nodes)

        folder = str(tmp_path / "search")
        search = Search(
            board,
            "external_bfs",
            backend="compiled",
            observers=[per_slice(strike)],
            workers="ray",
            directory=folder,
        )
        result = search.run()
    assert lost
    for name in ("expanded", "generated", "reached", "peak_frontier"):
        assert getattr(result.statistics, name) == getattr(expected.statistics, name), name
    assert result.cost == expected.cost == solve(board, "bfs", backend="python").cost
    assert certify(board, result).accepted


def free_port() -> int:
    """Return a port of the loopback interface that nobody uses now."""
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def started_head(folder: str) -> Iterator[str]:
    """Start a head with two cores as users do, by `ray start`; yield its address."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--num-cpus=2"]
    command += [f"--port={port}", f"--ray-client-server-port={free_port()}", f"--temp-dir={folder}"]
    command += ["--disable-usage-stats", "--include-dashboard=false", "--node-ip-address=127.0.0.1"]
    command += [f"--object-store-memory={80 << 20}"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as head:
        try:
            for _ in range(1200):
                with suppress(OSError), closing(socket.create_connection(("127.0.0.1", port), 1.0)):
                    break
                assert head.poll() is None, head.communicate()[0]
                time.sleep(0.1)
            yield f"127.0.0.1:{port}"
        finally:
            os.killpg(head.pid, signal.SIGTERM)
            head.communicate(timeout=120)


@pytest.mark.long  # as above, and it compiles
@with_ray
@QUIET
def test_command_line_with_a_cluster(
    tmp_path: Path, ray_folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`solve --workers ray` prints what a search without workers prints; the tasks ran on the cluster, by a token."""
    pytest.importorskip("numba")
    from searchkit.cli import main
    from searchkit.scale.external import bfs

    monkeypatch.setattr(bfs, "SMALL", 2000)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", token_hex(32))
    sent: list[str] = []
    submit = RayWorkers.submit

    def spied(workers: RayWorkers, task: Any, /, *arguments: Any) -> Any:
        sent.append(task.__name__)
        return submit(workers, task, *arguments)

    monkeypatch.setattr(RayWorkers, "submit", spied)

    def answer(number: int, *words: str) -> dict[str, Any]:
        folder = f"directory={tmp_path / str(number)}"
        assert main(["solve", "8puzzle", "--engine", "external_bfs", "--json", "--set", folder, *words]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        del found["statistics"]["seconds"]
        return found

    expected = answer(0)
    with started_head(ray_folder) as address:
        monkeypatch.setenv("RAY_ADDRESS", address)
        assert answer(1, "--workers", "ray") == expected
    assert sent.count("expand") > 10
    assert sent.count("merge") > 10
