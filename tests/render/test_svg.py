from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from searchkit.errors import InvalidOptionError
from searchkit.plugin.drawing import Drawing, Mark
from searchkit.render.pictures import write_svg
from searchkit.render.terminal import to_text

DRAWING = Drawing(("ab",), {"a": Mark("a", "#123456"), "b": Mark("b", "#abcdef")})


def show(console: Console) -> None:
    """Print a drawing as tiles."""
    console.print(to_text(DRAWING, 10, None, "tiles"))


def test_the_picture_is_svg_in_the_colours_of_the_drawing(tmp_path: Path) -> None:
    """It is well-formed XML, and the same at each run."""
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    write_svg(first, show, title="a drawing")
    write_svg(second, show, title="a drawing")
    assert first.read_bytes() == second.read_bytes()
    root = ElementTree.parse(first).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    fills = {element.get("fill") for element in root.iter("{http://www.w3.org/2000/svg}rect")}
    assert {"#123456", "#abcdef"} <= fills


def test_a_file_that_can_t_be_written_is_one_clear_error(tmp_path: Path) -> None:
    """It names the file and says what was expected."""
    with pytest.raises(InvalidOptionError, match=r"picture\.svg can't be written: .*a directory that exists"):
        write_svg(tmp_path / "missing" / "picture.svg", show, title="")
