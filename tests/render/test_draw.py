"""Pictures of problems and results: as text, SVG and PNG, whatever the problem is."""

import pickle
import sys
import xml.etree.ElementTree as ElementTree
from base64 import b64decode
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest

from searchkit import Limits, Result, draw, load, problem_from, solve
from searchkit.errors import MissingExtraError
from searchkit.plugin import Drawing, Mark, Places, Route
from searchkit.render.graphs import MARKS
from searchkit.render.maps import map_scene
from searchkit.render.scene import luminance, on, png, to_svg
from searchkit_dungeon import grid
from tests.helpers import every_example

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</script></text><script>alert(1)</script>\x1b[31m\u202egnp\x00\ud800&\"'"


def parsed(svg: str) -> ElementTree.Element:
    """Return an SVG document, which is well formed and holds no code."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {"svg", "title", "rect", "g", "path", "image", "polyline", "circle", "text"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not any(name.startswith("on") for name in attributes)
    return root


@pytest.mark.parametrize(("kind", "name"), every_example())
def test_every_example_has_a_picture(kind: str, name: str) -> None:
    """By itself and with a search that was cut off or solved; as text of at most 110 columns, too."""
    problem = load(name, kind)
    result = solve(problem, limits=Limits(expansions=300), backend="python")
    for picture in (draw(problem), draw(problem, result)):
        root = parsed(picture.svg())
        assert len(list(root)) > 1
        text = str(picture)
        assert "can't be drawn" not in text
        assert max(map(len, text.splitlines())) <= 110
    assert len(list(root.iter(f"{SVG}text"))) > 1  # an empty board alone may have nothing to explain
    shown = [element.text for element in root.iter(f"{SVG}text")]
    assert str(result).split()[0] in str(shown[0])


def test_the_path_is_a_line_and_cells_are_squares() -> None:
    """With the colours of the marks, and letters where they tell more than a colour."""
    problem = grid(["S.#", "5.G"])
    root = parsed(draw(problem, solve(problem, "dijkstra")).svg())
    lines = [line for line in root.iter(f"{SVG}polyline") if line.get("stroke") == "#ffd23f"]
    x, y = zip(*[map(float, point.split(",")) for point in str(lines[0].get("points")).split()], strict=True)
    assert len(x) == 4  # two turns
    assert (x[0] < x[-1], y[0] < y[-1]) == (True, True)
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts[2:6] == ["S", "5", "G", "S"]  # after the caption three in the map; the next is in the legend
    assert {"start", "goal", "path", "wall", "costs 5"} <= set(texts)


def test_png_shows_the_same() -> None:
    """Two pixels for each of the picture; a cell has the colour of its mark."""
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    from searchkit.render.image import to_png

    scene = map_scene(Drawing(["ab"], {"a": Mark(" ", "#102030"), "b": Mark(" ", "#f0e442")}))
    shown = image.open(BytesIO(to_png(scene)))
    assert shown.size == (round(scene.width * 2), round(scene.height * 2))
    assert {(0x10, 0x20, 0x30), (0xF0, 0xE4, 0x42)} <= {colour[:3] for _, colour in shown.getcolors(1000)}


def test_large_maps_are_embedded_as_images() -> None:
    """So that the file stays small; the pixels are those of the map."""
    image = pytest.importorskip("PIL.Image")
    rows = [["#000000" if (x * y) % 3 else "#abcdef" for x in range(90)] for y in range(70)]
    shown = image.open(BytesIO(png(rows)))
    assert shown.size == (90, 70)
    assert all(
        shown.getpixel((x, y)) == ((0,) * 3 if (x * y) % 3 else (0xAB, 0xCD, 0xEF))
        for x in range(90)
        for y in range(70)
    )
    svg = draw(load("random512")).svg()
    assert len(svg) < 150_000
    (embedded,) = parsed(svg).iter(f"{SVG}image")
    data = str(embedded.get("href")).removeprefix("data:image/png;base64,")
    assert image.open(BytesIO(b64decode(data))).size == (512, 512)


def test_notebooks_get_an_image_that_is_always_shown() -> None:
    """Not only inline SVG, which a notebook that is not trusted leaves out."""
    picture = draw(grid(["S.G"]))
    bundle = picture._repr_mimebundle_()
    assert bundle.keys() == {"text/plain", "image/svg+xml", "text/html"}
    tag = ElementTree.fromstring(bundle["text/html"].replace(">", "/>"))
    kind, data = str(tag.get("src")).split(",")
    assert (tag.tag, kind) == ("img", "data:image/svg+xml;base64")
    assert b64decode(data).decode() == bundle["image/svg+xml"] == picture.svg()
    assert picture._repr_mimebundle_().keys() == {"text/plain", "image/svg+xml", "text/html"}


def test_labels_can_do_no_harm() -> None:
    """Neither in a page, nor in a terminal, nor in a file; the text keeps its order."""
    problem = problem_from([HOSTILE], lambda s: [("x", s + "1")], lambda s: len(s) > len(HOSTILE))
    picture = draw(problem, solve(problem))
    shown = [element.text for element in parsed(picture.svg()).iter(f"{SVG}text")]
    assert any("</script>" in str(text) for text in shown)
    text = str(picture)
    assert "\N{SYMBOL FOR ESCAPE}[31m" in text
    assert not any(character in text for character in "\x1b\x00\u202e\ud800")
    text.encode()
    if find_spec("resvg_py"):
        assert picture.png().startswith(b"\x89PNG")


def failing(*arguments: object) -> Any:
    """Raise an exception, as a faulty problem does."""
    raise ValueError("no\nway </svg>")


def test_what_cannot_be_drawn_is_a_sentence() -> None:
    """In every form."""
    picture = draw(problem_from([0], failing, lambda state: False))
    assert str(picture) == "This problem can't be drawn: ValueError: no way </svg>"
    texts = [element.text for element in parsed(picture.svg()).iter(f"{SVG}text")]
    assert " ".join(map(str, texts)) == str(picture)


def test_results_of_every_kind() -> None:
    """No path, a start that is a goal, a copy without its search, and states without places."""
    closed = grid(["S#G"])
    assert "no path" in draw(closed, solve(closed)).svg()
    here: Any = problem_from([0], lambda state: [], lambda state: True)
    assert str(draw(here, solve(here))) == "0  (start)"
    problem = grid(["S..", "..G"])
    result: Result[Any, Any] = pickle.loads(pickle.dumps(solve(problem)))
    assert str(draw(problem, result)).startswith("S··\n●●G")
    lost: Places[int] = Places(Drawing(["."], {".": Mark(".", "#ffffff", "floor")}), cells=lambda state: ())
    assert map_scene(lost.ground).shapes  # type: ignore[arg-type]


def test_without_pillow_there_is_no_png(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(
        MissingExtraError, match=r"^images need resvg-py and pillow; install them: .*\[viz\]'$"
    ):
        draw(grid(["S.G"])).png()


def test_a_colour_has_one_form() -> None:
    """It can't leave an attribute of the SVG document."""
    with pytest.raises(ValueError, match="colour"):
        Mark("a", '"/><script/>', "a")


def test_walks_are_labelled_lines_beside_each_other() -> None:
    """Two walks over the same cells are both visible."""
    marks = {".": Mark(".", "#3b414d"), "1": Mark("1", "#ffd23f", "walk"), "2": Mark("2", "#4cc9f0", "walk")}
    cells = [(x, 0) for x in range(5)]
    routes = [Route(cells, {".": key}, f"robot {key}") for key in "12"]
    root = parsed(to_svg(map_scene(Drawing(["....."], marks), routes)))
    lines = [line for line in root.iter(f"{SVG}polyline") if line.get("stroke") in ("#ffd23f", "#4cc9f0")]
    heights = [str(line.get("points")).split(",")[1].split()[0] for line in lines[:2]]
    assert len(set(heights)) == 2
    assert {"robot 1", "robot 2"} <= {text.text for text in root.iter(f"{SVG}text")}


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def test_colours_differ_in_greyscale() -> None:
    """Ground, expanded cells, walls and the path of a map; text is legible on each."""
    marks = {mark.label: mark.colour for mark in map_marks().values()}
    steps = [marks[label] for label in ("floor", "expanded", "wall", "path")]
    for number, one in enumerate(steps):
        assert contrast(one, on(one)) > 4.5
        assert all(contrast(one, other) > 1.5 for other in steps[:number])
    kinds = [MARKS[kind].colour for kind in ("expanded", "absent", "on the path", "open")]
    assert [luminance(colour) for colour in kinds] == sorted(map(luminance, kinds))
    assert all(contrast(one, other) > 1.3 for one, other in pairwise(kinds))


def map_marks() -> dict[str, Mark]:
    """Return the marks of a map."""
    from searchkit.plugin.places import places_of

    ground = places_of(grid(["S.#.G"])).ground
    assert ground is not None
    return dict(ground.marks)


def test_a_graph_is_drawn_at_its_coordinates() -> None:
    """North is up; nodes that were not reached are shown too if there are few."""
    problem = load("island")
    root = parsed(draw(problem, solve(problem)).svg())
    names = {str(element.text): float(str(element.get("y"))) for element in root.iter(f"{SVG}text")}
    assert names["Springs"] < names["Ferry"]
    assert len(list(root.iter(f"{SVG}circle"))) == len(problem.names)  # type: ignore[attr-defined]
