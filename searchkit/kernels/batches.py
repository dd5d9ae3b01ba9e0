"""Breadth-first search of hashed states in batches, on one core or several, as `searchkit.kernels.bfs` does it.

A batch is a part of the frontier: states that are expanded one after the other. It is searched in three steps. In each
of them every thread works on arrays that no other thread writes to, and all threads end a step before the next begins.

1. Each thread expands a share of the batch. It hashes the successors and lists them by *part*: the table is divided by
   the hash into as many parts as there are threads.
2. Each thread looks up the successors in its part of the table, in the order in which they were found. A new one gets a
   provisional number in the table.
3. Now it is known how many states of each share are new. So each thread numbers the new states of its share, as a
   search of one state after the other would, and writes their records.

The result does not depend on the number of threads nor on the sizes of batches: it is the same to the last bit. Because
many places of the table are prefetched at a time, batches are faster on one core too.

A goal ends a search within a batch: then the batch is undone, and its states are expanded one by one.
"""

from collections.abc import Iterator
from time import thread_time
from typing import Any

import numpy as np

from searchkit.compiled.kit import control
from searchkit.compiled.kit.arrays import SLOTS_PIECE
from searchkit.compiled.kit.control import next_steps
from searchkit.compiled.kit.graph import branching_of
from searchkit.compiled.kit.state import state_array
from searchkit.compiled.kit.store import LOW
from searchkit.compiled.kit.table import EMPTY, rehash
from searchkit.compiled.view import CompiledProblem
from searchkit.kernels import shares
from searchkit.kernels.team import Team

LARGE = 1 << 19
"""The number of reached states from which on batches are used: the kernels of smaller searches need not be compiled."""
MOST_STEPS = 1 << 17
"""The largest number of successors in a batch: each takes 20 bytes of memory or more."""
MOST_THREADS = 64
PAGE = 1 << 12
WORTHWHILE = 4
"""A batch is not begun if the frontier has fewer states than one part of so many of what is wanted."""


class Batches:
    """The batches of one search: the arrays that they need, and the threads that share the work.

    Args:
        view: the compiled view, whose states are hashed.
        graph: its graph, as kernels take it.
        table: what the functions of the graph read.
        counters: those of the search.
        team: the threads.

    """

    def __init__(self, view: CompiledProblem, graph: Any, table: Any, counters: Any, team: Team):
        self.graph, self.table, self.counters, self.team = graph, table, counters, team
        self.branching, threads = branching_of(view.graph), range(team.threads)
        self.steps = MOST_STEPS
        """The largest number of successors of the next batch: adapted to the CPU time that a batch takes."""
        self.most = max(1, MOST_STEPS // self.branching)
        """The largest number of states in a batch."""
        self.room = -(-self.most // team.threads) * self.branching
        """The largest number of successors of a share."""
        successors = self.room * team.threads
        self.found = shares.Found(state_array(successors, view.words), np.empty(successors, np.uint32))
        self._out = [(state_array(self.branching, view.words), np.empty(self.branching)) for _ in threads]
        self._counts = [np.empty(self.room // self.branching, np.uint32) for _ in threads]
        self._lists = [np.empty((team.threads, self.room), np.uint64) for _ in threads]
        self._sizes = [np.zeros(team.threads, np.int64) for _ in threads]
        self._put_off = [np.empty(successors, np.uint32) for _ in threads]
        self.done = np.zeros(1, np.int64)
        """The expansions of a batch that is complete, but not counted yet."""
        self.over = False
        """Whether a batch had a goal, so that no other batch is begun."""
        self.undone: int | None = None
        """While a batch is searched or undone: the slots up to here hold no provisional numbers. Else None."""

    @staticmethod
    def size(view: CompiledProblem, threads: int) -> int:
        """Return about how many bytes of memory batches take: what is written of their arrays."""
        return (MOST_STEPS + threads * branching_of(view.graph)) * (8 * view.words + 16) + PAGE * threads**2

    def prepare(self, store: Any) -> None:
        """Call each kernel with nothing to do, so that it is compiled before anything is changed."""
        none = self._lists[0][0]
        out, sizes, put_off, counts = self._out[0], self._sizes[0], self._put_off[0], self._counts[0]
        space = self.graph, store, self.table
        shares.expand_share(*space, *out, 0, 0, self.found, 0, counts, self._lists[0], sizes)
        shares.look_up_share(store, self.found, none, 0, 0, 0, put_off, 0)
        shares.look_up_rest(store, self.found, put_off, 0, 0, 1, sizes)
        shares.number_share(*space, 0, 0, self.found, 0, counts, 0, 0)
        shares.finish(np.zeros_like(self.counters), 0, 0, 0, 0, 0, self.done)
        shares.forget_share(store, 0, 0, 0)
        shares.list_share(store, 0, 0, self._lists[0], sizes)
        shares.insert_share(store, none, 0, 0, put_off, 0)

    def search(self, store: Any, room: int, asked: int) -> bool:
        """Search a batch of up to `asked` states; return False if there is none that is worthwhile.

        `room` is the number of nodes for which there is room. If a successor is a goal, the batch has to be undone.
        """
        count, waiting = int(self.counters[control.QUEUED]), int(self.counters[control.SIZE])
        wanted = max(1, min(self.most, self.steps // self.branching))
        size = min(wanted, waiting, asked, (room - count) // self.branching)
        threads = self.team.threads
        fits = count + threads * self.room <= int(LOW & ~store.tags)  # a provisional number is that of a node
        if self.over or size < max(1, wanted // WORTHWHILE) or not fits:
            return False
        begin, first = thread_time(), count - waiting
        cuts = [first + size * number // threads for number in range(threads + 1)]
        found, lists, sizes, put_off = self.found, self._lists, self._sizes, self._put_off
        space = self.graph, store, self.table

        def expand_share(number: int) -> int:
            out, counts, index = self._out[number], self._counts[number], number * self.room
            ends = cuts[number : number + 2]
            return int(
                shares.expand_share(*space, *out, *ends, found, index, counts, lists[number], sizes[number])
            )

        def look_up_share(part: int) -> tuple[list[int], int]:
            new, behind, end = [], 0, self._first_slot(store, part + 1)
            for entries, many in zip(lists, sizes, strict=True):
                entered, behind = shares.look_up_share(
                    store, found, entries[part], many[part], count, end, put_off[part], behind
                )
                new.append(entered)
            return new, behind

        def number_share(number: int) -> tuple[int, int, bool]:
            ends, counts = cuts[number : number + 2], self._counts[number]
            numbered: tuple[int, int, bool] = shares.number_share(
                *space, *ends, found, number * self.room, counts, nodes[number], layer
            )
            return numbered

        generated = sum(self.team.run(expand_share))
        self.undone = 0
        looked_up = self.team.run(look_up_share)
        new = np.array([entered for entered, _ in looked_up]).sum(axis=0)
        for (_, behind), rest in zip(looked_up, put_off, strict=True):
            shares.look_up_rest(store, found, rest, behind, count, self.room, new)
        nodes = [count, *(count + np.cumsum(new)).tolist()]
        layer = int(self.counters[control.LAYER])
        peaks, afters, goals = zip(*self.team.run(number_share), strict=True)
        self.over = any(goals)
        if not self.over:
            shares.finish(self.counters, size, generated, nodes[-1], max(peaks), max(afters), self.done)
            self.undone = None
        # On a busy machine, a batch takes longer than its work. Smaller batches would be even slower.
        adapted = next_steps(self.steps, thread_time() - begin)
        self.steps = min(adapted, MOST_STEPS if size == wanted else self.steps)
        return True

    def copied(self, target: Any, source: Any) -> Iterator[None]:
        """Copy an array into another, in pieces."""
        return self.team.copied(target, source)

    def undo(self, store: Any) -> None:
        """Do a piece of removing what is left in the table of a batch that was not completed."""
        if self.undone is not None:
            slots, count = len(store.slots), int(self.counters[control.QUEUED])

            def forget_share(number: int) -> None:
                first = begin + number * SLOTS_PIECE
                shares.forget_share(store, min(first, slots), min(first + SLOTS_PIECE, slots), count)

            begin = self.undone
            self.team.run(forget_share)
            self.undone = begin + SLOTS_PIECE * self.team.threads
            if self.undone >= slots:
                self.undone = None

    def empty(self, slots: Any, first: int) -> int:
        """Empty a piece of a table from `first` on; return where the piece ends."""

        def empty_share(number: int) -> None:
            begin = first + number * SLOTS_PIECE
            slots[begin : begin + SLOTS_PIECE] = EMPTY

        self.team.run(empty_share)
        return first + SLOTS_PIECE * self.team.threads

    def insert(self, store: Any, first: int, count: int) -> int:
        """Add nodes from `first` on, which are not in the table, and at most up to `count`; return where they end."""
        threads, lists, sizes, put_off = self.team.threads, self._lists, self._sizes, self._put_off
        size = min(count - first, self.room * threads)
        cuts = [first + size * number // threads for number in range(threads + 1)]

        def list_share(number: int) -> None:
            shares.list_share(store, *cuts[number : number + 2], lists[number], sizes[number])

        def insert_share(part: int) -> int:
            behind, end = 0, self._first_slot(store, part + 1)
            for entries, many in zip(lists, sizes, strict=True):
                behind = shares.insert_share(store, entries[part], many[part], end, put_off[part], behind)
            return behind

        self.team.run(list_share)
        for behind, rest in zip(self.team.run(insert_share), put_off, strict=True):
            for node in rest[:behind].tolist():
                rehash(store, node, node + 1)
        return first + size

    def _first_slot(self, store: Any, part: int) -> int:
        """Return the first slot of a part of the table: that of the smallest hash whose part it is."""
        return (-(-(part << 32) // self.team.threads) * len(store.slots)) >> 32
