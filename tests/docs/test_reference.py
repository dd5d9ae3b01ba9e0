"""The documentation covers what there is: every hook with its arguments, every engine, every fence that should run."""

import importlib.util
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

from searchkit import __all__ as public_names
from searchkit import available_engines, available_problems, errors, plugin
from searchkit.plugin import hookspecs

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
HOOKS = sorted(name for name in vars(hookspecs) if name.startswith("searchkit_"))

FENCE = re.compile(r"^[ ]*```(.+)$", re.MULTILINE)
SHOWN = {"text", "sh", "json"}
"""Blocks that nobody runs. Commands that need a package index or take long are in `sh`."""
RUN = re.compile(r'python|console|\w+ title="[^"]+"')
"""Blocks that are run, or written to a file for those after them."""


@pytest.fixture(scope="module")
def generated() -> ModuleType:
    """Return the module that writes the generated pages."""
    spec = importlib.util.spec_from_file_location("docs_hooks", ROOT / "docs" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def section(page: str, title: str) -> str:
    """Return one section of a page."""
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert match is not None, f"no section {title}"
    return match[1]


@pytest.mark.parametrize("name", HOOKS)
def test_hook_is_documented_with_its_exact_arguments(generated: ModuleType, name: str) -> None:
    """The section of a hook shows each argument with its type, in order, and the whole docstring."""
    text = section(generated.hooks_page(), name)
    hook = getattr(hookspecs, name)
    shown = re.search(rf"^{name}\((.*)\) -> (.+)$", text, re.MULTILINE)
    assert shown
    arguments = [part.split(":")[0].strip() for part in re.split(r",\s*(?=\w+:)", shown[1]) if part]
    assert arguments == list(inspect.signature(hook).parameters)
    assert "typing." not in shown[0]
    assert "searchkit." not in shown[0]
    assert (inspect.getdoc(hook) or "") in text


def test_hooks_are_shown_in_the_plugin_howto_or_reference(generated: ModuleType) -> None:
    """No section is there for a hook that does not exist."""
    assert re.findall(r"^## (\w+)$", generated.hooks_page(), re.MULTILINE) == HOOKS


@pytest.mark.parametrize("spec", available_engines().values(), ids=lambda spec: spec.name)
def test_engine_is_documented(generated: ModuleType, spec: object) -> None:
    """Each engine has a row with its promises, and a section with definition, guarantees, example and options."""
    from searchkit import EngineSpec

    assert isinstance(spec, EngineSpec)
    page = generated.engines_page()
    link = rf"\[`{re.escape(spec.name)}`\]\(#{generated.anchor(spec.name)}\)"
    row = re.search(rf"^\| {link} \|(.*)$", page, re.MULTILINE)
    assert row
    cells = [cell.strip() for cell in row[1].split("|")]
    assert cells[:2] == ["yes" if promise else "no" for promise in (spec.optimal, spec.complete)]
    assert cells[2:4] == [spec.costs, spec.heuristic]
    text = section(page, spec.name)
    assert f"::: {spec.run.__module__}.{spec.run.__qualname__}\n" in text
    docstring = spec.run.__doc__ or ""
    assert ">>> " in docstring
    assert re.search(r"[Cc]omplete.*[Oo]ptimal|[Cc]omplete.*cost ≤", docstring, re.DOTALL)
    assert re.search(r"\b(1[89]|20)\d\d\)", docstring + spec.summary)
    for option in spec.options:
        assert f"| `{option.name}` | `{option.default}` |" in text


@pytest.mark.parametrize("spec", available_problems().values(), ids=lambda spec: spec.name)
def test_problem_is_documented(generated: ModuleType, spec: object) -> None:
    """Each kind of problem has a section with its options and examples."""
    from searchkit import ProblemSpec

    assert isinstance(spec, ProblemSpec)
    text = section(generated.problems_page(), spec.name)
    for parameter in spec.parameters:
        assert f"| `{parameter.name}` |" in text
    for example in spec.examples:
        assert f"| `{example.name}` |" in text


def test_commands_are_documented(generated: ModuleType) -> None:
    """Each command has a section with an example that begins with the command."""
    page = generated.command_line_page()
    for command in (
        "solve",
        "compare",
        "watch",
        "scenario",
        "demo",
        "engines",
        "problems",
        "plugins",
        "new",
    ):
        assert f"$ searchkit {command}" in section(page, f"`searchkit {command}`")


def shown_names(package: str) -> set[str]:
    """Return the names of a package that the page of the Python reference shows by themselves."""
    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    return set(re.findall(rf"^::: {re.escape(package)}\.([A-Za-z_]\w*)$", page, re.MULTILINE))


def test_public_names_are_documented() -> None:
    """The page shows what `searchkit` exports, and nothing that it does not export."""
    assert shown_names("searchkit") == {*public_names, "errors"}


def test_what_plugins_import_is_documented() -> None:
    """Every name of `searchkit.plugin` is shown under it, or as a name of `searchkit`, or among the errors."""
    shown = shown_names("searchkit.plugin")
    assert shown <= set(plugin.__all__)
    assert set(plugin.__all__) <= shown | set(public_names) | set(vars(errors))


def test_every_block_is_run_or_known_not_to_be() -> None:
    """A misspelt or forgotten language would leave an example untested without anybody noticing."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        infos = FENCE.findall(text)
        assert [info for info in infos if info not in SHOWN and not RUN.fullmatch(info)] == [], page
        assert text.count("```") == 2 * len(infos), page
