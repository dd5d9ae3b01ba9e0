"""Tests of what is promised import what is public, so that everything else can be written anew."""

import ast
from pathlib import Path

import pytest

from tests.structure.tree import ROOT

PUBLIC = {
    "searchkit",
    "searchkit.plugin",
    "searchkit.testing",
    "searchkit.testing.strategies",
    "searchkit.trace",
    "searchkit.errors",
    "searchkit.engines.kit",
    "searchkit.compiled",
    "searchkit.compiled.kit",
    "searchkit.cli",
    "searchkit.cli.kit",
}
"""What users and authors of plugins import; recordings and strategies are documented by these names."""
FOLDERS = ("golden", "contract", "api", "cli", "files")
"""The folders of black-box tests."""


def imported_modules(file: Path) -> set[str]:
    """Return the modules of searchkit that a file imports from, wherever the import stands."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {name for name in found if name.partition(".")[0] == "searchkit"}


@pytest.mark.parametrize("folder", FOLDERS)
def test_promises_are_tested_through_what_is_public(folder: str) -> None:
    """No module of these tests imports an inner module."""
    files = sorted((ROOT / "tests" / folder).rglob("*.py"))
    inner = {str(file.relative_to(ROOT)): imported_modules(file) - PUBLIC for file in files}
    assert {file: names for file, names in inner.items() if names} == {}
