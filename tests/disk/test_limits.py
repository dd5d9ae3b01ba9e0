"""Searches on disk end soon at their limits, and can be resumed; memory and files stay small."""

from pathlib import Path

import pytest

from searchkit import Limits, Search, Status, available_engines, solve
from searchkit.errors import DirectoryError, MissingCapabilityError
from searchkit.search.distances import goalless
from searchkit.search.spill import engine_on_disk, search_on_disk
from searchkit_classics.pancakes import Pancakes
from searchkit_tiles import SlidingTiles
from tests.disk.boards import ENGINES, board, facts, small_tasks

ON_DISK = {
    "bfs": "external_bfs",
    "dijkstra": "external_dijkstra",
    "bucket": "external_astar",
    "astar": "external_astar",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("workers", ["serial", "threads:2"])
def test_seconds_within_a_large_layer(engine: str, workers: str, tmp_path: Path) -> None:
    """A search of 4×4 tiles ends soon after its limit, again and again; it does not lose what it has found."""
    problem = SlidingTiles(4, 4, tuple(range(15, -1, -1)), "blank-first", "zero")
    search = Search(problem, engine, directory=str(tmp_path), workers=workers)
    expanded = 0
    for _ in range(5):
        result = search.run(Limits(seconds=0.3))
        assert result.status is Status.CUTOFF
        assert result.statistics.expanded >= expanded
        expanded = result.statistics.expanded
    assert expanded > 0


def test_an_interruption(tmp_path: Path) -> None:
    """The search ends, and goes on where it was."""
    search = Search(board(), "external_bfs", directory=str(tmp_path))
    with small_tasks():
        search.interrupt()
        assert search.run().cutoff == "an interruption"
        assert facts(search.run()) == facts(solve(board(), "external_bfs"))


def test_bytes_a_state(tmp_path: Path) -> None:
    """All 40,320 orders of 8 pancakes: at most 10 bytes each on disk."""
    with small_tasks(2_000, chunk=2_000):
        found = solve(goalless(Pancakes(tuple(range(1, 9)))), "external_bfs", directory=str(tmp_path))
    assert (found.status, found.statistics.expanded) == (Status.UNSOLVABLE, 40_320)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10 * 40_320


@pytest.mark.parametrize("engine", ON_DISK)
def test_memory_runs_out(engine: str, tmp_path: Path) -> None:
    """With a directory for it, the search begins again on disk, and says so; the answer is the same."""
    problem = SlidingTiles(3, 3, (8, 6, 7, 2, 5, 4, 3, 0, 1), "blank-first", "manhattan")
    limits = Limits(memory=1)
    search = Search(problem, engine)
    cut = search.run(limits)
    assert cut.status is Status.CUTOFF
    on_disk = search_on_disk(search, cut, limits, tmp_path)
    assert on_disk is not None
    result = on_disk[0].run(on_disk[1])
    assert (result.status, result.cost, result.engine) == (Status.SOLVED, 27, ON_DISK[engine])
    assert f"{ON_DISK[engine]} began from the start on disk, in {tmp_path}" in result.warnings[-1]
    assert (tmp_path / "manifest.json").is_file()


def test_spilling_that_can_t_work(tmp_path: Path) -> None:
    """The error comes before the search."""
    with pytest.raises(MissingCapabilityError, match="'dfs' has no form on disk"):
        engine_on_disk(board(), available_engines()["dfs"], tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(DirectoryError, match="name another directory for spill"):
        engine_on_disk(board(), available_engines()["bfs"], tmp_path / "file" / "folder")
