"""`searchkit contract`: the contracted graph as a picture."""

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


@pytest.mark.parametrize(("name", "begin"), [("vault.svg", b"<svg"), ("vault.png", b"\x89PNG")])
def test_pictures(
    vault: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    begin: bytes,
) -> None:
    """A file of the format asked for, and one line that says what is in it; SVG, the default, holds labels as text."""
    pytest.importorskip("resvg_py")
    monkeypatch.chdir(tmp_path)
    given = ["-o", name] if name.endswith("png") else []
    assert main(["contract", vault, *given]) == 0
    assert capsys.readouterr().out == f"{name}: 4 nodes, 3 edges\n"
    picture = Path(name).read_bytes()
    assert picture.startswith(begin)
    assert given or b"2 (needs a)" in picture


def test_errors(vault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A directory that is not there, and a problem that nothing contracts."""
    for arguments, message in (
        ([vault, "-o", str(tmp_path / "none" / "x.svg"), "--problem=keys"], "can't be written"),
        (["crypt"], "a problem of the kind 'dungeon' can't be contracted"),
        ([vault, "--set", "moves=8", "--problem=keys"], "--set moves: there is no such option"),
    ):
        assert main(["contract", *arguments]) == 2
        assert message in capsys.readouterr().err
