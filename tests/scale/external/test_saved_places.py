"""Where the files of saved searches on disk are: in directories that were named, or beside the saved file."""

import errno
import gc
import shutil
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest

from searchkit import Limits, Search, solve
from searchkit.compiled.kit.fields import Fields
from searchkit.errors import DirectoryError, InputFormatError
from searchkit.scale.external.directory import MANIFEST
from searchkit.scale.saved.kept import folder_of, keep, whole_file
from searchkit.scale.saved.on_disk import directory_of, restore_files
from searchkit.tree import SearchTree
from tests.scale.external.boards import Directed, facts, small_layers
from tests.scale.external.test_buckets import small_buckets
from tests.scale.external.test_saved import ENGINES, begun, board


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


@pytest.mark.long
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_a_directory_that_went_on_from_the_middle_of_a_round(engine: str, tmp_path: Path) -> None:
    """What was expanded of that round when the search was saved is counted once."""
    file, folder = tmp_path / "search", tmp_path / "work"
    with ENGINES[engine](0):
        expected = solve(board(), engine, backend="compiled")
        search = begun(board(), engine, directory=str(folder))
        while not (search.kernel._phase and search.kernel._in_round):
            search._advance(8)
        search.save(file)
        number = len(search.kernel.layers)
        while len(search.kernel.layers) == number:
            search._advance(8)
        search.save(tmp_path / "later")
        search.kernel.place.close()
        search = Search.load(file, board())
        assert search.tree.expanded == search.kernel._expanded
        assert facts(search.run()) == facts(expected)


@pytest.mark.parametrize("engine", ["external_bfs", "external_astar"])
def test_an_error_in_the_middle_of_a_round(engine: str, tmp_path: Path) -> None:
    """What tasks had expanded of it is expanded again, and counted once."""
    with ENGINES[engine](0):
        expected = solve(board(), engine, backend="compiled")
        search = begun(board(), engine, directory=str(tmp_path))
        while not (search.kernel._phase == "expanding" and search.kernel._in_round):
            search.kernel.slice(1)
        search.tree.expanded = search.kernel._expanded + search.kernel._in_round
        full = OSError(errno.ENOSPC, "No space left on device")
        with (
            patch.object(Path, "replace", side_effect=full),
            pytest.raises(DirectoryError, match="make space"),
        ):
            search.run()
        assert facts(search.run()) == facts(expected)


@pytest.mark.parametrize("engine", ["external_bfs", "external_astar"])
def test_a_directory_whose_search_has_ended(engine: str, tmp_path: Path) -> None:
    """Others may use it: a search that has ended neither writes there nor keeps it, when it is saved or loaded."""
    file, manifest = tmp_path / "search", tmp_path / "work" / "manifest.json"
    search = begun(board(), engine, directory=str(tmp_path / "work"))
    result = search.run()
    written = manifest.stat().st_ino
    search.save(file)
    loaded = Search.load(file, board())
    loaded.save(file)
    assert manifest.stat().st_ino == written
    assert loaded.ended
    other = solve(board(), engine, backend="compiled", directory=str(tmp_path / "work"))
    assert (facts(loaded.run()), loaded.run().warnings) == (facts(result), ())
    assert facts(other) == facts(result)


@pytest.mark.long
@pytest.mark.parametrize("damaged", ["a layer", "what waits"])
def test_in_the_middle_of_a_repair(damaged: str, tmp_path: Path) -> None:
    """What was not expanded again yet is still missing, so the manifest stays as it was."""
    folder = tmp_path / "work"
    with small_buckets(3):
        expected = solve(board(Directed), "external_astar", backend="compiled")
        search = begun(board(Directed), "external_astar", directory=str(folder))
        search.run(Limits(expansions=25))
        search.kernel.saved()
        search.kernel.place.close()
        held = search.kernel.buckets
        path = folder / (held.layers[-1].files[0].name if damaged == "a layer" else min(held.waiting_files))
        path.write_bytes(path.read_bytes()[:-1] + b"x")
        kernel = type(search.kernel)(search.problem, SearchTree(), directory=str(folder), repair=True)
        assert kernel.buckets.to_expand > 3
        steps = kernel._search()
        for _ in range(3):
            next(steps)
        assert kernel.buckets.to_expand > 3
        kernel.saved()
        kernel.place.close()
        again = solve(
            board(Directed), "external_astar", backend="compiled", directory=str(folder), repair=True
        )
        assert facts(again) == facts(expected)


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
    result = search.run()
    assert facts(result) == expected
    assert result.warnings == ()
    del search, result
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


def test_where_a_directory_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it was, before where the options name it from here; only a directory that has a search is one."""
    monkeypatch.chdir(tmp_path)
    was, here = tmp_path / "was", tmp_path / "here"
    saved = {"directory": str(was)}
    for folder in (was, here):
        folder.mkdir()

    def found() -> object:
        return directory_of(saved, {"directory": "here", "memory": 7}, "file")["directory"]

    with pytest.raises(InputFormatError, match=r"there is no search on disk at .*was and at .*here: bring"):
        found()
    (here / MANIFEST).touch()
    assert found() == "here", "as the user has written it"
    (was / MANIFEST).touch()
    assert found() == str(was)
    assert directory_of(saved, {"memory": 7}, "file") == {"memory": 7}


@pytest.mark.parametrize(
    "manifest", ["", "1", "[]", "{}", "[" * 100_000, '{"layers": 1, "generated": 2, "goal": 0}']
)
def test_manifests_that_contradict_themselves(manifest: str) -> None:
    """Of a temporary directory, whose manifest stands in the saved file."""
    kernel = begun(board(), "external_bfs").kernel
    fields = Fields({"manifest": manifest})
    with pytest.raises(InputFormatError, match="manifest: it contradicts itself"):
        restore_files(kernel.place, fields, lambda: None)
    kernel.place.close()


def test_a_file_beside_that_is_too_short(tmp_path: Path) -> None:
    """One that an interruption of the system has left is written again; one that is whole is not."""
    contents, saved = tmp_path / "contents", tmp_path / "search"
    contents.write_bytes(b"states")
    digest = sha256(b"states").hexdigest()
    kept = folder_of(saved) / f"searchkit-{digest}"
    keep(saved, [whole_file(contents, digest)])
    inode = kept.stat().st_ino
    keep(saved, [whole_file(contents, digest)])
    assert kept.stat().st_ino == inode
    kept.unlink()
    kept.write_bytes(b"stat")
    keep(saved, [whole_file(contents, digest)])
    assert kept.read_bytes() == b"states"
