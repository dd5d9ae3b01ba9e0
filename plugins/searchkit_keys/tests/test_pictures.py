"""Drawings of vaults, and of the graphs that they are contracted to."""

from hypothesis import given, settings

from searchkit.plugin import Drawing
from searchkit.render.drawings import still
from searchkit_keys import (
    ContractedVault,
    ExpandedVault,
    vault,
)
from searchkit_keys.files import VaultProblem
from searchkit_keys.strategies import vaults
from searchkit_keys.tests.helpers import shipped, solved
from searchkit_keys.vault import Vault


def drawn(problem: VaultProblem) -> Drawing:
    """Solve a problem and draw it."""
    result = solved(problem)
    assert result.search is not None
    expanded = frozenset(result.search.tree.expanded_states())
    drawing = still(problem, result.solution.states if result.solution else (), expanded)
    assert drawing is not None
    return drawing


def test_path_and_order_of_keys() -> None:
    """The path is drawn cell by cell, keys and doors over it, and the legend gives the order of the keys."""
    for contracted in (True, False):
        drawing = drawn(vault(["#b.A.@.a#"], contracted=contracted))
        assert drawing.rows == ("#b1A1@1a#",)
        assert drawing.marks["1"].label == "path (keys in order: a b)"


def test_each_robot_has_its_path_and_its_keys() -> None:
    """Robots keep their numbers, row by row, although states do not distinguish them."""
    problem = ContractedVault(shipped("ignore_other_quadrants_doors_2robots.txt"))
    drawing = drawn(problem)
    assert (drawing.rows[1], drawing.rows[3]) == ("####@Df#", "#eF@22d#")
    assert drawing.marks["1"].label == "path of robot 1 (keys in order: 2f)"
    assert drawing.marks["2"].label == "path of robot 2 (keys in order: 1d 3e)"
    assert drawing.marks["1"].colour != drawing.marks["2"].colour
    assert drawing.marks["1"].glyph != drawing.marks["2"].glyph


@settings(deadline=None)
@given(vaults())
def test_every_vault_can_be_drawn(found: Vault) -> None:
    """For both problems, the drawing has the vault's size and shows every letter."""
    for problem in (ContractedVault(found), ExpandedVault(found)):
        drawing = drawn(problem)
        assert (drawing.width, drawing.height) == (len(found.rows[0]), len(found.rows))
        for row, shown in zip(found.rows, drawing.rows, strict=True):
            assert all(mark == there for mark, there in zip(row, shown, strict=True) if mark.isalpha())
