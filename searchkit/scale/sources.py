"""The code that a problem comes from: processes and machines that work on one search need the same."""

import socket
import sys
from collections.abc import Mapping
from hashlib import sha256
from inspect import isfunction, unwrap
from pathlib import Path

from attrs import fields

from searchkit.compiled.inlining import digest_of_inlined
from searchkit.compiled.view import CompiledProblem
from searchkit.errors import WorkerError


def sources_of(problem: object, view: CompiledProblem) -> dict[str, str]:
    """Return digests of the code of a problem and of its compiled view, by name, to compare them between processes.

    They are those of the files of the modules that define the classes of the problem and the functions of the view, and
    of what these functions call or use as constants, wherever that is. Modules that only Python code of the problem
    uses are left out, and so are ends of lines. A module without a source file has the digest "".
    """
    of_graph = [getattr(view.graph, part.name) for part in fields(type(view.graph))]
    parts = [
        unwrap(part) if callable(part) else part
        for part in (view.pack, view.unpack, view.heuristic, *of_graph)
    ]
    names = {getattr(part, "__module__", None) for part in (*type(problem).__mro__, *parts)}
    modules = sorted(name for name in names if name in sys.modules and not _is_equal_anyway(name))
    functions = {
        f"{part.__module__}.{part.__qualname__}": digest_of_inlined(part)
        for part in parts
        if isfunction(part)
    }
    return {name: _digest_of(name) for name in modules} | functions


def _is_equal_anyway(module: str) -> bool:
    """Whether a module is Python's own, or the script, of which other processes have only what they are sent."""
    return module == "__main__" or module.partition(".")[0] in sys.stdlib_module_names


def _digest_of(module: str) -> str:
    try:
        contents = Path(sys.modules[module].__file__ or "").read_bytes()
    except (OSError, AttributeError):  # a module of a ZIP file, or one that a program has made
        return ""
    return sha256(contents.replace(b"\r\n", b"\n")).hexdigest()


def check_sources(here: Mapping[str, str], there: Mapping[str, str]) -> None:
    """Raise `WorkerError` if the program that sends tasks has other code than this process.

    Args:
        here: what `sources_of` returns in this process.
        there: what it returns in the program.

    """
    for name in sorted(here.keys() | there.keys()):
        if here.get(name) != there.get(name):
            raise WorkerError(
                f"{name} on {socket.gethostname()} is not the same as in the program that sends the tasks, and "
                "results may be wrong: all machines need the same files, which must not change while a search runs"
            )
