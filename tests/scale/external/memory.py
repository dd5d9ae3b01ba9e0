"""Workers in this process that keep objects, as those of a cluster do."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pickle import dumps, loads
from typing import Any
from unittest.mock import patch

import numpy as np
from attrs import define, field

from searchkit.scale.external import bfs, place
from searchkit.scale.workers.threads import ThreadWorkers
from tests.scale.external.boards import small_layers


@define(eq=False)
class Memory(ThreadWorkers):
    """Workers in this process that keep objects, as those of a cluster do."""

    threads: int = 1
    things: list[Any] = field(factory=list)
    """Objects are places in this list."""
    put: int = 0
    """How many the driver has put."""
    sent: list[str] = field(factory=list)
    """The names of the tasks."""
    near: list[int] = field(factory=list)
    """What each of them should be near."""
    moved: list[int] = field(factory=lambda: [0, 0])
    """How many of the objects that merges have made were given to tasks near these, and to others."""
    _merged_near: dict[int, int] = field(factory=dict)

    def run_one_task_a_node(self) -> None:
        """Two nodes with two cores each."""
        self.count, self.threads = 2, 2

    def submit_with_objects(
        self, task: Callable[..., Any], arguments: tuple[Any, ...], given: Any, made: int, near: int
    ) -> tuple[Future[Any], list[int]]:
        """Run a task as another process would; keep what it makes, read-only, as Ray does."""
        found = list(range(len(self.things), len(self.things) + made))
        self.things += [None] * made
        message = dumps((task, arguments))
        self.sent.append(task.__name__)
        self.near.append(near)
        for one in given:
            if one in self._merged_near:
                self.moved[self._merged_near[one] != near] += 1
        if task.__name__.startswith("merge"):
            self._merged_near.update(dict.fromkeys(found, near))

        def run() -> Any:
            task, arguments = loads(message)
            value, kept = task(*arguments, tuple(self.things[one] for one in given))
            assert len(kept) == made
            for one, thing in zip(found, kept, strict=True):
                self.things[one] = read_only(thing)
            return value

        return self.submit(run), found

    def put_object(self, thing: Any) -> int:
        """Keep a thing."""
        self.put += 1
        self.things.append(read_only(thing))
        return len(self.things) - 1

    def get_object(self, found: int) -> Any:
        """Return a thing."""
        return self.things[found]


def read_only(thing: Any) -> Any:
    """Return an array, or a list of arrays, that can't be written to."""
    if isinstance(thing, np.ndarray):
        thing = thing.copy()
        thing.flags.writeable = False
    return [read_only(one) for one in thing] if isinstance(thing, list) else thing


@contextmanager
def memory() -> Iterator[list[Memory]]:
    """Let searches have these workers, which are listed; layers of more than 5 states go to tasks."""
    opened: list[Memory] = []

    def open_memory(text: str) -> Memory:
        opened.append(Memory())
        return opened[-1]

    with (
        small_layers(5),
        patch.object(place, "open_workers", open_memory),
        patch.object(bfs, "LEAST_BITS", 4),
    ):
        yield opened
