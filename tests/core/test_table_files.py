"""Tables on disk: found again whole, and never used if anything about them is wrong."""

from pathlib import Path

import pytest

from searchkit.compiled.tables import path_of_table, read_table, write_table

NAME, TITLE, TABLE = "test.bin", "a table of a test", b"ab\0c\nd"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tables in a folder of the test."""
    monkeypatch.setattr("searchkit.compiled.tables.user_cache", lambda: tmp_path)
    return tmp_path / "patterns"


def test_written_tables_are_found(folder: Path) -> None:
    """Byte for byte, also if they are written twice; and no other file is left."""
    assert read_table(NAME, TITLE) is None
    write_table(NAME, TITLE, b"another")
    write_table(NAME, TITLE, TABLE)
    assert read_table(NAME, TITLE) == TABLE
    assert read_table(NAME, f"{TITLE} v2") is None
    assert list(folder.iterdir()) == [path_of_table(NAME)]


def test_damaged_tables_are_not_read() -> None:
    """Whichever byte is wrong, and wherever the file ends."""
    write_table(NAME, TITLE, TABLE)
    content = path_of_table(NAME).read_bytes()
    for place in range(len(content)):
        path_of_table(NAME).write_bytes(content[:place])
        assert read_table(NAME, TITLE) is None
        path_of_table(NAME).write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert read_table(NAME, TITLE) is None


def test_where_nothing_can_be_written(folder: Path) -> None:
    """Nothing happens, and nothing is found."""
    folder.write_text("a file where the folder would be")
    write_table(NAME, TITLE, TABLE)
    assert read_table(NAME, TITLE) is None
