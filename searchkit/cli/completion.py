"""What the shell offers on TAB: names of examples, problems, engines and options, and the values of options.

Typer asks these functions with the words typed so far. They run no code of the user's: a Python file is parsed, and not
run. A fault in a plugin or a file is not reported here; nothing is offered then.
"""

import ast
import os
import shlex
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from functools import wraps
from io import StringIO
from pathlib import Path
from typing import Any

import typer

VARIABLE = "_SEARCHKIT_COMPLETE"
"""The environment variable by which the shell's function asks."""
BREAKS = ("=", ":")
"""Characters at which bash splits words: it replaces only what follows them."""
LARGEST = 2**20
"""The most bytes of a Python file that is parsed."""
BACKENDS = ("auto", "python", "compiled")

Offer = Iterable[str | tuple[str, str]]
"""Values, some with a line of help."""


def quietly(offers: Callable[[typer.Context, str], Offer]) -> Callable[[typer.Context, str], list[Any]]:
    """Return a function for Typer that offers nothing if anything fails, and only what begins with the word."""

    @wraps(offers)
    def complete(ctx: typer.Context, incomplete: str) -> list[Any]:
        with suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = [(offer, "") if isinstance(offer, str) else offer for offer in offers(ctx, incomplete)]
            return [offer for offer in found if offer[0].startswith(incomplete)]
        return []

    return complete


@quietly
def sources(ctx: typer.Context, incomplete: str) -> Offer:
    """Offer examples, kinds of problem that need no file, files, and what a Python file holds."""
    from searchkit.basics.programs import split_program
    from searchkit.plugin.registry import registry

    split = split_program(incomplete)
    if split is not None and incomplete[-len(split[1]) - 1] == ":":
        return [f"{incomplete[: len(incomplete) - len(split[1])]}{name}" for name in definitions(split[0])]
    offers: list[tuple[str, str]] = []
    for spec in registry().problems.values():
        offers += [(example.name, example.summary) for example in spec.examples]
        if spec.instance is not None:
            offers.append((spec.name, spec.summary))
    return [*offers, *((path, "") for path in _files(incomplete))] if _begin(offers, incomplete) else []


def _begin(offers: Iterable[tuple[str, str]], incomplete: str) -> bool:
    """Whether a name begins with the word; otherwise the shell itself offers files, and knows more about these."""
    return any(name.startswith(incomplete) for name, _ in offers)


@quietly
def problems(ctx: typer.Context, incomplete: str) -> Offer:
    """Offer the kinds of problem."""
    from searchkit.plugin.registry import registry

    return [(spec.name, spec.summary) for spec in registry().problems.values()]


@quietly
def engines(ctx: typer.Context, incomplete: str) -> Offer:
    """Offer the engines, and `auto`."""
    return [("auto", "chooses an engine"), *_engines()]


@quietly
def engine_lists(ctx: typer.Context, incomplete: str) -> Offer:
    """Offer engines for a list with commas: the last one is completed."""
    before, comma, _ = incomplete.rpartition(",")
    given = before.split(",")
    listed = [(f"{before}{comma}{name}", summary) for name, summary in _engines() if name not in given]
    return listed if comma else [*listed, ("all", "all that can run")]


@quietly
def backends(ctx: typer.Context, incomplete: str) -> Offer:
    """Offer the backends."""
    return BACKENDS


@quietly
def workers(ctx: typer.Context, incomplete: str) -> Offer:
    """Offer the kinds of workers."""
    from searchkit.disk.executors import available_executors

    return [(spec.name, spec.summary) for spec in available_executors().values()]


@quietly
def counting_methods(ctx: typer.Context, incomplete: str) -> Offer:
    """Offer the ways to count states by depth."""
    from searchkit.search.histogram import METHODS

    return [("auto", "chooses a method"), *METHODS.items()]


@quietly
def generators(ctx: typer.Context, incomplete: str) -> Offer:
    """Offer the generators of instances."""
    from searchkit.plugin.registry import registry

    return [(made.name, made.summary) for spec in registry().problems.values() for made in spec.generators]


@quietly
def settings(ctx: typer.Context, incomplete: str) -> Offer:
    """Offer options of the engine and of the problem as `name=`, and after that the values that are listed."""
    from searchkit.plugin.specs import boolean

    name, equals, _ = incomplete.partition("=")
    offered = _options(_given(ctx))
    if not equals:
        return [(f"{name}=", about) for name, (about, _, _) in offered.items()]
    _, choices, convert = offered[name]
    return [f"{name}={value}" for value in (choices or (("true", "false") if convert is boolean else ()))]


def _engines() -> list[tuple[str, str]]:
    from searchkit.plugin.registry import registry

    return [(spec.name, spec.summary) for spec in registry().engines.values()]


def _options(given: Mapping[str, Any]) -> dict[str, tuple[str, tuple[Any, ...], Any]]:
    """Return the options that fit the words before: name → help, choices and what converts a value."""
    from searchkit.basics.programs import split_program
    from searchkit.plugin.registry import registry

    plugins = registry()
    named = given.get("engines") or given.get("engine") or ()
    chosen = named.split(",") if isinstance(named, str) else named
    specs = [plugins.engines[name] for name in chosen if name in plugins.engines]
    parameters = [p for spec in specs or plugins.engines.values() for p in spec.options]
    source = given.get("source") or given.get("target") or ""
    kind = given.get("problem") or _kind(source)
    program = split_program(source)
    if program is not None:
        return dict.fromkeys(arguments(*program), ("an argument", (), None)) | {
            p.name: (p.help, p.choices, p.convert) for p in parameters
        }
    kinds = [plugins.problems[kind]] if kind in plugins.problems else plugins.problems.values()
    parameters += [p for spec in kinds for p in spec.parameters if p.name not in ("start", "goal")]
    return {p.name: (p.help, p.choices, p.convert) for p in reversed(parameters)}


def _given(ctx: typer.Context) -> Mapping[str, Any]:
    """Return the values of the parameters before the word. Typer drops those before an option without its value."""
    if os.environ[VARIABLE].endswith("_bash"):
        words = shlex.split(os.environ["COMP_WORDS"])[: int(os.environ["COMP_CWORD"])]
    else:
        line = os.environ["_TYPER_COMPLETE_ARGS"]
        words = shlex.split(line)[: None if line.endswith(" ") else -1]
    before = words[len(ctx.command_path.split()) :]
    if before and before[-1].startswith("-"):
        before.pop()
    return ctx.command.make_context(ctx.info_name, before, resilient_parsing=True).params


def _kind(source: str) -> str:
    from searchkit.plugin.registry import registry

    for spec in registry().problems.values():
        if spec.name == source or any(example.name == source for example in spec.examples):
            return spec.name
    return ""


def _files(incomplete: str) -> Iterator[str]:
    """Yield the paths that begin with the word, folders with a separator at their end."""
    folder, begin = os.path.split(incomplete)
    with suppress(OSError):
        for entry in sorted(os.scandir(folder or "."), key=lambda entry: entry.name):
            if entry.name.startswith(begin) and (begin or not entry.name.startswith(".")):
                path = incomplete[: len(incomplete) - len(begin)] + entry.name
                yield path + os.sep if entry.is_dir() else path


# Python files


def definitions(file: Path) -> list[str]:
    """Return the names that a Python file defines, as far as its text shows: classes, functions, variables."""
    found = []
    for statement in _parsed(file):
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            found.append(statement.name)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            found += [target.id for target in targets if isinstance(target, ast.Name)]
    return [name for name in found if not name.startswith("_")]


def arguments(file: Path, name: str) -> list[str]:
    """Return the names of the arguments of a class or a function in a Python file, as far as its text shows."""
    for statement in _parsed(file):
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            return _names(statement)
        if isinstance(statement, ast.ClassDef) and statement.name == name:
            for member in statement.body:
                if isinstance(member, ast.FunctionDef) and member.name == "__init__":
                    return _names(member)[1:]
            return [  # a dataclass
                member.target.id
                for member in statement.body
                if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name)
            ]
    return []


def _names(function: ast.FunctionDef) -> list[str]:
    listed = function.args
    return [argument.arg for argument in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs)]


def _parsed(file: Path) -> list[ast.stmt]:
    from searchkit.basics.files import read_bytes

    return ast.parse(read_bytes(file, LARGEST)).body if file.is_file() else []


# The protocol


def complete(main: Callable[[], Any]) -> int:
    """Answer the shell by calling Typer's `main`, and return the exit code.

    bash splits words at `=` and `:`, and replaces only what follows them: for bash, the words are joined before, and
    the part that bash keeps is taken from the answers.
    """
    kept = _join_words() if os.environ[VARIABLE] == "complete_bash" else ""
    answers, code = StringIO(), 0
    try:
        with redirect_stdout(answers):
            main()
    except SystemExit as end:
        code = int(end.code or 0)
    with suppress(BrokenPipeError):
        for line in filter(None, answers.getvalue().splitlines()):
            sys.stdout.write(f"{line.removeprefix(kept)}\n")
        sys.stdout.flush()
    return code


def _join_words() -> str:
    """Join the words that bash has split, and return the part of the last one that bash does not replace."""
    try:
        words, at = shlex.split(os.environ["COMP_WORDS"]), int(os.environ["COMP_CWORD"])
    except (KeyError, ValueError):  # an open quote
        return ""
    words = words[: at + 1] + [""] * (at + 1 - len(words))
    joined: list[str] = []
    kept = ""
    after_break = False
    for word in words:
        if joined and (word in BREAKS or after_break):
            kept = joined[-1] + (word if word in BREAKS else "")
            joined[-1] += word
        else:
            kept = ""
            joined.append(word)
        after_break = word in BREAKS
    os.environ["COMP_WORDS"] = shlex.join(joined[:-1]) + (f" {joined[-1]}" if joined[-1] else "")
    os.environ["COMP_CWORD"] = str(len(joined) - 1)
    return kept
