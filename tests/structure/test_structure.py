"""The shape of the product's source: no import circles, no copied code."""

from pathlib import Path

import pytest

from tests.structure.tree import (
    circles,
    code_lines,
    copies,
    has_reason,
    import_graph,
    imported,
    modules,
)

COPIED = 6

FILES = modules()


def test_there_are_no_import_circles() -> None:
    """Imports in functions count as well."""
    assert sorted(map(sorted, circles(import_graph(FILES)))) == []


def test_no_code_is_copied() -> None:
    """Six identical lines in two modules need a comment, `# Same lines as in MODULE: REASON`."""
    sources = {name: file.read_text(encoding="utf-8") for name, file in FILES.items()}
    assert [str(copy) for copy in copies(sources, COPIED) if not has_reason(copy, FILES)] == []


def test_imports_are_found_wherever_they_stand() -> None:
    """In functions, relative, of a module and of a name in one; not those for type checkers."""
    source = """
import pack.one
from pack import two, NAME
from . import three
from .deep import four
from .deep.five import Name
if TYPE_CHECKING:
    from pack.six import Name
def later():
    from pack.seven import name
    import elsewhere
"""
    known = {"pack", *(f"pack.{name}" for name in ("one", "two", "three", "deep", "deep.four", "deep.five"))}
    known |= {"pack.six", "pack.seven", "pack.eight"}
    assert imported(source, "pack", known) == known - {"pack.deep", "pack.six", "pack.eight"}


def test_circles_are_found() -> None:
    """Two that have a module in common are one."""
    graph = {"a": "b", "b": "ac", "c": "b", "d": "a", "e": "f", "f": "g", "g": "e", "h": ""}
    assert sorted(map(sorted, circles(graph))) == [["a", "b", "c"], ["e", "f", "g"]]


SEVEN = "".join(f"x{n} = {n}\n" for n in range(7))
IMPORTS = "from a import (\n" + "".join(f"    a{n},\n" for n in range(9)) + ")\n"


def test_copies_are_found() -> None:
    """Whatever the indentation, and without a look at comments and imports; one line that differs ends a copy."""
    inside = "def f():\n    # a comment\n" + "".join(f"    {line}\n\n" for line in SEVEN.splitlines())
    sources = {"one": f"{IMPORTS}{SEVEN}", "two": f"{IMPORTS}{inside}", "three": SEVEN.replace("x3", "y")}
    assert [str(copy) for copy in copies(sources, 6)] == ["one:12 ~ two:14, 7 lines"]
    assert list(copies(sources, 8)) == []
    assert [line.text for line in code_lines("f(\n    a,\n)\n# b\nimport c\n\nd()  # e\n")] == [
        "f(",
        "a,",
        "d() # e",
    ]


@pytest.mark.parametrize(
    ("comment", "in_folder", "excused"),
    [
        ("", "", False),
        ("# Same lines as in elsewhere: a reason", "", False),
        ("# Same lines as in two:", "", False),
        ("# Same lines as in two: a reason", "", True),
        ("# Same lines as in elsewhere, two: a reason", "", True),
        ("", "# Modules here may share lines: a reason", True),
        ("# Modules here may share lines: a reason", "", False),
    ],
)
def test_copies_are_excused_by_a_reason(tmp_path: Path, comment: str, in_folder: str, excused: bool) -> None:
    """In one of the two modules beside the copy, or in the `__init__` of their folder."""
    texts = {"one": f"{comment}\n{SEVEN}", "two": SEVEN, "__init__": in_folder}
    files = {name: tmp_path / f"{name}.py" for name in texts}
    for name, text in texts.items():
        files[name].write_text(text, encoding="utf-8")
    [copy] = copies(texts, 6)
    assert has_reason(copy, files) is excused
