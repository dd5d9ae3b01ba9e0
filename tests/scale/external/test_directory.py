"""The directory of a search on disk: whatever stops a search, the same search goes on to the same counts."""

import errno
import fcntl
import gc
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zlib import crc32

import pytest

from searchkit import Limits, Search, Status, solve
from searchkit.errors import DirectoryError, WorkerError
from searchkit.scale.external import files
from searchkit.scale.external.directory import LOCK, MANIFEST, Directory
from tests.scale.external.boards import Directed, board, facts, on_disk, small_layers

EXPECTED = facts(solve(board(), "external_bfs", backend="python"))


@pytest.fixture(autouse=True)
def on_small_parts() -> Iterator[None]:
    """Let layers of more than 12 states go to disk by tasks."""
    with small_layers(12):
        yield


@pytest.fixture
def half(tmp_path: Path) -> Path:
    """Return the directory of a search that was stopped half way."""
    folder = tmp_path / "half"
    assert on_disk(board(), folder, Limits(expansions=60)).status is Status.CUTOFF
    return folder


def runs(folder: Path) -> list[Path]:
    """Return the files of layers."""
    return sorted(folder.glob("*.run"))


def test_the_same_search_goes_on(half: Path) -> None:
    """Also after its end."""
    assert facts(on_disk(board(), half)) == EXPECTED
    result = on_disk(board(), half)
    assert facts(result) == EXPECTED
    assert result.solution is not None


def moments(folder: Path, target: Path, every: int, kind: Any) -> list[Path]:
    """Search, and return copies of the directory as it is after each step of writing a file, or one in `every`."""
    found: list[Path] = []
    count = 0

    def copy(step: str, path: Path) -> None:
        nonlocal count
        count += 1
        if count % every == 0:
            found.append(target / f"{count}-{step}")
            shutil.copytree(folder, found[-1])

    with patch.object(files, "passed", copy):
        on_disk(board(kind=kind), folder)
    return found


@pytest.mark.parametrize(
    ("kind", "every"), [(Directed, 17), pytest.param(type(board()), 5, marks=pytest.mark.long)]
)
def test_killed_at_a_step_of_writing(tmp_path: Path, kind: Any, every: int) -> None:
    """What a killed process leaves behind, at every step of writing every file: nothing is lost but a round."""
    (tmp_path / "copies").mkdir()
    copies = moments(tmp_path / "whole", tmp_path / "copies", every, kind)
    assert len(copies) > 5
    for copy in copies:
        result = on_disk(board(kind=kind), copy)
        assert facts(result) == EXPECTED, copy.name
        assert {path.suffix for path in copy.iterdir()} == {"", ".json", ".run"}, "leftovers are deleted"


KILLED = """
import os, signal, sys
from searchkit.scale.external import files
from tests.scale.external.boards import board, on_disk, small_layers
left = int(sys.argv[2])
def passed(step, path):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
files.passed = passed
with small_layers(12):
    on_disk(board(), sys.argv[1])
"""


@pytest.mark.long
def test_killed_30_times(tmp_path: Path) -> None:
    """A process is killed by SIGKILL in the middle of writing, again and again; copies show the same more cheaply."""
    root = Path(__file__).parents[3]
    environment = os.environ | {"PYTHONPATH": str(root)}
    kills = 0
    for after in range(3, 33):
        command = [sys.executable, "-c", KILLED, str(tmp_path / "killed"), str(after)]
        kills += subprocess.run(command, env=environment, cwd=root, timeout=300).returncode == -9
    assert kills == 30
    assert facts(on_disk(board(), tmp_path / "killed")) == EXPECTED


@pytest.mark.parametrize("how", ["deleted", "truncated", "flipped"])
def test_damaged_files(half: Path, how: str) -> None:
    """An error names the file, what is intact and what to do; restored or repaired, the search goes on."""
    for path in (runs(half)[0], runs(half)[len(runs(half)) // 2], runs(half)[-1]):
        copy = half.with_name(f"copy-{how}-{path.stem}")
        shutil.copytree(half, copy)
        (copy / LOCK).unlink()
        bad, whole = copy / path.name, path.read_bytes()
        if how == "deleted":
            bad.unlink()
        elif how == "truncated":
            bad.write_bytes(whole[: len(whole) // 2])
        else:
            bad.write_bytes(whole[:-3] + bytes([whole[-3] ^ 16]) + whole[-2:])
        with pytest.raises(DirectoryError, match="another search"):
            on_disk(board(kind=Directed), copy)
        said = ""
        try:
            found = facts(on_disk(board(), copy))
        except DirectoryError as error:
            said = str(error)
        if said:
            assert path.name in said
            assert "intact" in said
            bad.write_bytes(whole)
            found = facts(on_disk(board(), copy))
        else:
            assert how == "flipped", "only a layer that is not read again may be damaged without an error"
        assert found == EXPECTED
        bad.write_bytes(b"")
        assert facts(on_disk(board(), copy, repair=True)) == EXPECTED


def test_every_flipped_byte_of_an_index_is_found(half: Path) -> None:
    """Header and index have a checksum."""
    path = runs(half)[-1]
    whole = path.read_bytes()
    begin = files.HEADER.size + 8 * (files.FIRST + 1)
    for place in range(0, begin, 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(DirectoryError, match="is damaged"):
            files.RunReader(path, 1, len(whole))


@pytest.mark.parametrize("field", ["magic", "words", "blocks", "data", "states"])
@pytest.mark.parametrize("forged", [0, 2, files.ABOVE, (1 << 64) - 1])
def test_a_forged_header_with_the_right_checksum(half: Path, field: str, forged: int) -> None:
    """Each number has to fit the problem, the length of the file and the index."""
    path = runs(half)[-1]
    whole = path.read_bytes()
    names = ["magic", "words", "blocks", "data", "states"]
    header = dict(zip(names, files.HEADER.unpack(whole[: files.HEADER.size]), strict=False))
    header[field] = forged.to_bytes(16) if field == "magic" else forged
    index = whole[files.HEADER.size :][: 8 * header["blocks"] * (files.FIRST + header["words"])]
    check = crc32(index, crc32(files.HEADER.pack(*header.values(), 0)))
    path.write_bytes(files.HEADER.pack(*header.values(), check) + whole[files.HEADER.size :])
    with pytest.raises(DirectoryError, match="is damaged"):
        files.RunReader(path, 1, len(whole))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ('{"format": 1, "facts": {}, "body": {}, "digest": ""}', "is damaged"),
        ('{"format": 2, "facts": {}, "body": {}, "digest": ""}', "format 2"),
    ],
)
def test_damaged_manifests(half: Path, text: str, message: str) -> None:
    """The files of layers stay as they are."""
    before = [path.read_bytes() for path in runs(half)]
    (half / MANIFEST).write_text(text)
    with pytest.raises(DirectoryError, match=message):
        on_disk(board(), half)
    (half / MANIFEST).unlink()
    with pytest.raises(DirectoryError, match=r"holds files, such as layers.*, but no manifest\.json"):
        on_disk(board(), half)
    assert [path.read_bytes() for path in runs(half)] == before


def test_directories_of_others(half: Path, tmp_path: Path) -> None:
    """Another board, and a folder with files of another kind: nothing is changed."""
    with pytest.raises(DirectoryError, match=r"its problem is tiles .* Name another directory"):
        on_disk(board((1, 0, 2, 3, 4, 5)), half)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.tmp").write_text("mine")
    with pytest.raises(DirectoryError, match=r"holds files, such as notes\.tmp"):
        on_disk(board(), tmp_path / "mine")
    assert (tmp_path / "mine" / "notes.tmp").read_text() == "mine"
    with pytest.raises(DirectoryError, match=r"notes\.tmp is a file; expected the name of a directory"):
        on_disk(board(), tmp_path / "mine" / "notes.tmp")


def test_one_driver_at_a_time(half: Path) -> None:
    """Of this process, of another machine; a process that has ended leaves no lock behind."""
    search = Search(board(), "external_bfs", backend="compiled", directory=str(half))
    search.run(Limits(expansions=1))
    with pytest.raises(DirectoryError, match=rf"in use by process {os.getpid()} on {socket.gethostname()}"):
        on_disk(board(), half)
    del search
    gc.collect()
    (half / LOCK).write_text(json.dumps({"host": "elsewhere", "pid": 7}))
    with pytest.raises(DirectoryError, match=r"process 7 on elsewhere.*delete"):
        on_disk(board(), half)
    (half / LOCK).write_text(json.dumps({"host": socket.gethostname(), "pid": 2**22 + 1}))
    assert facts(on_disk(board(), half)) == EXPECTED


def test_temporary_directories_of_killed_processes_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no others: of processes that run, of other machines, with names that users gave, with other files."""
    killed, runs_still, foreign, named, other = (tmp_path / f"searchkit-{number}" for number in range(5))
    for path in (killed, runs_still, foreign, named, other):
        directory = Directory(path, {"engine": "external_bfs"} if path == named else {}, durable=False)
        (path / "layers-0-3-0-0.run").write_text("states")
        if path == runs_still:
            held = directory
        else:
            directory._lock._file.close()  # as the system does when a process is killed
    (foreign / LOCK).write_text(json.dumps({"host": "elsewhere", "pid": 7}))
    (other / "notes.txt").write_text("mine")
    (tmp_path / "searchkit-file").write_text("mine")
    (tmp_path / "searchkit-new").mkdir()
    (tmp_path / "searchkit-new" / LOCK).touch()
    (tmp_path / "searchkit-link").symlink_to(killed)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert facts(solve(board(), "external_bfs", backend="compiled")) == EXPECTED
    assert sorted(path.name[10:] for path in tmp_path.iterdir()) == [
        "1",
        "2",
        "3",
        "4",
        "file",
        "link",
        "new",
    ]
    for path in (runs_still, foreign, named):
        assert runs(path)
    assert (other / "notes.txt").read_text() == "mine"
    held.close()


def test_process_that_is_killed_after_its_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directory of a search that has ended is ours as long as it has large files, and is deleted after that."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = solve(board(), "external_bfs", backend="compiled")
    (folder,) = tmp_path.iterdir()
    solve(board(), "external_bfs", backend="compiled")
    assert runs(folder)
    left: list[list[Path]] = []
    close = Directory.close

    def spied(directory: Directory) -> None:
        left.append(runs(directory.path))
        close(directory)

    with patch.object(Directory, "close", spied):
        solve(board(), "external_bfs", backend="compiled").search.kernel.place.close()
    assert left
    assert not any(left)
    fcntl.flock(ended.search.kernel.place.directory._lock._file, fcntl.LOCK_UN)  # as when a process is killed
    solve(board(), "external_bfs", backend="compiled").search.kernel.place.close()
    assert not folder.exists()


def test_temporary_directory_that_can_not_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an error, and the directory is deleted with the search."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    full = OSError(errno.ENOSPC, "No space left on device")
    search: Search[Any, Any] = Search(board(), "external_bfs", backend="compiled")
    with (
        patch("searchkit.scale.external.directory.write_file", side_effect=full),
        pytest.raises(DirectoryError, match="No space left on device"),
    ):
        search.run()
    search.kernel.place.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES])
def test_a_full_disk(tmp_path: Path, code: int) -> None:
    """Wherever writing fails, one error says that complete rounds are intact; the search goes on, also the same one."""
    for after in (1, 90):
        left = after

        def fail(step: str, path: Path) -> None:
            nonlocal left
            left -= 1
            if left <= 0 and step in ("created", "written"):
                raise OSError(code, os.strerror(code), str(path))

        search = Search(board(), "external_bfs", backend="compiled", directory=str(tmp_path / str(after)))
        with (
            patch.object(files, "passed", fail),
            pytest.raises(
                DirectoryError, match=r"(make space|give this user the right).*, and run the same search"
            ),
        ):
            search.run()
        if after > 1:
            assert facts(search.run()) == EXPECTED
        del search
        assert facts(on_disk(board(), tmp_path / str(after))) == EXPECTED


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of this kind")
@pytest.mark.long
def test_a_limit_of_the_system(tmp_path: Path) -> None:
    """A real limit of the length of files, in a process of its own; raised errors show the same more cheaply."""
    text = f"""
import resource, signal
from searchkit.errors import DirectoryError, WorkerError
from tests.scale.external.boards import board, on_disk
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
try:
    on_disk(board(), {str(tmp_path / "limited")!r})
except DirectoryError as error:
    print(error)
"""
    root = Path(__file__).parents[3]
    environment = os.environ | {"PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", text], env=environment, cwd=root, capture_output=True, text=True, timeout=120
    )
    assert "make space, and run the same search" in done.stdout, done.stderr
    assert facts(on_disk(board(), tmp_path / "limited")) == EXPECTED


def test_workers_that_can_not_be_opened_are_an_error(tmp_path: Path) -> None:
    """The search does not stay in Python, where `directory` would be the error that the user reads."""
    gone = WorkerError("no machine of the cluster answers")
    with (
        patch("searchkit.scale.external.place.open_workers", side_effect=gone),
        pytest.raises(WorkerError) as raised,
    ):
        solve(board(), "external_bfs", directory=str(tmp_path / "d"))
    assert raised.value is gone
