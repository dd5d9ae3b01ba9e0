"""Rules that keep the product small: no foreign private names, nothing abstract for one use, no package that grows."""

import ast
import json
from collections import Counter, defaultdict
from functools import cache

import searchkit
from tests.structure.tree import BUDGETS, lines_by_package, modules, parsed

OF_LIBRARIES = {"_replace", "_fields", "_make", "_asdict", "_exit", "_getframe", "_mock_methods"}
"""Names with an underscore that are public by their documentation, in the standard library."""
USERS = {"searchkit.problem", "searchkit.result"}
"""Modules with protocols that users implement."""

KNOWN_PRIVATE = {
    # processes end before loky waits for them at the end of the program, which only this function can order
    "searchkit.disk.executors": {"threading._register_atexit"},
}
"""Module → foreign private names that it still uses."""
KNOWN_ABSTRACT = {
    "searchkit.translate.emitter.Emitter",
    "searchkit.translate.code.Code",
    "searchkit.translate.translator.Translator",
}
"""What still has a single use: the layers of the translator: instructions, values in memory and Python, one object in
three modules."""


@cache
def trees() -> dict[str, ast.Module]:
    """Return the syntax tree of each product module."""
    return {name: parsed(file.read_text(encoding="utf-8")) for name, file in modules().items()}


def is_private(name: str) -> bool:
    """Whether a name begins with one underscore."""
    return name.startswith("_") and not name.startswith("__") and name not in OF_LIBRARIES


def own_names(tree: ast.Module) -> set[str]:
    """Return every name that a module defines or assigns, of functions, classes, variables and attributes."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and (
            isinstance(node.ctx, ast.Store)
            or (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
        ):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)  # of slots and named tuples
    return found


def foreign_private_names(tree: ast.Module) -> set[str]:
    """Return the private names of other modules that a module uses."""
    own, found = own_names(tree), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("searchkit"):
            found |= {f"{node.module}.{alias.name}" for alias in node.names if is_private(alias.name)}
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own:
            found.add(ast.unparse(node))
    return found


def test_no_private_name_of_another_module_is_used() -> None:
    """What two modules need has a public name."""
    found = {name: foreign_private_names(tree) for name, tree in trees().items()}
    assert {name: names for name, names in found.items() if names} == KNOWN_PRIVATE


def members(node: ast.ClassDef) -> set[str]:
    """Return the public names that the body of a class defines."""
    named = {child.name for child in node.body if isinstance(child, ast.FunctionDef)}
    annotated = {
        child.target.id
        for child in node.body
        if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name)
    }
    assigned = {
        child.attr
        for child in ast.walk(node)
        if isinstance(child, ast.Attribute)
        and isinstance(child.ctx, ast.Store)
        and isinstance(child.value, ast.Name)
        and child.value.id == "self"
    }
    return {name for name in named | annotated | assigned if not is_private(name)}


def bases(node: ast.ClassDef) -> list[str]:
    """Return the names of the base classes, without modules and parameters."""
    return [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases]


def abstractions_of_one(trees: dict[str, ast.Module]) -> set[str]:
    """Return the protocols that one class implements, and the classes that exist to be the base of one other class.

    Capabilities, which are looked for at run time, are for the problems of users, and do not count.
    """
    classes = [
        (name, node)
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]
    known = {node.name: node for _, node in classes}
    heirs: dict[str, set[str]] = defaultdict(set)
    for _, node in classes:
        for base in bases(node):
            heirs[base].add(node.name)

    def everything(node: ast.ClassDef) -> set[str]:
        return members(node).union(*(everything(known[base]) for base in bases(node) if base in known))

    concrete = {node.name: everything(node) for _, node in classes if "Protocol" not in bases(node)}
    uses = Counter(
        child.id for tree in trees.values() for child in ast.walk(tree) if isinstance(child, ast.Name)
    )
    found = set()
    for module, node in classes:
        if "Protocol" in bases(node):
            capability = any(ast.unparse(mark) == "runtime_checkable" for mark in node.decorator_list)
            if (
                module not in USERS
                and not capability
                and sum(members(node) <= has for has in concrete.values()) == 1
            ):
                found.add(f"{module}.{node.name}")
        elif len(heirs[node.name]) == 1 and uses[node.name] == 1 and node.name not in searchkit.__all__:
            found.add(f"{module}.{node.name}")
    return found


def test_nothing_abstract_has_one_use() -> None:
    """A protocol with one implementer is that class; a base class of one class is a part of it."""
    assert abstractions_of_one(trees()) == KNOWN_ABSTRACT


def test_no_package_grows() -> None:
    """`python -m tests.structure` writes smaller numbers of lines into `budgets.json`; nobody writes larger ones."""
    budgets = json.loads(BUDGETS.read_text(encoding="utf-8"))
    lines = lines_by_package()
    assert {name: n for name, n in lines.items() if n > budgets.get(name, 0)} == {}
    assert {name: n for name, n in budgets.items() if name not in lines} == {}, "packages that are gone"
