"""Jump point search as machine code. See `searchkit_dungeon.jps` for what it does.

Indices of arrays are unsigned: Numba lets signed ones count from the end, which takes time.
"""

from collections.abc import Iterator, Mapping, Set
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit.compiled.kit import KernelRun, SearchSpace, control, evaluate, heap, highest_bit, lowest_bit
from searchkit.compiled.kit.run import no_heuristic
from searchkit.engines.kit import enter_starts
from searchkit.tree import Trail
from searchkit_dungeon.terrain import LENGTHS, OFFSETS, Cell, Terrain

NAMES = np.array(list(OFFSETS), object)
AHEAD_X, AHEAD_Y = (np.array(numbers) for numbers in zip(*OFFSETS.values(), strict=True))
LENGTH = np.array([float(length) for length in LENGTHS.values()])
PARTS = np.array([[1, 0], [1, 2], [3, 2], [3, 0]])
"""The two straight directions, along the row and along the column, that make up each diagonal one."""
FIRST_DIAGONAL, START = 4, 8
"""Directions are indices into `NAMES`; this one is that of a start."""
RECORD = np.dtype(
    [("g", "f8"), ("cell", "u4"), ("steps", "u2"), ("direction", "u1"), ("closed", "u1")], align=True
)
"""The best arrival at a jump point: the cost so far, and the run that led there."""
MOST = 8
"""The largest number of jump points that an expansion adds."""
FIRST_ROOM = 1 << 10
ROOM = "room of jps", ""
"""What a terrain keeps: the room that its last search needed, with which the next one begins."""
AT: Any = np.uint64
"""Converts a number ≥ 0 to an index."""


class Ground(NamedTuple):
    """A terrain with one rule for corners, and where straight runs over it stop.

    For each straight direction there is a bit for each cell, set if a run has to stop there, at a jump point or a wall.
    The lines are the rows for east and west, the columns for north and south. Each line begins a word of 64 bits. A
    line of walls precedes the first line and follows the last; a wall precedes and follows the cells of each line.
    """

    north: Any
    east: Any
    south: Any
    west: Any
    row: Any
    """The number of words of a row."""
    column: Any
    weights: Any
    masks: Any
    """Cell → the possible steps, bit i for direction i."""
    around: Any
    """Cell → the open cells around it, in the same form."""
    onward: Any
    stride: Any


def ground_of(terrain: Terrain, corners: str) -> Ground:
    """Return where runs stop on a terrain if there are no goals."""
    free = np.zeros((terrain.height + 2, terrain.width + 2), bool)
    weights = np.frombuffer(terrain.weights, np.uint8)
    free[1:-1, 1:-1] = weights.reshape(-1, terrain.stride)[:-1, :-1] > 0
    cut = corners == "cut"
    east, west = (_packed(_stop(free, ahead, cut)) for ahead in (1, -1))
    south, north = (_packed(_stop(free.T, ahead, cut)) for ahead in (1, -1))
    masks, around = (np.frombuffer(terrain.steps(8, rule).masks, np.uint8) for rule in (corners, "cut"))
    flat = [words.reshape(-1) for words in (north, east, south, west)]
    sizes = east.shape[1], south.shape[1]
    return Ground(*flat, *sizes, weights, masks, around, _onward(cut), terrain.stride)  # type: ignore[call-arg]


def _stop(free: Any, ahead: int, cut: bool) -> Any:
    """Return for each cell whether a run along the lines stops there: at a wall, or because a neighbour is forced."""
    stop = ~free
    for side in (1, -1):
        beside = np.roll(free, side, 0)
        closed = beside if cut else np.roll(beside, ahead, 1)
        opened = np.roll(beside, -ahead, 1) if cut else beside
        stop |= ~closed & opened
    return stop


def _packed(bits: Any) -> Any:
    """Return each line as words of 64 bits, padded with stops."""
    padded = np.ones((bits.shape[0], -(-bits.shape[1] // 64) * 64), bool)
    padded[:, : bits.shape[1]] = bits
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def _onward(cut: bool) -> Any:
    """Return the directions of the natural and forced neighbours, by the direction of arrival and the cells around.

    The index is 256 times the direction plus the cells around, in which bit i stands for direction i. Each number holds
    up to eight directions in order, plus 1, in four bits each, the lowest first.
    """
    offsets = list(OFFSETS.values())
    table = np.zeros((START + 1, 256), np.uint32)
    for around in range(256):
        free = {offset for bit, offset in enumerate(offsets) if around >> bit & 1}
        for code, found in enumerate([*(_neighbours(*offset, free, cut) for offset in offsets), offsets]):
            table[code, around] = sum(
                offsets.index(offset) + 1 << 4 * place for place, offset in enumerate(found)
            )
    return table.reshape(-1)


def _neighbours(dx: int, dy: int, free: Set[Cell], cut: bool) -> list[Cell]:
    """Return the offsets of the natural and forced neighbours of a cell that was reached in a direction."""
    found = [(dx, dy)]
    if dx and dy:
        found += [(dx, 0), (0, dy)]
        for closed, opened in (((-dx, 0), (-dx, dy)), ((0, -dy), (dx, -dy))):
            if cut and closed not in free and opened in free:
                found.append(opened)
        return found
    for x, y in ((dy, dx), (-dy, -dx)):
        if cut and (x, y) not in free and (x + dx, y + dy) in free:
            found.append((x + dx, y + dy))
        if not cut and (x - dx, y - dy) not in free and (x, y) in free:
            found += [(x, y), (x + dx, y + dy)]
    return found


@compiled_function
def _straight(ground: Any, x: Any, y: Any, code: Any) -> Any:
    """Return the number of steps to the next jump point in a straight direction; 0 if there is none."""
    # Before the first row an index is negative, and counts from the end, where a row of walls is.
    here = y * ground.stride + x
    if code == 0:
        steps = _up(ground.north, (x + 1) * ground.column, y + 1)
        return steps if ground.weights[here - steps * ground.stride] else 0
    if code == 1:
        steps = _down(ground.east, (y + 1) * ground.row, x + 1)
        return steps if ground.weights[here + steps] else 0
    if code == 2:
        steps = _down(ground.south, (x + 1) * ground.column, y + 1)
        return steps if ground.weights[here + steps * ground.stride] else 0
    steps = _up(ground.west, (y + 1) * ground.row, x + 1)
    return steps if ground.weights[here - steps] else 0


@compiled_function
def _down(words: Any, line: Any, place: Any) -> Any:
    """Return the distance of the next stop of a line, in the direction in which bits are counted."""
    after = place + 1
    word = line + (after >> 6)
    bits = words[AT(word)] >> AT(after & 63)
    if bits:
        return 1 + np.int64(lowest_bit(bits))
    while True:
        word += 1
        if words[AT(word)]:
            return (word - line << 6) + np.int64(lowest_bit(words[AT(word)])) - place


@compiled_function
def _up(words: Any, line: Any, place: Any) -> Any:
    """Return the distance of the next stop of a line, in the other direction."""
    before = place - 1
    word = line + (before >> 6)
    bits = words[AT(word)] << AT(63 - (before & 63))
    if bits:
        return 1 + 63 - np.int64(highest_bit(bits))
    while True:
        word -= 1
        if words[AT(word)]:
            return place - (word - line << 6) - np.int64(highest_bit(words[AT(word)]))


@compiled_function
def _diagonal(ground: Any, goals: Any, x: Any, y: Any, code: Any) -> Any:
    """Return the number of steps to the next jump point in a diagonal direction, 0 if there is none; and of all."""
    dx, dy = AHEAD_X[AT(code)], AHEAD_Y[AT(code)]
    across, along = PARTS[AT(code - FIRST_DIAGONAL), 0], PARTS[AT(code - FIRST_DIAGONAL), 1]
    steps = 0
    while ground.masks[AT(y * ground.stride + x)] >> code & 1:
        x, y, steps = x + dx, y + dy, steps + 1
        here = y * ground.stride + x
        if (
            goals[AT(here >> 3)] >> AT(here & 7) & 1
            or ground.onward[AT(256 * code + ground.around[AT(here)])] >> np.uint32(12)  # a forced neighbour
            or _straight(ground, x, y, across)
            or _straight(ground, x, y, along)
        ):
            return steps, steps
    return 0, steps


@kernel
def _search(
    ground: Any, goals: Any, heuristic: Any, table: Any, slots: Any, records: Any, pushes: Any, queue: Any,
    counters: Any, least: Any, expansions: Any, most_steps: Any,
) -> Any:  # fmt: skip
    """Expand up to `expansions` jump points and stop before the next one; return the stop reason.

    The slice also ends with the expansion that uses the last of `most_steps`.
    """
    size, pushed, expanded = counters[control.SIZE], counters[control.PUSHED], 0
    count = counters[control.NODES]
    stride, left, why = ground.stride, most_steps, control.EXHAUSTED
    while size > 0:
        if left <= 0:
            why = control.PAUSED
            break
        left -= 1
        f, number = heap.load(queue, AT(0))
        record = records[AT(pushes[AT(-number)])]
        here = np.int64(record.cell)
        if record.closed:
            size = heap.pop(queue, size)
            continue
        least[0], counters[control.HEAD_NODE] = f, here
        if goals[AT(here >> 3)] >> AT(here & 7) & 1:
            why = control.FOUND
            break
        counters[control.PEAK] = max(counters[control.PEAK], size)
        if expanded == expansions:
            why = control.WORKED
            break
        if min(pushes.size - pushed, records.size - count) < MOST:
            why = control.FULL
            break
        y = here // stride
        x = here - y * stride
        replaced = False
        directions = ground.onward[AT(256 * np.int64(record.direction) + ground.around[AT(here)])]
        while directions:
            code = np.int64(directions & np.uint32(15)) - 1
            directions >>= np.uint32(4)
            if code < FIRST_DIAGONAL:
                steps, walked = _straight(ground, x, y, code), 1
            else:
                steps, walked = _diagonal(ground, goals, x, y, code)
            left -= walked
            if steps == 0:
                continue
            counters[control.GENERATED] += 1
            end = here + steps * (AHEAD_Y[AT(code)] * stride + AHEAD_X[AT(code)])
            end_g, node = record.g + steps * LENGTH[AT(code)], np.int64(slots[AT(end)])
            if node < count and records[AT(node)].cell == end:
                arrival = records[AT(node)]
                if arrival.g <= end_g:
                    continue
            else:
                slots[AT(end)] = node = count
                count += 1
                arrival = records[AT(node)]
                arrival.cell, arrival.closed = end, 0
            arrival.g, arrival.steps, arrival.direction = end_g, steps, code
            pushes[AT(pushed)] = node
            entry = end_g + evaluate(heuristic, table, end), -np.float64(pushed)
            if replaced:
                size = heap.push(queue, size, entry)
            else:
                heap.sift_down(queue, size, entry)
                replaced = True
            pushed += 1
        if not replaced:
            size = heap.pop(queue, size)
        record.closed = 1
        expanded += 1
    counters[control.SIZE], counters[control.PUSHED], counters[control.EXPANDED] = size, pushed, expanded
    counters[control.NODES] = count
    return why


@kernel
def _trace(slots: Any, records: Any, cell: Any, stride: Any, codes: Any) -> Any:
    """Write the directions of the steps to a cell to the end of `codes`; return how many there are."""
    steps, at = np.int64(0), np.int64(cell)
    while True:
        record = records[slots[AT(at)]]
        if record.direction == START:
            return steps
        for _ in range(record.steps):
            steps += 1
            if steps <= codes.size:
                codes[AT(codes.size - steps)] = record.direction
        at -= record.steps * (AHEAD_Y[record.direction] * stride + AHEAD_X[record.direction])


class Space:
    """The arrays of a search."""

    def __init__(self, cells: int, room: int):
        self.slots = np.empty(cells, np.uint32)
        """Cell → the number of its record; any number for cells that were not reached: no record of theirs has it."""
        self.records, self.pushes = np.empty(room, RECORD), np.empty(room, np.uint32)
        self.numbers = np.empty(2 * room)
        """The heap: of each entry f, and the negative number of the push, whose record is in `pushes`."""

    def grow(self) -> None:
        """Double the room for records and for the frontier."""
        for name in ("records", "pushes", "numbers"):
            array = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.empty_like(array)]))


class JumpPointSearch(KernelRun):
    """`jps`. Begins from the problem's starts, with an empty tree."""

    def __init__(self, problem: Any, tree: Any):
        self.problem, self.tree, self.terrain = problem, tree, problem.terrain
        view, self.ground = problem.compiled(), problem.jumps()
        if view.heuristic is None:
            raise no_heuristic(problem)
        searched = SearchSpace(view)
        self.heuristic, self.table = searched.heuristic, searched.table
        self.goals = np.zeros(len(self.terrain.weights) // 8 + 1, np.uint8)
        """A bit for each cell."""
        self._mark_goals()
        self.counters, self.least = np.zeros(control.COUNTERS, np.int64), np.zeros(1)
        starts = enter_starts(problem, tree)
        room = max(self.terrain.kept.get(ROOM, FIRST_ROOM), len(starts))
        space = self.arrays = Space(len(self.terrain.weights), room)
        entries = sorted((problem.heuristic(cell), -number) for number, cell in enumerate(starts))
        space.numbers[: 2 * len(entries)] = np.ravel(entries)  # a sorted array is a heap
        for number, (x, y) in enumerate(starts):
            cell = y * self.terrain.stride + x
            space.records[number] = 0, cell, 0, START, 0
            space.slots[cell] = space.pushes[number] = number
        for place in (control.SIZE, control.PUSHED, control.NODES):
            self.counters[place] = len(starts)
        tree.reached = Arrivals(self.terrain, space, self.counters)
        tree.closed, tree.frontier = Closed(tree.reached), space.pushes

    def _mark_goals(self) -> None:
        """Make runs stop at the goals."""
        lines = tuple(words.copy() for words in self.ground[:4])
        self.ground = Ground(*lines, *self.ground[4:])
        north, east, south, west = lines
        for x, y in self.problem.goals:
            cell = y * self.terrain.stride + x
            self.goals[cell >> 3] |= 1 << (cell & 7)
            row, column = (y + 1) * self.ground.row, (x + 1) * self.ground.column
            stops = (east, row, x), (west, row, x), (north, column, y), (south, column, y)
            for words, line, place in stops:
                words[line + (place + 1 >> 6)] |= np.uint64(1 << (place + 1 & 63))

    @property
    def state(self) -> Any:
        """The cell to be expanded next."""
        y, x = divmod(int(self.counters[control.HEAD_NODE]), self.terrain.stride)
        return x, y

    def underestimates(self, cost: Any) -> bool:
        """No distance without walls exceeds one with them."""
        return True

    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel."""
        space = self.arrays
        why = _search(
            self.ground, self.goals, self.heuristic, self.table, space.slots, space.records, space.pushes,
            heap.Pairs(space.numbers), self.counters, self.least, expansions, self.steps,
        )  # fmt: skip
        return int(why), int(self.counters[control.EXPANDED])

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, counters = self.tree, self.counters
        tree.generated, tree.peak_frontier = int(counters[control.GENERATED]), int(counters[control.PEAK])
        tree.lower_bound = float(self.least[0])

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice."""
        if why == control.FULL:
            self.check_memory(self.arrays.records.nbytes + 3 * self.arrays.numbers.nbytes)
            self.arrays.grow()
            self.terrain.kept[ROOM] = len(self.arrays.pushes)
            return None
        self.ended = True
        if why == control.FOUND:
            self.tree.finish(self.state)
        return None


class Arrivals(Mapping[Cell, Any]):
    """Jump point → its best arrival: the cost so far, the cell that the run there began in, and its direction."""

    def __init__(self, terrain: Terrain, arrays: Space, counters: Any):
        self.terrain, self.arrays, self.counters = terrain, arrays, counters

    def record(self, cell: Any) -> tuple[float, int, int, int]:
        """Return cost, steps, direction and whether it is closed. Raises `KeyError` if the cell was not reached."""
        if not self.terrain.fault(cell):
            x, y = cell
            cell_number = y * self.terrain.stride + x
            if (node := int(self.arrays.slots[cell_number])) < len(self):
                g, number, steps, code, closed = self.arrays.records[node].item()
                if number == cell_number:
                    return g, steps, code, closed
        raise KeyError(cell)

    def __getitem__(self, cell: Any) -> Any:
        g, steps, code, _ = self.record(cell)
        if code == START:
            return 0, None, None
        return g, (cell[0] - steps * int(AHEAD_X[code]), cell[1] - steps * int(AHEAD_Y[code])), NAMES[code]

    def __iter__(self) -> Iterator[Cell]:
        rows, columns = np.divmod(self.arrays.records["cell"][: len(self)], self.terrain.stride)
        return zip(columns.tolist(), rows.tolist(), strict=True)

    def __len__(self) -> int:
        return int(self.counters[control.NODES])

    def path_to(self, state: Any) -> Trail:
        """Return the path to a jump point, step by step. Raises `KeyError` if it was not reached."""
        self.record(state)
        space, (x, y), stride = self.arrays, state, self.terrain.stride
        codes = np.empty(0, np.uint8)
        while (steps := int(_trace(space.slots, space.records, y * stride + x, stride, codes))) > len(codes):
            codes = np.empty(steps, np.uint8)
        xs, ys = (np.append(0, ahead[codes].cumsum()) for ahead in (AHEAD_X, AHEAD_Y))
        xs, ys = xs + (x - xs[-1]), ys + (y - ys[-1])
        states = tuple(zip(xs.tolist(), ys.tolist(), strict=True))
        actions = tuple(NAMES[codes].tolist())
        return Trail(states, actions, [LENGTHS[action] for action in actions])


class Closed(Set[Cell]):
    """The jump points that are expanded."""

    def __init__(self, arrivals: Any):
        self.arrivals = arrivals

    def __contains__(self, cell: object) -> bool:
        return cell in self.arrivals and bool(self.arrivals.record(cell)[3])

    def __iter__(self) -> Iterator[Cell]:
        return (cell for cell in self.arrivals if cell in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
