"""Words of messages, and text of strangers that is to be shown: labels and names."""

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


def kind_of(value: object) -> str:
    """Return the type of a value with its article, as messages name it.

    Example:
        >>> kind_of(1), kind_of("a")
        ('an int', 'a str')

    """
    noun = type(value).__name__
    return f"{'an' if noun[0] in 'aeiouAEIO' else 'a'} {noun}"


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun.

    Example:
        >>> quantity(1, "state"), quantity(1200, "state")
        ('1 state', '1,200 states')

    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def readable_state(state: object) -> str:
    """Return the text of a state; the elements of sets, also within tuples, are sorted, so that the text is stable.

    Example:
        >>> readable_state((frozenset({"wolf", "goat"}), 1))
        "({'goat', 'wolf'}, 1)"

    """
    return stable_repr(state) if type(state) in (frozenset, tuple) else str(state)


def stable_repr(value: object) -> str:
    """Return the `repr` of a value with the elements of sets sorted, also within tuples."""
    if type(value) is frozenset:
        return f"{{{', '.join(sorted(map(stable_repr, value)))}}}" if value else "{}"
    if type(value) is tuple:
        return f"({', '.join(map(stable_repr, value))}{',' * (len(value) == 1)})"
    return repr(value)
