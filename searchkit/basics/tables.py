"""Tables of texts: printed, and as HTML for notebooks."""

from collections.abc import Collection, Iterable, Sequence

from searchkit.basics.notebooks import CELL
from searchkit.basics.text import visible


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


def html_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as HTML. Labels and messages of strangers are escaped."""
    from html import escape  # its table of entities takes time, and only notebooks need it

    def row(cells: Iterable[str], kind: str) -> str:
        inner = "".join(f"<{kind} {CELL}>{escape(visible(cell))}</{kind}>" for cell in cells)
        return f"<tr>{inner}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table><thead>{row(header, 'th')}</thead><tbody>{body}</tbody></table>"
