"""Machine code on disk: damage is repaired, nothing is compiled twice, and no other code's configuration changes."""

import importlib
import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.compiled import cache as code_cache
from searchkit.compiled import functions as compiling

MODULE = """
from searchkit.compiled.functions import goal_function, kernel


@kernel
def twice(number):
    return 2 * number


@goal_function
def nowhere(table, state):
    return False
"""


class Program:
    """A module with compiled functions, which are kept in a cache of their own."""

    def __init__(self, folder: Path):
        self.folder, self.cache = folder, folder / "cache"
        (folder / "doubling.py").write_text(MODULE)
        self.files: list[Path] = []

    def run(self) -> int:
        """Import the module as another process would, and call it."""
        sys.modules.pop("doubling", None)
        number = int(importlib.import_module("doubling").twice(21))
        self.files = sorted(self.cache.rglob("*.nbc"))
        return number


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Program:
    """Return a program that has run once."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(compiling, "DIRECTORY", tmp_path / "cache")
    monkeypatch.setattr(code_cache, "_said", set())
    caplog.set_level(logging.INFO, "searchkit")
    program = Program(tmp_path)
    assert program.run() == 42
    assert [path.name.split("-")[0] for path in program.files] == ["doubling.nowhere", "doubling.twice"]
    assert "compiling twice … (once per machine)" in caplog.messages
    caplog.clear()
    return program


def flipped(content: bytes) -> bytes:
    """Flip one bit in the middle: of the machine code."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 4]) + content[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [lambda content: b"", lambda content: content[:100], lambda content: content[:-1], flipped],
    ids=["emptied", "truncated", "one byte short", "one bit flipped"],
)
def test_a_damaged_file_of_machine_code_is_compiled_again(
    program: Program, damage: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    """It is never loaded. The next process finds it repaired."""
    before = [path.stat().st_size for path in program.files]
    for path in program.files:
        path.write_bytes(damage(path.read_bytes()))
    assert program.run() == 42
    assert sum("was damaged or of another version" in message for message in caplog.messages) == 2
    assert len(before) == len(program.files)
    caplog.clear()
    assert program.run() == 42
    assert caplog.messages == []


def test_machine_code_of_another_version_is_not_loaded(
    program: Program, caplog: pytest.LogCaptureFixture
) -> None:
    """Whole, but not readable by this Numba: it is compiled again too."""
    for path in program.files:
        title, _, _ = path.read_bytes().partition(b"\n")
        code_cache.write_checked(path, title.decode(), pickle.dumps("no such part"))
    assert program.run() == 42
    assert "compiling twice … (once per machine)" in caplog.messages


def test_a_full_disk_costs_only_the_cache(
    program: Program, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Code that can't be kept is reported once; it is compiled all the same."""
    for path in program.files:
        path.unlink()

    def full(path: Path) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(code_cache, "replacing", full)
    assert program.run() == 42
    said = [message for message in caplog.messages if "can be kept in" in message]
    assert len(said) == 1
    assert "No space left on device" in said[0]
    assert [path for path in program.cache.rglob("*") if path.is_file()] == []
    monkeypatch.undo()


def test_numba_is_not_configured_for_the_whole_process(tmp_path: Path) -> None:
    """A user's own function with `cache=True` stays in Numba's cache."""
    (tmp_path / "users.py").write_text(
        "import numba\n@numba.njit(cache=True)\ndef more(n):\n    return n + 1\n"
    )
    code = (
        "import numba; before = numba.config.CACHE_DIR; "
        "import searchkit.compiled.functions, searchkit.kernels.best_first; "
        "print(numba.config.CACHE_DIR == before); import users; print(users.more.stats.cache_path)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.splitlines() == ["True", str(tmp_path / "__pycache__")]


NESTED = """
from searchkit.compiled.functions import digest_of


def function(word):
    def inner(other):
        return other in {{"one", "two", "three", "four"}}
    return [inner(word), word + {number}]


print(digest_of(function))
"""


def test_a_function_within_a_function_has_the_same_key_in_every_process() -> None:
    """Its code object has another address in each process, and a set of strings another order."""

    def key(seed: int, number: int) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        return subprocess.run(
            [sys.executable, "-c", NESTED.format(number=number)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert len({key(seed, 7) for seed in (1, 2, 3)}) == 1
    assert key(1, 7) != key(1, 8)
