"""Many queries, answered on all cores: by threads of this process, or by other processes."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, wait
from functools import partial
from typing import Any, Generic, cast
from weakref import finalize

from attrs import define, evolve, field

from searchkit.basics.text import kind_of
from searchkit.disk.executors import in_this_process, open_executor, pack, tasks_at_once, unpacked
from searchkit.errors import InvalidOptionError, MissingCapabilityError, quoted
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import Action, Aimable, State, SupportsSearch
from searchkit.result import Result, Status
from searchkit.search.auto import needs_translation
from searchkit.search.driver import Search
from searchkit.search.limits import Limits, checked_limits

AHEAD = 8
"""How many queries for each thread or process are submitted ahead of the results."""
SIGNAL_SECONDS = 0.1
"""How long Ctrl-C may be delayed while `next` waits for an answer."""


@define(eq=False)
class Solver:
    """What all queries have in common, and the searches that run in this process."""

    problem: Any
    """What the queries are about; None if they are problems themselves."""
    engine: str | EngineSpec | EngineFunction
    backend: str
    limits: Limits | None
    options: Mapping[str, Any]
    compiled: bool = field(init=False, default=False)
    """Whether a query of the problem has become machine code: then the others begin there."""
    stopped: bool = field(init=False, default=False)
    running: set[Search[Any, Any]] = field(init=False, factory=set)

    def search(self, query: Any, backend: str) -> Search[Any, Any]:
        """Return the search for a query."""
        if self.problem is not None:
            if not (isinstance(query, tuple | list) and len(query) == 2):
                raise InvalidOptionError(f"the query is {quoted(query)}; expected a pair (start, goal)")
            query = self.problem.aimed([query[0]], [query[1]])
        return Search(query, self.engine, backend=backend, **self.options)

    def answer(self, query: Any, backend: str = "") -> Result[Any, Any] | None:
        """Return the result of a query; None if `stop` was called before it was begun."""
        backend = backend or ("compiled" if self.compiled else self.backend)
        search = self.search(query, backend)
        self.running.add(search)
        try:
            if self.stopped:
                return None
            result = search.run(self.limits)
        except MissingCapabilityError:
            if backend == self.backend:
                raise
            return self.answer(query, self.backend)  # there is no machine code for this one
        finally:
            self.running.discard(search)
        is_made = result.backend == "compiled" and not needs_translation(search.problem, search.spec)
        self.compiled |= is_made and self.problem is not None
        return result if result.status is Status.CUTOFF else evolve(result, search=None)

    def stop(self) -> None:
        """Make all searches end soon."""
        self.stopped = True
        for search in list(self.running):
            search.interrupt()


def answer_query(packed: bytes, query: Any) -> Any:
    """Return the result of a query in another process."""
    return unpacked(packed).answer(query)


class Answers(Iterator[Result[State, Action]], Generic[State, Action]):
    """The results of `solve_many`, in the order of the queries: an iterator, to be used by one thread.

    If a query raises, `next` raises the error with a note that names the query; called again, it continues with the
    query after it. Ctrl-C while `next` waits does what `interrupt` does.
    """

    def __init__(self, solver: Solver, executor: Executor, owned: bool, queries: Iterator[Any]):
        self._solver, self._executor, self._queries = solver, executor, enumerate(queries)
        self._here = in_this_process(executor)
        self._answer = solver.answer if self._here else partial(answer_query, pack(solver))
        self._tasks: deque[tuple[Future[Any], str]] = deque()
        """The queries under way, and what a note says about each."""
        self._owned = executor if owned else None
        self._leave = finalize(self, _leave, solver, self._tasks, self._owned)

    def __next__(self) -> Result[State, Action]:
        """Wait for the first task, in short periods: a signal just before a wait for a lock does not end that wait."""
        self._submit_ahead()
        if not self._tasks:
            self.close()
            raise StopIteration
        future, note = self._tasks[0]
        try:
            while not (future.done() or (self._solver.stopped and not self._here)):
                wait([future], SIGNAL_SECONDS)
        except KeyboardInterrupt:
            self.interrupt()
            raise
        self._tasks.popleft()
        try:
            result: Result[State, Action] | None = future.result() if future.done() else None
        except BaseException as error:
            error.add_note(note)
            raise
        finally:
            del future  # it holds the error, which holds this frame
        if result is None:  # it was interrupted
            self.close()
            raise StopIteration
        return result

    def interrupt(self) -> None:
        """Make the searches under way end soon, as cutoffs, and begin no others.

        `next` returns these results, too, but none of other processes. Safe to call from a signal handler or a thread.
        """
        self._solver.stop()

    def close(self) -> None:
        """End all searches now, and return when none runs any more. Results that were not read are dropped."""
        self._leave()
        if self._here:
            wait([future for future, _ in self._tasks])
        if self._owned is not None:
            self._owned.shutdown(cancel_futures=True)
        self._tasks.clear()

    def _submit_ahead(self) -> None:
        """Submit queries, so that no thread or process is idle until the next call."""
        while not self._solver.stopped and len(self._tasks) < AHEAD * tasks_at_once(self._executor):
            try:
                number, query = next(self._queries)
            except StopIteration:
                return
            except Exception as error:
                failed: Future[Any] = Future()
                failed.set_exception(error)
                self._tasks.append((failed, "while the queries were read"))
                self._queries = enumerate(())
                return
            shown = quoted(query) if isinstance(query, tuple) else kind_of(query)  # a problem may be large
            note = f"in query {number} of solve_many (the first is 0): {shown}"
            self._tasks.append((self._executor.submit(self._answer, query), note))


def _leave(solver: Solver, tasks: deque[tuple[Future[Any], str]], owned: Executor | None) -> None:
    """End the searches of an iterator that is not used any more: machine code has to end before the program does."""
    solver.stop()
    for future, _ in tasks:
        future.cancel()
    if owned is not None:
        owned.shutdown(wait=False, cancel_futures=True)
    wait([future for future, _ in tasks], SIGNAL_SECONDS)


def solve_many(
    problem: Aimable[State, Action] | Iterable[SupportsSearch[State, Action]],
    queries: Iterable[tuple[State, State]] | None = None,
    engine: str | EngineSpec | EngineFunction = "auto",
    *,
    backend: str = "auto",
    limits: Limits | None = None,
    workers: str | Executor = "threads",
    **options: object,
) -> Answers[State, Action]:
    """Answer many queries on all cores; return an iterator of their results, in the order of the queries.

    Each result is the one that `solve` returns; only the seconds differ, and with `auto` the backend may: once a search
    has become machine code, the following ones begin there. A result has its search only if a limit came first. Queries
    are read a few ahead of the results, so that there may be any number of them.

    Machine code runs on all cores at once. Engines in Python run one at a time, as all Python code does, unless other
    processes run them: `workers="processes"`. Several threads call the members of a problem. For other processes,
    problem, queries and results are pickled, and a query whose process is lost is answered again.

    Args:
        problem: what all queries are about, such as a map: an `Aimable` problem. Without `queries`, the problems to
            solve.
        queries: a (start, goal) pair for each.
        engine: as for `solve`.
        backend: as for `solve`.
        limits: limits of each query; the limit of memory is that of the whole process.
        workers: who answers queries: what `searchkit.disk.executors.open_executor` reads, such as `threads:4`,
            `processes:8` or `ray`; or a `concurrent.futures.Executor`, which is left open.
        options: as for `solve`.

    Raises:
        InvalidOptionError, UnknownNameError: an argument is invalid.
        MissingCapabilityError: the problem is not `Aimable`.
        WorkerError: problem and options can't be pickled; or, from the iterator, a query or its result can't be, or
            the processes that searched for it were lost.
        SearchkitError: what `solve` raises, from the iterator when it comes to that query; a note names the query.

    Example:
        >>> from searchkit import solve_many
        >>> from searchkit_dungeon import grid
        >>> crypt = grid(["S...", ".##.", "...G"])
        >>> [result.cost for result in solve_many(crypt, [((0, 0), (3, 2)), ((0, 1), (3, 1)), ((2, 0), (2, 0))])]
        [5, 5, 0]

    """
    registry()  # loaded here, once, and not by several threads
    subject, asked = cast("Any", problem), cast("Any", queries)
    if queries is None and isinstance(problem, Iterable):
        subject, asked = None, problem
    elif isinstance(queries, str) or not isinstance(queries, Iterable):
        raise InvalidOptionError(
            f"queries={quoted(queries)}: expected (start, goal) pairs, or the problems to solve in place of the "
            "problem; an engine is given by its name, engine=…"
        )
    else:
        Solver(None, engine, backend, None, options).search(problem, backend)  # errors in the other arguments
        if not isinstance(problem, Aimable):
            raise MissingCapabilityError(
                f"{type(problem).__name__} can't be asked of other starts and goals (it is not Aimable: it has no "
                "aimed(starts, goals)); give solve_many the problems themselves, one for each query"
            )
    solver = Solver(subject, engine, backend, checked_limits(limits), options)
    return Answers(solver, open_executor(workers), not isinstance(workers, Executor), iter(asked))
