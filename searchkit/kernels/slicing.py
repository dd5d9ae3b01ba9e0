"""Running a kernel slice by slice: what all compiled engines share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from searchkit.kernels.control import WORKED
from searchkit.problem import Cost
from searchkit.tree import SearchTree


class Sliced(ABC):
    """A search by a kernel, with the manners of an engine's generator."""

    tree: SearchTree[Any, Any]
    ended = False

    def advance(self, most: int) -> int:
        """Expand up to `most` states and stop before the next one, or at the end; return how many were expanded.

        Raises `InvalidProblemError` as engines in Python do, and `MemoryError` where an array can't grow: the run goes
        on from there when it is called again.
        """
        done = 0
        try:
            while not self.ended:
                why, expanded = self.slice(most - done)
                done += expanded
                self.show()
                if why == WORKED:
                    break
                self.attend(why)
        except BaseException:
            self.tree.expanded += done
            self.slice(0)  # back to the state to be expanded next
            raise
        return done

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
    def attend(self, why: int) -> None:
        """Do what a slice ended for."""
