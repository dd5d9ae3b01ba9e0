"""Files of tables: read and not made, refused if a number is wrong, and harmless if changed after their check."""

import os
import sys
from pathlib import Path
from random import Random
from struct import pack, pack_into
from typing import Any
from zlib import crc32

import pytest
from attrs import frozen

from searchkit import distance_map, load, solve
from searchkit.compiled import shared
from searchkit.plugin import InputFormatError, InvalidOptionError
from searchkit.plugin.loading import precompute
from searchkit_graph import distances_between
from searchkit_graph.precomputed import table_file
from searchkit_graph.precomputed.table_file import SIZE
from searchkit_graph.tests.kit import CAVE, CAVE_ENDS, STREETS, STREETS_ENDS, answer, cost_of


@frozen
class Case:
    """A table of a map or of a graph."""

    method: str
    member: str
    """The method of the problem that reads the table."""
    what: str
    """What messages say of the table."""
    length: str
    """What they say if numbers do not fit the length of the file."""
    name: str
    text: str
    """The map or graph."""
    other: str
    """Another one, with the same places."""
    ends: dict[str, Any]

    def written(self, folder: Path) -> Path:
        """Write the map or graph; return its path."""
        path = folder / self.name
        path.write_text(self.text)
        return path

    def answer(self, path: Path) -> Any:
        """Return the path that the engine finds."""
        return answer(path, self.method, self.ends)


MAP = ("cave.map", CAVE, CAVE.replace("..@@.@.@.", "..@@.@..."), CAVE_ENDS)
GRAPH = ("streets.edges", STREETS, STREETS.replace("0 1 1\n", "0 1 2\n"), STREETS_ENDS)
LABELS = ("hub-labels", "hub_labels", "hub labels", "the numbers of its parts do not fit its length")
RANKS = (
    "contraction-hierarchies",
    "contraction_hierarchy",
    "contraction hierarchies",
    "the numbers of its arcs do not fit its length",
)
CASES = {
    "labels of a map": Case(*LABELS, *MAP),
    "labels of a graph": Case(*LABELS, *GRAPH),
    "hierarchy of a graph": Case(*RANKS, *GRAPH),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    """Return each table."""
    return CASES[request.param]


@pytest.mark.parametrize("options", [{}, {"moves": 4}, {"corners": "cut"}, {"lengths": "whole"}])
def test_labels_of_a_map_are_read_and_not_made(tmp_path: Path, options: Any) -> None:
    """Each rule of the map has its own file, from which the answer is the same."""
    cave, ends = tmp_path / "cave.map", {**CAVE_ENDS, **options}
    cave.write_text(CAVE)
    expected = answer(cave, "hub-labels", ends)
    path, made = precompute(cave, options=options, method="hub-labels")
    assert path.read_bytes() == b"".join(made.parts)
    assert answer(cave, "hub-labels", ends) == expected
    path.write_bytes(b"")
    with pytest.raises(InputFormatError, match="not a file of hub labels"):
        answer(cave, "hub-labels", ends)


def test_labels_of_a_graph_are_read_and_not_made(tmp_path: Path) -> None:
    """They are of any start and goal; without them they can be made."""
    path = tmp_path / "roads.edges"
    path.write_text("A B 2\nB C 2\nC A 0\nA C 5\n")
    written_path, made = precompute(path, method="hub-labels")
    assert written_path.name == "roads.edges.labels"
    assert made.summary == "0 distances of 0 hubs, for hub-labels"
    assert solve(load(path, start="A", goal="C"), "hub-labels").cost == 4
    with pytest.raises(InvalidOptionError, match="start=A: hub labels are for any start and any goal"):
        precompute(path, options={"start": "A"}, method="hub-labels")


def test_a_hierarchy_is_read_and_not_made(tmp_path: Path) -> None:
    """The answer from it is the same."""
    streets = tmp_path / "streets.edges"
    streets.write_text(STREETS)
    expected = answer(streets, "contraction-hierarchies", STREETS_ENDS)
    path, made = precompute(streets, method="contraction-hierarchies")
    assert path.name == "streets.edges.hierarchy"
    assert "shortcuts and 118 edges of 40 states, for contraction-hierarchies" in made.summary
    assert path.read_bytes() == b"".join(made.parts)
    assert answer(streets, "contraction-hierarchies", STREETS_ENDS) == expected
    path.write_bytes(b"")
    with pytest.raises(InputFormatError, match="not a file of contraction hierarchies"):
        answer(streets, "contraction-hierarchies", STREETS_ENDS)
    with pytest.raises(
        InvalidOptionError, match="start=0: contraction hierarchies are for any start and any goal"
    ):
        precompute(streets, options={"start": "0"}, method="contraction-hierarchies")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:-4], "it is damaged"),
        (lambda data: data[:100], "this is not a file of {what}, or it was cut short"),
        (lambda data: b"S" + data[1:], "this is not a file of {what}"),
        (lambda data: data[:16] + data[19:15:-1] + data[20:], "another order of bytes"),
        (lambda data: data[:20] + b"\x09" + data[21:], "it is of version 9 of the format; expected 1"),
        (
            lambda data: data[:-1] + bytes([data[-1] ^ 1]),
            "it is damaged: its contents do not fit the checksum",
        ),
        (lambda data: data[:24] + b"\xff" * 8 + data[32:], "{length}"),
    ],
)
def test_a_file_that_does_not_fit(tmp_path: Path, case: Case, change: Any, message: str) -> None:
    """One error that says what to do; the file as it was made is read again."""
    source = case.written(tmp_path)
    path, made = precompute(source, method=case.method)
    whole = b"".join(made.parts)
    path.write_bytes(change(whole))
    expected = message.format(what=case.what, length=case.length)
    with pytest.raises(InputFormatError, match=f"{expected}.*; make it anew with searchkit precompute"):
        case.answer(source)
    path.write_bytes(whole)
    assert case.answer(source) is not None
    source.write_text(case.other)
    with pytest.raises(InputFormatError, match="it was made for another map"):
        case.answer(source)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])
def test_no_bit_of_a_file_can_be_forged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case, compiled: bool
) -> None:
    """The checksum fits, and the file is rejected: by machine code, and without it."""
    monkeypatch.setattr(table_file, "LARGE", 0 if compiled else 10_000)
    source = case.written(tmp_path)
    path, made = precompute(source, method=case.method)
    whole, rng = b"".join(made.parts), Random(4)
    for _ in range(100 if compiled else 4):
        forged = bytearray(whole)
        forged[rng.randrange(SIZE, len(forged))] ^= 1 << rng.randrange(8)
        pack_into("=I", forged, 16 + 4 * 4, crc32(forged[SIZE:]))
        path.write_bytes(forged)
        with pytest.raises(InputFormatError, match="it is damaged: "):
            case.answer(source)


@pytest.mark.skipif(sys.platform == "win32", reason="a mapped file can't be changed there")
@pytest.mark.parametrize("backend", ["python", pytest.param("compiled", marks=pytest.mark.long)])
def test_a_table_that_is_changed_after_its_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case, backend: str
) -> None:
    """Whatever is written to the mapped copy: a valid path, or an error. If its time shows it: an error."""
    monkeypatch.setattr(shared, "LEAST", 1)
    monkeypatch.setattr(shared, "_is_local", lambda place: True)
    monkeypatch.setattr(shared, "user_cache", lambda: tmp_path / "cache")
    source = case.written(tmp_path)
    precompute(source, method=case.method)
    case.answer(source)
    (copy,) = (tmp_path / "cache" / "tables").iterdir()
    os.utime(copy, ns=(0, 0))
    problem: Any = load(source, **case.ends)
    whole, rng, messages = copy.read_bytes(), Random(6), list[str]()
    states = list(distance_map(problem))
    getattr(problem, case.member)()
    for turn in range(25):
        with copy.open("r+b") as file:  # in place: every process that has mapped it sees it
            for _ in range(rng.choice((1, 30, 3000))):
                file.seek(4 * rng.randrange(len(whole) // 4))
                file.write(pack("=I", rng.choice((0, 1, 39, 2**16, 2**31, 2**32 - 1, rng.getrandbits(32)))))
        os.utime(copy, ns=(0, 0))
        query = problem.aimed([rng.choice(states)], [rng.choice(states)])
        try:
            result = solve(query, case.method, backend=backend)
        except InputFormatError as error:
            messages.append(str(error))
        else:
            assert result.solution is None or cost_of(query, result.solution) == result.cost
        if turn % 2:
            copy.write_bytes(whole)
            os.utime(copy, ns=(0, 0))
    assert any(f"the {case.what} are damaged" in message for message in messages)
    copy.write_bytes(whole)
    for ask in (lambda: solve(problem, case.method), lambda: distances_between(problem, [], case.method)):
        with pytest.raises(InputFormatError, match="was changed while it was in use"):
            ask()
