"""Handing what a search in memory has found over to a search on disk, which goes on from it."""

from attrs import frozen


@frozen
class Handed:
    """What was handed over."""

    expanded: int = 0
    """How many states the search on disk has not to expand any more."""
    why_not: str = ""
    """Why nothing was handed over; "" if something was."""
