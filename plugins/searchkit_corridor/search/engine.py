"""Coarse-to-fine search in a mask of regions that widens."""

from collections.abc import Iterator
from typing import Any

from searchkit import SearchProblem
from searchkit.tree import SearchTree
from searchkit_corridor.regions import Regions
from searchkit_corridor.search.expansion import first_in_first_out, least_cost_first
from searchkit_corridor.search.phases import begin, conclude, next_phase, reopens


def corridor(
    problem: SearchProblem[Any, Any],
    tree: SearchTree[Any, Any],
    # Same lines as in searchkit_corridor.compiled.search: the options of the engine.
    variant: str = "optimal",
    radius: int = 2,
    budget: int = 32,
    activation: str = "list",
    learn: bool = True,
    semantics: str = "strict",
) -> Iterator[Any]:
    """Search inside a corridor that a coarse map suggests; widen it if it is too narrow (after Raphael 2001).

    The corridor is a shortest path over regions from the starts to the goals, with all regions at a distance of at most
    `radius`. States outside are deferred. If the search inside ends without a goal, the mask is widened; after `budget`
    widenings it is given up, so a misleading corridor never causes a wrong "no path".

    Complete. The path is a shortest one in the final mask (`restart`, `optimal`), any path (`fast`), or a shortest one
    (`proved`); see the lower bound of the result. Requires regions (`Relaxable`; the grids of the plugin `dungeon` have
    them) and unit costs. Time and memory are at worst those of breadth-first search, times the number of phases for
    `restart`.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_corridor import corridor_grid
        >>> result = solve(corridor_grid(["S..#....", "..##.##.", "......#G"], cell=2), "corridor", radius=0)
        >>> result.cost, [phase.kind for phase in result.details["phases"]]
        (13, ['corridor'])

    """
    regions = Regions.of(problem)
    restarts = variant == "restart"
    reopening = reopens(variant, semantics, by_depth=regions.depth is not None)
    if tree.frontier is None:
        begin(problem, tree, regions, radius, activation, reopening=reopening)
    while True:
        if reopening:
            yield from least_cost_first(problem, tree, regions, prune=variant == "proved")
        else:
            yield from first_in_first_out(problem, tree, regions)
        if conclude(problem, tree, regions, prove=variant == "proved", exact=reopening or restarts):
            return None
        next_phase(problem, tree, regions, radius, budget, learn, restarts=restarts)
