"""Whole problems as students write them: a search by machine code and one in Python agree in everything."""

from array import array
from collections import Counter, deque
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest

from searchkit import Limits, solve
from searchkit.translate.emitter import FUEL
from searchkit.translate.profile import Sample
from searchkit.translate.values import TranslationError
from tests.translate.trial import translate


class Place(NamedTuple):
    """Where a turtle is."""

    x: int
    y: int


class Flood:
    """Recursion whose depth depends on the state: the lamps that are connected with one of them."""

    def initial_states(self):
        return [(0, 0, 0b0100_1011_0011_1010)]

    def is_goal(self, state):
        return state[0] == 30

    def connected(self, lamps, place, seen):
        if place < 0 or place >= 16 or not lamps >> place & 1 or seen[place]:
            return 0
        seen[place] = True
        total = 1
        if place % 4:
            total += self.connected(lamps, place - 1, seen)
        if place % 4 < 3:
            total += self.connected(lamps, place + 1, seen)
        return total + self.connected(lamps, place - 4, seen) + self.connected(lamps, place + 4, seen)

    def successors(self, state):
        for i in range(4):
            lamps = (state[2] ^ 0b10011 << i * 3) & 0xFFFF
            yield i, (state[0] + 1, self.connected(lamps, i * 5, [False] * 16), lamps)


class FloodIt:
    """A function within a function calls itself and changes a list of the function around it."""

    def initial_states(self):
        return ["rgbyyrgbgbryrryg"]

    def is_goal(self, state):
        return len(set(state)) == 1

    def flooded(self, state, color):
        old, board = state[0], list(state)

        def fill(row, column):
            if not (0 <= row < 4 and 0 <= column < 4) or board[row * 4 + column] != old:
                return
            board[row * 4 + column] = color
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                fill(row + down, column + right)

        fill(0, 0)
        return "".join(board)

    def successors(self, state):
        return [(color, self.flooded(state, color)) for color in "rgby" if color != state[0]]

    def heuristic(self, state):
        return len(set(state)) - 1


class Numbers:
    """Mutual recursion, recursion with two calls, a tuple as the result, a default argument."""

    def initial_states(self):
        return [(1, 2)]

    def is_goal(self, state):
        return state[0] > 30

    def gcd(self, a, b, depth=0):
        if b == 0:
            return a, depth
        return self.gcd(b, a % b, depth + 1)

    def fibonacci(self, n):
        return n if n < 2 else self.fibonacci(n - 1) + self.fibonacci(n - 2)

    def successors(self, state):
        a, b = state
        divisor, depth = self.gcd(a + 20, b + 8)
        yield "divisor", (a + 1, (b + divisor + depth) % 97)
        yield "rabbits", (a + 2, (b + self.fibonacci(b % 14)) % 97)

    def heuristic(self, state):
        def even(n):
            return True if n == 0 else odd(n - 1)

        def odd(n):
            return False if n == 0 else even(n - 1)

        return 1 if even(state[1]) and state[0] < 31 else 0


class Connected:
    """Union-find: choose edges until all nodes are connected."""

    EDGES = ((0, 1, 4), (1, 2, 8), (2, 3, 7), (3, 4, 9), (4, 0, 10), (1, 4, 2))

    def initial_states(self):
        return [0]

    def find(self, parent, node):
        if parent[node] != node:
            parent[node] = self.find(parent, parent[node])
        return parent[node]

    def is_goal(self, state):
        parent = list(range(5))
        for i, (a, b, _) in enumerate(self.EDGES):
            if state & (1 << i):
                parent[self.find(parent, a)] = self.find(parent, b)
        return len({self.find(parent, node) for node in range(5)}) == 1

    def successors(self, state):
        return [(i, state | 1 << i) for i in range(len(self.EDGES)) if not state & 1 << i]

    def cost(self, state, action, successor):
        return self.EDGES[action][2]


class Inherited(Connected):
    """Methods that call those of a base class, and one that keeps what it has calculated."""

    @lru_cache(maxsize=None)  # noqa: B019, UP033  # as students write it
    def price(self, action):
        return self.EDGES[action][2] + 1

    def successors(self, state):
        yield from super().successors(state)

    def cost(self, state, action, successor):
        return super().cost(state, action, successor) + self.price(action)


class Literals:
    """Sets and dicts that are written as constants and changed afterwards; frozensets that are not."""

    def initial_states(self):
        return [(1, 2, 0)]

    def is_goal(self, state):
        return state[2] == 12

    def increase(self, counts):
        counts["odd"] += 1

    def successors(self, state):
        counts = {"odd": 0, "even": 0}
        seen, grown = {1, 2}, frozenset({7})
        before = grown
        for number in state:
            counts["odd" if number % 2 else "even"] += 1
            seen.add(number)
            grown |= {number}
            self.increase(counts)
        more = {3, 4}
        more |= seen
        yield 1, ((state[0] + counts["odd"]) % 10, (state[1] + len(seen)) % 10, state[2] + 1)
        yield 2, ((state[0] + len(before)) % 10, (state[1] + len(grown) + len(more)) % 10, state[2] + 1)


class Rotation:
    """A deque that is rotated, bytes that are changed in a bytearray, `[0] * n`."""

    def initial_states(self):
        return [bytes([3, 1, 4, 2, 0])]

    def is_goal(self, state):
        return list(state) == sorted(state)

    def successors(self, state):
        ring = deque(state)
        ring.rotate(2)
        yield "right", bytes(ring)
        ring.rotate(-3)
        yield "left", bytes(ring)
        board, marks = bytearray(state), [0] * 5
        board[0], board[1] = board[1], board[0]
        marks[board[0]] += 1
        yield "swap", bytes(board) if marks[0] == 0 else state


class Inventory:
    """A Counter made of a dict: subtract, update, unary plus."""

    RECIPES = (("plank", {"wood": 1}, {"plank": 4}), ("axe", {"plank": 3, "wood": 1}, {"axe": 1}))

    def initial_states(self):
        return [(("wood", 0),)]

    def is_goal(self, state):
        return dict(state).get("axe", 0) >= 1

    def successors(self, state):
        bag = Counter(dict(state))
        if bag["wood"] < 3:
            more = bag.copy()
            more["wood"] += 1
            yield "chop", tuple(sorted(more.items()))
        for name, needs, makes in self.RECIPES:
            if all(bag[key] >= count for key, count in needs.items()):
                made = Counter(bag)
                made.subtract(needs)
                made.update(makes)
                made = +made
                if max(made.values(), default=0) <= 8:
                    yield name, tuple(sorted(made.items()))


class Robot:
    """A cached method, an optional number, a walrus in a test, lists that are returned in several places."""

    FUEL = {(2, 0): 6, (3, 3): 5}  # noqa: RUF012

    def initial_states(self):
        return [(0, 0, 4)]

    def is_goal(self, state):
        return state[:2] == (3, 3)

    @cache  # noqa: B019
    def distance(self, x, y):
        return abs(3 - x) + abs(3 - y)

    def steps(self, x, y):
        if (x, y) == (1, 1):
            return []
        if (x, y) == (2, 1):
            found = [(2, 0)]
            found.append((2, 2))
            return found
        return [
            (x + i, y + j) for i, j in ((1, 0), (0, 1), (-1, 0), (0, -1)) if 0 <= x + i <= 3 >= y + j >= 0
        ]

    def successors(self, state):
        x, y, fuel = state
        if fuel > 0:
            for to in self.steps(x, y):
                yield to, (*to, fuel - 1)
        if (gas := self.FUEL.get((x, y))) is not None and fuel < gas:
            yield "fill", (x, y, gas)

    def heuristic(self, state):
        return self.distance(state[0], state[1])


class Stars:
    """Stars with a number of arguments that depends on the state, slices as objects, `range.index`, arrays."""

    SETS = (frozenset({1, 2}), frozenset({3}), frozenset({2, 5}))
    HALF, NUMBERS, ODD = slice(1, 3), array("i", [4, 2, 7, 1]), range(1, 12, 2)

    def initial_states(self):
        return [(0, 1, 2)]

    def is_goal(self, state):
        return len(state) == 7

    def successors(self, state):
        union = set().union(*[self.SETS[number % 3] for number in state])
        most = max(*[number + 1 for number in state]) + self.NUMBERS.count(state[0])
        begin = state[0] % 3
        yield "sum", (*state[self.HALF], sum(union) % 5, state[0])
        yield "grow", (*state, most % 4) if len(state) < 7 else state
        yield "odd", (*state[1:], self.ODD.index(2 * state[0] + 1) + sum(self.NUMBERS[begin : begin + 2]) % 3)


class Roads:
    """Dicts of dicts whose outer key depends on the state, bound methods of dicts."""

    NODES = tuple((x, y) for x in range(7) for y in range(5))

    def __init__(self):
        self.roads = {
            (x, y): {((x * k + 1) % 7, (y + k) % 5): x + y + k for k in range(1, 4)} for x, y in self.NODES
        }

    def initial_states(self):
        return [(0, 0)]

    def is_goal(self, state):
        return state == (5, 4)

    def successors(self, state):
        return [(node, node) for node in self.roads[state]]

    def cost(self, state, action, successor):
        way = self.roads[state]
        return way[successor] + way.get((3, successor[1]), 1) + ((successor[0], 2) in way)

    def heuristic(self, state):
        return min(map(self.roads[state].__getitem__, self.roads[state])) if state != (5, 4) else 0


class Turtle:
    """`match` with stars, class patterns and guards; iterators of itertools."""

    PROGRAM = ("go 1", "turn", "go 2", "jump 1 2", "rest")

    def initial_states(self):
        return [Place(0, 0)]

    def is_goal(self, state):
        return state == Place(5, 4)

    def moved(self, place, line):
        match line.split():
            case ["go", far]:
                return Place(place.x + int(far), place.y)
            case ["jump", *far]:
                return Place(place.x + len(far), place.y + 1)
            case [_]:
                pass
        match place:
            case Place(x=0):
                return Place(1, place.y)
            case Place(x, y) if y > 2:
                return Place(y, x)
            case Place():
                return Place(place.x, place.y + 1)

    def successors(self, state):
        for line in self.PROGRAM:
            place = self.moved(state, line)
            if max(place) < 7:
                yield line, place

    def heuristic(self, state):
        digits = [state.x, state.y]
        pairs = sum(a < b for a, b in combinations(digits, 2))
        return sum(a > b for a, b in zip(digits, (9, 9, 9), strict=False)) + 0 * pairs


class Maze:
    """Positions that are complex numbers; a start whose direction is an integer."""

    WALLS = frozenset({1 + 1j, 2 + 1j, 2 + 2j, 4 + 3j})

    def initial_states(self):
        return [(0j, 1)]

    def is_goal(self, state):
        return state[0] == 4 + 4j

    def successors(self, state):
        place, ahead = state
        after = place + ahead
        if after not in self.WALLS and 0 <= after.real < 5 and 0 <= after.imag < 5:
            yield "ahead", (after, ahead)
        yield "left", (place, ahead * -1j)
        yield "right", (place, ahead * 1j)

    def cost(self, state, action, successor):
        return 1 if action == "ahead" else 3

    def heuristic(self, state):
        rest = 4 + 4j - state[0]
        return abs(int(rest.real)) + abs(int(rest.imag))


class Lot:
    """Cars and free places, None, change places in a list."""

    def initial_states(self):
        return [(1, None, 2, 3, None)]

    def is_goal(self, state):
        return state[0] is None and state[-1] == 1

    def successors(self, state):
        for i, car in enumerate(state):
            if car is None:
                continue
            for k in (i - 1, i + 1, i + 2):
                if 0 <= k < len(state) and state[k] is None:
                    lot = list(state)
                    lot[i], lot[k] = None, car
                    yield (car, k - i), tuple(lot)


class Rows:
    """A board as a text, which is split into rows and cells, and joined again."""

    def initial_states(self):
        return ["3-1\n0-2"]

    def is_goal(self, state):
        return state == "1-2\n3-0"

    def successors(self, state):
        rows = [row.split("-") for row in state.split("\n")]
        r, c = next((r, c) for r in range(2) for c in range(2) if rows[r][c] == "0")
        for x, y in ((1 - r, c), (r, 1 - c)):
            moved = [list(row) for row in rows]
            moved[r][c], moved[x][y] = moved[x][y], moved[r][c]
            yield ",".join([rows[x][y], "0"]), "\n".join(["-".join(row) for row in moved])

    def heuristic(self, state):
        return sum(a != b for a, b in zip(state, "1-2\n3-0", strict=True)) / 2


class Bits:
    """The start takes 64 bits that are all ones, which kernels take for no state."""

    def initial_states(self):
        return [frozenset(range(64))]

    def is_goal(self, state):
        return len(state) == 58

    def successors(self, state):
        for number in sorted(state)[:2]:
            yield number, state - {number}


PROBLEMS = [
    (Bits, "bfs"),
    (Rows, "astar"),
    (Maze, "astar"),
    (Lot, "bfs"),
    (Stars, "bfs"),
    (Turtle, "astar"),
    (Roads, "astar"),
    (Flood, "bfs"),
    (FloodIt, "astar"),
    (Numbers, "astar"),
    (Connected, "dijkstra"),
    (Inherited, "dijkstra"),
    (Literals, "bfs"),
    (Rotation, "bfs"),
    (Inventory, "bfs"),
    (Robot, "astar"),
]


def outcome(problem, engine, backend):
    """Return everything that both forms of a search must agree in."""
    result = solve(problem, engine, backend=backend, limits=Limits(expansions=20_000))
    counts = result.statistics
    return (
        result.status,
        result.cost,
        result.solution and (result.solution.states, result.solution.actions),
        (counts.expanded, counts.generated, counts.reached),
    )


@pytest.mark.parametrize(("make", "engine"), PROBLEMS, ids=lambda each: getattr(each, "__name__", each))
def test_both_forms_agree(make, engine):
    """Status, cost, path and counters of a search are those of Python."""
    view = translate(make(), seconds=20).view()
    translated = type(make.__name__, (make,), {"compiled": lambda self: view})()
    assert outcome(translated, engine, "compiled") == outcome(make(), engine, "python")


class Deep:
    """Recursion that is deeper than the stack of machine code allows, for states far from the start."""

    def initial_states(self):
        return [1]

    def is_goal(self, state):
        return state >= 10**7

    def down(self, n):
        return 0 if n <= 0 else 1 + self.down(n - 1)

    def successors(self, state):
        yield "double", state * 2
        yield "down", min(state, self.down(state))


def test_too_deep_a_recursion_stops_machine_code():
    """It sets the flag; nothing crashes."""
    problem = Deep()
    sample_states = [2**n for n in range(9)]
    made = translate(problem, Sample([*sample_states, 10**7], 2), seconds=20)
    words = np.array([made.layout.pack(10**6)], np.uint64)
    out, costs, value, goal = np.zeros(64, np.uint64), np.zeros(64), np.zeros(1), np.zeros(1, np.int64)
    made.machine.check(words.ctypes.data, 1, *(array.ctypes.data for array in (out, costs, goal, value)), 1)
    assert made.machine.failure[0] % 8 == FUEL


class Tagged:
    """A part of it does not count when two are compared."""

    def __init__(self, number, tag):
        self.number = number
        self.tag = tag

    def __eq__(self, other):
        return self.number == other.number

    def __hash__(self):
        return hash(self.number)


@dataclass(frozen=True)
class Noted:
    """The same, said by a dataclass."""

    number: int
    tag: int = field(compare=False)


class Tags:
    """Equal states have different tags."""

    state = Tagged

    def initial_states(self):
        return [self.state(0, 0)]

    def is_goal(self, state):
        return state.number == 30

    def successors(self, state):
        for step in (1, 2):
            yield step, self.state(state.number + step, (state.tag + step * state.number) % 7)


class Notes(Tags):
    """Equal states have different notes."""

    state = Noted


@pytest.mark.parametrize(
    ("make", "reason"), [(Tags, "compare every part"), (Notes, "Noted.tag is not compared")]
)
def test_equal_states_that_differ_are_refused(make, reason):
    """Machine code compares all parts of states; Python would take two of its states for one."""
    with pytest.raises(TranslationError, match=reason):
        translate(make(), seconds=20)


class Once(Flood):
    """An iterator that is used up bit by bit."""

    def successors(self, state):
        numbers = iter(state)
        first, second = next(numbers), next(numbers)
        yield "next", (first + 1, second, state[2])


def test_iterators_that_are_used_again_are_refused():
    """Iterators are not stored: a second use would begin again."""
    with pytest.raises(TranslationError, match="the iterator numbers is used more than once"):
        translate(Once(), seconds=20)
