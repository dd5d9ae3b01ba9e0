"""A failure that a look has found, and the file that turns it into a regression test."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent.parent
MOST = 60
"""Lines of a report that the file shows; the last lines say what went wrong."""


@frozen
class Failure:
    """Something that does not hold."""

    name: str
    report: str
    lines: tuple[str, ...] = ()
    """Lines of Python that fail; the first imports what the others name. None if the look has to be repeated."""
    seed: int = 0

    @property
    def file_name(self) -> str:
        """The name of a file for it."""
        return f"test_{re.sub('[^a-z0-9]+', '_', self.name.lower()).strip('_')[:120]}.py"

    def as_file(self, again: str = "") -> str:
        """Return the text of a test that fails while the fault exists.

        Args:
            again: an expression that finds it again, for a problem that can't be written down.

        """
        look = f"from tests.fuzz.looks import {again.partition('(')[0]}"
        imports, *body = self.lines or (look, f"assert {again} == []")
        said = (f"# {line}".rstrip() for line in self.report.splitlines()[-MOST:])
        title = self.name.replace("\\", "\\\\").replace('"', "'")
        head = [f'"""Found by ./run fuzz: {title}."""', "", *imports.split("; "), "", ""]
        test = f"def {self.file_name.removesuffix('.py')}() -> None:"
        return "\n".join([*head, test, *(f"    {line}" for line in (*said, *body)), ""])


def run_again(node: str, how: Sequence[str]) -> None:
    """Run one property of the suite as it failed: with the same seed it draws the same examples."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", node, *how],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
