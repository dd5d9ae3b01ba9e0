"""What a saved search has of a search on disk: the name of its directory, or the files of a temporary one."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from searchkit.compiled.kit.fields import LARGEST, Fields
from searchkit.errors import DirectoryError
from searchkit.scale.external.files import ABOVE, write_file
from searchkit.scale.external.manifest import buckets_of
from searchkit.scale.external.place import Place, layers_of


def saved_files(place: Place, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is saved of a search whose files are those that a manifest names; to be read before it goes on.

    A directory that the user has named stays what it is: the result says how far it was. The files of a temporary
    directory, which is deleted with its search, are in the result, mapped into memory.
    """
    far = {name: np.array(body[name], np.int64) for name in ("layers", "generated")}
    if place.lasting:
        return {**far, "directory": str(place.folder.resolve())}
    files = {_field(name): np.memmap(place.folder / name, np.uint8, "r") for name in _names(body)}
    return {**far, "directory": "", "manifest": json.dumps(body), **files}


def restore_files(place: Place, fields: Fields, read: Callable[[], object]) -> None:
    """Write the files that were saved into the temporary directory of a search, make the manifest its body, and `read`.

    Raises `InputFormatError` if the manifest contradicts itself or a file is not there, and `DirectoryError` if they
    can't be written.
    """
    try:
        body = json.loads(fields.value("manifest"))
        names = _names(body)
    except (DirectoryError, ValueError, TypeError, KeyError, RecursionError):
        raise fields.wrong("manifest", "it contradicts itself") from None
    directory = place.directory
    for name in names:
        contents = fields.array(_field(name), np.uint8, longest=ABOVE)
        with directory.writing("written"):
            write_file(directory.path / name, [contents], directory.durable, digested=False)
    directory.body = body
    try:
        read()
    except DirectoryError as error:
        raise fields.wrong("manifest", str(error)) from error


def stands_where_saved(place: Place, fields: Fields) -> bool:
    """Whether the directory of a search is where it was when it was saved; False if it has gone on since.

    Raises `InputFormatError` if it has not come so far.
    """
    same = True
    for name in ("layers", "generated"):
        saved = fields.array(name, np.int64, below=LARGEST).tolist()
        found = list(place.body.get(name, ()))
        fields.expect(
            found[: len(saved)] == saved,
            "directory",
            f"{place.folder.resolve()} does not have what the search had found when it was saved; its directory was "
            f"{fields.value('directory')!r}",
        )
        same &= len(found) == len(saved)
    return same


def _names(body: Mapping[str, Any]) -> list[str]:
    """Return the names of the files of a manifest. Raises `DirectoryError` if it contradicts itself."""
    layers, _, _ = layers_of(body, None)
    names = dict.fromkeys(file.name for layer in layers for file in layer.files)
    if "waiting" in body:
        names |= dict.fromkeys(file.name for file in buckets_of(body, None, layers)[3])
    return list(names)


def _field(name: str) -> str:
    return f"file {name}"
