"""Python files that users name on the command line: running one, and finding a name in it.

`FILE.py:NAME` names what a file holds.
"""

import linecache
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from searchkit.basics.files import read_bytes
from searchkit.basics.text import visible
from searchkit.errors import InputFormatError, ProgramError, shortened, unknown

SUFFIX = ".py"
MAX_BYTES = 4 * 2**20
"""The most bytes of a Python file: compiling a longer one takes seconds, and much memory."""
FALLBACK = "student"
"""The name of a module whose file has a name that can't be used."""
_folders: list[str] = []
"""The folders whose files can be imported because a file was loaded from them."""


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


def load_module(file: str | Path) -> ModuleType:
    """Run a file as a module and return the module. Its `__name__` is not `__main__`.

    The module has the name of the file, or `student` if another module has that name. Files in the same folder can be
    imported, also later; they come before installed packages, but not before the standard library.

    Raises `ProgramError` for a file that can't be read or is not valid Python, and what the file raises.
    """
    path = Path(file)
    try:
        contents = read_bytes(path, MAX_BYTES)
    except InputFormatError as error:
        raise ProgramError(f"{path.name}: {str(error).removeprefix(f'{error.source}: ')}") from error
    try:
        code = compile(contents, str(file), "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        said = getattr(error, "msg", None) or str(error) or "it is nested too deeply"
        text = shortened((getattr(error, "text", None) or "").strip(), 100)
        raise ProgramError(
            f"{visible(path.name)}{where}: not valid Python: {said}{text and ': '}{visible(text)}"
        ) from error
    folder = str(path.parent.absolute())
    _folders.append(folder)
    if folder not in sys.path:  # for its other files, as in a script
        installed = (at for at, entry in enumerate(sys.path) if entry.endswith("-packages"))
        sys.path.insert(next(installed, len(sys.path)), folder)
    other = getattr(sys.modules.get(path.stem), "__file__", None)
    taken = path.stem in sys.stdlib_module_names or (
        path.stem in sys.modules and str(Path(other or "").parent) not in _folders
    )
    name = path.stem if path.stem.isidentifier() and not taken else FALLBACK
    spec = spec_from_file_location(name, path)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    exec(code, vars(module))  # the user asked for it
    return module


def loaded_module(file: Path) -> ModuleType | None:
    """Return the module that this file was loaded as, by `load_module` or an import; None if it was not."""
    modules = list(sys.modules.values())
    return next((module for module in modules if getattr(module, "__file__", None) == str(file)), None)


def find_name(module: ModuleType, file: str | Path, name: str) -> Any:
    """Return the object of that name. Raises `ProgramError` if there is none."""
    names = [other for other in vars(module) if not other.startswith("__")]
    if name in names:
        return vars(module)[name]
    listing = f"it has {', '.join(own_names(module)) or 'no functions'}"
    raise ProgramError(unknown(f"{Path(file).name} has no {name!r}", name, names, listing))


def own_names(module: ModuleType) -> list[str]:
    """Return the names of the classes, functions and objects of the file's own classes, in their order."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("__") and getattr(value, "__module__", "") == module.__name__
    ]


def line_of_error(error: BaseException) -> tuple[str, str] | None:
    """Return the place, as in `student.py:17`, and the text of the innermost line of a user's file that raised this.

    These are the files that `load_module` has run, and those that they import from the same folder. For invalid Python
    in such a file, it is the line at fault. Returns None if there is no such line.
    """
    found, trace = None, error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if str(Path(file).parent) in _folders:
            found = file, trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename and found:
        found = error.filename, error.lineno or 1
    if found is None:
        return None
    return f"{visible(Path(found[0]).name)}:{found[1]}", visible(
        shortened(linecache.getline(*found).strip(), 100)
    )
