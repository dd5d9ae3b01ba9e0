"""Counts the functions between a command and the first step of an engine: `python -m tests.cli.call_path`.

What is counted are distinct functions of searchkit and of its bundled plugins that are called until the generator of an
engine is entered, whatever they are called from. Functions that run while a module is imported are left out: so are
class bodies, comprehensions and lambda expressions.
"""

import inspect
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from searchkit.cli import main

ROOT = Path(__file__).parents[2]
OURS = (f"{ROOT}/searchkit/", f"{ROOT}/plugins/")
ENGINES = f"{ROOT}/searchkit/engines/"


class CallPath:
    """The functions that were called, in the order of their first calls, until an engine began."""

    def __init__(self) -> None:
        self.called: dict[CodeType, None] = {}
        self.stack: tuple[CodeType, ...] = ()
        """The functions of ours that had not returned yet when the engine began, the outermost first."""

    def functions(self, arguments: Sequence[str]) -> list[str]:
        """Run a command; return `file:function` of each function that it called until an engine began."""
        sys.setprofile(self._note)
        try:
            with redirect_stdout(StringIO()):
                main(list(arguments))
        finally:
            sys.setprofile(None)
        return [named(code) for code in self.called]

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(OURS):
            return
        if code.co_filename.startswith(ENGINES) and code.co_flags & inspect.CO_GENERATOR:
            sys.setprofile(None)
            self.stack = tuple(reversed([each.f_code for each in callers(frame)]))
        elif counts(code) and not any(each.f_code.co_name == "<module>" for each in callers(frame)):
            self.called.setdefault(code)


def callers(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of ours that lead to a frame, that one first."""
    found = []
    while frame is not None:
        if frame.f_code.co_filename.startswith(OURS):
            found.append(frame)
        frame = frame.f_back
    return found


def counts(code: CodeType) -> bool:
    """Whether the code is that of a function with a name."""
    return not code.co_name.startswith("<") and bool(code.co_flags & inspect.CO_OPTIMIZED)


def named(code: CodeType) -> str:
    """Return `file:function`."""
    return f"{Path(code.co_filename).relative_to(ROOT)}:{code.co_qualname}"


if __name__ == "__main__":
    path = CallPath()
    found = path.functions(sys.argv[1:] or ["solve", "crypt"])
    print(*found, sep="\n")
    files = Counter(each.partition(":")[0] for each in found)
    print(f"{len(found)} functions in {len(files)} files; on the stack when the engine began:")
    print(*(f"  {named(code)}" for code in path.stack), sep="\n")
