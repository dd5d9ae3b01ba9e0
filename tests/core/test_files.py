"""Files are read up to a limit, whatever they are, and written whole or not at all."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from searchkit import Certificate, load, problem_from, solve
from searchkit.basics import files as module
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.plugin import read_bytes, read_text, replacing, write_file

needs_devices = pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")

LINE = problem_from([0], lambda x: [("right", x + 1)], lambda x: x == 3)


def test_a_text_in_any_form(tmp_path: Path) -> None:
    """A byte order mark is left out, and all line ends are newlines."""
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_text(path) == "one\ntwo\nthree\n"
    path.write_bytes(b"one\xff")
    with pytest.raises(InputFormatError, match="byte 3 is not UTF-8"):
        read_text(path)


@needs_devices
@pytest.mark.parametrize("read", [read_bytes, Certificate.load, load])
def test_a_device_without_an_end_is_refused(
    read: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: `certify m.txt /dev/zero` read until memory was full."""
    monkeypatch.setattr(module, "LARGEST_STREAM", 10_000)
    with pytest.raises(InputFormatError, match=r"/dev/zero: it has more than 10,000 bytes"):
        read(Path("/dev/zero"))


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    """Its length is known before."""
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(InputFormatError, match=r"sparse: it has more than 4,294,967,296 bytes"):
        read_bytes(path)
    assert read_bytes(Path(__file__), Path(__file__).stat().st_size)


@pytest.mark.parametrize("name", ["missing", "folder", "x" * 5000])
def test_what_is_no_file_is_one_error(name: str, tmp_path: Path) -> None:
    """A directory, and names that no file has."""
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputFormatError, match="can't be read: "):
        read_bytes(tmp_path / name)


def full(*_: object) -> None:
    """Raise what a full disk raises."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


WRITERS: dict[str, Callable[[Path], object]] = {
    "text": lambda path: write_file(path, "new"),
    "certificate": lambda path: solve(LINE, "bfs", certificate=True).certificate.save(path),  # type: ignore[union-attr]
}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_full_disk_leaves_what_was_there(
    writer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing else; files were truncated."""
    path = tmp_path / "kept.out"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises((OSError, InvalidOptionError), match="No space left on device"):
        WRITERS[writer](path)
    assert path.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    WRITERS[writer](path)
    assert path.read_text() != "old"
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_file_keeps_its_permissions_and_a_link_its_target(tmp_path: Path) -> None:
    """What is new has those that the user's mask gives."""
    target, link = tmp_path / "target", tmp_path / "link"
    write_file(target, "one")
    (tmp_path / "plain").write_text("")
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(link, "two")
    assert link.is_symlink()
    assert target.read_text() == "two"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_an_interruption_leaves_what_was_there(tmp_path: Path) -> None:
    """Whatever ends the block."""
    path = tmp_path / "out"
    write_file(path, "old")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@needs_full
def test_a_device_is_written_to_as_it_is() -> None:
    """It is not replaced by a file, and its error is reported."""
    write_file(Path(os.devnull), "away")
    assert not Path(os.devnull).is_file()
    with pytest.raises(OSError, match="No space left on device"):
        write_file(Path("/dev/full"), "more")
    assert not Path("/dev/full").is_file()
