"""Searches in threads of this process."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import Any

from attrs import Factory, define, evolve, field

from searchkit.engines.kit import THREADS
from searchkit.errors import InvalidOptionError, MissingCapabilityError
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import Aimable
from searchkit.result import Result, Status
from searchkit.scale.workers.threads import ThreadWorkers
from searchkit.search.driver import Observer, Search
from searchkit.search.limits import Limits

LEAVE_SECONDS = 0.1
"""How long to wait for the end of a thread if the caller did not ask for that."""
AHEAD = 8
"""How many queries per thread are begun ahead of the results."""


@define(eq=False)
class Threads:
    """Threads that search, and what they share: how to make a search, and the running searches.

    Neither Ctrl-C nor the end of the program waits for a member of a problem that does not return.
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
    workers: ThreadWorkers = field(
        init=False, default=Factory(lambda self: ThreadWorkers(self.most), takes_self=True)
    )

    @property
    def ahead(self) -> int:
        """How many queries to have under way, so that a long one does not make other threads idle."""
        return AHEAD * self.most

    def ask(self, query: Any) -> "Future[Any]":
        """Return the future answer to a query."""
        return self.workers.submit(self.answer, query)

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

    def flush(self) -> None:
        """Do nothing: each query is begun as soon as a thread is free."""

    def stop(self) -> None:
        """Make all searches end soon."""
        self.stopped = True
        for search in list(self.running):
            search.interrupt()

    def end(self, seconds: float | None = LEAVE_SECONDS) -> None:
        """Make the threads end as well, and wait for them: machine code has to end before the program does."""
        self.stop()
        self.workers.close(seconds)


def searches(
    problem: Any,
    engine: str | EngineSpec | EngineFunction,
    backend: str,
    observers: Iterable[Observer],
    options: Mapping[str, Any],
) -> Callable[[Any], Search[Any, Any]]:
    """Return the function query → its search. Queries are pairs (start, goal), or problems if `problem` is None.

    Each search uses one thread: the queries share the cores.

    Raises `MissingCapabilityError` if the problem is not `Aimable`, and what `Search` raises.
    """

    def begun(task: Any) -> Search[Any, Any]:
        search = Search(task, engine, backend=backend, observers=observers, **options)
        if THREADS in search.spec.options:
            search.options.setdefault(THREADS.name, 1)
        return search

    if problem is None:
        return begun
    begun(problem)  # what is wrong with the other arguments is said here
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
