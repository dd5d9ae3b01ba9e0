"""The process that compiles: what it writes to the cache, when it ends, and why it may fail."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Event, get_ident
from time import sleep
from typing import Any

import pytest

from searchkit.compiled.cache import NotCompiledError, Request
from searchkit.search import background
from searchkit.search.background import FAILED, UNDER_WAY, Compiler, Work
from tests.without_numba import with_numba


@pytest.fixture
def compiler() -> Iterator[Compiler]:
    """Return a compiler whose process ends with the test."""
    compiler = Compiler()
    yield compiler
    compiler.end()


MODULE = """
import os, signal
from searchkit.compiled.functions import kernel

@kernel
def twice(number):
    return 2 * number
"""


@with_numba
def test_another_process_compiles(tmp_path: Path) -> None:
    """It fills the cache; an error there does not affect this process."""
    (tmp_path / "doubling.py").write_text(textwrap.dedent(MODULE))
    code = f"""
        import sys, pickle
        sys.path.insert(0, {str(tmp_path)!r})
        from searchkit.compiled.cache import NotCompiledError, no_compiling
        from doubling import twice
        from searchkit.search import background
        from attrs import evolve
        with no_compiling():
            try:
                twice(21)
            except NotCompiledError as error:
                request = error.request
        while background.compiler.state(request) == background.UNDER_WAY:
            pass
        with no_compiling():
            print(twice(21))
        wrong = evolve(request, name="thrice", file=request.file.with_name("thrice"))
        while background.compiler.state(wrong) == background.UNDER_WAY:
            pass
        print(background.compiler.state(wrong), background.compiler.failures[wrong.file])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "42\nfailed the process that compiled it ended with exit code 1\n"
    assert done.stderr == ""


@with_numba
def test_the_process_that_compiles_is_never_orphaned(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its input is closed with its parent; that ends it, although it would wait for more."""
    monkeypatch.setenv(background.FINISH_VARIABLE, "1")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    assert compiler.state(Request("searchkit.search.background", "", b"", tmp_path / "never")) == UNDER_WAY
    process = compiler._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait() == 0


SLOW = """
import time
from pathlib import Path
Path({begun!r}).touch()
while not Path({go!r}).exists():
    time.sleep(0.01)
Path({ended!r}).touch()
"""


class Slow:
    """Something that compiles until it is told to end, and a process that is busy with it."""

    def __init__(self, folder: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch):
        self.begun, self.go, self.ended = (folder / name for name in ("begun", "go", "ended"))
        places = {name: str(getattr(self, name)) for name in ("begun", "go", "ended")}
        (folder / "slow_to_compile.py").write_text(SLOW.format(**places))
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder / "cache"))
        assert compiler.state(Request("slow_to_compile", "", b"", folder / "never")) == UNDER_WAY
        assert compiler._process is not None
        self.process = compiler._process
        while not self.begun.exists():
            assert self.process.poll() is None
            sleep(0.01)

    def end_of_the_program(self, compiler: Compiler) -> None:
        """Do what is done at the end of a program."""
        compiler.leave()
        self.process.returncode = None  # so that this test can wait for it


@with_numba
def test_what_a_program_asked_for_is_finished_after_its_end(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that are always short get machine code in the end; no other process does the same work."""
    monkeypatch.setenv(background.FINISH_VARIABLE, "1")
    slow = Slow(tmp_path, compiler, monkeypatch)
    slow.end_of_the_program(compiler)
    while os.getpriority(os.PRIO_PROCESS, slow.process.pid) < background.ALONE_NICENESS:
        assert slow.process.poll() is None
        sleep(0.01)
    other = Compiler()
    try:
        slow.begun.unlink()
        second = Slow(tmp_path, other, monkeypatch)
        second.end_of_the_program(other)
        assert second.process.wait(60) == 0
        assert not slow.ended.exists()
        slow.go.touch()
        assert slow.process.wait(60) == 0
        assert slow.ended.exists()
    finally:
        other.end()
        slow.process.kill()
        slow.process.wait()


@with_numba
def test_it_ends_with_the_program_where_that_is_asked_for(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In these tests, for example; and if it has nothing to do."""
    monkeypatch.setenv(background.FINISH_VARIABLE, "0")
    slow = Slow(tmp_path, compiler, monkeypatch)
    os.kill(slow.process.pid, signal.SIGINT)  # Ctrl-C is meant for the search
    slow.end_of_the_program(compiler)
    assert slow.process.wait(60) == 0
    assert not slow.ended.exists()


def test_a_folder_that_can_not_be_written_is_named(tmp_path: Path, compiler: Compiler) -> None:
    """No process is started in vain."""
    (tmp_path / "file").touch()
    request = Request("searchkit.search.background", "", b"", tmp_path / "file" / "code.nbc")
    assert compiler.state(request) == FAILED
    assert "set NUMBA_CACHE_DIR to a folder that can be written" in compiler.failures[request.file]


def test_without_a_process_there_is_a_reason(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no process can be started, for example in a sandbox."""

    def refused(*arguments: Any, **options: Any) -> Any:
        raise PermissionError("no processes here")

    monkeypatch.setattr(subprocess, "Popen", refused)
    request = Request("searchkit.search.background", "", b"", tmp_path / "code.nbc")
    assert compiler.state(request) == FAILED
    assert "no processes here" in compiler.failures[request.file]


RACING = """
from tests.search.test_compiler import RACE

RACE.imported()
value = 42
"""


class Race:
    """Makes the first import of a module fail while another thread waits for it."""

    def __init__(self) -> None:
        self.begun, self.other = Event(), 0
        self.imports = 0

    def imported(self) -> None:
        """Fail the first time, as soon as the other thread waits."""
        self.imports += 1
        if self.imports > 1:
            return
        self.begun.set()
        while not self.waits():
            sleep(0.001)
        raise NotCompiledError(Request("racing", "value", b"", Path("racing.nbc")))

    def waits(self) -> bool:
        """Whether the other thread waits for the lock of the module."""
        frame = sys._current_frames().get(self.other)
        return (
            frame is not None
            and frame.f_code.co_name == "acquire"
            and "importlib" in frame.f_code.co_filename
        )

    def take(self) -> None:
        """Import the module after the first import has begun, and use it."""
        self.begun.wait()
        self.other = get_ident()
        from racing import value  # type: ignore[import-not-found]  # the test writes it

        assert value == 42


RACE = Race()


def test_an_import_that_fails_elsewhere_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without that, a thread gets a module that lacks what stands behind the function that is not compiled."""
    (tmp_path / "racing.py").write_text(RACING)
    monkeypatch.syspath_prepend(tmp_path)
    first, other = Work(lambda: import_module("racing")), Work(RACE.take)
    assert first.begin()
    assert other.begin()
    assert first.ended.wait(10)
    assert other.ended.wait(10)
    assert isinstance(first.error, NotCompiledError)
    assert other.error is None
    assert RACE.imports == 2


def test_an_import_that_fails_by_itself_is_not_repeated() -> None:
    """Its error is reported at once."""
    calls = []

    def call() -> None:
        calls.append(1)
        from tests.search.test_compiler import missing  # type: ignore[attr-defined]  # noqa: F401

    work = Work(call)
    work.do()
    assert isinstance(work.error, ImportError)
    assert len(calls) == 1
