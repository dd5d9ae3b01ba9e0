"""Loading a student's file and finding a name in it."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from searchkit.errors import SearchkitError


class SubmissionError(SearchkitError):
    """A student's file that can't be used: missing, invalid, or without the function."""


def split_target(target: str) -> tuple[Path, str]:
    """Split `student.py:astar` into the file and the name. Raises `SubmissionError`."""
    file, colon, name = target.rpartition(":")
    if not colon or not name.isidentifier() or not file:
        raise SubmissionError(
            f"{target}: expected a file and a name in it, with a colon between: student.py:astar"
        )
    return existing(file), name


def existing(file: str | Path) -> Path:
    """Return the absolute path of a file. Raises `SubmissionError` if it does not exist."""
    path = Path(file)
    if not path.is_file():
        what = (
            "is a directory"
            if path.is_dir()
            else "is not a regular file"
            if path.exists()
            else "does not exist"
        )
        raise SubmissionError(f"{file} {what}; expected a Python file")
    return path.resolve()


def load_module(file: str, *, folder: bool = True) -> ModuleType:
    """Run a file as a module.

    The module has the name of the file, or `student` if another module has that name. With `folder`, files in the same
    folder can be imported. Raises `SubmissionError` for a file that is not valid Python, and whatever the file raises.
    """
    path = Path(file)
    try:
        source = path.read_bytes()
        code = compile(source, file, "exec")
    except OSError as error:
        raise SubmissionError(f"{path.name} can't be read: {error.strerror}") from error
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = "" if line is None else f", line {line}"
        text = (getattr(error, "text", None) or "").strip()
        raise SubmissionError(
            f"{path.name}{where}: not valid Python: {getattr(error, 'msg', error)}{text and ': '}{text}"
        ) from error
    # At the end, so that a student's `heapq.py` does not replace the real module.
    if folder:
        sys.path.append(str(path.parent))
    taken = path.stem in sys.modules or path.stem in sys.stdlib_module_names
    name = path.stem if path.stem.isidentifier() and not taken else "student"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    exec(code, vars(module))  # this is what the process is for
    return module


def find(module: ModuleType, file: str, name: str, *, callable: bool = True) -> Any:
    """Return the object of that name. Raises `SubmissionError` if it is missing or not a function."""
    names = [other for other in vars(module) if not other.startswith("__")]
    if name not in names:
        from difflib import get_close_matches

        close = get_close_matches(name, names, n=1, cutoff=0.5)
        own = [other for other in names if getattr(vars(module)[other], "__module__", "") == module.__name__]
        hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(own) or 'no functions'}"
        raise SubmissionError(f"{Path(file).name} has no {name!r}; {hint}")
    found = vars(module)[name]
    if callable and not hasattr(found, "__call__"):  # noqa: B004  # `callable` is the argument's name
        raise SubmissionError(f"{name} in {Path(file).name} is {found!r:.60}; expected a function")
    return found
