"""The plugin's own hooks: what they answer about problems that are not theirs."""

from searchkit import load, problem_from
from searchkit_classics import searchkit_places


def test_other_problems_have_no_places() -> None:
    """So that another plugin is asked, or the tree is shown."""
    assert searchkit_places(problem_from([0], lambda x: [], lambda x: True)) is None
    assert searchkit_places(load("crypt")) is None
