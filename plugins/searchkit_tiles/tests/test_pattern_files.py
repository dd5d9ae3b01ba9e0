"""Tables kept on disk: whole or not at all."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from searchkit_tiles import SlidingTiles
from searchkit_tiles.board import goal_board
from searchkit_tiles.heuristics import patterns
from searchkit_tiles.heuristics.pattern_digests import DIGESTS
from searchkit_tiles.heuristics.pattern_files import file_of, kept, tables_in
from searchkit_tiles.heuristics.patterns import patterns_of

NAME, GROUPS, TABLES = "test", [(1, 2), (3,)], [b"ab\0c", b"d"]
SIZES = [len(table) for table in TABLES]


def keep(name: str, groups: Sequence[Sequence[int]], tables: Sequence[bytes]) -> None:
    """Write the file of some tables."""
    file_of(name, groups, SIZES).write(tables)


def path_of(name: str) -> Path:
    """Return the path of the file of some tables."""
    return file_of(name, GROUPS, SIZES).path


def found(name: str, groups: Sequence[Sequence[int]]) -> list[bytes] | None:
    """Return the tables of a file; None if there is no correct one."""
    memory = kept(name, groups, SIZES)
    return None if memory is None else list(map(bytes, tables_in(memory, SIZES)))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep files in a directory of the test."""
    monkeypatch.setattr("searchkit.compiled.tables.user_cache", lambda: tmp_path)
    monkeypatch.setitem(DIGESTS, NAME, sha256(b"".join(TABLES)).hexdigest())


def test_what_is_kept_is_found_again() -> None:
    """Byte for byte, and no other file is left."""
    assert found(NAME, GROUPS) is None
    keep(NAME, GROUPS, TABLES)
    assert found(NAME, GROUPS) == TABLES
    assert list(path_of(NAME).parent.iterdir()) == [path_of(NAME)]


def test_forged_tables_are_not_read() -> None:
    """Their checksum fits, but only one content is correct for each board."""
    keep(NAME, GROUPS, [b"ab\1c", b"d"])
    assert found(NAME, GROUPS) is None


@pytest.mark.parametrize("place", range(0, 120, 7))
def test_a_damaged_file_is_not_read(place: int) -> None:
    """For any wrong byte, and if the end is missing."""
    keep(NAME, GROUPS, TABLES)
    content = bytearray(path_of(NAME).read_bytes())
    place %= len(content)
    path_of(NAME).write_bytes(content[:place])
    assert found(NAME, GROUPS) is None
    content[place] ^= 1
    path_of(NAME).write_bytes(content)
    assert found(NAME, GROUPS) is None


def test_tables_are_kept_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of large boards; here a small one counts as large. A second process builds nothing."""
    goal = goal_board(6, "blank-first")
    small = patterns_of(3, goal)
    monkeypatch.setattr(patterns, "KEPT_FROM", 0)
    monkeypatch.setitem(DIGESTS, "3x2-first", sha256(b"".join(map(bytes, small.tables))).hexdigest())
    for building in (True, False):
        patterns_of.cache_clear()
        if not building:
            monkeypatch.setattr(patterns, "build", None)
        again = patterns_of(3, goal)
        assert list(map(bytes, again.tables)) == list(map(bytes, small.tables))
        assert path_of("3x2-first").exists()
    table = SlidingTiles(3, 2, (3, 1, 2, 0, 4, 5), heuristic="pattern-database").compiled().table
    assert np.shares_memory(table, np.frombuffer(again.memory or b"", np.uint8)), "nothing is copied"
    patterns_of.cache_clear()
