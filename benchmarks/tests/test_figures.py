"""Commands, what they keep, and the pages and pictures that are made of it."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from subprocess import TimeoutExpired
from time import sleep
from typing import IO

import pytest

from benchmarks.__main__ import COMMANDS, main
from benchmarks.cpp.work import Row as LimitRow
from benchmarks.kit.documents import document, keep, kept
from benchmarks.kit.spread import Spread
from benchmarks.machine_code import growth, overhead, scale
from benchmarks.pages import every, page, plot
from benchmarks.peers.tables import Row as PeersRow
from benchmarks.problems.robots import Row, Run, keep_solved
from searchkit_tiles import SlidingTiles


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


def test_without_a_command_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown one is an error."""
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert all(re.search(rf"^  {command} ", listed, re.MULTILINE) for command in COMMANDS)
    assert main(["speed"]) == 2
    assert "error: there is no command 'speed'" in capsys.readouterr().err


@pytest.mark.parametrize("file", page.PAGES, ids=lambda file: file.name)
def test_the_pages_say_what_was_measured(file: Path) -> None:
    """Each marked part is what `python -m benchmarks plot` writes from benchmarks/results now."""
    text = file.read_text(encoding="utf-8")
    assert page.MARKED.search(text)
    assert page.filled(text) == text


def test_the_page_has_every_table() -> None:
    """And the pictures that are drawn. Five tables are on other pages."""
    text = page.PAGES[0].read_text(encoding="utf-8")
    names = {match[2] for match in page.MARKED.finditer(text)}
    assert names == page.SECTIONS.keys() - {"readme", "power", "costs", "versions", "robots"}
    assert {f"benchmarks-{name}.svg" for name in plot.FIGURES} == set(re.findall(r"images/([\w.-]+)", text))
    assert all((plot.IMAGES / f"benchmarks-{name}.svg").is_file() for name in plot.FIGURES)


def test_marked_parts_are_written_anew_and_the_rest_stays(tmp_path: Path) -> None:
    """Figures that were not measured are marked as such."""
    text = "before\n<!-- measured: growth -->\nold\n<!-- end -->\nafter\n"
    new = page.filled(text, tmp_path)
    assert new == (
        "before\n<!-- measured: growth -->\n\nNot measured yet: `python -m benchmarks growth`.\n\n<!-- end -->\nafter\n"
    )
    assert page.filled(new, tmp_path) == new


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


class Parts:
    """Stands in for the processes of the parts: each takes some minutes of a clock that only they move."""

    def __init__(self, minutes: float, fails: str = ""):
        self.minutes, self.fails, self.clock = minutes, fails, 0.0
        self.calls: list[list[str]] = []
        self.killed = 0

    def __call__(self, command: list[str], *, stderr: IO[str], start_new_session: bool) -> "Parts":
        assert start_new_session  # so that what a part has started is killed with it
        self.calls.append(command[3:])
        if command[3] == self.fails:
            stderr.write("Traceback …\nImportError: it is missing\n")
        return self

    def wait(self, seconds: float) -> int:
        self.clock += min(seconds, 60 * self.minutes)
        if seconds < 60 * self.minutes:
            raise TimeoutExpired("part", seconds)
        return int(self.calls[-1][0] == self.fails)

    def kill(self, process: "Parts") -> None:
        assert process is self
        self.killed += 1

    def monotonic(self) -> float:
        return self.clock


def stand_in(monkeypatch: pytest.MonkeyPatch, parts: Parts) -> Parts:
    """Let these parts run in place of the processes."""
    monkeypatch.setattr("benchmarks.pages.every.subprocess.Popen", parts)
    monkeypatch.setattr(every, "monotonic", parts.monotonic)
    monkeypatch.setattr(every, "_kill", parts.kill)
    return parts


def test_all_figures_come_from_one_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every part is run; one that fails says why in one line, and those after it are measured."""
    parts = stand_in(monkeypatch, Parts(1, fails="growth"))
    (tmp_path / "reference.cpp").touch()
    assert every.main([str(tmp_path / "reference.cpp"), "--results", str(tmp_path)]) == 1
    assert [words[0] for words in parts.calls] == [part.command for part in every.PARTS]
    assert parts.calls[0][:2] == ["limit", str(tmp_path / "reference.cpp")]
    assert all(words[-2:] == ["--results", str(tmp_path)] for words in parts.calls)
    assert all(words[0] in COMMANDS for words in parts.calls)
    shown = capsys.readouterr()
    assert shown.err == "growth: failed: ImportError: it is missing\n"
    assert "growth   │ failed: ImportError: it is missing" in shown.out
    assert "peers    │ measured" in shown.out
    assert sum(part.minutes for part in every.PARTS) <= every.MINUTES


def test_parts_that_take_too_long_leave_the_time_of_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is stopped, but after its own time at the earliest. Without a reference, two are left out."""
    parts = stand_in(monkeypatch, Parts(30))
    assert every.main(["--minutes", "20", "--results", str(tmp_path)]) == 1
    named = [part for part in every.PARTS if not part.reference]
    assert [words[0] for words in parts.calls] == [part.command for part in named]
    assert parts.killed == len(named)
    assert parts.clock == pytest.approx(20 * 60)
    shown = capsys.readouterr().out
    assert "limit    │ left out: it needs the C++ reference" in shown
    spare = 20 - sum(part.minutes for part in named)
    assert f"overhead │ stopped after {named[0].minutes + spare:.1f} minutes" in shown
    assert f"growth   │ stopped after {named[1].minutes:.1f} minutes" in shown


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it reads /proc")
def test_a_part_is_killed_with_what_it_has_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that it started does not go on beside the next part."""
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\nsleep 60 &\necho $! > {tmp_path}/started\nwait\n")
    script.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(script))
    assert every.run(every.PARTS[0], [], 1.5).said.startswith("stopped after 0.0 minutes")
    started = int((tmp_path / "started").read_text())
    for _ in range(2000):
        if not runs(started):
            return
        sleep(0.01)
    raise AssertionError("it runs on")


def runs(process: int) -> bool:
    """Whether a process runs: it may have ended, and nobody has asked for its exit code."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_reference_that_is_not_there_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is measured."""
    with pytest.raises(SystemExit) as ended:
        every.main(["nowhere.cpp"])
    assert ended.value.code == 2
    assert "nowhere.cpp is not a file" in capsys.readouterr().err


@pytest.mark.long
def test_growth_is_measured_and_fitted(tmp_path: Path) -> None:
    """Sizes in order; a search whose time is a constant for each state has slope 1, small sizes left out."""
    rows = [
        *growth.measure("grid", growth.grids([16, 32])),
        *growth.measure("tiles", growth.hashed([100, 1000])),
    ]
    rows += growth.measure("graph", growth.graphs([50, 500]))
    assert [row.states for row in rows] == sorted(row.states for row in rows[:2]) + [
        row.states for row in rows[2:]
    ]
    assert all(row.seconds > 0 for row in rows)
    line = [growth.Row("s", "", n, n / 1e7 + (n < 9_000)) for n in (10, 10_000, 100_000, 1_000_000)]
    assert growth.exponent(line) == pytest.approx(1)
    keep("growth", document([*rows, *line], slopes={"s": 1.0}), tmp_path)
    assert "Slopes on logarithmic axes, by least squares: 1.00 (s)." in page.SECTIONS["growth"](tmp_path)
    assert growth.table([row for row in line if row.states > 10]).row_count == 3


def test_overheads_are_measured_in_groups(tmp_path: Path) -> None:
    """The first of a group has the ratio 1; the same search expands the same with anybody looking on."""
    rows = overhead.measure("ties", overhead.ties(SlidingTiles(3, 3, (1, 0, 2, *range(3, 9)))), 1)
    assert rows[0].ratio == Spread(1, 1, 1)
    assert {row.name for row in rows} == {"high-g", "lifo", "fifo", "low-h"}
    small = overhead.measure("warm", overhead.small(), 1)
    assert {row.expanded for row in small if row.name.startswith("bfs")} == {98}
    assert all(row.target == overhead.TARGET for row in small)
    keep("overhead", document([*rows, *small]), tmp_path)
    assert "| ties | high-g |" in page.SECTIONS["overhead"](tmp_path)
    assert overhead.table([*rows, *small]).row_count == len(rows) + len(small)
    assert kept("nothing", tmp_path) is None


def in_this_process() -> scale.Row:
    """Return a row that tells which process made it."""
    return scale.Row("a search", 100, os.getpid(), 2.0, 3.0, 50.0, 4.0)


def test_two_searches_at_once_are_added_up() -> None:
    """States and CPU seconds are those of both, and each has a process of its own."""
    first, second = scale.at_once(in_this_process, 2)
    assert os.getpid() not in (first.depth, second.depth)
    row = scale.together(in_this_process)
    assert (row.name, row.states, row.cpu_seconds) == ("a search, two searches at once", 200, 4.0)
    assert (row.wall_seconds, row.memory, row.disk) == (3.0, 50.0, 4.0)


def test_ratios_of_searches_beyond_memory() -> None:
    """Each is a rate for a CPU-second compared with that of one search."""

    def row(name: str, rate: float) -> scale.Row:
        return scale.Row(name, 1_000_000, 9, 1 / rate, 1.0, 50.0)

    rows = [
        row("bfs, in memory", 2),
        row("external_bfs, serial", 5),
        row("external_bfs, processes:1", 4),
        row("external_bfs, processes:2", 3),
        row(f"external_bfs, serial, {scale.AT_ONCE}", 4.5),
    ]
    assert list(scale.ratios(rows).values()) == pytest.approx([2.5, 0.75, 0.9])
    assert scale.ratios(rows[:1]) == {}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_seconds_of_processes_that_were_not_waited_for() -> None:
    """Those of a child that still runs count."""
    text = "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True)\ninput()"
    before = scale.running_seconds()
    with subprocess.Popen(
        [sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert scale.running_seconds() - before >= 0.15
        child.kill()
