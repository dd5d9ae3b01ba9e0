"""Tasks on a cluster of Ray: a `concurrent.futures.Executor`.

Ray starts the processes, sends tasks and results, and runs the tasks of a lost process or of a lost node again: see
https://docs.ray.io/en/latest/ray-core/fault_tolerance/tasks.html. Tasks that exchange files need a folder that all
machines see at the same path.
"""

import atexit
import logging
import os
import re
import socket
import sys
import threading
import warnings
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

from searchkit import __version__
from searchkit.disk.executors import ThreadExecutor, pack, result_of, run_packed, task_name
from searchkit.plugin import InvalidOptionError, MissingExtraError, WorkerError

logger = logging.getLogger("searchkit")

RETRIES = 3
"""How often Ray runs a task again whose process or node is lost."""
CLIENT = "ray://"
REACH_SECONDS, ANSWER_SECONDS = 10.0, 120.0
"""How long to wait until a cluster answers at all, and until Ray has connected or has begun a cluster."""
CLIENT_TRIES = 6
"""How often a client connects. The process that it needs on the head is lost in some percent of cases when it begins,
as Ray forks while gRPC is in use: https://github.com/ray-project/ray/issues/63202."""
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",
    "GRPC_ENABLE_FORK_SUPPORT": "0",
}
"""Unless the environment says otherwise, no statistics are sent, no advice about graphics cards is printed, Ray does
not write to standard output, where results are, whenever it runs a task again, and no process is lost because it
forks while gRPC is in use."""
NEEDED = (
    "all machines of a cluster need the same versions of Python (to its last number), Ray and searchkit, and NumPy and "
    "Numba"
)
ADVICE = (
    "start a cluster with ray start --head, name one by RAY_ADDRESS=HOST:6379 or ray://HOST:10001, or end what is left "
    "of an earlier one with ray stop; a cluster that asks for a token answers only if RAY_AUTH_MODE=token is set and "
    "the token is the same as here (ray get-auth-token)"
)


def open_ray(text: str) -> "RayExecutor":
    """Return the executor that a text names: `ray`, or `ray://HOST:PORT`.

    `ray` uses the cluster that this process is connected to, or else the one that the environment variable
    `RAY_ADDRESS` names, or else the one that `ray start` has begun on this machine, or else begins one on this machine
    that ends with the executor. `ray://` connects from outside, by a cluster's client port, usually 10001.

    Raises:
        InvalidOptionError: the text is neither of the two.
        MissingExtraError: Ray is not installed.
        WorkerError: no cluster answers.

    """
    host, _, port = text.removeprefix(CLIENT).strip("/").rpartition(":")
    if text != "ray" and not (text.startswith(CLIENT) and host and port.isdecimal() and int(port) < 1 << 16):
        raise InvalidOptionError(f"workers {text!r}: expected ray, or ray://HOST:PORT: ray://head:10001")
    os.environ.update({name: value for name, value in QUIET.items() if name not in os.environ})
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError(
            "workers ray need Ray, which is not installed: python -m pip install 'statespace-searchkit[cluster]'"
        ) from error
    connection = None if ray.is_initialized() else Connection(text)
    return RayExecutor(max(1, int(ray.cluster_resources().get("CPU", 0))), connection)


class Connection(threading.Thread):
    """A connection to a cluster, made and ended by this thread.

    On Linux, the processes of a cluster that begins here are killed when the thread that started them ends
    (PR_SET_PDEATHSIG), so that must not be a thread of the caller. Ray replaces the handler of SIGTERM only in the main
    thread. Raises `WorkerError` if no cluster answers and none can begin.
    """

    def __init__(self, text: str):
        super().__init__(name="searchkit-ray", daemon=True)
        self.address = text if text.startswith(CLIENT) else os.environ.get("RAY_ADDRESS", "").strip()
        logger.info("connecting to the Ray cluster at %s …", self.address or "this machine, or starting one")
        self._made: Future[None] = Future()
        self._left = threading.Event()
        try:
            _reach(self.address)
            self.start()
            self._made.result(ANSWER_SECONDS)
        except BaseException as error:
            self._left.set()  # the thread leaves the cluster if it has begun since
            if not isinstance(error, Exception):  # Ctrl-C
                raise
            why = described(error) if str(error) else f"no answer within {ANSWER_SECONDS:g} s"
            advice = NEEDED if "Version mismatch" in why else ADVICE
            raise WorkerError(f"workers {text!r}: no cluster can be used ({why}); {advice}") from error
        atexit.register(self.leave)  # before Ray's own exit handler, which was registered earlier

    def run(self) -> None:
        """Connect, and wait until the connection is left."""
        import ray

        how: dict[str, Any] = {"include_dashboard": False} if self.address in ("", "local") else {}
        how |= {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Ray Client connection timed out")  # our error says it
                for left in reversed(range(CLIENT_TRIES)):
                    try:
                        ray.init(self.address or None, **how)
                        break
                    except ConnectionAbortedError:  # that process was lost
                        if not left:
                            raise
        except BaseException as error:
            self._made.set_exception(error)
            return
        self._made.set_result(None)
        self._left.wait()
        ray.shutdown()

    def leave(self) -> None:
        """Leave the cluster, and end it if it began here. Safe to call twice."""
        self._left.set()
        self.join()
        atexit.unregister(self.leave)


def _reach(address: str) -> None:
    """Connect to a cluster whose address is known, and leave it: Ray would try again for minutes. Raises OSError."""
    host, _, port = address.removeprefix(CLIENT).strip("/").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()


class RayExecutor(ThreadExecutor):
    """Runs tasks on a cluster; a thread waits for each.

    Args:
        max_workers: how many tasks run at once: the number of cores.
        connection: the connection to leave at the end; None if this program had one before.

    """

    shares_memory = False

    def __init__(self, max_workers: int, connection: Connection | None):
        import ray

        super().__init__(max_workers)
        self._connection = connection
        # By default Ray sends a task to a node that was free a moment ago. A busy node refuses it, and Ray asks again
        # at once, so that the servers do more than the tasks. SPREAD takes the nodes in turn.
        how = {"num_cpus": 1, "max_retries": RETRIES, "retry_exceptions": False}
        self._remote: Any = ray.remote(**how, scheduling_strategy="SPREAD")(run_here)
        self._running: set[Any] = set()
        """The references of what the cluster runs."""

    def run_task(self, call: "partial[Any]") -> Any:
        """Let the cluster run a task."""
        import ray

        message, reference = pack(call), None
        try:
            reference = self._remote.remote(__version__, sys.path, message)
            self._running.add(reference)
            if self.killed:  # just now
                self.end_tasks()
            answer = ray.get(reference)
        except Exception as error:
            cause = getattr(error, "cause", None)  # of a RayTaskError
            if isinstance(cause, WorkerError):
                raise cause from None
            raise WorkerError(
                f"the task {task_name(call)} was lost on the cluster, where a lost one is begun {RETRIES + 1} times: "
                f"{described(error)}; {NEEDED}"
            ) from error
        finally:
            self._running.discard(reference)
        return result_of(answer)

    def end_tasks(self) -> None:
        """Cancel what the cluster runs, if the executor is `killed`."""
        import ray

        for reference in list(self._running) if self.killed else ():
            with suppress(Exception):  # of a cluster that has ended, Ray finds no owner
                ray.cancel(reference, force=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more tasks, and leave the cluster: see `ThreadExecutor.shutdown`."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        if self._connection is not None and wait:
            self._connection.leave()


def run_here(version: str, path: list[str], message: bytes) -> bytes:
    """Run a packed task on the cluster; `path` is where the program that sends it imports from.

    Raises `WorkerError` if that program has another version of searchkit.
    """
    if version != __version__:
        raise WorkerError(
            f"{socket.gethostname()} has searchkit {__version__}, and the program that sends the tasks has {version}; "
            f"{NEEDED}"
        )
    sys.path += [folder for folder in path if folder not in sys.path]
    return run_packed(message)


def described(error: BaseException) -> str:
    """Return an error in a line: its class and its message, without colours and tracebacks."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    if any(line.startswith(("Traceback ", 'File "')) for line in lines):
        lines = [lines[0].removesuffix(":") + ":", lines[-1]]
    return f"{type(error).__name__}: {' '.join(lines):.400}"
