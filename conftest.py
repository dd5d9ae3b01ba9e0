"""What holds for all tests: Hypothesis without deadlines, and the examples of the documentation as tests."""

import os
import sys
import tempfile
from doctest import ELLIPSIS
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from tests.docs.console import FileParser, run_console

# Times are reported by benchmarks, never asserted by tests.
settings.register_profile("searchkit", parent=settings(), deadline=None)
settings.load_profile("searchkit")


def enter_new_directory(namespace: dict[str, Any]) -> None:
    """Run the examples of a page in a directory of their own."""
    namespace["_origin"], namespace["_environment"] = Path.cwd(), dict(os.environ)
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
    ],
    patterns=["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md"],
    setup=enter_new_directory,
    teardown=leave_directory,
).pytest()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share tests out one by one, but keep in one process what builds on what came before it.

    These are the examples of a page, and the tests of type checkers, which run each checker once.
    (`--dist loadgroup`, which is meant for this, has no effect with pytest 9.2 and xdist 3.8.)
    """
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class WholePages(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            path = nodeid.partition("::")[0]
            return path if path.endswith((".md", "test_type_checkers.py")) else nodeid

    return WholePages(config, log)
