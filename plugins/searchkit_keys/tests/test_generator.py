"""Generated vaults: solvable, the same for the same seed, and as large as asked for."""

import pytest

from searchkit.plugin import InvalidOptionError
from searchkit_keys import contract, generate_vault
from searchkit_keys.spec import GENERATOR


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("quadrants", [True, False])
def test_vaults_can_be_solved(seed: int, quadrants: bool) -> None:
    """With all keys, some doors, one start, and for quadrants a centre that can be split."""
    vault = generate_vault(21, 8, seed, quadrants=quadrants, loops=seed)
    assert contract(vault).solvable
    assert list(vault.keys) == list("abcdefgh")
    assert len(vault.rows) == len(vault.rows[0]) == 21
    assert any(mark.isupper() for row in vault.rows for mark in row)
    assert len(vault.starts) == 1
    assert not quadrants or contract(vault.split()).solvable


def test_same_seed_same_vault() -> None:
    """Pinned, also as text, to detect a version of Python that changes it."""
    assert generate_vault(13, 3, 7) == generate_vault(13, 3, 7) != generate_vault(13, 3, 8)
    text = GENERATOR.generate(size="9", keys="2", seed="1", quadrants="false")
    assert text == "\n".join(generate_vault(9, 2, 1, quadrants=False).rows) + "\n"
    assert text.split() == PINNED


@pytest.mark.parametrize(
    "options", [{"size": 12}, {"size": 15}, {"keys": 27}, {"size": 3, "quadrants": False}]
)
def test_impossible_vaults(options: dict[str, int]) -> None:
    """The error says what is possible."""
    with pytest.raises(InvalidOptionError, match="expected a size of at least"):
        generate_vault(**options)  # type: ignore[arg-type]  # options of several kinds


PINNED = [
    "#########",
    "#b..#@Ba#",
    "###.#.###",
    "#...#...#",
    "#.#####.#",
    "#.......#",
    "#######.#",
    "#.......#",
    "#########",
]
