"""A problem written as text: what `load` reads back."""

from collections.abc import Mapping

from attrs import field, frozen


@frozen
class Written:
    """The text of a file that describes a problem, and what has to be said beside it."""

    kind: str
    """The name of the kind of problem: the second argument of `load`."""
    text: str
    options: Mapping[str, object] = field(factory=dict)
    """Options for `load`; those that have their default value are left out."""
