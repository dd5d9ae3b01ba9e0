"""Tables on disk: found again whole, and never used if anything about them is wrong."""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from searchkit.compiled.tables import TableFile

TABLES = [b"ab\0c", b"d"]
CONTENT = b"".join(TABLES)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TableFile:
    """Return a file in a folder of the test."""
    monkeypatch.setattr("searchkit.compiled.tables.user_cache", lambda: tmp_path)
    return TableFile("test.bin", "tables of a test", len(CONTENT), sha256(CONTENT).hexdigest(), 128)


def both(kept: TableFile) -> tuple[bytes | None, bytes | None]:
    """Return the tables as they are read, and as they are mapped."""
    read, mapped = kept.read(), kept.mapped()
    return None if read is None else bytes(read), None if mapped is None else bytes(mapped[kept.begin :])


def test_written_tables_are_found(kept: TableFile) -> None:
    """Read or mapped; and no other file is left."""
    assert both(kept) == (None, None)
    kept.write(TABLES)
    assert both(kept) == (CONTENT, CONTENT)
    assert list(kept.path.parent.iterdir()) == [kept.path]


def test_the_part_before_the_tables_is_free_in_memory(kept: TableFile) -> None:
    """What a process writes there stays in it."""
    kept.write(TABLES)
    before, mapped = kept.path.read_bytes(), kept.mapped()
    assert mapped is not None
    mapped[: kept.begin] = b"\xff" * kept.begin
    assert kept.path.read_bytes() == before
    assert both(kept) == (CONTENT, CONTENT)


def test_a_mapped_file_can_be_replaced(kept: TableFile) -> None:
    """The mapping keeps the old contents."""
    kept.write(TABLES)
    mapped = kept.mapped()
    assert mapped is not None
    kept.write([b"other"])
    assert bytes(mapped[kept.begin :]) == CONTENT
    assert both(kept) == (None, None)


@pytest.mark.parametrize("place", [0, 20, 40, 60, 127, 128, 132])
def test_any_wrong_byte_is_found(kept: TableFile, place: int) -> None:
    """In the line, in the digest, in the gap and in the tables."""
    kept.write(TABLES)
    content = bytearray(kept.path.read_bytes())
    content[place] ^= 1
    kept.path.write_bytes(content)
    assert both(kept) == (None, None)


@pytest.mark.parametrize("change", [lambda whole: whole[:-1], lambda whole: whole + b"x", lambda whole: b""])
def test_files_of_another_length(kept: TableFile, change: Callable[[bytes], bytes]) -> None:
    """Cut short, longer, empty."""
    kept.write(TABLES)
    kept.path.write_bytes(change(kept.path.read_bytes()))
    assert both(kept) == (None, None)


def test_no_content_is_correct_without_a_digest(kept: TableFile) -> None:
    """So nothing is used before the author of the tables knows them."""
    kept.write(TABLES)
    assert both(TableFile(kept.name, kept.title, kept.size, "", kept.begin)) == (None, None)


@pytest.mark.parametrize("make", [os.mkdir, getattr(os, "mkfifo", os.mkdir)])
def test_what_is_no_file(kept: TableFile, make: Callable[[Path], None]) -> None:
    """A folder, a pipe: nothing waits for a writer."""
    kept.path.parent.mkdir(parents=True)
    make(kept.path)
    assert both(kept) == (None, None)


def test_where_nothing_can_be_written(kept: TableFile, tmp_path: Path) -> None:
    """It is no error: the tables are computed again."""
    (tmp_path / "patterns").write_text("a file where the folder would be")
    kept.write(TABLES)
    assert both(kept) == (None, None)
