"""A search of the command line is killed at random moments: the file is whole each time, and the answer is the same."""

import os
from pathlib import Path
from random import Random

import pytest

from tests.scale.killed import SEARCHES, killed

pytestmark = [
    pytest.mark.long,  # tests/cli/test_checkpoint.py saves and resumes in one process
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked"),
]


@pytest.mark.parametrize("search", SEARCHES[1:4], ids=" ".join)
def test_killed_at_random_moments(search: tuple[str, ...], tmp_path: Path) -> None:
    """Ten times each."""
    killed(search, Random(0), 10, tmp_path)
    assert not list(tmp_path.glob("search*"))
