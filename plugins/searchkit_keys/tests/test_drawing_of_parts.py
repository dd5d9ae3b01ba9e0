"""A path that does not begin at the starts, such as one step of a counterexample, is drawn where it is."""

from searchkit.render.drawings import still
from searchkit_keys.problems.expanded import ExpandedVault
from searchkit_keys.vault import Vault


def test_a_path_from_the_middle_is_drawn() -> None:
    """From the state that it begins in, not from the starts."""
    problem = ExpandedVault(Vault.of(("@....a",)))
    drawing = still(problem, [(((2, 0),), 0), (((3, 0),), 0), (((4, 0),), 0)])
    assert drawing is not None
    assert drawing.rows == ("@.111a",)
