"""Text and numbers from a student's process, made safe for terminals, pages and files."""

import unicodedata
from fractions import Fraction
from typing import Any

from searchkit.problem import Cost

LONGEST = 300
KEPT = "\n\t"
DIGITS = 40


def clean(text: Any, most: int = LONGEST, *, lines: bool = False) -> str:
    r"""Return text without characters that control a terminal or that can't be encoded, cut to `most` characters.

    Control characters, marks that change the direction of writing and lone surrogates become escapes such as `\x1b`.
    With `lines`, line ends and tabs are kept.
    """
    text = str(text)
    cut = text[:most]
    shown = "".join(c if (lines and c in KEPT) or not _acts(c) else _escape(c) for c in cut)
    return shown + "…" * (len(text) > most)


def _acts(character: str) -> bool:
    return character != " " and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def shown(value: Cost) -> str:
    """Return a number in a short form: integers unchanged, other numbers with six digits."""
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**DIGITS else _rough(value)
    if max(abs(value.numerator), value.denominator) >= 10**6:
        return _rough(value)
    return f"{value.numerator}/{value.denominator}"


def _rough(value: Cost) -> str:
    try:
        return f"{float(value):g}"
    except OverflowError:
        return f"{'-' * (value < 0)}a number of more than 300 digits"
