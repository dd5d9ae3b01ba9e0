"""Values of options that several problems have."""

from collections.abc import Callable, Iterable
from typing import Any


def text_of(rows: str | Iterable[str]) -> str:
    """Return rows as one text; a text is returned as it is."""
    return rows if isinstance(rows, str) else "\n".join(rows)


def board_size(most: int) -> Callable[[Any], str]:
    """Return a function that checks the size of a board, such as `5x5`. It raises ValueError for other values."""

    def check(value: Any) -> str:
        sides = str(value).split("x")
        if len(sides) != 2 or not all(side.isdecimal() and 1 <= int(side) <= most for side in sides):
            raise ValueError(f"expected width and height, such as 5x5, each from 1 to {most}")
        return str(value)

    return check
