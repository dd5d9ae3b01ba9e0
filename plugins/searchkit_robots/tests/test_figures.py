"""The figures of the documentation page: counters, which are the same on every machine."""

from pathlib import Path

import pytest

from searchkit import Search
from searchkit_robots import check_plan
from searchkit_robots.tests.instances import random_instance

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "plugins" / "robots.md"
PROVED = [(count, seed) for count in (10, 20, 30) for seed in range(3)]


def row(count: int, seed: int) -> str:
    """Return a row of the table: the results of CBS and LaCAM for an instance."""
    problem = random_instance(32, count, 0.2, seed)
    cbs, lacam = (Search(problem, engine).run() for engine in ("cbs", "lacam"))
    assert cbs.optimal
    for result in (cbs, lacam):
        assert result.solution is not None
        assert check_plan(problem, result.solution.states) == []
    return (
        f"| {count} | {seed} | {cbs.cost} | {cbs.statistics.expanded:,} "
        f"| {lacam.cost} | {lacam.lower_bound} | {lacam.statistics.expanded} |"
    )


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("count", "seed"), PROVED)
def test_the_documentation_gives_the_counters_of_cbs_and_lacam(count: int, seed: int) -> None:
    """Each row of its table has the present figures of the engines."""
    assert row(count, seed) in PAGE.read_text(encoding="utf-8").splitlines()
