"""Drawings as text: one glyph for each cell, or scaled down, in any window."""

import pytest
from rich.text import Text

from searchkit.plugin import Drawing, Mark
from searchkit.render.terminal import Means, legend, to_text

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
    assert legend([SMALL], 3, 2).plain.replace("\n", "  ") == "# wall  * path"
    assert legend([SMALL], 3, 1).plain.replace("\n", "  ") == "█ wall  █ path"
    assert (
        legend([Drawing(("#",), MARKS), Drawing(("+",), MARKS)], 3, 1).plain.replace("\n", "  ")
        == "# wall  * path"
    )


def test_the_legend_says_how_far_the_drawing_is_scaled_down() -> None:
    """The reader can see that cells are merged."""
    assert legend([LARGE], 20).plain.replace("\n", "  ") == "█ wall  (scaled down 2 times)"
    assert legend([LARGE], 20, None, "glyphs").plain.replace("\n", "  ") == "# wall  (scaled down 2 times)"


def test_marks_cannot_steer_a_terminal() -> None:
    """Their glyphs and labels may come from a file."""
    drawing = Drawing(["a"], {"a": Mark("\x1b[2J", "#ffffff", "wall\x1b]0;title\x07\n\u202e")})
    for means in ("glyphs", "blocks"):
        shown = to_text(drawing, 10, means=means).plain + legend([drawing], 80, means=means).plain
        assert not {"\x1b", "\x07", "\n", "\u202e"} & set(shown)
