"""The bundled plugins: a folder and one line, its entry point. If a tool needs a list, it names all of them."""

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = {path.parent.name for path in (ROOT / "plugins").glob("*/__init__.py")}
WITH_COMMANDS = {"searchkit_coursework", "searchkit_local"}
"""They import the kit of the command line."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_each_folder_has_an_entry_point() -> None:
    """The registry has exactly the plugins in `plugins/`."""
    points: dict[str, str] = PROJECT["project"]["entry-points"]["searchkit"]
    packages = {name: module.partition(".")[0] for name, module in points.items() if name != "engines"}
    assert packages == {name.removeprefix("searchkit_"): name for name in FOLDERS}


def test_import_linter_looks_at_each_folder() -> None:
    """Every list in the contracts names all plugins, or those with commands, or those without."""
    configuration: dict[str, Any] = PROJECT["tool"]["importlinter"]
    lists = [configuration["root_packages"]]
    for contract in configuration["contracts"]:
        lists += [contract.get("source_modules", []), contract.get("forbidden_modules", [])]
    named = [{module for module in modules if module in FOLDERS} for modules in lists]
    assert named[0] == FOLDERS
    assert all(plugins in (FOLDERS, WITH_COMMANDS, FOLDERS - WITH_COMMANDS) for plugins in named if plugins)
    assert sum(map(bool, named)) > 1


ALLOWED = re.compile(
    r"searchkit(\.(plugin|errors|tree|engines\.kit|cli(\.kit)?|compiled(\.\w+)*|testing(\.\w+)*|disk\.executors))?"
)
"""The modules of searchkit that a plugin imports, bundled or not."""
ALSO = {
    "searchkit_coursework": {
        "searchkit.basics.text",
        "searchkit.basics.values",
        "searchkit.plugin.loading",
        "searchkit.plugin.programs",
        "searchkit.plugin.registry",
        "searchkit.problem",
    },
    "searchkit_corridor": {"searchkit.kernels.best_first", "searchkit.kernels.bfs"},
}
"""The additional imports of the grader, which starts processes, and the one with a student's code may not load `attrs`;
and of an engine that runs the kernels of others."""
PUBLIC = re.compile(r"searchkit_\w+(\.strategies)?")
"""The modules of another plugin that a plugin imports: its public names, and its Hypothesis strategies."""


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_plugins_import_what_a_stranger_could(name: str) -> None:
    """Only the modules of searchkit that are made for authors of plugins; only public modules of one another."""
    for path in sorted((ROOT / "plugins" / name).rglob("*.py")):
        if "tests" in path.relative_to(ROOT).parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            if module is None or module.partition(".")[0] == name:
                continue
            if module.partition(".")[0] == "searchkit":
                assert ALLOWED.fullmatch(module) or module in ALSO.get(name, ()), f"{path} imports {module}"
            elif module.startswith("searchkit_"):
                assert PUBLIC.fullmatch(module), f"{path} imports {module}"
