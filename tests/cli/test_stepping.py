"""Stepping through searches in a terminal, moments without one, and pictures of moments."""

import os
import re
import select
import subprocess
import termios
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FIELD = ("field", "S..#", ".#..", "...G")


def titles(text: str) -> list[str]:
    """Return the moments that were printed."""
    return re.findall(r"^\w+, expansion [\d,]+ of [\d,]+", text, re.MULTILINE)


def test_without_a_terminal_a_few_moments_are_printed(
    run: Callable[..., Any], file: Callable[..., Any]
) -> None:
    """Each with its drawing; the last one is the end."""
    outcome = run("watch", file(*FIELD), "--engine", "dijkstra")
    assert (outcome.code, outcome.err) == (0, "")
    last = int(titles(outcome.out)[-1].split()[-1])
    assert titles(outcome.out) == [
        f"dijkstra, expansion {at} of {last}" for at in sorted({last * n // 4 for n in range(1, 5)})
    ]
    assert "solved: cost" in outcome.out
    assert outcome.out.count(" current state") == 4
    one = run("watch", file(*FIELD), "--engine", "dijkstra", "--at", 2)
    assert titles(one.out) == [f"dijkstra, expansion 2 of {last}"]
    assert "f = " not in one.out


def test_pictures_of_a_moment(run: Callable[..., Any], file: Callable[..., Any], tmp_path: Path) -> None:
    """SVG, PNG, and animations with a frame for each moment up to the one asked for."""
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    names = {option: tmp_path / f"search.{option}" for option in ("svg", "png", "apng", "gif")}
    outcome = run(
        "watch", file(*FIELD), "--engine", "bfs", "--at", 4,
        "-o", names["svg"], "-o", names["png"], "-o", names["apng"],
    )  # fmt: skip
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.count("written: ") == 3
    root = ElementTree.fromstring(names["svg"].read_text(encoding="utf-8"))
    assert "expansion 4 of" in "".join(root.itertext())
    with image.open(names["png"]) as picture:
        assert (picture.format, getattr(picture, "n_frames", 1)) == ("PNG", 1)
        assert picture.size == tuple(2 * round(float(str(root.get(side)))) for side in ("width", "height"))
    assert run("watch", file(*FIELD), "--engine", "bfs", "--at", 4, "-o", names["gif"]).code == 0
    for name, kind in (("apng", "PNG"), ("gif", "GIF")):
        with image.open(names[name]) as picture:
            assert (picture.format, picture.n_frames) == (kind, 5)


def test_a_file_that_cannot_be_written(
    run: Callable[..., Any], file: Callable[..., Any], tmp_path: Path
) -> None:
    """One error before the search, which names the option."""
    for path, reason in ((tmp_path, "it is a directory"), (tmp_path / "no" / "x", "there is no directory")):
        outcome = run("watch", file(*FIELD), "-o", path)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.startswith(f"error: -o {path}: {reason}")
    (circle := tmp_path / "circle.svg").symlink_to(tmp_path / "circle.svg")  # it was a fault of searchkit
    assert run("watch", file(*FIELD), "-o", circle).code == 0


class Terminal:
    """A process on a terminal of its own, whose screen and keys the test has."""

    def __init__(self, command: list[str], environment: dict[str, str]):
        # The program's side is kept, so that its settings can be looked at.
        self.file, self.kept = os.openpty()
        self.process = subprocess.Popen(command, env=environment, preexec_fn=lambda: os.login_tty(self.kept))
        self.written = ""
        self.settings = termios.tcgetattr(self.kept)

    def wait_for(self, text: str) -> None:
        """Read until the program has written a text since the last key; fail after a minute."""
        end = time.monotonic() + 60
        while text not in self.written:
            assert time.monotonic() < end, f"no {text!r} in {self.written!r}"
            if select.select([self.file], [], [], 0.2)[0]:
                self.written += os.read(self.file, 65536).decode("utf-8", "replace")

    def press(self, keys: bytes) -> None:
        """Press keys."""
        self.written = ""
        os.write(self.file, keys)

    def ends_within(self, seconds: float) -> bool:
        """Wait for the end at most so many seconds; return whether it came."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            if select.select([self.file], [], [], 0.05)[0]:
                self.written += os.read(self.file, 65536).decode("utf-8", "replace")
        return self.process.poll() is not None

    def end(self) -> int:
        """Wait for the end, with the terminal as it was, and return the exit code."""
        assert self.ends_within(60)
        while select.select([self.file], [], [], 0)[0]:
            self.written += os.read(self.file, 65536).decode("utf-8", "replace")
        assert termios.tcgetattr(self.kept) == self.settings
        os.close(self.kept)
        os.close(self.file)
        return self.process.returncode


@pytest.fixture
def terminal(program: list[str], environment: dict[str, str], file: Callable[..., Any]) -> Terminal:
    """Return a terminal in which a search is watched."""
    shown = {"TERM": "xterm-256color", "LINES": "30", "COLUMNS": "100"}
    command = [*program, "watch", str(file(*FIELD)), "--engine", "dijkstra"]
    return Terminal(command, environment | shown)


def test_stepping_with_the_keys(terminal: Terminal) -> None:
    """Forwards and back, to both ends, playing to the end; the terminal is as before."""
    terminal.wait_for("expansion 0 of 9")
    terminal.wait_for("quit")
    for keys, text in (
        (b"\x1b[C", "expansion 1 of 9"),
        (b"\x1b[C", "expansion 2 of 9"),
        (b"\x1b[D", "expansion 1 of 9"),
        (b"\x1b[F", "expansion 9 of 9"),
        (b"\x1b[H", "expansion 0 of 9"),
        (b"\x1b[6~", "expansion 1 of 9"),
        (b"\x1b[5~", "expansion 0 of 9"),
        (b" ", "expansion 9 of 9"),
        (b"x\x1bOH", "expansion 0 of 9"),
        (b"", "expansion 0 of 9"),  # without a key: the window may have another size
    ):
        terminal.press(keys)
        terminal.wait_for(text)
    terminal.press(b"q")
    assert terminal.end() == 0
    assert "\x1b[?1049l" in terminal.written  # the screen before is shown again
    assert "\x1b[?25h" in terminal.written


def test_ctrl_c_leaves_the_terminal_as_it_was(terminal: Terminal) -> None:
    """It ends the program as q does."""
    terminal.wait_for("quit")
    for _ in range(5):  # Python drops an exception that comes in a callback of its garbage collector
        terminal.press(b"\x03")
        if terminal.ends_within(5):
            break
    assert terminal.end() == 0
    assert "\x1b[?1049l" in terminal.written
