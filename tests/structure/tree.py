"""The product's modules as text: which there are, what they import, and which lines two of them share."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from attrs import define

ROOT = Path(__file__).parents[2]
ROOTS = (ROOT / "searchkit", *sorted((ROOT / "plugins").glob("searchkit_*")))
"""The packages that the wheel contains."""


BUDGETS = Path(__file__).with_name("budgets.json")
"""Package → the most lines of Python that it may have."""


def lines_by_package() -> dict[str, int]:
    """Return the lines of Python of each package of the product, and of the tests, benchmarks and examples."""
    found: dict[str, int] = defaultdict(int)
    for top in ("searchkit", "plugins", "tests", "benchmarks", "examples"):
        for file in (ROOT / top).rglob("*.py"):
            parts = file.relative_to(ROOT).parts
            if {"__pycache__", ".venv"} & set(parts):
                continue
            if "tests" in parts[:-1]:
                name = "tests"
            elif top in ("searchkit", "plugins"):
                name = "/".join(parts[:2]) if len(parts) > 2 else "searchkit/*.py"
            else:
                name = top
            found[name] += len(file.read_text(encoding="utf-8").splitlines())
    return dict(found)


def is_product(path: Path) -> bool:
    """Whether a path below one of `ROOTS` belongs to the product: no tests, no caches."""
    return not {"tests", "__pycache__"} & set(path.relative_to(ROOT).parts)


def modules() -> dict[str, Path]:
    """Return the dotted name of each product module with its file."""
    found = {}
    for root in ROOTS:
        for file in sorted(filter(is_product, root.rglob("*.py"))):
            *folders, stem = file.relative_to(root.parent).with_suffix("").parts
            found[".".join(folders if stem == "__init__" else [*folders, stem])] = file
    return found


@cache
def parsed(source: str) -> ast.Module:
    """Return the syntax tree of a module, for all tests the same one."""
    return ast.parse(source)


def imported(source: str, package: str, known: Iterable[str]) -> set[str]:
    """Return which of the known modules a module's source imports, wherever the import stands.

    Imports in functions count; those under `TYPE_CHECKING` are for type checkers, and do not.
    `from package import name` means the module `package.name`, or `package` if there is no such module. The `__init__`
    of a folder counts only where it is named.
    """
    found, tree = set(), parsed(source)
    for_checkers = {
        child
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in for_checkers:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            inner = {f"{origin}.{alias.name}" for alias in node.names}
            found |= inner & set(known)
            if inner - set(known):
                found.add(origin)
    return found & set(known)


def import_graph(files: Mapping[str, Path]) -> dict[str, set[str]]:
    """Return for each module the modules that it imports."""
    graph = {}
    for name, file in files.items():
        package = name if file.stem == "__init__" else name.rpartition(".")[0]
        graph[name] = imported(file.read_text(encoding="utf-8"), package, files) - {name}
    return graph


def circles(graph: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """Return the sets of modules that reach one another by imports (strongly connected, Tarjan 1972)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        stack.append(module)
        for other in graph[module]:
            if other not in order:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == order[module]:
            start = stack.index(module)
            members = set(stack[start:])
            del stack[start:]
            if len(members) > 1:
                found.append(members)

    for module in graph:
        if module not in order:
            visit(module)
    return found


IGNORED = re.compile(r"[\W_]*|#.*|(?:from [\w.]+ )?import .*|from [\w.]+ import \(")
"""Lines that may be alike anywhere: empty ones, lone punctuation, comments, imports."""


@define(frozen=True)
class Line:
    """A line of code without its indentation, and its place."""

    number: int
    text: str


def code_lines(source: str) -> list[Line]:
    """Return the lines of a module that count in a comparison: no imports, comments, lone punctuation, empty lines."""
    imports = {
        number
        for node in ast.walk(parsed(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = (Line(number, " ".join(text.split())) for number, text in enumerate(source.splitlines(), 1))
    return [line for line in lines if line.number not in imports and not IGNORED.fullmatch(line.text)]


@define(frozen=True)
class Copy:
    """A run of lines that is in two modules."""

    one: str
    first: Line
    other: str
    second: Line
    length: int

    def __str__(self) -> str:
        return f"{self.one}:{self.first.number} ~ {self.other}:{self.second.number}, {self.length} lines"


def copies(sources: Mapping[str, str], least: int) -> Iterator[Copy]:
    """Yield each longest run of at least that many identical lines that two modules share."""
    lines = {name: code_lines(source) for name, source in sources.items()}
    places = defaultdict(list)
    for name, there in lines.items():
        for start in range(len(there) - least + 1):
            places[tuple(line.text for line in there[start : start + least])].append((name, start))
    pairs = {
        (one, other)
        for found in places.values()
        for index, one in enumerate(found)
        for other in found[index + 1 :]
        if one[0] != other[0]
    }
    for (one, first), (other, second) in sorted(pairs):
        if ((one, first - 1), (other, second - 1)) in pairs:
            continue  # inside a longer run
        length = least
        while ((one, first + length - least + 1), (other, second + length - least + 1)) in pairs:
            length += 1
        yield Copy(one, lines[one][first], other, lines[other][second], length)


SHARED = re.compile(r"# (?:Same lines as in (?P<modules>[\w., ]+)|Modules here may share lines): \S.+")
"""The comment that gives the reason for a copy: above or inside the lines, or for a whole folder in its `__init__`."""
ABOVE = 6
"""How many lines above the first common line the comment may stand."""


def has_reason(copy: Copy, files: Mapping[str, Path]) -> bool:
    """Whether a comment gives the reason: in either module, or in the `__init__` of the innermost folder of both."""
    for here, line, there in ((copy.one, copy.first, copy.other), (copy.other, copy.second, copy.one)):
        text = files[here].read_text(encoding="utf-8").splitlines()
        for comment in text[max(0, line.number - 1 - ABOVE) : line.number + copy.length]:
            found = SHARED.search(comment)
            if found and found["modules"] and there in re.split(r", *| and ", found["modules"]):
                return True
    above = {*files[copy.one].parents} & {*files[copy.other].parents}
    folder = max(above, key=lambda path: len(path.parts)) / "__init__.py"
    return folder.exists() and any(
        found and not found["modules"]
        for found in map(SHARED.fullmatch, folder.read_text(encoding="utf-8").splitlines())
    )
