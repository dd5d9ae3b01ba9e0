"""The process that compiles: what it writes to the cache, when it ends, and why it may fail."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from time import sleep

import pytest

from searchkit.compiled.cache import Request
from searchkit.compiled.compiler import processes
from searchkit.errors import MissingExtraError
from tests.workers import compile_elsewhere

MODULE = """
from searchkit.compiled.functions import kernel

@kernel
def twice(number):
    return 2 * number
"""


def test_another_process_compiles(tmp_path: Path) -> None:
    """It fills the cache; an error there does not affect this process."""
    (tmp_path / "doubling.py").write_text(textwrap.dedent(MODULE))
    code = f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        from searchkit.compiled.cache import NotCompiledError, no_compiling
        from searchkit.errors import MissingExtraError
        from doubling import twice
        from searchkit.compiled.compiler import wait
        from attrs import evolve
        with no_compiling:
            try:
                twice(21)
            except NotCompiledError as error:
                request = error.request
        assert wait(request, 100.0)
        with no_compiling:
            print(twice(21))
        wrong = evolve(request, name="thrice", file=request.file.with_name("thrice"))
        try:
            wait(wrong, 100.0)
        except MissingExtraError as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "42\nthe process that compiled it ended with exit code 1\n"
    assert done.stderr == ""


SLOW = """
import time
from pathlib import Path
Path({begun!r}).touch()
while not Path({go!r}).exists():
    time.sleep(0.01)
Path({ended!r}).touch()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_what_a_program_asked_for_last_is_finished_after_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that are always short get machine code in the end. Ctrl-C is for the program alone."""
    places = {name: tmp_path / name for name in ("begun", "go", "ended")}
    texts = {name: str(place) for name, place in places.items()}
    (tmp_path / "slow_to_compile.py").write_text(SLOW.format(**texts))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert not compile_elsewhere(Request("slow_to_compile", "", b"", tmp_path / "never"), 0.0)
    process = processes[os.getpid(), tmp_path / "never"]
    while not places["begun"].exists():
        assert process.poll() is None
        sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    places["go"].touch()
    assert process.wait(60) == 0
    assert places["ended"].exists()


def test_a_folder_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    """No process is started in vain."""
    (tmp_path / "file").touch()
    with pytest.raises(MissingExtraError, match="set NUMBA_CACHE_DIR to a folder that can be written"):
        compile_elsewhere(Request("any", "", b"", tmp_path / "file" / "code.nbc"), 1.0)
