"""Texts that people read: text of strangers, words of messages, states, and tables."""

from collections.abc import Collection, Iterable, Sequence
from sys import maxsize
from unicodedata import category

from searchkit.errors import quoted

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
PICTURES = 0x2400
"""The first of the characters that show control characters."""


def visible(text: str) -> str:
    """Return a text in which every character that is not shown, or that changes how others are shown, is replaced.

    These are control characters (such as the ones that begin a terminal's commands), marks that turn the direction of
    the text that follows, and what no file can hold. Ends of lines are kept.
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable() or character == "\n" or category(character) in ("Co", "Zs"):
        return character
    return chr(PICTURES + ord(character)) if character < " " else REPLACEMENT


def kind_of(value: object) -> str:
    """Return the type of a value with its article, as messages name it: `an int`, `a str`."""
    noun = type(value).__name__
    return f"{'an' if noun[0] in 'aeiouAEIO' else 'a'} {noun}"


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun: `1 state`, `1,200 states`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def state_text(state: object) -> str:
    """Return the `repr` of a state, also of parts of a tuple, in which the same state always has the same text.

    The elements of sets are sorted. An object whose class does not define `__repr__` shows its attributes.

    Example:
        >>> state_text((frozenset({"wolf", "goat"}), 1))
        "({'goat', 'wolf'}, 1)"

    """
    kind = type(state)
    if isinstance(state, frozenset) and kind is frozenset:
        return f"{{{', '.join(sorted(map(state_text, state)))}}}"
    if isinstance(state, tuple) and kind is tuple:
        return f"({', '.join(map(state_text, state))}{',' * (len(state) == 1)})"
    parts = getattr(state, "__dict__", None)
    if not parts or kind.__repr__ is not object.__repr__ or callable(state):
        return quoted(state, maxsize)
    return f"{kind.__name__}({', '.join(f'{name}={parts[name]!r}' for name in sorted(parts))})"


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
