"""What the manifest of a search over buckets says beyond its layers: f and g of each, and the files that wait."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from searchkit.errors import DirectoryError
from searchkit.scale.arrays.keyed import Key
from searchkit.scale.external.bucket_tasks import BucketFile
from searchkit.scale.external.files import Written
from searchkit.scale.external.layers import Layer
from searchkit.scale.external.place import body_of, check_length

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
) -> dict[str, Any]:
    """Return what the manifest says of buckets that are all in files, and of the files with states that wait."""
    return {
        **body_of(layers, successors, goal),
        "keys": [list(key) for key in keys],
        "largest": largest,
        "written": written,
        "waiting": [
            [file.name, file.written.bytes, file.written.sha256, file.bits, file.keys, file.states]
            for file in files
        ],
    }


def buckets_of(
    body: Mapping[str, Any], folder: Path, layers: int
) -> tuple[list[Key], int, int, list[BucketFile]]:
    """Return f and g of each bucket, the largest cost, the number of files written, and the files that wait.

    Raises `DirectoryError` if the manifest contradicts itself, or if a file is missing or is not as long as it was.
    """
    try:
        keys, largest, written = [_key(pair) for pair in body["keys"]], body["largest"], body["written"]
        numbers = [largest, written]
        files = []
        for name, size, digest, bits, pairs, states in body["waiting"]:
            numbers += [size, bits, *states]
            if Path(name).name != name or not str(name).startswith("buckets-") or len(pairs) != len(states):
                raise ValueError
            held = tuple(_key(pair) for pair in pairs)
            files.append(BucketFile(name, Written(size, str(digest)), bits, held, tuple(states)))
        valid = all(type(number) is int and 0 <= number < ABOVE for number in numbers)
        if not valid or len(keys) != layers or keys != sorted(set(keys)):
            raise ValueError
        if any(file.bits != files[0].bits or file.bits > 20 for file in files):
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise DirectoryError(
            f"the manifest of {folder} contradicts itself: restore it from a copy, or name another directory"
        ) from None
    for file in files:
        check_length(folder / file.name, file.written.bytes)
    return keys, largest, written, files


def _key(pair: Any) -> Key:
    f, g = pair
    if type(f) is not int or type(g) is not int or not 0 <= g <= f < ABOVE:
        raise ValueError
    return f, g
