"""The state of a search in a mask between two expansions, all of it in the tree."""

from collections import deque
from collections.abc import Hashable, Iterator
from math import inf
from typing import Any, TypeAlias

from attrs import define, field

from searchkit_corridor.plan import Region
from searchkit_corridor.regions import Regions

Buckets: TypeAlias = dict[int, deque[Any]]
"""Cost so far → the states reached with this cost, first in, first out."""


@define
class PhaseReport:
    """A phase: how the mask was opened, and what the search did until the mask had to be opened further."""

    kind: str
    """How the mask was created: `corridor`, `replan`, `ring`, `depth` or `unrestricted`."""
    opened: frozenset[Hashable]
    """The regions added to the mask; empty for `unrestricted`, which has no mask."""
    regions: int
    """The number of regions in the mask; 0 for `unrestricted`."""
    depth: Any = None
    """The least depth of states; None without depths."""
    activated: int = 0
    """The number of deferred states that entered the mask."""
    expanded: int = 0
    generated: int = 0
    reopened: int = 0

    def __str__(self) -> str:
        at = "" if self.depth is None else f" at depth {self.depth}"
        size = "no mask" if self.kind == "unrestricted" else f"{self.regions:,} regions"
        return f"{self.kind}{at}: {size}, {self.expanded:,} expanded"


@define(eq=False)
class Frontier:
    """The mask, the states to expand inside it, and the deferred states outside it."""

    starts: tuple[Any, ...]
    mask: frozenset[Region] | None
    """The regions that can be entered; None for all."""
    least_depth: Any
    """The least depth of states; None if there are no depths."""
    deferred: Any
    """`Deferred`; or the arrays of a compiled search."""
    queue: deque[Any] = field(factory=deque)
    """The states to expand, in order; for the variants without reopening."""
    buckets: Buckets = field(factory=dict)
    """The states to expand by cost so far; for the variants that reopen states."""
    phases: list[PhaseReport] = field(factory=list)
    """A report for each phase, the current one last."""
    opened: set[Region] = field(factory=set)
    """All regions that have been in the mask."""
    searched: set[Region] = field(factory=set)
    """The regions in which a finished phase has reached a state."""
    scanned: int = 0
    """The number of reached states, in their order, whose regions are in `searched`."""
    widenings: int = 0
    """The number of widenings at the current depth."""
    fell_back: bool = False
    """Whether the search has given up the mask."""
    bound: Any = 0
    """A lower bound on the cost of any path."""
    goal: Any = None
    """The goal of the best known path, whose cost is `incumbent`."""
    incumbent: int | None = None

    @property
    def phase(self) -> PhaseReport:
        """The current phase."""
        return self.phases[-1]

    @property
    def regions_opened(self) -> int:
        """The number of regions that have been in the mask."""
        return len(self.opened)

    def least_open_cost(self, regions: Regions, least_depth: Any = None) -> Any:
        """Return a lower bound on the cost of paths through a deferred state; infinity if no state is deferred.

        With `least_depth`, only deferred states of at least that depth count. The bound is valid if arrivals are least
        costs in the mask: a path that leaves the mask has a first state outside it, which is deferred; up to there it
        lies in the mask, and `to_go` is a lower bound on the rest.
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
