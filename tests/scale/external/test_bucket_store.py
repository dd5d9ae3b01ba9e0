"""What the buckets of a search on disk keep in memory, and which files the manifest may name."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from searchkit import Limits, Search
from searchkit.scale.arrays import keyed
from searchkit.scale.buckets import store
from searchkit.scale.exchange import store as objects
from searchkit.scale.external import united
from searchkit.scale.external.directory import MANIFEST, Directory
from searchkit.scale.external.files import Written
from searchkit.scale.external.layers import RunFile
from searchkit.testing.spaces.digraphs import digraph
from searchkit_dungeon import grid
from searchkit_tiles import SlidingTiles
from tests.kernels.views import compilable
from tests.scale.external.boards import Directed, facts
from tests.scale.external.memory import memory
from tests.scale.external.test_bucket_exchange import steps
from tests.scale.external.test_buckets import ENGINES, board, compiled, in_python, small_buckets

MOST_HELD, KNOWN, SMALL = 30, 40, 12
HOW = "blank-first", "manhattan"


@contextmanager
def little_memory() -> Iterator[None]:
    """Keep few states in memory; what is written is written because of them."""
    with (
        small_buckets(SMALL),
        patch.object(store, "MOST_HELD", MOST_HELD),
        patch.object(store, "KNOWN", KNOWN),
        patch.object(store, "SAVE_SECONDS", 1e9),
    ):
        yield


def waiting_in_memory(held: store.Buckets) -> int:
    """Return how many states wait in arrays."""
    return sum(len(array) for one in held.waiting.values() for array in one.arrays)


def check_memory(held: store.Buckets) -> None:
    """Compare what the buckets count with what there is, and with what there may be."""
    known = sum(len(array) for arrays in held.known.values() for array in arrays)
    unwritten = sum(layer.states for layer in held.layers if not layer.files)
    assert held._held == waiting_in_memory(held) + unwritten, "states that are in no file"
    assert known <= held._number_known <= KNOWN, "states that new ones are compared with"
    in_arrays = [layer for layer in held.layers[:-1] if layer.keys is not None]
    assert sum(layer.states for layer in in_arrays) <= MOST_HELD + 4 * SMALL, "states of earlier buckets"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", [board, lambda: board(Directed), lambda: steps(20)])
def test_memory_is_counted(engine: str, make: Callable[[], Any]) -> None:
    """So few states are held, and the same are not written again and again."""
    problem = make()
    with little_memory():
        search = Search(problem, engine, backend="compiled")
        while not search.ended:
            search.run(Limits(expansions=3))
            check_memory(search.kernel.buckets)
            assert waiting_in_memory(search.kernel.buckets) <= MOST_HELD + 3 * 4 * SMALL
    made = search.kernel.buckets
    assert 0 < made._written < 0.7 * len(made.layers)
    assert facts(search.run()) == facts(in_python(problem, engine))


def test_memory_is_counted_when_buckets_are_expanded_again(tmp_path: Path) -> None:
    """The successors were counted before. Until the manifest is written anew, nothing that it names is deleted."""
    problem = steps(20)
    with little_memory():
        search = Search(problem, "external_dijkstra", backend="compiled", directory=str(tmp_path))
        search.run(Limits(expansions=300))
        search.kernel.buckets.write()
        search.kernel.place.close()
        damaged, *intact = search.kernel.buckets.waiting_files
        (tmp_path / damaged).unlink()
        most: list[int] = []

        def noted(self: store.Buckets, *arguments: Any) -> None:
            again(self, *arguments)
            check_memory(self)
            assert self.generated == sum(self.successors)
            assert not self.to_expand or all((tmp_path / file).is_file() for file in intact)
            most.append(self._held)

        again = store.Buckets.expanded_again
        with patch.object(store.Buckets, "expanded_again", noted):
            result = compiled(problem, "external_dijkstra", tmp_path, repair=True)
    assert MOST_HELD / 2 < max(most) <= MOST_HELD
    assert most.count(0) > 1, "what waits is written in between"
    assert intact
    assert facts(result) == facts(in_python(problem, "external_dijkstra"))


@contextmanager
def checked_manifest() -> Iterator[list[int]]:
    """Let the files that the manifest names be looked for whenever it was written or files were deleted.

    Yield a list of how many files it named.
    """
    found: list[int] = []

    def checked(change: Any) -> Any:
        def changed(self: Directory, *arguments: Any) -> None:
            change(self, *arguments)
            body = json.loads((self.path / MANIFEST).read_bytes())["body"]
            held = [RunFile(*file[:5], Written(*file[5:])).name for file in body.get("files", ())]
            waiting = [file[0] for file in body.get("waiting", ())]
            missing = [name for name in (*held, *waiting) if not (self.path / name).is_file()]
            assert not missing
            found.append(len(held) + len(waiting))

        return changed

    with (
        patch.object(Directory, "commit", checked(Directory.commit)),
        patch.object(Directory, "clean", checked(Directory.clean)),
    ):
        yield found


@pytest.mark.parametrize("exchange", ["files", "objects"])
def test_manifest_names_files_that_exist(exchange: str, tmp_path: Path) -> None:
    """Also between any two steps: a search that is killed there can go on."""
    problem = steps()
    with memory(), small_buckets(1), patch.object(objects, "ROUNDS", 7), checked_manifest() as named:
        result = compiled(problem, "external_astar", tmp_path, workers="ray", exchange=exchange)
    assert len(named) > 10
    assert max(named) > 5
    assert facts(result) == facts(in_python(problem, "external_astar"))


def test_united_buckets_are_kept_as_long_as_they_are_needed(tmp_path: Path) -> None:
    """No manifest names them."""
    problem = board(Directed)
    cleaned: list[set[str]] = []

    def noted(self: store.Buckets) -> None:
        clean(self)
        cleaned.append({path.name for path in tmp_path.glob("united-*")})

    clean = store.Buckets._clean
    with small_buckets(0), patch.object(united, "FEW", 2), patch.object(store.Buckets, "_clean", noted):
        result = compiled(problem, "external_dijkstra", tmp_path)
    assert any(cleaned)
    assert facts(result) == facts(in_python(problem, "external_dijkstra"))


STAR = [f"0 -1→ {leaf}" for leaf in range(1, 9)] + ["1 -1→ 2", "2 -1→ 9", "9 -1→ 3", "9 -1→ 10"]


@pytest.mark.parametrize("small", [0, 3, 100])
def test_small_bucket_after_a_large_one(small: int) -> None:
    """The large one is in a file, and what is reached again from it is not expanded again."""
    problem = compilable(digraph(", ".join(STAR), [0], [10]), "rows")
    with small_buckets(small), patch.object(store, "KNOWN", 10**9):
        result = compiled(problem, "external_dijkstra")
    assert facts(result) == facts(in_python(problem, "external_dijkstra"))
    assert result.statistics.expanded == 10


WIDE = (6, 5, 2, 3, 4, 1, 0, *range(7, 20))
"""A board of 5×4 whose states have two words; to the goal, three tiles go around a corner either way, in six slides."""
LATTICE = [f"{9 * y + x} -1→ {9 * y + x + step}" for y in range(9) for x in range(8) for step in (1, 9)]
PROBLEMS = {
    "board": lambda: board(),
    "board, as if directed": lambda: board(Directed),
    "states of two words": lambda: SlidingTiles(5, 4, WIDE, *HOW),
    "states of two words, as if directed": lambda: Directed(5, 4, WIDE, *HOW),
    "room": lambda: grid(["S....", ".....", ".....", "....G"]),
    "edges": lambda: compilable(digraph(", ".join(LATTICE), [0], [80], dict.fromkeys(range(90), 0)), "rows"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", PROBLEMS)
def test_same_path_wherever_the_buckets_are(name: str, engine: str) -> None:
    """Of several parents it has the least state: by tasks, in memory, and in small pieces."""
    problem: Any = PROBLEMS[name]()
    expected, paths = facts(in_python(problem, engine)), []
    for small, piece in ((0, 8), (0, 1 << 16), (20, 8), (10**9, 8), (10**9, 1 << 16)):
        with small_buckets(small), patch.object(keyed, "PIECE", piece):
            result = compiled(problem, engine)
        assert facts(result) == expected
        paths.append(result.solution.states)
        reached = result.search.tree.reached
        assert result.search.tree.costs() == {state: reached[state][0] for state in reached}
    assert paths == paths[:1] * 5
    assert len(paths[0]) > 5
