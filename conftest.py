"""What holds for all tests: Hypothesis without deadlines or chance, and the examples of the documentation as tests."""

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Generator
from doctest import ELLIPSIS
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import given, settings
from hypothesis.strategies import none
from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

from tests.docs.console import FileParser, run_console

pytest_plugins = ["tests.effort", "tests.workers"]

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as in a background job: tests press Ctrl-C, and so do processes
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Processes that tests start in other folders find the tables of Hypothesis: making them takes longer than most tests.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(Path(__file__).with_name(".hypothesis")))

# Times are reported by benchmarks, never asserted by tests. What chance may find is for `./run fuzz`.
settings.register_profile("searchkit", parent=settings(), deadline=None, derandomize=True)
settings.register_profile("fuzz", parent=settings(), deadline=None, print_blob=True)
settings.load_profile("searchkit")


@given(none())
def draw_nothing(_: None) -> None:
    """Let Hypothesis register its source of chance, which it does not find among frozen objects: see below."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Collect no garbage while tests are collected: nearly all objects stay."""
    draw_nothing()
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep what was collected out of the garbage collector, which would go over it again during every test."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)  # collecting takes a twentieth of the time of the tests otherwise


@pytest.hookimpl(wrapper=True, specname="pytest_collect_file")
def pytest_collect_examples(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples only in modules that have some; packages are imported before their modules all the same."""
    collectors = yield
    if file_path.name == "__init__.py" or b">>>" in file_path.read_bytes():
        return collectors
    return [each for each in collectors if not isinstance(each, DoctestModule)]


def enter_new_directory(namespace: dict[str, Any]) -> None:
    """Run the examples of a page in a directory of their own."""
    namespace["_origin"], namespace["_environment"] = Path.cwd(), dict(os.environ)
    namespace["installed"] = lambda name: (
        find_spec(name) is not None
    )  # for the examples that need another library
    namespace["_directory"] = tempfile.TemporaryDirectory()
    os.chdir(namespace["_directory"].name)
    sys.path.insert(0, str(Path.cwd()))  # the files of a page can be imported, as at a prompt


def leave_directory(namespace: dict[str, Any]) -> None:
    """Go back, and forget what the examples wrote."""
    here = str(Path.cwd())
    sys.path.remove(here)
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(here):
            del sys.modules[name]
    os.chdir(namespace["_origin"])
    os.environ.clear()
    os.environ.update(namespace["_environment"])
    namespace["_directory"].cleanup()


pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS),
        CodeBlockParser("console", run_console),
        FileParser(),
        SkipParser(),
    ],
    patterns=["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md"],
    setup=enter_new_directory,
    teardown=leave_directory,
).pytest()
