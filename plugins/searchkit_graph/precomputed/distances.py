"""Many distances at once, from a table that was made before."""

from collections.abc import Iterable
from typing import Any

from searchkit.compiled import is_usable
from searchkit.plugin import InvalidOptionError, MissingCapabilityError, imported_late
from searchkit_graph.precomputed.contraction.engine import Contractible
from searchkit_graph.precomputed.contraction.engine import costs_between as find_costs
from searchkit_graph.precomputed.contraction.making import NAME as HIERARCHY
from searchkit_graph.precomputed.labels.engine import Labelled
from searchkit_graph.precomputed.labels.engine import costs_between as read_costs
from searchkit_graph.precomputed.labels.making import NAME as LABELS

FEW = 20
"""Up to this many distances are read in Python: that is sooner done than Numba is imported."""


read_costs_fast = imported_late("searchkit_graph.precomputed.labels.compiled.asking", "costs_between")
find_costs_fast = imported_late("searchkit_graph.precomputed.contraction.compiled.searching", "costs_between")


def distances_between(problem: Any, pairs: Iterable[tuple[Any, Any]], engine: str = LABELS) -> list[float]:
    """Return the least cost between each two states, infinity where no path exists.

    Paths are not read: in machine code, a query takes some microseconds, or some dozen with contraction hierarchies.

    Args:
        problem: a grid or a graph; its starts and goals make no difference.
        pairs: (start, goal) of each query.
        engine: `hub-labels`, or `contraction-hierarchies` for graphs, whose table is used.

    Raises:
        InvalidOptionError: another engine was given.
        MissingCapabilityError, InputFormatError: as for the engine.

    Example:
        >>> from searchkit_dungeon import grid
        >>> from searchkit_graph import distances_between
        >>> distances_between(grid(["S..", ".#.", "..G"]), [((0, 0), (2, 2)), ((1, 0), (1, 2))])
        [4, 4]

    """
    kinds: dict[str, Any] = {LABELS: Labelled, HIERARCHY: Contractible}
    if engine not in kinds:
        raise InvalidOptionError(f"engine={engine}: expected {' or '.join(kinds)}")
    if not isinstance(problem, kinds[engine]):
        raise MissingCapabilityError(f"{type(problem).__name__} has no table for engine {engine}")
    starts, goals = [], []
    for start, goal in pairs:
        starts.append(problem.number(start))
        goals.append(problem.number(goal))
    table: Any = problem.hub_labels() if engine == LABELS else problem.contraction_hierarchy()
    compute: Any = read_costs if engine == LABELS else find_costs
    if len(starts) > FEW and is_usable():
        compute = read_costs_fast if engine == LABELS else find_costs_fast
    costs: list[float] = compute(table, starts, goals)
    table.check_unchanged()
    return costs
