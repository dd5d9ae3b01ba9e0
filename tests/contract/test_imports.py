"""The contract imports what is public and nothing deeper, so that everything else can be rewritten."""

import ast
from pathlib import Path

PUBLIC = {
    "searchkit",
    "searchkit.plugin",
    "searchkit.testing",
    "searchkit.testing.strategies",
    "searchkit.errors",
    "searchkit.engines.kit",
    "searchkit.compiled",
    "searchkit.cli.kit",
    "searchkit.trace",
}
"""`searchkit.trace` is documented: recordings and their replays."""


def test_only_what_is_public_is_imported() -> None:
    """Nor anything of another folder of tests, which may import more."""
    for file in Path(__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                ours = name.partition(".")[0] in ("searchkit", "tests") or name.startswith("searchkit_")
                assert not ours or name in PUBLIC or name.startswith("tests.contract"), f"{file.name}: {name}"
