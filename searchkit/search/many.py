"""Many queries, answered on all cores."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from queue import SimpleQueue
from threading import Thread, current_thread
from typing import Any, Generic, NamedTuple, overload
from weakref import finalize

from attrs import define, evolve, field

from searchkit.errors import InvalidOptionError, MissingCapabilityError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import Action, Aimable, State, SupportsSearch
from searchkit.result import Result, Status
from searchkit.search.driver import SLICE_SECONDS, Observer, Search
from searchkit.search.limits import Limits

LEAVE_SECONDS = 0.1
"""How long to wait for the end of a thread if the caller did not ask for that."""


@define(eq=False)
class Workers:
    """Threads that search, and what they share: how to make a search, the queue of queries, and the running searches.

    The threads are daemons: neither Ctrl-C nor the end of the program waits for a member of a problem that does not
    return.
    """

    search: Callable[[Any], Search[Any, Any]]
    """Returns the search of a query."""
    limits: Limits | None
    certificate: bool
    most: int
    """The largest number of threads."""
    moved: bool = False
    """Whether one query has moved to machine code: then the following ones begin as machine code."""
    stopped: bool = False
    running: set[Search[Any, Any]] = field(factory=set)
    asked: "SimpleQueue[tuple[Any, Future[Any]] | None]" = field(factory=SimpleQueue)
    """Queries with the futures of their answers; None makes one thread end."""
    threads: list[Thread] = field(factory=list)

    def ask(self, query: Any) -> "Future[Any]":
        """Return the future answer to a query."""
        if len(self.threads) < self.most:
            thread = Thread(target=self.work, name="searchkit", daemon=True)
            thread.start()
            self.threads.append(thread)
        answer: Future[Any] = Future()
        self.asked.put((query, answer))
        return answer

    def work(self) -> None:
        """Answer queries until there are no more. Each thread runs this."""
        while (asked := self.asked.get()) is not None:
            query, answer = asked
            try:
                answer.set_result(self.answer(query))
            except BaseException as error:
                answer.set_exception(error)
            del asked, query, answer  # while it waits, it holds none of them

    def answer(self, query: Any) -> Result[Any, Any] | None:
        """Solve a query; return None if `stop` was called before it was begun."""
        if self.stopped:
            return None
        search = self.search(query)
        self.running.add(search)
        try:
            if self.stopped:  # just now: `stop` may have missed this search
                search.interrupt()
            if self.moved and search.may_move:
                search.move()
            result = search.run(self.limits, certificate=self.certificate)
        finally:
            self.running.discard(search)
        self.moved |= result.backend == "compiled"
        return result if result.status is Status.CUTOFF else evolve(result, search=None)

    def stop(self) -> None:
        """Make all searches end soon."""
        self.stopped = True
        for search in list(self.running):
            search.interrupt()

    def end(self, seconds: float | None = LEAVE_SECONDS) -> None:
        """Make the threads end as well, and wait for them: machine code has to end before the program does."""
        self.stop()
        for _ in self.threads:
            self.asked.put(None)
        for thread in self.threads:
            if thread is not current_thread():
                thread.join(seconds)


SIGNAL_SECONDS = 0.1
"""How long Ctrl-C may be delayed while `next` waits for an answer."""
AHEAD = 8
"""How many queries per thread are begun ahead of the results: so a long one does not make other threads idle."""


class Answers(Iterator[Result[State, Action]], Generic[State, Action]):
    """The results of `solve_many`, in the order of the queries: an iterator, to be used by one thread.

    If a query raises, `next` raises the error with a note that names the query; called again, it continues with the
    query after it. Ctrl-C while `next` waits makes all searches end soon, and loses no results: afterwards, `next`
    returns those that exist, including those of the searches that were cut off. `interrupt` does the same.
    """

    def __init__(self, workers: Workers, queries: Iterator[Any]):
        self._workers, self._queries = workers, enumerate(queries)
        self._waiting: deque[_Asked] = deque()
        finalize(self, workers.end)

    def __next__(self) -> Result[State, Action]:
        ahead = AHEAD * self._workers.most
        while len(self._waiting) < ahead and not self._workers.stopped and self._ask():
            pass
        if not self._waiting:
            self.close()
            raise StopIteration
        try:
            self._wait_for(self._waiting[0].answer)
        except KeyboardInterrupt:
            self.interrupt()
            raise
        asked = self._waiting.popleft()
        try:
            result: Result[State, Action] | None = asked.answer.result()
        except BaseException as error:
            error.add_note(asked.note())
            raise
        finally:
            del asked  # it holds the error, which holds this frame
        if result is None:  # it was not begun
            self.close()
            raise StopIteration
        return result

    def interrupt(self) -> None:
        """Make the searches under way end soon, as cutoffs, and begin no others.

        Safe to call from a signal handler or another thread.
        """
        self._workers.stop()

    def close(self) -> None:
        """End all searches now, and return when none runs any more. Results that were not read are dropped."""
        waiting = [asked.answer for asked in self._waiting]
        self._waiting.clear()
        self._workers.stop()
        while wait(waiting, SLICE_SECONDS).not_done:
            self._workers.stop()  # again: one interruption ends the search, another one the certificate
        self._workers.end(None)

    def _wait_for(self, answer: "Future[Any]") -> None:
        """Wait for an answer in short periods.

        A signal that arrives just before the wait for a lock, or in another thread, does not end that wait.
        """
        while not answer.done():
            wait([answer], SIGNAL_SECONDS)

    def _ask(self) -> bool:
        """Give the next query to a thread; return whether there was one."""
        try:
            number, query = next(self._queries)
        except StopIteration:
            return False
        except Exception as error:
            failed: Future[Any] = Future()
            failed.set_exception(error)
            self._waiting.append(_Asked(None, None, failed))
            self._queries = enumerate(())
        else:
            self._waiting.append(_Asked(number, query, self._workers.ask(query)))
        return True


class _Asked(NamedTuple):
    """A query that was given to a thread."""

    number: int | None
    """None for an error while the queries were read."""
    query: Any
    answer: "Future[Any]"

    def note(self) -> str:
        """Return the note that names the query. A problem is not shown: its repr may be a large drawing."""
        if self.number is None:
            return "while the queries were read"
        shown = repr(self.query) if isinstance(self.query, tuple) else f"a {type(self.query).__name__}"
        return f"in query {self.number} of solve_many (the first is 0): {shown}"


@overload
def solve_many(
    problem: Aimable[State, Action],
    queries: Iterable[tuple[State, State]],
    engine: str | EngineSpec | EngineFunction = "auto",
    *,
    backend: str = "auto",
    limits: Limits | None = None,
    observers: Iterable[Observer] = (),
    threads: int | None = None,
    certificate: bool = False,
    **options: object,
) -> Answers[State, Action]: ...


@overload
def solve_many(
    problem: Iterable[SupportsSearch[State, Action]],
    queries: None = None,
    engine: str | EngineSpec | EngineFunction = "auto",
    *,
    backend: str = "auto",
    limits: Limits | None = None,
    observers: Iterable[Observer] = (),
    threads: int | None = None,
    certificate: bool = False,
    **options: object,
) -> Answers[State, Action]: ...


def solve_many(
    problem: Any,
    queries: Iterable[tuple[Any, Any]] | None = None,
    engine: str | EngineSpec | EngineFunction = "auto",
    *,
    backend: str = "auto",
    limits: Limits | None = None,
    observers: Iterable[Observer] = (),
    threads: int | None = None,
    certificate: bool = False,
    **options: object,
) -> Answers[Any, Any]:
    """Answer many queries on all cores; return an iterator of their results, in the order of the queries.

    Each result is the one that `solve` returns, whatever the number of threads. Only the seconds differ, and with
    `auto` the backend may. Queries are read as results are read, a few of them ahead, so that there may be any number
    of them. A result has its search only if a limit came first: the searches of thousands of queries would fill the
    memory.

    Machine code runs on all cores at once. Engines in Python run one at a time, as all Python code does, and become no
    faster. With `backend="auto"`, once a search has moved to machine code, the following ones begin there. The members
    of a problem are called from several threads.

    Args:
        problem: what all queries are about, such as a map: an `Aimable` problem. Without `queries`, the problems to
            solve.
        queries: a (start, goal) pair for each.
        engine: as for `solve`.
        backend: as for `solve`.
        limits: limits of each query; the limit of memory is that of the whole process.
        observers: as for `solve`; several threads call them.
        threads: how many queries run at a time; by default, the number of cores that this process may use.
        certificate: whether each result carries one, as for `solve`.
        options: as for `solve`.

    Raises:
        InvalidOptionError: `threads` is not a whole number ≥ 1, or a query is not a pair.
        MissingCapabilityError: the problem is not `Aimable`.
        SearchkitError: what `solve` raises, from the iterator when it comes to that query; a note names the query.

    Example:
        >>> from searchkit import solve_many
        >>> from searchkit_dungeon import grid
        >>> crypt = grid(["S...", ".##.", "...G"])
        >>> [result.cost for result in solve_many(crypt, [((0, 0), (3, 2)), ((0, 1), (3, 1)), ((2, 0), (2, 0))])]
        [5, 5, 0]

    """
    if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or threads < 1):
        raise InvalidOptionError(
            f"threads={threads!r}: expected a whole number ≥ 1, or None for one for each core"
        )
    registry()  # loaded here, once, and not by several threads
    observers = tuple(observers)

    def begun(task: Any) -> Search[Any, Any]:
        return Search(task, engine, backend=backend, observers=observers, **options)

    if queries is None:
        if not isinstance(problem, Iterable):
            raise MissingCapabilityError(
                f"solve_many({type(problem).__name__}) has no queries; expected (start, goal) pairs after the problem, "
                "or the problems to solve in its place"
            )
        return Answers(Workers(begun, limits, certificate, threads or cores()), iter(problem))
    if isinstance(queries, str) or not isinstance(queries, Iterable):
        hint = f"; an engine is given by its name, engine={queries!r}" if isinstance(queries, str) else ""
        raise InvalidOptionError(f"queries={queries!r}: expected (start, goal) pairs{hint}")
    begun(problem)  # what is wrong with the other arguments is said here
    return Answers(Workers(_aimed(problem, begun), limits, certificate, threads or cores()), iter(queries))


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # on Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _aimed(problem: Any, begun: Callable[[Any], Search[Any, Any]]) -> Callable[[Any], Search[Any, Any]]:
    """Return the function query → search. Raises `MissingCapabilityError` if the problem is not `Aimable`."""
    if not isinstance(problem, Aimable):
        raise MissingCapabilityError(
            f"{type(problem).__name__} can't be asked of other starts and goals (it is not Aimable: it has no "
            "aimed(starts, goals)); define it, or give solve_many the problems themselves, one for each query"
        )

    def search(query: Any) -> Search[Any, Any]:
        if not (isinstance(query, tuple | list) and len(query) == 2):
            raise InvalidOptionError(f"the query is {query!r}; expected a pair (start, goal)")
        start, goal = query
        return begun(problem.aimed([start], [goal]))

    return search
