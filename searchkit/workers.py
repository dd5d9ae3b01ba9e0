"""Threads that answer queries, each by a search of its own."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread, current_thread
from typing import Any

from attrs import define, evolve, field

from searchkit.limits import Limits
from searchkit.result import Result, Status
from searchkit.search import Search

LEAVE_SECONDS = 0.1
"""How long a thread has to end where nobody asked for that."""


@define(eq=False)
class Workers:
    """Threads that search, and what they share: how to, which searches are under way, and what they tell each other.

    They are daemons: neither Ctrl-C nor the end of the program waits for a problem whose members don't return.
    """

    search: Callable[[Any], Search[Any, Any]]
    """Query → its search."""
    limits: Limits | None
    certificate: bool
    most: int
    """Threads."""
    moved: bool = False
    """Whether machine code has paid for one query: then all after it begin as such."""
    stopped: bool = False
    running: set[Search[Any, Any]] = field(factory=set)
    asked: "SimpleQueue[tuple[Any, Future[Any]] | None]" = field(factory=SimpleQueue)
    """Queries and where their answers go; None for the end of one thread."""
    threads: list[Thread] = field(factory=list)

    def ask(self, query: Any) -> "Future[Any]":
        """Return what will be the answer to a query."""
        if len(self.threads) < self.most:
            thread = Thread(target=self.work, name="searchkit", daemon=True)
            thread.start()
            self.threads.append(thread)
        answer: Future[Any] = Future()
        self.asked.put((query, answer))
        return answer

    def work(self) -> None:
        """Answer queries until there are no more: what each thread does."""
        while (asked := self.asked.get()) is not None:
            query, answer = asked
            try:
                answer.set_result(self.answer(query))
            except BaseException as error:
                answer.set_exception(error)
            del asked, query, answer  # while it waits, it holds none of them

    def answer(self, query: Any) -> Result[Any, Any] | None:
        """Solve a query; None if all was stopped before it was begun."""
        if self.stopped:
            return None
        search = self.search(query)
        self.running.add(search)
        try:
            if self.stopped:  # meanwhile: `stop` may not have seen it among the others
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
        """Make the threads end, too, and wait a little for them: machine code has to end before the program does."""
        self.stop()
        for _ in self.threads:
            self.asked.put(None)
        for thread in self.threads:
            if thread is not current_thread():
                thread.join(seconds)
