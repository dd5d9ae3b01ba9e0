"""The bank of cells, and rooms that grow out of it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit_dungeon import Cell, CellBank, GenerationError, Room
from searchkit_dungeon.generators.rooms import SHAPES

TAKEN = [(3, 3), (1, 4), (2, 1)]


def test_a_flood() -> None:
    """All 25 cells of a 5×5 bank; with three taken 22, none of them reached."""
    bank = CellBank.rectangle(5, 5)
    assert sorted(bank.flood((2, 2))) == sorted(bank)
    assert len(bank) == 25
    bank.take(TAKEN)
    assert len(bank.flood((2, 2))) == 22
    assert not set(bank.flood((2, 2))) & set(TAKEN)


def test_cells_are_taken_once_and_put_back() -> None:
    """What fails takes nothing."""
    bank = CellBank.rectangle(5, 5)
    bank.take(TAKEN)
    for cells in ([(0, 0), (3, 3)], [(5, 0)], [(0, 0), (-1, 0)]):
        with pytest.raises(GenerationError, match="is not free: it was taken before, or is off the map"):
            bank.take(cells)
    with pytest.raises(GenerationError, match=r"the cell \(3, 3\) is not free"):
        bank.flood((3, 3))
    assert (0, 0) in bank
    bank.put_back(TAKEN)
    assert sorted(bank) == sorted(CellBank.rectangle(5, 5))


def test_a_margin_is_left_out() -> None:
    """As walls around a map."""
    assert list(CellBank.rectangle(4, 3, margin=1)) == [(1, 1), (2, 1)]


def hangs_together(cells: set[Cell]) -> bool:
    """Whether straight steps lead from any of the cells to any other."""
    reached, waiting = set(), [min(cells)]
    while waiting:
        x, y = cell = waiting.pop()
        if cell in cells and cell not in reached:
            reached.add(cell)
            waiting += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return reached == cells


@given(
    st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1),
    st.integers(1, 70),
    st.sampled_from([*SHAPES, "mixed"]),
    st.data(),
)
def test_a_room_grows_from_what_is_free(free: set[Cell], size: int, shape: str, data: st.DataObject) -> None:
    """It is connected, has no cell twice, and has `size` cells, or all that are free; the bank loses these cells."""
    bank = CellBank(sorted(free))
    origin = data.draw(st.sampled_from(sorted(free)))
    space = set(bank.flood(origin))
    room = Room.grow(bank, size, origin, Random(data.draw(st.integers(0, 99))), shape)
    cells = set(room.cells)
    assert room.origin == origin
    assert len(room.cells) == len(cells) == min(size, len(space))
    assert cells <= space
    assert hangs_together(cells)
    assert set(bank) == free - cells


def test_rectangles_are_rectangles() -> None:
    """Where there is space, a room of 36 cells lacks at most its last two sides, whatever the seed."""
    for seed in range(50):
        room = Room.grow(CellBank.rectangle(40, 40), 36, (20, 20), Random(seed))
        columns, rows = {x for x, _ in room.cells}, {y for _, y in room.cells}
        assert len(columns) * len(rows) <= 36 + len(columns) + len(rows)


@pytest.mark.parametrize(
    ("size", "origin", "shape", "message"),
    [
        (0, (0, 0), "round", "a room of 0 cells can't be made; expected a size of at least 1"),
        (3, (5, 5), "round", r"the cell \(5, 5\) is not free"),
        (3, (0, 0), "star", "there is no shape 'star'; there are rectangle, round, rough and mixed"),
    ],
)
def test_a_room_that_can_not_be(size: int, origin: Cell, shape: str, message: str) -> None:
    """There is one error, and the bank is unchanged."""
    bank = CellBank.rectangle(5, 5)
    with pytest.raises(GenerationError, match=message):
        Room.grow(bank, size, origin, Random(1), shape)
    assert len(bank) == 25
