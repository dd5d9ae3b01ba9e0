"""What the commands name of a student's file: the file and a name in it."""

from pathlib import Path
from types import ModuleType
from typing import Any

from searchkit.basics.programs import find_name
from searchkit.errors import ProgramError, WorkerError


def split_target(target: str) -> tuple[Path, str]:
    """Split `student.py:astar` into the file and the name. Raises `ProgramError`."""
    file, colon, name = target.rpartition(":")
    if not colon or not name.isidentifier() or not file:
        raise ProgramError(
            f"{target}: expected a file and a name in it, with a colon between: student.py:astar"
        )
    return existing(file), name


def existing(file: str | Path) -> Path:
    """Return the absolute path of a file. Raises `ProgramError` if it does not exist."""
    path = Path(file)
    if not path.is_file():
        what = (
            "is a directory"
            if path.is_dir()
            else "is not a regular file"
            if path.exists()
            else "does not exist"
        )
        raise ProgramError(f"{file} {what}; expected a Python file")
    return path.resolve()


def unseen(path: str) -> WorkerError:
    """Return the error of a computer that runs a task and lacks a file or folder of the program."""
    return WorkerError(
        f"{path} is not there on the computer that ran the task: files have to be in a folder that all machines of the "
        "cluster see at the same path"
    )


def refuse_unseen(path: str) -> None:
    """Raise `WorkerError` if this computer, which runs a task, lacks a file or folder of the program."""
    if not Path(path).exists():
        raise unseen(path)


def find_function(module: ModuleType, file: str, name: str) -> Any:
    """Return the function of that name. Raises `ProgramError` if it is missing or can't be called."""
    found = find_name(module, file, name)
    if not callable(found):
        raise ProgramError(f"{name} in {Path(file).name} is {found!r:.60}; expected a function")
    return found
