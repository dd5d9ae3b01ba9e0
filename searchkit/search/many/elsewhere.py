"""Searches in other processes: queries are sent to workers, several at a time if they are short."""

import pickle
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import Any

from attrs import define, field, frozen

from searchkit.errors import WorkerError
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.scale.workers import Workers
from searchkit.scale.workers.packing import answer_of, outcome_of, packed, unpacked
from searchkit.search.limits import Limits
from searchkit.search.many.threads import AHEAD, LEAVE_SECONDS, Threads, searches

TASK_SECONDS = 0.02
"""A task that takes less time is worth more queries: then sending it costs little in comparison."""
MOST_QUERIES = 256
"""How many queries a task has at most."""
KEPT = 2
"""How many setups a process keeps."""


@frozen
class Setup:
    """What all queries have in common. It is sent to each process once."""

    problem: Any
    """What the queries are about; None if they are problems themselves."""
    engine: str | EngineSpec | EngineFunction
    backend: str
    limits: Limits | None
    certificate: bool
    options: Mapping[str, object]


_setups: dict[str, Threads] = {}
"""In a process of the workers: the digest of a setup → what answers its queries, in the thread that asks."""


def answer_queries(
    digest: str, setup: bytes | None, queries: Sequence[Any]
) -> tuple[float, list[bytes]] | None:
    """Answer queries in a process of the workers: the task that is sent.

    Returns the seconds and the answers, each as `packing.answer_of` makes it; None if the setup is needed, and neither
    given nor kept from an earlier task.
    """
    begin = perf_counter()
    searching = _setups.get(digest)  # held here: another thread of the process may replace it
    if searching is None:
        if setup is None:
            return None
        common: Setup = unpacked(setup)
        search = searches(common.problem, common.engine, common.backend, (), common.options)
        searching = _setups.setdefault(digest, Threads(search, common.limits, common.certificate, 1))
        for oldest in list(_setups)[:-KEPT]:
            _setups.pop(oldest, None)
    answers = [answer_of(outcome_of(searching.answer, (query,))) for query in queries]
    return perf_counter() - begin, answers


_Asked = tuple[Any, "Future[Any]"]
"""A query and the future of its answer."""


@define(eq=False)
class Elsewhere:
    """Sends queries to workers, and gives their answers to the futures."""

    workers: Workers
    setup: Setup
    owned: bool
    """Whether the workers were opened for these queries, and end with them."""
    stopped: bool = False
    size: int = 1
    """How many queries are sent in one task; grows as long as tasks are short."""
    _gathered: list[_Asked] = field(factory=list)
    """Queries to be sent in the next task."""
    _open: "dict[Future[Any], Sequence[_Asked]]" = field(factory=dict)
    """The tasks under way, and their queries."""
    _data: bytes = field(init=False, default=b"")
    _digest: str = field(init=False, default="")

    def __attrs_post_init__(self) -> None:
        kind = type(self.setup.problem).__name__
        self._data = packed(
            self.setup, lambda: "the engine" if self.setup.problem is None else f"this {kind}"
        )
        self._digest = sha256(self._data).hexdigest()

    @property
    def ahead(self) -> int:
        """How many queries to have under way, so that no process is idle."""
        return max(AHEAD, 2 * self.size) * self.workers.count

    def ask(self, query: Any) -> "Future[Any]":
        """Return the future answer to a query, which is None if `stop` was called before."""
        answer: Future[Any] = Future()
        self._gathered.append((query, answer))
        if len(self._gathered) >= self.size:
            self.flush()
        return answer

    def flush(self) -> None:
        """Send the queries that were gathered."""
        gathered, self._gathered = self._gathered, []
        if gathered:
            self._send(gathered, None)

    def stop(self) -> None:
        """Send no more queries; those without an answer get None, whether they are searched for or not."""
        self.stopped = True
        waiting, self._gathered = self._gathered, []
        for task, asked in list(self._open.items()):
            waiting += asked
            task.cancel()
        for _, answer in waiting:
            _give(answer.set_result, None)

    def end(self, seconds: float | None = LEAVE_SECONDS) -> None:
        """Stop, and close the workers if they are ours. With `seconds`, they are left to the garbage collector."""
        self.stop()
        if self.owned and seconds is None:
            self.workers.close()

    def _send(self, asked: Sequence[_Asked], data: bytes | None) -> None:
        try:
            task = self.workers.submit(answer_queries, self._digest, data, [query for query, _ in asked])
        except RuntimeError:  # the workers are closed
            self._fail(asked, WorkerError("the workers of solve_many were closed"))
            return
        self._open[task] = asked
        task.add_done_callback(partial(self._settle, asked, data))

    def _settle(self, asked: Sequence[_Asked], data: bytes | None, task: "Future[Any]") -> None:
        """Give the answers of a task to its queries. Called when it has ended, in any thread."""
        self._open.pop(task, None)
        if self.stopped:
            for _, answer in asked:
                _give(answer.set_result, None)
            return
        try:
            done = task.result()
        except (Exception, CancelledError) as error:
            if len(asked) == 1:
                self._fail(asked, error)
            else:  # one query may have ended the process: the others are not lost with it
                for each in asked:
                    self._send([each], self._data)
            return
        if done is None:
            self._send(asked, self._data)
            return
        seconds, answers = done
        if seconds < TASK_SECONDS and len(asked) == self.size < MOST_QUERIES:
            self.size *= 2
        for (_, answer), message in zip(asked, answers, strict=True):
            right, value = pickle.loads(message)
            _give(answer.set_result if right else answer.set_exception, value)

    def _fail(self, asked: Sequence[_Asked], error: BaseException) -> None:
        for _, answer in asked:
            _give(answer.set_exception, error)


def _give(settle: Callable[[Any], None], value: Any) -> None:
    """Settle a future, unless another thread has just done that."""
    try:
        settle(value)
    except InvalidStateError:
        return
