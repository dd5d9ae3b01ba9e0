"""Jump point search."""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any, Protocol, runtime_checkable

from searchkit import Cost, SearchProblem
from searchkit.engines.kit import enter_starts
from searchkit.tree import Arrival, SearchTree
from searchkit_dungeon.jumps.runs import ANY, Jumps
from searchkit_dungeon.terrain import LENGTHS, OFFSETS, Cell


@runtime_checkable
class JumpGrid(Protocol):
    """A grid with 8 moves on which entering any cell costs 1."""

    def jump_map(self) -> Jumps:
        """Return the straight runs over the grid. Raises `MissingCapabilityError` if it has no diagonal moves."""
        ...


def jump_point_search(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Run A* over the ends of straight runs, where a path may have to turn (Harabor and Grastien 2011).

    Of equally long paths over open floor only those with diagonal steps first are followed. From a cell that was
    reached in some direction, a neighbour is pruned if a path around the cell leads there that is shorter, or equally
    long with an earlier diagonal step. A run ends where an obstacle forces a turn, and at a goal. If diagonal steps may
    not cut corners, the rules are those of Harabor and Grastien 2012.

    The cells of a run are entered into `tree.reached`, so paths are complete, but they are not expanded. A run over a
    cell with a cheaper known path is dropped. Ties between equal f values are broken last in, first out.

    Complete and optimal on grids with 8 moves on which every cell costs 1 (`JumpGrid`). Expands far fewer states than
    A*, and examines more cells for each. Time at worst O(cells · (width + height)); memory O(cells).

    Example:
        >>> from searchkit import solve
        >>> from searchkit_dungeon import grid
        >>> room = grid(["S.......", "........", "....#...", "....#..G"], moves=8)
        >>> [(engine, solve(room, engine).statistics.expanded) for engine in ("dijkstra", "astar", "jps")]
        [('dijkstra', 29), ('astar', 10), ('jps', 3)]

    """
    jumps, heuristic = problem.jump_map(), problem.heuristic  # type: ignore[attr-defined]  # it is a JumpGrid
    if tree.frontier is None:
        begin(problem, tree)
    frontier, closed, reached = tree.frontier, tree.closed, tree.reached
    while frontier:
        f, _, state, direction, g = frontier[0]
        if g > reached[state][0] or closed.get(state, inf) <= g:
            heappop(frontier)
            continue
        # Same lines as in searchkit.engines.informed.astar, searchkit.engines.uninformed.dijkstra: an engine
        # shows its algorithm whole
        tree.lower_bound = f
        if problem.is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        runs = []
        for onward in jumps.directions(state, direction):
            if steps := jumps.run(state, onward):
                dx, dy = OFFSETS[onward]
                end = state[0] + steps * dx, state[1] + steps * dy
                runs.append((onward, steps, end, heuristic(end)))
        heappop(frontier)
        for onward, steps, end, h in runs:
            tree.generated += 1
            end_g = g + steps * LENGTHS[onward]
            if closed.get(end, inf) <= end_g or not _enter(reached, state, onward, steps):
                continue
            if closed.pop(end, None) is not None:
                tree.reopened += 1
            heappush(frontier, (end_g + h, -tree.generated, end, onward, end_g))
        closed[state] = g
    return None


def begin(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> None:
    """Enter the starts. Raises `InvalidProblemError` if there are none."""
    starts = enter_starts(problem, tree)
    tree.closed = {}
    tree.frontier = [
        (problem.heuristic(state), len(starts) - index, state, ANY, 0) for index, state in enumerate(starts)
    ]
    heapify(tree.frontier)


def _enter(reached: dict[Cell, Arrival[Cell, str]], cell: Cell, direction: str, steps: int) -> bool:
    """Enter the cells of a run; return False if a cheaper path to one of them is known."""
    dx, dy = OFFSETS[direction]
    g: Cost = reached[cell][0]
    for _ in range(steps):
        before, cell = cell, (cell[0] + dx, cell[1] + dy)
        g += LENGTHS[direction]
        arrival = reached.get(cell)
        if arrival is None or g < arrival[0]:
            reached[cell] = (g, before, direction)
        elif arrival[0] < g:
            return False
    return True
