"""Files of saved searches that are damaged or made up: one error, whatever is in them."""

import json
from collections import deque
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sortedcontainers import SortedDict

from searchkit import Search, saved_header
from searchkit.errors import InputFormatError, SavingError
from searchkit.scale.saved.columns import SHARE
from searchkit.scale.saved.decoding import HEAVIEST, decode
from searchkit.scale.saved.encoding import encode
from tests.scale.test_saved_files import Line, stopped
from tests.scale.test_saved_values import KNOWN, Colour, Data, Node, Packed, Place, Side, through


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a file."""
    return tmp_path / "a.search"


def test_every_damage_is_found(file: Path) -> None:
    """A bit that was changed anywhere, and a file that was cut short anywhere."""
    stopped(expansions=2).save(file)
    whole, random = file.read_bytes(), Random(1)
    for _ in range(60):
        changed = bytearray(whole)
        changed[random.randrange(len(whole))] ^= 1 << random.randrange(8)
        file.write_bytes(changed)
        with pytest.raises((InputFormatError, SavingError)):
            Search.load(file, Line())
    for size in [0, 1, 17, 18, 90, *random.sample(range(len(whole)), 15)]:
        file.write_bytes(whole[:size])
        with pytest.raises(InputFormatError):
            Search.load(file, Line())
    file.write_bytes(whole + b"x")
    with pytest.raises(InputFormatError, match="there is more after its end"):
        Search.load(file, Line())
    with pytest.raises(InputFormatError, match="can't be read"):
        Search.load(file.with_name("nothing"), Line())
    with pytest.raises(InputFormatError, match=r"expected a regular file|Is a directory"):
        Search.load(file.parent, Line())


def signed(header: dict[str, Any], contents: bytes) -> bytes:
    """Return a file with this header and one section of values, with valid checksums."""
    header = {**header, "sections": [["", len(contents), sha256(contents).hexdigest(), "", []]]}
    return lined(header, contents)


def lined(header: Any, contents: bytes) -> bytes:
    """Return a file with this header, whose checksum is valid."""
    line = json.dumps(header).encode() + b"\n"
    begin = b"searchkit search 1 " + sha256(line).hexdigest().encode() + b"\n" + line
    return begin + bytes(-len(begin) % 64) + contents


def parts(whole: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header of a file and its section of values."""
    _, line, _ = whole.split(b"\n", 2)
    header = json.loads(line)
    return header, whole[len(whole) - header["sections"][0][1] :]


@pytest.mark.parametrize("many", [120, pytest.param(2_500, marks=pytest.mark.long)])
def test_made_up_contents_with_valid_checksums(file: Path, many: int) -> None:
    """They raise one of the two errors, or are a search, whose faults are faults of the engine or the problem."""
    stopped(expansions=3).save(file)
    header, contents = parts(file.read_bytes())
    random, refused = Random(many), 0
    for _ in range(many):
        changed = bytearray(contents)
        for _ in range(random.choice([1, 2, 5])):
            changed[random.randrange(len(changed))] = random.choice(
                [0, 1, 255, *b"rcmifs", random.randrange(256)]
            )
        file.write_bytes(signed(header, bytes(changed)))
        try:
            Search.load(file, Line())
        except (InputFormatError, SavingError):
            refused += 1
    assert refused > many // 10


@pytest.mark.parametrize(
    "change",
    [
        {"sections": [["", 10**15, "0" * 64, "", []]]},
        {"sections": [["", -1, "0" * 64, "", []]]},
        {"sections": [["", 0.5, "0" * 64, "", []]]},
        {"sections": [["a", 8, "0" * 64, "<f8", [10**9, 10**9]]]},
        {"sections": [["a", 8, "0" * 64, "O", [1]]]},
        {"sections": [["a", 8, "0" * 64, "<u8,<u8", [1]]]},
        {"sections": [[]]},
        {"sections": []},
        {"sections": "x"},
        {"problem": ["x"]},
        {"statistics": {"expanded": []}},
        {"engine": 5},
        {"ended": None},
    ],
)
def test_made_up_headers(file: Path, change: dict[str, Any]) -> None:
    """A size that the file does not have takes no memory."""
    stopped().save(file)
    header, contents = parts(file.read_bytes())
    file.write_bytes(lined({**header, **change}, contents))
    with pytest.raises(InputFormatError, match=r"damaged|invalid"):
        Search.load(file, Line())
    file.write_bytes(lined([1], contents))
    with pytest.raises(InputFormatError, match="its header is invalid"):
        saved_header(file)


EMPTY = sha256(b"").hexdigest()


@pytest.mark.parametrize(
    ("section", "why"),
    [
        (["a", 8, EMPTY, "|O8", [1]], r"elements of type '\|O8'"),
        (["a", 8, EMPTY, "<u8,<u8", [1]], "elements of type"),
        (["a", 16, EMPTY, "<c16", [1]], "elements of type"),
        *((["a", size, EMPTY, "<u8", [0]], "a section of size") for size in (-1, True, 1 << 62)),
        *((["a", 0, EMPTY, "<u8", [0, size]], "a section of size") for size in (-1, 0.5, 1 << 62)),
        (["a", 8, EMPTY, "<u8", [2]], r"an array of shape \[2\]"),
    ],
)
def test_made_up_sections(file: Path, section: list[Any], why: str) -> None:
    """An array holds plain numbers, as many as its section, and a file beside it is named by its digest."""
    stopped().save(file)
    header, contents = parts(file.read_bytes())
    file.write_bytes(lined({**header, "sections": [*header["sections"], section]}, contents + bytes(99)))
    with pytest.raises(InputFormatError, match=rf"its header is invalid \({why}"):
        saved_header(file)


@pytest.mark.parametrize(
    ("dtype", "shape"), [("<f1", [64]), ("<b8", [8]), ("<u8", [8] + [1] * 70), ("<u8", [0, 1 << 61])]
)
def test_what_is_not_an_array(file: Path, dtype: str, shape: list[int]) -> None:
    """A type or a shape that numpy does not have is one error about the file."""
    stopped().save(file)
    header, contents = parts(file.read_bytes())
    size = 64 if shape[0] else 0
    section = ["a", size, sha256(bytes(size)).hexdigest(), dtype, shape]
    contents += bytes(-len(contents) % 64)
    file.write_bytes(lined({**header, "sections": [*header["sections"], section]}, contents + bytes(size)))
    with pytest.raises(InputFormatError, match="damaged: a part of it is not an array"):
        Search.load(file, Line())


def test_a_made_up_label(file: Path) -> None:
    """It is an object."""
    stopped().save(file)
    header, contents = parts(file.read_bytes())
    file.write_bytes(lined({**header, "label": [1]}, contents))
    with pytest.raises(InputFormatError, match=r"its header is invalid \(label is \[1\]"):
        saved_header(file)


EXAMPLE: list[Any] = [
    {"reached": {(n, f"{n}"): (n, (n - 1, f"{n - 1}"), "go") for n in range(9)}, "closed": {1, 2, "a"}},
    [
        Place(1, Data("a", Packed(frozenset({1})))),
        Colour.RED,
        Side.LEFT | Side.RIGHT,
        2**80,
        1.5,
        Fraction(1, 2),
        None,
    ],
    deque([Node(1), b"xy", True, Decimal("1.5")], 7),
    SortedDict({1: [2]}),
    ((), ((), ())),
]


def mutants(data: bytes, random: Random, many: int) -> Iterator[bytes]:
    """Return changed copies: bits and bytes changed, parts removed, repeated or moved."""
    for _ in range(many):
        changed = bytearray(data)
        for _ in range(random.choice([1, 1, 2, 4])):
            place, other = random.randrange(len(changed)), random.randrange(len(changed))
            how = random.randrange(5)
            if how == 0:
                changed[place] ^= 1 << random.randrange(8)
            elif how == 1:
                changed[place] = random.choice([0, 1, 127, 128, 255, *b"TtZEeVHALDORimrc"])
            elif how == 2:
                del changed[place : place + random.randrange(1, 9)]
            elif how == 3:
                changed[place:place] = changed[other : other + random.randrange(1, 20)]
            else:
                changed[place : place + 1] = b"\xff" * random.randrange(9)
            changed = changed or bytearray(b"R")
        yield bytes(changed)


@pytest.mark.parametrize("many", [200, pytest.param(15_000, marks=pytest.mark.long)])
def test_bytes_that_were_made_up(many: int) -> None:
    """They raise an error for files, or are read as some value; they never crash, and take little memory."""
    data, refused = bytes(encode(EXAMPLE, KNOWN)), 0
    for mutant in mutants(data, Random(many), many):
        try:
            decode(mutant, KNOWN)
        except (InputFormatError, SavingError):
            refused += 1
    assert refused > many // 2


def test_no_short_file_makes_many_values() -> None:
    """References to all objects so far would double them with every few bytes."""
    data = bytearray(b"C\x0ebuiltins:tuple")
    amount = 1
    data += b"T\x00\x01\x00"
    for _ in range(40):
        data += b"T\x00" + bytes(_number(amount)) + b"\x01c\x00"
        amount *= 2
    with pytest.raises(InputFormatError, match=r"more values than its size allows|too large"):
        decode(data, KNOWN)
    assert SHARE * len(data) < 10_000


def test_no_hash_takes_for_ever() -> None:
    """The hash of a tuple of one object twice, forty deep, would add up a million million numbers."""
    value: Any = ()
    for _ in range(15):
        value = (value, value)
    assert through([value]) == [value]
    for _ in range(25):
        value = (value, value)
    with pytest.raises(InputFormatError, match="nested too deeply"):
        through([value])
    assert HEAVIEST < 2**40


def _number(number: int) -> Iterator[int]:
    while number > 127:
        yield number & 127 | 128
        number >>= 7
    yield number
