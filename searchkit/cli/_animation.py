"""A path, state by state."""

from time import sleep
from typing import Any

from rich.live import Live
from rich.text import Text

from searchkit.cli._console import ResultConsole
from searchkit.cli._drawing import warn_of
from searchkit.render.frames import frames
from searchkit.render.terminal import to_text
from searchkit.result import Result
from searchkit.search.driver import Search

LONGEST_SECONDS = 20.0
"""How long an animation takes at most, however long the path is …"""
FRAME_SECONDS = 0.25
"""… and a frame."""


def animate(console: ResultConsole, search: Search[Any, Any], result: Result[Any, Any]) -> None:
    """Show the path found, or the partial one: in a terminal in one place, otherwise one frame below the other."""
    path = result.solution or result.partial
    if path is None:
        return
    states = path.states
    titled = (
        (f"state {number} of {len(states)}", frame)
        for number, frame in enumerate(frames(search.problem, states), 1)
    )
    height = None if console.drawing_height is None else max(1, console.drawing_height - 1)
    texts = (
        Text("\n").join([Text(title), to_text(frame, console.width, height, console.means)])
        for title, frame in titled
    )
    pause = min(FRAME_SECONDS, LONGEST_SECONDS / len(states))
    try:
        if console.is_terminal:
            with Live(console=console, auto_refresh=False, transient=True) as live:
                for text in texts:
                    live.update(text, refresh=True)
                    sleep(pause)
        else:
            for text in texts:
                console.print(text, no_wrap=True, crop=False)
    except BrokenPipeError:
        raise
    except Exception as error:
        warn_of(error)
