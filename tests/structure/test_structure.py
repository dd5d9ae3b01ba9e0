"""The shape of the product's source: no import circles, no copied code."""

import re
from pathlib import Path

import pytest

from tests import in_ci
from tests.structure.tree import (
    ROOT,
    circles,
    code_lines,
    copies,
    has_reason,
    import_graph,
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


def test_what_is_left_to_ci_exists() -> None:
    """A test that is renamed is not forgotten: by its old name, the suite would run it."""
    for place in (*in_ci.LONG_IN_CI, *in_ci.WHOLE):
        assert (ROOT / place).exists(), place
    for path, names in in_ci.SINGLE.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        assert [name for name in names if f"def test_{name}(" not in text] == [], path
    for path, names in in_ci.CASES.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        assert [name for name in names if f"def test_{name.partition('[')[0]}(" not in text] == [], path


def test_what_runs_with_the_lowest_versions_exists() -> None:
    """The files that `./run` names, some of them in braces."""
    text = (ROOT / "run").read_text(encoding="utf-8")
    named = re.findall(r"tests/[a-z_]+/test_(?:\{[a-z_,]+\}|[a-z_]+)\.py", text)
    assert named
    for words in named:
        before, brace, rest = words.partition("{")
        inside, _, after = rest.partition("}")
        for name in [f"{before}{each}{after}" for each in inside.split(",")] if brace else [words]:
            assert (ROOT / name).exists(), name
