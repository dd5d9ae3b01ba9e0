"""Columns of numbers and texts as bytes that deflate makes small, and back: see `docs/reference/trace-format.md`."""

import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, islice
from math import isfinite
from operator import sub
from typing import Any, TypeAlias

from searchkit.certificates.certificate import cost_text, read_cost
from searchkit.problem import Cost

Column: TypeAlias = tuple[dict[str, Any], bytes]
"""The description of a column in the header, and its bytes."""
BOOK = 256
"""A column of at most so many different numbers has a book of them."""
LARGEST = 2**31 - 1
"""The largest whole number in a column, negative or positive."""
SAMPLE = 1 << 13
"""How many values are compressed to choose the code of a column."""
DIGITS = 4_000
"""Whole numbers with more digits are written in hexadecimal: Python limits the length of decimal ones."""


def exact_text(number: Cost) -> str:
    """Return a number as a text from which `read_exact` makes the same number of the same type."""
    if isinstance(number, int) and number.bit_length() > 3 * DIGITS:
        return hex(number)
    return cost_text(number)


def read_exact(text: str) -> Cost:
    """Read a number. Raises ValueError for any other text."""
    number = text.removeprefix("-")
    value = int(number, 16) if number.startswith("0x") else read_cost(number)
    return value if number == text else -value


def is_whole(values: Iterable[Any]) -> bool:
    """Whether all values are ints that fit into a column."""
    found = values if isinstance(values, list) else list(values)
    if not set(map(type, found)) <= {int}:
        return False
    try:
        return min(array("i", found), default=0) >= -LARGEST
    except OverflowError:
        return False


def whole(name: str, values: Sequence[int]) -> Column:
    """Return a column of whole numbers from -`LARGEST` to `LARGEST`."""
    many = len(set(values[:SAMPLE])) > BOOK  # then all of them are too many, too
    book = [] if many else sorted(set(values))
    header: dict[str, Any] = {"name": name, "code": "book", "n": len(values), "bytes": len(values)}
    if not many and len(book) <= BOOK:
        place = {value: index for index, value in enumerate(book)}
        if book and book[0] >= 0 and book[-1] < BOOK:
            table = bytes(place.get(value, 0) for value in range(BOOK))
            data = bytes(values if isinstance(values, bytes | list) else iter(values))
            return header | {"book": book}, data.translate(table)
        if book and book[0] >= -128 and book[-1] < 128:
            table = bytes(place.get(value - BOOK if value > 127 else value, 0) for value in range(BOOK))
            return header | {"book": book}, array("b", values).tobytes().translate(table)
        return header | {"book": book}, bytes(map(place.__getitem__, values))
    begin = max(0, len(values) // 2 - SAMPLE // 2)
    middle = values[begin : begin + SAMPLE]
    code = min(("zigzag", "delta"), key=lambda code: len(zlib.compress(_planes(code, middle)[1], 1)))
    width, planes = _planes(code, values)
    return header | {"code": code, "width": width, "bytes": len(planes)}, planes


def _planes(code: str, values: Sequence[int]) -> tuple[int, bytes]:
    """Return how many bytes a value has, and the lowest byte of all values, then the next byte, and so on."""
    if code == "delta":
        values = [values[0], *map(sub, islice(values, 1, None), values)] if values else []
    try:
        small = array("b", values).tobytes().translate(FOLDED)
    except OverflowError:  # it ends at the first value that is too large
        pass
    else:
        return (1, small) if any(small) else (0, b"")
    folded = array("Q", [(value << 1) ^ (value >> 63) for value in values])
    width = (max(folded, default=0).bit_length() + 7) // 8
    raw = folded.tobytes() if LITTLE else _swapped(folded)
    return width, b"".join(raw[byte::8] for byte in range(width))


FOLDED = bytes((byte << 1 if byte < 128 else ~(byte - 256 << 1)) & 255 for byte in range(256))
"""The table that folds bytes with a sign: 0, -1, 1, -2, … become 0, 1, 2, 3, …"""
LITTLE = array("H", [1]).tobytes() == b"\x01\x00"


def _swapped(values: "array[int]") -> bytes:
    values.byteswap()
    return values.tobytes()


def texts(name: str, values: Sequence[str]) -> Column:
    """Return a column of texts, with a zero character after each."""
    joined = "\0".join([*values, ""])
    if joined.count("\0") != len(values):
        joined = "\0".join([*(value.replace("\0", "\ufffd") for value in values), ""])
    data = joined.encode("utf-8", "replace")
    return {"name": name, "code": "text", "n": len(values), "bytes": len(data)}, data


def numbers(name: str, values: Sequence[Cost]) -> list[Column]:
    """Return two columns for exact numbers of any kind: `name`, with the index of each, and `name_values`, as texts."""
    index: dict[str, int] = {}
    places = [index.setdefault(exact_text(value), len(index)) for value in values]
    return [whole(name, places), texts(f"{name}_values", list(index))]


def steps(name: str, values: Sequence[Cost], bases: Sequence[Cost | None]) -> list[Column]:
    """Return columns for exact numbers that come from others by few different steps; none if that is not so.

    A value is base + step, or only the step if the base is None. `name` has the index of each step, `name_values` the
    steps as texts, and `name_ulps` by how many units in the last place a float differs from the sum, if any does.
    """
    known: dict[Any, tuple[int, Any]] = {}
    seen: dict[Any, tuple[int, Any]] = {}
    found: list[int] = []
    sums, odd = array("d"), array("q")
    for at, (value, base) in enumerate(zip(values, bases, strict=True)):
        step: Any = value if base is None else value - base
        place = seen.get(step)
        if place is None:  # sums of floats differ in the last places, so nearly equal steps are one
            near = type(step), round(step, 6) if type(step) is float and isfinite(step) else step
            place = seen[step] = known.setdefault(near, (len(known), step))
        predicted: Any = place[1] if base is None else base + place[1]
        if type(predicted) is not type(value):
            return []
        if predicted != value:
            if type(value) is not float or not (isfinite(value) and isfinite(predicted)):
                return []
            odd.append(at)
            sums.append(float(predicted))
        found.append(place[0])
    columns = [whole(name, found), texts(f"{name}_values", [exact_text(step) for _, step in known.values()])]
    if odd:
        ulps = [0] * len(found)
        bits, right = _bits(sums), _bits(array("d", [float(values[at]) for at in odd]))
        for at, one, other in zip(odd, bits, right, strict=True):
            ulps[at] = other - one
        if not is_whole(ulps):
            return []
        columns.append(whole(f"{name}_ulps", ulps))
    return columns


def _bits(values: "array[float]") -> "array[int]":
    """Return the numbers whose 64 bits are those of the floats: neighbouring floats are neighbouring numbers."""
    return array("q", values.tobytes())


def moved(value: float, ulps: int) -> float:
    """Return the float that is so many units in the last place away. Raises ValueError if it is not a finite number."""
    [bits] = _bits(array("d", [value]))
    [result] = array("d", array("q", [bits + ulps]).tobytes())
    if not isfinite(result):
        raise ValueError("a number is too large")
    return result


def check(header: Mapping[str, Any]) -> None:
    """Check the description of a column, before anything is allocated for it. Raises ValueError."""
    name, code, n, size = (header.get(key) for key in ("name", "code", "n", "bytes"))
    if not isinstance(name, str) or type(n) is not int or type(size) is not int or n < 0 or size < 0:
        raise ValueError("a column should have a name, a number of values and a number of bytes")
    width = header.get("width", 1)
    if code == "book":
        book = header.get("book")
        if (
            not isinstance(book, list)
            or len(book) > BOOK
            or not all(type(v) is int and abs(v) <= LARGEST for v in book)
        ):
            raise ValueError(f"column {name[:40]} should have a book of at most {BOOK} whole numbers")
    elif code in ("zigzag", "delta"):
        if type(width) is not int or not 0 <= width <= 5 or (n and not width):
            raise ValueError(f"column {name[:40]} should have a width from 1 to 5")
    elif code not in ("bytes", "text"):
        raise ValueError(f"column {name[:40]} has a code that this version does not know")
    if (size < n) if code == "text" else (size != n * width):
        raise ValueError(f"column {name[:40]} should have as many bytes as its {n} values take")


def decode(header: Mapping[str, Any], data: bytes) -> Any:
    """Return the values of a column that was checked: an array, or a list of texts. Raises ValueError."""
    name, code, n = header["name"], header["code"], header["n"]
    if code == "text":
        if data.count(0) != n or (data and data[-1]):
            raise ValueError(f"column {name[:40]} should have {n} texts")
        return data.decode("utf-8").split("\0")[:-1]
    if code == "bytes":
        return array("q", data)
    if code == "book":
        book = header["book"]
        if data and max(data) >= len(book):
            raise ValueError(f"column {name[:40]} has a value that is not in its book")
        return array("q", map(book.__getitem__, data))
    width = header.get("width", 0)
    spread = bytearray(8 * n)
    for byte in range(width):
        spread[byte::8] = data[byte * n : (byte + 1) * n]
    folded = array("Q")
    folded.frombytes(bytes(spread))
    if not LITTLE:
        folded.byteswap()
    unfolded = array("q", [(value >> 1) ^ -(value & 1) for value in folded])
    found = array("q", accumulate(unfolded)) if code == "delta" else unfolded
    if found and max(max(found), -min(found)) > LARGEST:
        raise ValueError(f"column {name[:40]} has a number that is too large")
    return found
