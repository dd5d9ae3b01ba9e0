"""Reading vaults: what is accepted, what is refused and how, and what is left to other plugins."""

from pathlib import Path

import pytest

from searchkit import load
from searchkit.errors import AmbiguousSourceError
from searchkit.plugin import InputFormatError, InvalidOptionError
from searchkit_keys import ContractedVault, vault
from searchkit_keys.files import RaggedVaultWarning, is_vault, read_vault
from searchkit_keys.tests.helpers import solved


def write(folder: Path, text: str) -> Path:
    """Write a vault to a file."""
    path = folder / "vault.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_lines_of_unequal_length_are_filled_up_with_a_warning(tmp_path: Path) -> None:
    """With walls; the warning names the lines."""
    path = write(tmp_path, "#####\n#@.a#\n##\n#.\n")
    with pytest.warns(
        RaggedVaultWarning,
        match=r"vault\.txt: line 3 and 1 more are shorter .* of 5 cells; filled up with wall",
    ):
        problem = load(path, "keys")
    assert isinstance(problem, ContractedVault)
    assert problem.vault.rows == ("#####", "#@.a#", "#####", "#.###")
    with pytest.warns(RaggedVaultWarning, match="line 2 is shorter"):
        read_vault("", "@.a\n.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"^v\.txt: line 1, column 1: the file is empty; expected a vault: # wall"),
        ("\n#..a#\n", r"^v\.txt: line 2: the vault has no start; mark the cell of each robot with @"),
        ("#@.a#\n#.?.#\n", r"^v\.txt: line 2, column 3: unknown character '\?'; expected # wall, \. floor"),
        ("#@ a#", r"^v\.txt: line 1, column 3: unknown character ' '"),
        ("#@é.#", r"^v\.txt: line 1, column 3: unknown character 'é'"),
        (
            "#@.a#\n#a..#\n",
            r"^v\.txt: line 2, column 2: key a is here and at line 1, column 4; expected each key once",
        ),
    ],
)
def test_faulty_vaults(text: str, message: str) -> None:
    """One error, with the place."""
    with pytest.raises(InputFormatError, match=message):
        read_vault("v.txt", text)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("#@.a#", True),
        ("@.a", True),
        ("#####\n#@.A#\n#####\n", True),
        ("#@.?a..#", False),
        ("#@.a.......?..#", True),
        ("#S.G#", False),
        ("foo@bar.com\n", False),
        ("Write to a@b.c today.\n", False),
        ("type octile\nheight 1\nwidth 5\nmap\n@...@\n", False),
        ('{"a": "@"}', False),
        ("", False),
    ],
)
def test_what_looks_like_a_vault(text: str, answer: bool) -> None:
    """A start, walls or floor, no spaces, and hardly anything else; addresses and maps of other kinds do not."""
    assert is_vault(text) is answer


@pytest.mark.parametrize("text", ["#@.G#\n", "#S@G#\n"])
def test_what_is_a_dungeon_as_well_is_ambiguous(tmp_path: Path, text: str) -> None:
    """A goal or a door: the error names both plugins and the option that says which."""
    path = write(tmp_path, text)
    with pytest.raises(
        AmbiguousSourceError, match=r"dungeon and keys; say which problem it is with --problem"
    ):
        load(path)
    assert isinstance(load(path, "keys"), ContractedVault)
    assert not isinstance(load(path, "dungeon"), ContractedVault)


OPEN = ["#######", "#a...b#", "#.....#", "#..@..#", "#.....#", "#c...d#", "#######"]


def test_split() -> None:
    """The centre becomes walls and four starts, and each robot fetches one key."""
    problem = vault(OPEN, split=True)
    assert problem.vault.rows[2:5] == ("#.@#@.#", "#.###.#", "#.@#@.#")
    assert solved(problem).cost == 8
    assert solved(vault(OPEN, split=True, contracted=False)).cost == 8


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["@..", "...", "..a"], r"around the start \(0, 0\) .* \(-1, -1\) is outside the vault"),
        (["....", ".@#.", "...a"], r"\(2, 1\) is #; leave split out, or clear that cell"),
        (["a..", ".@.", "..."], r"\(0, 0\) is a"),
        (["@.a.@"], "expected a vault with one start @, this one has 2; leave split out"),
    ],
)
def test_vaults_that_can_not_be_split(rows: list[str], message: str) -> None:
    """The error names the cell that is not floor."""
    with pytest.raises(InvalidOptionError, match=message):
        vault(rows, split=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"heuristic": "bounding-box"}, "heuristic=bounding-box: expected one of combined"),
        ({"heuristic": "mst", "contracted": "false"}, "=mst: expected one of bounding-box, zero"),
    ],
)
def test_heuristics_of_the_other_form(options: dict[str, object], message: str) -> None:
    """The error names those of this one."""
    with pytest.raises(InvalidOptionError, match=message):
        vault("@.a", **options)


def test_a_faulty_vault_is_reported_as_one(tmp_path: Path) -> None:
    """The reader of dungeons rejects it as well, for another reason: the error gives both, and how to choose."""
    path = write(tmp_path, "#@.a#\n#a..#\n")
    with pytest.raises(
        InputFormatError, match=r"line 2, column 2: key a is here and at line 1, column 4.*--problem"
    ):
        load(path)
