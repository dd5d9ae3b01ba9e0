"""The C++ reference, compiled at run time from a source that is not part of the project."""

import subprocess
from ctypes import CDLL, POINTER, c_int64
from functools import partial
from pathlib import Path
from typing import Any

FLAGS = ("-O3", "-march=native", "-std=c++17", "-shared", "-fPIC")
RETURN_COUNTS = ("bfs4", "grid_p2p", "puzzle15", "puzzle8_bfs", "vault")
"""The functions that return a 64-bit integer."""


class NoReferenceError(Exception):
    """The source is not there, or can't be compiled; the message says which."""


def compiled(source: Path, directory: Path) -> CDLL:
    """Compile the source into a directory, and load it. Raises `NoReferenceError`."""
    if not source.is_file():
        raise NoReferenceError(f"{source} is not a file; expected the C++ source to measure against")
    library = directory / "libreference.so"
    try:
        subprocess.run(["g++", *FLAGS, str(source), "-o", str(library)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoReferenceError(f"{source} can't be compiled with g++: {error}") from None
    loaded = CDLL(str(library))
    for name in filter(partial(hasattr, loaded), RETURN_COUNTS):
        getattr(loaded, name).restype = c_int64
    return loaded


def pointer(array: Any, kind: Any) -> Any:
    """Return a C pointer to the data of an array, whose elements are of the C type `kind`."""
    return array.ctypes.data_as(POINTER(kind))
