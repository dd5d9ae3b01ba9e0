"""Pictures of problems and results: as text, SVG and PNG, whatever the problem is."""

import pickle
import xml.etree.ElementTree as ElementTree
from base64 import b64decode
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import pytest

from searchkit import Limits, Result, draw, load, problem_from, solve
from searchkit.plugin import Drawing, Mark, Places
from searchkit.render.maps import map_scene
from searchkit.render.scene import png
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


def test_a_graph_is_drawn_at_its_coordinates() -> None:
    """North is up; nodes that were not reached are shown too if there are few."""
    problem = load("island")
    root = parsed(draw(problem, solve(problem)).svg())
    names = {str(element.text): float(str(element.get("y"))) for element in root.iter(f"{SVG}text")}
    assert names["Springs"] < names["Ferry"]
    assert len(list(root.iter(f"{SVG}circle"))) == len(problem.network.names)  # type: ignore[attr-defined]


def test_edges_show_what_they_cost_where_costs_differ() -> None:
    """In graphs and in trees."""
    roads = {("a", "b"): 2, ("b", "c"): 3.25, ("a", "c"): 7}

    def steps(town: str) -> list[tuple[str, str]]:
        return [(to, to) for one, to in roads if one == town]

    towns: Any = problem_from(["a"], steps, "c".__eq__, cost=lambda town, road, to: roads[town, to])
    for problem, costs in (load("romania"), {"140", "101"}), (towns, {"2", "3.25"}):
        texts = {element.text for element in parsed(draw(problem, solve(problem)).svg()).iter(f"{SVG}text")}
        assert costs <= texts


def test_a_path_of_pictures_shows_the_first_and_the_last() -> None:
    """If its states are pictures, such as boards, and not places on a map."""
    counter: Any = problem_from(
        [1], lambda n: [("+1", n + 1)], (3).__eq__, draw=lambda n: "|" * n + "." * (3 - n)
    )
    assert str(draw(counter, solve(counter))).splitlines() == ["|.. → |||"]
    assert str(draw(counter)) == "|.."
