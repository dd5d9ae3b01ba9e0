"""Recorded searches in a terminal: stepped with the keys, played, or a few moments below each other."""

import os
import re
import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

from attrs import define
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from searchkit.cli.console import ResultConsole
from searchkit.render.moments import Moments
from searchkit.render.terminal import legend, to_text
from searchkit.trace import Recording

GAP, MIN_WIDTH = 3, 30
"""Columns between two searches that stand side by side, and the fewest of each."""
FRAME_SECONDS, STILL_SECONDS, WHOLE_SECONDS = 1 / 15, 1.0, 15.0
"""How long a frame is shown, at most, while it plays and while it is paused: its size may change. And how long it takes
to play everything."""
LEAPS = 20
"""Page up and page down go this share of everything."""
HELP = "space play/pause  ← → step  PgUp PgDn leap  Home End  q quit"
AROUND = 7
"""The lines of a screen that are not the drawing."""
KEY = re.compile(r"\x1b(?:[\[O][\d;]*[A-Za-z~])?|.", re.DOTALL)
"""The characters of one key."""
NAMES = {"\x1b": "q", " ": "space", "D": "left", "C": "right", "5~": "page up", "6~": "page down"}
NAMES |= {"H": "home", "1~": "home", "7~": "home", "F": "end", "4~": "end", "8~": "end"}
"""What a key sends, without ESC and [ or O, on the terminals in use. Other characters are their own names."""


@contextmanager
def pressed_keys() -> Iterator[Callable[[float], Sequence[str]]]:
    """Yield a function that waits for keys, at most so many seconds, and returns their names.

    After the block, however it ends, the terminal is as it was before. Raises `OSError` if the process has no terminal,
    and `ImportError` on Windows.
    """
    import termios
    import tty

    def read_keys(seconds: float) -> Sequence[str]:
        if not select.select([terminal], [], [], seconds)[0]:
            return []
        keys: list[str] = KEY.findall(os.read(terminal, 64).decode("utf-8", "ignore"))
        return [NAMES.get(key[2:] or key, key) for key in keys] or ["q"]  # the end of the input

    # That of the process; its stdin may be another file.
    terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)  # Ctrl-C keeps its meaning
        yield read_keys
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        os.close(terminal)


@define
class Clock:
    """The moment that is shown, and how it moves."""

    last: int
    """The last moment."""
    at: float = 0.0
    playing: bool = False

    def press(self, key: str) -> bool:
        """Do what a key means. Return False if it quits."""
        leap, end = max(1, self.last // LEAPS), self.last
        steps = {"right": 1, "left": -1, "page down": leap, "page up": -leap, "home": -end, "end": end}
        if key == "space":
            self.playing = not self.playing
            self.at = 0.0 if self.playing and self.at >= end else self.at
        elif key in steps:
            self.playing, self.at = False, min(max(int(self.at) + steps[key], 0), end)
        return key not in ("q", "Q")

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        if self.playing:
            self.at = min(self.at + seconds * max(4.0, self.last / WHOLE_SECONDS), self.last)
            self.playing = self.at < self.last


def step(console: ResultConsole, searches: Sequence[Moments]) -> None:
    """Show searches side by side, and step, play and leap with the keys, until q or Ctrl-C."""
    clock, going = Clock(max(map(len, searches))), True
    with pressed_keys() as read_keys, Live(console=console, screen=True, auto_refresh=False) as live:
        try:
            while going:
                before = monotonic()
                live.update(screen(console, searches, clock), refresh=True)
                left = max(0.0, FRAME_SECONDS - (monotonic() - before))
                keys = read_keys(left if clock.playing else STILL_SECONDS)
                clock.pass_by(monotonic() - before)
                going = all(map(clock.press, keys))
        except KeyboardInterrupt:
            return


def screen(console: ResultConsole, searches: Sequence[Moments], clock: Clock) -> RenderableType:
    """Return what the screen shows at a time: the searches, and a line about the keys."""
    below = Text(HELP, style="dim", no_wrap=True, overflow="ellipsis")
    columns = max(1, min(len(searches), (console.width + GAP) // (MIN_WIDTH + GAP)))
    width = (console.width - GAP * (columns - 1)) // columns
    height = max(1, (console.height - 1) // -(-len(searches) // columns))
    grid = Table.grid(padding=(0, GAP, 0, 0))
    cells = [moment_text(console, search.go(int(clock.at)), width, height) for search in searches]
    for first in range(0, len(cells), columns):
        grid.add_row(*cells[first : first + columns])
    return Group(grid, below)


def moment_text(console: ResultConsole, shown: Moments, width: int, height: int | None) -> Text:
    """Return a moment as text: title, lines about it, and the drawing or the frontier."""
    lines = [Text(shown.title(), style="bold"), *map(Text, shown.lines())]
    for line in lines if height else ():
        line.truncate(width, overflow="ellipsis")
    drawing = shown.drawing()
    if drawing is not None:
        room = None if height is None else max(1, height - AROUND)
        lines.append(to_text(drawing, width, room, console.means))
        lines.append(legend([drawing], width, room, console.means))
    if drawing is None or not (shown.current is None or shown.cells(shown.current)):
        lines.append(Text(shown.table()[: width * 20]))
    return Text("\n").join(lines)


def view(
    console: ResultConsole, recordings: Sequence[Recording[Any, Any]], moment: int | None = None
) -> None:
    """Step through searches in a terminal; print a few moments elsewhere, or the one that was asked for."""
    searches = list(map(Moments, recordings))
    if moment is None and console.is_terminal and not console.is_dumb_terminal:
        with suppress(OSError, ImportError):
            step(console, searches)
            return
    for at in spread(max(map(len, searches))) if moment is None else [moment]:
        for search in searches:
            text = moment_text(console, search.go(at), console.width, None)
            console.print(text, end="\n\n", no_wrap=True, overflow="ignore", crop=False)


def spread(last: int, count: int = 4) -> list[int]:
    """Return at most `count` moments, evenly spread, the last one included."""
    return sorted({last * number // count for number in range(1, count + 1)})
