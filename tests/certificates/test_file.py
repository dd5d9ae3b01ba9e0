"""The file format: exact, and refused with the place if it was cut, changed or has another format."""

import re
from fractions import Fraction
from hashlib import sha256
from math import inf
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from searchkit import Certificate, certify, solve
from searchkit.certificates.certificate import cost_text, read_cost
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


def signed(lines: list[str]) -> bytes:
    """Return a file of these lines with the end line that belongs to them."""
    text = "".join(f"{line}\n" for line in lines).encode()
    return text + f"end {len(lines)} {sha256(text).hexdigest()}\n".encode()


def load(folder: Path, text: bytes) -> Certificate:
    """Write a file and load it."""
    (folder / "changed").write_bytes(text)
    return Certificate.load(folder / "changed")


def test_what_a_file_looks_like(folder: Path) -> None:
    """Magic, header, path, arrivals, end: one record per line, and the digest over all lines before it."""
    lines = text_of(folder).decode().splitlines()
    assert lines[0] == "searchkit certificate 1"
    assert lines[1].startswith('{"status": "solved", "cost": "1.8333333333333333", ')
    assert lines[2:-1] == ["0", "1", "0", "0", "-1 0 0", "0 1 1", "1 0 4/3"]
    assert re.fullmatch("end 9 [0-9a-f]{64}", lines[-1])


@given(st.data())
def test_a_changed_file_with_a_new_digest_is_refused_or_rejected(folder: Path, data: st.DataObject) -> None:
    """An adversary who updates counts and digest can't change a record, the path or a number of the header."""
    lines = text_of(folder).decode().splitlines()[:-1]
    place = data.draw(st.integers(1, len(lines) - 1))
    kind = data.draw(st.sampled_from(["drop", "repeat", "number"]))
    numbers = list(re.finditer(r"\d+", lines[place]))
    if kind == "drop":
        del lines[place]
    elif kind == "repeat":
        lines.insert(place, lines[place])
    else:
        number = data.draw(st.sampled_from(numbers))
        put = str(data.draw(st.integers(0, 12)))
        assume(put != number[0])
        lines[place] = lines[place][: number.start()] + put + lines[place][number.end() :]
    try:
        certificate = load(folder, signed(lines))
    except InputFormatError:
        return
    # A fraction or a decimal can be written in other digits and be the same number.
    assert not certify(DETOUR, certificate) or certificate == Certificate.load(folder / "detour")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "line 1: this is not a certificate; searchkit solve … --certificate FILE writes one"),
        (b"#####\n#S.G#\n", "line 1: this is not a certificate"),
        (b"\x89PNG\r\n\x1a\n", "line 1: this is not a certificate"),
        (b"searchkit certificate 2\n{}\n", "format 2, and this version of searchkit reads format 1"),
        (b"searchkit certificate 1\n[1]\n", "line 3: the file ends here without its end line"),
        (signed(["searchkit certificate 1"]), "line 2: expected the header, one JSON object"),
        (signed(["searchkit certificate 1", "[1]"]), "line 2: expected the header, one JSON object"),
        (signed(["searchkit certificate 1", "[" * 100_000]), "line 2: expected the header, one JSON object"),
        (signed(["searchkit certificate 1", "{"]), "line 2: expected the header, one JSON object"),
        (signed(["searchkit certificate 1", "ü"]), "line 2: only ASCII characters"),
    ],
)
def test_foreign_files(folder: Path, text: bytes, message: str) -> None:
    """A file that is not a certificate, or that this version can't read, is one error with its place."""
    with pytest.raises(InputFormatError, match=re.escape(message)):
        load(folder, text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"path": 4', '"path": 99', "line 2: the header speaks of 104 lines before the end line, and there are 9"),
        ('"path": 4', '"path": 1000000000000', "line 2: the header speaks of 1000000000005 lines"),
        ('"path": 4', '"path": 5', "line 2: the header speaks of 10 lines"),
        ('"path": 4', '"path": -1', "line 2: expected the header, one JSON object: path should be a number of lines"),
        ('"path": 4', '"path": true', "path should be a number of lines, not True"),
        ('"path": 4', '"paths": 4', "it should be an object with the members"),
        ('"heuristic": false', '"heuristic": 0', "heuristic can't be 0"),
        ('"arrivals": 3', '"arrivals": 2', "line 2: the header speaks of 8 lines"),
        ('"arrivals": 3}', '"arrivals": 3, "layers": 1}', "forward should be an object of a radius and a number"),
        ('"cost": "1.8', '"cost": "0x1.8', "is not a cost; expected an integer, a fraction such as 3/4"),
        ("\n0\n1\n", "\n0\n-1\n", "line 4: expected a number of the path: '-1' is not a whole number"),
        ("1 0 4/3", "1 0 4/0", "line 9: expected an arrival: '4/0' is not a cost"),
        ("1 0 4/3", "1 0", "line 9: expected an arrival: '1 0' is not three numbers"),
        ("1 0 4/3", "-2 0 4/3", "line 9: expected an arrival: '-2' is not a whole number"),
    ],
)  # fmt: skip
def test_errors_say_what_and_where(folder: Path, old: str, new: str, message: str) -> None:
    """The line, what was expected there, and what was found; also if the end line was made to fit."""
    text = text_of(folder).decode()
    assert text.count(old) == 1
    with pytest.raises(InputFormatError, match=re.escape(message)):
        load(folder, signed(text.replace(old, new).splitlines()[:-1]))
    with pytest.raises(InputFormatError, match="the file was changed"):
        load(folder, text.replace(old, new).encode())


@pytest.mark.parametrize("more", [b"\n", b"end", b"-1 0 0\n"])
def test_a_file_goes_no_further_than_its_end(folder: Path, more: bytes) -> None:
    """Nothing can follow the end line."""
    with pytest.raises(InputFormatError, match="without its end line"):
        load(folder, text_of(folder) + more)


@given(
    st.one_of(
        st.integers(0),
        st.fractions(min_value=0),
        st.floats(min_value=0, allow_nan=False, allow_infinity=True),
        st.just(inf),
    )
)
def test_costs_are_exact(cost: int | float | Fraction) -> None:
    """Every cost is read back as the number that it was, and in its type."""
    again = read_cost(cost_text(cost))
    assert again == cost
    assert type(again) is type(cost)


@given(st.text(max_size=8))
def test_nothing_else_is_a_cost(text: str) -> None:
    """The result is a number ≥ 0 or an error, never NaN or what Python's own parsers accept."""
    try:
        cost = read_cost(text)
    except ValueError:
        return
    assert cost >= 0 or text.startswith("-")
