"""The best path of one robot under constraints, all of its cheapest paths, and conflicts between paths."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel, sub_kernel
from searchkit.compiled.kit import control, heap
from searchkit_robots.constraints import CLOSING

COUNT, SIZE, STAMP, HORIZON, END, COUNTERS = range(6)
"""Indices into the array of counters: the arrivals, or places; the entries of the queue, or the length of the path; the
stamp of the search; the last time of a constraint; and the least time of the last arrival."""
SEEN, CLOSED, TIME, CLASHES = range(4)
"""Of a location at a time: the stamps of the last searches that have seen and closed it, and its last arrival."""
BEGIN, CONTINUE, CLEAR = range(3)
"""What a call of `find` does."""
LATEST = 1 << 30
NEVER = (1 << 31) - 1


class Arrays(NamedTuple):
    """The arrays of a search. Those with times have a row for each time, up to the last one of a constraint or path."""

    banned: Any
    """uint8: time, location → whether it is forbidden; the time after the last constraint is that of all later ones."""
    edged: Any
    """uint8: time → whether a move that ends then is forbidden."""
    at: Any
    """int16: time, location → how many other robots are there."""
    moves: Any
    """int16: time, location, way → how many come from where the way leads, while the robot goes there."""
    rests: Any
    """int32: location → the time from which another robot rests there."""
    places: Any
    """int32: time, location → see `SEEN`."""
    arrivals: Any
    """int32: time, location and number of the parent, of each arrival."""
    queue: Any
    """A `Queue`."""
    path: Any
    """int32: the path that was found."""


class Queue(NamedTuple):
    """A heap of arrivals: cost and conflicts in one number, then the later and the earlier one."""

    costs: Any
    turns: Any


@heap.load.when(Queue)
def _(queue: Any, index: Any) -> Any:
    return queue.costs[index], queue.turns[index]


@heap.store.when(Queue)
def _(queue: Any, index: Any, entry: Any) -> None:
    queue.costs[index], queue.turns[index] = entry


@sub_kernel
def _enter(rows: Any, earliest: Any, arrays: Any, set_to: Any) -> Any:
    """Enter constraints (1) or remove them (0); return the last time of any. Those that do not fit are left out."""
    times, size = arrays.banned.shape
    last = min(max(np.int64(0), np.int64(earliest) - 1), times - 2)
    for number in range(rows.shape[0]):
        last = max(last, min(np.int64(rows[number, 0]), times - 2))
    for number in range(rows.shape[0]):
        time, here, there = rows[number, 0], rows[number, 1], rows[number, 2]
        if time < 0 or time > last or there < 0 or there >= size:
            continue
        if here >= 0:
            arrays.edged[time] = set_to
        else:
            for moment in range(time, last + 2 if here == CLOSING else time + 1):
                arrays.banned[moment, there] = set_to
    return last


@sub_kernel
def _drive(roads: Any, robot: Any, places: Any, firsts: Any, arrays: Any, change: Any) -> None:
    """Add the paths of all robots but one to the traffic, or remove them if `change` is −1."""
    times, size = arrays.at.shape
    for other in range(firsts.size - 1):
        if other == robot:
            continue
        here = np.int64(0)
        for time in range(min(firsts[other + 1] - firsts[other], times)):
            there = places[firsts[other] + time]
            if there < 0 or there >= size:
                break
            arrays.at[time, there] += change
            if time > 0 and here != there:
                for way in range(roads.degrees[there]):
                    if roads.ways[there, way] == here:
                        arrays.moves[time, there, way] += change
            here = there
        if firsts[other + 1] > firsts[other]:
            arrays.rests[here] = firsts[other + 1] - firsts[other] if change > 0 else NEVER


@compiled_function
def _is_allowed(rows: Any, arrays: Any, last: Any, time: Any, here: Any, there: Any) -> Any:
    """Whether constraints allow a move that ends at a time."""
    if time > last:
        return not arrays.banned[last + 1, there]
    if arrays.banned[time, there]:
        return False
    if arrays.edged[time]:
        for number in range(rows.shape[0]):
            if rows[number, 0] == time and rows[number, 1] == here and rows[number, 2] == there:
                return False
    return True


@sub_kernel
def _begin(roads: Any, robot: Any, rows: Any, earliest: Any, latest: Any, arrays: Any, counters: Any) -> None:
    """Put the start into the queue, if there may be a path."""
    start, goal, last = roads.starts[robot], roads.goals[robot], counters[HORIZON]
    end = max(np.int64(roads.distances[robot, start]), earliest)
    for time in range(last + 1):
        if arrays.banned[time, goal]:
            end = max(end, time + 1)
    able = end <= latest and not arrays.banned[0, start] and not arrays.banned[last + 1, goal]
    counters[STAMP] += 1
    counters[SIZE], counters[COUNT], counters[END] = np.int64(able), 1, end
    arrays.arrivals[0, 0], arrays.arrivals[0, 1], arrays.arrivals[0, 2] = 0, start, -1
    arrays.queue.costs[0], arrays.queue.turns[0] = end << 31, LATEST << 31


@kernel
def find(
    roads: Any, robot: Any, rows: Any, earliest: Any, latest: Any, others: Any, firsts: Any, arrays: Any,
    counters: Any, what: Any, steps: Any,
) -> Any:  # fmt: skip
    """Search for a path with the earliest last arrival that the constraints allow; return the stop reason.

    FOUND: its length is in counters[SIZE]. Ties are broken by the number of conflicts with the paths of other robots.
    Times after the last constraint, at time h, are equivalent, so there are at most (h + 2) · locations expansions.
    PAUSED: the next call continues, or clears the arrays.

    Args:
        roads: the problem.
        robot: the robot.
        rows: its constraints, see `searchkit_robots.constraints.row`.
        earliest: a least time of the last arrival.
        latest: the largest one.
        others: the paths of all robots, one after the other.
        firsts: where each of them begins, and where the last one ends.
        arrays: the arrays, which have room for all times of constraints, and one more.
        counters: the counters.
        what: BEGIN, CONTINUE or CLEAR.
        steps: the number of steps after which to pause.

    """
    if what == BEGIN:
        counters[HORIZON] = _enter(rows, earliest, arrays, 1)
        _drive(roads, robot, others, firsts, arrays, 1)
        _begin(roads, robot, rows, earliest, latest, arrays, counters)
    goal, distance, places, queue = roads.goals[robot], roads.distances[robot], arrays.places, arrays.queue
    last, stamp, end = counters[HORIZON], counters[STAMP], counters[END]
    size, count, left, why = counters[SIZE], counters[COUNT], np.int64(steps), control.EXHAUSTED
    while size > 0 and what != CLEAR:
        if left <= 0:
            why = control.PAUSED
            break
        if count + roads.ways.shape[1] + 1 > arrays.arrivals.shape[0]:
            why = control.FULL
            break
        number = queue.turns[0] & NEVER
        conflicts = queue.costs[0] & NEVER
        time, here = np.int64(arrays.arrivals[number, 0]), arrays.arrivals[number, 1]
        place = places[min(time, last + 1), here]
        size = heap.pop(queue, size)
        left -= 1
        if place[CLOSED] == stamp:
            continue
        if here == goal and time >= end:
            if arrays.path.size <= time:
                why = control.FULL
                break
            for moment in range(time, -1, -1):
                arrays.path[moment] = arrays.arrivals[number, 1]
                number = arrays.arrivals[number, 2]
            size, why = time + 1, control.FOUND
            break
        place[CLOSED] = stamp
        time += 1
        degree = roads.degrees[here]
        left -= degree + 1
        for way in range(degree + 1):
            there = roads.ways[here, way] if way < degree else here
            if time + np.int64(distance[there]) > latest:
                continue
            if not _is_allowed(rows, arrays, last, time, here, there):
                continue
            clashes = conflicts + (arrays.rests[there] <= time)
            if time < arrays.at.shape[0]:
                clashes += arrays.at[time, there]
                if way < degree:
                    clashes += arrays.moves[time, here, way]
            spot = places[min(time, last + 1), there]
            known = spot[SEEN] == stamp and spot[TIME] == time and spot[CLASHES] <= clashes
            if spot[CLOSED] == stamp or known:
                continue
            spot[SEEN], spot[TIME], spot[CLASHES] = stamp, time, clashes
            arrivals = arrays.arrivals[count]
            arrivals[0], arrivals[1], arrivals[2] = time, there, number
            f = max(time + np.int64(distance[there]), end)
            size = heap.push(queue, size, (f << 31 | np.int64(clashes), (LATEST - time) << 31 | count))
            count += 1
    counters[SIZE], counters[COUNT] = size, count
    if why != control.PAUSED:
        _enter(rows, earliest, arrays, 0)
        _drive(roads, robot, others, firsts, arrays, -1)
    return why


class Levels(NamedTuple):
    """The paths of a diagram, level by level."""

    offsets: Any
    """int64: time → the first place of that time; one more at the end."""
    places: Any
    """int32: the location of each place, or −1 if no path leads through it."""
    after: Any
    """int32: for each place, the places to which a path can continue from there, or −1."""


@kernel
def draw(
    roads: Any, robot: Any, rows: Any, cost: Any, levels: Any, index: Any, arrays: Any, counters: Any
) -> Any:
    """Draw the diagram of all paths of a cost that the constraints allow; return whether there was room for it.

    counters[COUNT] is the number of places. `index` has an element −1 for each location, and is left so.
    """
    offsets, places, after = levels
    distance, last = roads.distances[robot], _enter(rows, 0, arrays, 1)
    offsets[0], offsets[1], places[0], count, able = 0, 1, roads.starts[robot], 1, True
    for time in range(1, cost + 1):
        first, end = offsets[time - 1], offsets[time]
        if count + (end - first) * after.shape[1] > places.size:
            able = False
            break
        for number in range(first, end):
            here = places[number]
            degree = roads.degrees[here]
            for way in range(after.shape[1]):
                after[number, way] = -1
                if way > degree:
                    continue
                there = roads.ways[here, way] if way < degree else here
                if distance[there] > cost - time or not _is_allowed(rows, arrays, last, time, here, there):
                    continue
                if index[there] < 0:
                    index[there] = count
                    places[count] = there
                    count += 1
                after[number, way] = index[there]
        offsets[time + 1] = count
        for number in range(end, count):
            index[places[number]] = -1
    _enter(rows, 0, arrays, 0)
    if not able:
        return False
    for number in range(offsets[cost], count):
        for way in range(after.shape[1]):
            after[number, way] = -1
    for number in range(offsets[cost] - 1, -1, -1):
        alive = False
        for way in range(after.shape[1]):
            to = after[number, way]
            if to >= 0 and places[to] < 0:
                after[number, way] = -1
            elif to >= 0:
                alive = True
        if not alive:
            places[number] = -1
    counters[COUNT] = count
    return True


@compiled_function
def _next_of(levels: Any, time: Any, number: Any, way: Any) -> Any:
    """Return a place to which a path can go on; after the end, the same place for the first way."""
    if time < levels.offsets.size - 2:
        return np.int64(levels.after[number, way])
    return np.int64(number if way == 0 else -1)


@compiled_function
def _level(levels: Any, time: Any) -> Any:
    """Return the first place of a time, and how many there are; after the end, those of the last time."""
    level = min(time, levels.offsets.size - 2)
    return levels.offsets[level], levels.offsets[level + 1] - levels.offsets[level]


@kernel
def meet(one: Any, other: Any, pairs: Any, ways: Any, met: Any, met_too: Any) -> Any:
    """Mark the places of two diagrams that can be reached without conflict; return whether two paths have none.

    A place (t, v) is met if a path to it and a path of the other diagram are without conflict up to time t (mutex
    propagation; Zhang et al. 2022). `pairs` has two rows, in turns for the pairs of places of this level and of the
    next one; they are all 0 before and after. `ways` counts, for one place of a diagram, by how many steps each place
    of the next level of the other one is reached.
    """
    ends, able = max(one.offsets.size, other.offsets.size) - 2, True
    pairs[0, 0] = 1
    for time in range(ends + 1):
        now, then = pairs[time & 1], pairs[1 - (time & 1)]
        begin, rows = _level(one, time)
        begin_too, width = _level(other, time)
        next_begin, _ = _level(one, time + 1)
        next_begin_too, next_width = _level(other, time + 1)
        there_too = other.places[next_begin_too : next_begin_too + next_width]
        able = time == ends
        for row in range(rows):
            first, present, swap, sole = begin + row, False, -1, -1
            here = one.places[first]
            for column in range(width):
                pair = row * width + column
                if not now[pair]:
                    continue
                if not present:
                    present = True
                    ways[:next_width] = 0
                now[pair] = 0
                second = begin_too + column
                met[first] = met_too[second] = 1
                for way in range(other.after.shape[1] if time < ends else 0):
                    to = _next_of(other, time, second, way)
                    if to < 0:
                        continue
                    ways[to - next_begin_too] += 1
                    if other.places[to] == here:
                        swap, sole = to - next_begin_too, other.places[second]
            for way in range(one.after.shape[1] if present and time < ends else 0):
                to = _next_of(one, time, first, way)
                if to < 0:
                    continue
                there, base = one.places[to], (to - next_begin) * next_width
                alone = swap if swap >= 0 and ways[swap] == 1 and sole == there else -1
                for column in range(next_width):
                    if ways[column] and there_too[column] != there and column != alone:
                        then[base + column] = 1
                        able = True
        if not able:
            break
    return able


@kernel
def compare(places: Any, firsts: Any, robot_at: Any, robot_before: Any, found: Any, room: Any) -> Any:
    """Write the conflicts of paths, earliest first: (time, first, second, from, to); return their number.

    At each time, each robot conflicts with the first robot only. `from` is `to` if both are there; else the second one
    moves so. `robot_at` and `robot_before` have an element −1 for each location, and are left so. Conflicts beyond
    `room` are counted, not written. Returns −1 if a path has invalid locations. O(robots · time).
    """
    robots, longest, count = firsts.size - 1, np.int64(0), 0
    for robot in range(robots):
        longest = max(longest, firsts[robot + 1] - firsts[robot])
    for number in range(firsts[robots]):
        if places[number] < 0 or places[number] >= robot_at.size:
            return -1
    for time in range(longest):
        for robot in range(robots):
            there = places[min(firsts[robot] + time, firsts[robot + 1] - 1)]
            here = places[max(firsts[robot], min(firsts[robot] + time, firsts[robot + 1]) - 1)]
            other = robot_at[there]
            if other < 0:
                robot_at[there] = robot
            elif count < room:
                found[count, 0], found[count, 1], found[count, 2] = time, other, robot
                found[count, 3], found[count, 4] = there, there
            count += other >= 0
            other = robot_before[there]
            if time == 0 or here == there or other < 0 or other >= robot:
                continue
            if places[min(firsts[other] + time, firsts[other + 1] - 1)] == here:
                if count < room:
                    found[count, 0], found[count, 1], found[count, 2] = time, other, robot
                    found[count, 3], found[count, 4] = here, there
                count += 1
        for robot in range(robots):
            here = places[max(firsts[robot], min(firsts[robot] + time, firsts[robot + 1]) - 1)]
            robot_before[here] = -1
        for robot in range(robots - 1, -1, -1):
            there = places[min(firsts[robot] + time, firsts[robot + 1] - 1)]
            robot_at[there] = -1
            if time < longest - 1:
                robot_before[there] = robot
    return count
