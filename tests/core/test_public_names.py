"""The public face: every name is there, loads when asked for, and is what it says."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import searchkit


def test_every_public_name_loads() -> None:
    """What `from searchkit import *` promises is there."""
    for name in searchkit.__all__:
        assert getattr(searchkit, name) is not None
        assert name in dir(searchkit)
    with pytest.raises(AttributeError, match="module 'searchkit' has no attribute 'sovle'"):
        _ = searchkit.sovle


def test_what_type_checkers_see_is_what_is_loaded() -> None:
    """The imports for type checkers and the table of homes name the same things in the same modules."""
    tree = ast.parse(Path(searchkit.__file__).read_text(encoding="utf-8"))
    seen = {
        (imported.module, name.asname)
        for block in tree.body
        if isinstance(block, ast.If)
        for imported in block.body
        if isinstance(imported, ast.ImportFrom)
        for name in imported.names
        if name.asname  # what is imported for an annotation is not exported
    }
    assert seen == {(f"searchkit.{home}", name) for name, home in searchkit._HOME.items()}


def test_no_module_shares_its_name_with_a_public_function() -> None:
    """`searchkit.solve` is always the function, never a module that was imported meanwhile."""
    modules = {path.stem for path in Path(searchkit.__file__).parent.iterdir()}
    assert not modules & set(searchkit.__all__)


def test_importing_searchkit_loads_nothing_heavy() -> None:
    """Neither the command line's libraries nor the plugins, until something asks for them."""
    script = "import sys, searchkit; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"pluggy", "attrs", "rich", "typer", "numpy", "numba", "hypothesis", "pytest"} & set(loaded)
