"""Files that searchkit makes for itself: found again whole, and never used if anything about them is wrong."""

from pathlib import Path

import pytest

from searchkit.compiled.cache import read_checked, write_checked

TITLE, CONTENT = "a table of a test", b"ab\0c\nd"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file in a folder that is not there yet."""
    return tmp_path / "folder" / "test.bin"


def test_what_was_written_is_found(path: Path) -> None:
    """Byte for byte, also if it is written twice; and no other file is left."""
    assert read_checked(path, TITLE) is None
    write_checked(path, TITLE, b"another")
    write_checked(path, TITLE, CONTENT)
    assert read_checked(path, TITLE) == CONTENT
    assert list(path.parent.iterdir()) == [path]
    assert read_checked(path, f"{TITLE} v2") is None


def test_what_is_damaged_is_deleted(path: Path) -> None:
    """Whichever byte is wrong, and wherever the file ends."""
    write_checked(path, TITLE, CONTENT)
    content = path.read_bytes()
    for place in range(len(content)):
        for damaged in (
            content[:place],
            content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :],
        ):
            path.write_bytes(damaged)
            assert read_checked(path, TITLE) is None
            assert not path.exists()


def test_where_nothing_can_be_written(path: Path) -> None:
    """Nothing happens, and nothing is found."""
    path.parent.write_text("a file where the folder would be")
    write_checked(path, TITLE, CONTENT)
    assert read_checked(path, TITLE) is None
