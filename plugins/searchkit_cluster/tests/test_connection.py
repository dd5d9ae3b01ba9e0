"""Connections to clusters: what is tried again, what ends after a while, and what the errors say."""

import pickle
import socket
import subprocess
import sys
import threading
import traceback
from contextlib import closing
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from searchkit import __version__
from searchkit.plugin import WorkerError
from searchkit.scale.workers import open_workers
from searchkit.scale.workers.packing import packed
from searchkit_cluster import connection
from searchkit_cluster.connection import CLIENT_TRIES, Connection, described
from searchkit_cluster.ray_workers import RayWorkers, run, run_with_objects


class Ray(ModuleType):
    """In place of Ray: `init` raises what it is given, one error after the other, or waits for an event."""

    def __init__(self, *errors: BaseException, wait: threading.Event | None = None):
        super().__init__("ray")
        self.errors, self.wait = list(errors), wait
        self.inits: list[tuple[object, dict[str, Any]]] = []
        self.shutdowns = 0
        self.left = threading.Event()
        self.leave: Any = None

    def init(self, address: str | None, **options: Any) -> None:
        """Take note of a call."""
        self.inits.append((address, options))
        if self.wait is not None:
            self.wait.wait(60)
        if self.errors:
            raise self.errors.pop(0)

    def shutdown(self) -> None:
        """Take note of a call, and end the connection meanwhile, as a finalizer may do."""
        self.shutdowns += 1
        if self.leave is not None:
            self.leave()
        self.left.set()

    def is_initialized(self) -> bool:
        """Return that this program is not connected."""
        return False

    def cluster_resources(self) -> dict[str, float]:
        """Return one core."""
        return {"CPU": 1.0}

    def put(self, thing: object) -> None:
        """Raise an error, as of a head that has no NumPy."""
        raise ModuleNotFoundError("No module named 'numpy'")

    def remote(self, **_: Any) -> Any:
        """Return what defines a remote function: a call is an error, as of a head that has no searchkit."""

        def call(*_: object) -> None:
            raise ModuleNotFoundError("No module named 'searchkit_cluster'")

        return lambda function: SimpleNamespace(remote=call)


def use(monkeypatch: pytest.MonkeyPatch, ray: Ray) -> Ray:
    """Let Ray be this one, without a cluster that is named."""
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    monkeypatch.setattr(connection, "_reach", lambda text, address, advice: None)
    return ray


def lost() -> ConnectionAbortedError:
    """Return what Ray raises if the process that it begins for a client was lost."""
    try:
        raise RuntimeError(
            "Starting Ray client server failed. See ray_client_server_23000.err for detailed logs."
        )
    except RuntimeError:
        return ConnectionAbortedError(f"Initialization failure from server:\n{traceback.format_exc()}")


def test_client_whose_process_on_the_head_is_lost_connects_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is lost in some percent of cases; after some tries it is one error, which says what Ray says at last."""
    ray = use(monkeypatch, Ray(lost(), lost()))
    with closing(open_workers("ray://head:10001")):
        assert [address for address, _ in ray.inits] == ["ray://head:10001"] * 3
    ray = use(monkeypatch, Ray(*(lost() for _ in range(CLIENT_TRIES + 1))))
    with pytest.raises(WorkerError) as raised:
        open_workers("ray://head:10001")
    assert len(ray.inits) == CLIENT_TRIES
    assert str(raised.value) == (
        "workers 'ray://head:10001': no cluster can be used (ConnectionAbortedError: Initialization failure from "
        "server: RuntimeError: Starting Ray client server failed. See ray_client_server_23000.err for detailed "
        "logs.); start one with ray start --head, or name one by RAY_ADDRESS=HOST:6379 or ray://HOST:10001; a cluster "
        "that asks for a token, as those of Ray 2.59 and later do, answers only if RAY_AUTH_MODE=token is set"
    )


@pytest.mark.parametrize(
    ("there", "process"),
    [
        ("Ray: 2.50.1\n    Python: 3.11.7", "on Ray Client"),
        ("Ray: 2.60.0\n    Python: 3.12.1", "on node 192.0.2.2"),
    ],
)
def test_other_versions_are_one_error(there: str, process: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not tried again, and says to install the same versions, not to start a cluster; messages of Ray 2.60."""
    ray = use(
        monkeypatch,
        Ray(
            RuntimeError(
                f"Version mismatch: The cluster was started with:\n    {there}\n"
                f"This process {process} was started with:\n    Ray: 2.60.0\n    Python: 3.11.7\n"
            )
        ),
    )
    with pytest.raises(WorkerError) as raised:
        open_workers("ray://head:10001")
    assert str(raised.value) == (
        "workers 'ray://head:10001': no cluster can be used (RuntimeError: Version mismatch: The cluster was started "
        f"with: {' '.join(there.split())} This process {process} was started with: Ray: 2.60.0 Python: 3.11.7); the "
        "cluster answers, but its versions differ: install the same Ray and the same Python, to its last number, here "
        "and on all machines of the cluster"
    )
    assert len(ray.inits) == 1


def test_other_errors_are_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The advice is how to reach a cluster."""
    ray = use(monkeypatch, Ray(RuntimeError("no head")))
    with pytest.raises(WorkerError, match=r"\(RuntimeError: no head\); start one with ray start --head"):
        open_workers("ray://head:10001")
    assert len(ray.inits) == 1


def test_ray_that_does_not_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection that comes too late is left."""
    late = threading.Event()
    ray = use(monkeypatch, Ray(wait=late))
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.01)
    with pytest.raises(
        WorkerError, match=r"Ray has not connected within 0\.01 s; end what is left .* with ray stop"
    ):
        open_workers("ray")
    late.set()
    assert ray.left.wait(60)


def test_connection_is_left_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A finalizer may end it while it is being left, and its thread does not end it again."""
    ray = use(monkeypatch, Ray())
    made = Connection("ray")
    ray.leave = made.leave
    made.leave()
    made.leave()
    for thread in threading.enumerate():
        if thread.name == "searchkit-ray":
            thread.join(60)
    assert ray.shutdowns == 1


LEAVES_LATE = """
import atexit, sys
from types import ModuleType
ray = ModuleType("ray")
inside = []
def shutdown():
    if inside:
        print("shutdown within shutdown")
        return
    inside.append(1)
    made.leave()  # garbage is collected meanwhile, and a finalizer ends the connection
    inside.clear()
ray.init, ray.shutdown = lambda *_, **__: None, shutdown
atexit.register(shutdown)  # as Ray does when it is imported
sys.modules["ray"] = ray
from searchkit_cluster import connection
connection._reach = lambda *_: None
made = connection.Connection("ray")
print("connected")
"""


def test_connection_is_left_before_ray_ends_at_exit() -> None:
    """Ray's lock is not reentrant: a finalizer that runs while Ray ends would wait for its own thread."""
    done = subprocess.run([sys.executable, "-c", LEAVES_LATE], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "connected\n"), done.stderr


@pytest.mark.parametrize(
    ("named", "address", "dashboard"),
    [("", None, False), ("local", "local", False), ("head:6379", "head:6379", None), ("auto", "auto", None)],
)
def test_address_that_ray_is_given(
    named: str,
    address: str | None,
    dashboard: bool | None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is that of RAY_ADDRESS; only a cluster that begins here is asked to begin without a dashboard."""
    ray = use(monkeypatch, Ray())
    caplog.set_level("INFO", "searchkit")
    monkeypatch.setenv("RAY_ADDRESS", named)
    with closing(open_workers("ray")):
        ((given, options),) = ray.inits
    assert (given, options.get("include_dashboard")) == (address, dashboard)
    where = "connecting to the Ray cluster at head:6379 …" if ":" in named else "looking for a Ray cluster"
    assert [where in message for message in caplog.messages] == [True]


def test_cluster_that_does_not_answer_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how to start one. Ray itself would try again for minutes."""
    monkeypatch.setitem(sys.modules, "ray", Ray())
    monkeypatch.setattr(connection, "BEGIN_SECONDS", 0.0)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    for text, address in (("ray", "127.0.0.1:1"), ("ray", "ray://127.0.0.1:1"), ("ray://127.0.0.1:1", "")):
        monkeypatch.setenv("RAY_ADDRESS", address)
        with pytest.raises(WorkerError) as raised:
            open_workers(text)
        assert str(raised.value).startswith(
            f"workers {text!r}: no cluster answers at 127.0.0.1:1 (Connection refused); start one with ray start --head"
        )
        assert str(raised.value).endswith("answers only if RAY_AUTH_MODE=token is set")
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    with pytest.raises(WorkerError, match=r"only if it is the same as here: ray get-auth-token$"):
        open_workers("ray://127.0.0.1:1")


def test_cluster_of_this_machine_that_was_killed_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ray has its address in a file, and would try to connect for minutes."""
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").write_text("127.0.0.1:1\n")
    for address in ("", "auto"):
        monkeypatch.setenv("RAY_ADDRESS", address)
        with pytest.raises(WorkerError) as raised:
            Connection("ray")
        assert str(raised.value) == (
            "workers 'ray': no cluster answers at 127.0.0.1:1 (Connection refused); end what is left of an earlier one "
            "with ray stop, or name another one by RAY_ADDRESS=HOST:6379"
        )
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path / "nothing"))
    assert connection._last_begun() == ""


def test_client_waits_for_a_server_that_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server for clients may listen only after `ray start` has ended."""
    calls: list[object] = []

    def create(*where: object) -> Any:
        calls.append(where)
        if len(calls) < 3:
            raise ConnectionRefusedError(111, "Connection refused")
        return socket.socket()

    monkeypatch.setattr(socket, "create_connection", create)
    monkeypatch.setattr(connection, "PAUSE_SECONDS", 0.0)
    connection._reach("ray://head:1", "ray://head:1", "")
    assert len(calls) == 3
    calls.clear()
    with pytest.raises(WorkerError, match=r"no cluster answers at head:1 .*; start one$"):
        connection._reach("ray", "head:1", "start one")
    assert len(calls) == 1


def test_cluster_without_searchkit_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The future has it, so that it does not become a fault of whoever submits."""
    use(monkeypatch, Ray())
    with closing(open_workers("ray://head:10001")) as workers:
        error = workers.submit(pow, 2, 10).exception(60)
    assert isinstance(error, WorkerError)
    assert str(error) == (
        "the cluster takes no tasks (ModuleNotFoundError: No module named 'searchkit_cluster'); all machines of a "
        "cluster need the same versions of Python, Ray and searchkit, and NumPy and Numba"
    )


def test_cluster_without_numpy_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client's head reads what is put there."""
    use(monkeypatch, Ray())
    workers = open_workers("ray://head:10001")
    assert isinstance(workers, RayWorkers)
    with (
        closing(workers),
        pytest.raises(
            WorkerError,
            match=r"takes no objects \(ModuleNotFoundError: No module named 'numpy'\); all .* NumPy and Numba$",
        ),
    ):
        workers.put_object(b"")


def test_machine_with_another_version_of_searchkit_is_an_error() -> None:
    """Tasks are pickled, and what another version makes of them may be wrong."""
    right, value = pickle.loads(run((__version__, *sys.path), packed((pow, (2, 10)), str)))
    assert (right, value) == (True, 1024)
    for answer in (run(("0.0", *sys.path), b""), run_with_objects(("0.0", *sys.path), b"", 2)[0]):
        right, value = pickle.loads(answer)
        assert not right
        assert isinstance(value, WorkerError)
        assert f"has searchkit {__version__}, and the program that sends the tasks has 0.0; all mach" in str(
            value
        )


def test_machine_without_a_module_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the module; it does not say that the task was lost."""
    module = ModuleType("only_of_the_driver")
    exec("def task(): pass", module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    message = packed((module.task, ()), str)
    monkeypatch.delitem(sys.modules, module.__name__)
    answer, *made = run_with_objects((__version__,), message, 2)
    right, value = pickle.loads(answer)
    assert (right, made) == (False, [None, None])
    assert str(value) == (
        f"what is sent to other processes can't be read on {socket.gethostname()}: ModuleNotFoundError: No module "
        "named 'only_of_the_driver'; they need the modules that define it"
    )


def test_errors_are_described_in_a_line() -> None:
    """An error without a message, too."""
    assert described(KeyError()) == "KeyError: "
    assert described(ValueError("a\n  b")) == "ValueError: a b"
    of_ray = '\x1b[36mray::run()\x1b[39m (pid=7)\n  File "ray.py", line 3, in run\n    x()\nKeyError: 3'
    assert described(ValueError(of_ray)) == "ValueError: ray::run() (pid=7): KeyError: 3"
