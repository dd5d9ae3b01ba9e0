"""Running a kernel slice by slice: what all compiled engines share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from searchkit.kernels.control import FIRST_STEPS, PAUSED, WORKED, next_steps
from searchkit.problem import Cost
from searchkit.tree import SearchTree

PIECE = 1 << 22
"""Bytes that are copied or filled at a time, where an array grows."""
PATIENCE = 0.004
"""Seconds after which no other slice is begun before limits are looked at. What one slice does is bounded."""
NOT_ALLOWED = "not allowed"
"""What a `MemoryError` says if the memory is there, and a limit forbids to take it."""


class Sliced(ABC):
    """A search by a kernel, with the manners of an engine's generator."""

    tree: SearchTree[Any, Any]
    ended = False
    settled = False
    """Whether it stands at the state to be expanded next, or has ended. If not, it has to be advanced further."""
    behind = 0
    """How many expansions, already counted, have to be made again."""
    done = 0
    """How many expansions were made since `advance` was called."""
    allows: Callable[[int], bool] | None = None
    """Whether so many bytes more may be taken; None for no limit."""
    asked: Any = None
    """The state that was being expanded when the problem was asked last; None if it is not known."""
    steps = FIRST_STEPS
    """How much the next slice does at most: see `searchkit.kernels.control`."""
    _task: Iterator[None] | None = None
    """What the present slice ended for, where it is done in pieces."""

    def advance(self, most: int) -> int:
        """Expand up to `most` states and stop before the next one, or at the end; return how many were expanded.

        It may stop sooner, so that whoever calls it can look at limits, and then perhaps between two states: see
        `settled`. Called with 0, it goes on to the next state.

        Raises `InvalidProblemError` as engines in Python do, and `MemoryError` where an array can't grow: the run goes
        on from there when it is called again. After `InexactError` it does not: the search has to begin in Python.
        """
        self.done = 0
        self.settled = False
        begin = perf_counter()
        try:
            while not self.ended:
                if self._task is not None:
                    if next(self._task, self) is None:
                        break
                    self._task = None
                asked, started = self.behind + most - self.done, perf_counter()
                why, expanded = self.slice(asked)
                self._learn(why == PAUSED or (why == WORKED and expanded < asked), perf_counter() - started)
                again = min(self.behind, expanded)
                self.behind -= again
                self.done += expanded - again
                self.show()
                if why != WORKED and why != PAUSED:
                    self._task = self.attend(why)
                elif why == WORKED and not self.behind and self.done == most:
                    self.settled = True
                    break
                elif perf_counter() - begin >= PATIENCE:
                    self.settled = why == WORKED and not self.behind
                    break
        except BaseException:
            self._task = None
            self.tree.expanded += self.done
            self.go_back()
            raise
        self.settled |= self.ended
        return self.done

    def _learn(self, by_steps: bool, seconds: float) -> None:
        """Adapt `steps` to how long a slice took, and whether it was they that ended it."""
        adapted = next_steps(self.steps, seconds)
        self.steps = adapted if by_steps else min(adapted, self.steps)

    def go_back(self) -> None:
        """Stand at the state to be expanded next again, after an expansion that was broken off."""
        self.slice(0)

    def ask(self, size: int) -> None:
        """Raise `MemoryError` if so many bytes more are not allowed."""
        if self.allows is not None and not self.allows(size):
            raise MemoryError(NOT_ALLOWED)

    def grown(self, array: Any, used: int, room: int) -> Generator[None, None, Any]:
        """Return, in the end, an array of another size with the elements that are used. In pieces."""
        self.ask(used * array.itemsize)
        grown = np.empty((room, *array.shape[1:]), array.dtype)
        yield from copied(grown[:used], array[:used])
        return grown

    def underestimates(self, trail: Any, costs: Sequence[Cost]) -> bool:
        """Whether it is sure that no estimate along a path (`tree.reached.trail`) exceeds what the rest costs."""
        return False

    @property
    @abstractmethod
    def state(self) -> Any:
        """The state to be expanded next."""

    @abstractmethod
    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel; return why it stopped (see `searchkit.kernels.control`) and how many states it expanded."""

    @abstractmethod
    def show(self) -> None:
        """Bring the tree up to date."""

    @abstractmethod
    def attend(self, why: int) -> Iterator[None] | None:
        """Do what a slice ended for; or return an iterator that does it piece by piece."""


def copied(target: Any, source: Any) -> Iterator[None]:
    """Copy an array, or one value into all of it, in pieces."""
    step = max(1, PIECE // target.itemsize)
    for begin in range(0, len(target), step):
        if begin:
            yield
        target[begin : begin + step] = source if np.ndim(source) == 0 else source[begin : begin + step]


def finished(steps: Generator[None, None, Any]) -> Any:
    """Do at once what is done in pieces; return what that returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
