"""Python files that users name on the command line: running one, and finding a name in it.

`FILE.py:NAME` names what a file holds. The process in which students' code is graded uses this module too, so it
imports nothing but the standard library, `searchkit.basics.files` and `searchkit.errors`.
"""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from searchkit.basics.files import read_bytes
from searchkit.errors import InputFormatError, ProgramError, shortened

SUFFIX = ".py"
LARGEST = 4 * 2**20
"""The most bytes of a Python file: compiling a longer one takes seconds, and much memory."""
FALLBACK = "student"
"""The name of a module whose file has a name that can't be used."""
OURS = "searchkit_program"
"""What marks the modules that were loaded by this module."""


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


def load_module(file: str | Path, *, folder: bool = True) -> ModuleType:
    """Run a file as a module and return the module. Its `__name__` is not `__main__`.

    The module has the name of the file, or `student` if another module has that name. With `folder`, files in the same
    folder can be imported, also later; they come before installed packages, but not before the standard library. A
    module of that name from another folder, which a file loaded before has imported, does not take their place.

    Raises `ProgramError` for a file that can't be read or is not valid Python, and whatever the file raises.
    """
    path = Path(file)
    try:
        contents = read_bytes(path, LARGEST)
    except InputFormatError as error:
        raise ProgramError(f"{path.name}: {str(error).removeprefix(f'{error.source}: ')}") from error
    try:
        code = compile(contents, str(file), "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = "" if line is None else f", line {line}"
        text = shortened((getattr(error, "text", None) or "").strip(), 100)
        said = getattr(error, "msg", None) or str(error) or "it is nested too deeply"
        raise ProgramError(f"{path.name}{where}: not valid Python: {said}{text and ': '}{text}") from error
    if folder:
        _Siblings.of(path.parent)
    taken = path.stem in sys.stdlib_module_names or not _is_ours(sys.modules.get(path.stem))
    name = path.stem if path.stem.isidentifier() and not taken else FALLBACK
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    spec.loader_state = OURS
    module = module_from_spec(spec)
    sys.modules[name] = module
    exec(code, vars(module))  # the user asked for it
    return module


def loaded_module(file: Path) -> ModuleType | None:
    """Return the module that this file was loaded as, by `load_module` or an import; None if it was not."""
    for module in list(sys.modules.values()):
        origin = getattr(getattr(module, "__spec__", None), "origin", None)
        if origin == str(file) and _is_ours(module):
            return module
    return None


def find_name(module: ModuleType, file: str | Path, name: str) -> Any:
    """Return the object of that name. Raises `ProgramError` if there is none."""
    names = [other for other in vars(module) if not other.startswith("__")]
    if name in names:
        return vars(module)[name]
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = (
        f"did you mean {close[0]}?" if close else f"it has {', '.join(own_names(module)) or 'no functions'}"
    )
    raise ProgramError(f"{Path(file).name} has no {name!r}; {hint}")


def own_names(module: ModuleType) -> list[str]:
    """Return the names of the classes, functions and objects of the file's own classes, in their order."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("__") and getattr(value, "__module__", "") == module.__name__
    ]


def line_of_error(error: BaseException) -> tuple[Path, int, str] | None:
    """Return file, number and text of the innermost line of a user's file that an error passed through.

    These are the files that `load_module` has run, and those that they import from the same folder. For invalid Python
    in such a file, it is the line at fault. Returns None if there is no such line.
    """
    import linecache

    found, trace = None, error.__traceback__
    while trace is not None:
        spec = trace.tb_frame.f_globals.get("__spec__")
        if getattr(spec, "loader_state", None) == OURS:
            found = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename and found:
        found = error.filename, error.lineno or 1
    if found is None:
        return None
    return Path(found[0]), found[1], linecache.getline(*found).strip()


def _is_ours(module: ModuleType | None) -> bool:
    """Whether a module was loaded by this module, or there is none."""
    return module is None or getattr(getattr(module, "__spec__", None), "loader_state", None) == OURS


class _Siblings:
    """Finds the modules of one folder, before installed packages. There is one such finder at most."""

    def __init__(self, folder: Path):
        self.folder = str(folder)

    @classmethod
    def of(cls, folder: Path) -> None:
        """Find the modules of this folder from now on, and no longer those of the folder before."""
        for finder in [finder for finder in sys.meta_path if isinstance(finder, cls)]:
            sys.meta_path.remove(finder)
            if finder.folder != str(folder):
                _forget(finder.folder)
                if finder.folder in sys.path:
                    sys.path.remove(finder.folder)
        if str(folder) not in sys.path:
            sys.path.append(str(folder))  # namespace packages are found by it alone
        last = next(
            (at for at, finder in enumerate(sys.meta_path) if finder is PathFinder), len(sys.meta_path)
        )
        sys.meta_path.insert(last, cls(folder))

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        """Return the spec of a module in the folder; None if it is not there, or has a name of the standard library."""
        if path is not None or fullname in sys.stdlib_module_names:
            return None
        spec = PathFinder.find_spec(fullname, [self.folder])
        if spec is None or spec.origin is None:
            return None
        spec.loader_state = OURS
        return spec


def _forget(folder: str) -> None:
    """Remove the modules of a folder that were loaded by this module, so that others may have their names."""
    for name, module in list(sys.modules.items()):
        origin = getattr(getattr(module, "__spec__", None), "origin", None)
        if origin and _is_ours(module) and str(origin).startswith(folder + os.sep):
            del sys.modules[name]
