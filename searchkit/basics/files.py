"""Reading and writing whole files. All files that users name are read and written by these functions.

Files are read up to a limit. A file is written completely or not at all: the new contents go to another file in the
same folder, which is then renamed.
"""

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR, ENOENT, ENOTDIR
from gzip import GzipFile
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from searchkit.errors import InputFormatError, InvalidOptionError

LARGEST_FILE = 2**32
"""The most bytes that are read from a regular file, unless the caller gives another limit."""
LARGEST_STREAM = 2**28
"""The most bytes that are read from a pipe or a device, whose length is unknown."""


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """Return the contents of a file, at most `most` bytes: 4 GiB of a regular file, 256 MiB of a pipe or a device.

    Raises `InputFormatError` if it can't be read, or is longer.
    """
    with opened(path) as file:
        status = os.fstat(file.fileno())
        regular = stat.S_ISREG(status.st_mode)
        limit = most if most is not None else LARGEST_FILE if regular else LARGEST_STREAM
        contents = b"" if status.st_size > limit else file.read(-1 if regular else limit + 1)
    refuse_longer(max(status.st_size, len(contents)), limit, str(path))
    return contents


@contextmanager
def opened(path: Path) -> Iterator["BufferedReader[Any]"]:
    """Yield a file to read from. Raises `InputFormatError` if it can't be read."""
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise InputFormatError(f"can't be read: {error.strerror or error}", source=str(path)) from error


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8, any kind of line end read as a newline.

    Raises `InputFormatError` as `read_bytes` does, and if the file is not UTF-8 text.
    """
    return as_text(read_bytes(path), str(path))


def as_text(contents: bytes | str, source: str) -> str:
    """Return the text of a file's contents, unpacked if gzip has packed it; see `read_text`. `source` is its name."""
    if isinstance(contents, bytes):
        if contents.startswith(b"\x1f\x8b"):
            try:
                contents = GzipFile(fileobj=BytesIO(contents)).read(LARGEST_STREAM + 1)  # of all parts
            except (EOFError, OSError, zlib.error) as error:
                raise InputFormatError(
                    f"can't be unpacked: {error}; is it complete?", source=source
                ) from error
            refuse_longer(len(contents), LARGEST_STREAM, source)
        try:
            contents = contents.decode()
        except UnicodeDecodeError as error:
            raise InputFormatError(
                f"not a text file: byte {error.start} is not UTF-8; save it as UTF-8 text", source=source
            ) from error
    return contents.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def refuse_longer(length: int, most: int, source: str) -> None:
    """Raise `InputFormatError` if contents are longer than the most that is read."""
    if length > most:
        raise InputFormatError(
            f"it has more than {most:,} bytes, which is the most that is read", source=source
        )


def file_in(folder: Path, name: str) -> Path:
    """Return the path of a file that another file names: it has to be in the folder of that file, or below it.

    Raises ValueError if it does not exist, or if the name or a symbolic link points outside the folder. The message
    continues a sentence that begins with the name: `is not beside this file, in maps`.
    """
    path = folder / name
    with suppress(OSError):  # no file can have this name
        if path.is_file():
            if path.resolve().is_relative_to(folder.resolve()):
                return path
            raise ValueError(f"points outside {folder}; included files must be in the same folder")
    raise ValueError(f"is not beside this file, in {folder}")


@contextmanager
def replacing(path: Path, *, sync: bool = True) -> Iterator[BinaryIO]:
    """Yield a file to write to; its contents take the place of `path` at the end of the block.

    If the block raises, or the disk is full, `path` stays as it was. The new file has the permissions of the old one,
    and a symbolic link still leads to the file. A device or a pipe is written to directly. Without `sync`, a crash of
    the machine may lose the contents.

    Raises `OSError`.
    """
    target = Path(os.path.realpath(path))
    old = target.exists()
    if old and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    if old and not os.access(target, os.W_OK):
        raise PermissionError(13, os.strerror(13), str(path))
    new = target.with_name(f"{target.name[:100]}.{os.urandom(6).hex()}.new")
    try:
        with new.open("x+b") as file:
            if old:
                new.chmod(stat.S_IMODE(target.stat().st_mode))
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        new.replace(target)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def write_file(path: Path, contents: bytes | str) -> None:
    """Write a file, a text in UTF-8 with newlines as they are, as `replacing` does. Raises `OSError`."""
    with replacing(path) as file:
        file.write(contents.encode() if isinstance(contents, str) else contents)


@contextmanager
def reporting_unwritable(path: object) -> Iterator[None]:
    """Raise `InvalidOptionError`, which names the path, if a file can't be written."""
    try:
        yield
    except OSError as error:
        missing = error.errno in (ENOENT, ENOTDIR, EISDIR)
        advice = "; expected the path of a file in a directory that exists" if missing else ""
        raise InvalidOptionError(f"{path} can't be written: {error.strerror}{advice}") from error
