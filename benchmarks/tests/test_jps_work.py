"""The rows for jump point search: both engines walk as many steps as A* does."""

from benchmarks.jps_work import rows, steps
from searchkit_dungeon import grid


def test_the_rows_agree() -> None:
    """On a small cave, with a query that has no answer."""
    cave = grid(["S.#....", "..#.##.", "....#..", "##.##.#", "....#.G"], moves=8)
    closed = grid(["S.#G"], moves=8)
    queries = [(each.terrain, each.starts[0], each.goals[0]) for each in (cave, closed)]

    def reference() -> float:
        return float(sum(steps(query, "astar") for query in queries))

    found = list(rows(reference, queries))
    assert [name.partition(",")[0] for name, _, _ in found] == ["jump point search"] * 2
    for _, theirs, ours in found:
        assert ours() == theirs() > 0
