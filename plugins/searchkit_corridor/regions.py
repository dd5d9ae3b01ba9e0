"""Regions: the interface by which the engine searches in a mask, and `relax`, which adds regions to any problem."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import frozen

from searchkit import Cost, SearchProblem
from searchkit.plugin import InvalidProblemError, has_cost, has_heuristic
from searchkit_corridor.plan import Neighbours, Region, Route, around_over, route_over
from searchkit_corridor.problem import BlockRegions, block_regions


@frozen
class Regions:
    """The functions of a problem that the engine calls, looked up once.

    The first three are the members of `searchkit.Relaxable`. A problem may define the others as well; the defaults are
    derived from the first three.
    """

    region: Callable[[Any], Region]
    neighbours: Neighbours
    goal_regions: Callable[[], Iterable[Region]]
    around: Callable[[Iterable[Region], int], set[Region]]
    """(regions, radius) → the regions at a distance of at most radius, by default in steps of `neighbours`."""
    route: Route
    """The planner of corridors, by default over `neighbours`."""
    to_go: Callable[[Region], Cost] | None
    """Region → a lower bound on the cost from any state in it to a goal; None if no bound is known."""
    depth: Callable[[Any], Cost] | None
    """State → its depth, the minimum of which over a path is to be maximised; None for problems without depths."""
    region_depth: Callable[[Region], Cost] | None
    """Region → an upper bound on the depths in it; None if no bound is known."""
    side: int
    """About how many actions it takes to cross a region."""
    has_heuristic: bool
    """Whether the heuristic of the problem is a lower bound on the actions to a goal, and consistent."""

    @classmethod
    def of(cls, problem: Any) -> "Regions":
        """Look up the functions of a problem; for a plain grid, those of its blocks."""
        grid = problem
        problem = block_regions(problem) or problem
        neighbours = problem.neighbours
        return cls(
            problem.region,
            neighbours,
            problem.goal_regions,
            getattr(problem, "around", None) or around_over(neighbours),
            getattr(problem, "route", None) or route_over(neighbours, problem.goal_regions),
            getattr(problem, "to_go", None),
            getattr(problem, "depth", None),
            getattr(problem, "region_depth", None),
            getattr(problem, "side", 1),
            isinstance(problem, BlockRegions) and not has_cost(grid),
        )


def relax(
    problem: SearchProblem[Any, Any],
    region: Callable[[Any], Region],
    neighbours: Neighbours | Mapping[Any, Iterable[Any]],
    goal_regions: Iterable[Region] | None = None,
    *,
    depth: Callable[[Any], Cost] | None = None,
    to_go: Callable[[Any], Cost] | None = None,
) -> SearchProblem[Any, Any]:
    """Return the same problem with regions, so that the engine `corridor` can search it.

    Args:
        problem: any problem in which every action costs 1.
        region: state → its region, anything hashable but None.
        neighbours: the region graph as a function or a mapping: region → the regions of the successors of its states.
            Additional regions cause detours, and missing regions needless fall-backs. Neither makes a path invalid,
            but a missing region can make the reported lower bound wrong.
        goal_regions: the regions that contain goals; by default those of `problem.goal_states()`.
        depth: state → its depth; the engine finds a deepest path and, among these, a short one.
        to_go: region → a lower bound on the cost from any state in it to a goal.

    Raises:
        InvalidProblemError: `goal_regions` is left out and the problem can't list its goals.

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [(1, x + 1), (-1, x - 1)], lambda x: x == 40)
        >>> tens = relax(line, lambda x: x // 10, lambda ten: [ten - 1, ten + 1], goal_regions=[4])
        >>> result = solve(tens, "corridor", radius=0)
        >>> result.cost, result.statistics.reached
        (40, 42)

    """
    if goal_regions is None:
        goals = getattr(problem, "goal_states", None)
        if goals is None:
            raise InvalidProblemError(
                f"{problem!r} has no goal_states(), and a corridor needs to know where it leads: "
                "give goal_regions, the regions that hold goals"
            )
        goal_regions = [region(state) for state in goals()]
    graph: Any = neighbours
    function = (lambda region: graph.get(region, ())) if isinstance(graph, Mapping) else graph
    relaxed: Any = RelaxedProblem(problem, tuple(goal_regions))
    vars(relaxed).update(region=region, neighbours=function, depth=depth, to_go=to_go)
    return relaxed  # type: ignore[no-any-return]  # its members are attributes


class RelaxedProblem:
    """A problem with regions: see `relax`. It has its functions as attributes, so a call costs no more."""

    def __init__(self, problem: SearchProblem[Any, Any], goal_regions: tuple[Region, ...]):
        self.problem, self._goal_regions = problem, goal_regions
        names = ["initial_states", "successors", "is_goal"]
        names += [name for name, has in (("cost", has_cost), ("heuristic", has_heuristic)) if has(problem)]
        names += [name for name in ("goal_states", "predecessors") if hasattr(problem, name)]
        vars(self).update({name: getattr(problem, name) for name in names})

    def goal_regions(self) -> Iterable[Region]:
        """Return the regions that contain goals."""
        return self._goal_regions

    def __repr__(self) -> str:
        return f"relax({self.problem!r}, …)"
