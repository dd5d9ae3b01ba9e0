"""The verdict on one property on one map."""

from attrs import frozen


@frozen
class Verdict:
    """Whether a property holds on a map; None where the map has no say in it."""

    right: bool | None
    message: str = ""
    """What is wrong, with the numbers that show it."""
    drawing: str = ""
    """The map, with what shows it drawn in."""
    answered: bool = True
    """Whether it is an answer that is wrong, and not that there was none."""
    at_state: bool = False
    """Whether the message names a state, which means nothing without its map."""


RIGHT = Verdict(True)
NO_SAY = Verdict(None)
