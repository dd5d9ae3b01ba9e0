"""Pages that play recordings in a browser: style, script and data are in one HTML file, which loads nothing."""

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from searchkit.basics.files import reporting_unwritable, write_file
from searchkit.trace.file import pack
from searchkit.trace.recording import Recording

SCRIPTS = ("trace", "layout", "colour", "view", "map", "tree", "graph", "chart", "panel", "player")
"""The parts of the script, each of which uses the ones before it. The first two need no browser."""


def page(recordings: Recording[Any, Any] | Sequence[Recording[Any, Any]], title: str = "") -> str:
    """Return a page that plays recordings side by side, as the text of one HTML file.

    The page needs no network and no library: style, script and recordings are in it. Its security policy allows this
    script and this style, by their digests, and nothing else, whatever a label or a title holds.

    Args:
        recordings: one or several, of one problem or of several.
        title: what stands above; "" for the titles of the recordings.

    Raises:
        ValueError: there is no recording.
        InvalidOptionError: a recording has more events than a `.trace` file can have.

    """
    chosen = [recordings] if isinstance(recordings, Recording) else list(recordings)
    if not chosen:
        raise ValueError("a page needs at least one recording")
    return assemble(
        [pack(recording) for recording in chosen], title or ", ".join(one.title for one in chosen)
    )


def save_html(
    recordings: Recording[Any, Any] | Sequence[Recording[Any, Any]], path: str | Path, title: str = ""
) -> None:
    """Write the page of `page` to a file.

    Raises `InvalidOptionError` if the file can't be written; also what `page` raises.
    """
    text = page(recordings, title)
    with reporting_unwritable(path):
        write_file(Path(path), text)


def assemble(traces: Sequence[bytes], title: str) -> str:
    """Return the page that plays the contents of `.trace` files."""
    style, code = compact(part("player.css")), script()
    allowed = f"script-src {digest(code)}; style-src {digest(style)}; img-src data: blob:"
    values = {
        "POLICY": f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'",
        "TITLE": escape(title),
        "STYLE": style,
        "SCRIPT": code,
        "RECORDINGS": "\n".join(
            f'<script type="text/plain" class="recording">{b64encode(trace).decode()}</script>'
            for trace in traces
        ),
    }
    begin, *pieces = part("player.html").split("{{")
    return begin + "".join(
        values[name] + rest for name, _, rest in (piece.partition("}}") for piece in pieces)
    )


def digest(text: str) -> str:
    """Return what allows this script or this style in a security policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def script(*names: str) -> str:
    """Return parts of the script as one, all of them if none is named."""
    return "\n".join(compact(part(f"{name}.js")) for name in names or SCRIPTS)


def part(name: str) -> str:
    """Return the text of a file of this package."""
    return (files(__package__) / name).read_text(encoding="utf-8")


def compact(text: str) -> str:
    """Return a script or a style sheet without indentation, and without comments that have lines of their own."""
    text = re.sub(r"^\s*(/\*.*?\*/|//[^\n]*)$", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join(filter(None, map(str.strip, text.splitlines())))
