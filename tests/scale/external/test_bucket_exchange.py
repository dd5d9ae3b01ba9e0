"""Searches over buckets by objects: the same as by files, and no task reads a file."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve

from searchkit import Limits, Search, certify
from searchkit.compiled.kit.control import BAD_COST
from searchkit.errors import DirectoryError, InvalidOptionError, InvalidProblemError
from searchkit.scale.arrays.keyed import Fault, KeyedExpander
from searchkit.scale.buckets.tasks import BucketFile, read_bucket, write_buckets
from searchkit.scale.exchange import store
from searchkit.scale.external.files import RunReader, RunSource
from searchkit_dungeon import grid
from searchkit_tiles import SlidingTiles
from tests.helpers import walk
from tests.scale.external.boards import Directed, facts
from tests.scale.external.memory import memory
from tests.scale.external.test_buckets import ENGINES, board, compiled, in_python, small_buckets


def steps(size: int = 8) -> Any:
    """Return a square grid with steps that cost 1 to 9: states of many costs wait at the same time."""
    rows = ["".join(str((7 * x + 5 * y * y) % 9 + 1) for x in range(size)) for y in range(size)]
    return grid([f"S{rows[0][1:]}", *rows[1:-1], f"{rows[-1][:-1]}G"])


@pytest.mark.long  # many small tasks
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", [SlidingTiles, Directed])
def test_objects_and_files_are_the_same_search(
    kind: type[SlidingTiles], engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answer, counters and certificate; tasks are told of no folder, so they read no file."""
    monkeypatch.chdir(tmp_path)
    problem = board(kind)
    for small in (0, 10):
        with memory() as opened, small_buckets(small):
            found = compiled(problem, engine, tmp_path / str(small), workers="ray", exchange="objects")
            threads = compiled(problem, engine, workers="ray")
        if not small:
            assert set(opened[0].sent) == {"expand_bucket_stretches", "merge_bucket_objects"}
            assert opened[0].sent.count("expand_bucket_stretches") > store.ROUNDS
            here, elsewhere = opened[0].moved
            assert here > 30, "tasks run where the buckets are that others have merged"
            assert elsewhere <= 2, "which are one file"
        assert facts(found) == facts(threads) == facts(in_python(problem, engine))
        assert walk(problem, found.solution, problem.initial_states()) == found.cost
        assert certify(problem, found).accepted


@pytest.mark.long  # many small tasks
def test_costs_of_many_kinds(tmp_path: Path) -> None:
    """Successors of one bucket wait in many others, at different costs there and back."""
    problem = steps()
    for engine in ENGINES:
        with memory(), small_buckets(1):
            found = compiled(problem, engine, tmp_path / engine, workers="ray", exchange="objects")
        assert facts(found) == facts(in_python(problem, engine))


@pytest.mark.long  # many small tasks
@pytest.mark.parametrize("engine", ENGINES)
def test_another_driver_goes_on(engine: str, tmp_path: Path) -> None:
    """From what was written every few rounds, by either exchange; an error of the directory loses nothing."""
    problem = steps()
    expected = facts(in_python(problem, engine))
    for exchange in ("objects", "files"):
        folder = tmp_path / exchange
        with memory() as opened, small_buckets(0), patch.object(store, "ROUNDS", 10):
            options: Any = {"backend": "compiled", "directory": str(folder), "workers": "ray"}
            search = Search(problem, engine, exchange="objects", **options)
            search.run(Limits(expansions=55))
            held = search.kernel.buckets
            assert held.exchange.away(held.waiting_files)
            search.kernel.place.close()
            other = Search(problem, engine, exchange=exchange, **options)
            other.run(Limits(expansions=1))
            assert 10 < other.tree.expanded < search.tree.expanded
            found = other.run()
        assert facts(found) == expected
        assert opened[1].put > 0 if exchange == "objects" else opened[1].put == 0


def test_error_of_the_directory_loses_nothing(tmp_path: Path) -> None:
    """What waits on the cluster only is still there when the same search goes on."""
    problem = steps()
    with memory(), small_buckets(0), patch.object(store, "ROUNDS", 12):
        search = Search(
            problem,
            "external_astar",
            backend="compiled",
            workers="ray",
            directory=str(tmp_path),
            exchange="objects",
        )
        search.run(Limits(expansions=15))
        with (
            patch.object(store, "write_file", side_effect=OSError(28, "No space left on device")),
            pytest.raises(DirectoryError, match="make space"),
        ):
            search.run()
        assert facts(search.run()) == facts(in_python(problem, "external_astar"))


@pytest.mark.long  # many small tasks
def test_objects_are_put_anew_every_few_rounds(tmp_path: Path) -> None:
    """The tasks that would have to run again after a loss do not become more and more."""
    puts = {}
    for rounds in (1, 3, 10**9):
        with memory() as opened, small_buckets(0), patch.object(store, "ROUNDS", rounds):
            compiled(steps(), "external_astar", tmp_path / str(rounds), workers="ray", exchange="objects")
        puts[rounds] = opened[0].put
    assert puts[10**9] < puts[3] < puts[1]


def test_what_is_refused() -> None:
    """A task over objects reports the first fault."""
    with (
        memory(),
        small_buckets(0),
        patch.object(
            KeyedExpander, "pieces", lambda self, states, key: iter([Fault(BAD_COST, states[0], 1)])
        ),
        pytest.raises(InvalidProblemError, match="has a number at the step from"),
    ):
        compiled(board(), "external_astar", workers="ray", exchange="objects")


@pytest.mark.parametrize("engine", ENGINES)
def test_workers_that_keep_no_objects(engine: str, tmp_path: Path) -> None:
    """One error, which leaves the directory to others."""
    with pytest.raises(InvalidOptionError, match="exchange=objects: these workers keep no objects"):
        compiled(board(), engine, tmp_path, exchange="objects")
    assert compiled(board(), engine, tmp_path).cost == 11


def test_file_with_more_parts_than_were_written(tmp_path: Path) -> None:
    """Its parts are numbers of an array: one that is too large is an error."""
    states = np.arange(100, dtype=np.uint64)
    file = write_buckets(tmp_path, "buckets-1.run", {(4, 3): states}, 3, 1, durable=False)
    assert sorted(read_bucket(tmp_path, file, (4, 3), 1).tolist()) == list(range(100))

    def source(of: BucketFile) -> RunSource:
        return RunSource(RunReader(tmp_path / file.name, 1, file.written.bytes), 0, of.bits)

    whole = source(file)
    assert whole.counts.sum() == 100
    whole.close()
    with pytest.raises(DirectoryError, match="it has more parts than were written"):
        source(evolve(file, bits=1))
