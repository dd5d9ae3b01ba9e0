"""The shape of the product's source: no import circles, no copied code."""

import re

from tests import long
from tests.structure.tree import (
    ROOT,
    circles,
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


def test_what_is_long_exists() -> None:
    """A test that is renamed is not forgotten: by its old name, the suite would run it."""
    for place in long.WHOLE:
        assert (ROOT / place).exists(), place
    for path, names in long.SINGLE.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        assert [name for name in names if f"def test_{name}(" not in text] == [], path
    for path, names in long.CASES.items():
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
