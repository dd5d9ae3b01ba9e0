"""Drawings as text: one glyph for each cell, or scaled down, in any window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from searchkit.plugin.drawing import Drawing, Mark
from searchkit.render.terminal import Means, fitted, legend, scaled, to_text

MARKS = {
    ".": Mark(".", "#101010"),
    "#": Mark("#", "#808080", "wall"),
    "+": Mark("*", "#ffff00", "path", 1),
    "x": Mark("x", "#ff0000", "", 2),
}
SMALL = Drawing(("#..", "+++"), MARKS)
LARGE = Drawing(("#" * 40,) * 38 + ("." * 40,) * 2, MARKS)


def looks(text: Text) -> list[list[tuple[str, str, str]]]:
    """Return, for each line, its runs: characters, colour and background."""
    lines: list[list[tuple[str, str, str]]] = []
    for line in text.split("\n", allow_blank=True):
        runs = []
        for span in line.spans:
            style = span.style
            assert not isinstance(style, str)
            fore, back = (colour.name if colour else "" for colour in (style.color, style.bgcolor))
            runs.append((line.plain[span.start : span.end], fore, back))
        lines.append(runs)
    return lines


@pytest.mark.parametrize("means", ["glyphs", "blocks"])
def test_a_drawing_that_fits_shows_one_glyph_per_cell(means: Means) -> None:
    """The glyph is the mark's, not the key, in the mark's colour."""
    text = to_text(SMALL, 3, 2, means)
    assert text.plain == "#..\n***"
    assert looks(text) == [[("#", "#808080", ""), ("..", "#101010", "")], [("***", "#ffff00", "")]]


def test_a_drawing_that_is_too_high_is_made_of_half_blocks_two_pixels_each() -> None:
    """The upper pixel is the colour of the character, the lower one its background; one colour is a full block."""
    text = to_text(SMALL, 3, 1)
    assert looks(text) == [[("▀", "#808080", "#ffff00"), ("▀▀", "#101010", "#ffff00")]]
    assert looks(to_text(Drawing(("##", "##"), MARKS), 2, 1)) == [[("██", "#808080", "")]]


@pytest.mark.parametrize("means", ["glyphs", "blocks"])
@pytest.mark.parametrize(
    ("width", "height"), [(40, 39), (39, 80), (10, 10), (7, 3), (2, 1), (200, 2), (3, None)]
)
def test_what_is_shown_is_never_larger_than_the_window(means: Means, width: int, height: int | None) -> None:
    """Scaled down, it still has all of its width and height."""
    lines = to_text(LARGE, width, height, means).plain.split("\n")
    assert max(map(len, lines)) <= width
    assert height is None or len(lines) <= height
    assert {len(line) for line in lines} == {len(lines[0])}


def test_the_legend_names_the_marks_that_are_shown_and_have_a_label() -> None:
    """In the order in which the author gives them."""
    assert legend([SMALL], 3, 2, across=80).plain == "# wall  * path"
    assert legend([SMALL], 3, 1, across=80).plain == "█ wall  █ path"
    assert legend([Drawing(("#",), MARKS), Drawing(("+",), MARKS)], 3, 1, across=80).plain == "# wall  * path"


def test_a_legend_too_long_for_one_line_breaks_between_its_entries() -> None:
    """No mark is separated from its label."""
    assert legend([SMALL], 10, 2).plain == "# wall\n* path"
    assert legend([SMALL], 14, 2).plain == "# wall  * path"


def test_the_legend_says_how_far_the_drawing_is_scaled_down() -> None:
    """The reader can see that cells are merged."""
    assert legend([LARGE], 20, across=80).plain == "█ wall  (scaled down 2 times)"
    assert legend([LARGE], 20, None, "glyphs", across=80).plain == "# wall  (scaled down 2 times)"


def test_marks_cannot_steer_a_terminal() -> None:
    """Their glyphs and labels may come from a file."""
    drawing = Drawing(["a"], {"a": Mark("\x1b[2J", "#ffffff", "wall\x1b]0;title\x07\n\u202e")})
    for means in ("glyphs", "blocks"):
        shown = to_text(drawing, 10, means=means).plain + legend([drawing], 80, means=means).plain
        assert not {"\x1b", "\x07", "\n", "\u202e"} & set(shown)


SIDES = st.integers(1, 12)


@given(SIDES, SIDES, SIDES, SIDES)
def test_a_fitted_size_is_as_large_as_it_can_be(
    width: int, height: int, most_width: int, most_height: int
) -> None:
    """It fits the window and the original; one side is as large as it can be, and the other follows from it."""
    columns, rows = fitted(width, height, most_width, most_height)
    assert 1 <= columns <= min(width, most_width)
    assert 1 <= rows <= min(height, most_height)
    assert columns == max(1, width * rows // height) or rows == max(1, height * columns // width)
    assert columns == min(width, most_width) or rows == min(height, most_height)


@given(st.data())
def test_every_block_shows_the_highest_rank_of_its_cells(data: st.DataObject) -> None:
    """The most frequent of these marks; the blocks cover every cell once."""
    width, height = data.draw(SIDES), data.draw(SIDES)
    row = st.text("".join(MARKS), min_size=width, max_size=width)
    drawing = Drawing(data.draw(st.lists(row, min_size=height, max_size=height)), MARKS)
    columns, rows = data.draw(st.integers(1, width)), data.draw(st.integers(1, height))
    picture = scaled(drawing, columns, rows)
    assert [len(row) for row in picture] == [columns] * rows
    blocks: dict[tuple[int, int], list[str]] = {}
    for y, line in enumerate(drawing.rows):
        for x, cell in enumerate(line):
            i = next(i for i in range(columns) if x < (i + 1) * width // columns)
            j = next(j for j in range(rows) if y < (j + 1) * height // rows)
            blocks.setdefault((i, j), []).append(cell)
    for (i, j), cells in blocks.items():
        best = max(MARKS[cell].rank for cell in cells)
        highest = [cell for cell in cells if MARKS[cell].rank == best]
        assert picture[j][i] in highest
        assert highest.count(picture[j][i]) == max(map(highest.count, highest))
