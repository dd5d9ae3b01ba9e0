"""Tasks on a cluster of Ray: an adapter of `searchkit.scale.workers.Workers`.

Ray starts the processes, sends tasks and results, and runs the tasks of a lost process or of a lost node again: see
https://docs.ray.io/en/latest/ray-core/fault_tolerance/tasks.html.
"""

import pickle
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar
from weakref import finalize

from attrs import define, field

from searchkit import __version__
from searchkit.plugin import MissingExtraError, WorkerError
from searchkit.scale.workers.packing import answer_of, named, outcome_of, packed, unpacked
from searchkit_cluster.connection import Connection, checked, described, quiet

Value = TypeVar("Value")

RETRIES = 3
"""How often Ray runs a task again whose process or node is lost."""
NEEDED = "all machines of a cluster need the same versions of Python, Ray and searchkit, and NumPy and Numba"


def open_ray(text: str) -> "RayWorkers":
    """Return the workers that a text names: `ray`, or `ray://HOST:PORT`.

    `ray` uses the cluster that this process is connected to, or else the one that the environment variable
    `RAY_ADDRESS` names, or else the one that `ray start` has begun on this machine, or else begins one on this machine
    that ends with the workers. `ray://` connects from outside, by a cluster's client port, usually 10001.

    Raises:
        InvalidOptionError: the text is neither of the two.
        MissingExtraError: Ray is not installed.
        WorkerError: no cluster answers.

    """
    checked(text)
    try:
        with quiet():
            import ray
    except ImportError as error:
        raise MissingExtraError(
            "workers ray need Ray, which is not installed: python -m pip install 'statespace-searchkit[cluster]'"
        ) from error
    connection = None if ray.is_initialized() else Connection(text)
    count = int(ray.cluster_resources().get("CPU", 0))
    return RayWorkers(max(1, count), connection)


@define(eq=False)
class RayWorkers:
    """Runs tasks on a cluster, one for each of its cores at once."""

    count: int
    _connection: Connection | None
    """The connection that this object has made, and so has to end; None if there was one."""
    _open: "dict[Future[Any], Any]" = field(init=False, factory=dict)
    """Each future that has no result yet → the reference of Ray's object."""
    _closed: bool = field(init=False, default=False)
    _lock: Any = field(init=False, factory=threading.RLock)
    _settling: ThreadPoolExecutor = field(
        init=False, factory=lambda: ThreadPoolExecutor(1, "searchkit-ray-answers")
    )
    threads: int = field(init=False, default=1)
    """How many threads each task may use."""
    _nodes: list[str] = field(init=False, factory=list)
    """The node of each task that runs at once, after `run_one_task_a_node`."""
    _remote: Any = field(init=False, default=None)
    _remote_with_objects: Any = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._define()
        if self._connection is not None:
            finalize(self, self._connection.leave)

    def submit(self, task: Callable[..., Value], /, *arguments: Any) -> "Future[Value]":
        """Return the future result of a task: see `Workers.submit`."""
        future, _ = self._submit(self._remote, task, arguments, ())
        return future

    def run_one_task_a_node(self) -> None:
        """Run one task on each node from now on: see `ClusterWorkers.run_one_task_a_node`."""
        import ray

        nodes = {
            node["NodeID"]: int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]
        }
        self.threads = min(filter(None, nodes.values()), default=1)
        self._nodes = [node for node, cores in nodes.items() for _ in range(cores // self.threads)]
        self.count = max(1, len(self._nodes))
        self._define()

    def submit_with_objects(
        # Same lines as in searchkit.scale.workers: the interface.
        self,
        task: Callable[..., tuple[Value, list[Any]]],
        arguments: tuple[Any, ...],
        objects: Sequence[Any],
        made: int,
        near: int,
    ) -> "tuple[Future[Value], list[Any]]":
        """Return the future value and the objects of a task: see `ClusterWorkers.submit_with_objects`."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        where = (
            NodeAffinitySchedulingStrategy(self._nodes[near % len(self._nodes)], soft=True)
            if self._nodes
            else "SPREAD"  # no node has a core yet
        )
        remote = self._remote_with_objects.options(num_returns=made + 1, scheduling_strategy=where)
        return self._submit(remote, task, arguments, (made, *objects))

    def put_object(self, thing: Any) -> Any:
        """Put a thing into the memory of the cluster. Raises `WorkerError` if the cluster can't read it."""
        import ray

        try:
            return ray.put(thing)
        except Exception as error:  # a client's head reads it, and may lack a module
            raise WorkerError(f"the cluster takes no objects ({described(error)}); {NEEDED}") from error

    def get_object(self, found: Any) -> Any:
        """Return the thing that an object stands for. Raises `WorkerError` if it is lost."""
        import ray

        try:
            return ray.get(found)
        except Exception as error:  # what Ray raises for objects is many classes
            raise WorkerError(f"an object was lost on the cluster: {described(error)}") from error

    def _define(self) -> None:
        """Make the functions that Ray runs.

        By default Ray sends a task to a node that was free a moment ago, or has its arguments. A busy node refuses
        it, and Ray asks again at once, so that the servers do more than the tasks; or nodes stay idle. `SPREAD` takes
        the nodes in turn: https://docs.ray.io/en/latest/ray-core/scheduling/index.html.
        """
        import ray

        options = ray.remote(
            num_cpus=self.threads, max_retries=RETRIES, retry_exceptions=False, scheduling_strategy="SPREAD"
        )
        self._remote, self._remote_with_objects = options(run), options(run_with_objects)

    def _submit(
        self, remote: Any, task: Callable[..., Any], arguments: tuple[Any, ...], more: tuple[Any, ...]
    ) -> "tuple[Future[Any], list[Any]]":
        """Let Ray run one of its functions with a task and `more`; return the future result, and the objects."""
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the workers are closed")
            try:
                message = packed((task, arguments), lambda: named(task, arguments))
            except Exception as error:
                future.set_exception(error)
                return future, []
            try:
                references = remote.remote((__version__, *sys.path), message, *more)
            except Exception as error:  # a client asks the head at once, which may have no searchkit
                future.set_exception(
                    WorkerError(f"the cluster takes no tasks ({described(error)}); {NEEDED}")
                )
                return future, []
            first, *others = references if isinstance(references, list) else [references]
            self._open[future] = first
        answer = first.future()
        answer.add_done_callback(lambda done: self._answer(future, done, task, arguments))
        return future, others

    def _answer(self, *settled: Any) -> None:
        """Call `_settle` in a thread of ours.

        A `ray://` connection has one thread for all answers, which calls this. What waits for the future may submit
        the next task at once, which waits for an answer itself.
        """
        with suppress(RuntimeError):  # the workers were closed
            self._settling.submit(self._settle, *settled)

    def close(self) -> None:
        """Cancel what has not begun, and end what runs; leave the cluster. Safe to call twice."""
        import ray

        with self._lock:
            self._closed = True
            left, self._open = self._open, {}
        for reference in left.values():
            with suppress(Exception):  # of a cluster that has ended, Ray finds no owner
                ray.cancel(reference, force=True)
        for future in left:
            if future.cancel():
                future.set_running_or_notify_cancel()
        self._settling.shutdown(wait=False)
        if self._connection is not None:
            self._connection.leave()

    def _settle(
        self,
        future: "Future[Any]",
        done: "Future[bytes]",
        task: Callable[..., Any],
        arguments: tuple[Any, ...],
    ) -> None:
        """Give the answer of the cluster to a future."""
        with self._lock:
            if self._open.pop(future, None) is None or not future.set_running_or_notify_cancel():
                return
        try:
            right, value = pickle.loads(done.result())
        except BaseException as error:
            right = False
            value = WorkerError(
                f"the task {named(task, arguments)} was lost on the cluster, where a lost one is begun "
                f"{RETRIES + 1} times: {described(error)}"
            )
        if right:
            future.set_result(value)
        else:
            future.set_exception(value)


def run(sender: tuple[str, ...], message: bytes) -> bytes:
    """Run a task on the cluster.

    `sender` is the version of searchkit that the driver has, and where it imports from: the same folders are often
    here too.
    """
    return answer_of(outcome_of(_run, (sender, message)))


def run_with_objects(sender: tuple[str, ...], message: bytes, made: int, *things: Any) -> tuple[Any, ...]:
    """Run a task with the things that objects stand for; return its answer, and the `made` things for new objects."""
    right, value = outcome_of(_run, (sender, message, things))
    value, kept = value if right else (value, [None] * made)
    return answer_of((right, value)), *kept


def _run(sender: tuple[str, ...], message: bytes, *more: Any) -> Any:
    version, *path = sender
    if version != __version__:
        raise WorkerError(
            f"{socket.gethostname()} has searchkit {__version__}, and the program that sends the tasks has {version}; "
            f"{NEEDED}"
        )
    sys.path += [folder for folder in path if folder not in sys.path]
    task, arguments = unpacked(message)
    return task(*arguments, *more)
