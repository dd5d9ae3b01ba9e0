"""A problem in a Python file of the user's: `FILE.py:NAME`, with arguments by `--set`."""

import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TypeVar

from attrs import field, frozen

from searchkit.basics.programs import find_name, line_of_error, load_module, own_names, split_program
from searchkit.basics.text import visible
from searchkit.errors import (
    InvalidOptionError,
    InvalidProblemError,
    ProgramError,
    UnknownNameError,
    shortened,
    unknown,
)
from searchkit.plugin.arguments import parameters_of
from searchkit.plugin.specs import Parameter, parse_options
from searchkit.problem import REQUIRED, SearchProblem, check_members, of_another_library

LONGEST = 300
"""The most characters of the text of an exception that a message quotes."""
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
    def named(cls, source: str) -> "Program | None":
        """Run the file of `FILE.py:NAME` or `FILE.py`, and find the name; None if the source is not of this form.

        Without a name, it is the problem in the file, if there is exactly one.

        Raises:
            UnknownNameError: there is no such file.
            ProgramError: the file can't be run, raises, or does not hold a problem of that name.

        """
        split = split_program(source)
        return None if split is None else cls.of(*split)

    @classmethod
    def of(cls, file: Path, name: str = "") -> "Program":
        """Do what `named` does, with the parts of the source."""
        _refuse_missing(file)
        path = file.absolute()
        module = _watched(file, LOADING, lambda: load_module(path))
        name = name or only_problem(file, module)
        return cls.holding(file, name, find_name(module, file.name, name))

    @classmethod
    def holding(cls, file: Path, name: str, found: Any) -> "Program":
        """Return the program of an object that was found in the file. Raises `ProgramError` if it is not a problem."""
        missing = missing_members(found)
        if not missing and not isinstance(found, type):
            return cls(file, name, (), found)
        if not callable(found) or (isinstance(found, type) and missing):
            raise ProgramError(
                f"{_shown(file)}: {name} is not a search problem: it has no method "
                f"{' and no method '.join(missing)}; {_others(file, found)}"
            )
        parameters, required = parameters_of(found, name)
        return cls(file, name, parameters, found, required)

    @property
    def kind(self) -> str:
        """The name of the kind of problem: file name and name, without the folder."""
        return _shown(Path(f"{self.file.name}:{self.name}"))

    @property
    def is_made(self) -> bool:
        """Whether each call of `make` makes a new problem; false if the file holds the problem itself."""
        return isinstance(self._found, type) or bool(missing_members(self._found))

    def make(self, options: Mapping[str, object]) -> SearchProblem[Any, Any]:
        """Return the problem, made with these arguments.

        Raises:
            UnknownNameError: there is no argument of that name.
            InvalidOptionError: a value is invalid, or a required argument is missing.
            ProgramError: the class or function raised an exception.
            InvalidProblemError: what it returned is not a problem.

        """
        if not self.is_made:
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
        shown = ", ".join(f"{name}={value!r}" for name, value in given.items())
        made = _watched(self.file, f"{self.name}({shown})", lambda: self._call(given))
        try:
            return check_members(made)
        except InvalidProblemError as error:
            raise InvalidProblemError(
                f"{self.kind}: {self.name}({shown}) did not return a problem: {error}"
            ) from error

    def _call(self, given: Mapping[str, object]) -> Any:
        """Call the class or function. Arguments that have no name in calls are given by position."""
        named = dict(given)
        signature = inspect.signature(self._found)
        by_position = [a for a in signature.parameters.values() if a.kind is a.POSITIONAL_ONLY]
        while by_position and by_position[-1].name not in named:
            by_position.pop()
        return self._found(*(named.pop(a.name, a.default) for a in by_position), **named)


def missing_members(found: Any) -> list[str]:
    """Return the methods of every problem that an object, or the instances of a class, lack."""
    abstract = getattr(found, "__abstractmethods__", ()) if isinstance(found, type) else ()
    return [name for name in REQUIRED if name in abstract or not callable(getattr(found, name, None))]


def problem_names(module: ModuleType) -> list[str]:
    """Return the names of the problems in a file, as `FILE.py` alone finds them.

    These are the problems that were made in the file, and the classes that need no arguments; without any, the classes
    that need some.
    """
    made, ready, others = [], [], []
    for name in own_names(module):
        found = vars(module)[name]
        if missing_members(found):
            continue
        if not isinstance(found, type):
            made.append(name)
        elif parameters_of(found, name)[1]:
            others.append(name)
        else:
            ready.append(name)
    return made + ready or others


def only_problem(file: Path, module: ModuleType) -> str:
    """Return the name of the only problem in a file. Raises `ProgramError` if there are several or none."""
    names = problem_names(module)
    if len(names) == 1:
        return names[0]
    shown = _shown(file)
    if names:
        listed = ", ".join(f"{shown}:{name}" for name in names)
        raise ProgramError(f"{shown} holds several problems; name one: {listed}")
    own = ", ".join(own_names(module))
    raise ProgramError(
        f"{shown} holds no class or object with the methods {', '.join(REQUIRED)}"
        + (
            f"; if one of these returns a problem, name it, as in {shown}:{own_names(module)[0]}: {own}"
            if own
            else ""
        )
    )


def _others(file: Path, found: Any) -> str:
    module = sys.modules.get(getattr(found, "__module__", ""))
    names = [] if module is None else problem_names(module)
    if names:
        return f"the file's problems are {', '.join(names)}"
    advice = of_another_library(found)
    if advice:
        return f"{advice} in the file, and name what it returns"
    return "expected a class with these methods, an instance of one, or a function that returns one"


def _refuse_missing(file: Path) -> None:
    try:
        there, is_directory = file.exists(), file.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        there = is_directory = False
    if there and not is_directory:
        return
    shown = _shown(file)
    if is_directory:
        raise UnknownNameError(f"{shown} is a directory; expected a Python file")
    try:
        beside = sorted(_shown(other) for other in file.parent.glob("*.py"))
    except OSError:
        beside = []
    listing = f"there are {', '.join(beside[:9])}" if beside else "expected the path of a Python file"
    raise UnknownNameError(unknown(f"there is no file {shown}", str(file), beside, listing))


def _watched(file: Path, what: str, call: Callable[[], Found]) -> Found:
    """Return the result of the user's code; whatever it raises becomes a `ProgramError` with the line in the file."""
    try:
        return call()
    except ProgramError as error:
        if isinstance(error.__cause__, SyntaxError):
            fault = error.__cause__
            raise ProgramError(
                f"{_shown(file)}:{fault.lineno or 1}: it is not valid Python: {fault.msg}"
                f"{_quoted((fault.text or '').strip())}"
            ) from fault
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        _raise(file, what, error)


def _raise(file: Path, what: str, error: BaseException) -> NoReturn:
    line = line_of_error(error)
    place, text = _shown(file), ""
    if line is not None:
        other = line[0] if line[0].parent != file.absolute().parent else file.with_name(line[0].name)
        place, text = f"{_shown(other)}:{line[1]}", _quoted(line[2])
    if isinstance(error, SystemExit):
        code = "" if error.code is None else repr(error.code)
        hint = '; put what is not to run here under: if __name__ == "__main__":' if what == LOADING else ""
        raise ProgramError(f"{place}: {what} called sys.exit({code}){text}{hint}") from error
    try:
        said = error.msg if isinstance(error, SyntaxError) else " ".join(visible(str(error)).split())
    except Exception:
        said = "(its text can't be shown)"
    said = shortened(said, LONGEST)
    raise ProgramError(f"{place}: {what} raised {type(error).__name__}{said and ': '}{said}{text}") from error


def _shown(file: Path) -> str:
    """Return the path of a file as messages show it, on one line."""
    return " ".join(visible(str(file)).split("\n"))


def _quoted(line: str) -> str:
    return f", in: {visible(shortened(line, 100))}" if line else ""
