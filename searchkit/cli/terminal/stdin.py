"""Standard input as a source: `-` in place of a file."""

import sys
from typing import TextIO

import typer

from searchkit.basics.files import LARGEST_STREAM, as_text
from searchkit.errors import InputFormatError
from searchkit.plugin.files import Source

STDIN = "-"
STDIN_NAME = "<stdin>"
"""How messages name standard input."""


def read_stdin() -> Source:
    """Read standard input to its end, and return it as a source. A terminal is asked for the text.

    Raises `InputFormatError` if it is closed, empty, longer than 256 MiB, or not UTF-8 text.
    """
    stream = sys.stdin
    if stream is None:  # closed by the shell, as in `searchkit solve - <&-`
        raise InputFormatError("it is closed; expected a map", source=STDIN_NAME)
    if stream.isatty():
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        typer.echo(f"reading a map from the keyboard; {end} on a new line ends it", err=True)
    text = _read(stream)
    if not text.strip():
        raise InputFormatError(
            "there is nothing to read; expected a map, as in: searchkit generate maze | searchkit solve -",
            source=STDIN_NAME,
        )
    return Source.of(text, STDIN_NAME)


def _read(stream: TextIO) -> str:
    most = LARGEST_STREAM
    binary = getattr(stream, "buffer", None)  # another program may have put a text in its place
    try:
        contents = stream.read(most + 1) if binary is None else binary.read(most + 1)
    except OSError as error:
        raise InputFormatError(f"can't be read: {error.strerror or error}", source=STDIN_NAME) from error
    if len(contents) > most:
        raise InputFormatError(
            f"it has more than {most:,} bytes, which is the most that is read", source=STDIN_NAME
        )
    return contents if isinstance(contents, str) else as_text(contents, STDIN_NAME)
