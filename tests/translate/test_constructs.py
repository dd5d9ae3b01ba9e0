"""Each construct of the subset by itself, so that a failure names it: small functions for a list of states."""

# ruff: noqa: B905, C417, C420, D401, N806, RET503, RUF005, RUF007, RUF051, UP028 -- each construct is written as a student writes it

import math
from bisect import bisect, bisect_left, insort
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from functools import reduce
from heapq import heapify, heappop, heappush, nlargest, nsmallest
from itertools import (
    accumulate,
    chain,
    combinations,
    dropwhile,
    groupby,
    islice,
    pairwise,
    permutations,
    product,
    repeat,
    starmap,
    takewhile,
)
from typing import Any, NamedTuple

import pytest

from searchkit.translate.values import TranslationError
from tests.translate.trial import agree


class Colour(Enum):
    """A member of a finite set."""

    RED = 1
    BLUE = 2
    GREEN = 3


class Level(IntEnum):
    """Numbers with names."""

    LOW = 1
    HIGH = 5


class Pair(NamedTuple):
    """A named tuple."""

    a: int
    b: int

    def total(self) -> int:
        """Return the sum."""
        return self.a + self.b


@dataclass(frozen=True)
class Point:
    """A frozen dataclass."""

    x: int
    y: int = 2

    def __add__(self, other: "Point") -> "Point":
        return Point(self.x + other.x, self.y + other.y)

    @property
    def size(self) -> int:
        """Return the larger one."""
        return max(self.x, self.y)


TABLE = (3, -1, 4, 1, -5, 9, 2)
GRID = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
EDGES = {0: (1, 2), 1: (3,), 2: (0, 1, 3), 3: ()}
NEXT = {Colour.RED: Colour.BLUE, Colour.BLUE: Colour.GREEN, Colour.GREEN: Colour.RED}
INTS = [-7, -3, -2, -1, 0, 1, 2, 3, 5, 6, 8]
SMALL = [0, 1, 2, 3, 4, 5]
EDGE = [0, 1, -1, 2**31, 2**62, 2**63 - 1, -(2**63), -(2**62)]
ROWS = [(), (1,), (2, 1), (0, 3, 1), (3, 3, 0, 1), (2, 0, 2, 1, 0)]
FULL = [(3, 1, 2), (0, 0, 1), (2, 2, 2), (1, 3, 0)]
TEXTS = ["", "a", "ab", "ba", "abca", "ccb"]
BOARDS = ["".join(letters) for length in range(5) for letters in product("a -1", repeat=length)]
SETS = [frozenset(), frozenset({1}), frozenset({0, 3}), frozenset({1, 2, 3})]
PAIRS = [(a, b) for a in (-7, -1, 0, 1, 3, 8) for b in (-3, -2, -1, 0, 1, 2, 5)]
MAYBE = [None, 0, 1, 4]
CONSTRUCTS: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {}


def construct(name: str, states: list[Any], *functions: Callable[[Any], Any]) -> None:
    """Register functions that have a construct."""
    for number, function in enumerate(functions):
        CONSTRUCTS[f"{name} {number}" if len(functions) > 1 else name] = (function, states)


def for_states(states: list[Any]) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a function under its name."""

    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        CONSTRUCTS[function.__name__.replace("_", " ")] = (function, states)
        return function

    return register


construct("floor division", PAIRS, lambda s: s[0] // s[1])
construct("remainder", PAIRS, lambda s: s[0] % s[1])
construct(
    "floor division by a constant",
    INTS,
    lambda s: s // 3,
    lambda s: s // -3,
    lambda s: s // 4,
    lambda s: s // -1,
)
construct(
    "remainder by a constant", INTS, lambda s: s % 3, lambda s: s % -3, lambda s: s % 4, lambda s: s % -1
)
construct("divmod", PAIRS, lambda s: divmod(s[0], s[1])[0], lambda s: divmod(s[0], s[1])[1])
construct("division by zero", [-1, 0, 2], lambda s: 7 // s, lambda s: 7 % s)
construct("true division", [1, 2, 4, 0], lambda s: int(8 / s))
construct("shift", SMALL, lambda s: s << 3, lambda s: -9 >> s, lambda s: 1 << s)
construct("negative shift", [-1, 0, 1], lambda s: 1 << s, lambda s: 8 >> s)
construct("long shift", [0, 63, 64, 70, 200], lambda s: 5 >> s, lambda s: -5 >> s)
construct("bits", INTS, lambda s: s & 6, lambda s: s | 5, lambda s: s ^ -3, lambda s: ~s)
construct(
    "bit_count", INTS, lambda s: s.bit_count(), lambda s: s.bit_length(), lambda s: bin(abs(s)).count("1")
)
construct("power", SMALL, lambda s: s**3, lambda s: 2**s)
construct("wide sum", EDGE, lambda s: (s + s) // 2 > 9, lambda s: s * 3 > s, lambda s: -s > 0)
construct("wide products", EDGE, lambda s: s * 1_000 > 5, lambda s: (s - 1) * 7 > 2**64)
construct("wide comparison", EDGE, lambda s: s + 1 > s, lambda s: s - 1 < -(2**62), lambda s: abs(s) > 5)
construct("wide division", EDGE, lambda s: s // 3 % 1000, lambda s: s % 7, lambda s: s // -1 > 5)
construct("minimum", PAIRS, lambda s: min(s), lambda s: max(s[0], s[1], 2), lambda s: min(s[0], 3, key=abs))
construct(
    "max takes the first of equals", PAIRS, lambda s: max((s[0], 0), (s[1], 1), key=lambda p: p[0] % 2)[1]
)
construct(
    "min takes the first of equals", PAIRS, lambda s: min((s[0], 0), (s[1], 1), key=lambda p: p[0] % 2)[1]
)
construct(
    "max of a sequence",
    ROWS,
    lambda s: max(s, key=lambda v: v % 2),
    lambda s: min(s),
    lambda s: max(s, default=9),
)
construct(
    "max of constants",
    SMALL,
    lambda s: max(TABLE, key=lambda v: -v) + s,
    lambda s: min(TABLE, key=lambda v: v * s),
)
construct(
    "default of an empty max",
    SMALL,
    lambda s: max((v for v in TABLE if False), default=s),
    lambda s: min((), default=s),
    lambda s: max((v for v in TABLE if v > s * 9), default=7),
)
construct("sum", ROWS, lambda s: sum(s), lambda s: sum(v * v for v in s if v), lambda s: sum(s, 10))
construct("any", ROWS, lambda s: any(v > 2 for v in s), lambda s: all(s), lambda s: any(s))
construct(
    "any of constants", SMALL, lambda s: any(v == s for v in TABLE), lambda s: all(v != s for v in TABLE)
)
construct("comparison chain", INTS, lambda s: -2 < s <= 3, lambda s: 0 == s % 2 != s % 3)
construct("conditional expression", INTS, lambda s: s if s > 0 else -s, lambda s: 1 if s else 2)
construct("or gives a value", INTS, lambda s: s or 9, lambda s: s and 9, lambda s: (s % 2) or (s % 3) or 7)
construct("short circuit", INTS, lambda s: s != 0 and 6 // s > 1, lambda s: s == 0 or 6 % s == 0)
construct("identity of truth values", SMALL, lambda s: (s == 1) is True, lambda s: s is True)
construct(
    "None",
    MAYBE,
    lambda s: s is None,
    lambda s: 0 if s is None else s + 1,
    lambda s: s or 7,
    lambda s: s == 0,
)
construct("arithmetic with None", MAYBE, lambda s: s + 1)
construct("index", ROWS, lambda s: s[0], lambda s: s[-1], lambda s: s[2], lambda s: s[len(s) // 2])
construct("index of a constant", INTS, lambda s: TABLE[s], lambda s: GRID[s % 3][s % 2], lambda s: GRID[1][s])
construct("index by a state", PAIRS, lambda s: (5, 6, 7)[s[0]], lambda s: [s[0], s[1], 9][s[1]])
construct(
    "slice",
    ROWS,
    lambda s: s[1:],
    lambda s: s[:2],
    lambda s: s[:-1],
    lambda s: s[-2:],
    lambda s: s[1:3],
    lambda s: s[9:],
)
construct("slice with a step", ROWS, lambda s: s[::-1], lambda s: s[::2], lambda s: s[3:0:-1])
construct(
    "slice by a state",
    INTS,
    lambda s: TABLE[s:],
    lambda s: TABLE[:s],
    lambda s: TABLE[s : s + 2],
    lambda s: TABLE[s:3:-1],
)
construct(
    "slice from the end or the start", [-1, 0, 3, 6], lambda s: sum(TABLE[s:]), lambda s: sum(TABLE[:s])
)
construct("joined tuples", ROWS, lambda s: s + (1,), lambda s: (0, *s, 9), lambda s: s[1:] + s[:1])
construct("repeated tuple", SMALL, lambda s: (1, s) * 2, lambda s: (s,) * s, lambda s: (0,) * (s - 2))
construct(
    "tuple from a generator", ROWS, lambda s: tuple(v + 1 for v in s), lambda s: tuple(v for v in s if v % 2)
)
construct(
    "comparison of tuples",
    ROWS,
    lambda s: s < (2, 1),
    lambda s: s >= (2,),
    lambda s: s == (2, 1),
    lambda s: s != (),
)
construct("count", ROWS, lambda s: s.count(1), lambda s: s.index(1), lambda s: 3 in s, lambda s: 9 not in s)
construct("sorted", ROWS, lambda s: tuple(sorted(s)), lambda s: tuple(sorted(s, reverse=True)))
construct(
    "sorted is stable",
    ROWS,
    lambda s: tuple(sorted(s, key=lambda v: v % 2)),
    lambda s: tuple(sorted(s, key=lambda v: v // 2, reverse=True)),
)
construct(
    "sorted pairs",
    ROWS,
    lambda s: tuple(sorted((v % 2, -v) for v in s)),
    lambda s: tuple(sorted(enumerate(s), key=lambda p: p[1])),
)
construct("reversed", ROWS, lambda s: tuple(reversed(s)), lambda s: tuple(v for v in reversed(s)))
construct(
    "zip",
    ROWS,
    lambda s: tuple(a - b for a, b in zip(s, TABLE)),
    lambda s: sum(a * b for a, b in zip(s, s[1:])),
)
construct(
    "enumerate",
    ROWS,
    lambda s: sum(i * v for i, v in enumerate(s)),
    lambda s: tuple(i + v for i, v in enumerate(s, 2)),
)
construct("enumerate constants", SMALL, lambda s: sum(i * v for i, v in enumerate(TABLE, start=s)))
construct("pairwise", ROWS, lambda s: tuple(b - a for a, b in pairwise(s)))
construct(
    "combinations",
    FULL,
    lambda s: tuple(a * b for a, b in combinations(s, 2)),
    lambda s: sum(a < b for a, b in combinations(s, 2)),
)
construct(
    "permutations",
    FULL,
    lambda s: sum(a * 3 - b for a, b in permutations(s, 2)),
    lambda s: next(permutations(s)),
)
construct(
    "product",
    FULL,
    lambda s: tuple(a + b for a, b in product((0, 1), s)),
    lambda s: sum(a * b for a, b in product(s, repeat=2)),
)
construct(
    "other iterators",
    ROWS,
    lambda s: tuple(takewhile(lambda n: n < 3, s)) + tuple(dropwhile(lambda n: n < 3, s)),
    lambda s: tuple(islice(s, 1, None, 2)) + tuple(islice(s, 2)),
    lambda s: tuple(accumulate(s)) + tuple(accumulate(s, max, initial=2)),
    lambda s: sum(starmap(lambda a, b: a * b, enumerate(s))) + sum(repeat(3, len(s))),
    lambda s: sum(Counter(s).elements()),
    lambda s: sum(a * len(row) for row in product(*[list(range(n)) for n in s[:3]]) for a in row),
)
construct("chain", ROWS, lambda s: tuple(chain(s, (7,))), lambda s: sum(chain.from_iterable((s, s))))
construct("reduce", ROWS, lambda s: reduce(lambda a, b: a * 2 + b, s, 1))
construct(
    "map and filter",
    ROWS,
    lambda s: tuple(map(lambda v: v + 1, s)),
    lambda s: tuple(filter(None, s)),
    lambda s: sum(map(abs, s)),
)
construct("next", ROWS, lambda s: next((v for v in s if v > 1), -1), lambda s: next(v for v in s if v > 1))
construct(
    "range",
    INTS,
    lambda s: sum(range(s)),
    lambda s: tuple(range(3, s, -1)),
    lambda s: tuple(range(0, 8, 3)),
    lambda s: len(range(s, 9, 2)),
)
construct(
    "texts",
    TEXTS,
    lambda s: len(s),
    lambda s: s + "a",
    lambda s: s[1:],
    lambda s: s[::-1],
    lambda s: "a" in s,
    lambda s: s == "ab",
)
construct(
    "methods of texts",
    TEXTS,
    lambda s: s.count("a"),
    lambda s: s.find("b"),
    lambda s: s.startswith("a"),
    lambda s: s.endswith("b"),
)
construct(
    "methods of boards",
    BOARDS,
    lambda s: s.strip(),
    lambda s: s.lstrip("a1"),
    lambda s: s.rstrip("a"),
    lambda s: "+".join(s.split()),
    lambda s: "+".join(s.split("-")),
    lambda s: s.replace("a", "bb", 1),
    lambda s: s.replace("a ", "-", 2),
    lambda s: s[:1] * len(s) + s * (s.count("a") - 1),
    lambda s: int("1" + s),
    lambda s: s.rfind("a ") + s.rindex("-"),
    lambda s: ",".join(letter * len(group) for letter, group in groupby(s)),
)


@dataclass(frozen=True)
class Purse:
    """It is true if there is something in it."""

    coins: int

    def __bool__(self) -> bool:
        return self.coins > 0


class Shelf:
    """An object with elements that is not a list."""

    def __getitem__(self, place: int) -> int:
        return (4, 2, 0)[place]


@dataclass(frozen=True)
class Priced:
    """Equal to another one whose price differs."""

    name: str
    price: int = field(compare=False)


SHELF, PRICED, EQUAL = Shelf(), [Priced("a", 1), Priced("a", 2), Priced("b", 3)], [[0], [0], [1]]
construct(
    "objects with methods of operators",
    PAIRS,
    lambda s: 1 if Purse(s[0]) else 0,
    lambda s: SHELF[s[0] % 3],
    lambda s: PRICED[s[0] % 3].price,
    lambda s: (PRICED[s[0] % 3] == PRICED[s[1] % 3], EQUAL[s[0] % 3] == EQUAL[s[1] % 3]),
    lambda s: (lambda n: (lambda m: m + n)(s[1]))(s[0]),
    lambda s: sorted([("b", s[0]), ("a", s[1]), ("b", s[1])], key=lambda pair: (pair[0], -pair[1]))[1][1],
)


@for_states(ROWS)
def a_list_that_becomes_an_iterator(s):
    """The list is read several times, and the iterator once."""
    numbers = [n for n in s if n > 0]
    total = len(numbers) + sum(numbers)
    numbers = filter(lambda n: n < total, numbers)
    return sum(2 * n for n in numbers if n != 2)


@for_states(ROWS)
def a_list_that_grows_by_addition(s):
    """And one that shrinks to its rest: each time it is another list."""
    rest, done = list(s) * 9, []
    while rest:
        done = [rest[0], *done] + [len(rest)]
        rest = rest[1:]
    return sum(number * place for place, number in enumerate(done))


@for_states(ROWS)
def a_pair_or_none_in_a_list(s):
    """None takes the place of a tuple."""
    pairs = [(n, n) for n in s]
    if pairs:
        pairs[0] = None
    return tuple(pairs)


@for_states(BOARDS)
def a_number_in_a_text(s):
    """Or None if it is not one."""
    try:
        return int(s)
    except ValueError:
        return None


construct(
    "texts from parts",
    TEXTS,
    lambda s: "".join(sorted(s)),
    lambda s: "".join(c for c in s if c != "a"),
    lambda s: s.replace("a", "b"),
)
construct(
    "order of texts",
    TEXTS,
    lambda s: s < "b",
    lambda s: max(s, default="z"),
    lambda s: ord(s[0]) - 97 if s else 0,
)
construct(
    "enum",
    list(Colour),
    lambda s: NEXT[s],
    lambda s: s is Colour.RED,
    lambda s: s.value,
    lambda s: s in (Colour.RED, Colour.BLUE),
)
construct("IntEnum", list(Level), lambda s: s + 1, lambda s: s > Level.LOW, lambda s: int(s))
construct(
    "named tuple",
    [Pair(1, 2), Pair(0, 5)],
    lambda s: s.a - s.b,
    lambda s: s._replace(a=7),
    lambda s: s.total(),
    lambda s: s == (1, 2),
    lambda s: Pair(*s[::-1]),
)
construct(
    "dataclass",
    [Point(1), Point(0, 5)],
    lambda s: s.x * s.y,
    lambda s: replace(s, x=s.y),
    lambda s: s + Point(1, 1),
    lambda s: s.size,
    lambda s: s == Point(1, 2),
)
construct(
    "frozenset",
    SETS,
    lambda s: len(s),
    lambda s: 1 in s,
    lambda s: s | {2},
    lambda s: s - {1},
    lambda s: s & {1, 3},
    lambda s: s ^ {1, 2},
)
construct(
    "comparison of sets",
    SETS,
    lambda s: s <= {1, 3},
    lambda s: s < {0, 1, 3},
    lambda s: s >= {1},
    lambda s: s == {0, 3},
    lambda s: s > {1},
    lambda s: s.isdisjoint({1}),
)
construct(
    "comparison with a set of the moment",
    SMALL,
    lambda s: {s, 3} <= {3, 4},
    lambda s: {s, 3} > {3},
    lambda s: frozenset(TABLE) >= {s, 3},
    lambda s: {s} == {3},
)
construct(
    "sum of a set",
    SETS,
    lambda s: sum(s),
    lambda s: max(s, default=0),
    lambda s: tuple(sorted(s)),
    lambda s: frozenset(v + 1 for v in s),
)
construct(
    "intersection with others",
    SETS,
    lambda s: s & {3, 5},
    lambda s: frozenset(v % 8 for v in s & {3, 7}),
    lambda s: s - {9},
)
construct("empty set in a state", [frozenset()], lambda s: s - {1}, lambda s: frozenset(s))
construct("float keys", SMALL, lambda s: {1.0: 5, 2: 6}.get(s, 0), lambda s: s in (1.0, 3.0))
construct(
    "constant dict",
    SMALL,
    lambda s: EDGES[s],
    lambda s: EDGES.get(s, (9,)),
    lambda s: s in EDGES,
    lambda s: len(EDGES[s % 4]),
)
construct(
    "cast",
    INTS,
    lambda s: bool(s),
    lambda s: int(s > 0),
    lambda s: int(s / 2),
    lambda s: round(s / 2),
    lambda s: float(s) > 1.5,
)
construct(
    "nested tuples",
    [((1, 2), (0, 3)), ((0, 0), (1, 1))],
    lambda s: s[0][1],
    lambda s: s[::-1],
    lambda s: tuple(sorted(s)),
    lambda s: tuple((b, a) for a, b in s),
)
construct(
    "lambda with a default",
    SMALL,
    lambda s: (lambda v, w=3: v * w + s)(2),
    lambda s: (lambda v, w=s: v - w)(5),
)


construct(
    "iterators of itertools",
    ROWS,
    lambda s: tuple(map(lambda a, b: a - b, s, s[1:])),
)
construct("a set among sets", INTS, lambda s: {s, 1} in ({1, 2}, {5, 1}), lambda s: {s} in [{3}, {2}])
construct(
    "parts of texts",
    TEXTS,
    lambda s: s.find("b", 1),
    lambda s: s.count("ab") + s.count("c"),
    lambda s: "bc" in s,
    lambda s: "".join(s[i : i + 2] for i in range(2)) == "abba",
)
construct("whole roots", [0, 1, 2, 3, 4, 24, 25, 26, 10**9], math.isqrt)
construct("a small difference of large numbers", SMALL, lambda s: (s + 2**63) - (3 * s + 2**63))
construct("common divisors", PAIRS, lambda s: math.gcd(s[0], s[1]))
construct("names of arguments", SMALL, lambda s: replace(Point(1, 2), x=s).x)
construct("a member by its name", SMALL, lambda s: Colour[("RED", "BLUE", "GREEN")[s % 3]])
construct(
    "a part that may be None",
    SMALL,
    lambda s: (s, None if s % 2 else (s, True)),
    lambda s: (s > 3 or None, s),
)
construct("index from a place on", ROWS, lambda s: s.index(2, 1) if 2 in s[1:] else -1)
construct("steps of slices", ROWS, lambda s: s[::-2] + s[4:0:-2] + s[1::3])
construct(
    "one of several affixes", TEXTS, lambda s: s.startswith(("b", "ab")), lambda s: s.endswith(("a", "zz"))
)
construct("reduce without a start", FULL, lambda s: reduce(lambda a, b: a * 2 + b, s))
construct("formatted texts", SMALL, lambda s: f"{s % 4}-{s % 2!r}" == "1-1", lambda s: len(f"{s % 12}"))


@for_states(INTS)
def augmented_assignment(s: int) -> int:
    """Each operator with =."""
    n = s
    n += 3
    n *= 2
    n -= 1
    n //= 3
    n %= 5
    n |= 8
    n ^= 3
    n &= 13
    n <<= 2
    return n >> 1


@for_states(FULL)
def unpacking(s: tuple[int, ...]) -> tuple[int, ...]:
    """Names in a tuple, in a nested one, with a star; a swap."""
    a, b, c = s
    a, b = b, a
    (d, e), f = (c, a), b
    first, *rest = s
    *_, last = s
    return a, b, d, e, f, first, last, *rest


@for_states(ROWS)
def unpacking_of_too_few(s: tuple[int, ...]) -> int:
    """Another number of parts is a ValueError."""
    a, b = s
    return a - b


@for_states(INTS)
def branches(s: int) -> int:
    """If, elif, else."""
    if s < -2:
        found = 1
    elif s == 0:
        found = 2
    elif s % 2:
        found = 3
    else:
        found = 4
    return found


@for_states(INTS)
def bound_in_one_branch(s: int) -> int:
    """A name that is not bound on each way."""
    if s > 0:
        found = s
    return found


@for_states(INTS)
def bound_later(s: int) -> int:
    """A name that the function binds is not the global one, even before it is bound."""
    if s > 3:
        s += len(NEXT) if s < 0 else 1
    else:
        return s
    try:
        found = TEXTS  # noqa: F823
    except UnboundLocalError:
        found = 5
    TEXTS = found
    return TEXTS + s


def several_exceptions(key: int) -> int:
    """Raise one of two exceptions for some keys."""
    return TABLE[EDGES[key][0] * 4]


@for_states(SMALL)
def exceptions_of_a_table(s: int) -> int:
    """Each key has its own."""
    try:
        return several_exceptions(s)
    except KeyError:
        return 50
    except IndexError:
        return 60


@for_states(INTS)
def early_returns(s: int) -> int:
    """A return in a loop within a loop."""
    for i in range(4):
        for j in range(4):
            if i * j == s:
                return i
    return -1


@for_states(ROWS)
def loop_with_else(s: tuple[int, ...]) -> int:
    """Break, continue and else."""
    total = 0
    for v in s:
        if v == 0:
            continue
        if v == 3:
            break
        total += v
    else:
        total += 100
    return total


@for_states(INTS)
def while_with_else(s: int) -> int:
    """A loop that counts down."""
    n, steps = abs(s), 0
    while n > 0:
        n -= 2
        steps += 1
        if steps == 4:
            break
    else:
        steps += 10
    return steps


@for_states(PAIRS)
def caught_exceptions(s: tuple[int, int]) -> int:
    """The first handler that fits."""
    try:
        found = TABLE[s[0] // s[1]]
    except ZeroDivisionError:
        found = 50
    except IndexError:
        found = 60
    else:
        found += 1
    return found


@for_states(PAIRS)
def nested_exceptions(s: tuple[int, int]) -> int:
    """An exception that the inner handler does not catch, and one that a handler raises."""
    total = 0
    try:
        total += 1
        try:
            total += EDGES[s[0]][0]
        except KeyError:
            total += TABLE[s[1] * 3]
        total += 10
    except (IndexError, ValueError):
        total += 100
    return total


@for_states(PAIRS)
def nested_exceptions_of_one_kind(s: tuple[int, int]) -> int:
    """The inner handler catches it."""
    total = 0
    try:
        try:
            total += s[0] // s[1]
        except ZeroDivisionError:
            total += 30
    except ZeroDivisionError:
        total += 60
    return total


@for_states(PAIRS)
def exception_in_a_helper(s: tuple[int, int]) -> int:
    """An exception passes through a function."""

    def helper(a: int, b: int) -> int:
        return a % b

    try:
        return helper(*s)
    except ZeroDivisionError:
        return 99


@for_states(SMALL)
def raised_exception(s: int) -> int:
    """An exception of the program."""
    if s == 3:
        raise ValueError(s)
    assert s != 4
    return s


@for_states(INTS)
def matched_numbers(s: int) -> int:
    """Values, alternatives, guards."""
    match s:
        case 0:
            return 10
        case 1 | 2:
            return 20
        case n if n < 0:
            return -n
        case _:
            return 30


@for_states(ROWS)
def matched_tuples(s: tuple[int, ...]) -> int:
    """Tuples of several lengths."""
    match s:
        case ():
            return 1
        case (a,):
            return 2 + a
        case (2, b):
            return 10 + b
        case (a, 3, b):
            return 20 + a - b
    return 0


@for_states(ROWS)
def list_changes(s: tuple[int, ...]) -> tuple[int, ...]:
    """Append, insert, pop, remove, reverse, swap, slices."""
    found = list(s)
    found.append(4)
    found.insert(1, 7)
    found.insert(-1, 8)
    found.insert(99, 9)
    found[0], found[-1] = found[-1], found[0]
    found.pop(1)
    found.pop(-2)
    found.reverse()
    found += [5]
    found.extend(s[:1])
    found[1:2] = [6, 6]
    del found[0]
    if 3 in found:
        found.remove(3)
    return tuple(found)


@for_states(SMALL)
def slice_of_an_empty_list(s: int) -> int:
    """A new list, which may grow."""
    found = ([])[:4]
    found.insert(s, 5)
    copied = list(TABLE)[:]
    copied.append(s)
    return len(found) * 10 + copied[-1]


@for_states(SMALL)
def index_of_an_empty_tuple(s: int) -> int:
    """An IndexError."""
    try:
        return ((0, s) * 0)[s]
    except IndexError:
        return 5


@for_states(PAIRS)
def pop_at_an_index(s: tuple[int, int]) -> tuple[int, ...]:
    """Negative indices count from the end."""
    found = [4, 5, 6]
    found.pop(s[0])
    return tuple(found)


@for_states(PAIRS)
def change_at_an_index(s: tuple[int, int]) -> tuple[int, ...]:
    """An index beyond the end is an IndexError."""
    found = [4, 5, 6]
    found[s[1]] = s[0]
    return tuple(found)


@for_states(ROWS)
def lists_with_two_names(s: tuple[int, ...]) -> int:
    """A change is seen through the other name; not in a copy."""
    one = list(s)
    other, copied = one, one.copy()
    other.append(5)
    return len(one) * 10 + len(copied)


@for_states(PAIRS)
def list_of_lists(s: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    """A change of a row."""
    board = [list(row) for row in GRID]
    board[s[0] % 3][s[1] % 3] = s[1]
    board[0], board[2] = board[2], board[0]
    return tuple(map(tuple, board))


@for_states(ROWS)
def sort_of_a_list(s: tuple[int, ...]) -> tuple[int, ...]:
    """In place, with a key, stable in reverse, too."""
    found = list(enumerate(s))
    found.sort(key=lambda pair: pair[1] % 2, reverse=True)
    return tuple(place for place, _ in found)


@for_states(ROWS)
def local_set(s: tuple[int, ...]) -> int:
    """Add, discard, remove, update."""
    seen = set(s)
    seen.add(7)
    seen.discard(2)
    seen |= {1, 8}
    seen -= {8}
    if 0 in seen:
        seen.remove(0)
    return sum(seen) * 10 + len(seen)


@for_states(ROWS)
def order_of_a_dict(s: tuple[int, ...]) -> tuple[int, ...]:
    """The order in which keys came in; a key that is set again keeps its place."""
    found = {5: 0}
    for place, v in enumerate(s):
        found[v] = place
    found.pop(1, None)
    found[1] = 9
    return tuple(key * 10 + v for key, v in found.items())


@for_states(ROWS)
def local_dict(s: tuple[int, ...]) -> int:
    """Get, setdefault, pop, update, in, del."""
    counts: dict[int, int] = {}
    for v in s:
        counts[v] = counts.get(v, 0) + 1
    counts.setdefault(9, 4)
    counts.update({8: 2})
    if 3 in counts:
        del counts[3]
    return sum(key * n for key, n in counts.items()) + max(counts.values())


@for_states(ROWS)
def missing_key(s: tuple[int, ...]) -> int:
    """A KeyError."""
    found = {v: v + 1 for v in s}
    return found[1]


@for_states(ROWS)
def counter(s: tuple[int, ...]) -> int:
    """A missing key counts 0."""
    counts = Counter(s)
    counts[1] += 1
    return counts[1] * 10 + counts[7] + len(counts)


@for_states(ROWS)
def queue(s: tuple[int, ...]) -> int:
    """Both ends."""
    waiting = deque(s)
    waiting.append(4)
    waiting.appendleft(6)
    total = 0
    while waiting:
        total = total * 2 + waiting.popleft()
        if waiting:
            waiting.pop()
    return total


@for_states(ROWS)
def heap(s: tuple[int, ...]) -> tuple[int, ...]:
    """The least first."""
    waiting: list[int] = []
    for v in s:
        heappush(waiting, -v)
    return tuple(heappop(waiting) for _ in range(len(s)))


@for_states(FULL)
def inner_order_of_a_heap(s: tuple[int, ...]) -> tuple[int, ...]:
    """A heap is a list, which may be read."""
    waiting = [*s, 5, 1]
    heapify(waiting)
    heappush(waiting, 0)
    return tuple(waiting)


@for_states(ROWS)
def insertion(s: tuple[int, ...]) -> tuple[int, ...]:
    """At the places that there are, and at others."""
    row = sorted(s)
    insort(row, 1)
    row.insert(-1, 9)
    row.insert(100, 8)
    row.insert(0, 7)
    del row[1:3]
    row.extend(row)
    return tuple(row)


@for_states(ROWS)
def sort_of_lists(s: tuple[int, ...]) -> tuple[int, ...]:
    """Lists within a list are moved, and not copied over one another."""
    rows = [[v, 1] for v in s]
    rows.sort(key=lambda row: -row[0])
    rows.reverse()
    return tuple(row[0] for row in rows)


@for_states(FULL)
def change_of_a_slice_with_steps(s: tuple[int, ...]) -> tuple[int, ...]:
    """As many elements as the slice has."""
    row = [*s, 7, 8]
    row[::2] = row[2:] if s[0] else [0, 0, 1]
    return tuple(row)


@for_states(SMALL)
def recursion_that_fills_a_set(s: int) -> int:
    """A function that returns the set which it got."""

    def fill(v: int, seen: set[int]) -> set[int]:
        if v in seen or v > 40:
            return seen
        seen.add(v)
        for w in EDGES.get(v, (v + 3,)):
            fill(w, seen)
        return seen

    return len(fill(s, set()))


@for_states(ROWS)
def dict_of_lists(s: tuple[int, ...]) -> tuple[Any, ...]:
    """A list for each key, made when it is asked for first."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, v in enumerate(s):
        groups[v].append(place)
    return tuple(sorted((key, tuple(places)) for key, places in groups.items()))


@for_states(SMALL)
def flood(s: int) -> int:
    """A search in a graph."""
    seen, waiting = {s % 4}, [s % 4]
    while waiting:
        for other in EDGES[waiting.pop()]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return len(seen)


@for_states(INTS)
def helper_with_defaults(s: int) -> int:
    """Defaults, names of arguments, only by name."""

    def helper(a: int, b: int = 2, *, c: int = 1) -> int:
        return a * 100 + b * 10 + c

    return helper(s) + helper(s, 3) + helper(b=s, a=1) + helper(s, c=4)


@for_states(INTS)
def default_of_a_closure(s: int) -> int:
    """A default is evaluated where the function is made."""
    n = s

    def helper(v: int, w: int = n) -> int:
        return v + w

    total = 0
    for i in range(3):
        scaled = lambda v, i=i: v * i  # noqa: E731
        total += scaled(s)
    n += 100
    return helper(1) + total


@for_states(INTS)
def closure_sees_later_changes(s: int) -> int:
    """A name of the function around is read when it is called."""
    n = s

    def helper() -> int:
        return n + 1

    n += 5
    return helper()


@for_states(INTS)
def shadowed_names(s: int) -> int:
    """A name in a comprehension, and a parameter, are others than the name around."""
    v = 100
    total = sum(v for v in range(3))
    return (lambda v: v + 1)(s) + v + total


@for_states(ROWS)
def generator(s: tuple[int, ...]) -> int:
    """A helper that yields; what its user raises is not caught in it."""

    def numbers() -> Iterator[int]:
        try:
            for v in s:
                yield v
        except ZeroDivisionError:
            yield 50

    total = 0
    for v in numbers():
        total += 6 // v
    return total


@for_states(SMALL)
def generators_that_end_early(s: int) -> tuple[Any, ...]:
    """What is yielded after a return, or a break, on another way counts only if control gets there."""

    def numbers(most: int) -> Iterator[int]:
        yield s
        if s > most:
            return
        for i in (1, 2, 3):
            if i + s == 5:
                break
            yield i

    return tuple(numbers(3)), tuple((i, j) for i in (1, 2) for j in (s, 3) if i != j)


@for_states(SMALL)
def list_after_an_early_return(s: int) -> tuple[int, ...]:
    """A list that is filled; a dict that grows when it is read, a slice as a value, a set with a star."""

    def filled(n: int) -> list[int]:
        if n > 3:
            return [n]
        found = []
        for i in range(n):
            found.append(i * n)
        return found

    counts: defaultdict[int, int] = defaultdict(lambda: s)
    part = slice(s % 2, s)
    for v in filled(s):
        if counts[v - 1] == s:
            counts[v] += 1
    return (*TABLE[part], len({*TABLE[part], s}), *counts.keys(), *counts.values())


@for_states(ROWS)
def change_during_iteration(s: tuple[int, ...]) -> int:
    """A list may grow while it is iterated over."""
    found = list(s)
    for v in found:
        if len(found) < 8:
            found.append(v + 1)
    return sum(found)


@for_states(ROWS)
def change_of_a_dict_during_iteration(s: tuple[int, ...]) -> int:
    """A RuntimeError, if its size changes; also after the last key."""
    found = {v: 1 for v in s}
    for v in found:
        found[v] += 1
        if v == 3:
            found[4] = 1
    return sum(found.values())


@for_states(SMALL)
def sets_changed_by_themselves(s: int) -> int:
    """An operand that is the set itself."""
    one, other = {s, 3}, {s, 4}
    one |= one
    one &= one
    other -= other
    return len(one) * 10 + len(other)


@for_states(INTS)
def assignment_expression(s: int) -> int:
    """A name that is bound within an expression."""
    if (n := s * 2) > 3:
        return n
    return n - 1


@for_states([(n, 10**12) for n in range(3)])
def loop_in_unrolled_loop(s: tuple[int, int]) -> int:
    """A name has another range in each iteration of the loop around that is unrolled."""
    total = 0
    for step in (0, 2):
        low = s[0] - step
        while low < 3:
            total += low >= 0
            low += 1
    return total * s[1]


class Step(NamedTuple):
    """A named tuple that defines operators of tuples anew."""

    a: int
    b: int

    def __add__(self, other: "Step") -> "Step":  # type: ignore[override]
        return Step(self.a + other.a, self.b + other.b)

    def __lt__(self, other: "Step") -> bool:  # type: ignore[override]
        return self.b < other.b


@dataclass(frozen=True, order=True)
class Item:
    """A dataclass whose objects are ordered field by field."""

    level: int
    kind: str


def merged(s: int) -> Any:
    """A dict that has the entries of another one."""
    known = {0: s, 1: 2}
    return tuple(sorted({**known, s: 7, 1: 3}.items()))


ROADS = ({"red"}, {"red", "blue"}, {"green"}, frozenset({"blue"}))

construct("named tuple as a tuple", PAIRS, lambda s: (Pair(*s) == (3, 2)) + 2 * (Pair(s[0], 1) == (1, 1)))
construct("operators of a named tuple", PAIRS, lambda s: (Step(*s) + Step(1, 2), Step(*s) < Step(2, 1)))
construct("equal numbers of other types", PAIRS, lambda s: (s == (3.0, 2.0), s == (True, 1), s == (0.5, 1)))
construct(
    "order of objects", PAIRS, lambda s: sorted([Item(s[0], "b"), Item(s[1], "a"), Item(1, "b")])[0].level
)
construct(
    "one of some sets",
    [0, 1, 2, 3],
    lambda s: (ROADS[s] <= {"red", "blue"}, ROADS[s] - {"red"} == set(), len(ROADS[s] | {"green"})),
    lambda s: sorted(ROADS[s] & ROADS[(s + 1) % 4]) == ["red"],
    lambda s: ROADS[s].isdisjoint(ROADS[0]),
)
construct(
    "digits of a number",
    INTS,
    lambda s: str(s * 123_457)[::-1],
    lambda s: sum(map(int, str(s * s * 99_991))),
    lambda s: f"{s * 123_457}:{s!r}",
)


@for_states(PAIRS)
def arguments_by_any_name(s: tuple[int, int]) -> Any:
    """A function that takes whatever has a name."""

    def changed(first: int, /, **others: int) -> Any:
        return first, tuple(sorted({"a": s[0], "b": 1, **others}.items())), len(others)

    return changed(s[1]), changed(2, b=s[0], c=s[1] + 1)


construct("replaced text", TEXTS, lambda s: s.replace("ab", "xyz"), lambda s: s.replace("a", "bb"))
construct("formatted numbers", SMALL, lambda s: f"{s % 8:03b}", lambda s: f"<{s % 8!s:>3}>")
construct("a set that is only iterated over", SMALL, lambda s: sum({s, 2, 3}), lambda s: len(list({s, 4})))
construct("merged dict", SMALL, merged)
construct("ties", [0.125, 0.375, 2.5, 0.5, 1.5], lambda s: round(s))
construct("distance", PAIRS, lambda s: math.hypot(*s), lambda s: math.dist(s, (3, 1)))
construct("root", PAIRS, lambda s: (s[0] ** 2 + s[1] ** 2) ** 0.5, lambda s: (s[0] / 3) ** 2)
construct(
    "parts of a text",
    TEXTS,
    lambda s: len(s.split("b")) * 9 + len(s.split("b")[-1]),
    lambda s: "-".join(s) + "-".join(["x", s, s]),
)
construct("changed truth value", FULL, lambda s: (s[0] > 1) ^ True | (s[1] > 0))
construct("wide index", SMALL, lambda s: TABLE[(s << s % 2 * 70) >> 70], lambda s: TABLE[: s << s % 2][-1:])
construct(
    "angles",
    INTS,
    lambda s: math.sin(s / 3) + math.cos(s) * math.exp(s / 9),
    lambda s: math.atan2(s, math.radians(s)),
)


class Third:
    """Objects that are equal if their numbers leave the same remainder."""

    def __init__(self, x: int):
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Third) and self.x % 3 == other.x % 3

    def __hash__(self) -> int:
        return self.x % 3

    def __contains__(self, number: int) -> bool:
        return number == -self.x


class Later(NamedTuple):
    """A named tuple with one comparison of its own."""

    a: int
    b: int

    def __lt__(self, other: tuple[int, ...]) -> bool:
        return self.b < other[1]


CALLS = [0]


def counted() -> int:
    """Count the calls."""
    CALLS[0] += 1
    return CALLS[0]


def pairs_or_nothing(s: int) -> list[tuple[str, int]] | None:
    """Return a list, or, by mistake, nothing."""
    if s < 3:
        return [("a", s)]


def unfinished(s: int) -> int:
    """Iterate over a list, or over None."""
    return sum(number for _, number in pairs_or_nothing(s))  # type: ignore[union-attr]


def shortened(s: tuple[int, ...]) -> int:
    """Iterate over lists that get shorter meanwhile."""
    rest, total = list(s), 0
    for number, place in zip(rest, range(9)):
        total = total * 4 + number + place
        if number == 3:
            del rest[0]
    return total


def singleton(s: int) -> int:
    """Tell 1 from True."""
    match s:
        case True:
            return 1
        case 1:
            return 2
    return 3


def inserted(s: tuple[int, ...]) -> tuple[int, ...]:
    """Insert into what is not sorted."""
    found = list(s)
    insort(found, 1)
    return tuple(found)


def kept_list(s: tuple[int, ...]) -> tuple[int, ...]:
    """Keep one of the lists that a loop makes, with its sum."""
    best: tuple[int, list[int]] = 0, []
    for k in range(20):
        made = [each * k % 7 for each in s]
        best = (sum(made), made) if sum(made) > best[0] else best
    return tuple(best[1])


def exchanged(s: tuple[int, ...]) -> tuple[int, ...]:
    """Exchange a tuple with one that may be None."""
    one, other = None, s
    for k in range(21):
        one, other = other, (tuple(each % 5 + k % 3 for each in one) if one else other)
    return one + other


construct("what a loop keeps of what it makes", ROWS, kept_list, exchanged)


@for_states(SMALL)
def parts_of_texts(s: int) -> Any:
    """One of several texts in another one, and bytes in bytes, are not compared with single letters and numbers."""
    part, text, data = (
        ["ab", "ba", "", "aa"][s % 4],
        "".join("ab"[k % 2] for k in range(s, s + 5)),
        bytes([s, 2, 1]),
    )
    found = part in text, b"\1" in data, bytes([s, 2]) in data
    return *found, text.count(part), data.count(b"\1"), text.index(part) if part in text else -1


def renamed(s: int) -> int:
    """Give a list the name of another one, in a loop."""
    one, two = [0], [s]
    for k in range(s % 7 + 3):
        if k == 2:
            one = two
        two.append(k)
    return len(one)


def poured(s: int) -> tuple[int, ...]:
    """Name two elements at once, and change both."""
    rows = [[1, 2], [s], []]
    one, two = rows[s % 3], rows[(s + 1) % 3]
    two.extend(one)
    one.clear()
    return tuple(map(sum, rows))


construct("two elements with names", SMALL, poured)


def longer(s: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return a value or None, by an expression."""
    return (*s, 1) if len(s) < 3 else None


@for_states(ROWS)
def none_under_a_name_of_one_branch(s: tuple[int, ...]) -> int:
    """The name is not bound otherwise."""
    if len(s) < 4:
        found = longer(s)
        if found is not None:
            return len(found)
    return 0


@for_states(SMALL)
def a_known_set_that_gets_more(s: int) -> int:
    """In another order than its members are known."""
    found = frozenset[str]()
    for letter in ("ab", "bc", "ca")[: s % 4]:
        found = found | {letter[s % 2]}
    for letter in ("x", "ab")[: s // 3]:
        found = frozenset({letter} | found)
    return len(found) + ("a" in found) * 5 + (found <= {"a", "b"}) * 10


@for_states(PAIRS)
def imports_within_a_function(s: tuple[int, int]) -> Any:
    """As students write them; the names are the function's own."""
    import operator as op
    from itertools import combinations as pairwise

    try:
        import not_installed  # type: ignore[import-not-found]  # noqa: F401
    except ImportError:
        s = s[::-1]
    return sum(op.mul(*pair) for pair in pairwise((*s, 5), 2))


construct("a range in either direction", PAIRS, lambda s: sum(v * v for v in range(s[0], 4, s[1])))
construct(
    "the least of some",
    ROWS,
    lambda s: tuple(nsmallest(2, s)),
    lambda s: nlargest(2, s, lambda v: v % 3) == [0],
)
construct("columns of a list", ROWS, lambda s: tuple(zip(*[[v, v + 1] for v in s])))
construct("merged dicts", SETS, lambda s: tuple((dict.fromkeys(s, 1) | {2: 3, 9: 4}).items()))
construct("a constant that no set has", SETS, lambda s: len(s | {9, len(s)}), lambda s: len(s | {9}))
construct("pairs of nothing", ROWS, lambda s: sum(x * y for x, y in zip(s, ())))
construct("bisect", FULL, lambda s: (bisect_left(sorted(s), 2), bisect(sorted(s), 2)))
construct("bisect of what is not sorted", ROWS, lambda s: bisect_left(s, 1) * 10 + bisect(s, 1), inserted)
construct("a list that a function forgets to return", SMALL, unfinished)
construct("a singleton as a pattern", INTS, singleton)
construct("empty texts", TEXTS, lambda s: s.replace("", "-"), lambda s: s.find("", 0, -1))
construct("a name of a field", [Point(1), Point(0, 3)], lambda s: hasattr(s, "x") and not hasattr(s, "z"))
construct("__eq__ by hand", INTS, lambda s: Third(s) == Third(1), lambda s: Third(s) != Third(4))
construct("__contains__ by hand", INTS, lambda s: s in Third(3))
construct("one comparison by hand", PAIRS, lambda s: Later(*s) < (0, 0), lambda s: Later(*s) > (0, 0))
construct(
    "objects are no tuples", PAIRS, lambda s: Point(*s) in {(1, 2), (3, 0)}, lambda s: Point(*s) in ((1, 2),)
)
construct(
    "None among texts and numbers",
    [(a, b) for a in (None, "a", "b") for b in (None, 0, 1)],
    lambda s: s[0] == s[1],
    lambda s: s[0] != s[1],
)
REFUSED: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "identity of numbers": (lambda s: s + 1 is s + 1, INTS),
    "keys of several kinds": (lambda s: len({s, "a"} | {(s, 1)}), INTS),
    "keys with __eq__ by hand": (lambda s: len({Third(s), Third(1)}), INTS),
    "a list that gets shorter in a loop": (shortened, ROWS),
    "what a call changes": (lambda s: counted() % (s + 99), SMALL),
    "a set in an order with ties": (lambda s: sorted({s, 9, 10}, key=lambda v: v % 2)[0], SMALL),
    "a list filled later": (lambda s: [rows := [row := [s]], row.append(s)] and len(rows[0]), SMALL),
    "a list with two names": (renamed, SMALL),
    "an element that is moved": (
        lambda s: [rows := [[s], [1]], row := rows[0], rows.insert(0, [7])] and row[0],
        SMALL,
    ),
    "the exact root of floats": (lambda s: math.hypot(s / 3, 0.1), INTS),
    "a range that is too long": (lambda s: s in range(0, 10**15, 3), INTS),
}
"""Functions that are left to Python."""


def repeated_product(s: int) -> int:
    """Return a power, by a loop."""
    n = 1
    for _ in range(20):
        n *= s
    return n % 7


OVERFLOWS: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "wide product": (lambda s: s * s * s % 7, [1, 3, 2**20, 2**40]),
    "product": (repeated_product, [1, 2, 3, 9, 11]),
    "sum": (lambda s: (s + s + s) // 3 % 7, [1, 3, 2**62, 2**63 - 1]),
    "shift": (lambda s: (5 << s) % 7, [1, 3, 62, 70]),
    "always": (lambda s: (2**62 + s + (2**62 + s) | s) % 7, [1, 3]),
}
"""Functions whose numbers need more than 64 bits."""


@pytest.mark.parametrize("name", OVERFLOWS)
def test_an_overflow_stops(name: str) -> None:
    """What Python computes with more bits is never a result of fewer."""
    with pytest.raises(TranslationError, match="64 bits"):
        agree(*OVERFLOWS[name])


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_left_to_python(name: str) -> None:
    """Not translated, rather than translated wrongly."""
    with pytest.raises(
        TranslationError,
        match=r"==|the hash seed|too long|as a key|a change of|of the class|a search in|a copy|another name|rounds",
    ):
        agree(*REFUSED[name])


@pytest.mark.one_in(2)  # CI runs the others
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_it_is_as_in_python(name: str) -> None:
    """For each of the states; where Python raises an exception, machine code stops."""
    agree(*CONSTRUCTS[name])
