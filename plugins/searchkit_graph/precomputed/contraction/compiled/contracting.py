"""Making contraction hierarchies as machine code: as `searchkit_graph.precomputed.contraction.making` does."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel, sub_kernel
from searchkit.compiled.kit import heap
from searchkit_graph.precomputed.compiled.networks import as_array
from searchkit_graph.precomputed.compiled.tables import Progress, numbers_of
from searchkit_graph.precomputed.contraction.hierarchy import (
    CONTRACTED,
    MOST_ARCS,
    MOST_PAIRS,
    MOST_STEPS,
    SIMULATED,
    WHAT,
    Half,
    Hierarchy,
    too_many,
)
from searchkit_graph.precomputed.network import FAR, HALF, LOW, NONE, WHOLE, Network, too_long

PIECE = 1 << 20
"""Steps of one call, about: between two calls, Ctrl-C and other threads have their turn."""
BEGIN, PICK, COUNT, CONTRACT = range(4)
"""What is done next: compute the first priorities; take a state from the queue; compute its priority; remove it."""
PHASE, STATE, ARC, NEEDED, QUEUED, RANKED, ARCS, MADE = range(8)
"""Places in `Work.numbers`: what is done; to which state, and at which of the arcs to it; the shortcuts that were
counted; the size of the queue; how many states were removed; how many arcs there are, and blocks of them."""
WORKING, DONE, FULL, TOO_LONG, TOO_MANY = range(5)
"""Why a slice ended."""


class Lists(NamedTuple):
    """Lists of arcs in blocks of 1, 2, 4 … arcs. Those from states come first, then those to states."""

    arcs: Any
    """The other end, the length and the middle of each arc."""
    begins: Any
    """List → where its block begins."""
    counts: Any
    """List → how many arcs it has."""
    sizes: Any
    """List → the logarithm of the size of its block."""
    free: Any
    """Logarithm of a size → the first of the blocks of this size that no list uses; −1 for none. The first two numbers
    of such a block are where the next one begins."""


class Work(NamedTuple):
    """Arrays that are used again and again."""

    numbers: Any
    queue: Any
    """The states that are left, with their priorities."""
    ranks: Any
    removed: Any
    level: Any
    values: Any
    """State → the value of the way there; `FAR` where there is none."""
    touched: Any
    """The states with a value."""
    marks: Any
    """State → whether the way to it is looked for; later, where it is in a list, from 1."""
    frontier: Any
    units: Any


def make_hierarchy(network: Network) -> Hierarchy:
    """Return a contraction hierarchy of a network."""
    size, lists = network.size, _lists_of(network)
    work = _work_of(network, int(lists.counts[:size].sum()), int(lists.begins[-1] + (1 << lists.sizes[-1])))
    progress, why, numbers = Progress(size, WHAT, "states have their ranks"), WORKING, work.numbers
    while why != DONE:
        progress.report(int(numbers[RANKED]))
        why = _contract(lists, work, PIECE, MOST_ARCS)
        if why == FULL:
            lists = lists._replace(arcs=np.concatenate([lists.arcs, np.empty_like(lists.arcs)]))
        elif why in (TOO_LONG, TOO_MANY):
            raise too_long() if why == TOO_LONG else too_many(MOST_ARCS)
    up, down = (_half(lists, work.ranks, first) for first in (0, size))
    return Hierarchy(network, as_array("I", work.ranks), up, down)


def _lists_of(network: Network) -> Lists:
    """Return the edges of a network: of several between two states, the shortest."""
    size = network.size
    tails = np.repeat(np.arange(size), np.diff(numbers_of(network.begins, np.int64)))
    heads, lengths = (numbers_of(part, np.uint32) for part in (network.heads, network.lengths))
    order = np.lexsort((lengths, heads, tails))
    order = order[tails[order] != heads[order]]
    tails, heads = tails[order], heads[order].astype(np.int64)
    first = np.append(True, (np.diff(tails) != 0) | (np.diff(heads) != 0))[: len(order)]
    tails, heads, lengths = tails[first], heads[first], lengths[order][first]
    counts = np.concatenate([np.bincount(tails, minlength=size), np.bincount(heads, minlength=size)])
    sizes = np.ceil(np.log2(np.maximum(counts, 1))).astype(np.int64)
    begins = np.concatenate([[0], np.cumsum(1 << sizes)])
    arcs = np.empty((2 * int(begins[-1]), 3), np.uint32)
    back = np.argsort(heads, kind="stable")
    ends = np.concatenate([tails, heads[back] + size])
    places = begins[ends] + np.arange(len(ends)) - (np.cumsum(counts) - counts)[ends]
    arcs[places, 0] = np.concatenate([heads, tails[back]])
    arcs[places, 1] = np.concatenate([lengths, lengths[back]])
    arcs[places, 2] = NONE
    return Lists(arcs, begins[:-1].copy(), counts.astype(np.int64), sizes, np.full(64, -1, np.int64))


def _work_of(network: Network, arcs: int, made: int) -> Work:
    size = network.size
    numbers = np.zeros(8, np.int64)
    numbers[ARCS], numbers[MADE] = arcs, made
    return Work(
        numbers,
        heap.Pairs(np.empty(2 * size, np.int64)),
        np.full(size, NONE, np.uint32),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.full(size, FAR, np.int64),
        np.empty(size, np.int64),
        np.zeros(size, np.int64),
        heap.Pairs(np.empty(2 * (MOST_STEPS + size + 1), np.int64)),
        np.array([*network.units, network.units == WHOLE], np.int64),
    )


def _half(lists: Lists, ranks: Any, first: int) -> Half:
    """Return the arcs of the lists from a number on, with ranks instead of states."""
    size = len(ranks)
    begins, counts = lists.begins[first : first + size], lists.counts[first : first + size]
    states = np.repeat(np.arange(size), counts)
    places = np.arange(len(states)) + np.repeat(begins - (np.cumsum(counts) - counts), counts)
    others, lengths, middles = lists.arcs[places].T
    lows, heads = ranks[states], ranks[others]
    middles = np.where(middles == NONE, NONE, ranks[np.where(middles == NONE, 0, middles)])
    order = np.lexsort((heads, lows))
    ends = np.concatenate([[0], np.cumsum(np.bincount(lows, minlength=size))])
    return Half(*(as_array("I", part) for part in (ends, heads[order], lengths[order], middles[order])))


@compiled_function
def value_of(units: Any, length: Any) -> Any:
    """Return the value of a length other than `NONE`."""
    return np.int64(length >> HALF) * units[0] + np.int64(length & LOW) * units[1]


@compiled_function
def _new_block(lists: Lists, numbers: Any, size: Any) -> Any:
    """Return where a block that no list uses begins."""
    begin = lists.free[size]
    if begin < 0:
        begin = numbers[MADE]
        numbers[MADE] += np.int64(1) << size
    else:
        lists.free[size] = (np.int64(lists.arcs[begin, 0]) << 31 | np.int64(lists.arcs[begin, 1])) - 1
    return begin


@compiled_function
def _release(lists: Lists, begin: Any, size: Any) -> None:
    """Keep a block for another list."""
    following = lists.free[size] + 1
    lists.arcs[begin, 0], lists.arcs[begin, 1] = following >> 31, following & 0x7FFFFFFF
    lists.free[size] = begin


@sub_kernel
def _append(lists: Lists, numbers: Any, place: Any, other: Any, length: Any, middle: Any) -> None:
    """Append an arc to a list; there is room for a larger block."""
    arcs, count, size = lists.arcs, lists.counts[place], lists.sizes[place]
    if count == np.int64(1) << size:
        begin, old = _new_block(lists, numbers, size + 1), lists.begins[place]
        for index in range(count):
            for part in range(3):
                arcs[begin + index, part] = arcs[old + index, part]
        _release(lists, old, size)
        lists.begins[place], lists.sizes[place] = begin, size + 1
    arc = lists.begins[place] + count
    arcs[arc, 0], arcs[arc, 1], arcs[arc, 2] = other, length, middle
    lists.counts[place] = count + 1


@compiled_function
def _find(lists: Lists, place: Any, other: Any) -> Any:
    """Return where the arc of a list with this other end is; there is one."""
    arc = lists.begins[place]
    while np.int64(lists.arcs[arc, 0]) != other:
        arc += 1
    return arc


@sub_kernel
def _search_witnesses(
    lists: Lists, work: Any, source: Any, without: Any, limit: Any, wanted: Any, most: Any
) -> Any:
    """Write the values of ways that avoid a state; return how many states have a value, and the steps taken."""
    arcs, values, frontier = lists.arcs, work.values, work.frontier
    values[source], work.touched[0], count = 0, source, np.int64(1)
    size = heap.push(frontier, 0, (np.int64(0), np.int64(source)))
    settled, steps = np.int64(0), np.int64(0)
    while size > 0:
        value, here = frontier.numbers[0], frontier.numbers[1]
        size = heap.pop(frontier, size)
        if value > values[here]:
            continue
        if work.marks[here]:
            work.marks[here] = 0
            wanted -= 1
        if wanted == 0 or settled >= most or steps >= MOST_STEPS:
            break
        settled += 1
        begin = lists.begins[here]
        end = begin + lists.counts[here]
        steps += end - begin
        for arc in range(begin, end):
            head = np.int64(arcs[arc, 0])
            beyond = value + value_of(work.units, arcs[arc, 1])
            if beyond <= limit and head != without and beyond < values[head]:
                if values[head] == FAR:
                    work.touched[count] = head
                    count += 1
                values[head] = beyond
                size = heap.push(frontier, size, (beyond, head))
    return count, steps + settled


@sub_kernel
def _look_around(lists: Lists, work: Any, state: Any, arc: Any, most: Any) -> Any:
    """Look for ways around a state from the tail of an arc that leads to it.

    Returns how many shortcuts are needed, how many states have a value, and the steps taken.
    """
    arcs, units = lists.arcs, work.units
    source, into = np.int64(arcs[arc, 0]), value_of(units, arcs[arc, 1])
    begin = lists.begins[state]
    end = begin + lists.counts[state]
    farthest, wanted = np.int64(0), np.int64(0)
    for out in range(begin, end):
        head = np.int64(arcs[out, 0])
        if head != source:
            farthest = max(farthest, value_of(units, arcs[out, 1]))
            work.marks[head] = 1
            wanted += 1
    if wanted == 0:
        return np.int64(0), np.int64(0), np.int64(1)
    count, steps = _search_witnesses(lists, work, source, state, into + farthest, wanted, most)
    needed = np.int64(0)
    for out in range(begin, end):
        head = np.int64(arcs[out, 0])
        work.marks[head] = 0
        if head != source and work.values[head] > into + value_of(units, arcs[out, 1]):
            needed += 1
    return needed, count, steps + 2 * (end - begin)


@compiled_function
def _clear(work: Any, count: Any) -> None:
    """Forget the values of that many states."""
    for index in range(count):
        work.values[work.touched[index]] = FAR


@sub_kernel
def _add_shortcuts(lists: Lists, work: Any, state: Any, arc: Any) -> Any:
    """Make the shortcuts from the tail of an arc that leads to a state; return whether they can be written."""
    arcs, units, marks, size = lists.arcs, work.units, work.marks, work.ranks.size
    tail, length = np.int64(arcs[arc, 0]), np.int64(arcs[arc, 1])
    into, fits = value_of(units, arcs[arc, 1]), True
    for place in range(lists.counts[tail]):
        marks[np.int64(arcs[lists.begins[tail] + place, 0])] = place + 1
    for out in range(lists.begins[state], lists.begins[state] + lists.counts[state]):
        head, onward = np.int64(arcs[out, 0]), np.int64(arcs[out, 1])
        if head == tail or work.values[head] <= into + value_of(units, arcs[out, 1]):
            continue
        total = length + onward
        if total >= NONE or (units[2] == 0 and (length & LOW) + (onward & LOW) > LOW):
            fits = False
        if marks[head]:
            there, back = lists.begins[tail] + marks[head] - 1, _find(lists, size + head, tail)
            arcs[there, 1] = arcs[back, 1] = total
            arcs[there, 2] = arcs[back, 2] = state
        else:
            _append(lists, work.numbers, tail, head, total, state)
            _append(lists, work.numbers, size + head, tail, total, state)
            work.numbers[ARCS] += 1
    for place in range(lists.counts[tail]):
        marks[np.int64(arcs[lists.begins[tail] + place, 0])] = 0
    return fits


@compiled_function
def _room_needed(lists: Lists, state: Any, arc: Any, size: Any) -> Any:
    """Return how many arcs new blocks may have, if there are shortcuts from the tail of an arc to all neighbours."""
    tail, begin = np.int64(lists.arcs[arc, 0]), lists.begins[state]
    room = 4 * (lists.counts[tail] + lists.counts[state])
    for out in range(begin, begin + lists.counts[state]):
        room += np.int64(2) << lists.sizes[size + np.int64(lists.arcs[out, 0])]
    return room


@sub_kernel
def _remove(lists: Lists, work: Any, state: Any) -> None:
    """Remove a state from the lists of its neighbours; its own lists stay."""
    size = work.ranks.size
    for mine in (np.int64(state), size + np.int64(state)):
        theirs = size if mine == state else np.int64(0)
        for arc in range(lists.begins[mine], lists.begins[mine] + lists.counts[mine]):
            other = np.int64(lists.arcs[arc, 0])
            place = theirs + other
            at, last = _find(lists, place, state), lists.begins[place] + lists.counts[place] - 1
            for part in range(3):
                lists.arcs[at, part] = lists.arcs[last, part]
            lists.counts[place] -= 1
            if work.marks[other] == 0:
                work.removed[other] += 1
                work.level[other] = max(work.level[other], work.level[state] + 1)
            work.marks[other] = 1 if theirs else 0
    for arc in range(lists.begins[state], lists.begins[state] + lists.counts[state]):
        work.marks[np.int64(lists.arcs[arc, 0])] = 0


@kernel
def _contract(lists: Lists, work: Any, left: Any, most_arcs: Any) -> Any:
    """Go on removing states, for that many steps, and return why it ended."""
    numbers, queue, size = work.numbers, work.queue, work.ranks.size
    phase, state, arc, needed, queued = (
        numbers[PHASE],
        numbers[STATE],
        numbers[ARC],
        numbers[NEEDED],
        numbers[QUEUED],
    )
    why = WORKING
    while why == WORKING and left > 0:
        if phase == BEGIN and state == size:
            phase = PICK
        if phase == PICK:
            if queued == 0:
                why = DONE
                break
            state, arc, needed, phase = queue.numbers[1], np.int64(0), np.int64(0), COUNT
            queued = heap.pop(queue, queued)
        out, into = lists.counts[state], lists.counts[size + state]
        place = lists.begins[size + state] + arc
        left -= 1
        if phase == CONTRACT and arc < into:
            if numbers[MADE] + _room_needed(lists, state, place, size) > lists.arcs.shape[0]:
                why = FULL
                break
            found, count, steps = _look_around(lists, work, state, place, CONTRACTED)
            if found > 0 and not _add_shortcuts(lists, work, state, place):
                why = TOO_LONG
            _clear(work, count)
            left -= steps
            arc += 1
            if numbers[ARCS] > most_arcs:
                why = TOO_MANY
        elif phase == CONTRACT:
            work.ranks[state] = numbers[RANKED]
            numbers[RANKED] += 1
            _remove(lists, work, state)
            left -= out + into
            phase = PICK
        elif arc < into and out * into <= MOST_PAIRS:
            found, count, steps = _look_around(lists, work, state, place, SIMULATED)
            _clear(work, count)
            left -= steps
            needed += found
            arc += 1
        else:
            if out * into > MOST_PAIRS:
                needed = out * into
            priority = 2 * (needed - out - into) + work.removed[state] + work.level[state]
            if phase == BEGIN:
                queued = heap.push(queue, queued, (priority, state))
                state += 1
            elif queued > 0 and priority > queue.numbers[0]:
                queued = heap.push(queue, queued, (priority, state))
                phase = PICK
            else:
                phase = CONTRACT
            arc, needed = np.int64(0), np.int64(0)
    numbers[PHASE], numbers[STATE], numbers[ARC], numbers[NEEDED], numbers[QUEUED] = (
        phase,
        state,
        arc,
        needed,
        queued,
    )
    return why
