"""Making hub labels as machine code: as `searchkit_graph.precomputed.labels.making` does."""

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import heap
from searchkit_graph.precomputed.compiled.tables import Progress
from searchkit_graph.precomputed.labels.compiled.sides import edges_of, side_of, value_of
from searchkit_graph.precomputed.labels.dissection import LEAF, SHARE, Cut, frame_of
from searchkit_graph.precomputed.labels.table import HubLabels, with_rows
from searchkit_graph.precomputed.network import FAR, LOW, NONE, WHOLE, Network, too_long

PIECE = 1 << 18
"""States that are visited in one call: between two calls, Ctrl-C and other threads have their turn."""
FIRST_ROOM = 1 << 16
OUTSIDE = -1
FREE, FROM_START, TO_END = -1, -2, -3
"""What `before` and `after` say of a state on no path, of the first one of a path and of the last one."""


def make_labels(network: Network) -> HubLabels:
    """Return the labels of a network. Takes half a minute for 512 × 512 cells."""
    frame = frame_of(network, cutter(network))
    return with_rows(network, frame, lambda reverse: _rows(HubLabels(reverse, *frame, (), ())))


class Flow(NamedTuple):
    """Arrays for paths that share no state; states are numbered in the order along the line."""

    index: Any
    """State of the network → its number here; `OUTSIDE` for others."""
    states: Any
    """The opposite."""
    before: Any
    after: Any
    parents: Any
    """Node → the node before it: 2 · number where a state is entered, and 2 · number + 1 where it is left."""
    queue: Any


def cutter(network: Network) -> Cut:
    """Return the function that finds the least cut, as `labels.dissection.least_cut` does."""
    edges, directions = edges_of(network), 1 if network.reverse is network else 2
    index = np.full(network.size, OUTSIDE, np.int64)
    room = np.empty((6, network.size), np.int64)
    progress, done = Progress(network.size, "hub labels", "states are in their parts"), [0]

    def cut(states: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
        count, chosen = len(states), np.array(states)
        if network.stride is None:
            index[chosen] = np.arange(count)
            levels, queue = room[0, :count], room[1, :count]
            source = _measure_levels(edges, index, chosen, directions, 0, levels, queue)
            _measure_levels(edges, index, chosen, directions, source, levels, queue)
            chosen = chosen[np.argsort(levels, kind="stable")]
        else:
            chosen = _along_rows(network.stride, chosen)
        flow = Flow(
            index, chosen, room[0, :count], room[1, :count],
            room[2:4].reshape(-1)[: 2 * count], room[4:].reshape(-1)[: 2 * count],
        )  # fmt: skip
        index[chosen], flow.before[:], flow.after[:] = np.arange(count), FREE, FREE
        while _augment(edges, flow, directions, count * SHARE // 100):
            pass
        index[chosen] = OUTSIDE
        entered, left = flow.parents[::2] != FREE, flow.parents[1::2] != FREE
        between, first, second = (
            np.sort(chosen[side]).tolist() for side in (entered & ~left, left, ~(entered | left))
        )
        done[0] += len(between) + sum(len(side) for side in (first, second) if len(side) <= LEAF)
        progress.report(done[0])
        return between, first, second

    return cut


def _along_rows(stride: int, chosen: Any) -> Any:
    """Return what `searchkit_graph.precomputed.labels.dissection.along` does for the cells of a grid."""
    ys, xs = np.divmod(chosen, stride)
    return chosen[np.lexsort((ys, xs) if np.ptp(xs) >= np.ptp(ys) else (xs, ys))]


@kernel
def _measure_levels(
    edges: Any, index: Any, states: Any, directions: Any, source: Any, levels: Any, queue: Any
) -> Any:
    """Write how many edges, in any direction, each state is from one of them; return the last one that is reached.

    The source and the levels are numbered like the states. A state that can't be reached gets the number of states.
    """
    for number in range(states.size):
        levels[number] = states.size
    levels[source], queue[0], size, place = 0, source, 1, 0
    while place < size:
        number = queue[place]
        place += 1
        here = states[number]
        for back in range(directions):
            begin, end = edges.begins[here], edges.begins[here + 1]
            if back:
                begin, end = edges.back_begins[here], edges.back_begins[here + 1]
            for edge in range(begin, end):
                other = index[edges.back_heads[edge] if back else edges.heads[edge]]
                if other >= 0 and levels[other] == states.size:
                    levels[other] = levels[number] + 1
                    queue[size] = other
                    size += 1
    return queue[size - 1]


@kernel
def _augment(edges: Any, flow: Any, directions: Any, ends: Any) -> Any:
    """Look for one more path from the first to the last states; return whether there is one."""
    count = flow.states.size
    for index in range(2 * count):
        flow.parents[index] = FREE
    size, place, end = 0, 0, np.int64(-1)
    for state in range(ends):
        if flow.after[state] == FREE:
            flow.parents[2 * state], flow.queue[size] = FROM_START, 2 * state
            size += 1
    while place < size:
        node = flow.queue[place]
        place += 1
        state = node >> 1
        if node & 1 and state >= count - ends:
            end = node
            break
        if not node & 1:
            other = node + 1 if flow.after[state] == FREE else 2 * flow.before[state] + 1
            if other >= 0 and flow.parents[other] == FREE:
                flow.parents[other], flow.queue[size] = node, other
                size += 1
            continue
        if flow.after[state] != FREE and flow.parents[node - 1] == FREE:
            flow.parents[node - 1], flow.queue[size] = node, node - 1
            size += 1
        here = flow.states[state]
        for back in range(directions):
            begin, stop = edges.begins[here], edges.begins[here + 1]
            if back:
                begin, stop = edges.back_begins[here], edges.back_begins[here + 1]
            for edge in range(begin, stop):
                other = flow.index[edges.back_heads[edge] if back else edges.heads[edge]]
                if other >= 0 and flow.parents[2 * other] == FREE:
                    flow.parents[2 * other], flow.queue[size] = node, 2 * other
                    size += 1
    if end < 0:
        return False
    node, size = end, 0
    while node >= 0:  # from the end, so that a step is made of what follows it
        flow.queue[size] = node
        size += 1
        node = flow.parents[node]
    for place in range(size - 1, 0, -1):
        one, other = flow.queue[place], flow.queue[place - 1]
        if one & 1 and one - 1 == other:
            flow.before[one >> 1] = flow.after[one >> 1] = FREE
    flow.before[flow.queue[size - 1] >> 1] = FROM_START
    for place in range(size - 1, 0, -1):
        one, other = flow.queue[place], flow.queue[place - 1]
        if one & 1 and one - 1 != other:
            flow.after[one >> 1], flow.before[other >> 1] = other >> 1, one >> 1
    flow.after[end >> 1] = TO_END
    return True


def _rows(labels: HubLabels) -> Any:
    """Return the rows of all hubs; the network is that of the ways from a hub. Raises `MissingCapabilityError`."""
    network, size = labels.network, labels.network.size
    side = side_of(labels)
    rows = np.full(int(side.starts[-1]), NONE, np.uint32)
    hubs = np.flatnonzero(side.places >= 0)
    values, lengths, reached = (
        np.full(size, FAR, np.int64),
        np.empty(size, np.uint32),
        np.empty(size, np.int64),
    )
    queue, whole = np.empty(2 * FIRST_ROOM, np.int64), network.units == WHOLE
    state, progress = np.zeros(3, np.int64), Progress(len(hubs), "hub labels", "hubs have their distances")
    while state[0] < len(hubs):
        progress.report(int(state[0]))
        if not _spread(side, rows, hubs, values, lengths, reached, heap.Pairs(queue), state, whole, PIECE):
            raise too_long()
        if 2 * state[1] > len(queue) - 2 * _most_edges(side):
            queue = np.concatenate([queue, np.empty_like(queue)])
    found = array("I")
    found.frombytes(rows.tobytes())
    return found


def _most_edges(side: Any) -> int:
    return int(np.diff(side.edges.begins).max())


@kernel
def _spread(
    side: Any, rows: Any, hubs: Any, values: Any, lengths: Any, reached: Any, queue: Any, state: Any, whole: Any,
    left: Any,
) -> Any:  # fmt: skip
    """Write the lengths of the ways from hubs, over that many states; return whether they can be written.

    The state is the index of the hub, the size of the heap, and how many states were reached; it continues there. It
    also stops when the heap may overflow.
    """
    edges, number, size, count = side.edges, state[0], state[1], state[2]
    room = queue.numbers.size // 2
    while number < hubs.size and left > 0:
        hub = hubs[number]
        place = side.places[hub]
        if count == 0:
            values[hub], lengths[hub], reached[0], count = 0, 0, hub, 1
            size = heap.push(queue, 0, (np.int64(0), np.int64(hub)))
        fits = True
        while size > 0 and left > 0 and fits:
            value, here = queue.numbers[0], queue.numbers[1]
            begin, end = edges.begins[here], edges.begins[here + 1]
            fits = size + end - begin <= room
            if not fits:
                break
            left -= 1
            size = heap.pop(queue, size)
            if value > values[here]:
                continue
            for edge in range(begin, end):
                head, length = np.int64(edges.heads[edge]), edges.lengths[edge]
                if 0 <= side.places[head] <= place:
                    continue
                beyond = value + value_of(edges, length)
                if beyond >= values[head]:
                    continue
                low = (np.int64(lengths[here]) & LOW) + (np.int64(length) & LOW)
                total = np.int64(lengths[here]) + np.int64(length)
                if total >= NONE or (low > LOW and not whole):
                    return False
                if values[head] == FAR:
                    reached[count] = head
                    count += 1
                values[head], lengths[head] = beyond, total
                size = heap.push(queue, size, (beyond, head))
        if not fits:
            break
        if size == 0:
            for index in range(count):
                here = reached[index]
                values[here] = FAR
                if side.places[here] >= 0:
                    rows[side.starts[here] + place] = lengths[here]
            count = 0
            number += 1
    state[0], state[1], state[2] = number, size, count
    return True
