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
from searchkit.tree import SearchTree

MAX_LINE = 1 << 20
OF_KERNELS = frozenset({"reached", "frontier", "closed", "expanded", "warnings"})
"""Slots of a tree that a kernel fills from what it has saved."""


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


def write_search(
    path: str | Path,
    search: Any,
    tree: SearchTree[Any, Any],
    more: Mapping[str, Any],
    label: Mapping[str, object],
) -> None:
    """Write a search to a file, whole or not at all.

    Args:
        path: where to.
        search: the `Search`, between two expansions.
        tree: its tree.
        more: what it knows besides its tree and its kernel, by name.
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
    find, skipped = classes_of(problem, spec), () if kernel is None else OF_KERNELS
    with replacing(Path(path)) as file:
        begin = file.write(_first_line("0" * 64))
        file.write(json.dumps(asdict(header)).encode() + b"\n")
        parts = () if kernel is None else kernel.saved()
        for part in chain([options, {"tree": tree, **more}], parts):
            Writer(file, find, problem, tree, skipped).write(part)
        file.seek(begin)
        digest = file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # it can be read
        file.seek(0)
        file.write(_first_line(digest))


def saved_header(path: str | Path) -> SavedHeader:
    """Return what a saved search says about itself; the search itself is not read, and nothing is run.

    Raises:
        InputFormatError: the file can't be read, is not a saved search, or its header is damaged.
        SavingError: it was saved by another version of searchkit.

    """
    with reading(path) as file:
        _read_first_line(file, str(path))
        return _read_header(file)


class SavedSearch:
    """A saved search that is being read.

    Args:
        file: the file, which is whole.
        source: its name, for messages.
        problem: the problem.

    """

    def __init__(self, file: "BufferedReader[Any]", source: str, problem: Any):
        self.source, self.problem, self._file = source, problem, file
        digest, begin = _read_first_line(file, source), file.tell()
        if file_digest(file, "sha256").hexdigest() != digest:
            raise ValueError("it was cut short or changed")
        file.seek(begin)
        self.header = _read_header(file)
        self.changed = False
        """Whether the code of the problem has changed since."""

    def read(self, spec: EngineSpec, *, changed_problem: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the options, and what the search knows besides its kernel: `tree` and what else was written, by name.

        Raises `SavingError` if it is a search of another problem or by another engine.
        """
        header, saved, named = self.header, self.header.problem, identity(self.problem)
        if spec.name != header.engine:
            raise SavingError(
                f"{self.source} was saved with another engine: expected {spec.name}, and the file has {header.engine}; "
                "leave the engine out, or begin a new search"
            )
        if (saved.kind, saved.digest) != (named.kind, named.digest):
            raise SavingError(
                f"{self.source} was saved with another problem: expected {named}, and the file has {saved}; give the "
                "problem of the file, or begin a new search. If it is the same problem, one of its attributes changes "
                "during a search, such as a cache: then give it a method file_identity() (searchkit.Identifiable)"
            )
        self.changed = saved.code != named.code
        if self.changed and (not changed_problem or header.backend == "compiled"):
            how = "load it with changed_problem=True (--changed-problem), and what it has proved no longer counts; or "
            remedy = how if header.backend == "python" else ""
            raise SavingError(
                f"the code of the problem has changed since {self.source} was saved: {remedy}begin a new search"
            )
        self._find = classes_of(self.problem, spec)
        parts = self.parts()
        return dict(next(parts)), dict(next(parts))

    def parts(self) -> Iterator[Any]:
        """Yield what is left of the file: after `read`, the parts that a kernel has saved."""
        while self._file.peek(1):
            yield Reader(self._file, self._find, self.problem).load()


@contextmanager
def reading(path: str | Path) -> Iterator["BufferedReader[Any]"]:
    """Yield a file of a saved search. Raises `InputFormatError` for any error by which a damaged file shows."""
    try:
        with opened(Path(path)) as file:
            yield file
    except (SearchkitError, OSError):
        raise
    except Exception as error:
        raise InputFormatError(
            f"the file is damaged: {error} ({type(error).__name__}); it can't be loaded: use an older copy of the file",
            source=str(path),
        ) from error


def _version() -> str:
    return str(import_module("searchkit").__version__)  # which imports nothing by itself


def _first_line(digest: str) -> bytes:
    return f"searchkit search {_version()} {digest}\n".encode()


def _read_first_line(file: "BufferedReader[Any]", source: str) -> str:
    """Return the SHA-256 of the rest of the file."""
    words = file.readline(200).decode("ascii", "replace").split(" ")
    if len(words) != 4 or words[:2] != ["searchkit", "search"]:
        raise InputFormatError(
            "expected a saved search, whose first line begins with 'searchkit search'", source=source
        )
    if words[2] != _version():
        raise SavingError(
            f"{source} was saved by searchkit {words[2]}, and this is {_version()}: load it there, or begin a new "
            "search"
        )
    return words[3].strip()


def _read_header(file: "BufferedReader[Any]") -> SavedHeader:
    found = json.loads(file.readline(MAX_LINE))
    return SavedHeader(Identity(**found.pop("problem")), **found)
