"""Numbers given on the command line."""

from math import inf

from searchkit.errors import InvalidLimitError
from searchkit.limits import Limits


def read_limits(expansions: str | None, seconds: str | None, memory: str | None) -> Limits:
    """Read the options `--max-…`. Raises `InvalidLimitError`."""
    return Limits(
        expansions=whole_number("--max-expansions", expansions),
        seconds=_number("--max-seconds", seconds),
        memory=_number("--max-memory", memory),
    )


def whole_number(option: str, text: str | None, least: int = 0) -> int | None:
    """Read a whole number; None stays None. Raises `InvalidLimitError`."""
    if text is None:
        return None
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise InvalidLimitError(f"{option} {text}: expected a whole number ≥ {least}")
    return number


def _number(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < inf:
        raise InvalidLimitError(f"{option} {text}: expected a number ≥ 0")
    return number
