"""Values of options that several problems have."""

from collections.abc import Callable, Iterable
from operator import index
from typing import Any


def numbers(value: Any) -> tuple[int, ...]:
    """Return the whole numbers of a text such as `3,1,2`, or of a sequence. Raises ValueError."""
    try:
        return tuple(
            [
                int(word) if isinstance(word, str) else index(word)
                for word in (value.split(",") if isinstance(value, str) else value)
                if word != ""
            ]
        )
    except (ValueError, TypeError) as error:
        raise ValueError("expected whole numbers, such as 3,1,2") from error


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
