"""Jump tables: the runs of `jps`, bounds that never exceed the distance, files that are used only if they fit."""

import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from searchkit import distance_map, load, solve
from searchkit.plugin import InputFormatError, InvalidOptionError, MissingCapabilityError
from searchkit.plugin.loading import precompute
from searchkit_dungeon import Grid, Terrain, make_grid
from searchkit_dungeon.jumps.compiled.tables import make_table as make_fast
from searchkit_dungeon.jumps.making import make, make_table
from searchkit_dungeon.jumps.table import LONGEST, MOST_STEPS
from searchkit_dungeon.jumps.table_file import SIZE, read_table
from searchkit_dungeon.terrain import OFFSETS, Cell
from searchkit_dungeon.tests.test_jps import floors

CAVE = """\
type octile
height 5
width 9
map
.....@...
..@@.@.@.
..@....@.
..@@@@@@.
.........
"""


def cells_of(terrain: Terrain) -> list[Cell]:
    """Return the cells that can be entered."""
    return [cell for cell in terrain.cells if cell in terrain and terrain.weight(cell)]


def serpentine(width: int, height: int) -> Terrain:
    """Return one long corridor that winds through all rows."""
    rows = [bytearray(b"\1" * width) for _ in range(height)]
    for y in range(1, height, 2):
        rows[y] = bytearray(width)
        rows[y][-1 if y % 4 == 1 else 0] = 1
    return Terrain([bytes(row) for row in rows])


@given(floors())
@settings(max_examples=200)
def test_the_runs_are_those_of_jump_point_search(problem: Grid) -> None:
    """From every cell in every direction, goals included."""
    tabled, plain = problem.tabled_jumps(), problem.jump_map()  # type: ignore[attr-defined]  # it is an OctileGrid
    for cell in cells_of(problem.terrain):
        for direction in OFFSETS:
            assert tabled.run(cell, direction) == plain.run(cell, direction)


@given(floors())
@settings(max_examples=200)
def test_the_landmarks_bounds_are_admissible_and_consistent(problem: Grid) -> None:
    """No bound exceeds the distance to the nearest goal, nor falls along a step by more than the step costs."""
    jumps = problem.tabled_jumps()  # type: ignore[attr-defined]
    backwards = make_grid(problem.terrain, problem.goals or problem.starts, (), 8, problem.corners)
    distances = distance_map(backwards)
    for cell in cells_of(problem.terrain):
        bound = jumps.landmark_heuristic(cell)
        assert bound == 0 or problem.goals
        assert cell not in distances or not problem.goals or bound <= distances[cell]
        for action, successor in problem.successors(cell):
            assert bound <= problem.cost(cell, action, successor) + jumps.landmark_heuristic(successor)


@given(floors())
@settings(max_examples=200)
def test_machine_code_makes_the_same_table(problem: Grid) -> None:
    """To the last byte."""
    made = [maker(problem.terrain, problem.corners) for maker in (make_table, make_fast)]
    assert made[0].data == made[1].data


def test_a_way_of_more_steps_than_a_table_counts() -> None:
    """Cells beyond are as far as the last one that counts: still the same table, still the shortest path."""
    terrain = serpentine(600, 250)
    table = make_fast(terrain, "no")
    assert table.data == make_table(terrain, "no").data
    ends = [(0, 0), (0 if 249 % 4 == 3 else 599, 248)]
    most = max(max(table.lengths(cell[1] * terrain.stride + cell[0])) for cell in ends)
    assert MOST_STEPS <= most < 1.5 * MOST_STEPS
    problem = make_grid(terrain, ends[:1], ends[1:], 8)
    assert solve(problem, "jps+").cost == solve(problem, "jps").cost == 600 * 125 + 248 - 125


def test_a_map_that_is_too_wide_is_refused() -> None:
    """A run would not fit."""
    terrain = Terrain([bytes([1]) * (LONGEST + 1)])
    with pytest.raises(MissingCapabilityError, match=r"32768 wide and 1 high.*use engine jps"):
        make(terrain, "no")


def test_a_map_of_walls_has_a_table() -> None:
    """The table of a map without open cells; both makers agree."""
    terrain = Terrain([bytes(3)] * 2)
    assert make_table(terrain, "cut").data == make_fast(terrain, "cut").data == bytes(64 * 12)


@pytest.fixture
def cave(tmp_path: Path) -> Path:
    """Return the path of a map."""
    path = tmp_path / "cave.map"
    path.write_text(CAVE)
    return path


def answer(path: Path, corners: str = "no") -> object:
    """Return the result of `jps+` on a map, with its own table or the one from the file."""
    result = solve(load(path, start=(0, 0), goal=(6, 0), corners=corners), "jps+")
    return result.solution, result.statistics.expanded


@pytest.mark.parametrize("corners", ["no", "cut"])
@pytest.mark.parametrize("backend", ["python", "compiled"])
def test_a_file_is_read_and_not_made(cave: Path, corners: str, backend: str) -> None:
    """The answer is that without the file; the file is read, not made."""
    expected = answer(cave, corners)
    written, made = precompute(cave, options={"corners": corners})
    assert written == cave.with_name(f"cave.map.{corners}.jumps")
    assert written.stat().st_size == sum(map(len, made.parts)) == SIZE + 64 * 6 * 10
    problem = load(cave, start=(0, 0), goal=(6, 0), corners=corners)
    result = solve(problem, "jps+", backend=backend)
    assert (result.solution, result.statistics.expanded) == expected
    table = problem.jump_table()  # type: ignore[attr-defined]  # it is a grid
    assert table.data.readonly
    assert bytes(table.data) == bytes(made.parts[1])


def test_only_the_cells_count(cave: Path) -> None:
    """The file still fits when the map is written in other characters for the same cells."""
    precompute(cave)
    expected = answer(cave)
    cave.write_text(CAVE.replace("@", "T"))
    assert answer(cave) == expected


def flip(contents: bytes, place: int) -> bytes:
    """Return contents with one bit changed."""
    return contents[:place] + bytes([contents[place] ^ 1]) + contents[place + 1 :]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda contents: b"", "not a file of jump distances, or it was cut short"),
        (lambda contents: contents[:100], "not a file of jump distances, or it was cut short"),
        (lambda contents: contents[:-1], "it has 3967 bytes; expected 3968: was it cut short"),
        (lambda contents: contents + b"x", "it has 3969 bytes; expected 3968"),
        (lambda contents: b"x" + contents[1:], "not a file of jump distances"),
        (lambda contents: flip(contents, 16), "another order of bytes"),
        (lambda contents: flip(contents, 20), "version 0 of the format; expected 1"),
        (lambda contents: flip(contents, 24), "made for another map"),
        (lambda contents: flip(contents, 40), "made for another map"),
        (lambda contents: flip(contents, 68), "made for corners=oo; expected corners=no"),
        (lambda contents: flip(contents, 36 - 4), "damaged"),
        (lambda contents: flip(contents, 3000), "damaged"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(cave: Path, spoil: object, message: str) -> None:
    """The error names the file, the fault and what to do."""
    path, _ = precompute(cave)
    path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(
        InputFormatError, match=rf"cave\.map\.no\.jumps: .*{message}.*make it anew with searchkit precompute"
    ):
        answer(cave)


def test_a_changed_map_is_noticed(cave: Path) -> None:
    """After a cell is added or removed, the table no longer fits; a new one does."""
    path, _ = precompute(cave)
    cave.write_text(CAVE.replace("..@....@.", "..@..@.@."))
    with pytest.raises(InputFormatError, match="made for another map: the cells have changed since"):
        answer(cave)
    precompute(cave)
    assert answer(cave) is not None
    path.unlink()
    assert answer(cave) is not None


def test_a_file_of_the_other_rule_is_refused(cave: Path) -> None:
    """Even under the name of the right one."""
    path, _ = precompute(cave, options={"corners": "cut"})
    shutil.copy(path, cave.with_name("cave.map.no.jumps"))
    with pytest.raises(InputFormatError, match="made for corners=cut; expected corners=no"):
        answer(cave)


def test_a_directory_in_the_place_of_the_file(cave: Path) -> None:
    """The error says that the file can't be read."""
    cave.with_name("cave.map.no.jumps").mkdir()
    with pytest.raises(InputFormatError, match=r"cave\.map\.no\.jumps: can't be read"):
        answer(cave)


def test_options_that_say_nothing_of_a_table_are_refused(cave: Path) -> None:
    """A start, or 4 moves."""
    for options, message in (({"start": "0,0"}, "start=0,0: jump distances"), ({"moves": "4"}, "moves=4")):
        with pytest.raises(InvalidOptionError, match=message):
            precompute(cave, options=options)
    assert precompute(cave, options={"moves": 8})[0].is_file()


def test_terrain_is_refused(tmp_path: Path) -> None:
    """Runs are straight only where every cell costs the same."""
    path = tmp_path / "swamp.txt"
    path.write_text("S.5.G\n")
    with pytest.raises(MissingCapabilityError, match="floor that costs more than 1"):
        precompute(path)


@pytest.mark.parametrize("change", ["replaced", "overwritten", "emptied"])
def test_a_file_may_change_while_a_search_holds_its_table(cave: Path, change: str) -> None:
    """The checked contents are used: a table mapped into memory would change as well, or end the process (SIGBUS)."""
    path, _ = precompute(cave)
    problem: Any = load(cave, start=(0, 0), goal=(6, 0))
    table = read_table(path, problem.terrain, "no", make)
    before = bytes(table.data)
    if change == "replaced":
        cave.write_text(CAVE.replace(".....@...", "........."))
        precompute(cave)
    else:
        with path.open("r+b") as file:
            file.write(bytes(4000)) if change == "overwritten" else file.truncate()
    assert bytes(table.data) == before


def test_a_terrain_can_be_copied_to_another_process(cave: Path) -> None:
    """Its cached data, mapped into memory, do not prevent it."""
    precompute(cave)
    problem: Any = load(cave, start=(0, 0), goal=(6, 0))
    expected = solve(problem, "jps+", backend="compiled")
    copied = pickle.loads(pickle.dumps(problem.terrain))
    assert solve(make_grid(copied, problem.starts, problem.goals, 8), "jps+").solution == expected.solution
