"""The directory of a search on disk: whatever stops a search, the same call resumes it, to the same counts.

Other people's files are never changed.
"""

import gc
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from searchkit import Limits, Search, Status, solve
from searchkit.errors import DirectoryError
from tests.disk.boards import COST, ENGINES, Directed, board, facts, on_disk, small_tasks

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True, scope="module")
def few_objects() -> None:
    """Take what other tests have left out of the garbage collections that searches on disk ask for."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def by_tasks() -> Iterator[None]:
    """Let buckets of more than 12 states be searched by tasks."""
    with small_tasks():
        yield


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Return the name of an engine."""
    return str(request.param)


@pytest.fixture
def expected(engine: str) -> Any:
    """Return the facts of a search in one go."""
    return facts(solve(board(), engine))


@pytest.fixture
def half(engine: str, tmp_path: Path) -> Path:
    """Return the directory of a search that was stopped half way."""
    folder = tmp_path / "half"
    assert on_disk(folder, engine, Limits(expansions=20)).status is Status.CUTOFF
    gc.collect()
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_resumed_after_a_limit(half: Path, engine: str, expected: Any) -> None:
    """Also again after its end."""
    for _ in range(2):
        result = on_disk(half, engine)
        assert facts(result) == expected
        assert result.solution is not None


def test_paused_and_resumed(engine: str, expected: Any, tmp_path: Path) -> None:
    """In steps of one expansion or more."""
    search = Search(board(), engine, directory=str(tmp_path))
    result = search.run(Limits(expansions=0))
    for _ in range(1000):
        assert result.lower_bound <= COST
        if result.status is not Status.CUTOFF:
            break
        result = search.run(Limits(expansions=1))
    assert facts(result) == expected


@pytest.mark.one_in(3)  # CI runs the others
@pytest.mark.parametrize("kind", [type(board()), Directed])
def test_killed_while_writing(engine: str, kind: Any, expected: Any, tmp_path: Path) -> None:
    """What a killed process leaves behind, before and after each file is complete: a round is lost at most."""
    folder, copies = tmp_path / "whole", tmp_path / "copies"
    copies.mkdir()
    replace, names = Path.replace, list[Path]()

    def copying(path: Path, target: Path) -> Any:
        for complete in (lambda: path, lambda: replace(path, target)):
            complete()
            names.append(copies / str(len(names)))
            shutil.copytree(folder, names[-1])

    with patch.object(Path, "replace", copying):
        assert facts(on_disk(folder, engine, kind=kind)) == expected
    assert len(names) > 20
    for copy in names[:: max(1, len(names) // 6)]:
        assert facts(on_disk(copy, engine, kind=kind)) == expected, copy.name
        assert {path.suffix for path in copy.iterdir()} == {".lock", ".json", ".run"}, "leftovers are deleted"


@pytest.mark.skipif(sys.platform == "win32", reason="it limits the size of files")
def test_a_full_disk(engine: str, expected: Any, tmp_path: Path) -> None:
    """One error says what to do; then the same search goes on, also in the same process."""
    resource = pytest.importorskip("resource")
    search = Search(board(), engine, directory=str(tmp_path))
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (900, hard))
        with pytest.raises(
            DirectoryError, match=r"make space, and run the same search with the same directory"
        ):
            search.run()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert facts(search.run()) == expected
    del search
    gc.collect()
    assert facts(on_disk(tmp_path, engine)) == expected


def test_two_searches_in_one_directory(engine: str, tmp_path: Path) -> None:
    """One error; when the first is gone, the other goes on."""
    first = Search(board(), engine, directory=str(tmp_path))
    first.run(Limits(expansions=20))
    with pytest.raises(DirectoryError, match="is in use by another search"):
        on_disk(tmp_path, engine)
    del first
    assert on_disk(tmp_path, engine).status is Status.SOLVED


def test_the_directory_of_another_search(half: Path, engine: str) -> None:
    """Nothing is changed."""
    before = contents(half)
    other = ENGINES[(ENGINES.index(engine) + 1) % 3]
    for search in (lambda: on_disk(half, other), lambda: on_disk(half, engine, kind=Directed)):
        with pytest.raises(DirectoryError, match="belongs to another search: its "):
            search()
    assert contents(half) == before


NOTES = "my precious notes\n"
LOCK = "search.lock"
FOREIGN: dict[str, Callable[[Path, Path], object]] = {
    "lock": lambda folder, target: (folder / LOCK).write_text(NOTES),
    "manifest": lambda folder, target: (folder / "manifest.json").write_text('{"other": 1}'),
    "link": lambda folder, target: (folder / LOCK).symlink_to(target),
    "hard link": lambda folder, target: (folder / LOCK).hardlink_to(target),
    "link to nowhere": lambda folder, target: (folder / LOCK).symlink_to(target.with_name("new")),
    "file": lambda folder, target: (folder / "lock").write_text(NOTES),
    "run": lambda folder, target: (folder / "states-w000000001.run").write_text(NOTES),
    "folder": lambda folder, target: (folder / LOCK).mkdir(),
}


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("name", FOREIGN)
def test_a_user_s_file_named_lock_is_not_emptied(name: str, tmp_path: Path) -> None:
    """In a folder with files of a user, there is one error, and nothing is changed, also not through a link.

    A file with the name of the lock is locked, and stays what it is.
    """
    target, folder = tmp_path / "target", tmp_path / "folder"
    target.write_text(NOTES)
    folder.mkdir()
    FOREIGN[name](folder, target)
    before = contents(tmp_path)
    if name in ("lock", "hard link"):
        assert on_disk(folder, "external_bfs").cost == COST
        assert contents(tmp_path).items() >= before.items()
    else:
        with pytest.raises(DirectoryError, match=r"name another|remove the cause"):
            on_disk(folder, "external_bfs")
        assert contents(tmp_path) == before


def test_a_file_that_a_user_adds_later(half: Path, engine: str, expected: Any) -> None:
    """It stays."""
    (half / "notes.txt").write_text(NOTES)
    (half / "states.run").write_text(NOTES)
    assert facts(on_disk(half, engine)) == expected
    assert (half / "notes.txt").read_text() == (half / "states.run").read_text() == NOTES


def test_places_that_can_t_be_used(tmp_path: Path) -> None:
    """One error each."""
    (tmp_path / "file").write_text(NOTES)
    for path in (tmp_path / "file", tmp_path / "file" / "folder"):
        with pytest.raises(DirectoryError):
            on_disk(path, "external_bfs")
    assert (tmp_path / "file").read_text() == NOTES
