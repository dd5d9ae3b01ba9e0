"""Files of contraction hierarchies: read and not made, refused if a number is wrong, harmless if changed later."""

import os
import sys
from array import array
from pathlib import Path
from random import Random
from struct import pack, pack_into
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import load, solve
from searchkit.compiled import shared
from searchkit.plugin import InputFormatError, InvalidOptionError
from searchkit.plugin.loading import precompute
from searchkit_graph import distances_between
from searchkit_graph.precomputed import table_file
from searchkit_graph.precomputed.contraction.hierarchy import Half, Hierarchy
from searchkit_graph.precomputed.contraction.making import NAME
from searchkit_graph.precomputed.table_file import SIZE
from searchkit_graph.tests.test_contraction import first_fault, town
from searchkit_graph.tests.test_label_files import cost_of

STREETS = "".join(f"{one} {(7 * one + step) % 40} {step}\n" for one in range(40) for step in (1, 2, 5))
ENDS: dict[str, Any] = {"start": 0, "goal": 17}


@pytest.fixture
def streets(tmp_path: Path) -> Path:
    """Return the path of a graph."""
    path = tmp_path / "streets.edges"
    path.write_text(STREETS)
    return path


def answer(path: Path) -> Any:
    """Return the path that the engine finds."""
    return solve(load(path, **ENDS), NAME, backend="python").solution


def test_a_file_is_read_and_not_made(streets: Path) -> None:
    """The answer from it is the same."""
    expected = answer(streets)
    path, made = precompute(streets, method=NAME)
    assert path.name == "streets.edges.hierarchy"
    assert "shortcuts and 118 edges of 40 states, for contraction-hierarchies" in made.summary
    assert path.read_bytes() == b"".join(made.parts)
    assert answer(streets) == expected
    path.write_bytes(b"")
    with pytest.raises(InputFormatError, match="not a file of contraction hierarchies"):
        answer(streets)
    with pytest.raises(
        InvalidOptionError, match="start=0: contraction hierarchies are for any start and any goal"
    ):
        precompute(streets, options={"start": "0"}, method=NAME)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:-4], "it is damaged"),
        (lambda data: data[:100], "this is not a file of contraction hierarchies, or it was cut short"),
        (lambda data: data[:16] + data[19:15:-1] + data[20:], "another order of bytes"),
        (lambda data: data[:20] + b"\x09" + data[21:], "it is of version 9 of the format; expected 1"),
        (
            lambda data: data[:-1] + bytes([data[-1] ^ 1]),
            "it is damaged: its contents do not fit the checksum",
        ),
        (lambda data: data[:24] + b"\xff" * 8 + data[32:], "the numbers of its arcs do not fit its length"),
    ],
)
def test_a_file_that_does_not_fit(streets: Path, change: Any, message: str) -> None:
    """One error that says what to do; the file as it was made is read again."""
    path, made = precompute(streets, method=NAME)
    whole = b"".join(made.parts)
    path.write_bytes(change(whole))
    with pytest.raises(InputFormatError, match=f"{message}.*; make it anew with searchkit precompute"):
        answer(streets)
    path.write_bytes(whole)
    assert answer(streets) is not None
    streets.write_text(STREETS.replace("0 1 1\n", "0 1 2\n"))
    with pytest.raises(InputFormatError, match="it was made for another map or graph"):
        answer(streets)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])
def test_no_bit_of_a_file_can_be_forged(
    streets: Path, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """The checksum fits, and the file is rejected: by machine code, and without it."""
    monkeypatch.setattr(table_file, "LARGE", 0 if compiled else 10_000)
    path, made = precompute(streets, method=NAME)
    whole, rng = b"".join(made.parts), Random(4)
    for _ in range(100 if compiled else 4):
        forged = bytearray(whole)
        forged[rng.randrange(SIZE, len(forged))] ^= 1 << rng.randrange(8)
        pack_into("=I", forged, 16 + 4 * 4, crc32(forged[SIZE:]))
        path.write_bytes(forged)
        with pytest.raises(InputFormatError, match="it is damaged: "):
            answer(streets)


@pytest.mark.long  # compiles
@given(st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_check_accepts_what_was_made_and_nothing_that_misleads(rng: Random) -> None:
    """Hierarchies that were made pass. Of those that were changed, the ones that pass give right answers."""
    from searchkit_graph.precomputed.contraction.compiled.checking import fault_of

    problem = town(rng)
    hierarchy = problem.contraction_hierarchy()
    assert fault_of(hierarchy) == ""
    network, sources = hierarchy.network, list(range(hierarchy.network.size))
    for _ in range(20):
        parts = [array("I", part) for part in (hierarchy.ranks, *hierarchy.up, *hierarchy.down)]
        how = rng.randrange(3)
        if how == 0:  # a number, or two of them
            for part in rng.choices([part for part in parts if part], k=rng.randint(1, 2)):
                numbers = (0, 1, 2**32 - 1, rng.choice(part), rng.choice(part) + 1, rng.randrange(50))
                part[rng.randrange(len(part))] = min(rng.choice(numbers), 2**32 - 1)
        elif how == 1:  # an arc
            first = rng.choice((1, 5))
            if not parts[first + 1]:
                continue
            place = rng.randrange(len(parts[first + 1]))
            for part in parts[first + 1 : first + 4]:
                del part[place]
            for index, begin in enumerate(parts[first]):
                parts[first][index] = begin - (begin > place)
        elif network.size > 1:  # the ranks of two states
            one, other = rng.sample(sources, 2)
            parts[0][one], parts[0][other] = parts[0][other], parts[0][one]
        forged = Hierarchy(network, parts[0], Half(*parts[1:5]), Half(*parts[5:]))
        if fault_of(forged) == "":
            assert first_fault(problem, forged, sources) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="a mapped file can't be changed there")
@pytest.mark.parametrize("backend", ["python", pytest.param("compiled", marks=pytest.mark.long)])
def test_a_hierarchy_that_is_changed_after_its_check(
    streets: Path, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    """Whatever is written to the mapped copy: a valid path, or an error. If its time shows it: an error."""
    monkeypatch.setattr(shared, "LEAST", 1)
    monkeypatch.setattr(shared, "_is_local", lambda place: True)
    monkeypatch.setattr(shared, "user_cache", lambda: streets.parent / "cache")
    precompute(streets, method=NAME)
    load(streets, **ENDS).contraction_hierarchy()  # type: ignore[attr-defined]
    (copy,) = (streets.parent / "cache" / "tables").iterdir()
    os.utime(copy, ns=(0, 0))
    problem: Any = load(streets, **ENDS)
    whole, rng, messages = copy.read_bytes(), Random(6), list[str]()
    problem.contraction_hierarchy()
    for turn in range(25):
        with copy.open("r+b") as file:  # in place: every process that has mapped it sees it
            for _ in range(rng.choice((1, 30, 3000))):
                file.seek(4 * rng.randrange(len(whole) // 4))
                file.write(pack("=I", rng.choice((0, 1, 39, 2**16, 2**31, 2**32 - 1, rng.getrandbits(32)))))
        os.utime(copy, ns=(0, 0))
        query = problem.aimed([rng.randrange(40)], [rng.randrange(40)])
        try:
            result = solve(query, NAME, backend=backend)
        except InputFormatError as error:
            messages.append(str(error))
        else:
            assert result.solution is None or cost_of(query, result.solution) == result.cost
        if turn % 2:
            copy.write_bytes(whole)
            os.utime(copy, ns=(0, 0))
    assert any("the contraction hierarchies are damaged" in message for message in messages)
    copy.write_bytes(whole)
    for ask in (lambda: solve(problem, NAME), lambda: distances_between(problem, [], NAME)):
        with pytest.raises(InputFormatError, match="was changed while it was in use"):
            ask()
