"""Columns of values as bytes, and back: numbers, texts, and references to objects by their numbers.

The values of one place in many objects (such as the costs of all arrivals) are written together: a byte that says of
which kind they are, and an array. So a million states take a second, and a few bytes each.

    i ints of at most 64 bits    I larger ones       f floats      n None      b truth values     s texts     y bytes
    q fractions                  d decimal numbers   r references  c consecutive references       m of several kinds
"""

import sys
from array import array
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import Any

from searchkit.errors import InputFormatError

WIDTHS = ((1, "b"), (2, "h"), (4, "i"), (8, "q"))
"""The bytes of an integer, and the type code of an array of such integers."""
CODES = dict(WIDTHS)
KINDS = {type(None): b"n", bool: b"b", float: b"f", str: b"s", bytes: b"y", Fraction: b"q", Decimal: b"d"}
ATOMS = {int, *KINDS}
"""The types of values that stand in a column themselves; of all others, it has references."""
SHARE = 8
"""The most values a section may hold for each of its bytes: no short file takes a lot of memory."""
HIGHEST = 10_000
"""How deeply values may be nested that never change: computing a hash takes a part of the stack for each level."""
WIDEST = 1 << 62


class Output(bytearray):
    """What columns are written to."""

    values = 0
    """As many values as a `Reader` counts in it, or more."""


def write_number(out: bytearray, number: int) -> None:
    """Write an integer ≥ 0: seven bits a byte, the least significant first."""
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def write_text(out: bytearray, text: str) -> None:
    """Write one text."""
    written = text.encode("utf-8", "surrogatepass")
    write_number(out, len(written))
    out += written


def write_column(out: Output, values: Sequence[Any], numbers: Mapping[int, int]) -> None:
    """Write a column.

    Args:
        out: what is written to.
        values: each is of a type in `ATOMS`, or has a number.
        numbers: the `id` of an object → its number.

    """
    types = dict.fromkeys(map(type, values))
    kinds = {KINDS.get(kind, b"i" if kind is int else b"r") for kind in types}
    if len(kinds) > 1:
        _write_mixed(out, values, types, numbers)
        return
    out.values += len(values)
    kind = kinds.pop() if kinds else b"n"
    if kind == b"i":
        _write_ints(out, values)
        return
    if kind == b"r":
        _write_references(out, list(map(numbers.__getitem__, map(id, values))))
        return
    out += kind
    if kind == b"n":
        out += bytes(len(values))
    elif kind == b"b":
        out += bytes(values)
    elif kind == b"f":
        out += _bytes_of(array("d", values))
    elif kind == b"s":
        _write_texts(out, values)
    elif kind == b"y":
        _write_ints(out, list(map(len, values)))
        out += b"".join(values)
    elif kind == b"q":
        _write_ints(out, list(map(attrgetter("numerator"), values)))
        _write_ints(out, list(map(attrgetter("denominator"), values)))
    else:
        _write_texts(out, list(map(str, values)))


def _bytes_of(numbers: "array[Any]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _write_ints(out: bytearray, values: Sequence[int]) -> None:
    least, most = min(values, default=0), max(values, default=0)
    for width, code in WIDTHS:
        half = 1 << (8 * width - 1)
        if -half <= least and most < half:
            out += b"i%c" % width
            out += _bytes_of(array(code, values))
            return
    written = [value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True) for value in values]
    out += b"I"
    _write_ints(out, list(map(len, written)))
    out += b"".join(written)


def _write_references(out: Output, numbers: list[int]) -> None:
    """Write references: those in a row in a few bytes, unless these are too few for so many values: see `SHARE`."""
    few = out.values <= SHARE * len(out)
    if len(numbers) > 1 and few and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        out += b"c"
        write_number(out, numbers[0])
    else:
        out += b"r"
        _write_ints(out, numbers)


def _write_texts(out: bytearray, texts: Sequence[str]) -> None:
    distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    written = [text.encode("utf-8", "surrogatepass") for text in distinct]
    write_number(out, len(written))
    _write_ints(out, list(map(len, written)))
    out += b"".join(written)
    if len(distinct) < len(texts):
        _write_ints(out, list(map(distinct.__getitem__, texts)))


def _write_mixed(
    out: Output, values: Sequence[Any], types: Mapping[type, object], numbers: Mapping[int, int]
) -> None:
    kinds = list(dict.fromkeys(kind if kind in ATOMS else object for kind in types))
    code_of = {kind: kinds.index(kind if kind in ATOMS else object) for kind in types}
    codes = bytes(map(code_of.__getitem__, map(type, values)))
    out += b"m%c" % len(kinds)
    out += codes
    for code in range(len(kinds)):
        part = [value for value, own in zip(values, codes, strict=True) if own == code]
        write_column(out, part, numbers)


class Reader:
    """What `write_column` has written, read from the beginning; every count and number in it is checked.

    Its methods raise `InputFormatError`, or an exception of Python if the bytes make no value.

    Args:
        data: the bytes.
        source: the name of the file, for messages.

    """

    def __init__(self, data: bytes | bytearray | memoryview, source: str):
        self.data, self.source = memoryview(data), source
        self.at = 0
        self.left = SHARE * len(self.data) + 4096
        """How many values may still be read."""
        self.objects: list[Any] = []
        """The objects so far, by number."""
        self.weights: list[int] = []
        """How many values each of them consists of, when its hash is computed …"""
        self.heights: list[int] = []
        """… and how deeply they are nested."""
        self.height = 0
        """The largest height in the columns read since this was set to 0."""

    def wrong(self, what: str) -> InputFormatError:
        """Return the error for contents that no search was saved as."""
        return InputFormatError(f"its contents are invalid: {what}; it can't be loaded", source=self.source)

    def take(self, size: int) -> memoryview:
        """Return the next bytes."""
        end = self.at + size
        if not 0 <= size <= len(self.data) - self.at:
            raise self.wrong("it ends too early")
        found, self.at = self.data[self.at : end], end
        return found

    def number(self, most: int = WIDEST) -> int:
        """Return the next number, which is at most `most`."""
        number, shift = 0, 0
        while shift < 63:
            byte = self.take(1)[0]
            number |= (byte & 127) << shift
            if byte < 128:
                break
            shift += 7
        if number > most or shift >= 63:
            raise self.wrong(f"the number {number} is too large")
        return number

    def count(self) -> int:
        """Return the next number: how many objects a record holds, no more than may still be read."""
        return self.number(self.left)

    def spend(self, values: int) -> None:
        """Count values that are read. Those that take no byte of the file are counted, too."""
        self.left -= values
        if self.left < 0:
            raise self.wrong("it holds more values than its size allows")

    def text(self) -> str:
        """Return the next text."""
        return str(self.take(self.number()), "utf-8", "surrogatepass")

    def column(self, size: int) -> tuple[list[Any], list[int] | None]:
        """Return the next column, of `size` values, and the weight of each; None if all weigh 1."""
        self.spend(size)
        kind = bytes(self.take(1))
        if kind == b"m":
            return self._mixed(size)
        if kind == b"r":
            return self._references(self.ints(size))
        if kind == b"c":
            first = self.number(len(self.objects))
            return self._references(range(first, first + size))
        return self._atoms(kind, size), None

    def ints(self, size: int, least: int | None = None) -> list[int]:
        """Return a column of integers ≥ `least`."""
        found = self._atoms(bytes(self.take(1)), size, only=b"iI")
        if least is not None and size and min(found) < least:
            raise self.wrong(f"the number {min(found)} is too small")
        return found

    def lengths(self, size: int) -> list[int]:
        """Return a column of lengths ≥ 0, which add up to no more than may still be read."""
        found = self.ints(size, 0)
        if sum(found) > self.left:
            raise self.wrong("it holds more values than its size allows")
        return found

    def _references(self, numbers: Sequence[int]) -> tuple[list[Any], list[int]]:
        if numbers and not (min(numbers) >= 0 and max(numbers) < len(self.objects)):
            raise self.wrong("it refers to an object that is not there")
        self.height = max(self.height, max(map(self.heights.__getitem__, numbers), default=0))
        values = list(map(self.objects.__getitem__, numbers))
        return values, list(map(self.weights.__getitem__, numbers))

    def _mixed(self, size: int) -> tuple[list[Any], list[int] | None]:
        kinds = self.take(1)[0]
        codes = bytes(self.take(size))
        if codes and max(codes) >= kinds:
            raise self.wrong("a kind of value is unknown")
        self.left += size  # counted again by its parts
        parts, weights = [], []
        for code in range(kinds):
            amount = codes.count(code)
            if bytes(self.data[self.at : self.at + 1]) == b"m":
                raise self.wrong("a kind of value is unknown")
            values, weighed = self.column(amount)
            parts.append(iter(values))
            weights.append(iter(weighed or [1] * amount))
        found = list(map(next, map(parts.__getitem__, codes)))
        return found, list(map(next, map(weights.__getitem__, codes)))

    def _atoms(self, kind: bytes, size: int, only: bytes = b"iIfnbsyqd") -> list[Any]:
        if kind not in [bytes([one]) for one in only]:
            raise self.wrong(f"a kind of value is unknown: {kind!r}")
        if kind == b"i":
            width = self.take(1)[0]
            if width not in CODES:
                raise self.wrong(f"an integer of {width} bytes")
            return self._array(CODES[width], width * size)
        if kind == b"f":
            return self._array("d", 8 * size)
        if kind == b"n":
            self.take(size)
            return [None] * size
        if kind == b"b":
            return list(map(bool, self.take(size)))
        if kind == b"s":
            return self._texts(size)
        if kind == b"y":
            return list(map(bytes, self._slices(size)))
        if kind == b"q":
            return list(map(Fraction, self.ints(size), self.ints(size, 1)))
        if kind == b"d":
            return list(map(Decimal, self._texts(size)))
        return [int.from_bytes(part, "little", signed=True) for part in self._slices(size)]

    def _array(self, code: str, size: int) -> list[Any]:
        numbers = array(code)
        numbers.frombytes(self.take(size))
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers.tolist()

    def _slices(self, size: int) -> list[memoryview]:
        ends = list(accumulate(self.ints(size, 0), initial=0))
        data = self.take(ends[-1])
        return [data[begin:end] for begin, end in pairwise(ends)]

    def _texts(self, size: int) -> list[str]:
        distinct = self.number(size)
        texts = [str(part, "utf-8", "surrogatepass") for part in self._slices(distinct)]
        if distinct == size:
            return texts
        places = self.ints(size, 0)
        if places and max(places) >= distinct:
            raise self.wrong("a text is not there")
        return list(map(texts.__getitem__, places))
