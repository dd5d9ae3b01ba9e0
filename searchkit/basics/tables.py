"""Tables of texts: printed, as HTML for notebooks, and as data frames."""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from importlib import import_module
from typing import Any

from searchkit.basics.notebooks import CELL
from searchkit.basics.text import visible
from searchkit.errors import MissingExtraError


def text_table(header: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[str] = ()) -> list[str]:
    """Return the lines of a table with aligned columns, the header first.

    Args:
        header: the names of the columns.
        rows: the cells of each row, without line breaks.
        left: the columns that are aligned to the left; numbers are aligned to the right.

    """
    table = [list(header), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if name in left else cell.rjust(width)
            for name, cell, width in zip(header, row, widths, strict=True)
        ).rstrip()
        for row in table
    ]


def html_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], gap: tuple[int, str] | None = None
) -> str:
    """Return a table as HTML. Labels and messages of strangers are escaped.

    Args:
        header: the names of the columns.
        rows: the cells of each row.
        gap: how many rows stand before a line that says what is left out, and the line; None for no such line.

    """

    def row(cells: Iterable[str], kind: str) -> str:
        inner = "".join(f"<{kind} {CELL}>{escape(visible(cell))}</{kind}>" for cell in cells)
        return f"<tr>{inner}</tr>"

    body = [row(cells, "td") for cells in rows]
    if gap is not None:
        body.insert(gap[0], f'<tr><td colspan="{len(header)}">{escape(gap[1])}</td></tr>')
    return f"<table><thead>{row(header, 'th')}</thead><tbody>{''.join(body)}</tbody></table>"


def data_frame(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Any:
    """Return a pandas data frame. Raises `MissingExtraError` if pandas is not installed."""
    try:
        pandas = import_module("pandas")
    except ImportError as error:
        raise MissingExtraError("a data frame needs pandas; install it: pip install pandas") from error
    return pandas.DataFrame(list(rows), columns=list(columns))
