"""The best path of one robot under constraints, as machine code: the same as `searchkit_robots.engines._single`."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import control, heap

COUNT, SIZE, STAMP, TIME_AT, ROW, ABLE, COUNTERS = range(7)
"""Indices into the array of counters: the arrivals or places, the entries of the queue, and the stamp of the search;
where a diagram, or the comparison of two of them, goes on: the time, the row, and whether a pair was found so far."""
SEEN, CLOSED, TIME, CLASHES = range(4)
"""Of a location at a time: the stamps of the last searches that have seen and closed it, and its last arrival."""


class Rules(NamedTuple):
    """What a robot must and must not do, by time: up to the last time of a constraint, and one time more."""

    banned: Any
    """uint8: time, location → whether it is forbidden; the last time of the rules stands for all later ones."""
    edges: Any
    """int32: rows of (time, from, to), forbidden moves."""
    has_edges: Any
    """uint8: time → whether one of them ends at that time."""
    landmarks: Any
    """int32: time → where the robot has to be, or −1."""
    upcoming: Any
    """int32: time → the number of the next landmark after it."""
    times: Any
    """int32: landmark → its time."""
    ahead: Any
    """int32: landmark, location → steps from there to its location."""


class Traffic(NamedTuple):
    """The paths of other robots."""

    at: Any
    """int16: time, location → how many are there."""
    moves: Any
    """int16: time, location, way → how many come from where the way leads, while the robot goes there."""
    rests: Any
    """int32: location → the time from which a robot rests there."""


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


@heap.is_before.when(Queue)
def _(queue: Any, one: Any, other: Any) -> Any:
    return one[0] < other[0] or (one[0] == other[0] and one[1] < other[1])


LATEST = 1 << 30
NEVER = (1 << 31) - 1


@compiled_function
def _way_to(roads: Any, here: Any, there: Any) -> Any:
    way = 0
    while roads.ways[here, way] != there:
        way += 1
    return way


@kernel
def drive(roads: Any, traffic: Any, path: Any, change: Any) -> Any:
    """Add a path to the traffic, or remove it if `change` is −1."""
    last = path.size - 1
    for time in range(last + 1):
        there = path[time]
        traffic.at[time, there] += change
        here = path[max(time - 1, 0)]
        if here != there:
            traffic.moves[time, there, _way_to(roads, there, here)] += change
    traffic.rests[path[last]] = last + 1 if change > 0 else NEVER
    return last


@compiled_function
def _is_allowed(rules: Any, time: Any, here: Any, there: Any) -> Any:
    """Whether constraints allow a move that ends at a time."""
    if time >= rules.has_edges.size:
        return not rules.banned[rules.has_edges.size - 1, there]
    landmark = rules.landmarks[time]
    if rules.banned[time, there] or (landmark >= 0 and landmark != there):
        return False
    if rules.has_edges[time]:
        for number in range(rules.edges.shape[0]):
            edge = rules.edges[number]
            if edge[0] == time and edge[1] == here and edge[2] == there:
                return False
    return True


@kernel
def find(
    roads: Any, rules: Any, traffic: Any, robot: Any, end: Any, latest: Any, queue: Any, arrivals: Any, places: Any,
    path: Any, counters: Any, steps: Any,
) -> Any:  # fmt: skip
    """Search for the best path; return the stop reason. FOUND: its length is in counters[SIZE]."""
    goal, distance = roads.goals[robot], roads.distances[robot]
    horizon, stamp = np.int64(rules.has_edges.size) - 2, counters[STAMP]
    size, count, left, why = counters[SIZE], counters[COUNT], np.int64(steps), control.EXHAUSTED
    while size > 0:
        if left <= 0:
            why = control.PAUSED
            break
        if count + roads.ways.shape[1] + 1 > arrivals.shape[0]:
            why = control.FULL
            break
        number = queue.turns[0] & NEVER
        conflicts = queue.costs[0] & NEVER
        time, here = np.int64(arrivals[number, 0]), arrivals[number, 1]
        place = places[min(time, horizon + 1), here]
        if place[CLOSED] == stamp:
            size = heap.pop(queue, size)
            left -= 1
            continue
        if here == goal and time >= end:
            if path.size <= time:
                why = control.FULL
                break
            for moment in range(time, -1, -1):
                path[moment] = arrivals[number, 1]
                number = arrivals[number, 2]
            size, why = time + 1, control.FOUND
            break
        size = heap.pop(queue, size)
        place[CLOSED] = stamp
        time += 1
        degree = roads.degrees[here]
        left -= degree + 2
        for way in range(degree + 1):
            there = roads.ways[here, way] if way < degree else here
            if not _is_allowed(rules, time, here, there) or time + np.int64(distance[there]) > latest:
                continue
            if time <= horizon and rules.upcoming[time] < rules.times.size:
                following = rules.upcoming[time]
                if rules.ahead[following, there] > rules.times[following] - time:
                    continue
            clashes = conflicts + (traffic.rests[there] <= time)
            if time < traffic.at.shape[0]:
                clashes += traffic.at[time, there]
                if way < degree:
                    clashes += traffic.moves[time, here, way]
            spot = places[min(time, horizon + 1), there]
            known = spot[SEEN] == stamp and spot[TIME] == time and spot[CLASHES] <= clashes
            if spot[CLOSED] == stamp or known:
                continue
            spot[SEEN], spot[TIME], spot[CLASHES] = stamp, time, clashes
            arrivals[count, 0], arrivals[count, 1], arrivals[count, 2] = time, there, number
            f = max(time + np.int64(distance[there]), end)
            size = heap.push(queue, size, (f << 31 | np.int64(clashes), (LATEST - time) << 31 | count))
            count += 1
    counters[SIZE], counters[COUNT] = size, count
    return why


@kernel
def draw(
    roads: Any, rules: Any, robot: Any, cost: Any, offsets: Any, places: Any, after: Any, index: Any, counters: Any,
    steps: Any,
) -> Any:  # fmt: skip
    """Draw the diagram of all paths of a cost, level by level; return the stop reason. EXHAUSTED: it is drawn.

    `after` has the places to which a path can go on from each place, or −1; all are −1 if no path leads on. `index` has
    an element −1 for each location, and is left so. counters[TIME_AT] is the next level; after the last one, the levels
    are pruned backwards, and it is the cost and the number of pruned levels, plus 1.
    """
    distance, count, time, left = roads.distances[robot], counters[COUNT], counters[TIME_AT], np.int64(steps)
    why = control.EXHAUSTED
    while time <= 2 * cost:
        level = time - 1 if time <= cost else 2 * cost - time
        first, last = offsets[level], offsets[level + 1]
        if left <= 0:
            why = control.PAUSED
            break
        left -= (last - first) * after.shape[1]
        if time <= cost:
            if count + (last - first) * after.shape[1] > places.size:
                why = control.FULL
                break
            for number in range(first, last):
                here = places[number]
                degree = roads.degrees[here]
                for way in range(after.shape[1]):
                    after[number, way] = -1
                    if way > degree:
                        continue
                    there = roads.ways[here, way] if way < degree else here
                    if distance[there] > cost - time or not _is_allowed(rules, time, here, there):
                        continue
                    if index[there] < 0:
                        index[there] = count
                        places[count] = there
                        count += 1
                    after[number, way] = index[there]
            offsets[time + 1] = count
            for number in range(last, count):
                index[places[number]] = -1
        else:
            for number in range(first, last):
                alive = False
                for way in range(after.shape[1]):
                    to = after[number, way]
                    if to >= 0 and places[to] < 0:
                        after[number, way] = -1
                    elif to >= 0:
                        alive = True
                if not alive:
                    places[number] = -1
        time += 1
    counters[COUNT], counters[TIME_AT] = count, time
    return why


class Levels(NamedTuple):
    """The places of a diagram: see `draw`."""

    offsets: Any
    places: Any
    after: Any


@compiled_function
def _next_of(levels: Any, time: Any, number: Any, way: Any) -> Any:
    """Return a place to which a path can go on; after the end, the same place for the first way."""
    if time < levels.offsets.size - 2:
        return levels.after[number, way]
    return number if way == 0 else -1


@kernel
def meet(
    one: Any, other: Any, pairs: Any, ways: Any, met: Any, met_too: Any, counters: Any, steps: Any
) -> Any:
    """Mark the places of two diagrams that can be reached without conflict; return the stop reason.

    EXHAUSTED: counters[ABLE] is whether a path of one diagram and one of the other have no conflict. `pairs` has two
    rows, one for each pair of places of a level, in turns for this level and the next one. They are all 0 at first,
    apart from the pair of the starts, and at the end. `ways` counts, for one place of a diagram, by how many steps each
    place of the next level of the other one is reached meanwhile.
    """
    last, last_too = one.offsets.size - 2, other.offsets.size - 2
    ends, left = max(last, last_too), np.int64(steps)
    time, row, able = counters[TIME_AT], counters[ROW], counters[ABLE]
    why = control.EXHAUSTED
    while time <= ends:
        now, then = pairs[time & 1], pairs[1 - (time & 1)]
        begin, begin_too = one.offsets[min(time, last)], other.offsets[min(time, last_too)]
        rows, width = (
            one.offsets[min(time, last) + 1] - begin,
            other.offsets[min(time, last_too) + 1] - begin_too,
        )
        next_begin, next_begin_too = one.offsets[min(time + 1, last)], other.offsets[min(time + 1, last_too)]
        next_width = other.offsets[min(time + 1, last_too) + 1] - next_begin_too
        there_too = other.places[next_begin_too : next_begin_too + next_width]
        while row < rows and left > 0:
            first, present = begin + row, False
            left -= width + 1
            here, swap, sole = one.places[first], -1, -1
            for column in range(width):
                pair = row * width + column
                if not now[pair]:
                    continue
                if not present:
                    present = True
                    ways[:next_width] = 0
                    left -= next_width * (one.after.shape[1] + 1)
                now[pair] = 0
                second = begin_too + column
                met[first] = met_too[second] = 1
                left -= one.after.shape[1]
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
                        able = 1
            row += 1
        if row < rows:
            why = control.PAUSED
            break
        if time == ends or not able:
            break
        time, row, able = time + 1, 0, np.int64(time + 1 == ends)
    counters[TIME_AT], counters[ROW], counters[ABLE] = time, row, able
    return why


@kernel
def compare(
    places: Any, firsts: Any, lengths: Any, robot_at: Any, robot_before: Any, found: Any, counters: Any,
    steps: Any,
) -> Any:  # fmt: skip
    """Write the conflicts of paths: (time, first, second, from, to); return the stop reason.

    `from` is `to` if both robots are there. counters[TIME_AT] is the next time, and counters[COUNT] the number of
    conflicts so far. `robot_at` and `robot_before` have an element −1 for each location, and are left so.
    """
    robots, longest, count, left = lengths.size, 0, counters[COUNT], np.int64(steps)
    why = control.EXHAUSTED
    for robot in range(robots):
        longest = max(longest, lengths[robot])
    time = counters[TIME_AT]
    while time < longest:
        if left <= 0:
            why = control.PAUSED
            break
        if count + 2 * robots > found.shape[0]:
            why = control.FULL
            break
        left -= 4 * robots
        for robot in range(robots - 1 if time > 0 else -1, -1, -1):
            robot_before[places[firsts[robot] + min(time - 1, lengths[robot] - 1)]] = robot
        for robot in range(robots):
            there = places[firsts[robot] + min(time, lengths[robot] - 1)]
            if robot_at[there] >= 0:
                found[count, 0], found[count, 1], found[count, 2] = time, robot_at[there], robot
                found[count, 3], found[count, 4] = there, there
                count += 1
            else:
                robot_at[there] = robot
            if time == 0:
                continue
            here = places[firsts[robot] + min(time - 1, lengths[robot] - 1)]
            other = robot_before[there]
            if here == there or other < 0 or other >= robot:
                continue
            if places[firsts[other] + min(time, lengths[other] - 1)] == here:
                found[count, 0], found[count, 1], found[count, 2] = time, other, robot
                found[count, 3], found[count, 4] = here, there
                count += 1
        for robot in range(robots):
            if time > 0:
                robot_before[places[firsts[robot] + min(time - 1, lengths[robot] - 1)]] = -1
            robot_at[places[firsts[robot] + min(time, lengths[robot] - 1)]] = -1
        time += 1
    counters[COUNT], counters[TIME_AT] = count, time
    return why
