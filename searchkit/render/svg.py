"""What a command prints, as a picture for documents."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

from rich.console import Console

from searchkit.basics.files import write_text
from searchkit.errors import InvalidOptionError


def write_svg(path: Path, show: Callable[[Console], object], *, title: str, width: int = 100) -> None:
    """Write what `show` prints on a console of `width` columns, with colours, to an SVG file.

    Raises `InvalidOptionError` where the file can't be written.
    """
    console = Console(
        file=StringIO(),
        record=True,
        width=width,
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    show(console)
    picture = console.export_svg(title=title, unique_id="searchkit")
    try:
        write_text(path, picture)
    except OSError as error:
        raise InvalidOptionError(
            f"{path} can't be written: {error.strerror}; expected the path of a file in a directory that exists"
        ) from error
