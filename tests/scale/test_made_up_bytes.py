"""Bytes of values with one thing wrong are refused for that reason: each check of a number in them has a case."""

from typing import Any

import pytest
from sortedcontainers import SortedDict

from searchkit.errors import InputFormatError, SavingError
from searchkit.scale.saved import decoding
from searchkit.scale.saved.columns import write_number
from searchkit.scale.saved.decoding import decode
from tests.scale.test_saved_values import KNOWN, Data, through

MODULE = Data.__module__


def number(value: int) -> bytes:
    """Return a number as it is written."""
    out = bytearray()
    write_number(out, value)
    return bytes(out)


def text(value: str) -> bytes:
    """Return a text as it is written."""
    return number(len(value)) + value.encode()


def form(name: str) -> bytes:
    """Return the record of a class."""
    return b"C" + text(name)


TUPLE, LIST, SET, DICT, DEQUE = (
    form(name)
    for name in ("builtins:tuple", "builtins:list", "builtins:set", "builtins:dict", "collections:deque")
)
PACKED = form(f"{MODULE}:Packed")
SORTED, BY_KEY = (
    form("sortedcontainers.sortedlist:SortedList"),
    form("sortedcontainers.sorteddict:SortedDict"),
)
NOTHING = b"R\x00n"
"""The last record, of no values."""
ENDS, MANY, UNKNOWN = (
    "it ends too early",
    "it holds more values than its size allows",
    "a kind of value is unknown",
)
FILLED, DEEP = "an object is filled that is not empty", "a value is nested too deeply"
CASES: list[tuple[bytes, str]] = [
    (b"", ENDS),
    (b"X", "a record is unknown: b'X'"),
    (NOTHING + b"x", "it does not end where it should"),
    (LIST + b"A\x00\x01" + NOTHING, "it does not end where it should"),
    (b"R\xff", ENDS),
    (b"R" + b"\xff" * 9 + b"\x01", "the number 9223372036854775807 is too large"),
    (b"R" + b"\x80" * 9, "the number 0 is too large"),
    (b"R" + number(4300) + b"n", "the number 4300 is too large"),
    (b"R\x01z", UNKNOWN),
    (b"R\x01r" + b"n\x00", UNKNOWN),
    (b"R\x01i\x03abc", "an integer of 3 bytes"),
    (b"R\x01i\x08abc", ENDS),
    (b"R\x02m\x01\x00\x01n\x00", UNKNOWN),
    (b"R\x01m\x01\x00m\x01\x00n\x00", UNKNOWN),
    *(
        (TUPLE + b"T\x00\x01\x00R\x01" + column, "it refers to an object")
        for column in (b"ri\x01\x01", b"ri\x01\xff", b"c\x01")
    ),
    (TUPLE + b"T\x00\x01\x00R\x01c\x02", "the number 2 is too large"),
    (b"R\x02s\x01i\x01\x01ai\x01\x00\x01", "a text is not there"),
    (b"R\x02s\x01i\x01\x01ai\x01\x00\xff", "the number -1 is too small"),
    (b"R\x01s\x02", "the number 2 is too large"),
    (b"R\x01yi\x01\xff", "the number -1 is too small"),
    (b"R\x01qi\x01\x01i\x01\x00", "the number 0 is too small"),
    (TUPLE + b"t\x00\x01i\x01\xff", "the number -1 is too small"),
    (TUPLE + b"t\x00\x01i\x04" + (10**6).to_bytes(4, "little"), MANY),
    (TUPLE + b"T\x00" + number(300) + b"\x00T\x00" + number(300) + b"\x14" + b"c\x00" * 20, MANY),
    (TUPLE + 2 * (b"T\x00" + number(4000) + b"\x00"), "the number 4000 is too large"),
    (PACKED + 2 * (b"V\x00" + number(4000) + b"\x00"), "the number 4000 is too large"),
    (b"T\x00", "the number 0 is too large"),
    (LIST + b"T\x00\x00\x00", "builtins:list is not written so"),
    (TUPLE + b"A\x00\x00", "builtins:tuple is not written so"),
    (TUPLE + b"E\x00\x00n", "builtins:tuple is not written so"),
    (LIST + b"A\x00" + number(4000) + b"A\x00" + number(4000), "the number 4000 is too large"),
    (DEQUE + b"A\x00\x01i\x01\xfe", "the number -2 is too small"),
    (TUPLE + b"T\x00\x01\x00L\x00\x01", FILLED),
    (LIST + b"A\x00\x01L\x00\x02", FILLED),
    (LIST + b"A\x00\x01L\x02\x00", "the number 2 is too large"),
    (LIST + b"A\x00\x01D\x00\x01", FILLED),
    (SORTED + b"A\x00\x01D\x00\x01i\x01\x01i\x01\x05i\x01\x05", "a list has keys"),
    (BY_KEY + b"A\x00\x01L\x00\x01i\x01\x01i\x01\x05", "a dictionary has no values"),
    (LIST + SET + b"A\x00\x01A\x01\x01L\x00\x02", FILLED),
    (LIST + b"A\x00\x01L\x00\x01i\x01\x00nL\x00\x01", FILLED),
    (LIST + b"A\x00\x01L\x00\x01i\x01\x05n\x00", ENDS),
]


@pytest.mark.parametrize("place", range(len(CASES)))
def test_each_check(place: int) -> None:
    """The error names what is wrong."""
    data, why = CASES[place]
    with pytest.raises(InputFormatError) as error:
        decode(data, KNOWN)
    assert str(error.value).partition("its contents are invalid: ")[2][: len(why)] == why


@pytest.mark.parametrize(
    "data",
    [
        LIST + b"L\x00\x00i\x01n",
        TUPLE + b"t\x00\x00i\x01n",
        TUPLE + b"T\x00" + number(4096 + 8 * 24) + b"\x00",
    ],
)
def test_nothing(data: bytes) -> None:
    """Records of no objects are allowed, and as many values as there may be."""
    assert decode(data + NOTHING, KNOWN) == []


def nested(depth: int) -> Any:
    """Return a tuple that is nested so deeply."""
    value: Any = ()
    for _ in range(depth - 1):
        value = (value,)
    return value


@pytest.mark.parametrize(
    ("largest", "larger"),
    [
        ([nested(5)], [nested(6)]),
        ([tuple(range(9))], [tuple(range(10))]),
        ([frozenset(range(9))], [frozenset(range(10))]),
        ([{(1, 2), (3, 4), (5, 6)}], [{(1, 2), (3, 4), (5, 6), (7, 8)}]),
        ([((1, 2), (3, n), (4, n)) for n in range(3)], [((1, 2, 3), (3, n), (4, n)) for n in range(3)]),
        ([(1,), (tuple(range(8)),)], [(1,), (tuple(range(9)),)]),
        ([Data("a", tuple(range(7)))], [Data("a", tuple(range(8)))]),
    ],
)
def test_what_may_be_hashed(largest: list[Any], larger: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that consist of ten others at most, and are five deep."""
    monkeypatch.setattr(decoding, "HIGHEST", 5)
    monkeypatch.setattr(decoding, "HEAVIEST", 10)
    assert through(largest) == largest
    with pytest.raises(InputFormatError, match=DEEP):
        through(larger)


def test_sorted_keys() -> None:
    """A sorted dictionary is filled by its own method."""
    assert list(through([SortedDict({2: 1, 1: 2})])[0].items()) == [(1, 2), (2, 1)]


def test_states_that_nobody_decodes() -> None:
    """The error names the method that the problem does not have."""
    with pytest.raises(SavingError, match=r"Problem\.decode_state has to make, and there is no such method"):
        decode(b"H\x01i\x01\x01" + NOTHING, KNOWN)
