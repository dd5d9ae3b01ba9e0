import pytest
from rich.color import ColorParseError
from rich.text import Text

from searchkit.plugin.drawing import Drawing, Mark
from searchkit.render.terminal import Means, drawing_size, legend, to_text

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


def test_an_odd_last_row_of_pixels_has_no_background() -> None:
    """Below the drawing there is nothing to show."""
    three = Drawing(("#", "#", "+"), MARKS)
    assert looks(to_text(three, 1, 2)) == [[("█", "#808080", "")], [("▀", "#ffff00", "")]]


@pytest.mark.parametrize("means", ["glyphs", "blocks", "tiles"])
@pytest.mark.parametrize(
    ("width", "height"), [(40, 39), (39, 80), (10, 10), (7, 3), (2, 1), (200, 2), (3, None)]
)
def test_what_is_shown_is_never_larger_than_the_window(means: Means, width: int, height: int | None) -> None:
    """Scaled down, it still has all of its width and height."""
    lines = to_text(LARGE, width, height, means).plain.split("\n")
    assert max(map(len, lines)) <= width
    assert height is None or len(lines) <= height
    assert {len(line) for line in lines} == {len(lines[0])}


@pytest.mark.parametrize("means", ["glyphs", "blocks"])
def test_proportions_are_kept(means: Means) -> None:
    """A square drawing takes half as many lines as columns, characters being twice as high as wide."""
    lines = to_text(LARGE, 20, None, means).plain.split("\n")
    assert (len(lines[0]), len(lines)) == (20, 10)
    lines = to_text(LARGE, 100, 10, means).plain.split("\n")
    assert (len(lines[0]), len(lines)) == (20, 10)


def test_without_colours_a_block_shows_the_glyph_of_the_highest_rank() -> None:
    """The path is visible even if it is one cell of many."""
    rows = ["." * 20] * 20
    rows[7] = "." * 12 + "+" + "." * 7
    text = to_text(Drawing(tuple(rows), MARKS), 10, None, "glyphs")
    assert text.plain.split("\n") == ["." * 10] + ["......*..."] + ["." * 10] * 3


def test_tiles_are_squares_of_background_colour() -> None:
    """Each cell is two spaces, so that an image of them has no gaps."""
    assert looks(to_text(SMALL, 6, None, "tiles")) == [
        [("  ", "", "#808080"), ("    ", "", "#101010")],
        [("      ", "", "#ffff00")],
    ]


def test_tiles_are_one_character_wide_where_the_drawing_fits_only_so() -> None:
    """A drawing that is out of proportion is preferred to one that is scaled down."""
    assert to_text(SMALL, 5, None, "tiles").plain == "   \n   "
    assert to_text(SMALL, 2, None, "tiles").plain == "  "


def test_the_legend_names_the_marks_that_are_shown_and_have_a_label() -> None:
    """In the order in which the author gives them."""
    assert legend([SMALL], 3, 2, across=80).plain == "# wall  * path"
    assert legend([SMALL], 3, 1, across=80).plain == "█ wall  █ path"
    assert legend([SMALL], 6, None, "tiles", across=80).plain == "   wall     path"
    assert legend([Drawing(("#",), MARKS), Drawing(("+",), MARKS)], 3, 1, across=80).plain == "# wall  * path"


def test_a_legend_too_long_for_one_line_breaks_between_its_entries() -> None:
    """No mark is separated from its label."""
    assert legend([SMALL], 10, 2).plain == "# wall\n* path"
    assert legend([SMALL], 14, 2).plain == "# wall  * path"


def test_the_legend_says_how_far_the_drawing_is_scaled_down() -> None:
    """The reader can see that cells are merged."""
    assert legend([LARGE], 20, across=80).plain == "█ wall  (scaled down 2 times)"
    assert legend([LARGE], 20, None, "glyphs", across=80).plain == "# wall  (scaled down 2 times)"


def test_an_empty_drawing_is_an_empty_text() -> None:
    """It has no rows, or rows of no cells."""
    for empty in (Drawing((), MARKS), Drawing(("", ""), MARKS)):
        assert to_text(empty, 10, 10).plain == ""
        assert legend([empty], 10, 10).plain == ""


def test_a_colour_that_is_none_is_an_error() -> None:
    """It is the plugin's fault, and is reported as such."""
    with pytest.raises(ColorParseError):
        to_text(Drawing(("a",), {"a": Mark("a", "greenish")}), 1, 1)


def test_the_layout_of_a_large_map_in_a_window() -> None:
    """The worked example of the documentation: 512 × 512 cells in 80 × 21 characters."""
    huge = Drawing(("." * 512,) * 512, MARKS)
    chosen = drawing_size(huge, 80, 21, "blocks")
    assert (chosen.kind, chosen.columns, chosen.rows) == ("blocks", 42, 42)


def test_marks_cannot_steer_a_terminal() -> None:
    """Their glyphs and labels may come from a file."""
    drawing = Drawing(["a"], {"a": Mark("\x1b[2J", "#ffffff", "wall\x1b]0;title\x07\n\u202e")})
    for means in ("glyphs", "blocks", "tiles"):
        shown = to_text(drawing, 10, means=means).plain + legend([drawing], 80, means=means).plain
        assert not {"\x1b", "\x07", "\n", "\u202e"} & set(shown)
