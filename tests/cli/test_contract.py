"""`searchkit contract`: the contracted graph as DOT and as pictures."""

import sys
from pathlib import Path

import pytest

from searchkit.cli import main

VAULT = "#########\n#b.A.@.a#\n#########\n"


@pytest.fixture
def vault(tmp_path: Path) -> str:
    """Return the path of a vault."""
    path = tmp_path / "vault.txt"
    path.write_text(VAULT)
    return str(path)


def test_dot(vault: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Printed by default: nodes with their labels, edges with steps and needs."""
    assert main(["contract", vault]) == 0
    text = capsys.readouterr().out
    assert text.startswith("graph contracted {\n")
    assert '"@ 5,1" -- "A 3,1" [label="2 (needs a)"];' in text
    assert '"@ 5,1" -- "a 7,1" [label="2"];' in text


@pytest.mark.parametrize(("option", "begin"), [("--svg", b"<svg"), ("--png", b"\x89PNG")])
def test_pictures(
    vault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, begin: bytes
) -> None:
    """A file of the format asked for, and one line that says what is in it; SVG holds the labels as text."""
    pytest.importorskip("PIL")
    path = tmp_path / "picture"
    assert main(["contract", vault, option, "-o", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: 4 nodes, 3 edges\n"
    picture = path.read_bytes()
    assert picture.startswith(begin)
    assert option == "--png" or b"2 (needs a)" in picture


def test_errors(vault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two formats, a directory that is not there, and a problem that nothing contracts."""
    for arguments, message in (
        ([vault, "--dot", "--svg"], "--dot, --svg: one file is written"),
        ([vault, "-o", str(tmp_path / "none" / "x.dot")], "can't be written"),
        (["crypt"], "no plugin can contract a problem of the kind 'dungeon'"),
        ([vault, "--set", "moves=8"], "problem 'keys' has no option 'moves'"),
    ):
        assert (
            main(
                ["contract", *arguments, "--problem", "keys"]
                if arguments[0] == vault
                else ["contract", *arguments]
            )
            == 2
        )
        assert message in capsys.readouterr().err


def test_without_pillow(
    vault: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says what to install for PNG; SVG needs nothing."""
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert main(["contract", vault, "--png"]) == 2
    assert "images need pillow; install it: pip install" in capsys.readouterr().err
