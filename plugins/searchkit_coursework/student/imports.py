"""Refusing imports of a student's file."""

import builtins
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any


def forbid(names: Iterable[str], file: str) -> None:
    """Raise ImportError for imports of these modules and their submodules from now on.

    Modules of the standard library may still import each other: only an import in the student's files is refused.
    Forbidden modules that have been imported before are removed from `sys.modules`.
    """
    forbidden = tuple(names)
    for name in [name for name in sys.modules if _is_of(name, forbidden) and not _is_standard(name)]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Refusal(forbidden))
    builtins.__import__ = _watched(builtins.__import__, forbidden, file)


def _is_of(name: str, forbidden: Iterable[str]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in forbidden)


def _is_standard(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


def _refused(name: str) -> ImportError:
    return ImportError(f"{name} may not be imported in this assignment", name=name)


class _Refusal:
    def __init__(self, forbidden: tuple[str, ...]):
        self.forbidden = forbidden

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        if _is_of(fullname, self.forbidden) and not _is_standard(fullname):
            raise _refused(fullname)


def _watched(imports: Callable[..., Any], forbidden: tuple[str, ...], file: str) -> Callable[..., Any]:
    folder = f"{Path(file).parent}{os.sep}"

    def find(
        name: str,
        globals: Any = None,
        locals: Any = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        if level == 0 and globals is not None and str(globals.get("__file__")).startswith(folder):
            for each in (name, *(f"{name}.{item}" for item in fromlist or ())):
                if _is_of(each, forbidden):
                    raise _refused(each)
        return imports(name, globals, locals, fromlist, level)

    return find
