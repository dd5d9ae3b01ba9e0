"""Evidence: least costs on real maps equal the lengths that the benchmarks publish (Sturtevant 2012)."""

from collections.abc import Callable
from functools import cache

import pytest

from searchkit import solve
from searchkit.plugin import Query, Scenario
from searchkit.plugin.loading import load_scenario
from searchkit_dungeon.spec import MAPS

SHIPPED = ("random512-25-0", "maze512-8-0", "32room_000")
LINES = 200
PARTS = 10
"""The number of parts in which the lines of a map are tested, so that several processes can share them."""

scenario = cache(load_scenario)


def check(scenario: Scenario, query: Query, engine: str) -> None:
    """Solve a query: it agrees, is proved, and the exact costs leave nothing to reopen or to warn of."""
    result = solve(scenario.problem(query), engine)
    assert query.agrees(result.cost), f"line {query.line}: found {result.cost}, published {query.expected}"
    assert result.optimal
    assert result.statistics.reopened == 0
    assert result.warnings == ()


@pytest.mark.one_in(6)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", SHIPPED)
def test_evenly_spread_lines_with_astar(name: str, part: int, share: Callable[[int], int]) -> None:
    """Of each shipped map, from the shortest to the longest: 200 lines, or the share that the suite takes."""
    queries, lines = scenario(MAPS / f"{name}.map.scen").queries, share(LINES)
    spread = [queries[i * (len(queries) - 1) // (lines - 1)] for i in range(lines)]
    assert len({query.line for query in spread}) == lines
    for query in spread[part::PARTS]:
        check(scenario(MAPS / f"{name}.map.scen"), query, "astar")
