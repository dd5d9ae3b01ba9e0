"""Pattern databases of the cube: for each position of some pieces, the fewest turns that bring them home.

Korf, Finding optimal solutions to Rubik's Cube using pattern databases (AAAI 1997). Turns move the other pieces too, so
the fewest turns of the whole cube are at least as many. No turn changes an entry by more than 1: the heuristics are
consistent, and so is the largest of several.
"""

import logging
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import perm
from threading import Lock
from time import perf_counter
from typing import Any

from attrs import field, frozen

from searchkit.compiled import is_usable
from searchkit.compiled.tables import TableFile
from searchkit.plugin import MissingExtraError
from searchkit_classics.cubes.fill import UNKNOWN, fill
from searchkit_classics.cubes.geometry import FACES, HOME, turns_of

logger = logging.getLogger("searchkit")
CORNERS = 8
"""The number of corners: the first pieces of a state. The edges follow."""
STICKERS = 24
"""The stickers of all corners, and of all edges."""
BEGIN = 4096
"""Where the first database begins: the bytes before it belong to the file, and in memory to the compiled view."""
SLICE_SECONDS = 0.01
LARGE = 1 << 20
"""Positions from which on a database is built in machine code only, and kept on disk."""
VERSION, STEP = 1, 5
"""The version of the files; and by how many percent a database grows from one message to the next."""


@frozen
class Pattern:
    """Some corners, or some edges: those of the places `first` up to `first + pieces` of a state."""

    first: int
    pieces: int
    is_corners: bool = field(init=False)
    ways: int = field(init=False)
    """In how many ways a piece can be in a slot."""
    slots: int = field(init=False)

    @is_corners.default
    def _is_corners(self) -> bool:
        return self.first < CORNERS

    @ways.default
    def _ways(self) -> int:
        return 3 if self.is_corners else 2

    @slots.default
    def _slots(self) -> int:
        return STICKERS // self.ways

    @property
    def base(self) -> int:
        """The place of the first sticker of this kind."""
        return 0 if self.is_corners else STICKERS

    @property
    def positions(self) -> int:
        """The number of entries: with seven corners, the eighth is where and as it has to be."""
        return perm(self.slots, self.pieces) * self.twists

    @property
    def twists(self) -> int:
        """The number of ways in which the pieces can be turned in their slots."""
        return int(self.ways**self.pieces)

    def number(self, state: Sequence[int]) -> int:
        """Return the number of the position in which the pieces are, as `fill` numbers them."""
        base, ways, slots = self.base, self.ways, self.slots
        arrangement, twist, taken = 0, 0, 0
        for index in range(self.pieces):
            slot, way = divmod(state[self.first + index] - base, ways)
            free = slot - (taken & (1 << slot) - 1).bit_count()
            arrangement = arrangement * (slots - index) + free
            twist = twist * ways + way
            taken |= 1 << slot
        return arrangement * self.twists + twist


SMALL = (Pattern(0, 3), Pattern(CORNERS, 3))
"""Three corners and three edges: built in a moment, wherever they are needed."""
LARGE_PATTERNS = (Pattern(0, 7), Pattern(CORNERS, 6), Pattern(CORNERS + 6, 6))
"""Korf's: all corners, and all edges in two groups of six."""
HEURISTICS: Mapping[str, tuple[Pattern, ...]] = {
    "max": LARGE_PATTERNS,
    "edges": LARGE_PATTERNS[1:],
    "corners": LARGE_PATTERNS[:1],
    "small": SMALL,
    "zero": (),
}
"""Name → the patterns whose largest entry is the value of the heuristic."""
DEFAULT = "small"
"""The strongest that needs no large database."""


@frozen(eq=False)
class Databases:
    """The databases of several patterns, one after the other in memory."""

    patterns: tuple[Pattern, ...]
    memory: memoryview
    """`BEGIN` bytes, and the databases."""

    begins: Mapping[Pattern, int] = field(init=False, repr=False)
    """Where in memory the database of each pattern begins."""

    @begins.default
    def _begins(self) -> Mapping[Pattern, int]:
        return dict(zip(self.patterns, accumulate(map(size_of, self.patterns), initial=BEGIN), strict=False))

    def entry(self, pattern: Pattern, state: Sequence[int]) -> int:
        """Return the entry of a pattern for a state."""
        number = pattern.number(state)
        return self.memory[self.begins[pattern] + (number >> 1)] >> (number & 1) * 4 & 15


def size_of(pattern: Pattern) -> int:
    """Return the bytes of a database: half a byte for each position, up to a multiple of eight."""
    return -(-pattern.positions // 16) * 8


DIGESTS: Mapping[str, str] = {
    "half": "8deccb27830e100a86d06d99bcedb4767437196eed4fce273b4763aed447ad02",
    "quarter": "57134abbcb181308900e51e7e1bb0a80af26b23a2ff95e620e9e7ccfccd610c9",
}
"""Metric → the SHA-256 digest of the large databases."""


def file_of(metric: str) -> TableFile:
    """Return the file of the large databases."""
    return TableFile(
        f"cube3-{metric}-v{VERSION}.bin",
        f"searchkit pattern databases v{VERSION}, 3x3x3 cube, {metric} turns: corners 7, edges 6 + 6",
        sum(map(size_of, LARGE_PATTERNS)),
        DIGESTS[metric],
        BEGIN,
    )


def is_large(heuristic: str) -> bool:
    """Whether a heuristic reads the large databases."""
    return any(pattern in LARGE_PATTERNS for pattern in HEURISTICS[heuristic])


def check_available(heuristic: str, metric: str) -> None:
    """Raise `MissingExtraError` if a heuristic needs databases that can't be built here, and that are not there."""
    if is_large(heuristic) and not is_usable() and not _is_kept(metric):
        raise unavailable(heuristic)


def _is_kept(metric: str) -> bool:
    try:
        return file_of(metric).path.exists()
    except (OSError, RuntimeError):  # there is no home directory
        return False


def unavailable(heuristic: str) -> MissingExtraError:
    """Return the error for a heuristic whose databases can't be built here."""
    return MissingExtraError(
        f"heuristic={heuristic} needs pattern databases that machine code builds; install what it needs with: "
        "pip install 'statespace-searchkit[fast]', or use heuristic=small"
    )


@lru_cache(maxsize=4)
def small_databases(metric: str) -> Databases:
    """Return the databases of `SMALL`, built in memory."""
    return Databases(SMALL, memoryview(bytearray(BEGIN) + b"".join(build(one, metric) for one in SMALL)))


_large: dict[str, Databases] = {}
_building = Lock()


def are_loaded(metric: str) -> bool:
    """Whether this process has the large databases."""
    return metric in _large


def large_databases(metric: str) -> Databases:
    """Return the large databases, mapped from their file into memory. Builds them if there is no correct file.

    It can be interrupted while it builds: every hundredth of a second by a signal or another thread's exception. The
    file is written at the end. One thread builds, others wait for it. Raises `MissingExtraError` if they have to be
    built and Numba is not installed.
    """
    if metric not in _large:
        with _building:
            if metric not in _large:
                _large[metric] = Databases(LARGE_PATTERNS, _memory(metric))
    return _large[metric]


def _memory(metric: str) -> memoryview:
    kept = file_of(metric)
    memory = kept.mapped()
    if memory is not None:
        return memory
    if not is_usable():
        raise unavailable("max")
    databases = [build(pattern, metric) for pattern in LARGE_PATTERNS]
    kept.write(databases)
    return kept.mapped() or memoryview(bytearray(BEGIN) + b"".join(databases))


def build(pattern: Pattern, metric: str, *, compiled: bool | None = None) -> bytearray:
    """Return the database of a pattern: breadth-first search from the solved cube.

    `compiled` chooses machine code or Python; by default large databases are built in machine code.
    """
    slots, ways, pieces, base = pattern.slots, pattern.ways, pattern.pieces, pattern.base
    turns = [turn for _, turn in turns_of("".join(FACES), metric)]
    entries = bytearray(b"\xff") * size_of(pattern)
    start = pattern.number(HOME)
    entries[start >> 1] ^= UNKNOWN << (start & 1) * 4
    large = pattern.positions >= LARGE if compiled is None else compiled
    arguments: Sequence[Any] = (
        entries,
        [place - base for turn in turns for place in turn[base : base + STICKERS]],
        sums_of(ways, pieces - pieces // 2),
    )
    run: Any = fill
    scratch: Any = [0] * (4 * slots + 2 * pattern.twists)
    if large:
        from searchkit_classics.cubes.compiled.filling import arrays_of, compiled_fill

        run, (*arguments, scratch) = compiled_fill, arrays_of(*arguments, scratch)
    left, newest, level, said = pattern.positions - 1, 1, 0, -STEP
    while newest:
        share = 100 * (pattern.positions - left) // pattern.positions
        if large and share >= said + STEP:
            kind, said = "corners" if pattern.is_corners else "edges", share
            logger.info("pattern database of %d %s, once per machine: %d %%", pieces, kind, share)
        backwards = left < newest
        newest = _level(run, arguments, (slots, ways, pieces, level, backwards), scratch)
        left, level = left - newest, level + 1
    return entries


def _level(run: Any, arguments: Sequence[Any], shape: tuple[Any, ...], scratch: Any) -> int:
    """Expand the positions of one level, some arrangements at a time; return how many positions are new."""
    slots, _, pieces, *_ = shape
    arrangement, size, new = 0, 1, 0
    while arrangement < perm(slots, pieces):
        begin = perf_counter()
        end = min(arrangement + size, perm(slots, pieces))
        new += int(run(*arguments, *shape, arrangement, end, scratch))
        arrangement = end
        size = max(1, size // 2 if perf_counter() - begin > SLICE_SECONDS else 2 * size)
    return new


def sums_of(ways: int, digits: int) -> list[int]:
    """Return for all pairs of numbers of so many digits the number of the sums of their digits, modulo `ways`."""
    sums = [0]
    for _ in range(digits):
        size = round(len(sums) ** 0.5)
        sums = [
            sums[one % size * size + other % size] + (one // size + other // size) % ways * size
            for one in range(size * ways)
            for other in range(size * ways)
        ]
    return sums
