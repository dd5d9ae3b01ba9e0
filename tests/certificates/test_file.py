"""The file format: exact, and refused if it was cut, changed or has another format."""

import json
import re
from fractions import Fraction
from hashlib import sha256
from math import inf
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from searchkit import Certificate, certify, solve
from searchkit.certificates import Ball
from searchkit.errors import InputFormatError
from searchkit.testing import Edge, digraph

DETOUR = digraph([Edge(0, 3, 9), Edge(0, 1, 1), Edge(1, 2, Fraction(1, 3)), Edge(2, 3, 0.5)], [0], [3])


def text_of(folder: Path) -> bytes:
    """Return the file of a certificate of the graph above."""
    certificate = solve(DETOUR, "dijkstra", certificate=True).certificate
    assert certificate is not None
    certificate.save(folder / "detour")
    return (folder / "detour").read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory that examples share."""
    return tmp_path_factory.mktemp("certificates")


def signed(text: bytes | str) -> bytes:
    """Return a file of this text with the digest that belongs to it."""
    text = text.encode() if isinstance(text, str) else text
    return f"searchkit certificate 2 {sha256(text).hexdigest()}\n".encode() + text


def load(folder: Path, text: bytes) -> Certificate:
    """Write a file and load it."""
    (folder / "changed").write_bytes(text)
    return Certificate.load(folder / "changed")


def test_what_a_file_looks_like(folder: Path) -> None:
    """Magic, version and digest; then one line of JSON, in which all costs are exact."""
    first, second = text_of(folder).decode().split("\n")
    assert re.fullmatch("searchkit certificate 2 [0-9a-f]{64}", first)
    assert json.loads(second) == {
        "status": "solved",
        "heuristic": False,
        "engine": "dijkstra",
        "problem": "",
        "options": {},
        "cost": 1.8333333333333333,
        "lower_bound": 1.8333333333333333,
        "path": [0, 1, 0, 0],
        "forward": {"radius": 1.8333333333333333, "arrivals": [[-1, 0, 0], [0, 1, 1], [1, 0, "4/3"]]},
        "backward": None,
    }


@given(st.data())
def test_a_changed_file_with_a_new_digest_is_refused_or_rejected(folder: Path, data: st.DataObject) -> None:
    """An adversary who updates the digest can't change a record, the path or a number."""
    text = text_of(folder).partition(b"\n")[2].decode()
    number = data.draw(st.sampled_from(list(re.finditer(r"-?\d+(,)?|\[[^][]+\](,)?", text))))
    put = data.draw(st.sampled_from(["", number[0] + "," + number[0], *map(str, range(-2, 12))]))
    assume(put != number[0])
    try:
        certificate = load(folder, signed(text[: number.start()] + put + text[number.end() :]))
    except InputFormatError:
        return
    # A fraction or a decimal can be written in other digits and be the same number.
    assert not certify(DETOUR, certificate) or certificate == Certificate.load(folder / "detour")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "this is not a certificate; searchkit solve … --certificate FILE writes one"),
        (b"#####\n#S.G#\n", "this is not a certificate"),
        (b"searchkit certificate 1\n{}\n", "format 1, and this version of searchkit reads format 2"),
        (b"searchkit certificate 2\n{}\n", "the file was cut short or changed"),
        (signed(""), "this is not what a certificate holds: JSONDecodeError"),
        (signed("[1]"), "this is not what a certificate holds: TypeError"),
        (signed("[" * 100_000), "this is not what a certificate holds: RecursionError"),
        (signed("{}"), "this is not what a certificate holds: KeyError: 'status'"),
        (signed(b"\xff"), "this is not what a certificate holds: UnicodeDecodeError"),
        (signed("9" * 5000), "this is not what a certificate holds: ValueError"),
    ],
)
def test_foreign_files(folder: Path, text: bytes, message: str) -> None:
    """A file that is not a certificate, or that this version can't read, is one error."""
    with pytest.raises(InputFormatError, match=re.escape(message)):
        load(folder, text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[0,1,0,0]", "[-1]", "ValueError: -1 is not a whole number ≥ 0"),
        ('"heuristic":false', '"heuristic":0', "ValueError: heuristic can't be 0"),
        ('"arrivals"', '"others"', "KeyError: 'arrivals'"),
        ('[1,0,"4/3"]', "[1, 0]", "ValueError: not enough values"),
        ('[1,0,"4/3"]', '[-2, 0, "4/3"]', "ValueError: -2 is not a whole number ≥ -1"),
        ('[1,0,"4/3"]', '[1, 0.0, "4/3"]', "ValueError: 0.0 is not a whole number ≥ 0"),
        ('"4/3"', '"4/0"', "ZeroDivisionError"),
        ('"4/3"', '"1e9"', "ValueError: '1e9' is not a fraction"),
        ('"4/3"', "-1", "ValueError: -1 is not a cost"),
        ('"4/3"', "NaN", "ValueError: nan is not a cost"),
        ('"4/3"', "Infinity", "ValueError: inf is not a cost"),
    ],
)
def test_errors_say_what_is_wrong(folder: Path, old: str, new: str, message: str) -> None:
    """Also if the digest was made to fit; else the file was changed."""
    text = text_of(folder).decode()
    assert text.count(old) == 1
    changed = text.replace(old, new)
    with pytest.raises(InputFormatError, match=re.escape(f"what a certificate holds: {message}")):
        load(folder, signed(changed.partition("\n")[2]))
    with pytest.raises(InputFormatError, match="cut short or changed"):
        load(folder, changed.encode())


@given(st.one_of(st.integers(0), st.fractions(min_value=0), st.floats(min_value=0), st.just(inf)))
def test_costs_are_exact(folder: Path, cost: int | float | Fraction) -> None:
    """Every cost is read back as the number that it was, and in its type, infinity where a ball has no border."""
    text_of(folder)
    certificate = evolve(
        Certificate.load(folder / "detour"), forward=Ball(cost, ((-1, 0, cost if cost < inf else 0),))
    )
    certificate.save(folder / "costs")
    again = Certificate.load(folder / "costs")
    assert again == certificate
    assert type(again.forward.radius) is type(cost)
