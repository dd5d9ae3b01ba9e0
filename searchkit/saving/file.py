"""The file of a saved search: two lines that anybody can read, and the search.

    searchkit search 1.0 3f2a…        the version of searchkit, and the SHA-256 of all that follows
    {"engine": "astar", …}            JSON: problem, engine, options, counters (`SavedHeader`)
    …                                 pickles (`searchkit.saving.values`): the options, the search, and piece by piece
                                      what a kernel holds

The file is written as a whole or not at all. Files of another version of searchkit are refused.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest, sha256
from importlib import import_module
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from attrs import asdict, field, frozen

from searchkit.basics.files import opened, replacing
from searchkit.errors import InputFormatError, SavingError, SearchkitError
from searchkit.plugin.specs import EngineSpec
from searchkit.saving.identity import Identity, identity
from searchkit.saving.values import Classes, Reader, Writer
from searchkit.tree import SearchTree

FIRST_LINE = re.compile(rb"searchkit search (\S{1,50}) ([0-9a-f]{64})\n", re.ASCII)
LONGEST_LINE = 1 << 20
OF_KERNELS = frozenset({"reached", "frontier", "closed", "expanded", "warnings"})
"""Slots of a tree that a kernel fills from what it has saved."""


def _values(found: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**found}


def _texts(found: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: str(value) for name, value in found.items()}


def _numbers(found: Mapping[str, Any]) -> Mapping[str, float]:
    return {name: float(value) for name, value in found.items()}


def _identity(parts: Mapping[str, str]) -> Identity:
    return Identity(**_texts(parts))


@frozen
class SavedHeader:
    """What a saved search says about itself, before it is loaded."""

    problem: Identity = field(converter=_identity)
    """What names the problem: see `searchkit.saving.identity`."""
    engine: str = field(converter=str)
    options: Mapping[str, str] = field(converter=_texts)
    """The options that were given, as texts."""
    backend: str = field(converter=str)
    """`python` or `compiled`."""
    ended: bool = field(converter=bool)
    """Whether the search has ended: it found a goal, or has seen everything."""
    statistics: Mapping[str, float] = field(converter=_numbers)
    """The statistics of the result, by name."""
    label: Mapping[str, Any] = field(converter=_values)
    """What the saver wrote besides, such as the source of the problem: JSON values."""


class _Hashing:
    """A file that computes the SHA-256 of what is written to it."""

    def __init__(self, file: BinaryIO):
        self._file, self.sha256 = file, sha256()

    def write(self, data: Any) -> int:
        self.sha256.update(data)
        return self._file.write(data)


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
    problem, spec, kernel = search.problem, search.spec, search.kernel
    named, options, statistics = asdict(identity(problem)), search.options, asdict(search.statistics)
    header = SavedHeader(named, spec.name, options, search.backend, search.ended, statistics, label)
    classes, skipped = Classes(problem, spec), () if kernel is None else OF_KERNELS
    with replacing(Path(path)) as file:
        file.write(_first_line("0" * 64))
        hashing = _Hashing(file)
        hashing.write(json.dumps(asdict(header)).encode() + b"\n")
        parts = iter(()) if kernel is None else kernel.saved()
        for part in chain([{**options}, {"tree": tree, **more}], parts):
            Writer(hashing, classes, problem, tree, skipped).write(part)
        file.seek(0)
        file.write(_first_line(hashing.sha256.hexdigest()))


def saved_header(path: str | Path) -> SavedHeader:
    """Return what a saved search says about itself; the search itself is not read, and nothing is run.

    Raises:
        InputFormatError: the file can't be read, is not a saved search, or its header is damaged.
        SavingError: it was saved by another version of searchkit.

    """
    with opened(Path(path)) as raw, BufferedReader(raw) as file:
        _read_first_line(file, str(path))
        return _read_header(file, str(path))


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
            raise _damaged(source, "it was cut short or changed")
        file.seek(begin)
        self.header = _read_header(file, source)
        self.changed = False
        """Whether the code of the problem has changed since."""

    def read(self, spec: EngineSpec, *, changed_problem: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the options, and what the search knows besides its kernel: `tree` and what else was written, by name.

        Raises `SavingError` if it is a search of another problem or by another engine.
        """
        header, saved, named = self.header, self.header.problem, identity(self.problem)
        if spec.name != header.engine:
            raise self.mismatch("engine", spec.name, header.engine)
        if (saved.kind, saved.digest) != (named.kind, named.digest):
            error = self.mismatch("problem", str(named), str(saved))
            if saved.kind == named.kind and "." in named.kind:
                error = SavingError(
                    f"{error}. If it is the same problem, one of its attributes changes during a search, such as a "
                    "cache: then give it a method file_identity() (searchkit.Identifiable)"
                )
            raise error
        self.changed = saved.code != named.code
        if self.changed and (not changed_problem or header.backend == "compiled"):
            how = "load it with changed_problem=True (--changed-problem), and what it has proved no longer counts; or "
            remedy = how if header.backend == "python" else ""
            raise SavingError(
                f"the code of the problem has changed since {self.source} was saved: {remedy}begin a new search"
            )
        self._classes = Classes(self.problem, spec)
        parts = self.parts()
        return dict(next(parts)), dict(next(parts))

    def parts(self) -> Iterator[Any]:
        """Yield what is left of the file: after `read`, the parts that a kernel has saved."""
        while self._file.peek(1):
            yield Reader(self._file, self._classes, self.problem).read()

    def mismatch(self, what: str, expected: str, given: str) -> SavingError:
        """Return the error for a file that is not what was asked for."""
        remedy = "give the problem of the file" if what == "problem" else f"leave the {what} out"
        return SavingError(
            f"{self.source} was saved with another {what}: expected {expected}, and the file has {given}; {remedy}, or "
            "begin a new search"
        )


@contextmanager
def reading_search(path: str | Path, problem: Any) -> Iterator[SavedSearch]:
    """Yield the search in a file. Raises `InputFormatError` if the file, or what it holds, is damaged."""
    with opened(Path(path)) as raw, BufferedReader(raw) as file:
        saved = SavedSearch(file, str(path), problem)
        try:
            yield saved
        except (SearchkitError, OSError):
            raise
        except Exception as error:
            how = f"its contents are invalid ({type(error).__name__}: {error})"
            raise _damaged(str(path), how) from error


def _first_line(digest: str) -> bytes:
    return f"searchkit search {_version()} {digest}\n".encode()


def _read_first_line(file: "BufferedReader[Any]", source: str) -> str:
    """Return the SHA-256 of the rest of the file."""
    match = FIRST_LINE.fullmatch(file.readline(200))
    if match is None:
        raise InputFormatError(
            "expected a saved search, whose first line begins with 'searchkit search'", source=source
        )
    version, digest = match[1].decode(), match[2].decode()
    if version != _version():
        raise SavingError(
            f"{source} was saved by searchkit {version}, and this is {_version()}: load it there, or begin a new search"
        )
    return digest


def _read_header(file: "BufferedReader[Any]", source: str) -> SavedHeader:
    try:
        return SavedHeader(**json.loads(file.readline(LONGEST_LINE)))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _damaged(source, f"its header is invalid ({error})") from error


def _version() -> str:
    return str(import_module("searchkit").__version__)  # which imports nothing by itself


def _damaged(source: str, how: str) -> InputFormatError:
    return InputFormatError(
        f"the file is damaged: {how}; it can't be loaded: use an older copy of the file", source=source
    )
