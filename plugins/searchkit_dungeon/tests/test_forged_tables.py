"""Forged jump tables with correct checksums: each wrong number is found before machine code reads the table."""

import os
import sys
from pathlib import Path
from random import Random
from struct import pack_into
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import distance_map, load, solve
from searchkit.compiled import shared
from searchkit.plugin import InputFormatError
from searchkit.plugin.loading import precompute
from searchkit_dungeon import Grid, Terrain
from searchkit_dungeon.jumps import table_file
from searchkit_dungeon.jumps.compiled.checking import fault_of
from searchkit_dungeon.jumps.compiled.tables import make_table
from searchkit_dungeon.jumps.table import MOST_STEPS
from searchkit_dungeon.jumps.table_file import SIZE
from searchkit_dungeon.tests.test_jps import floors
from searchkit_dungeon.tests.test_jump_table import CAVE, serpentine
from searchkit_graph.tests.kit import cost_of

RUN, DISTANCE, AROUND, REST = range(16), range(16, 48), range(48, 49), range(49, 64)
"""The bytes of a cell, by what they hold."""
VALUES = (0, 1, -1, 7, -30_000, 30_000, 32_767, -32_768)


def forge(path: Path, place: int, contents: bytes) -> None:
    """Change bytes of a table, and correct its checksum."""
    forged = bytearray(path.read_bytes())
    forged[SIZE + place : SIZE + place + len(contents)] = contents
    pack_into("=I", forged, 16 + 4 * 4, crc32(forged[SIZE:]))
    path.write_bytes(forged)


@pytest.fixture(params=["as arrays", "by making it"])
def cave(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a map; tables are checked with and without machine code."""
    monkeypatch.setattr(table_file, "LARGE", 0 if request.param == "as arrays" else 10_000)
    path = tmp_path / "cave.map"
    path.write_text(CAVE)
    return path


@pytest.mark.one_in(3)  # of eight directions that are alike
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("direction", range(8))
def test_a_forged_run_leads_nowhere(cave: Path, direction: int, value: int) -> None:
    """Runs off the map, into a wall or past a jump point are an error that says what to do."""
    path, made = precompute(cave)
    terrain: Terrain = load(cave, start=(0, 0), goal=(6, 0)).terrain  # type: ignore[attr-defined]  # it is a grid
    number = value.to_bytes(2, "little", signed=True)
    runs = [made.parts[1][place : place + 2] for place in range(2 * direction, len(made.parts[1]), 64)]
    others = [cell for cell, run in enumerate(runs) if run != number]
    wanted = {0, 4, 3 * terrain.stride + 1, 4 * terrain.stride + 8, len(terrain.weights) - 1}
    for cell in sorted(wanted & set(others) | {others[0]}):
        place = 64 * cell + 2 * direction
        forge(path, place, number)
        with pytest.raises(
            InputFormatError, match=r"cave\.map\.no\.jumps: it is damaged.*searchkit precompute"
        ):
            solve(load(cave, start=(0, 0), goal=(6, 0)), "jps+", backend="compiled")
        path.write_bytes(b"".join(made.parts))


@pytest.mark.parametrize("field", [RUN, DISTANCE, AROUND, REST])
def test_no_number_of_a_table_can_be_forged(cave: Path, field: range) -> None:
    """In any cell, walls included: the checksum fits, and the table is refused."""
    path, made = precompute(cave)
    rng = Random(len(field))
    cells = len(made.parts[1]) // 64
    for _ in range(60):
        place = 64 * rng.randrange(cells) + rng.choice(field)
        forge(path, place, bytes([made.parts[1][place] ^ 1 << rng.randrange(8)]))
        with pytest.raises(InputFormatError, match="it is damaged: "):
            solve(load(cave, start=(0, 0), goal=(6, 0)), "jps+", backend="python")
        path.write_bytes(b"".join(made.parts))


def test_distances_that_are_admissible_and_wrong(cave: Path) -> None:
    """All zero, or halved: answers would be correct, but it is not the table of the map."""
    path, made = precompute(cave)
    for shift in (1, 32):
        forged = bytearray(made.parts[1])
        numbers: Any = memoryview(forged).cast("I")
        for cell in range(len(forged) // 64):
            for landmark in range(8):
                numbers[16 * cell + 4 + landmark] >>= shift
        forge(path, 0, bytes(forged))
        with pytest.raises(InputFormatError, match="it is damaged: "):
            solve(load(cave, start=(0, 0), goal=(6, 0)), "jps+")


@given(floors(), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_every_table_that_is_made_passes_the_check(problem: Grid, rng: Any) -> None:
    """A table with any changed bit is rejected."""
    data = bytearray(make_table(problem.terrain, problem.corners).data)
    assert fault_of(data, problem.terrain, problem.corners) == ""
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    assert fault_of(data, problem.terrain, problem.corners) != ""


def test_a_table_of_ways_too_long_to_count_passes_the_check() -> None:
    """Cells beyond are as far as the last that counts; a cell before it is not."""
    terrain = serpentine(600, 250)
    data = bytearray(make_table(terrain, "no").data)
    assert fault_of(data, terrain, "no") == ""
    numbers: Any = memoryview(data).cast("I")
    far = next(cell for cell in range(len(data) // 64) if numbers[16 * cell + 4] >> 16 == MOST_STEPS)
    numbers[16 * far + 4] -= 1 << 16
    assert fault_of(data, terrain, "no") == "the distance of a landmark is wrong"


@pytest.mark.skipif(sys.platform == "win32", reason="a mapped file can't be changed there")
@pytest.mark.parametrize("backend", ["python", pytest.param("compiled", marks=pytest.mark.long)])
@pytest.mark.parametrize("corners", ["no", "cut"])
def test_a_table_that_is_changed_after_its_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, corners: str
) -> None:
    """Whatever is written to the mapped copy: a valid path, or an error. If its time shows it: an error."""
    monkeypatch.setattr(shared, "LEAST", 1)
    monkeypatch.setattr(shared, "_is_local", lambda place: True)
    monkeypatch.setattr(shared, "user_cache", lambda: tmp_path)
    path = tmp_path / "cave.map"
    path.write_text(CAVE)
    precompute(path, options={"corners": corners})
    options: Any = {"start": (0, 0), "goal": (6, 0), "corners": corners, "moves": 8}
    load(path, **options).jump_table()  # type: ignore[attr-defined]  # it is a grid
    (copy,) = (tmp_path / "tables").iterdir()
    os.utime(copy, ns=(0, 0))
    whole, rng, messages = copy.read_bytes(), Random(7), list[str]()
    problem: Any = load(path, **options)
    cells = list(distance_map(problem))
    problem.jump_table()
    for turn in range(40):
        with copy.open("r+b") as file:  # in place: every process that has mapped it sees it
            for _ in range(rng.choice((1, 30, 3000))):
                file.seek(2 * rng.randrange(len(whole) // 2))
                file.write((rng.choice(VALUES) % 2**16).to_bytes(2, sys.byteorder))
        os.utime(copy, ns=(0, 0))
        query = problem.aimed([rng.choice(cells)], [rng.choice(cells)])
        try:
            result = solve(query, "jps+", backend=backend)
        except InputFormatError as error:
            messages.append(str(error))
        else:
            assert result.solution is None or cost_of(query, result.solution) == pytest.approx(result.cost)
        if turn % 2:
            copy.write_bytes(whole)
            os.utime(copy, ns=(0, 0))
    assert any("the jump distances are damaged" in message for message in messages)
    copy.write_bytes(whole)
    with pytest.raises(InputFormatError, match="was changed while it was in use"):
        solve(problem, "jps+", backend=backend)
