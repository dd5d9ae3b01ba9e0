"""Searches on disk in machine code are saved to files: with their files, or with the name of their directory."""

import errno
import gc
import json
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, SearchProblem, solve
from searchkit.cli import main
from searchkit.errors import DirectoryError, InputFormatError, SearchkitError
from searchkit.testing import check_saving
from searchkit.tree import SearchTree
from searchkit_tiles import SlidingTiles
from tests.scale.external.boards import TILES, Directed, facts, small_layers
from tests.scale.external.memory import memory
from tests.scale.external.test_buckets import small_buckets

ENGINES: dict[str, Callable[[int], AbstractContextManager[None]]] = {
    "external_bfs": small_layers,
    "external_dijkstra": small_buckets,
    "external_astar": small_buckets,
}


def board(kind: type[SlidingTiles] = SlidingTiles) -> SlidingTiles:
    """Return a board of 3×2, of whose 360 states a search reaches most."""
    return kind(3, 2, TILES, "blank-first", "manhattan")


def begun(problem: SearchProblem[Any, Any], engine: str, **options: Any) -> Search[Any, Any]:
    """Return a search in machine code that stands before its first expansion."""
    search: Search[Any, Any] = Search(problem, engine, backend="compiled", **options)
    search.run(Limits(expansions=0))
    return search


def again(search: Search[Any, Any], file: Path) -> Search[Any, Any]:
    """Return the search as it is loaded after it was saved."""
    search.save(file)
    return Search.load(file, search.problem)


@pytest.mark.long
@pytest.mark.parametrize("engine", sorted(ENGINES))
@given(data=st.data())
@settings(max_examples=12)
@pytest.mark.fewest(3)
def test_at_any_pause(tmp_path_factory: pytest.TempPathFactory, engine: str, data: st.DataObject) -> None:
    """Between two tasks of a round too, and again and again."""
    file = tmp_path_factory.mktemp("saved") / "search"
    kind = data.draw(st.sampled_from([SlidingTiles, Directed]))
    with ENGINES[engine](data.draw(st.sampled_from([0, 12, 1000]))):
        expected = solve(board(kind), engine, backend="compiled")
        search, under_way = begun(board(kind), engine), 0
        step, times = data.draw(st.sampled_from([3, 40])), data.draw(st.integers(3, 12))
        while not search.ended and times:
            for _ in range(data.draw(st.integers(1, 9))):
                search._advance(step)
            under_way += bool(search.kernel._phase)
            search, times = again(search, file), times - 1
        result = again(search, file).run()
        assert facts(result) == facts(expected)
        assert again(result.search, file).run().solution == result.solution
        assert result.solution is not None
        assert result.solution.states == expected.solution.states


@pytest.mark.long
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_in_the_middle_of_a_round(engine: str, tmp_path: Path) -> None:
    """What tasks have expanded is expanded again, and not counted again."""
    with ENGINES[engine](0):
        expected = solve(board(), engine, backend="compiled")
        search, seen = begun(board(), engine), 0
        while not search.ended:
            search._advance(8)
            if search.kernel._phase and search.kernel._in_round:
                expanded, seen = search.tree.expanded, seen + 1
                if seen % 3 == 1:
                    search = again(search, tmp_path / "search")
                    assert search.tree.expanded == expanded
        assert seen
        assert facts(search.run()) == facts(expected)


@pytest.mark.long
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_over_objects(engine: str, named: bool, tmp_path: Path) -> None:
    """Other workers go on, which have none of the objects; the file or the directory has what these stood for."""
    file, options = tmp_path / "search", {"directory": str(tmp_path / "work")} if named else {}
    problem = SlidingTiles(3, 2, TILES, "blank-first", "zero")
    with memory() as opened, ENGINES[engine](0):
        expected = facts(solve(problem, engine, backend="compiled"))
        opened.clear()
        search = begun(problem, engine, workers="ray", exchange="objects", **options)
        within = 0
        for _ in range(3):
            search.run(Limits(expansions=10))
            while not (search.ended or (search.kernel._phase and search.kernel._in_round)):
                search._advance(8)
            within += not search.ended
            search.save(file)
            search.kernel.place.stop()
            opened[-1].things.clear()
            del search
            gc.collect()
            search = Search.load(file, problem)
            assert search.options["exchange"] == "objects"
        assert facts(search.run()) == expected
    assert within, "it was saved in the middle of a round"
    assert len(opened) == 4
    assert opened[-1].put > 0, "the last workers were given what is in the files"
    assert len(opened[-1].sent) > 2


def test_a_directory_that_was_named(tmp_path: Path) -> None:
    """The file names it, and is small; the search goes on there, also if others have gone on meanwhile."""
    folder, file = tmp_path / "work", tmp_path / "search"
    with small_layers(12):
        expected = solve(board(), "external_bfs", backend="compiled")
        search = begun(board(), "external_bfs", directory=str(folder))
        search.run(Limits(expansions=40))
        search.save(file)
        with pytest.raises(DirectoryError, match="is in use by process"):
            Search.load(file, board())
        search.run(Limits(expansions=40))
        further = search.tree.expanded
        search.save(tmp_path / "later")
        del search
        gc.collect()
        early = Search.load(file, board(), directory=str(folder))
        assert early.tree.expanded <= further
        assert early.kernel.layers[-1].depth > 6, "it goes on where the directory is"
        so_far = f"goes on where that is now, after {early.tree.expanded:,} expansions"
        result = early.run()
        assert facts(result) == facts(expected)
        assert [warning.endswith(so_far) for warning in result.warnings] == [True]
        del early, result
        gc.collect()
        last = Search.load(tmp_path / "later", board())
        last.save(tmp_path / "last")
        assert facts(last.run()) == facts(expected)
        del last
        gc.collect()
        shutil.rmtree(folder)
        with pytest.raises(InputFormatError, match=f"there is no search on disk at {folder}: bring"):
            Search.load(file, board())
        assert not folder.exists()


def test_a_relative_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked for where it was, and then from the present folder; if it is in neither, nothing is made."""
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "search"
    here.mkdir()
    there.mkdir()
    expected = facts(solve(board(), "external_bfs", backend="compiled"))
    monkeypatch.chdir(here)
    search = begun(board(), "external_bfs", directory="work")
    search.run(Limits(expansions=40))
    search.save(file)
    del search
    gc.collect()
    monkeypatch.chdir(there)
    search = Search.load(file, board(), directory="work")
    search.save(tmp_path / "again")
    assert search.kernel.place.folder == here / "work"
    del search
    gc.collect()
    (here / "work").rename(there / "work")
    search = Search.load(tmp_path / "again", board())
    assert facts(search.run()) == expected
    del search
    gc.collect()
    (there / "work").rename(there / "elsewhere")
    places = f"there is no search on disk at {here / 'work'} and at {there / 'work'}: bring"
    with pytest.raises(InputFormatError, match=places):
        Search.load(file, board())
    assert not (there / "work").exists()
    assert not (here / "work").exists()


def kept_files(file: Path) -> dict[str, tuple[int, int]]:
    """Return the files that stand beside a saved search: name → number of the file on the disk, number of its names."""
    folder = file.with_name(f"{file.name}.files")
    statuses = {path.name: path.stat() for path in folder.iterdir()} if folder.exists() else {}
    return {name: (status.st_ino, status.st_nlink) for name, status in statuses.items()}


@pytest.mark.parametrize("links", [True, False])
def test_only_what_is_new_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    """A checkpoint has links to the files of the search, or copies where there can't be any, each written once."""
    if not links:
        monkeypatch.setattr("os.link", refused_link)
    file = tmp_path / "search"
    with small_layers(12):
        expected = facts(solve(board(), "external_bfs", backend="compiled"))
        search, before, same = begun(board(), "external_bfs"), dict[str, tuple[int, int]](), 0
        for _ in range(4):
            search.run(Limits(expansions=60))
            search.save(file)
            after = kept_files(file)
            assert after
            assert all(names > 1 if links else names == 1 for _, names in after.values())
            assert {before[name][0] for name in before if name in after} == {
                after[name][0] for name in before if name in after
            }
            same += len(before.keys() & after.keys())
            search, before = Search.load(file, board()), after
        assert same
        assert facts(search.run()) == expected
        solve(board(), "bfs", limits=Limits(expansions=3)).search.save(file)  # type: ignore[union-attr]
        assert not file.with_name("search.files").exists(), "another search does not need it"


def refused_link(source: object, target: object = None) -> None:
    """Do what `os.link` does between two disks."""
    raise OSError(errno.EXDEV, "Invalid cross-device link", str(source))


def test_a_checkpoint_that_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one before stays complete; the next one deletes what was left over, and nothing that is not ours."""
    file, folder = tmp_path / "search", tmp_path / "search.files"
    with small_layers(12):
        expected = facts(solve(board(), "external_bfs", backend="compiled"))
        search = begun(board(), "external_bfs")
        search.run(Limits(expansions=60))
        search.save(file)
        first = set(kept_files(file))
        search.run(Limits(expansions=100))
        with monkeypatch.context() as broken:
            broken.setattr("searchkit.scale.saved.file.replacing", refused_link)
            with pytest.raises(OSError, match="cross-device"):
                search.save(file)
        assert first < set(kept_files(file)), "both are there"
        assert facts(Search.load(file, board()).run()) == expected
        (folder / f"{min(first)}.4711.tmp").touch()
        (folder / "mine").touch()
        search.save(file)
        assert set(kept_files(file)) - first
        assert not any(name.endswith(".tmp") for name in kept_files(file))
        assert (folder / "mine").exists()
        assert facts(Search.load(file, board()).run()) == expected


@pytest.mark.parametrize("how", ["missing", "shorter", "changed", "empty"])
def test_a_file_beside_that_is_damaged(tmp_path: Path, how: str) -> None:
    """The error names it."""
    file = tmp_path / "search"
    search = begun(board(), "external_astar")
    search.run(Limits(expansions=60))
    search.save(file)
    path = next(file.with_name("search.files").iterdir())
    whole = path.read_bytes()
    path.unlink()
    if how != "missing":
        path.write_bytes({"shorter": whole[:-1], "changed": whole[:-1] + b"x", "empty": b""}[how])
    with pytest.raises(InputFormatError, match=f"{path}.*(was changed|stand beside)"):
        Search.load(file, board())


def test_a_directory_that_was_begun_again(tmp_path: Path) -> None:
    """It has fewer layers than the file says."""
    folder, file = tmp_path / "work", tmp_path / "search"
    search = begun(board(), "external_astar", directory=str(folder))
    search.run(Limits(expansions=60))
    search.save(file)
    del search
    gc.collect()
    shutil.rmtree(folder)
    search = begun(board(), "external_astar", directory=str(folder))
    search.run(Limits(expansions=20))
    search.save(tmp_path / "other")
    del search
    gc.collect()
    with pytest.raises(InputFormatError, match=r"directory: .*work does not have what"):
        Search.load(file, board())


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_with_the_check_of_authors(engine: str) -> None:
    """Before the first expansion, and when it has ended."""
    assert check_saving(engine, board(), backend="compiled").examples == 1


def restored(search: Search[Any, Any], saved: dict[str, Any]) -> Any:
    """Return another run that takes over what one has saved."""
    run = type(search.kernel)(search.problem, SearchTree())
    run.restore(saved)
    return run


def damaged(random: Random, saved: dict[str, Any]) -> dict[str, Any]:
    """Return what was saved with one value that may be anything."""
    made, name = dict(saved), random.choice(sorted(saved))
    value = made[name]
    if name == "manifest":
        place = random.randrange(len(value))
        made[name] = value[:place] + random.choice("0 9,-]x") + value[place + random.randrange(2) :]
    elif not isinstance(value, np.ndarray):
        made[name] = random.choice([None, True, 0, -1, 1 << 70, 1.5, "x", []])
    elif random.random() < 0.2:
        made[name] = value[: len(value) // 2]
    elif value.size:
        value = made[name] = np.array(value)
        value.flat[random.randrange(value.size)] ^= 1 << random.randrange(7)
    return made


@pytest.mark.long
@pytest.mark.seeds(6)
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_made_up_values(engine: str, seed: int) -> None:
    """They are one clear error when they are read, or when they are used; or the search ends."""
    random, refused = Random(seed), 0
    with ENGINES[engine](random.choice([0, 12])):
        search = begun(board(), engine)
        for _ in range(random.randrange(1, 20)):
            search._advance(20)
        saved = {
            name: np.array(value) if isinstance(value, np.ndarray) else value
            for name, value in search.kernel.saved().items()
        }
        restored(search, saved)
        for _ in range(30):
            try:
                run = restored(search, damaged(random, saved))
                for _ in range(2000):
                    if run.ended:
                        break
                    run.advance(1000)
            except SearchkitError:
                refused += 1
    assert refused > 5


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The files are in the checkpoint, as the directory is a temporary one."""
    saved = tmp_path / "puzzle.search"
    how = "solve", "8puzzle", "--engine", "external_bfs", "--json"
    assert main(how) == 0
    whole = json.loads(capsys.readouterr().out)
    assert main([*how, "--checkpoint", str(saved), "--max-expansions", "5000"]) == 3
    capsys.readouterr()
    assert main(["solve", "--resume", str(saved), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    for answer in (whole, found):
        del answer["statistics"]["seconds"]
    assert found == whole
