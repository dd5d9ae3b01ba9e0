"""Markdown of tables, words and times."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Document = dict[str, Any]


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Yield the lines of a Markdown table, whose first `left` columns are words and the others numbers."""
    yield f"| {' | '.join(headings)} |"
    yield f"|{'|'.join('---' if column < left else '--:' for column in range(len(headings)))}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def words(text: str) -> str:
    """Return text as Markdown: its asterisks and bars are to be seen."""
    return text.replace("*", "\\*").replace("|", "\\|")


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds, to three digits or more."""
    return f"{seconds * 1e3:,.{3 if seconds < 1e-3 else 2 if seconds < 0.1 else 0}f}"
