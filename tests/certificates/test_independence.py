"""The checker of certificates shares only types with the maker."""

import ast
from pathlib import Path

import pytest

import searchkit.problem
from searchkit import certificates

CHECKING = ("certificate", "check")
FOLDER = Path(certificates.__file__).parent


@pytest.mark.parametrize("module", CHECKING)
def test_only_types_come_from_the_problem_module(module: str) -> None:
    """`searchkit.problem` also has functions that engines use, such as `step_costs`; a fault there is not shared."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    names = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "searchkit.problem"
        for name in node.names
    }
    assert names, "each of them handles states of a problem"
    functions = {name for name in names if callable(getattr(searchkit.problem, name, None))}
    assert {name for name in functions if not isinstance(getattr(searchkit.problem, name), type)} == set()
