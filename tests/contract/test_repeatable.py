"""After Ctrl-C, a search is resumed to the right answer; `check_engine` tries errors in the problem's code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.interrupted import ENGINES as ENDURING


def test_ctrl_c_may_come_at_any_moment() -> None:
    """In a process of its own, which says how often each engine was interrupted, and whether it was right."""
    if os.name == "nt":
        pytest.skip("a thread can't be sent a signal")
    told = subprocess.run(
        [sys.executable, "-m", "tests.contract.interrupted", "0"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.count("right") == len(ENDURING)
