"""The verdict on one property on one map."""

from attrs import frozen


@frozen
class Verdict:
    """Whether a property holds on a map."""

    right: bool
    message: str = ""
    """What is wrong, with the numbers."""
    drawing: str = ""
    """A drawing of the map that shows it."""
    answered: bool = True
    """Whether there was an answer."""
    at_state: bool = False
    """Whether the message names a state, so that it has to name the map as well."""


RIGHT = Verdict(True)
