"""Machine code with bounds checked: no index of a kernel is outside its array."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long  # in an empty cache, where everything is compiled again
CASES = ("test_same_answers.py", "test_queues.py", "test_depth_first.py", "test_saved_runs.py")


def test_no_index_is_outside_its_array(tmp_path: Path) -> None:
    """Numba raises IndexError then, in tests that compare kernels with engines, and restore made-up values."""
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-qxp", "no:cacheprovider", "-k", "rows or functions", *CASES],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path)},
        cwd=here,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
