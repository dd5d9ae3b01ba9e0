"""How the tests are distributed among processes.

A page of the documentation stays in one process, because its examples build on one another; so do the cases of one
test, which use the same kernels and the same prepared problems; and the tests of type checkers and of the player, which
start each checker and the browser once. In a new checkout, each process makes a share of the byte code before it
collects tests: all of them import the same modules in the same order, and would make all of it.

Searches compile in the process of the test: another one takes a second until it has imported Numba. Tests of the
process that compiles start their own.
"""

import os
import sys
from compileall import compile_file
from pathlib import Path
from typing import Any

import pytest
from _pytest.assertion import rewrite

from searchkit.compiled import compiler
from searchkit.compiled.cache import Request

os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # colours that nobody sees
WHOLE = (".md", "test_type_checkers.py", "test_in_browser.py")
"""The endings of the paths whose tests stay together."""
TOGETHER = (
    ("tests/structure/",),
    ("tests/kernels/", "tests/core/", "plugins/searchkit_dungeon/"),
    ("tests/disk/",),
    (
        "tests/contract/",
        "tests/golden/",
        "tests/certificates/",
        "tests/trace/",
        "plugins/searchkit_robots/",
        "docs/reference/plugins/robots.md",
    ),
)
"""Folders whose tests stay together: they read the same modules, or compile the same kernels."""


compile_elsewhere = compiler.wait


def compile_here_and_now(request: Request, seconds: float) -> bool:
    """Compile what a search can't do without; of any other function, return whether it is compiled."""
    if seconds:
        compiler.compile_here(request)
    return request.file.exists()


def pytest_configure() -> None:
    """Let searches compile here."""
    compiler.wait = compile_here_and_now


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Make a share of the byte code, if all tests are collected by several processes."""
    given = getattr(session.config, "workerinput", None)
    if given is None or sys.dont_write_bytecode or session.config.args_source.name != "TESTPATHS":
        return
    folders = [session.config.rootpath / name for name in ("searchkit", "plugins", "tests")]
    paths = sorted(path for folder in folders for path in folder.rglob("*.py"))
    number, workers = int(given["workerid"].removeprefix("gw")), given["workercount"]
    for path in paths[number::workers]:
        write_byte_code(path, session.config)


def write_byte_code(path: Path, config: pytest.Config) -> None:
    """Write the byte code of a module where importing it looks for it; that of tests has pytest's assertions."""
    if not path.name.startswith("test_"):
        compile_file(path, quiet=2)
        return
    kept = rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(path, kept) is None:
        stamp, code = rewrite._rewrite_test(path, config)
        kept.parent.mkdir(exist_ok=True)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, stamp, kept)


def unit_of(nodeid: str) -> str:
    """Return the name of the unit that is given to one process."""
    path = nodeid.partition("::")[0]
    whole = path if path.endswith(WHOLE) else nodeid.partition("[")[0]
    return next((folders[0] for folders in TOGETHER if path.startswith(folders)), whole)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share tests out by these units; those of many tests come first, so that all processes end at about the same time.

    (`--dist loadgroup`, which is meant for this, has no effect with pytest 9.2 and xdist 3.8.)
    """
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    if config.getoption("--until"):
        return None  # tests are in random order

    class Units(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            return unit_of(nodeid)

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            """Forget a unit that is done: xdist counts the pending tests of all units after each test."""
            super().mark_test_complete(node, item_index, duration)
            units = self.assigned_work[node]
            unit = unit_of(self.registered_collections[node][item_index])
            if all(units[unit].values()):
                del units[unit]

    return Units(config, log)
