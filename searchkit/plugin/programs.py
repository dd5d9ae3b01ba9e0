"""Python files that users name on the command line, as `FILE.py:NAME`: running one, and the problem under a name."""

import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import Any

from searchkit.basics.files import read_bytes
from searchkit.errors import InvalidProblemError, ProgramError, UnknownNameError, shortened, unknown
from searchkit.plugin.options import arguments_of
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import REQUIRED, SearchProblem, check_members, missing_members, what_is_missing

SUFFIX = ".py"
MAX_BYTES = 4 * 2**20
"""The most bytes of a Python file: compiling a longer one takes seconds, and much memory."""
_folders: list[str] = []
"""The folders whose files can be imported because a file was loaded from them."""


def problem_in(file: Path, name: str = "") -> ProblemSpec:
    """Return the problem in a Python file, or the class or function that makes one, as a kind of problem.

    The arguments of the class or function are its options. Without a name, it is the only problem in the file.

    Raises `ProgramError` if the file can't be run, raises, or does not hold a problem of that name, and what
    `load_module` raises. `make` raises `ProgramError` if the class or function raised an exception, and
    `InvalidProblemError` if what it returned is not a problem.
    """
    module = load_module(file)
    problems, own = problem_names(module), own_names(module)
    if not name:
        names = problems or [name for name in own if isinstance(vars(module)[name], type)]
        if len(names) != 1:
            listed = ", ".join(f"{file}:{name}" for name in names or own) or f"{file}:NAME"
            holds = "several problems" if problems else f"no class or object with {', '.join(REQUIRED)}"
            raise ProgramError(f"{file} holds {holds}; name the one to use: {listed}")
        (name,) = names
    found = find_name(module, file, name)
    missing = missing_members(found)
    if missing and (isinstance(found, type) or not callable(found)):
        others = f"the file's problems are {', '.join(problems)}" if problems else ""
        raise ProgramError(f"{file}: {name} {what_is_missing(found, missing, others)}")
    is_made = not missing and not isinstance(found, type)

    def make(**options: Any) -> SearchProblem[Any, Any]:
        call = f"{name}({', '.join(f'{n}={value!r}' for n, value in options.items())})"
        with user_code(file, call):
            made = found if is_made else found(**options)
        try:
            return check_members(made)
        except InvalidProblemError as error:
            raise InvalidProblemError(f"{file.name}: {call} did not return a problem: {error}") from error

    parameters = () if is_made else arguments_of(found, name)
    return ProblemSpec(f"{file.name}:{name}", f"a problem in {file}", make, parameters, instance=make)


def problem_names(module: ModuleType) -> list[str]:
    """Return the names of the problems in a file, as `FILE.py` alone finds them.

    These are its objects, and its classes of no such object that need no arguments; without any, those that need some.
    """
    problems = {n: v for n, v in vars(module).items() if not n.startswith("__") and not missing_members(v)}
    made = [name for name, found in problems.items() if not isinstance(found, type)]
    known = {*made, *(type(problems[name]).__name__ for name in made)}
    kinds = [name for name in own_names(module) if name in problems and name not in known]
    needy = [n for n in kinds if any(each.required for each in arguments_of(problems[n], n))]
    return made + [name for name in kinds if name not in needy] or needy


def split_program(source: str) -> tuple[Path, str] | None:
    r"""Split `FILE.py:NAME` into the file and the name, which is "" for `FILE.py`. Returns None for other texts.

    Example:
        >>> split_program(r"C:\work\student.py:Romania")[1], split_program("student.py")[1], split_program("arena.map")
        ('Romania', '', None)

    """
    file, colon, name = source.rpartition(":")
    if colon and file.lower().endswith(SUFFIX):
        return Path(file), name
    return (Path(source), "") if source.lower().endswith(SUFFIX) else None


def load_module(file: Path) -> ModuleType:
    """Run a file as a module and return the module. Its `__name__` is not `__main__`.

    The module has the name of the file, or `student` if another module has that name. Files in the same folder can be
    imported, also later; they come before installed packages, but not before the standard library.

    Raises `UnknownNameError` if there is no such file, `InputFormatError` if it can't be read, and `ProgramError` if it
    is not valid Python or raises an exception.
    """
    path = file.absolute()
    if not path.exists():
        beside = sorted(map(str, file.parent.glob("*.py")))
        listing = f"there are {', '.join(beside[:9])}" if beside else "expected the path of a Python file"
        raise UnknownNameError(unknown(f"there is no file {file}", str(file), beside, listing))
    contents, folder = read_bytes(path, MAX_BYTES), str(path.parent)
    other = getattr(sys.modules.get(path.stem), "__file__", None)
    taken = path.stem in sys.modules and str(Path(other or "").parent) not in _folders
    usable = path.stem.isidentifier() and path.stem not in sys.stdlib_module_names and not taken
    module = ModuleType(path.stem if usable else "student")
    module.__file__ = str(path)
    _folders.append(folder)
    if folder not in sys.path:  # its other files come before installed packages, and not before Python's own
        installed = (at for at, entry in enumerate(sys.path) if entry.endswith("-packages"))
        sys.path.insert(next(installed, len(sys.path)), folder)
    with user_code(file, "loading it"):
        code = compile(contents, str(path), "exec")
        sys.modules[module.__name__] = module
        exec(code, vars(module))  # the user asked for it
    return module


def find_name(module: ModuleType, file: Path, name: str) -> Any:
    """Return the object of that name. Raises `ProgramError` if there is none."""
    if name in vars(module):
        return vars(module)[name]
    listing = f"it has {', '.join(own_names(module)) or 'no functions'}"
    raise ProgramError(unknown(f"{file.name} has no {name!r}", name, vars(module), listing))


def object_in(target: str) -> Any:
    """Return the object that `FILE.py:NAME` names; the file is run once. Raises `ProgramError` if there is none."""
    file, name = split_program(target) or (Path(target), "")
    if not name.isidentifier():
        raise ProgramError(f"{target}: expected a file, a colon and a name in it: student.py:astar")
    modules = {getattr(module, "__file__", None): module for module in list(sys.modules.values())}
    return find_name(modules.get(str(file.absolute())) or load_module(file), file, name)


def own_names(module: ModuleType) -> list[str]:
    """Return the names of the classes, functions and objects of the file's own classes, in their order."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("__") and getattr(value, "__module__", "") == module.__name__
    ]


@contextmanager
def user_code(file: Path, what: str) -> Iterator[None]:
    """Turn any exception of the user's code that the block runs into a `ProgramError` with the line in the file."""
    try:
        yield
    except (ProgramError, KeyboardInterrupt):
        raise
    except BaseException as error:
        text = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
        said = f"raised {type(error).__name__}{text and ': '}{shortened(text, 300)}"
        if isinstance(error, SystemExit):
            said = f"called sys.exit({'' if error.code is None else repr(error.code)})"
        place, line = line_of_error(error) or (file, "")
        hint = '; put what is not to run here under: if __name__ == "__main__":'
        raise ProgramError(
            f"{place}: {what} {said}{line and ', in: '}{line}{hint * isinstance(error, SystemExit)}"
        ) from error


def line_of_error(error: BaseException) -> tuple[str, str] | None:
    """Return the place, as in `student.py:17`, and the text of the innermost line of a user's file that raised this.

    These are the files that `load_module` has run, and those that they import from the same folder. For invalid Python
    in such a file, it is the line at fault. Returns None if there is no such line.
    """
    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        lines.append((error.filename, error.lineno or 1))
    for file, number in reversed(lines):
        if str(Path(file).parent) in _folders:
            return f"{Path(file).name}:{number}", shortened(linecache.getline(file, number).strip(), 100)
    return None
