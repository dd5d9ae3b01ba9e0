"""Files of hub labels: read and not made, refused if a number is wrong, and harmless if changed after their check."""

import os
import sys
from pathlib import Path
from random import Random
from struct import pack, pack_into
from typing import Any
from zlib import crc32

import pytest

from searchkit import distance_map, load, solve
from searchkit.compiled import shared
from searchkit.plugin import InputFormatError, InvalidOptionError
from searchkit.plugin.loading import precompute
from searchkit_graph import distances_between
from searchkit_graph.precomputed import table_file
from searchkit_graph.precomputed.table_file import SIZE

CAVE = "type octile\nheight 5\nwidth 9\nmap\n.....@...\n..@@.@.@.\n..@....@.\n..@@@@@@.\n.........\n"


@pytest.fixture(params=["as arrays", "by making it"])
def cave(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a map; labels are checked with and without machine code."""
    monkeypatch.setattr(table_file, "LARGE", 0 if request.param == "as arrays" else 10_000)
    path = tmp_path / "cave.map"
    path.write_text(CAVE)
    return path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return the path of a map whose labels are checked without machine code."""
    path = tmp_path / "cave.map"
    path.write_text(CAVE)
    return path


ENDS: dict[str, Any] = {"start": (0, 0), "goal": (6, 0)}


def answer(path: Path, **options: Any) -> Any:
    """Return the path that the engine finds."""
    return solve(load(path, **ENDS, **options), "hub-labels", backend="python").solution


@pytest.mark.parametrize("options", [{}, {"moves": 4}, {"corners": "cut"}, {"lengths": "whole"}])
def test_a_file_is_read_and_not_made(small: Path, options: Any) -> None:
    """Each rule of the map has its own file, from which the answer is the same."""
    expected = answer(small, **options)
    path, made = precompute(small, options=options, method="hub-labels")
    assert path.read_bytes() == b"".join(made.parts)
    assert answer(small, **options) == expected
    path.write_bytes(b"")
    with pytest.raises(InputFormatError, match="not a file of hub labels"):
        answer(small, **options)


def test_a_graph_has_a_file_too(tmp_path: Path) -> None:
    """Of any start and goal; without them it can be made."""
    path = tmp_path / "roads.edges"
    path.write_text("A B 2\nB C 2\nC A 0\nA C 5\n")
    written_path, made = precompute(path, method="hub-labels")
    assert written_path.name == "roads.edges.labels"
    assert made.summary == "0 distances of 0 hubs among 3 states, for hub-labels"
    assert solve(load(path, start="A", goal="C"), "hub-labels").cost == 4
    with pytest.raises(InvalidOptionError, match="start=A: hub labels are for any start and any goal"):
        precompute(path, options={"start": "A"}, method="hub-labels")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:-4], "it is damaged"),
        (lambda data: data[:100], "this is not a file of hub labels, or it was cut short"),
        (lambda data: b"S" + data[1:], "this is not a file of hub labels"),
        (lambda data: data[:16] + data[19:15:-1] + data[20:], "another order of bytes"),
        (lambda data: data[:20] + b"\x09" + data[21:], "it is of version 9 of the format; expected 1"),
        (
            lambda data: data[:-1] + bytes([data[-1] ^ 1]),
            "it is damaged: its contents do not fit the checksum",
        ),
        (lambda data: data[:24] + b"\xff" * 8 + data[32:], "the numbers of its parts do not fit its length"),
    ],
)
def test_a_file_that_does_not_fit(small: Path, change: Any, message: str) -> None:
    """One error that says what to do; the file as it was made is read again."""
    path, made = precompute(small, method="hub-labels")
    whole = b"".join(made.parts)
    path.write_bytes(change(whole))
    with pytest.raises(InputFormatError, match=f"{message}.*; make it anew with searchkit precompute"):
        answer(small)
    path.write_bytes(whole)
    assert answer(small) is not None
    small.write_text(CAVE.replace("..@@.@.@.", "..@@.@..."))
    with pytest.raises(InputFormatError, match="it was made for another map"):
        answer(small)


@pytest.mark.long  # compiles
def test_no_number_of_a_file_can_be_forged(cave: Path) -> None:
    """The checksum fits, and the file is rejected: by machine code, and without it."""
    path, made = precompute(cave, method="hub-labels")
    whole, rng = b"".join(made.parts), Random(4)
    for _ in range(60):
        forged = bytearray(whole)
        forged[rng.randrange(SIZE, len(forged))] ^= 1 << rng.randrange(8)
        pack_into("=I", forged, 16 + 4 * 4, crc32(forged[SIZE:]))
        path.write_bytes(forged)
        with pytest.raises(InputFormatError, match="it is damaged: "):
            answer(cave)


def cost_of(problem: Any, solution: Any) -> Any:
    """Return the cost of a path, by the definition of the problem."""
    total = 0
    for state, action, successor in zip(solution.states, solution.actions, solution.states[1:], strict=False):
        assert (action, successor) in list(problem.successors(state))
        total += problem.cost(state, action, successor)
    return total


def shared_copy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the copy of the next file of labels that is read will be, however small the file is."""
    monkeypatch.setattr(shared, "LEAST", 1)
    monkeypatch.setattr(shared, "_is_local", lambda place: True)
    monkeypatch.setattr(shared, "user_cache", lambda: folder / "cache")
    return folder / "cache" / "tables"


def maze_in(folder: Path) -> Any:
    """Return a map that is read from a file."""
    path = folder / "cave.map"
    path.write_text(CAVE)
    return load(path, **ENDS)


def streets_in(folder: Path) -> Any:
    """Return a graph that is read from a file."""
    path = folder / "streets.edges"
    edges = [f"{one} {(7 * one + step) % 40} {step}" for one in range(40) for step in (1, 2, 5)]
    path.write_text("\n".join(edges))
    return load(path, start=0, goal=1)


@pytest.mark.skipif(sys.platform == "win32", reason="a mapped file can't be changed there")
@pytest.mark.parametrize("backend", ["python", pytest.param("compiled", marks=pytest.mark.long)])
@pytest.mark.parametrize("read", [maze_in, streets_in])
def test_labels_that_are_changed_after_their_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, read: Any
) -> None:
    """Whatever is written to the mapped copy: a valid path, or an error. If its time shows it: an error."""
    folder, problem = shared_copy(tmp_path, monkeypatch), read(tmp_path)
    (path,) = tmp_path.iterdir()
    precompute(path, method="hub-labels")
    problem.hub_labels()
    (copy,) = folder.iterdir()
    os.utime(copy, ns=(0, 0))
    problem, whole, rng, messages = read(tmp_path), copy.read_bytes(), Random(6), list[str]()
    states = list(distance_map(problem))
    problem.hub_labels()
    for turn in range(25):
        with copy.open("r+b") as file:  # in place: every process that has mapped it sees it
            for _ in range(rng.choice((1, 30, 3000))):
                file.seek(4 * rng.randrange(len(whole) // 4))
                file.write(pack("=I", rng.choice((0, 1, 2**16, 2**31, 2**32 - 1, rng.getrandbits(32)))))
        os.utime(copy, ns=(0, 0))
        query = problem.aimed([rng.choice(states)], [rng.choice(states)])
        try:
            result = solve(query, "hub-labels", backend=backend)
        except InputFormatError as error:
            messages.append(str(error))
        else:
            assert result.solution is None or cost_of(query, result.solution) == result.cost
        if turn % 2:
            copy.write_bytes(whole)
            os.utime(copy, ns=(0, 0))
    assert any("the hub labels are damaged" in message for message in messages)
    copy.write_bytes(whole)
    for ask in (lambda: solve(problem, "hub-labels"), lambda: distances_between(problem, [])):
        with pytest.raises(InputFormatError, match="was changed while it was in use"):
            ask()
