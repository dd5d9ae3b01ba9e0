"""The console on stdout, where results go."""

from rich.console import Console

from searchkit.cli._output import silence_stdout
from searchkit.render.terminal import Means


class ResultConsole(Console):
    """A console that lets a command finish with its own exit code when nobody reads on."""

    def on_broken_pipe(self) -> None:
        """Write nothing more."""
        self.quiet = True
        silence_stdout()

    @property
    def drawing_height(self) -> int | None:
        """The lines that a drawing may take, with room for its legend and the prompt; None if there is no window."""
        return max(1, self.height - 4) if self.is_terminal else None

    @property
    def means(self) -> Means:
        """What drawings can be made of: half blocks need the characters, and more than 16 colours to differ in."""
        coloured = self.color_system in ("256", "truecolor") and not self.no_color
        return "blocks" if coloured and not self.options.ascii_only else "glyphs"


def result_console() -> ResultConsole:
    """Return the console on stdout. Without a terminal it has no colours and is 80 or $COLUMNS characters wide."""
    return ResultConsole(highlight=False, markup=False, emoji=False)
