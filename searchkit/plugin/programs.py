"""A problem in a Python file of the user's: `FILE.py:NAME`, with arguments by `--set`."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from attrs import field, frozen

from searchkit.basics.programs import find_name, line_of_error, load_module, own_names
from searchkit.basics.text import visible
from searchkit.errors import (
    InvalidOptionError,
    InvalidProblemError,
    ProgramError,
    UnknownNameError,
    shortened,
    unknown,
)
from searchkit.plugin.options import Parameter, arguments_of, parse_options
from searchkit.problem import REQUIRED, SearchProblem, check_members, misspelt, of_another_library

LOADING = "loading it"
"""What a message says about an error that the file raises before any name is used."""
Found = TypeVar("Found")


@frozen
class Program:
    """What a Python file holds under a name: a problem, or a class or function that makes one."""

    file: Path
    """The file as the user named it."""
    name: str
    parameters: tuple[Parameter, ...]
    """The arguments of the class or function; () for a problem."""
    _found: Any = field(repr=False)
    _required: tuple[str, ...] = ()

    @classmethod
    def of(cls, file: Path, name: str = "") -> "Program":
        """Run a file, and find the name; without one, the problem in the file, if there is exactly one.

        Raises:
            UnknownNameError: there is no such file.
            ProgramError: the file can't be run, raises, or does not hold a problem of that name.

        """
        if not os.path.exists(file):  # noqa: PTH110  # False for a name that no file can have
            beside = sorted(_shown(other) for other in file.parent.glob("*.py"))
            listing = f"there are {', '.join(beside[:9])}" if beside else "expected the path of a Python file"
            raise UnknownNameError(unknown(f"there is no file {_shown(file)}", str(file), beside, listing))
        module = _watched(file, LOADING, lambda: load_module(file.absolute()))
        name = name or only_problem(file, module)
        found = find_name(module, file.name, name)
        missing = _missing_members(found)
        if not missing and not isinstance(found, type):
            return cls(file, name, (), found)
        if not callable(found) or (isinstance(found, type) and missing):
            advice = "expected a class with these methods, an instance of one, or a function that returns one"
            if names := _problem_names(module):
                advice = f"the file's problems are {', '.join(names)}"
            elif library := of_another_library(found):
                advice = f"{library} in the file, and name what it returns"
            raise ProgramError(
                f"{_shown(file)}: {name} is not a search problem: it has no method "
                f"{' and no method '.join(missing)}; {misspelt(found, missing) or advice}"
            )
        parameters, required = arguments_of(found, name)
        return cls(file, name, parameters, found, required)

    @property
    def kind(self) -> str:
        """The name of the kind of problem: file name and name, without the folder."""
        return _shown(f"{self.file.name}:{self.name}")

    def make(self, options: Mapping[str, object]) -> SearchProblem[Any, Any]:
        """Return the problem, made with these arguments.

        Raises:
            UnknownNameError: there is no argument of that name.
            InvalidOptionError: a value is invalid, or a required argument is missing.
            ProgramError: the class or function raised an exception.
            InvalidProblemError: what it returned is not a problem.

        """
        if not isinstance(self._found, type) and not _missing_members(self._found):
            if options:
                raise UnknownNameError(
                    f"--set {next(iter(options))}: {self.kind} is a problem that is made in the file, without options"
                )
            return check_members(self._found)
        given = parse_options(self.kind, self.parameters, options)
        lacking = [name for name in self._required if name not in given]
        if lacking:
            values = " ".join(f"--set {name}=…" for name in lacking)
            raise InvalidOptionError(f"{self.kind} needs a value for {' and '.join(lacking)}: {values}")
        call = f"{self.name}({', '.join(f'{name}={value!r}' for name, value in given.items())})"
        made = _watched(self.file, call, lambda: self._found(**given))
        try:
            return check_members(made)
        except InvalidProblemError as error:
            raise InvalidProblemError(f"{self.kind}: {call} did not return a problem: {error}") from error


def _missing_members(found: Any) -> list[str]:
    """Return the methods of every problem that an object, or the instances of a class, lack."""
    abstract = getattr(found, "__abstractmethods__", ()) if isinstance(found, type) else ()
    return [name for name in REQUIRED if name in abstract or not callable(getattr(found, name, None))]


def _problem_names(module: ModuleType) -> list[str]:
    """Return the names of the problems in a file, as `FILE.py` alone finds them.

    These are the objects that are problems, and the file's own classes that need no arguments; without any, the classes
    that need some.
    """
    problems = {n: v for n, v in vars(module).items() if not n.startswith("__") and not _missing_members(v)}
    made = [name for name, found in problems.items() if not isinstance(found, type)]
    own = {name: found for name, found in problems.items() if found.__module__ == module.__name__}
    needs = {name: arguments_of(kind, name)[1] for name, kind in own.items() if isinstance(kind, type)}
    return made + [name for name, required in needs.items() if not required] or list(needs)


def only_problem(file: Path, module: ModuleType) -> str:
    """Return the name of the only problem in a file. Raises `ProgramError` if there are several or none."""
    names, own, shown = _problem_names(module), own_names(module), _shown(file)
    if len(names) == 1:
        return names[0]
    if names:
        listed = ", ".join(f"{shown}:{name}" for name in names)
        raise ProgramError(f"{shown} holds several problems; name one: {listed}")
    hints = [misspelt(found, _missing_members(found)) for found in map(vars(module).__getitem__, own)]
    advice = next(filter(None, hints), "")
    if own and not advice:
        advice = f"if one of these returns a problem, name it, as in {shown}:{own[0]}: {', '.join(own)}"
    lacks = f"{shown} holds no class or object with the methods {', '.join(REQUIRED)}"
    raise ProgramError(f"{lacks}{advice and '; '}{advice}")


def _watched(file: Path, what: str, call: Callable[[], Found]) -> Found:
    """Return the result of the user's code; any exception becomes a `ProgramError` with the line in the file."""
    try:
        return call()
    except (ProgramError, KeyboardInterrupt):
        raise
    except BaseException as error:
        place, line = line_of_error(error) or (_shown(file), "")
        text = error.msg if isinstance(error, SyntaxError) else " ".join(visible(str(error)).split())
        said = f"raised {type(error).__name__}{text and ': '}{shortened(text, 300)}"
        hint = ""
        if isinstance(error, SystemExit):
            said = f"called sys.exit({'' if error.code is None else repr(error.code)})"
            if what == LOADING:
                hint = '; put what is not to run here under: if __name__ == "__main__":'
        raise ProgramError(f"{place}: {what} {said}{line and ', in: '}{line}{hint}") from error


def _shown(file: object) -> str:
    """Return the path of a file as messages show it, on one line."""
    return visible(str(file)).replace("\n", " ")
