"""Jump point search as machine code: same path and same counters as `searchkit_dungeon.jps`, tie for tie."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiling import compiled_function, kernel
from searchkit.errors import MissingCapabilityError
from searchkit_dungeon.estimate import SLANT, rectangles
from searchkit_dungeon.grid import Grid
from searchkit_dungeon.jps import begin
from searchkit_dungeon.jumping import DIAGONAL, STRAIGHT
from searchkit_dungeon.moves import LENGTHS, OFFSETS, Cell

NAMES = tuple(OFFSETS)
START = 8
"""The direction in which a start is reached; the others are places in `NAMES`."""
GENERATED, EXPANDED, REOPENED, PEAK, SIZE, REACHED, HEAD = range(7)
"""Places in the array of counters."""
WORKED, FOUND, EXHAUSTED, FULL = range(4)
"""Why a slice ended."""
MOST = 8
"""The most jump points that an expansion adds."""
FIRST_ROOM = 1 << 12


class Map(NamedTuple):
    """A grid and the tables of its directions."""

    weights: Any
    goals: Any
    """uint8 each, by cell, with a row of walls before the first."""
    offsets: Any
    lengths: Any
    near: Any
    """8 × 4: of a straight direction two across, each with the diagonal between; of a diagonal its two parts, and the
    directions that obstacles behind it force."""
    cut: Any
    sides: Any
    stride: Any


class Found(NamedTuple):
    """What is known of each cell."""

    costs: Any
    """float64, infinite where it is not reached."""
    directions: Any
    """uint8: the last step of the way there."""
    closed: Any
    """float64: the cost at which it was expanded, infinite where it was not."""


class Heap(NamedTuple):
    """The frontier: least f, then largest g, then the last one made."""

    f: Any
    back: Any
    turn: Any
    node: Any
    """The cell, times 16, and the direction."""


@compiled_function
def _before(heap: Any, one: Any, f: Any, back: Any, turn: Any) -> Any:
    """Whether an entry of the heap comes before another."""
    if heap.f[one] != f:
        return heap.f[one] < f
    if heap.back[one] != back:
        return heap.back[one] < back
    return heap.turn[one] < turn


@compiled_function
def _put(heap: Any, place: Any, f: Any, back: Any, turn: Any, node: Any) -> None:
    heap.f[place], heap.back[place], heap.turn[place], heap.node[place] = f, back, turn, node


@compiled_function
def _push(heap: Any, size: Any, f: Any, back: Any, turn: Any, node: Any) -> None:
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if _before(heap, above, f, back, turn):
            break
        _put(heap, place, heap.f[above], heap.back[above], heap.turn[above], heap.node[above])
        place = above
    _put(heap, place, f, back, turn, node)


@compiled_function
def _pop(heap: Any, size: Any) -> Any:
    left = size - 1
    f, back, turn, node = heap.f[left], heap.back[left], heap.turn[left], heap.node[left]
    place = 0
    while True:
        child = 2 * place + 1
        if child >= left:
            break
        other = child + 1
        if other < left and _before(heap, other, heap.f[child], heap.back[child], heap.turn[child]):
            child = other
        if not _before(heap, child, f, back, turn):
            break
        _put(heap, place, heap.f[child], heap.back[child], heap.turn[child], heap.node[child])
        place = child
    _put(heap, place, f, back, turn, node)
    return left


@compiled_function
def _straight(ground: Any, here: Any, direction: Any) -> Any:
    """Return after how many steps in a straight direction there is a jump point; 0 where there is none."""
    weights, ahead = ground.weights, ground.offsets[direction]
    one, other = ground.offsets[ground.near[direction, 0]], ground.offsets[ground.near[direction, 2]]
    closed = 0 if ground.cut else -ahead
    opened = closed + ahead
    steps = 0
    while True:
        here += ahead
        if weights[here] == 0:
            return 0
        steps += 1
        if (
            ground.goals[here] != 0
            or (weights[here + one + closed] == 0 and weights[here + one + opened] != 0)
            or (weights[here + other + closed] == 0 and weights[here + other + opened] != 0)
        ):
            return steps


@compiled_function
def _diagonal(ground: Any, here: Any, direction: Any) -> Any:
    weights, cut = ground.weights, ground.cut
    across, along = ground.near[direction, 0], ground.near[direction, 1]
    ox, oy = ground.offsets[across], ground.offsets[along]
    steps = 0
    while True:
        if weights[here + ox + oy] == 0 or not (cut or (weights[here + ox] != 0 and weights[here + oy] != 0)):
            return 0
        here += ox + oy
        steps += 1
        if (
            ground.goals[here] != 0
            or (cut and weights[here - ox] == 0 and weights[here - ox + oy] != 0)
            or (cut and weights[here - oy] == 0 and weights[here - oy + ox] != 0)
            or _straight(ground, here, across) != 0
            or _straight(ground, here, along) != 0
        ):
            return steps


@compiled_function
def _onward(ground: Any, here: Any, direction: Any, out: Any) -> Any:
    """Write the directions of the natural and the forced neighbours; return how many there are."""
    if direction == START:
        for each in range(8):
            out[each] = each
        return 8
    weights, offsets, near = ground.weights, ground.offsets, ground.near
    out[0] = direction
    count = 1
    if direction < 4:
        ahead = offsets[direction]
        for side in range(0, 4, 2):
            beside = here + offsets[near[direction, side]]
            if ground.cut:
                if weights[beside] == 0 and weights[beside + ahead] != 0:
                    out[count] = near[direction, side + 1]
                    count += 1
            elif weights[beside - ahead] == 0 and weights[beside] != 0:
                out[count], out[count + 1] = near[direction, side], near[direction, side + 1]
                count += 2
        return count
    out[1], out[2] = near[direction, 0], near[direction, 1]
    count = 3
    if ground.cut:
        ox, oy = offsets[near[direction, 0]], offsets[near[direction, 1]]
        if weights[here - ox] == 0 and weights[here - ox + oy] != 0:
            out[count] = near[direction, 2]
            count += 1
        if weights[here - oy] == 0 and weights[here - oy + ox] != 0:
            out[count] = near[direction, 3]
            count += 1
    return count


@compiled_function
def _enter(ground: Any, found: Any, here: Any, direction: Any, steps: Any, counters: Any) -> Any:
    """Enter the cells of a run; return whether none of them can be reached more cheaply, as far as is known."""
    g = found.costs[here]
    for _ in range(steps):
        here += ground.offsets[direction]
        g += ground.lengths[direction]
        known = found.costs[here]
        if g < known:
            counters[REACHED] += known == inf
            found.costs[here], found.directions[here] = g, direction
        elif known < g:
            return False
    return True


@compiled_function
def _estimate(ground: Any, here: Any) -> Any:
    """Return the octile distance to the nearest goal."""
    row = here // ground.stride
    x, y = here - row * ground.stride, row - 1
    least = inf
    for number in range(ground.sides.shape[0]):
        left, right, top, bottom = ground.sides[number]
        across = max(left - x, x - right, 0)
        down = max(top - y, y - bottom, 0)
        least = min(least, across + SLANT * down if across > down else down + SLANT * across)
    return least if ground.sides.shape[0] else 0.0


@kernel
def _search(ground: Any, found: Any, heap: Any, out: Any, counters: Any, least: Any, expansions: Any) -> Any:
    """Expand up to `expansions` jump points, and stop at the one to be expanded next; return why the slice ended."""
    size, expanded = counters[SIZE], 0
    why = EXHAUSTED
    while size > 0:
        here, direction = heap.node[0] >> 4, heap.node[0] & 15
        g = -heap.back[0]
        if g > found.costs[here] or found.closed[here] <= g:
            size = _pop(heap, size)
            continue
        least[0] = heap.f[0]
        counters[HEAD] = here
        if ground.goals[here] != 0:
            why = FOUND
            break
        counters[PEAK] = max(counters[PEAK], size)
        if expanded == expansions:
            why = WORKED
            break
        if size + MOST > heap.f.size:
            why = FULL
            break
        size = _pop(heap, size)
        for number in range(_onward(ground, here, direction, out)):
            onward = out[number]
            steps = _straight(ground, here, onward) if onward < 4 else _diagonal(ground, here, onward)
            if steps == 0:
                continue
            counters[GENERATED] += 1
            end = here + steps * ground.offsets[onward]
            end_g = g + steps * ground.lengths[onward]
            if found.closed[end] <= end_g or not _enter(ground, found, here, onward, steps, counters):
                continue
            if found.closed[end] < inf:
                found.closed[end] = inf
                counters[REOPENED] += 1
            _push(heap, size, end_g + _estimate(ground, end), -end_g, -counters[GENERATED], end << 4 | onward)
            size += 1
        found.closed[here] = g
        expanded += 1
    counters[SIZE], counters[EXPANDED] = size, expanded
    return why


class JumpPointSearch:
    """`jps`, compiled. Begins from the problem's starts, or goes on from the tree of the engine in Python.

    Raises `MissingCapabilityError` for a grid with a heuristic of its own.
    """

    def __init__(self, problem: Any, tree: Any):
        if getattr(type(problem), "heuristic", None) is not Grid.heuristic:
            raise MissingCapabilityError(
                f"the heuristic of {type(problem).__name__} has no compiled form; use backend='python'"
            )
        jumps = problem.jump_map()
        self.tree, self.cells = tree, problem.terrain.cells
        self.stride: int = jumps.stride
        weights = np.concatenate([np.zeros(self.stride, np.uint8), np.frombuffer(jumps.weights, np.uint8)])
        goals = np.zeros(len(weights), np.uint8)
        goals[[self.number(goal) for goal in problem.goals]] = 1
        self.ground = Map(
            np.concatenate([weights, np.zeros(self.stride, np.uint8)]),
            goals,
            np.array([dy * self.stride + dx for dx, dy in OFFSETS.values()]),
            np.array([LENGTHS[name] for name in NAMES], np.float64),
            _near(),
            jumps.cut,
            np.array(rectangles(problem.goals), np.int64).reshape(-1, 4),
            self.stride,
        )
        self.found = Found(
            np.full(len(weights), inf), np.zeros(len(weights), np.uint8), np.full(len(weights), inf)
        )
        self.out, self.counters, self.least = np.empty(MOST, np.int64), np.zeros(7, np.int64), np.zeros(1)
        self.ended = False
        self.heap: Any
        if tree.frontier is None:
            begin(problem, tree)
        self._adopt()
        tree.reached, tree.closed, tree.frontier = Reached(self), Closed(self), self.heap

    def number(self, cell: Cell) -> int:
        """Return the number of a cell: the map begins after a row of walls."""
        return (cell[1] + 1) * self.stride + cell[0]

    def cell(self, number: int) -> Cell:
        """Return the cell of a number."""
        cell: Cell = self.cells[number - self.stride]
        return cell

    @property
    def state(self) -> Cell:
        """The cell to be expanded next."""
        return self.cell(int(self.counters[HEAD]))

    def advance(self, most: int) -> int:
        """Expand up to `most` cells and stop before the next one, or at the end; return how many were expanded."""
        done, tree, counters = 0, self.tree, self.counters
        while not self.ended:
            why = _search(self.ground, self.found, self.heap, self.out, counters, self.least, most - done)
            done += int(counters[EXPANDED])
            tree.generated, tree.reopened = int(counters[GENERATED]), int(counters[REOPENED])
            tree.peak_frontier, tree.lower_bound = int(counters[PEAK]), float(self.least[0])
            if why == WORKED:
                break
            if why == FULL:
                self.heap = Heap(*(np.concatenate([array, np.empty_like(array)]) for array in self.heap))
            else:
                self.ended = True
                if why == FOUND:
                    tree.finish(self.state)
        return done

    def _adopt(self) -> None:
        tree, found, counters = self.tree, self.found, self.counters
        codes = {name: code for code, name in enumerate(NAMES)}
        for cell, (g, _, action) in tree.reached.items():
            found.costs[self.number(cell)] = g
            found.directions[self.number(cell)] = codes.get(action, START)
        for cell, g in tree.closed.items():
            found.closed[self.number(cell)] = g
        entries = sorted(tree.frontier)
        room = max(FIRST_ROOM, 2 * len(entries))
        self.heap = Heap(np.empty(room), np.empty(room), np.empty(room, np.int64), np.empty(room, np.int64))
        for place, (f, back, turn, cell, name) in enumerate(entries):  # what is sorted is a heap
            self.heap.f[place], self.heap.back[place], self.heap.turn[place] = f, back, turn
            self.heap.node[place] = self.number(cell) << 4 | codes.get(name, START)
        counters[SIZE], counters[REACHED] = len(entries), len(tree.reached)
        counters[GENERATED], counters[PEAK] = tree.generated, tree.peak_frontier
        counters[REOPENED] = tree.reopened


class Reached(Mapping[Any, Any]):
    """Cell → its best arrival, read from the arrays."""

    def __init__(self, run: JumpPointSearch):
        self.run = run

    def __getitem__(self, cell: Any) -> Any:
        number = _number(self.run, cell)
        g = float(self.run.found.costs[number])
        if g == inf:
            raise KeyError(cell)
        direction = int(self.run.found.directions[number])
        if direction == START:
            return 0, None, None
        dx, dy = OFFSETS[NAMES[direction]]
        return g, (cell[0] - dx, cell[1] - dy), NAMES[direction]

    def __iter__(self) -> Iterator[Any]:
        return map(self.run.cell, np.flatnonzero(self.run.found.costs < inf).tolist())

    def __len__(self) -> int:
        return int(self.run.counters[REACHED])


class Closed(Mapping[Any, float]):
    """Expanded cell → the cost at which it was expanded."""

    def __init__(self, run: JumpPointSearch):
        self.run = run

    def __getitem__(self, cell: Any) -> float:
        g = float(self.run.found.closed[_number(self.run, cell)])
        if g == inf:
            raise KeyError(cell)
        return g

    def __iter__(self) -> Iterator[Any]:
        return map(self.run.cell, np.flatnonzero(self.run.found.closed < inf).tolist())

    def __len__(self) -> int:
        return int((self.run.found.closed < inf).sum())


def _number(run: JumpPointSearch, cell: Any) -> int:
    """Return the number of a cell of the map. Raises `KeyError` for what is none."""
    try:
        number: int = run.number(cell)
        if number >= run.stride and run.cell(number) == cell:
            return number
    except (TypeError, ValueError, LookupError):
        pass
    raise KeyError(cell)


def _near() -> Any:
    """Return the table `Map.near`."""
    code = {offset: NAMES.index(name) for name, offset in OFFSETS.items()}
    table = np.zeros((8, 4), np.int64)
    for name in STRAIGHT:
        dx, dy = OFFSETS[name]
        sides = (dy, dx), (-dy, -dx)
        table[NAMES.index(name)] = [
            code[offset] for side in sides for offset in (side, (side[0] + dx, side[1] + dy))
        ]
    for name in DIAGONAL:
        dx, dy = OFFSETS[name]
        table[NAMES.index(name)] = [code[dx, 0], code[0, dy], code[-dx, dy], code[dx, -dy]]
    return table
