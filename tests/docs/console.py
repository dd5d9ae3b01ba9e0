"""Running the examples of a page that are not Python: commands with their output, and files."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from doctest import Example as DoctestExample
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from attrs import define, field
from sybil import Document, Example, Region
from sybil.parsers.abstract.lexers import LexerCollection
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer

from searchkit.cli import main
from searchkit.plugin import use_registry

FLAGS = ELLIPSIS | NORMALIZE_WHITESPACE
WIDTH = "100"
ROOT = Path(__file__).parents[2]
SNIPPET = re.compile(r'^--8<-- "(.+)"\n', re.MULTILINE)
"""A line that is replaced by a file of the repository when the pages are built."""
HERE = re.compile(
    r"searchkit (solve|watch|demo|generate|compare|engines|problems|scenario|certify|contract|check|grade"
    r"|local)\b"
)
"""The commands that are run in this process: starting another one takes longer than most of them."""
ELSEWHERE = re.compile(
    r"""[|&;<>$`*?~\\]|^(?!searchkit (check|grade)).*\.py\b|--max-memory|--threads|--help|^$"""
)
"""What only a shell understands, or what looks at its process or at modules that may have changed. (The code of
students has a process of its own in any case.)"""


@define
class Command:
    """One command of a console example, and what the page shows as its output."""

    line: str
    output: list[str] = field(factory=list)


def commands(text: str) -> Iterator[Command]:
    """Yield the commands of a console example: each begins with a dollar and is followed by its output."""
    before, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    if before:
        raise ValueError(f"a console example begins with a command, `$ …`, not with {before!r}")
    for part in parts:
        line, *output = part.splitlines()
        yield Command(line, output)


def run_console(example: Example) -> str | None:
    """Run the commands of an example; return what differs from the page, None where nothing does.

    A command ends with exit code 0, unless the page goes on with `$ echo $?`.
    """
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": WIDTH,
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    script = list(commands(str(example.parsed)))
    code = 0
    for command, following in zip(script, [*script[1:], None], strict=True):
        plugin_here = str(Path.cwd()) in environment.get("PYTHONPATH", "")  # of modules that the page writes
        if HERE.match(command.line) and not ELSEWHERE.search(command.line) and not plugin_here:
            code, said = run_here(command.line, environment)
        else:
            code, said = run_in_shell(f"(exit {code}); {command.line}", environment)
        asked_for = following is not None and following.line == "echo $?"
        if code and not asked_for:
            return f"$ {command.line}\nended with exit code {code}:\n{said}"
        wanted = "".join(f"{line}\n" for line in command.output)
        if wanted and not OutputChecker().check_output(wanted, said, FLAGS):
            difference = OutputChecker().output_difference(DoctestExample("", wanted), said, FLAGS)
            return f"$ {command.line}\n{difference}"
    return None


def run_in_shell(line: str, environment: dict[str, str]) -> tuple[int, str]:
    """Run a line as a shell does; return its exit code and all that it wrote."""
    done = subprocess.run(
        ["bash", "-c", line],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def run_here(line: str, environment: dict[str, str]) -> tuple[int, str]:
    """Run a command of searchkit in this process; return its exit code and all that it wrote."""
    written = StringIO()
    with ExitStack() as changed:
        changed.enter_context(patch.dict(os.environ, environment))
        changed.enter_context(
            patch.object(sys, "path", [entry for entry in sys.path if entry != str(Path.cwd())])
        )
        changed.enter_context(redirect_stdout(written))
        changed.enter_context(redirect_stderr(written))
        changed.enter_context(use_registry())  # a page may have installed some
        code = main(shlex.split(line)[1:])
    return code, written.getvalue()


def write_file(example: Example) -> None:
    """Write the file that an example shows, so that the examples after it can use it."""
    name, text = example.parsed
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = SNIPPET.sub(lambda found: (ROOT / found[1]).read_text(encoding="utf-8"), text)
    path.write_text(text, encoding="utf-8")
    if f"python -i {name}" in example.document.text:  # what it defines can be used at the prompt
        example.namespace["__file__"] = str(path.resolve())
        exec(compile(text, name, "exec"), example.namespace)


class FileParser:
    """Finds the blocks that show a file: those with a title, which is the file's name."""

    def __init__(self) -> None:
        self.lexers = LexerCollection(
            [
                FencedCodeBlockLexer(
                    r'\w+ title="(?P<name>[^"]+)"', mapping={"name": "name", "source": "source"}
                )
            ]
        )

    def __call__(self, document: Document) -> Iterable[Region]:
        """Yield a region for each such block."""
        for region in self.lexers(document):
            yield Region(
                region.start,
                region.end,
                parsed=(region.lexemes["name"], region.lexemes["source"]),
                evaluator=write_file,
            )
