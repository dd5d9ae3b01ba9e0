"""The file of a saved search: two lines that anybody can read, and the search.

    searchkit search 1.0 3f2a…        the version of searchkit, and the SHA-256 of all that follows
    {"engine": "astar", …}            JSON: problem, engine, options, counters (`SavedHeader`)
    …                                 pickles (`searchkit.saving.values`): the options, the search, and piece by piece
                                      what a kernel holds

The file is written as a whole or not at all. Files of another version of searchkit are refused.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest
from importlib import import_module
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from searchkit.basics.files import opened, replacing
from searchkit.errors import InputFormatError, SavingError, SearchkitError
from searchkit.plugin.specs import EngineSpec
from searchkit.saving.identity import Identity, identity
from searchkit.saving.values import Reader, Writer, classes_of

MAX_LINE = 1 << 20


@frozen
class SavedHeader:
    """What a saved search says about itself, before it is loaded."""

    problem: Identity
    """What names the problem: see `searchkit.saving.identity`."""
    engine: str
    options: Mapping[str, str]
    """The options that were given, as texts."""
    backend: str
    """`python` or `compiled`."""
    ended: bool
    """Whether the search has ended: it found a goal, or has seen everything."""
    statistics: Mapping[str, float]
    """The statistics of the result, by name."""
    label: Mapping[str, Any]
    """What the saver wrote besides, such as the source of the problem: JSON values."""


def write_search(path: str | Path, search: Any, more: Mapping[str, Any], label: Mapping[str, object]) -> None:
    """Write a search to a file, whole or not at all.

    Args:
        path: where to.
        search: the `Search`, between two expansions.
        more: what it knows besides its kernel, by name.
        label: what the header says besides: JSON values.

    Raises:
        SavingError: a state, an action or what the engine keeps can't be written.
        InvalidProblemError: the problem can't be named in a file; see `searchkit.Identifiable`.
        OSError: the file can't be written; an old one then stays as it was.

    """
    problem, spec, kernel, options = search.problem, search.spec, search.kernel, dict(search.options)
    texts, statistics = {name: str(value) for name, value in options.items()}, asdict(search.statistics)
    header = SavedHeader(
        identity(problem), spec.name, texts, search.backend, search.ended, statistics, dict(label)
    )
    find = classes_of(problem, spec)
    with replacing(Path(path)) as file:
        begin = file.write(_first_line("0" * 64))
        file.write(json.dumps(asdict(header)).encode() + b"\n")
        parts = () if kernel is None else kernel.saved()
        for part in chain([options, more], parts):
            Writer(file, find, problem).write(part)
        file.seek(begin)
        digest = file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # it can be read
        file.seek(0)
        file.write(_first_line(digest))


def saved_header(path: str | Path) -> SavedHeader:
    """Return what a saved search says about itself; nothing is run.

    Raises:
        InputFormatError: the file can't be read, is not a saved search, or is damaged.
        SavingError: it was saved by another version of searchkit.

    """
    with opened_search(path) as (header, _):
        return header


@contextmanager
def opened_search(path: str | Path) -> Iterator[tuple[SavedHeader, "BufferedReader[Any]"]]:
    """Yield the header of a saved search, and the file, which is whole: next is what `parts_of` reads.

    Raises `SavingError`, and `InputFormatError` for any error by which a damaged file shows.
    """
    try:
        with opened(Path(path)) as file:
            words = file.readline(200).decode("ascii", "replace").split()
            if len(words) != 4 or words[:2] != ["searchkit", "search"]:
                raise InputFormatError(
                    "expected a saved search, whose first line begins with 'searchkit search'",
                    source=str(path),
                )
            if words[2] != _version():
                raise SavingError(
                    f"{path} was saved by searchkit {words[2]}, and this is {_version()}: load it there, or begin a "
                    "new search"
                )
            begin = file.tell()
            if file_digest(file, "sha256").hexdigest() != words[3]:
                raise ValueError("it was cut short or changed")
            file.seek(begin)
            found = json.loads(file.readline(MAX_LINE))
            yield SavedHeader(Identity(**found.pop("problem")), **found), file
    except (SearchkitError, OSError):
        raise
    except Exception as error:
        raise InputFormatError(
            f"the file is damaged: {error} ({type(error).__name__}); it can't be loaded: use an older copy of the file",
            source=str(path),
        ) from error


def is_changed(path: str | Path, header: SavedHeader, problem: Any, spec: EngineSpec, allowed: bool) -> bool:
    """Whether the code of the problem has changed since.

    Raises `SavingError` if that is not `allowed`, and for a search of another problem or by another engine.
    """
    saved, named = header.problem, identity(problem)
    if spec.name != header.engine:
        raise SavingError(
            f"{path} was saved with another engine: expected {spec.name}, and the file has {header.engine}; leave the "
            "engine out, or begin a new search"
        )
    if (saved.kind, saved.digest) != (named.kind, named.digest):
        raise SavingError(
            f"{path} was saved with another problem: expected {named}, and the file has {saved}; give the problem "
            "of the file, or begin a new search. If it is the same problem, one of its attributes changes during a "
            "search, such as a cache: then give it a method file_identity() (searchkit.Identifiable)"
        )
    if saved.code == named.code:
        return False
    if not allowed or header.backend == "compiled":
        how = "load it with changed_problem=True (--changed-problem), and what it has proved no longer counts; or "
        remedy = how if header.backend == "python" else ""
        raise SavingError(
            f"the code of the problem has changed since {path} was saved: {remedy}begin a new search"
        )
    return True


def parts_of(file: "BufferedReader[Any]", problem: Any, spec: EngineSpec) -> Iterator[Any]:
    """Yield what the file has: the options, what the search knows besides its kernel, and what the kernel has saved."""
    find = classes_of(problem, spec)
    while file.peek(1):
        yield Reader(file, find, problem).load()


def _version() -> str:
    return str(import_module("searchkit").__version__)  # which imports nothing by itself


def _first_line(digest: str) -> bytes:
    return f"searchkit search {_version()} {digest}\n".encode()
