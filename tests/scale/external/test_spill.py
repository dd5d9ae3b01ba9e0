"""A search that reaches its limit of memory goes on on disk, with the same answer."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from searchkit import Limits, Search, Status, load, solve
from searchkit.errors import DirectoryError, MissingCapabilityError
from searchkit.scale.external import bfs
from searchkit.scale.handover import layers as handover
from searchkit.scale.spill import BESIDE, LEAST, MOST, search_on_disk
from searchkit.search.limits import resident_memory
from searchkit.testing.spaces.digraphs import digraph
from searchkit_tiles import SlidingTiles
from tests.kernels.views import compilable
from tests.scale.external.boards import TILES, Directed, board, facts, on_disk, small_layers

ON_DISK = {
    "bfs": "external_bfs",
    "dijkstra": "external_dijkstra",
    "bucket": "external_astar",
    "astar": "external_astar",
}


@pytest.mark.parametrize("engine", ON_DISK)
def test_the_same_answer(engine: str, tmp_path: Path) -> None:
    """The result names the engine that answered, and says why it began again; the directory has its files."""
    problem = SlidingTiles(3, 2, TILES, "blank-first", "manhattan")
    limits = Limits(memory=resident_memory() / 2)
    cut = solve(problem, engine, limits=limits)
    assert cut.status is Status.CUTOFF
    result = solve(problem, engine, limits=limits, spill=str(tmp_path))
    assert (result.status, result.cost, result.engine) == (
        Status.SOLVED,
        solve(problem, engine).cost,
        ON_DISK[engine],
    )
    assert result.warnings[-1].endswith(
        f"{ON_DISK[engine]} began again on disk, in {tmp_path}: a search in Python hands nothing over"
    )
    assert (tmp_path / "manifest.json").is_file()


@pytest.mark.parametrize(("kind", "small"), [(Directed, 0), (SlidingTiles, 10)])
def test_layers_of_a_search_in_memory(kind: Any, small: int, tmp_path: Path) -> None:
    """`external_bfs` goes on after the last layer that was complete, and ends as if it had searched alone."""
    problem = board(kind=kind)
    with small_layers(small), patch.object(bfs, "MOST_HELD", 10), patch.object(handover, "MOST_AT_ONCE", 9):
        alone = on_disk(problem)
        sizes = [layer.states for layer in alone.search.kernel.layers]
        for expansions in (0, 40):
            search = Search(problem, "bfs", backend="compiled")
            search.run(Limits(expansions=expansions))
            layers = next(d for d in range(len(sizes)) if sum(sizes[: d + 1]) > expansions) + 1
            handed = sum(sizes[: layers - 1])
            folder = tmp_path / str(expansions)
            other, limits = search_on_disk(search, Limits(memory=300, expansions=handed), folder)
            assert other.notices == []
            assert other.engine_choice == (
                f"bfs reached the limit of 300 MB of memory after {expansions} expansions, "
                f"and went on on disk, in {folder}"
            )
            assert other.run(limits).statistics.expanded == handed, "the limit counts these"
            result = other.run()
            assert facts(result) == facts(alone)
            assert other.kernel.successors == alone.search.kernel.successors
            del other, result
            again, _ = search_on_disk(search, Limits(memory=300), folder)
            assert again.notices[-1].endswith("the directory has a search already, which goes on instead")
            assert facts(again.run()) == facts(alone)


def test_few_layers_are_held_before_they_are_written(tmp_path: Path) -> None:
    """Small layers are in memory until they have many states; a file has some of them, and not one each."""
    search = Search(board(kind=Directed), "bfs", backend="compiled")
    search.run(Limits(expansions=300))
    with patch.object(bfs, "MOST_HELD", 10):
        assert handover.write_layers(search.kernel, tmp_path, None) == ""
    layers = json.loads((tmp_path / "manifest.json").read_text())["body"]["layers"]
    held = files = 0
    for count in layers:
        held, files = (count, files + 1) if held > 10 else (held + count, files)
    assert len(list(tmp_path.glob("layers-*.run"))) == files + 1 > 3


def test_order_that_is_not_that_of_layers(tmp_path: Path) -> None:
    """In a graph whose states are numbered, records do not stand in the order in which states are found."""
    graph = digraph("0 -1→ 3, 3 -1→ 1, 1 -1→ 2", [0], [2])
    search = Search(compilable(graph, "rows"), "bfs", backend="compiled")
    search.run(Limits(expansions=2))
    assert handover.write_layers(search.kernel, tmp_path, None).endswith(
        "not kept in the order of its layers"
    )


def test_no_seconds_are_left_for_layers(tmp_path: Path) -> None:
    """Only the first layer is handed over, and the search on disk ends at its limit."""
    search = Search(board(), "bfs", backend="compiled")
    search.run(Limits(expansions=30))
    other, limits = search_on_disk(search, Limits(memory=300, seconds=0), tmp_path)
    other.run(Limits(expansions=0))
    assert len(other.kernel.layers) == 1
    assert limits.seconds == 0


def test_seconds_of_both_searches_count(tmp_path: Path) -> None:
    """The limit is that of both, and a cutoff names it as it was given."""
    search = Search(board(), "bfs", backend="compiled")
    search.run(Limits(expansions=30))
    search._seconds = 40.0
    other, limits = search_on_disk(search, Limits(memory=300, seconds=90), tmp_path)
    assert (limits.seconds, limits.memory) == (90, None)
    assert 40 <= limits.spent < 90
    assert other.statistics.seconds >= 40
    assert not limits.reached(89 - limits.spent)
    assert limits.reached(91 - limits.spent) == "the limit of 90 seconds"
    search._seconds = 91.0
    other, limits = search_on_disk(search, Limits(memory=300, seconds=90), tmp_path / "other")
    assert other.run(limits).cutoff == "the limit of 90 seconds"


@pytest.mark.parametrize(("limit", "left"), [(100, LEAST), (BESIDE + 100, 100), (2000, MOST)])
def test_memory_that_is_left(limit: int, left: int, tmp_path: Path) -> None:
    """The tasks get what the process itself leaves of the limit, within bounds; the limits of the run go on."""
    search = Search(SlidingTiles(3, 2, TILES, "blank-first", "manhattan"), "bfs")
    other, limits = search_on_disk(search, Limits(memory=limit, expansions=7), tmp_path)
    assert other.options["memory"] == left
    assert limits == Limits(expansions=7)


def test_without_need(tmp_path: Path) -> None:
    """Nothing is written if the memory suffices, or if another limit comes first."""
    problem = SlidingTiles(3, 2, TILES, "blank-first", "manhattan")
    assert solve(problem, "astar", limits=Limits(memory=10**6), spill=str(tmp_path)).engine == "astar"
    assert solve(problem, "astar", limits=Limits(expansions=1), spill=str(tmp_path)).status is Status.CUTOFF
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_can_not_be_used(tmp_path: Path) -> None:
    """It is named before the search, which would be lost; a directory that can be made is not made yet."""
    problem, file = SlidingTiles(3, 2, TILES, "blank-first", "manhattan"), tmp_path / "file"
    file.write_text("")
    for wrong, fault in ((file, "it is not a directory"), (file / "in it", f"{file} is not a directory")):
        with pytest.raises(DirectoryError, match=f"in {wrong}: {fault}; name another directory for spill"):
            solve(problem, "astar", spill=str(wrong))
    with (
        patch("os.access", lambda path, mode: False),
        pytest.raises(DirectoryError, match="can't be written"),
    ):
        solve(problem, "astar", spill=str(tmp_path / "new"))
    assert solve(problem, "astar", spill=str(tmp_path / "new")).status is Status.SOLVED
    assert not (tmp_path / "new").exists()


def test_what_has_no_form_on_disk(tmp_path: Path) -> None:
    """It is an error before the search begins."""
    with pytest.raises(
        MissingCapabilityError, match=r"engine 'idastar' has no form on disk.* use one of bfs, dijkstra"
    ):
        solve(load("8puzzle"), "idastar", spill=str(tmp_path))
    with pytest.raises(MissingCapabilityError, match="the form of 'dijkstra' on disk, needs Compilable"):
        solve(digraph("0 -1→ 1", [0], [1]), "dijkstra", spill=str(tmp_path))
