"""What the options of several problems share: lists of numbers as text, and errors that say what was expected."""

from collections.abc import Sequence

from searchkit.plugin import InvalidOptionError


def listing(value: object) -> str:
    """Return a list in its usual form: `1,2,5`. Takes such a text, with spaces or without, or any sequence."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, Sequence):
        raise ValueError("expected a list such as 1,2,5")
    return ",".join(str(part).strip() for part in parts)


def numbers(name: str, value: str | Sequence[int], least: int = 0, most: int = 1_000) -> tuple[int, ...]:
    """Return the whole numbers of a text such as `1,2,5`, or of a sequence. Raises `InvalidOptionError`."""
    words = value.split(",") if isinstance(value, str) else [str(number) for number in value]
    try:
        found = tuple(int(word) for word in words)
    except ValueError:
        found = ()
    if not found or not all(least <= number <= most for number in found):
        raise InvalidOptionError(
            f"{name}={listing(value)}: expected whole numbers from {least} to {most}, such as 1,2,5"
        )
    return found


def in_range(name: str, value: int, least: int, most: int) -> int:
    """Return a number. Raises `InvalidOptionError` if it is smaller than `least` or larger than `most`."""
    if not least <= value <= most:
        raise InvalidOptionError(f"{name}={value}: expected a number from {least} to {most}")
    return value


def one_of(name: str, value: str, choices: Sequence[str]) -> str:
    """Return a choice. Raises `InvalidOptionError` if it is not one."""
    if value not in choices:
        raise InvalidOptionError(f"{name}={value}: expected one of {', '.join(choices)}")
    return value


def board_size(value: str, most: int) -> tuple[int, int]:
    """Return width and height of a board, from a text such as `5x5`. Raises `InvalidOptionError`."""
    width, _, height = value.partition("x")
    if not (
        width.isdecimal() and height.isdecimal() and 1 <= int(width) <= most and 1 <= int(height) <= most
    ):
        raise InvalidOptionError(
            f"size={value}: expected width and height, such as 5x5, each from 1 to {most}"
        )
    return int(width), int(height)
