"""What a search in a mask holds between two expansions: all of it is in the tree, and none in the generator."""

from collections import deque
from collections.abc import Hashable, Iterator
from math import inf
from typing import Any, TypeAlias

from attrs import define, field

from searchkit_corridor.plan import Region
from searchkit_corridor.regions import Regions

Buckets: TypeAlias = dict[int, deque[Any]]
"""Cost so far → the states that were reached at it, first in first out."""


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


@define(eq=False)
class Frontier:
    """The mask, the states to be expanded inside it and the states deferred outside it."""

    starts: tuple[Any, ...]
    mask: frozenset[Region] | None
    """The regions that may be entered; None for all."""
    least_depth: Any
    """The depth below which no state is entered; None if there are no depths."""
    deferred: Any
    """`Deferred`; or the arrays of a compiled search."""
    queue: deque[Any] = field(factory=deque)
    """States in the order in which they will be expanded; for the variants without reopening."""
    buckets: Buckets = field(factory=dict)
    """The same by cost so far, for the variants that reopen states."""
    phases: list[PhaseReport] = field(factory=list)
    """One record for each phase, the present one last."""
    opened: set[Region] = field(factory=set)
    """The regions that were in the mask at any time."""
    searched: set[Region] = field(factory=set)
    """The regions in which a phase that is over has reached a state."""
    scanned: int = 0
    """How many of the states reached, in their order, have gone into `searched`."""
    widenings: int = 0
    """How often the mask was widened since it was last planned anew."""
    fell_back: bool = False
    """Whether the mask was given up."""
    bound: Any = 0
    """A lower bound on the cost of any path, known before the search."""
    goal: Any = None
    """The goal of the best path so far, while `incumbent` is its cost."""
    incumbent: int | None = None

    @property
    def phase(self) -> PhaseReport:
        """The present phase."""
        return self.phases[-1]

    @property
    def regions_opened(self) -> int:
        """How many regions were in the mask at any time."""
        return len(self.opened)

    def least_open_cost(self, regions: Regions, least_depth: Any = None) -> Any:
        """Return the least cost that a path through a deferred state may have; infinity if none is deferred.

        Of the paths that stay at `least_depth` or below, if that is given. Only where arrivals are least costs in the
        mask: any path that leaves the mask has a first state outside it, which is deferred; up to there it lies in the
        mask, and from there `to_go` bounds what is left.
        """
        to_go, depth = regions.to_go, regions.depth
        least: dict[Region, Any] = {}
        for state, arrival, region in self.deferred:
            if region in least and least[region] <= arrival[0]:
                continue
            if least_depth is None or depth is None or depth(state) >= least_depth:
                least[region] = arrival[0]
        return min((g + (to_go(region) if to_go else 0) for region, g in least.items()), default=inf)

    def __len__(self) -> int:
        return len(self.queue) + sum(map(len, self.buckets.values()))

    def __iter__(self) -> Iterator[Any]:
        yield from self.queue
        for bucket in self.buckets.values():
            yield from bucket
