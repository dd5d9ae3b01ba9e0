"""`external_dijkstra` and `external_astar` go on in their directory after any kill, and come to the same counts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from searchkit.scale.external import files
from tests.scale.external.boards import facts
from tests.scale.external.test_buckets import ENGINES, board, compiled, in_python, small_buckets


def moments(engine: str, folder: Path, target: Path, every: int) -> list[Path]:
    """Search, and return copies of the directory as it is after each step of writing a file, or one in `every`."""
    found: list[Path] = []
    count = 0

    def copy(step: str, path: Path) -> None:
        nonlocal count
        count += 1
        if count % every == 0:
            found.append(target / f"{count}-{step}")
            shutil.copytree(folder, found[-1])

    with patch.object(files, "passed", copy), small_buckets(12):
        compiled(board(), engine, folder)
    return found


@pytest.mark.parametrize("every", [97, pytest.param(17, marks=pytest.mark.long)])
@pytest.mark.parametrize("engine", ENGINES)
def test_killed_at_a_step_of_writing(tmp_path: Path, engine: str, every: int) -> None:
    """What a killed process leaves behind, at every step of writing every file: nothing is lost but a round."""
    (tmp_path / "copies").mkdir()
    expected = facts(in_python(board(), engine))
    copies = moments(engine, tmp_path / "whole", tmp_path / "copies", every)
    assert len(copies) > 2
    for copy in copies:
        with small_buckets(12):
            result = compiled(board(), engine, copy)
        assert facts(result) == expected, copy.name
        assert not list(copy.glob("*.tmp")), "leftovers are deleted"


KILLED = """
import os, signal, sys
from searchkit.scale.external import files
from tests.scale.external.test_buckets import board, compiled, small_buckets
left = int(sys.argv[3])
def passed(step, path):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
files.passed = passed
with small_buckets(12):
    compiled(board(), sys.argv[1], sys.argv[2])
"""


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES)
def test_killed_again_and_again(tmp_path: Path, engine: str) -> None:
    """A process is killed by SIGKILL in the middle of writing; the next one goes on in what it left."""
    root = Path(__file__).parents[3]
    environment = os.environ | {"PYTHONPATH": str(root)}
    kills = 0
    for after in range(3, 11):
        command = [sys.executable, "-c", KILLED, engine, str(tmp_path / "killed"), str(after)]
        kills += subprocess.run(command, env=environment, cwd=root, timeout=300).returncode == -9
    assert kills == 8
    with small_buckets(12):
        assert facts(compiled(board(), engine, tmp_path / "killed")) == facts(in_python(board(), engine))
