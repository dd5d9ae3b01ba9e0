"""Tables kept on disk: whole or not at all."""

from collections.abc import Sequence
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest

from searchkit.compiled.tables import Progress
from searchkit_tiles.board import goal_board
from searchkit_tiles.heuristics import patterns
from searchkit_tiles.heuristics.pattern_digests import DIGESTS
from searchkit_tiles.heuristics.pattern_files import file_of, kept
from searchkit_tiles.heuristics.patterns import build, groups_of, patterns_of

NAME, GROUPS, TABLES = "test", [(1, 2), (3,)], [b"ab\0c", b"d"]
SIZES = [len(table) for table in TABLES]


def keep(name: str, groups: Sequence[Sequence[int]], tables: Sequence[bytes]) -> None:
    """Write the file of some tables."""
    file_of(name, groups, SIZES).write(tables)


def path_of(name: str) -> Path:
    """Return the path of the file of some tables."""
    return file_of(name, GROUPS, SIZES).path


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep files in a directory of the test."""
    monkeypatch.setattr("searchkit.compiled.tables.user_cache", lambda: tmp_path)
    monkeypatch.setitem(DIGESTS, NAME, sha256(b"".join(TABLES)).hexdigest())


def test_what_is_kept_is_found_again() -> None:
    """Byte for byte, and no other file is left."""
    assert kept(NAME, GROUPS, SIZES) is None
    keep(NAME, GROUPS, TABLES)
    assert list(map(bytes, kept(NAME, GROUPS, SIZES) or [])) == TABLES
    assert list(path_of(NAME).parent.iterdir()) == [path_of(NAME)]


def test_what_was_read_does_not_change_with_the_file() -> None:
    """Two processes may build at the same time, and a file may be cut short while its tables are used."""
    keep(NAME, GROUPS, TABLES)
    first = kept(NAME, GROUPS, SIZES)
    path_of(NAME).write_bytes(b"")
    assert list(map(bytes, first or [])) == TABLES
    keep(NAME, GROUPS, TABLES)
    assert list(map(bytes, kept(NAME, GROUPS, SIZES) or [])) == TABLES


def test_forged_tables_are_not_read() -> None:
    """Their checksum fits, but only one content is correct for each board."""
    keep(NAME, GROUPS, [b"ab\1c", b"d"])
    assert kept(NAME, GROUPS, SIZES) is None


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
    assert kept(NAME, GROUPS, SIZES) is None
    content[place] ^= 1
    path_of(NAME).write_bytes(content)
    assert kept(NAME, GROUPS, SIZES) is None


def test_tables_of_other_groups_are_not_read() -> None:
    """The header of a file contains its groups."""
    keep(NAME, GROUPS, TABLES)
    assert kept(NAME, [(2, 1), (3,)], SIZES) is None


def test_no_place_to_keep_them(tmp_path: Path) -> None:
    """A full disk is not an error."""
    (tmp_path / "patterns").write_text("a file where the folder would be")
    keep(NAME, GROUPS, TABLES)
    assert kept(NAME, GROUPS, SIZES) is None


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
    patterns_of.cache_clear()


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
