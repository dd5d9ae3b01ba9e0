"""Commands, what they keep, and the pages and pictures that are made of it."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.__main__ import COMMANDS, main
from benchmarks.cpp.work import Row as LimitRow
from benchmarks.kit.documents import document, keep
from benchmarks.kit.spread import Spread
from benchmarks.machine_code import growth, scale
from benchmarks.pages import page, plot
from benchmarks.peers.tables import Row as PeersRow
from benchmarks.problems.robots import Row, Run, keep_solved


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`COMMAND --help` says what it measures, and is called as it was."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: python -m benchmarks {command} ")
    assert len(shown.split("\n\n")[1]) > 20  # a description
    assert command == "python" or hasattr(import_module(COMMANDS[command][0]), "main")


@pytest.mark.parametrize("file", page.PAGES, ids=lambda file: file.name)
def test_the_pages_say_what_was_measured(file: Path) -> None:
    """Each marked part is what `python -m benchmarks plot` writes from benchmarks/results now."""
    text = file.read_text(encoding="utf-8")
    assert page.MARKED.search(text)
    assert page.filled(text) == text


def test_the_page_has_every_table() -> None:
    """And the pictures that are drawn. Six tables are on other pages."""
    text = page.PAGES[0].read_text(encoding="utf-8")
    names = {match[2] for match in page.MARKED.finditer(text)}
    assert names == page.SECTIONS.keys() - {"readme", "power", "costs", "versions", "robots", "translated"}
    assert {f"benchmarks-{name}.svg" for name in plot.FIGURES} == set(re.findall(r"images/([\w.-]+)", text))
    assert all((plot.IMAGES / f"benchmarks-{name}.svg").is_file() for name in plot.FIGURES)


@pytest.mark.long  # it imports Matplotlib, and draws
def test_pictures_are_drawn_from_what_was_kept(tmp_path: Path) -> None:
    """Also where rows have problems; the same results give the same file."""
    ratio = Spread(2.0, 1.5, 3.0)
    keep(
        "limit",
        document(
            [
                LimitRow("fast", 2.0, "", 3, 0.1, 0.2, ratio, True),
                LimitRow("unbounded", None, "", 3, 0.1, 0.2, ratio, True),
                LimitRow("none", None, "", problem="no form"),
            ]
        ),
        tmp_path,
    )
    peers = [
        PeersRow("t", "searchkit", seconds=[1.0], value=1, ratio=Spread(1, 1, 1), ratio_with_building=1),
        PeersRow("t", "scipy", seconds=[2.0], value=1, ratio=ratio, ratio_with_building=2),
        PeersRow("t", "igraph", problem="not installed"),
    ]
    keep("peers", document(peers, titles={"t": "a task"}), tmp_path)
    rows = [growth.Row("series", f"{n}", n, n * 1e-6) for n in (10_000, 100_000)]
    keep("growth", document(rows, slopes={"series": growth.exponent(rows)}), tmp_path)
    beyond = [
        scale.Row("on disk", 4_000_000, 9, 2.0, 2.0, 250.0, 5.0),
        scale.Row("DuckDB", 3, 1, 1.0, 1.0, 9.0),
    ]
    keep("scale", document(beyond, ratios={}), tmp_path)
    row = Row(10, ["cbs"])
    row.runs["cbs"] = [Run(5, 1.0, 20.0), Run(9, 9.0, None)]
    keep_solved([row], "room", 5, tmp_path)
    files = plot.draw(tmp_path, tmp_path)
    assert [file.name for file in files] == [f"benchmarks-{name}.svg" for name in plot.FIGURES]
    first = [file.read_bytes() for file in files]
    assert b"unbounded" in first[0]
    assert b"scipy" in first[1]
    assert b"slope 1.00" in first[2]
    assert b"2.0 (250 MB, 4 million states)" in first[3]
    assert b"solved in 5 CPU seconds" in first[4]
    plot.draw(tmp_path, tmp_path)
    assert [file.read_bytes() for file in files] == first
