"""A ring of stacks of states, one for each distance: the frontier of `searchkit.kernels.distances.rows`."""

from typing import Any, NamedTuple

import numpy as np

CHUNK = 64
"""The number of entries that are kept together."""
NONE = np.uint32(0xFFFFFFFF)
DISTANCE, FREE, UNUSED, LEFT = range(4)
"""Places in the state of the stacks: the distance of the present one; the first chunk that was given back; the first
that was never used; how many chunks can still be taken."""


class Stacks(NamedTuple):
    """A stack of entries for each distance, modulo their number, a power of two. A stack is a list of chunks."""

    tops: Any
    """uint32: the chunk at the top of each stack, or `NONE`."""
    fills: Any
    """uint32: how many entries it has; `CHUNK` for an empty stack."""
    entries: Any
    """uint32: the states in each chunk."""
    links: Any
    """uint32: the chunk below each chunk, or `NONE`."""
    state: Any


def stacks_of(nodes: Any, beyond: Any, distance: int, buckets: int, spare: int) -> Stacks:
    """Return stacks of entries, each from the bottom up.

    Args:
        nodes: the states.
        beyond: how far the distance of each is beyond that of the present stack, in ascending order; below `buckets`.
        distance: that of the present stack.
        buckets: the number of stacks.
        spare: how many more chunks than stacks there is room for, besides those of the entries.

    """
    sizes = np.bincount(beyond, minlength=buckets)
    chunks = -(-sizes // CHUNK)
    used, filled, first = int(chunks.sum()), np.flatnonzero(sizes), np.cumsum(chunks) - chunks
    spare += buckets
    full = np.full(buckets, NONE, np.uint32), np.full(buckets, CHUNK, np.uint32)
    pool = np.empty((used + spare) * CHUNK, np.uint32), np.empty(used + spare, np.uint32)
    stacks = Stacks(*full, *pool, np.array([distance, NONE, used, spare], np.int64))
    places = np.repeat(CHUNK * first - (np.cumsum(sizes) - sizes), sizes) + np.arange(len(nodes))
    stacks.entries[places] = nodes
    stacks.links[1:used] = np.arange(max(0, used - 1))
    stacks.links[first[filled]] = NONE
    around = distance + filled & buckets - 1
    stacks.tops[around] = (first + chunks - 1)[filled]
    stacks.fills[around] = (sizes - CHUNK * (chunks - 1))[filled]
    return stacks


def entries_of(stacks: Stacks) -> tuple[Any, Any]:
    """Return the entries of stacks as `stacks_of` takes them: the states, and how far each is beyond the distance."""
    tops, fills, entries, links, state = stacks
    parts, sizes, last = [np.empty(0, np.uint32)], [], len(tops) - 1
    for bucket in range(int(state[DISTANCE]), int(state[DISTANCE]) + len(tops)):
        chunk, fill, stack = int(tops[bucket & last]), int(fills[bucket & last]), []
        while chunk != NONE:
            stack.append(entries[chunk * CHUNK : chunk * CHUNK + fill])
            chunk, fill = int(links[chunk]), CHUNK
        parts += reversed(stack)
        sizes.append(sum(map(len, stack)))
    return np.concatenate(parts), np.repeat(np.arange(len(tops)), sizes)


def all_wait(nodes: Any, gaps: Any, waits: Any) -> bool:
    """Whether entries are those of the states that wait: one each at its distance, and outdated ones beyond theirs.

    `gaps` says how far each entry is beyond the distance of its state.
    """
    fresh = nodes[gaps == 0]
    once = len(fresh) == np.count_nonzero(waits) == np.unique(fresh).size
    return once and bool((gaps >= 0).all() and waits[fresh].all())
