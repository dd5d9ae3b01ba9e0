"""The bank of cells, and rooms that grow out of it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit_dungeon import Cell, CellBank, GenerationError, Room
from searchkit_dungeon.generators.rooms import SHAPES


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
