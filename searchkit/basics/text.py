"""Text of strangers that is to be shown: labels, names and messages."""

from unicodedata import category

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
PICTURES = 0x2400
"""The first of the characters that show control characters."""


def visible(text: str) -> str:
    """Return a text in which every character that is not shown, or that changes how others are shown, is replaced.

    These are control characters (such as the ones that begin a terminal's commands), marks that turn the direction of
    the text that follows, and what no file can hold. Ends of lines are kept.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    kind = category(character)
    if character == "\n" or kind[0] not in "CZ" or kind in ("Co", "Zs"):
        return character
    if kind in ("Zl", "Zp"):
        return " "
    if kind == "Cc" and ord(character) < 0x20:
        return chr(PICTURES + ord(character))
    return REPLACEMENT
