from hypothesis import given
from hypothesis import strategies as st

from searchkit.plugin.drawing import Drawing, Mark
from searchkit.render.terminal import fitted, scaled

MARKS = {
    ".": Mark(".", "#000000", rank=0),
    "#": Mark("#", "#111111", rank=0),
    "+": Mark("+", "#222222", rank=1),
    "G": Mark("G", "#333333", rank=2),
}
sides = st.integers(1, 12)


@st.composite
def drawings(draw: st.DrawFn) -> Drawing:
    """Make a drawing with the marks above, at most 12 × 12."""
    width, height = draw(sides), draw(sides)
    row = st.text("".join(MARKS), min_size=width, max_size=width)
    return Drawing(draw(st.lists(row, min_size=height, max_size=height)), MARKS)


@given(sides, sides, sides, st.none() | sides)
def test_the_fitted_size_fits_and_is_never_larger_than_the_original(
    width: int, height: int, most_width: int, most_height: int | None
) -> None:
    """It fits the window and the original."""
    columns, rows = fitted(width, height, most_width, most_height)
    assert 1 <= columns <= min(width, most_width)
    assert 1 <= rows <= (height if most_height is None else min(height, most_height))


@given(sides, sides, sides, sides)
def test_the_fitted_size_has_the_same_proportions_to_within_one_cell(
    width: int, height: int, most_width: int, most_height: int
) -> None:
    """One side is as large as it can be, and the other follows from it, rounded down."""
    columns, rows = fitted(width, height, most_width, most_height)
    assert columns == max(1, width * rows // height) or rows == max(1, height * columns // width)
    assert columns == min(width, most_width) or rows == min(height, most_height)


@given(drawings(), st.data())
def test_every_block_shows_the_highest_rank_of_its_cells(drawing: Drawing, data: st.DataObject) -> None:
    """A mark is visible exactly if no cell of its block has a higher rank; the blocks cover every cell once."""
    columns, rows = data.draw(st.integers(1, drawing.width)), data.draw(st.integers(1, drawing.height))
    picture = scaled(drawing, columns, rows)
    assert [len(row) for row in picture] == [columns] * rows
    blocks: dict[tuple[int, int], list[str]] = {}
    for y, row in enumerate(drawing.rows):
        for x, cell in enumerate(row):
            i = next(i for i in range(columns) if x < (i + 1) * drawing.width // columns)
            j = next(j for j in range(rows) if y < (j + 1) * drawing.height // rows)
            blocks.setdefault((i, j), []).append(cell)
    assert len(blocks) == columns * rows
    for (i, j), cells in blocks.items():
        shown = picture[j][i]
        best = max(MARKS[cell].rank for cell in cells)
        assert shown in cells
        assert MARKS[shown].rank == best
        assert cells.count(shown) == max(cells.count(key) for key in MARKS if MARKS[key].rank == best)


def test_a_drawing_at_its_own_size_stays_as_it_is() -> None:
    """A drawing that fits is not scaled."""
    drawing = Drawing(("#.", "G+"), MARKS)
    assert scaled(drawing, 2, 2) == drawing.rows
