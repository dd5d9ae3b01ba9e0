"""Heuristics of the contracted problem, with their guarantees as data that tests read."""

from collections.abc import Callable, Mapping
from typing import Literal

from attrs import frozen

from searchkit_keys.contraction.routes import Contraction
from searchkit_keys.heuristics.sums import (
    Heuristic,
    combined,
    crossings,
    furthest_and_missing,
    minimum_spanning_tree,
    regions,
    zero,
)


@frozen
class HeuristicSpec:
    """A heuristic and its guarantees."""

    name: str
    make: Callable[[Contraction], Heuristic]
    summary: str
    admissible: Literal["always", "on forests with one robot per region"] = "always"
    """Where the heuristic never overestimates. A region is the part that a robot can reach if all doors are open; a
    forest has no loops."""
    consistent: bool = True
    """Whether the value never drops by more than the cost of an action."""

    @property
    def label(self) -> str:
        """Name and guarantees in one line."""
        where = "" if self.admissible == "always" else f" {self.admissible}"
        consistent = "consistent" if self.consistent else "not consistent"
        return f"{self.name} ({self.summary}; admissible{where}, {consistent})"


DEFAULT = "combined"
HEURISTICS: Mapping[str, HeuristicSpec] = {
    bound.name: bound
    for bound in (
        HeuristicSpec(DEFAULT, combined, "sum over the regions of the largest of crossings, regions and mst"),
        HeuristicSpec(
            "crossings", crossings, "how often the order of the keys makes robots cross each bridge"
        ),
        HeuristicSpec("regions", regions, "sum over the regions of the furthest missing key"),
        HeuristicSpec("mst", minimum_spanning_tree, "minimum spanning tree of robots and missing keys"),
        HeuristicSpec("zero", zero, "always 0"),
        HeuristicSpec(
            "furthest+missing-1",
            furthest_and_missing,
            "longest route from a robot not yet moved to a missing key next to it, and a step for each other one",
            admissible="on forests with one robot per region",
            consistent=False,
        ),
    )
}
