"""What the manifest of a search over buckets says beyond its layers: f and g of each, and the files that wait."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from searchkit.errors import DirectoryError
from searchkit.scale.arrays.keyed import Key
from searchkit.scale.buckets.tasks import BucketFile
from searchkit.scale.external.files import Written
from searchkit.scale.external.layers import Layer
from searchkit.scale.external.place import (
    WAITING,
    body_of,
    check_length,
    digest_of,
    intact,
    layers_of,
    with_way_on,
)

ABOVE = 1 << 54
"""No cost or heuristic value in a manifest is as large."""


def body_of_buckets(
    layers: Sequence[Layer],
    successors: Sequence[int],
    goal: Sequence[int] | None,
    keys: Sequence[Key],
    largest: int,
    written: int,
    files: Iterable[BucketFile],
    handed: int = 0,
) -> dict[str, Any]:
    """Return what the manifest says of buckets that are all in files, and of the files with states that wait.

    The first `handed` buckets are those of a search in memory: see `searchkit.scale.handover.buckets`.
    """
    return {
        **body_of(layers, successors, goal),
        "keys": [list(key) for key in keys],
        "largest": largest,
        "written": written,
        **({"handed": handed} if handed else {}),
        "waiting": [
            [file.name, file.written.bytes, file.written.sha256, file.bits, file.keys, file.states]
            for file in files
        ],
    }


def buckets_of(
    body: Mapping[str, Any], folder: Path | None, layers: Sequence[Layer]
) -> tuple[list[Key], int, int, list[BucketFile], int]:
    """Return f and g of each bucket, the largest cost, the number of files written, and the files that wait.

    The last number is that of the buckets that a search in memory has handed over. Their keys ascend, and those of the
    other ones do, whose f is not less.


    Raises `DirectoryError` if the manifest contradicts itself, or if a file is missing or is not as long as it was.
    """
    try:
        keys, largest, written = [_key(pair) for pair in body["keys"]], body["largest"], body["written"]
        handed = body.get("handed", 0)
        numbers = [largest, written, handed]
        files = []
        for name, size, digest, bits, pairs, states in body["waiting"]:
            numbers += [size, bits, *states]
            if Path(name).name != name or not str(name).startswith(WAITING) or len(pairs) != len(states):
                raise ValueError
            held = tuple(_key(pair) for pair in pairs)
            files.append(BucketFile(name, Written(size, str(digest)), bits, held, tuple(states)))
        valid = all(type(number) is int and 0 <= number < ABOVE for number in numbers)
        if not valid or not handed <= len(keys) == len(layers):
            raise ValueError
        if any(part != sorted(set(part)) for part in (keys[:handed], keys[handed:])):
            raise ValueError
        if 0 < handed < len(keys) and keys[handed][0] < keys[handed - 1][0]:
            raise ValueError
        if any(file.bits != files[0].bits or file.bits > 20 for file in files):
            raise ValueError
    except (ValueError, KeyError, TypeError):
        where = "" if folder is None else f" of {folder}"
        raise DirectoryError(
            f"the manifest{where} contradicts itself: restore it from a copy, or name another directory"
        ) from None
    if folder is not None:
        for file in files:
            try:
                check_length(folder / file.name, file.written.bytes)
            except DirectoryError as error:
                raise with_way_on(error, layers, folder) from None
    return keys, largest, written, files, handed


def repaired_buckets(body: Mapping[str, Any], folder: Path) -> dict[str, Any] | None:
    """Return what a manifest says without what is damaged or missing; None if all files are as they were written.

    Reads all files. All buckets before the first damaged one are kept, and no file with states that wait: all buckets
    are to be expanded again, as far as they were. An empty result begins from the starts.
    """
    layers, generated, goal = layers_of(body, None)
    keys, largest, written, files, handed = buckets_of(body, None, layers)
    end = intact(layers, folder)
    if end == len(layers) and all(digest_of(folder / file.name) == file.written.sha256 for file in files):
        return None
    if not end:
        return {}
    goal = goal if end == len(layers) else None
    handed = min(handed, end)
    return body_of_buckets(layers[:end], generated[:end], goal, keys[:end], largest, written, (), handed)


def _key(pair: Any) -> Key:
    f, g = pair
    if type(f) is not int or type(g) is not int or not 0 <= g <= f < ABOVE:
        raise ValueError
    return f, g
