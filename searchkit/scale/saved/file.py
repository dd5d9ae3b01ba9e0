"""The file of a saved search: a header of one line that anybody can read, and sections with their checksums.

    searchkit search 1 3f2a…            the format, and the SHA-256 of the next line
    {"searchkit": "0.1.0", …}           JSON: versions, problem, engine, options, counters, and the sections
    …                                   the sections, each at the next multiple of 64 bytes

A section holds values (`searchkit.scale.saved.encoding`), or one array of plain numbers. The file is written as a
whole or not at all.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from importlib import import_module
from io import FileIO
from math import prod
from pathlib import Path
from typing import Any

from attrs import field, frozen

from searchkit.basics.files import opened, replacing
from searchkit.errors import InputFormatError, SavingError
from searchkit.scale.identity import Identity

MAGIC, FORMAT = "searchkit search", 1
ALIGNED = 64
LONGEST_LINE = 1 << 20
LARGEST_NUMBER = 1 << 62
FIRST_LINE = re.compile(rb"searchkit search (\d{1,9}) ([0-9a-f]{64})\n", re.ASCII)
DTYPE = re.compile(r"[<|][biuf][1248]", re.ASCII)
HEADER: dict[str, Any] = {
    "searchkit": str,
    "problem": list,
    "engine": str,
    "options": dict,
    "backend": str,
    "ended": bool,
    "statistics": dict,
    "sections": list,
}


@frozen
class SavedHeader:
    """What a saved search says about itself, before it is loaded."""

    problem: Identity
    """What names the problem: see `searchkit.scale.identity`."""
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
    sections: "tuple[Section, ...]" = field(repr=False)
    label: Mapping[str, Any] = field(factory=dict)
    """What the saver wrote besides, such as the source of the problem: JSON values."""


@frozen
class Section:
    """A part of the file."""

    name: str
    size: int
    """In bytes."""
    digest: str
    """SHA-256, in hexadecimal digits."""
    dtype: str = ""
    """The type of the elements, if it is an array."""
    shape: tuple[int, ...] = ()


def write_search(
    path: Path, values: bytes | bytearray, arrays: Mapping[str, Any], header: Mapping[str, Any]
) -> None:
    """Write a file, whole or not at all.

    Args:
        path: where to.
        values: the section of values.
        arrays: name → numpy array of plain numbers; it is not copied if its elements lie side by side.
        header: what `SavedHeader` has, but for the sections.

    Raises:
        OSError: it can't be written; then an old file stays as it was.

    """
    parts = [(Section("", len(values), sha256(values).hexdigest()), memoryview(values))]
    for name, array in arrays.items():
        plain, data = _arrays().plain(array)
        section = Section(name, data.nbytes, sha256(data).hexdigest(), plain.dtype.str, plain.shape)
        parts.append((section, data))
    sections = [[part.name, part.size, part.digest, part.dtype, list(part.shape)] for part, _ in parts]
    line = json.dumps({**header, "sections": sections}).encode() + b"\n"
    with replacing(path) as file:
        at = file.write(f"{MAGIC} {FORMAT} {sha256(line).hexdigest()}\n".encode() + line)
        for _, data in parts:
            at += file.write(bytes(-at % ALIGNED))
            at += file.write(data)


def saved_header(path: str | Path) -> SavedHeader:
    """Return what a saved search says about itself; the search itself is not read, and nothing is run.

    Raises:
        InputFormatError: the file can't be read, is not a saved search, or is damaged.
        SavingError: it has another format, of another version of searchkit.

    """
    with opened(Path(path)) as file:
        return _read_header(file, str(path))


def read_search(path: Path) -> tuple[SavedHeader, bytearray, dict[str, Any]]:
    """Return the header, the section of values, and the arrays by name. Raises as `saved_header` does.

    No more memory is taken than the file has bytes.
    """
    source = str(path)
    with opened(path) as file:
        header = _read_header(file, source)
        values, arrays = bytearray(), dict[str, Any]()
        for section in header.sections:
            if any(file.read(-file.tell() % ALIGNED)):
                raise _damaged(source, "a part of it was changed")
            if section.dtype:
                try:
                    data, view = _arrays().empty(section.shape, section.dtype)
                except (TypeError, ValueError) as error:
                    raise _damaged(source, f"a part of it is not an array ({error})") from error
            else:
                data = bytearray(section.size)
                view = memoryview(data)
            _read_into(file, view, source)
            if sha256(view).hexdigest() != section.digest:
                raise _damaged(source, "a part of it was changed")
            if section.dtype:
                arrays[section.name] = data
            else:
                values = data
        if file.read(1):
            raise _damaged(source, "there is more after its end")
    return header, values, arrays


def _arrays() -> Any:
    """Return the module that knows numpy, which only a search by machine code needs."""
    return import_module("searchkit.scale.saved.arrays")


def _read_into(file: FileIO, view: memoryview, source: str) -> None:
    at = 0
    while at < len(view):
        read = file.readinto(view[at:])
        if not read:
            raise _damaged(source, "it ends too early")
        at += read


def _read_header(file: FileIO, source: str) -> SavedHeader:
    first = _line(file, 100)
    match = FIRST_LINE.fullmatch(first)
    if match is None:
        raise InputFormatError(
            f"expected a saved search, whose first line begins with {MAGIC!r}", source=source
        )
    if int(match[1]) != FORMAT:
        raise SavingError(
            f"{source} has format {int(match[1])}, and this version of searchkit reads format {FORMAT}; load it with "
            "the version that saved it"
        )
    line = _line(file, LONGEST_LINE)
    if sha256(line).hexdigest().encode() != match[2]:
        raise _damaged(source, "its header was changed")
    try:
        return _header(json.loads(line), file, source)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _damaged(source, f"its header is invalid ({error})") from error


def _line(file: FileIO, most: int) -> bytes:
    """Return the next line, at most so many bytes of it."""
    begin, parts = file.tell(), b""
    while b"\n" not in parts and len(parts) < most:
        part = file.read(min(1 << 12, most - len(parts)))
        if not part:
            break
        parts += part
    line = parts[: parts.find(b"\n") + 1] or parts
    file.seek(begin + len(line))
    return line


def _header(read: Any, file: FileIO, source: str) -> SavedHeader:
    for name, kind in HEADER.items():
        if not isinstance(read[name], kind):
            raise TypeError(f"{name} is {read[name]!r}")
    kind, digest = map(str, read["problem"])
    sections, at = [], file.tell()
    end = file.seek(0, 2)
    file.seek(at)
    for name, size, checksum, dtype, shape in read["sections"]:
        if dtype and not DTYPE.fullmatch(dtype):
            raise ValueError(f"elements of type {dtype!r}")
        if not all(type(number) is int and 0 <= number < LARGEST_NUMBER for number in (size, *shape)):
            raise ValueError(f"a section of size {size!r}")
        if dtype and prod(shape) * int(dtype[-1]) != size:
            raise ValueError(f"an array of shape {shape!r}")
        at += -at % ALIGNED + size
        if at > end:
            raise _damaged(source, "it ends too early")
        sections.append(Section(str(name), size, str(checksum), str(dtype), tuple(shape)))
    statistics = {str(name): float(number) for name, number in read["statistics"].items()}
    label = read.get("label", {})
    if not isinstance(label, dict):
        raise TypeError(f"label is {label!r}")
    return SavedHeader(
        problem=Identity(kind, digest),
        engine=read["engine"],
        options={str(name): str(value) for name, value in read["options"].items()},
        backend=read["backend"],
        ended=read["ended"],
        statistics=statistics,
        version=read["searchkit"],
        sections=tuple(sections),
        label=label,
    )


def _damaged(source: str, how: str) -> InputFormatError:
    return InputFormatError(
        f"the file is damaged: {how}; it can't be loaded: use an older copy of the file",
        source=source,
    )
