"""Jump point search: what the engine promises. It is machine code only, in `searchkit_dungeon.compiled.jumps`."""

from typing import Any, NoReturn, Protocol, runtime_checkable

from searchkit import SearchProblem
from searchkit.plugin import EngineSpec, MissingCapabilityError
from searchkit.tree import SearchTree


@runtime_checkable
class JumpGrid(Protocol):
    """A grid with 8 moves on which entering any cell costs 1."""

    def jumps(self) -> Any:
        """Return where straight runs stop; see `searchkit_dungeon.compiled.jumps`."""


def jps(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> NoReturn:
    """Run A* over the ends of straight runs, where a path may have to turn (Harabor and Grastien 2011).

    Of equally long paths over open floor only those with diagonal steps first are followed. From a cell that was
    reached in some direction, a neighbour is pruned if a path around the cell leads there that is shorter, or equally
    long with an earlier diagonal step. A run ends where an obstacle forces a turn, and at a goal; straight runs are
    found 64 cells at once (Harabor and Grastien 2014). If diagonal steps may not cut corners, the rules are those of
    Harabor and Grastien 2012.

    `tree.reached` has the jump points, and the paths to them have all cells between. Ties between equal f values are
    broken last in, first out.

    Complete and optimal on grids with 8 moves on which every cell costs 1 (`JumpGrid`). Expands far fewer states than
    A*, and examines more cells for each. Time at worst O(cells · (width + height)); memory O(cells).

    Example:
        >>> from searchkit import solve
        >>> from searchkit_dungeon import grid
        >>> room = grid(["S.......", "........", "....#...", "....#..G"], moves=8)
        >>> [(engine, solve(room, engine).statistics.expanded) for engine in ("dijkstra", "astar", "jps")]
        [('dijkstra', 29), ('astar', 10), ('jps', 3)]

    """
    raise MissingCapabilityError(
        "engine 'jps' is machine code of the extra fast: it can't be watched, recorded or saved; use 'astar'"
    )


JPS = EngineSpec(
    name="jps",
    run=jps,
    summary="jump point search: A* over the ends of straight runs on grids (Harabor and Grastien 2011)",
    optimal=True,
    heuristic="required",
    requires=(JumpGrid,),
    arrivals=False,
    kernel="searchkit_dungeon.compiled.jumps:JumpPointSearch",
    machine_code_only=True,
)
