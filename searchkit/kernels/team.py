"""Threads that share the work of one search: kernels run without Python's global lock, so each can use a core."""

import os
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar
from weakref import finalize

from searchkit.compiled.kit.arrays import PIECE

Answer = TypeVar("Answer")
PENDING = object()
"""The answer of a share that has not ended."""
WAIT_SECONDS = 0.1


class Team:
    """A number of threads, one of which is the caller's. The others are started when they are first needed.

    They end when nobody holds the team any more. Where no thread can be started, the caller's does all the work.

    Args:
        threads: how many there are, at least 1.

    """

    def __init__(self, threads: int):
        self.threads = threads
        self._tasks: SimpleQueue[Any] = SimpleQueue()
        self._helpers = 0
        self._process = 0
        """The process that the helpers belong to: a process that was forked has none of them."""

    def run(self, share: Callable[[int], Answer]) -> list[Answer]:
        """Call `share(0)`, `share(1)`, … at the same time, once for each thread; return their results.

        It returns when all have ended, or raises what one of them has raised, and `KeyboardInterrupt` too, after that.
        """
        if self.threads > 1 and self._process != os.getpid():
            self._start()
        answers: list[Any] = [PENDING] * self.threads
        ended: SimpleQueue[None] = SimpleQueue()
        own = 0, *range(1 + self._helpers, self.threads)
        sent: list[None] = []
        raised: BaseException | None = None
        try:
            # One call of C, which no interruption can divide: so `sent` tells how many have to be waited for.
            sent.extend(
                map(
                    self._tasks.put,
                    [(share, number, answers, ended) for number in range(1, 1 + self._helpers)],
                )
            )
            for number in own:
                answers[number] = share(number)
        except BaseException as error:
            raised = error
        while any(answers[number] is PENDING for number in range(1, 1 + len(sent))):
            try:
                ended.get(timeout=WAIT_SECONDS)
            except Empty:  # an interruption has lost one
                continue
            except BaseException as error:
                raised = error
        failed = [answer.error for answer in answers if isinstance(answer, _Failure)]
        if raised is not None or failed:
            raise raised or failed[0]
        return answers

    def _start(self) -> None:
        self._tasks, self._helpers, self._process = SimpleQueue(), 0, os.getpid()
        try:
            for _ in range(1, self.threads):
                Thread(target=_serve, args=(self._tasks,), name="searchkit team", daemon=True).start()
                self._helpers += 1
        except (RuntimeError, MemoryError):  # no more threads are allowed
            pass
        finalize(self, _end, self._tasks, self._helpers)

    def copied(self, target: Any, source: Any) -> Iterator[None]:
        """Copy an array into another, in pieces."""
        piece = max(1, PIECE // target.itemsize)
        for begin in range(0, len(target), piece * self.threads):
            if begin:
                yield

            def copy(number: int, begin: int = begin) -> None:
                first = begin + number * piece
                target[first : first + piece] = source[first : first + piece]

            self.run(copy)


class _Failure:
    """The answer of a share that raised an error."""

    def __init__(self, error: BaseException):
        self.error = error


def _serve(tasks: "SimpleQueue[Any]") -> None:
    """Run the shares that come, until None comes."""
    while (task := tasks.get()) is not None:
        share, number, answers, ended = task
        try:
            answer = share(number)
        except BaseException as error:
            answer = _Failure(error)
        answers[number] = answer
        ended.put(None)
        del task, share, answers, answer  # a waiting thread must not keep a search alive


def _end(tasks: "SimpleQueue[Any]", helpers: int) -> None:
    """Let the threads that serve these tasks return."""
    for _ in range(helpers):
        tasks.put(None)
