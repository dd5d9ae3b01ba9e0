"""The files of a search on disk that stand beside its saved file, in the folder FILE.files: each once.

A checkpoint needs most files of the one before it. So a file is named after the digest of its contents, and is there
with all of them or not at all: one that is there already need not be written again. It is a hard link to the file of
the search where that is possible, as nobody changes these files, and else a copy. What only older checkpoints need is
deleted when the new file is complete.
"""

import os
import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from searchkit.basics.files import opened
from searchkit.errors import InputFormatError
from searchkit.scale.external.files import sync_folder, write_file

OURS = re.compile(r"searchkit-([0-9a-f]{64})(\..+\.tmp)?", re.ASCII)


class WholeFile(np.memmap[Any, Any]):
    """The bytes of a file that nobody changes, mapped into memory, with the SHA-256 of them in hexadecimal digits."""

    sha256 = ""


def whole_file(path: Path, sha256: str) -> WholeFile:
    """Return the bytes of a file. Raises `OSError`."""
    mapped = WholeFile(path, np.uint8, "r")
    mapped.sha256 = sha256
    return mapped


def folder_of(saved: Path) -> Path:
    """Return the folder of the files of a saved search."""
    return saved.with_name(f"{saved.name}.files")


def keep(saved: Path, files: Iterable[WholeFile]) -> None:
    """Have these files in the folder of a saved search that is to be written. Raises `OSError`."""
    folder = folder_of(saved)
    folder.mkdir(exist_ok=True)
    for file in files:
        path = folder / _name(file.sha256)
        with suppress(OSError):
            if path.stat().st_size == len(file):
                continue
        try:
            _link(file, path)
        except OSError:  # another disk, or one without links
            write_file(path, [file], durable=True, digested=False)
    sync_folder(folder)


def release(saved: Path, needed: Collection[str]) -> None:
    """Delete the files that a saved search, which is complete, does not need: all but those of these digests."""
    folder = folder_of(saved)
    with suppress(OSError):  # what can't be deleted stays
        for path in list(folder.iterdir()):
            match = OURS.fullmatch(path.name)
            if match is not None and (match[2] or match[1] not in needed):
                path.unlink()
        if not needed:
            folder.rmdir()


def read_kept(saved: Path, sha256: str, size: int) -> WholeFile:
    """Return a file that belongs to a saved search. Raises `InputFormatError` if it is missing or was changed."""
    path = folder_of(saved) / _name(sha256)
    try:
        with opened(path) as file:
            same = (
                os.fstat(file.fileno()).st_size == size and file_digest(file, "sha256").hexdigest() == sha256
            )
        if same:
            return whole_file(path, sha256)
    except (InputFormatError, OSError, ValueError) as error:
        raise InputFormatError(
            f"the saved search can't be loaded without {path}: {error}; the folder {path.parent.name} has to stand "
            "beside the file",
            source=str(saved),
        ) from error
    raise InputFormatError(
        f"the file is damaged: {path} was changed; it can't be loaded: use an older copy of the file and of "
        "its folder",
        source=str(saved),
    )


def take(file: WholeFile, path: Path) -> None:
    """Have the contents of a file under a path of a search that goes on. Raises `OSError`."""
    try:
        os.link(str(file.filename), path)
    except OSError:
        write_file(path, [file], durable=False, digested=False)


def _link(file: WholeFile, path: Path) -> None:
    """Make a hard link, under its name only when the contents are on the disk."""
    beside = path.with_name(f"{path.name}.{uuid4().hex}.tmp")
    try:
        os.link(str(file.filename), beside)
        with beside.open("r+b") as contents:
            os.fsync(contents.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _name(sha256: str) -> str:
    return f"searchkit-{sha256}"
