"""Searches of the command line are killed at random moments: what is saved is whole, and the answer is the same."""

import os

import pytest

from tests.saving.killed import run

pytestmark = [
    pytest.mark.long,  # tests/cli/test_checkpoint.py saves and resumes in one process
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked"),
]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded, use of fork:DeprecationWarning")
def test_killed_at_random_moments() -> None:
    """40 moments, at least one round of all searches; `python -m tests.saving.killed 1000` is for more."""
    seen = [tally for _, tally in run(40, most=3)]
    assert sum(tally.kills for tally in seen) == 40
