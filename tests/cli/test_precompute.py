"""`searchkit precompute`: what is worked out beforehand lies beside the file, and is used only where it fits."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.plugin.registry import DISABLE_VARIABLE

CAVE = "type octile\nheight 3\nwidth 5\nmap\n..@..\n.....\n..@..\n"
PLUGIN = """
from searchkit import hookimpl
from searchkit.plugin.files import Precomputed

@hookimpl
def searchkit_precompute(source, options):
    if source.text.startswith("tea"):
        return Precomputed(".leaves", [b"a", b"bc"], f"{len(options)} options")
    return "coffee" if source.text.startswith("coffee") else None
"""


@pytest.fixture
def bundled(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return what runs `searchkit` with the dungeon plugin, which the other tests of the command line do without."""
    blocked = os.environ[DISABLE_VARIABLE].split(",")
    monkeypatch.setenv(DISABLE_VARIABLE, ",".join(name for name in blocked if name != "dungeon"))
    return run


@pytest.fixture
def cave(tmp_path: Path) -> Path:
    """Return the path of a map."""
    path = tmp_path / "cave.map"
    path.write_text(CAVE)
    return path


def solve(bundled: Callable[..., Any], cave: Path, *options: str) -> Any:
    """Run `jps+` on the map."""
    ends = ("--start", "0,0", "--goal", "4,2", "--no-draw")
    return bundled("solve", cave, "--engine", "jps+", *ends, *options)


def test_a_table_is_written_beside_the_map(bundled: Callable[..., Any], cave: Path) -> None:
    """One line says where, what and how large; a search uses it, and finds what it finds without it."""
    expected = solve(bundled, cave).out.splitlines()[:3]
    done = bundled("precompute", cave)
    assert (done.code, done.err) == (0, "")
    path = Path(f"{cave}.no.jumps")
    assert done.out.startswith(
        f"{path}: jump distances and 8 landmarks of 13 cells, for jps+ with corners=no; 1.7 kB, "
    )
    assert path.stat().st_size == 128 + 64 * 4 * 6
    assert path.stat().st_mode == cave.stat().st_mode
    assert {path.name for path in cave.parent.iterdir()} == {"cave.map", "cave.map.no.jumps"}
    assert solve(bundled, cave).out.splitlines()[:3] == expected
    assert bundled("precompute", cave, "--set", "corners=cut").code == 0
    assert Path(f"{cave}.cut.jumps").is_file()


def test_what_does_not_fit_is_refused(bundled: Callable[..., Any], cave: Path) -> None:
    """A changed map or a file that was cut short: one message, exit code 2. Other engines don't care."""
    path = Path(f"{cave}.no.jumps")
    bundled("precompute", cave)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    for message in ("it has 1655 bytes; expected 1664: was it cut short?", "it was made for another map"):
        failed = solve(bundled, cave)
        assert (failed.code, failed.out) == (2, "")
        assert failed.err.startswith(f"error: {path}: {message}")
        assert failed.err.endswith("make it anew with searchkit precompute, or delete it\n")
        assert bundled("solve", cave, "--engine", "jps", "--start", "0,0", "--goal", "4,2").code == 0
        path.write_bytes(whole)
        cave.write_text(CAVE.replace("..@..", "....."))
    assert bundled("precompute", cave).code == 0
    assert solve(bundled, cave).code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="directories are not protected this way there")
def test_a_directory_that_cannot_be_written(
    bundled: Callable[..., Any], cave: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One message, nothing left behind, and the old file as it was."""
    bundled("precompute", cave)
    before = Path(f"{cave}.no.jumps").read_bytes()

    def refuse(path: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(
        Path, "replace", refuse
    )  # root may write anywhere, so taking away rights would show nothing
    failed = bundled("precompute", cave)
    assert failed.code == 2
    assert failed.err.startswith(
        f"error: {cave}.no.jumps can't be written: Permission denied; it has to lie beside"
    )
    assert len(list(cave.parent.iterdir())) == 2
    assert Path(f"{cave}.no.jumps").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["cave.map", "--set", "start=1,1"],
            "start=1,1: jump distances are for 8 moves, any start and any goal",
        ),
        (["cave.map", "--set", "moves=4"], "moves=4: jump distances are for 8 moves"),
        (["cave.map", "--set", "corners=round"], "corners=round: expected one of no, one, cut, never"),
        (["cave.map", "--set", "colour=red"], "problem 'dungeon' has no option 'colour'"),
        (["cave.map", "--problem", "line"], "has nothing that any plugin can work out beforehand"),
        (["cave.map", "--problem", "lion"], "there is no problem 'lion'"),
        (["none.map"], "none.map is not a file"),
        (["swamp.txt"], "swamp.txt has floor that costs more than 1 to enter"),
        (
            ["line.txt"],
            "line.txt has nothing that any plugin can work out beforehand; the plugins asked were dungeon",
        ),
    ],
)
def test_errors(
    bundled: Callable[..., Any],
    cave: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    """Each is one message with exit code 2."""
    monkeypatch.chdir(cave.parent)
    Path("swamp.txt").write_text("S.5.G\n")
    Path("line.txt").write_text("line 1 2\n")
    failed = bundled("precompute", *arguments)
    assert (failed.code, failed.out) == (2, "")
    assert message in failed.err
    assert failed.err.startswith("error: ")
    assert failed.err.count("\n") == 1


def test_a_strangers_plugin(
    bundled: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hook is the one door; what a plugin must not return is blamed on it."""
    site = tmp_path / "site"
    info = site / "tea-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tea\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[searchkit]\ntea = tea_searchkit\n")
    (site / "tea_searchkit.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv(DISABLE_VARIABLE, os.environ[DISABLE_VARIABLE] + ",tea-is-new")
    cup = tmp_path / "cup.tea"
    cup.write_text("tea\n")
    done = bundled("precompute", cup, "--set", "milk=yes")
    assert done.code == 0
    assert done.out.startswith(f"{cup}.leaves: 1 options; 0.0 kB, ")
    assert Path(f"{cup}.leaves").read_bytes() == b"abc"
    cup.write_text("coffee\n")
    failed = bundled("precompute", cup)
    assert failed.code == 2
    assert "plugin 'tea' returned 'coffee' from searchkit_precompute, expected a" in failed.err
