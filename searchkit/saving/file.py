"""The file of a saved search: a header of two lines that anybody can read, and the search.

    searchkit search 2 3f2a…          the format, and the SHA-256 of the next line
    {"sha256": "9b0c…", …}            JSON: the SHA-256 of the rest; problem, engine, options, counters
    …                                 pickles (`searchkit.saving.values`): the options, the search, and what a kernel
                                      holds: names and values, arrays in pieces

The file is written as a whole or not at all. Files of another version of searchkit are refused.
"""

import json
import pickle
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from attrs import asdict, field, frozen

from searchkit.basics.files import opened, replacing
from searchkit.errors import InputFormatError, SavingError, SearchkitError
from searchkit.plugin.specs import EngineSpec
from searchkit.saving.identity import Identity, identity
from searchkit.saving.values import Classes, Reader, Writer
from searchkit.tree import SearchTree

MAGIC, FORMAT = "searchkit search", 2
LONGEST_LINE = 1 << 20
BLOCK = 1 << 20
FIRST_LINE = re.compile(rb"searchkit search (\d{1,9}) ([0-9a-f]{64})\n", re.ASCII)
HEADER: dict[str, Any] = {
    "searchkit": str,
    "sha256": str,
    "problem": list,
    "engine": str,
    "options": dict,
    "backend": str,
    "ended": bool,
    "statistics": dict,
    "label": dict,
}
NO_DIGEST = "0" * 64
PIECE = 1 << 18
"""So many elements or rows of an array are one piece."""


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
    version: str
    """The version of searchkit that saved it."""
    label: Mapping[str, Any] = field(factory=dict)
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
    named = identity(search.problem)
    header = {
        "searchkit": _version(),
        "sha256": NO_DIGEST,
        "problem": [named.kind, named.digest, named.code],
        "engine": search.spec.name,
        "options": {name: str(value) for name, value in search.options.items()},
        "backend": search.backend,
        "ended": search.ended,
        "statistics": asdict(search.statistics),
        "label": dict(label),
    }
    held = {} if search.kernel is None else search.kernel.saved()
    skipped = set() if search.kernel is None else OF_KERNELS
    with replacing(Path(path)) as file:
        file.write(_head(header))
        hashing = _Hashing(file)
        writer = Writer(hashing, Classes(search.problem, search.spec), search.problem, tree, skipped)
        writer.write(dict(search.options))
        writer.write({"tree": tree, **more})
        for name, value in held.items():
            if not hasattr(value, "dtype"):
                writer.write((name, value))
                continue
            writer.write((name, None, value.dtype.str, value.shape))
            for first in range(0, len(value), PIECE):
                pickle.dump(value[first : first + PIECE].tobytes(), hashing, 5)
        file.seek(0)
        file.write(_head({**header, "sha256": hashing.sha256.hexdigest()}))


OF_KERNELS = frozenset({"reached", "frontier", "closed", "expanded", "warnings"})
"""Slots of a tree that a kernel fills from what it has saved."""


def _head(header: Mapping[str, Any]) -> bytes:
    line = json.dumps(header).encode() + b"\n"
    return f"{MAGIC} {FORMAT} {sha256(line).hexdigest()}\n".encode() + line


def saved_header(path: str | Path) -> SavedHeader:
    """Return what a saved search says about itself; the search itself is not read, and nothing is run.

    Raises:
        InputFormatError: the file can't be read, is not a saved search, or its header is damaged.
        SavingError: it was saved by another version of searchkit.

    """
    with opened(Path(path)) as file:
        return _read_header(file, str(path))[0]


class SavedSearch:
    """A saved search that is being read: `check` it, make a search of it, and then read the rest.

    Args:
        file: the file, which is whole.
        source: its name, for messages.
        problem: the problem.

    """

    def __init__(self, file: FileIO, source: str, problem: Any):
        self.source, self.problem, self._file = source, problem, file
        self.header, digest = _read_header(file, source)
        begin, found = file.tell(), sha256()
        while block := file.read(BLOCK):
            found.update(block)
        if found.hexdigest() != digest:
            raise _damaged(source, "it was cut short or changed")
        self._end = file.tell()
        file.seek(begin)
        self.changed = False
        """Whether the code of the problem has changed since."""

    def options(
        self, spec: EngineSpec, expected: Mapping[str, Any], *, changed_problem: bool
    ) -> dict[str, Any]:
        """Return the options. Raises `SavingError` if it is a search of another problem or by another engine."""
        header, named, source = self.header, identity(self.problem), self.source
        if spec.name != header.engine:
            raise self._mismatch("engine", spec.name, header.engine, "leave the engine out")
        if (header.problem.kind, header.problem.digest) != (named.kind, named.digest):
            error = self._mismatch("problem", str(named), str(header.problem), "give the problem of the file")
            if header.problem.kind != named.kind or "." not in named.kind:
                raise error
            raise SavingError(
                f"{error}. If it is the same problem, one of its attributes changes during a search, such as a cache: "
                "then give it a method file_identity() (searchkit.Identifiable)"
            )
        self.changed = header.problem.code != named.code
        if self.changed and header.backend == "compiled":
            raise SavingError(
                f"the code of the problem has changed since {source} was saved: begin a new search"
            )
        if self.changed and not changed_problem:
            raise SavingError(
                f"the code of the problem has changed since {source} was saved: load it with changed_problem=True "
                "(--changed-problem), and what it has proved no longer counts; or begin a new search"
            )
        self._reader = Reader(self._file, Classes(self.problem, spec), self.problem)
        options = self._read()
        given = {name: options.get(name) for name in expected}
        if given != expected:
            raise self._mismatch("options", _listed(expected), _listed(given), "leave the options out")
        return options

    def contents(self, tree: SearchTree[Any, Any]) -> dict[str, Any]:
        """Read the tree into one that is empty; return what the search knows besides that and its kernel."""
        self._reader.trees.append(tree)
        more = self._read()
        if more.pop("tree") is not tree:
            raise TypeError("it has no tree")
        return more

    def kernel(self) -> dict[str, Any]:
        """Return what a kernel has saved, by name."""
        held = dict[str, Any]()
        while self._file.tell() < self._end:
            name, value, *array = self._reader.read()
            held[name] = self._array(*array) if array else value
        return held

    def _read(self) -> dict[str, Any]:
        read = self._reader.read()
        if not isinstance(read, dict):
            raise TypeError(f"a {type(read).__name__} instead of values by name")
        return read

    def _array(self, dtype: str, shape: tuple[int, ...]) -> Any:
        import numpy as np

        rows, at = np.empty(shape, np.dtype(str(dtype))), 0
        while at < len(rows):
            piece = np.frombuffer(self._reader.read(), rows.dtype).reshape(-1, *rows.shape[1:])
            rows[at : at + len(piece)] = piece
            at += max(1, len(piece))
        return rows

    def _mismatch(self, what: str, expected: str, given: str, remedy: str) -> SavingError:
        return SavingError(
            f"{self.source} was saved with another {what}: expected {expected}, and the file has {given}; {remedy}, or "
            "begin a new search"
        )


@contextmanager
def reading_search(path: str | Path, problem: Any) -> Iterator[SavedSearch]:
    """Yield the search in a file. Raises `InputFormatError` if the file, or what it holds, is damaged."""
    with opened(Path(path)) as file:
        saved = SavedSearch(file, str(path), problem)
        try:
            yield saved
        except (SearchkitError, OSError):
            raise
        except Exception as error:
            raise _damaged(
                str(path), f"its contents are invalid ({type(error).__name__}: {error})"
            ) from error


def _read_header(file: FileIO, source: str) -> tuple[SavedHeader, str]:
    """Return the header, and the SHA-256 of the rest of the file."""
    first = _line(file, 100)
    match = FIRST_LINE.fullmatch(first)
    if match is None:
        raise InputFormatError(
            f"expected a saved search, whose first line begins with {MAGIC!r}", source=source
        )
    line = _line(file, LONGEST_LINE)
    if sha256(line).hexdigest().encode() != match[2]:
        raise _damaged(source, "its header was changed")
    try:
        read = json.loads(line)
        for name, kind in HEADER.items():
            if not isinstance(read[name], kind):
                raise TypeError(f"{name} is {read[name]!r}")
        if int(match[1]) != FORMAT or read["searchkit"] != _version():
            raise SavingError(
                f"{source} was saved by searchkit {read['searchkit']}, and this is {_version()}: load it there, or "
                "begin a new search"
            )
        header = SavedHeader(
            problem=Identity(*map(str, read["problem"])),
            engine=read["engine"],
            options={str(name): str(value) for name, value in read["options"].items()},
            backend=read["backend"],
            ended=read["ended"],
            statistics={str(name): float(number) for name, number in read["statistics"].items()},
            version=read["searchkit"],
            label=read["label"],
        )
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _damaged(source, f"its header is invalid ({error})") from error
    return header, read["sha256"]


def _line(file: FileIO, most: int) -> bytes:
    """Return the next line, at most so many bytes of it."""
    begin = file.tell()
    read = file.read(most) or b""
    line = read[: read.find(b"\n") + 1] or read
    file.seek(begin + len(line))
    return line


def _version() -> str:
    return str(import_module("searchkit").__version__)  # which imports nothing by itself


def _listed(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items()) or "none"


def _damaged(source: str, how: str) -> InputFormatError:
    return InputFormatError(
        f"the file is damaged: {how}; it can't be loaded: use an older copy of the file", source=source
    )
