"""Numbers given on the command line."""

from math import inf
from typing import TYPE_CHECKING

from attrs import evolve

from searchkit.errors import InvalidLimitError
from searchkit.search.limits import Limits

if TYPE_CHECKING:
    from searchkit.coursework.endings import RunLimits


def read_limits(expansions: str | None, seconds: str | None, memory: str | None) -> Limits:
    """Read the options `--max-…`. Raises `InvalidLimitError`."""
    return Limits(
        expansions=whole_number("--max-expansions", expansions),
        seconds=_number("--max-seconds", seconds),
        memory=_number("--max-memory", memory),
    )


def run_limits(default: "RunLimits", seconds: str | None, memory: str | None) -> "RunLimits":
    """Read `--max-seconds` and `--max-memory` for a process of its own. Raises `InvalidLimitError`."""
    most, megabytes = _number("--max-seconds", seconds), _number("--max-memory", memory)
    if most == 0 or megabytes == 0:
        raise InvalidLimitError("--max-seconds, --max-memory: expected numbers > 0")
    return evolve(
        default,
        seconds=default.seconds if most is None else most,
        memory=default.memory if megabytes is None else megabytes,
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
