"""What a saved search has of a search on disk: the name of its directory, or the files of a temporary one."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from searchkit.compiled.kit.fields import LARGEST, Fields
from searchkit.errors import DirectoryError, InputFormatError
from searchkit.scale.buckets.manifest import buckets_of
from searchkit.scale.external.directory import MANIFEST
from searchkit.scale.external.files import ABOVE, write_file
from searchkit.scale.external.place import Place, layers_of
from searchkit.scale.saved.kept import WholeFile, take, whole_file


def saved_files(place: Place, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is saved of a search whose files are those that a manifest names; to be read before it goes on.

    A directory that the user has named stays what it is: the result says how far it was. The files of a temporary
    directory, which is deleted with its search, are in the result, as `WholeFile`s.
    """
    far = {name: np.array(body[name], np.int64) for name in ("layers", "generated")}
    if place.lasting:
        return {**far, "directory": str(place.folder.resolve())}
    files = {_field(name): whole_file(place.folder / name, digest) for name, digest in _files(body).items()}
    return {**far, "directory": "", "manifest": json.dumps(body), **files}


def restore_files(place: Place, fields: Fields, read: Callable[[], object]) -> None:
    """Write the files that were saved into the temporary directory of a search, make the manifest its body, and `read`.

    Raises `InputFormatError` if the manifest contradicts itself or a file is not there, and `DirectoryError` if they
    can't be written.
    """
    try:
        body = json.loads(fields.value("manifest"))
        names = _files(body)
    except (DirectoryError, ValueError, TypeError, KeyError, RecursionError):
        raise fields.wrong("manifest", "it contradicts itself") from None
    directory = place.directory
    for name in names:
        contents = fields.array(_field(name), np.uint8, longest=ABOVE)
        saved = fields.value(_field(name))
        with directory.writing("written"):
            if isinstance(saved, WholeFile):
                take(saved, directory.path / name)
            else:
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


def gone_on(place: Place, expanded: int) -> str:
    """Return the warning for a search whose directory has gone on since it was saved."""
    return (
        f"{place.folder.resolve()} has gone on since this search was saved: the search goes on where that is now, "
        f"after {expanded:,} expansions"
    )


def _files(body: Mapping[str, Any]) -> dict[str, str]:
    """Return the names and digests of the files of a manifest. Raises `DirectoryError` if it contradicts itself."""
    layers, _, _ = layers_of(body, None)
    files = {file.name: file.written.sha256 for layer in layers for file in layer.files}
    if "waiting" in body:
        files |= {file.name: file.written.sha256 for file in buckets_of(body, None, layers)[3]}
    return files


def directory_of(saved: Mapping[str, Any], options: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return the options of a saved search, with the directory where it is.

    That is where it was when it was saved, or else the directory that the options name, from here.

    Raises:
        InputFormatError: there is no directory of a search in either place.

    """
    was, given = saved.get("directory"), options.get("directory")
    if not (was and given and isinstance(was, str) and isinstance(given, str)):
        return dict(options)
    places = dict.fromkeys((Path(was), Path(given).resolve()))
    for path in places:
        if (path / MANIFEST).is_file():
            return {**options, "directory": given if Path(given).resolve() == path else str(path)}
    looked = " and at ".join(map(str, places))
    raise InputFormatError(
        f"the saved search goes on in its directory, and there is no search on disk at {looked}: bring the directory "
        "back to one of these places, or search again",
        source=source,
    )


def _field(name: str) -> str:
    return f"file {name}"
