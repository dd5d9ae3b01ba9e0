"""Tables in files: checked once on a machine, mapped only where nothing can go wrong, never used unchecked."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from searchkit.compiled import shared
from searchkit.compiled.shared import MappedFile, SharedTable, read_shared
from searchkit.plugin import InputFormatError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no permissions of files")
CONTENT = bytes(range(256)) * 20


class Checked:
    """A file that is read as tables are; `count` tells how often its contents were checked."""

    def __init__(self, path: Path):
        self.path, self.count = path, 0
        path.write_bytes(CONTENT)

    def read(self) -> SharedTable:
        """Read it. Raises `InputFormatError` for contents that do not begin with 0."""
        return read_shared(self.path, "test", 10_000, 100, self.check)

    def check(self, contents: memoryview) -> None:
        """Check contents."""
        self.count += 1
        if contents[0]:
            raise InputFormatError("it is forged", source=str(self.path))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checked:
    """Return a file; copies are in the folder `tables` of the test, however small they are."""
    monkeypatch.setattr(shared, "user_cache", lambda: tmp_path)
    monkeypatch.setattr(shared, "_is_local", lambda folder: True)
    monkeypatch.setattr(shared, "LEAST", 1)
    monkeypatch.setattr(shared, "BLOCK", 300)
    return Checked(tmp_path / "file")


def copy_of(file: Checked) -> Path:
    """Return the path of the copy."""
    return file.path.parent / "tables" / "test"


def test_a_file_is_checked_once(file: Checked) -> None:
    """Both reads give the same; the copy is the user's own, and no other file is left."""
    tables = [file.read(), file.read()]
    assert file.count == 1
    assert [(table.first, bytes(table.memory)) for table in tables] == [(CONTENT[:100], CONTENT)] * 2
    assert all(table.copy is not None and table.memory.readonly for table in tables)
    assert copy_of(file).stat().st_mode & 0o777 == 0o600
    assert list(copy_of(file).parent.iterdir()) == [copy_of(file)]


@pytest.mark.parametrize("place", [0, 99, 100, 299, 300, len(CONTENT) - 1, len(CONTENT)])
def test_another_file_is_checked_again(file: Checked, place: int) -> None:
    """Whichever byte differs, or if one is added; wrong contents are refused, and what was mapped stays as it was."""
    table = file.read()
    file.path.write_bytes(CONTENT[:place] + b"\x07" + CONTENT[place + 1 :])
    if place:
        assert bytes(file.read().memory) == file.path.read_bytes()
    else:
        with pytest.raises(InputFormatError, match="it is forged"):
            file.read()
    assert file.count == 2
    assert bytes(table.memory) == CONTENT
    table.check_unchanged()


@pytest.mark.parametrize(
    "change", [lambda whole: whole[:-1], lambda whole: whole[:-1] + b"x", lambda whole: b""]
)
def test_a_wrong_copy_is_replaced(file: Checked, change: Callable[[bytes], bytes]) -> None:
    """Cut short, changed, empty: the file is checked again."""
    file.read()
    copy_of(file).write_bytes(change(CONTENT))
    assert bytes(file.read().memory) == CONTENT
    assert copy_of(file).read_bytes() == CONTENT
    assert file.count == 2


def unwritable(file: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a file where the folder would be."""
    copy_of(file).parent.write_text("")


def open_to_others(file: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let others write to the folder."""
    copy_of(file).parent.mkdir()
    copy_of(file).parent.chmod(0o777)


def elsewhere(file: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the folder on a file system of another machine."""
    monkeypatch.setattr(shared, "_is_local", lambda folder: False)


def homeless(file: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no home directory."""

    def fail() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(shared, "user_cache", fail)


def full(file: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk be full."""

    def fail(path: Path) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(shared, "replacing", fail)


@pytest.mark.parametrize("what", [unwritable, open_to_others, elsewhere, homeless, full])
def test_what_can_not_be_shared_is_read_into_memory(
    file: Checked, monkeypatch: pytest.MonkeyPatch, what: Callable[[Checked, pytest.MonkeyPatch], None]
) -> None:
    """It is checked each time."""
    what(file, monkeypatch)
    for count in (1, 2):
        table = file.read()
        assert (table.copy, bytes(table.memory), table.memory.readonly) == (None, CONTENT, True)
        assert (table.first, file.count) == (CONTENT[:100], count)
        table.check_unchanged()


@pytest.mark.parametrize("mode", [0o666, 0o660, 0o606])
def test_a_copy_that_others_may_write_is_not_used(mode: int, file: Checked) -> None:
    """Neither all nor those of a group; nor is a folder in its place: the file is checked again."""
    file.read()
    copy_of(file).chmod(mode)
    assert bytes(file.read().memory) == CONTENT
    copy_of(file).unlink()
    copy_of(file).mkdir()
    assert bytes(file.read().memory) == CONTENT
    assert file.count == 3


def test_a_file_that_is_cut_short_while_it_is_compared(
    file: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy has more than the file then, and is not used."""
    file.read()
    map_file = shared.map_file

    def cutting(path: Path, size: int) -> MappedFile | None:
        mapped = map_file(path, size)
        os.truncate(file.path, 1_000)
        return mapped

    monkeypatch.setattr(shared, "map_file", cutting)
    assert bytes(file.read().memory) == CONTENT[:1_000]
    assert file.count == 2


def test_local_file_systems_are_known() -> None:
    """The kernel's own folders are on none of those that tables are mapped from."""
    if not Path("/proc/self/mountinfo").exists():
        pytest.skip("there is no list of file systems")
    assert not shared._is_local(Path("/proc/self"))


def test_a_copy_that_is_changed_while_it_is_in_use(file: Checked) -> None:
    """Writing and cutting short are noticed; replacing and deleting change nothing."""
    file.read()
    os.utime(copy_of(file), ns=(0, 0))
    first, second = file.read(), file.read()
    copy_of(file).write_bytes(CONTENT[:-1] + b"x")
    with pytest.raises(InputFormatError, match="test: this copy of a checked table was changed"):
        first.check_unchanged()
    os.truncate(copy_of(file), 10)
    with pytest.raises(InputFormatError, match="this copy of a checked table was changed"):
        second.check_unchanged()
    copy_of(file).unlink()
    third = file.read()
    copy_of(file).unlink()
    third.check_unchanged()
    file.read()
    third.check_unchanged()
    assert bytes(third.memory) == CONTENT


def test_the_oldest_copies_make_room(file: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many are left as may be kept; those in use stay readable."""
    monkeypatch.setattr(shared, "MOST_KEPT", 2 * len(CONTENT))
    table = file.read()
    for age, name in enumerate(("older", "old")):
        copy_of(file).with_name(name).write_bytes(bytes(len(CONTENT) // 2))
        os.utime(copy_of(file).with_name(name), (age, age))
    read_shared(file.path, "newer", 10_000, 0, file.check)
    assert sorted(path.name for path in copy_of(file).parent.iterdir()) == ["newer", "test"]
    read_shared(file.path, "newest", 10_000, 0, file.check)
    assert len(list(copy_of(file).parent.iterdir())) == 2
    assert bytes(table.memory) == CONTENT


def test_files_that_are_too_long_or_not_there(file: Checked) -> None:
    """They are refused before anything is written."""
    file.path.write_bytes(bytes(10_001))
    with pytest.raises(InputFormatError, match="more than 10,000 bytes"):
        file.read()
    file.path.unlink()
    with pytest.raises(InputFormatError, match="can't be read"):
        file.read()
    assert file.count == 0
