"""Many queries, answered on all cores: by threads, or by workers in other processes."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, wait
from typing import Any, Generic, NamedTuple, overload
from weakref import finalize

from searchkit.basics.text import kind_of
from searchkit.errors import InvalidOptionError, MissingCapabilityError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import Action, Aimable, State, SupportsSearch
from searchkit.result import Result
from searchkit.scale.workers import Workers, cores, open_workers
from searchkit.search.driver import Observer
from searchkit.search.limits import SLICE_SECONDS, Limits, checked_limits
from searchkit.search.many.elsewhere import Elsewhere, Setup
from searchkit.search.many.threads import Threads, searches

SIGNAL_SECONDS = 0.1
"""How long Ctrl-C may be delayed while `next` waits for an answer."""


class Answers(Iterator[Result[State, Action]], Generic[State, Action]):
    """The results of `solve_many`, in the order of the queries: an iterator, to be used by one thread.

    If a query raises, `next` raises the error with a note that names the query; called again, it continues with the
    query after it. Ctrl-C while `next` waits makes all searches end soon, and loses no results: afterwards, `next`
    returns those that exist, including those of the searches that were cut off. `interrupt` does the same. With
    `workers`, searches under way have no result then.
    """

    def __init__(self, workers: Threads | Elsewhere, queries: Iterator[Any]):
        self._workers, self._queries = workers, enumerate(queries)
        self._waiting: deque[_Asked] = deque()
        finalize(self, workers.end)

    def __next__(self) -> Result[State, Action]:
        while len(self._waiting) < self._workers.ahead and not self._workers.stopped and self._ask():
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
        if not answer.done():
            self._workers.flush()
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
        shown = repr(self.query) if isinstance(self.query, tuple) else kind_of(self.query)
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
    workers: str | Workers | None = None,
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
    workers: str | Workers | None = None,
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
    workers: str | Workers | None = None,
    certificate: bool = False,
    **options: object,
) -> Answers[Any, Any]:
    """Answer many queries on all cores; return an iterator of their results, in the order of the queries.

    Each result is the one that `solve` returns, whatever the number of threads. Only the seconds differ, and with
    `auto` the backend may. Queries are read as results are read, a few of them ahead, so that there may be any number
    of them. A result has its search only if a limit came first: the searches of thousands of queries would fill the
    memory.

    Machine code runs on all cores at once, one query on each. Engines in Python run one at a time, as all Python code
    does, and become no faster, unless other processes run them: `workers="processes"`. With `backend="auto"`, once a
    search has moved to machine code, the following ones begin there. The members of a problem are called from several
    threads.

    With workers, problem, queries and results are pickled. A query whose process is lost is answered again.

    Args:
        problem: what all queries are about, such as a map: an `Aimable` problem. Without `queries`, the problems to
            solve.
        queries: a (start, goal) pair for each.
        engine: as for `solve`.
        backend: as for `solve`.
        limits: limits of each query; the limit of memory is that of the whole process.
        observers: as for `solve`; several threads call them.
        threads: how many queries run at a time, each in one thread; by default, the number of cores that this process
            may use.
        workers: who answers queries instead of threads, as `searchkit.scale.workers.open_workers` reads it, such as
            `processes`, `processes:8` or `ray`; or workers that are open, and are left open.
        certificate: whether each result carries one, as for `solve`.
        options: as for `solve`.

    Raises:
        InvalidOptionError: `threads` is not a whole number ≥ 1, a query is not a pair, or workers are combined with
            threads or observers.
        UnknownNameError: there are no workers of that name.
        WorkerError: problem and options can't be pickled; or, from the iterator, a query or its result can't be, or
            the processes that searched for it were lost.
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
    if queries is None:
        if not isinstance(problem, Iterable):
            raise MissingCapabilityError(
                f"solve_many({type(problem).__name__}) has no queries; expected (start, goal) pairs after the problem, "
                "or the problems to solve in its place"
            )
        subject, queries = None, problem
    elif isinstance(queries, str) or not isinstance(queries, Iterable):
        hint = f"; an engine is given by its name, engine={queries!r}" if isinstance(queries, str) else ""
        raise InvalidOptionError(f"queries={queries!r}: expected (start, goal) pairs{hint}")
    else:
        subject = problem
    search = searches(subject, engine, backend, observers, options)
    if workers is None:
        return Answers(Threads(search, limits, certificate, threads or cores()), iter(queries))
    for given, name in ((threads, "threads"), (observers, "observers")):
        if given:
            raise InvalidOptionError(
                f"{name}={given!r} can't be combined with workers: they run in other processes"
            )
    setup = Setup(subject, engine, backend, checked_limits(limits), certificate, options)
    if not isinstance(workers, str) and not hasattr(workers, "submit"):
        raise InvalidOptionError(f"workers={workers!r}: expected a name such as processes:8, or open workers")
    opened = open_workers(workers) if isinstance(workers, str) else workers
    return Answers(Elsewhere(opened, setup, isinstance(workers, str)), iter(queries))
