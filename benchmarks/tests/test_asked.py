"""Maps and graphs that are asked often, on a small scale."""

from pathlib import Path

import pytest

from benchmarks.kit import data
from benchmarks.kit.documents import kept
from benchmarks.machine_code.asked import main
from searchkit import distance_map, load


def test_a_town_is_connected(tmp_path: Path) -> None:
    """Most crossings can be reached over one-way streets; the same town is made again."""
    town = data.streets(70)
    assert town.graph == data.streets(70).graph
    (tmp_path / "town.gr").write_text(town.graph)
    (tmp_path / "town.co").write_text(town.places)
    problem = load(tmp_path / "town.gr", start=1, goal=(), heuristic="straight-line")
    assert len(distance_map(problem)) > 0.9 * town.places.count("v ") > 4000


@pytest.mark.long  # compiles
def test_the_benchmark_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each engine finds the same costs; tables are made for all but A*."""
    monkeypatch.setattr("benchmarks.machine_code.asked.SMALL", (12, 8))
    assert (
        main(
            [
                "--side",
                "64",
                "--crossings",
                "30",
                "--queries",
                "2",
                "--rounds",
                "1",
                "--results",
                str(tmp_path),
            ]
        )
        == 0
    )
    document = kept("asked", tmp_path)
    assert document is not None
    rows = [(row["engine"], row["size"] > 0, row["distance"] is None) for row in document["rows"]]
    tables = [("jps+", True, True), ("hub-labels", True, False)]
    hierarchy = "contraction-hierarchies", True, False
    assert rows == [("astar", False, True), *tables, ("astar", False, True), tables[1], hierarchy]
