"""Malicious texts: one error each, in every plugin, and memory in proportion to the length of the text."""

import tracemalloc
from pathlib import Path

import pytest

from searchkit import available_problems, load
from searchkit.errors import InputFormatError, SearchkitError
from searchkit.plugin.loading import load_scenario

LONG = "9" * 5000
"""More digits than Python converts to a number."""
TEXTS = {
    ".txt": [
        "{}\n1 2\n",
        "{}x{}\n1 2 3 0\n",
        "0{}x2\n1 2 3 0\n",
        "2x2\n1 2 3 0 = {}\n",
        "2x2\n1 2 {} 0\n",
        "S{}G\n",
        "-{}\n",
    ],
    ".gr": ["p sp {} 0\n", "p sp 2 1\na 1 2 {}\n", "p sp 2 1\na {} 2 1\n"],
    ".edges": ["A B {}\n", "{} B 1\n", "start {}\n{} 7 1\n", "node A {} 1\nA B 1\n"],
    ".map": [
        "type octile\nheight {}\nwidth 1\nmap\n.\n",
        "type octile\nheight 1\nwidth 000{}\nmap\n.\n",
        "type octile\nheight 999999999\nwidth 999999999\nmap\n.\n",
    ],
    ".agents": ["map\n..\n\n{},0 -> 1,0\n", "map {}.txt\n0,0 -> 1,0\n"],
}
CASES = [(suffix, text) for suffix, texts in TEXTS.items() for text in texts]


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("suffix", "text"), CASES)
@pytest.mark.parametrize("number", [LONG, "0" * 5000 + "1", "1e999", "nan", "\u0663", "\u00b2"])
def test_a_number_that_is_none_is_an_error_of_the_file(
    suffix: str, text: str, number: str, tmp_path: Path
) -> None:
    """Each plugin refuses it; numbers of more than 4,300 digits blocked every file."""
    path = tmp_path / f"hostile{suffix}"
    path.write_text(text.replace("{}", number), encoding="utf-8")
    for kind in (None, *available_problems()):
        try:
            load(path, kind)
        except SearchkitError as error:
            message = str(error)
        else:
            continue
        assert "raised" not in message  # which would blame a plugin


@pytest.mark.parametrize("number", [LONG, "1e999999999", "nan", "-1"])
@pytest.mark.parametrize("field", range(9))
def test_a_number_that_is_none_is_an_error_of_the_scenario(number: str, field: int, tmp_path: Path) -> None:
    """In each of the nine fields."""
    (tmp_path / "a.map").write_text("type octile\nheight 1\nwidth 2\nmap\n..\n")
    fields = ["0", "a.map", "2", "1", "0", "0", "1", "0", "1"]
    fields[field] = number
    path = tmp_path / "a.map.scen"
    path.write_text("version 1\n" + "\t".join(fields) + "\n")
    if field == 0:  # the bucket does not affect the query
        assert load_scenario(path).queries
    else:
        with pytest.raises(SearchkitError, match=r"a\.map\.scen: line 2"):
            load_scenario(path)


@pytest.mark.parametrize("nodes", [528_000_000, 2**32 - 1, 1_000_001])
def test_a_header_does_not_get_the_memory_it_asks_for(nodes: int, tmp_path: Path) -> None:
    """Regression: 33 bytes caused 4.7 GB of memory."""
    graph, places = tmp_path / "g.gr", tmp_path / "g.co"
    graph.write_text(f"p sp {nodes} 1\na 1 2 3\n")
    places.write_text(f"p aux sp co {nodes}\nv 1 0 0\n")
    tracemalloc.start()
    with pytest.raises(
        SearchkitError, match=r"nodes are announced; expected at most 1,000,000 in a file of .* characters"
    ):
        load(graph, start=1, goal=2)
    graph.write_text("p sp 2 1\na 1 2 3\n")
    with pytest.raises(
        SearchkitError, match=r"nodes are announced; expected at most 1,000,000 in a file of .* characters"
    ):
        load(graph, start=1, goal=2, coordinates=str(places))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000


ROBOTS = "{}\n0,0 -> 1,0\n"


@pytest.mark.parametrize("way", ["above", "absolute", "link", "folder that is a link"])
def test_a_file_of_robots_reads_no_map_outside_its_folder(way: str, tmp_path: Path) -> None:
    """Regression: `map ../../anything` was read; the user may name such a file, and a file may not."""
    outside, folder = tmp_path / "secret.txt", tmp_path / "given"
    outside.write_text("..\n")
    folder.mkdir()
    (folder / "linked.txt").symlink_to(outside)
    (folder / "up").symlink_to(tmp_path)
    name = {"above": "../secret.txt", "absolute": str(outside), "link": "linked.txt"}.get(
        way, "up/secret.txt"
    )
    file = folder / "yard.agents"
    file.write_text(ROBOTS.format(f"map {name}"))
    with pytest.raises(InputFormatError, match=r"line 1: the map .* points outside .*--set map=FILE"):
        load(file)
    assert load(file, map=str(outside))


def test_a_scenario_reads_no_map_outside_its_folder(tmp_path: Path) -> None:
    """A link beside it, or two dots."""
    outside, folder = tmp_path / "secret.map", tmp_path / "given"
    outside.write_text("type octile\nheight 1\nwidth 2\nmap\n..\n")
    folder.mkdir()
    (folder / "a.map").symlink_to(outside)
    for name in ("a.map", ".."):
        path = folder / "a.scen"
        path.write_text(f"version 1\n0\t{name}\t2\t1\t0\t0\t1\t0\t1\n")
        with pytest.raises(InputFormatError, match=r"points outside|is not beside"):
            load_scenario(path)
        assert load_scenario(path, map=str(outside)).queries
        with pytest.raises(InputFormatError, match=r"points outside|is not beside.*--set map=FILE"):
            load(path, "robots")
        assert load(path, "robots", map=str(outside))


def test_a_file_found_beside_another_may_not_lead_out_of_its_folder(tmp_path: Path) -> None:
    """Regression: coordinates of a graph and the map of a scenario were read through any link."""
    outside, folder = tmp_path / "secret", tmp_path / "given"
    folder.mkdir()
    (folder / "g.gr").write_text("p sp 2 1\na 1 2 3\n")
    (folder / "a.map").write_text("type octile\nheight 1\nwidth 2\nmap\n..\n")
    (folder / "g.co").symlink_to(outside)
    (folder / "a.map.scen").symlink_to(outside)
    guided = {"start": "1", "goal": "2", "heuristic": "straight-line"}
    outside.write_text("p aux sp co 2\nv 1 0 0\nv 2 3 0\n")
    with pytest.raises(InputFormatError, match=r"g\.co points outside .*--set coordinates=FILE"):
        load(folder / "g.gr", **guided)
    assert load(folder / "g.gr", **guided, coordinates=str(outside))
    outside.write_text("version 1\n0\ta.map\t2\t1\t0\t0\t1\t0\t1\n")
    with pytest.raises(InputFormatError, match=r"a\.map\.scen points outside .*name the scenario"):
        load_scenario(folder / "a.map")
