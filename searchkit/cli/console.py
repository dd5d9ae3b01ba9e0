"""The console on stdout, and the drawings that it shows."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep
from typing import Any

from rich.console import Console
from rich.text import Text

from searchkit.cli.app import silence_stdout
from searchkit.errors import PluginWarning
from searchkit.plugin.drawing import Drawing
from searchkit.plugin.places import places_of
from searchkit.render.drawings import frames, still, with_first
from searchkit.render.terminal import Means, legend, to_text
from searchkit.result import Result
from searchkit.search.driver import Search

LONGEST_SECONDS, FRAME_SECONDS = 20.0, 0.25
"""The longest time that an animation takes, for a path of any length, and that of one frame otherwise."""


class ResultConsole(Console):
    """A console that stays silent when the reader of stdout has gone, so that a command keeps its exit code."""

    def on_broken_pipe(self) -> None:
        """Discard all further output."""
        self.quiet = True
        silence_stdout()

    @property
    def drawing_height(self) -> int | None:
        """The number of lines for a drawing, with room for its legend and the prompt; None if there is no window."""
        return max(1, self.height - 4) if self.is_terminal else None

    @property
    def means(self) -> Means:
        """How drawings can be shown: half blocks need the characters and more than 16 colours."""
        coloured = self.color_system in ("256", "truecolor") and not self.no_color
        return "blocks" if coloured and not self.options.ascii_only else "glyphs"


def drawing_of(search: Any, result: Result[Any, Any]) -> Drawing | None:
    """Return the drawing of the path found, or of the partial path; None if no plugin draws the problem."""
    path = result.solution or result.partial
    return still(search.problem, path.states if path else (), search.tree.expanded_states())


@contextmanager
def warning_of_faults() -> Iterator[None]:
    """Warn if a drawing can't be shown; the result is printed anyway."""
    try:
        yield
    except BrokenPipeError:
        raise
    except Exception as error:
        said = f"the drawing can't be shown: {type(error).__name__}: {error}"
        warnings.warn(said, PluginWarning, stacklevel=3)


@warning_of_faults()
def print_drawing(
    console: ResultConsole, search: Search[Any, Any], result: Result[Any, Any], *, asked: bool = False
) -> None:
    """Print the drawing of a result and its legend; for a problem that has no places the tree of states, if asked."""
    path = result.solution or result.partial
    states = path.states if path else ()
    drawing = with_first(places_of(search.problem), states, drawing_of(search, result), console.width)
    if drawing is None and asked:
        from searchkit.render.draw import draw

        console.print(str(draw(search.problem, result)), soft_wrap=True)
    elif drawing is not None:
        room = console.width, console.drawing_height, console.means
        console.print(to_text(drawing, *room), no_wrap=True, crop=False)
        console.print(legend([drawing], *room))


@warning_of_faults()
def animate(console: ResultConsole, search: Search[Any, Any], result: Result[Any, Any]) -> None:
    """Show the path found, or the partial path: in place on a terminal, otherwise one frame below the other."""
    path = result.solution or result.partial
    if path is None:
        return
    height = None if console.drawing_height is None else max(1, console.drawing_height - 1)
    texts = (
        Text(f"state {number} of {len(path.states)}\n").append_text(
            to_text(frame, console.width, height, console.means)
        )
        for number, frame in enumerate(frames(search.problem, path.states), 1)
    )
    from rich.live import Live

    if not console.is_terminal:
        for text in texts:
            console.print(text, no_wrap=True, crop=False)
        return
    with Live(console=console, auto_refresh=False, transient=True) as live:
        for text in texts:
            live.update(text, refresh=True)
            sleep(min(FRAME_SECONDS, LONGEST_SECONDS / len(path.states)))
