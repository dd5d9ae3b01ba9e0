"""Recorded searches in a terminal: stepped with the keys, played, or a few moments below each other."""

from collections.abc import Callable, Iterator, Sequence
from time import monotonic, sleep
from typing import Any

from attrs import define
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from searchkit.cli.console import ResultConsole
from searchkit.cli.terminal.keys import Keys, has_keyboard, pressed_keys
from searchkit.render.moments import Moments
from searchkit.render.terminal import legend, to_text
from searchkit.trace import Recording

GAP = 3
"""Columns between two searches that stand side by side."""
NARROWEST = 30
FRAME_SECONDS = 1 / 15
WHOLE_SECONDS = 15.0
"""How long it takes to play everything at the speed at the beginning."""
SLOWEST, FASTEST = 1.0, 1e6
"""Expansions per second."""
LEAPS = 20
"""Page up and page down go this share of everything."""
ANIMATION_FRAMES, LONGEST_FRAME_SECONDS = 150, 0.25
"""How many moments an animation without keys has at most, and how long one is shown at most."""
SHOWN = 4
"""The number of moments that are printed without a terminal."""
HELP = "space play/pause  ← → step  PgUp PgDn leap  Home End  + - speed  q quit"
AROUND = 7
"""The lines of a screen that are not the drawing."""


@define
class Clock:
    """The moment that is shown, and how it moves."""

    last: int
    """The last moment."""
    at: float = 0.0
    playing: bool = False
    speed: float = SLOWEST

    @classmethod
    def of(cls, last: int) -> "Clock":
        """Return a clock at the beginning, which plays everything in `WHOLE_SECONDS`."""
        return cls(last, speed=max(4 * SLOWEST, last / WHOLE_SECONDS))

    def press(self, key: str) -> bool:
        """Do what a key means. Return whether to go on."""
        if key in ("q", "Q", "escape"):
            return False
        steps = {"right": 1, "left": -1, "page down": self._leap, "page up": -self._leap}
        if key == "space":
            self.playing = not self.playing
            if self.playing and self.at >= self.last:
                self.at = 0.0
        elif key in steps:
            self.playing = False
            self.at = float(int(self.at) + steps[key])
        elif key == "home":
            self.at = 0.0
        elif key == "end":
            self.playing, self.at = False, float(self.last)
        elif key in "+=":
            self.speed = min(FASTEST, self.speed * 2)
        elif key in "-_":
            self.speed = max(SLOWEST, self.speed / 2)
        self.at = min(max(self.at, 0.0), float(self.last))
        return True

    @property
    def _leap(self) -> int:
        return max(1, self.last // LEAPS)

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        if self.playing:
            self.at = min(self.at + seconds * self.speed, float(self.last))
            self.playing = self.at < self.last


def step(console: ResultConsole, searches: Sequence[Moments]) -> None:
    """Show searches side by side, and step, play and leap with the keys, until q or Ctrl-C."""
    clock = Clock.of(max(map(len, searches)))
    with pressed_keys() as keys, Live(console=console, screen=True, auto_refresh=False) as live:
        try:
            _step(clock, keys, lambda: live.update(screen(console, searches, clock), refresh=True))
        except KeyboardInterrupt:
            return


def _step(clock: Clock, keys: Keys, show: Callable[[], None]) -> None:
    going = True
    while going:
        before = monotonic()
        show()
        key = keys.read(max(0.0, FRAME_SECONDS - (monotonic() - before)) if clock.playing else None)
        clock.pass_by(monotonic() - before)
        if key:
            going = clock.press(key)


def screen(console: ResultConsole, searches: Sequence[Moments], clock: Clock) -> RenderableType:
    """Return what the screen shows at a time: the searches, and a line about the keys."""
    share = int(clock.at / clock.last * 20) if clock.last else 20
    bar = f"{'━' * share}{'─' * (20 - share)} {'▶' if clock.playing else '⏸'} {clock.speed:,.0f}/s  {HELP}"
    bar_text = Text(
        bar if not console.options.ascii_only else HELP, style="dim", no_wrap=True, overflow="ellipsis"
    )
    return Group(beside(console, searches, int(clock.at), console.height - 1), bar_text)


def beside(
    console: ResultConsole, searches: Sequence[Moments], at: int, height: int | None
) -> RenderableType:
    """Return the searches at one moment, side by side where there is room."""
    columns = max(1, min(len(searches), (console.width + GAP) // (NARROWEST + GAP)))
    width = (console.width - GAP * (columns - 1)) // columns
    rows = -(-len(searches) // columns)
    each = None if height is None else max(1, height // rows)
    grid = Table.grid(padding=(0, GAP, 0, 0))
    cells = [moment(console, search.go(at), width, each) for search in searches]
    for first in range(0, len(cells), columns):
        grid.add_row(*cells[first : first + columns])
    return grid


def moment(console: ResultConsole, shown: Moments, width: int, height: int | None) -> Text:
    """Return a moment as text: title, lines about it, and the drawing or the frontier."""
    lines = [Text(shown.title(), style="bold"), *map(Text, shown.lines())]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    drawing = shown.drawing()
    if drawing is not None:
        room = None if height is None else max(1, height - AROUND)
        lines.append(to_text(drawing, width, room, console.means))
        lines.append(legend([drawing], width, room, console.means))
    if drawing is None or not shown.has_cells:
        table = Text(shown.table())
        table.truncate(width * 20)
        lines.append(table)
    return Text("\n").join(lines)


def view(
    console: ResultConsole,
    recordings: Sequence[Recording[Any, Any]],
    moment: int | None = None,
    *,
    beside_stdin: bool = False,
) -> None:
    """Step through searches in a terminal; print a few moments elsewhere, or the one that was asked for.

    If stdin was the source, keys are read from the terminal `beside_stdin`.
    """
    searches = list(map(Moments, recordings))
    if moment is not None:
        print_moments(console, searches, [moment])
    elif console.is_terminal and not console.is_dumb_terminal and has_keyboard(beside_stdin=beside_stdin):
        step(console, searches)
    else:
        print_moments(console, searches, spread(max(map(len, searches))))


def print_moments(console: ResultConsole, searches: Sequence[Moments], moments: Sequence[int]) -> None:
    """Print moments below each other."""
    for at in moments:
        for search in searches:
            console.print(moment(console, search.go(at), console.width, None), no_wrap=True, crop=False)
            console.print()


def spread(last: int, count: int = SHOWN) -> list[int]:
    """Return at most `count` moments, evenly spread, the last one included."""
    return sorted({last * number // count for number in range(1, count + 1)})


def animate_search(console: ResultConsole, recording: Recording[Any, Any]) -> None:
    """Show a recorded search: in place on a terminal, otherwise a few moments below each other."""
    search = Moments(recording)
    if not console.is_terminal:
        print_moments(console, [search], spread(len(search)))
        return
    frames = max(1, min(len(search), ANIMATION_FRAMES))
    with Live(console=console, auto_refresh=False, transient=True) as live:
        for at in _frames(len(search), frames):
            live.update(moment(console, search.go(at), console.width, console.height - 1), refresh=True)
            sleep(min(LONGEST_FRAME_SECONDS, WHOLE_SECONDS / frames))


def _frames(last: int, count: int) -> Iterator[int]:
    yield 0
    yield from spread(last, count)
