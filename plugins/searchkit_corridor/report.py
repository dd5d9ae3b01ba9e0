"""What a search in a mask reports: one record per phase."""

from collections.abc import Hashable
from typing import Any

from attrs import define


@define
class PhaseReport:
    """One phase: what opened the mask, and what the search did until it had to open it further."""

    kind: str
    """`corridor`, `replan`, `ring`, `depth` or `unrestricted`: how the mask of this phase was made."""
    opened: frozenset[Hashable]
    """The regions that this phase added to the mask; empty for `unrestricted`, which has no mask."""
    regions: int
    """The regions in the mask; 0 for `unrestricted`."""
    depth: Any = None
    """The depth below which no state was entered; None without a mask by depth."""
    activated: int = 0
    """The states that were waiting outside the mask and came in."""
    expanded: int = 0
    generated: int = 0
    reopened: int = 0

    def __str__(self) -> str:
        at = "" if self.depth is None else f" at depth {self.depth}"
        size = "no mask" if self.kind == "unrestricted" else f"{self.regions:,} regions"
        return f"{self.kind}{at}: {size}, {self.expanded:,} expanded"
