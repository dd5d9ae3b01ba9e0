"""A failure that a look has found, and the file that turns it into a regression test."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

from attrs import field, frozen

from searchkit.problem import SearchProblem
from searchkit.testing.reports import express, imports_of

ROOT = Path(__file__).parent.parent.parent
MOST = 60
"""Lines of a report that the file shows; the last lines say what went wrong."""


def _shown(problem: object) -> str | None:
    return problem if isinstance(problem, str) or problem is None else express(problem)  # type: ignore[arg-type]


@frozen
class Failure:
    """Something that does not hold, with the smallest problem that shows it."""

    name: str
    report: str
    problem: SearchProblem[Any, Any] | str | None = field(default=None, converter=_shown)
    """An expression that makes the problem; None if there is none."""
    call: str = ""
    """The expression that fails, in which the problem is called `problem`."""
    seed: int = 0
    home: str = ""
    """An additional import for the call."""

    @property
    def file_name(self) -> str:
        """The name of a file for it."""
        return f"test_{re.sub('[^a-z0-9]+', '_', self.name.lower()).strip('_')[:120]}.py"

    def as_file(self, again: str = "") -> str:
        """Return the text of a test that fails while the fault exists.

        Args:
            again: an expression that finds it again, for a problem that can't be written down.

        """
        lines = [f'"""Found by ./run fuzz: {_in_docstring(self.name)}."""', ""]
        if self.problem is not None:
            code = f"({self.problem}, {self.call})"
            lines += [*imports_of(code).split("; "), *([self.home] if self.home else [])]
            body = f"problem = {self.problem}\n{self.call}"
        elif self.call.startswith("run_again("):
            lines += ["from tests.fuzz.failure import run_again"]
            body = self.call
        else:
            lines += ["from tests.fuzz.looks import " + again.partition("(")[0]]
            body = f"assert {again} == []"
        said = "\n".join(f"# {line}".rstrip() for line in self.report.splitlines()[-MOST:])
        return "\n".join(
            [*lines, "", "", f"def {self.file_name.removesuffix('.py')}() -> None:", indent(said, "    "),
             indent(body, "    "), ""]
        )  # fmt: skip


def _in_docstring(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', "'")


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
