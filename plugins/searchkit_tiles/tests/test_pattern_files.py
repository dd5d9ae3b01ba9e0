"""Tables kept on disk: whole or not at all."""

from collections.abc import Sequence
from hashlib import sha256
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from searchkit.compiled.tables import Progress
from searchkit_tiles import SlidingTiles
from searchkit_tiles.board import goal_board
from searchkit_tiles.heuristics import patterns
from searchkit_tiles.heuristics.pattern_digests import DIGESTS
from searchkit_tiles.heuristics.pattern_files import file_of, kept, tables_in
from searchkit_tiles.heuristics.patterns import Patterns, build, groups_of, patterns_of

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


def test_what_was_read_does_not_change_with_the_file() -> None:
    """Two processes may build at the same time, and a file may be deleted while its tables are used."""
    keep(NAME, GROUPS, TABLES)
    first = kept(NAME, GROUPS, SIZES)
    keep(NAME, GROUPS, [b"ab\1c", b"d"])
    path_of(NAME).unlink()
    assert first is not None
    assert list(map(bytes, tables_in(first, SIZES))) == TABLES
    keep(NAME, GROUPS, TABLES)
    assert found(NAME, GROUPS) == TABLES


def test_forged_tables_are_not_read() -> None:
    """Their checksum fits, but only one content is correct for each board."""
    keep(NAME, GROUPS, [b"ab\1c", b"d"])
    assert found(NAME, GROUPS) is None


@pytest.mark.parametrize("order", ["first", "last"])
def test_the_tables_that_are_known_are_those_that_are_built(order: str) -> None:
    """The file of one board; those of the others were made in the same way."""
    goal = goal_board(17, f"blank-{order}")
    content = b"".join(build(17, goal, group) for group in groups_of(17, goal))
    assert sha256(content).hexdigest() == DIGESTS[f"17x1-{order}"]


def test_every_board_whose_tables_are_kept_is_known() -> None:
    """Otherwise its tables would be built at each start."""
    names = {
        f"{width}x{cells // width}-{order}"
        for cells in range(1, patterns.MOST_CELLS + 1)
        for width in range(1, cells + 1)
        for order in ("first", "last")
        if cells % width == 0
        for groups in [groups_of(width, goal_board(cells, f"blank-{order}"))]
        if max([cells ** len(group) for group in groups], default=0) * cells > patterns.KEPT_FROM
    }
    assert names == DIGESTS.keys() - {NAME}


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


def test_tables_of_other_groups_are_not_read() -> None:
    """The header of a file contains its groups."""
    keep(NAME, GROUPS, TABLES)
    assert found(NAME, [(2, 1), (3,)]) is None


def test_no_place_to_keep_them(tmp_path: Path) -> None:
    """A full disk is not an error."""
    (tmp_path / "patterns").write_text("a file where the folder would be")
    keep(NAME, GROUPS, TABLES)
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


@pytest.mark.parametrize("in_a_file", [True, False])
def test_machine_code_finds_each_table(in_a_file: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, of any size; and what it needs besides does not get into the file."""
    from searchkit_tiles.compiled import table as read  # it needs Numba

    tables = [b"a", b"bcd", b"ef", b"ghijklmn", b"op"]
    groups, sizes = [(tile,) for tile in range(1, 6)], list(map(len, tables))
    monkeypatch.setitem(DIGESTS, NAME, sha256(b"".join(tables)).hexdigest())
    file_of(NAME, groups, sizes).write(tables)
    before, memory = path_of(NAME).read_bytes(), kept(NAME, groups, sizes)
    assert memory is not None
    found = Patterns(tuple(groups), (0, 7, 1 << 60, 0), tuple(tables), memory if in_a_file else None)
    monkeypatch.setattr("searchkit_tiles.compiled.table.patterns_of", lambda width, goal: found)
    whole = read.with_patterns(np.full(read.ENTRIES, 5, np.int64), 2, (0, 1, 2, 3))
    for group, table in enumerate(tables):
        begin = 8 * read.ENTRIES + whole[read.OFFSETS + group]
        assert whole.view(np.uint8)[begin : begin + len(table)].tobytes() == table
    weights = whole[read.WEIGHTS :][[1, read.MOST_CELLS + 2]].tolist()
    assert (int(whole[read.GROUPS]), weights, int(whole[0])) == (5, [7, 1], 5)
    assert path_of(NAME).read_bytes() == before


def test_progress_is_shown_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, which is overwritten, and removed at the end."""
    for terminal in (True, False):
        written = StringIO()
        monkeypatch.setattr(written, "isatty", lambda terminal=terminal: terminal)
        monkeypatch.setattr("sys.stderr", written)
        with Progress("tables", 2) as progress:
            progress.next()
            progress.next()
        shown = written.getvalue()
        assert shown.count("building the tables, ") == (2 if terminal else 0)
        assert shown.endswith("\r\033[K") is terminal
        assert "\n" not in shown
