"""Messages are plain English: what is wrong "is not a directory", and not "is no directory"."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path
    for folder in ("searchkit", "plugins")
    for path in (ROOT / folder).rglob("*.py")
    if "tests" not in path.relative_to(ROOT).parts
)
STILTED = re.compile(r"(?<!there )\b(is|are) (no|none)\b(?! longer| more| less| larger| smaller)")


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string that is not a docstring; of an f-string, … for what is put in."""
    tree = ast.parse(source)
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in inner:
            continue
        if isinstance(node, ast.JoinedStr):
            inner.update(id(part) for part in node.values)
            yield (
                node.lineno,
                "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_no_message_says_is_no() -> None:
    """Of any module, plugins included."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in SOURCES
        for line, text in texts(path.read_text("utf-8"))
        if STILTED.search(text)
    ]
    assert found == []
