"""Jump point search with a precomputed table."""

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

from searchkit import SearchProblem
from searchkit.engines.kit import enter_starts
from searchkit.tree import Arrival, SearchTree, Trail
from searchkit_dungeon.jumps.runs import ANY
from searchkit_dungeon.jumps.table import TabledJumps
from searchkit_dungeon.terrain import LENGTHS, OFFSETS, Cell


@runtime_checkable
class TabledGrid(Protocol):
    """A grid with 8 moves on which entering any cell costs 1, with a table of its straight runs."""

    def tabled_jumps(self) -> TabledJumps:
        """Return the straight runs over the grid. Raises `MissingCapabilityError` if it has no diagonal moves."""
        ...


def unprepared(problem: object) -> Callable[[], object] | None:
    """Return what makes the table of a problem, for `EngineSpec.unprepared`; None if there is nothing to make."""
    missing: Callable[[], Callable[[], object] | None] | None = getattr(problem, "missing_jump_table", None)
    return None if missing is None else missing()


class Leaps(dict[Cell, Arrival[Cell, str]]):
    """Jump point → its best arrival: cost so far, parent jump point, and the direction of the run between them."""

    def path_to(self, state: Cell) -> Trail:
        """Return the cells and the directions of the path to a jump point. Raises `KeyError` if it was not reached."""
        points, directions = [state], []
        _, before, direction = self[state]
        while before is not None:
            points.append(before)
            directions.append(direction)
            _, before, direction = self[before]
        states: list[Cell] = points[-1:]
        actions: list[Any] = []
        for (one, other), name in zip(pairwise(reversed(points)), reversed(directions), strict=True):
            (x, y), (dx, dy) = one, OFFSETS[name]  # type: ignore[index]  # only a start has none
            steps = max(abs(other[0] - x), abs(other[1] - y))
            states += [(x + step * dx, y + step * dy) for step in range(1, steps + 1)]
            actions += [name] * steps
        return Trail(tuple(states), tuple(actions))


def jump_point_search_plus(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Run A* over jump points, the runs between them read from a table (JPS+: Harabor and Grastien 2014).

    The table contains, for each cell and direction, the number of steps to the next jump point or to the wall. The
    goals are not in the table: a run also stops at a goal, and a diagonal run where a straight run leads to a goal. The
    heuristic is the larger of the problem's heuristic and the differential heuristic of landmarks, whose distances from
    all cells are in the table (Goldberg and Harrelson 2005; Sturtevant and others 2009).

    The table is read from the file that `searchkit precompute` wrote beside the map. If there is no file, the first
    search on a terrain computes it, and the terrain keeps it. Ties between equal f values are broken last in, first
    out.

    `tree.reached` contains only the jump points; paths are complete nevertheless.

    Complete and optimal on grids with 8 moves on which every cell costs 1 (`TabledGrid`). Rarely expands
    more states than `jps` and usually far fewer, each in O(goals) time. Memory O(jump points reached), and 64 bytes for
    each cell of the map.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_dungeon import grid
        >>> room = grid(["S.......", "........", "....#...", "....#..G"], moves=8)
        >>> [(engine, solve(room, engine).statistics.expanded) for engine in ("astar", "jps", "jps+")]
        [('astar', 10), ('jps', 3), ('jps+', 3)]

    """
    jumps, heuristic = problem.tabled_jumps(), problem.heuristic  # type: ignore[attr-defined]  # it is a TabledGrid
    if tree.frontier is None:
        tree.hold(Leaps())
        begin(problem, tree, jumps)
    frontier, closed, reached = tree.frontier, tree.closed, tree.reached
    while frontier:
        entry = f, _, state, direction = frontier[0]
        if state in closed:  # through a cheaper entry
            heappop(frontier)
            continue
        # Same lines as in searchkit.engines.informed.astar, searchkit.engines.uninformed.dijkstra: an engine
        # shows its algorithm whole
        tree.lower_bound = f
        # Same lines as in searchkit_dungeon.jumps.jps: the whole loop of an engine is in one function, which reads
        # like its pseudocode.
        if problem.is_goal(state):
            return finish(tree, jumps, state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        try:
            heappop(frontier)
            for onward in jumps.directions(state, direction):
                steps = jumps.run(state, onward)
                if not steps:
                    continue
                tree.generated += 1
                dx, dy = OFFSETS[onward]
                end = state[0] + steps * dx, state[1] + steps * dy
                end_g = reached[state][0] + steps * LENGTHS[onward]
                if end in reached and reached[end][0] <= end_g:
                    continue
                if end in closed:
                    closed.remove(end)
                    tree.reopened += 1
                reached[end] = (end_g, state, onward)
                f = end_g + max(heuristic(end), jumps.landmark_heuristic(end))
                heappush(frontier, (f, -tree.generated, end, onward))
        except BaseException:
            heappush(frontier, entry)
            raise
        closed.add(state)
    jumps.table.check_unchanged()
    return None


def begin(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], jumps: TabledJumps) -> None:
    """Enter the starts. Raises `InvalidProblemError` if there are none."""
    starts = enter_starts(problem, tree)
    tree.closed = set()
    tree.frontier = [
        (max(problem.heuristic(state), jumps.landmark_heuristic(state)), len(starts) - index, state, ANY)
        for index, state in enumerate(starts)
    ]
    heapify(tree.frontier)


def finish(tree: SearchTree[Any, Any], jumps: TabledJumps, goal: Cell) -> None:
    """End the search at a goal. Raises `InputFormatError` if the table was changed after its check."""
    jumps.check_path(*tree.path_to(goal))
    tree.finish(goal)
