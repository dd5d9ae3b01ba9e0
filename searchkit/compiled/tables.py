"""Large tables on disk, such as pattern databases: computed once per machine, then read by other processes.

A file holds a title, which identifies the table, a SHA-256 digest of what follows, and the table. A file that is
damaged is not read.
"""

from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from searchkit.basics.files import replacing
from searchkit.compiled.cache import user_cache


def path_of_table(name: str) -> Path:
    """Return the path of a table: in the folder `patterns` of searchkit's folder in the user's cache directory.

    Raises `RuntimeError` if there is no home directory.
    """
    return user_cache() / "patterns" / name


def read_table(name: str, title: str) -> bytes | None:
    """Return a table; None if there is none of that title, or if it is damaged.

    Args:
        name: the name of the file.
        title: the line that identifies the table. It contains a version, which is incremented when tables change.

    """
    try:
        head, _, content = path_of_table(name).read_bytes().partition(b"\n")
    except (OSError, RuntimeError):
        return None
    digest, table = content[:32], content[32:]
    return table if head == title.encode() and digest == sha256(table).digest() else None


def write_table(name: str, title: str, table: bytes) -> None:
    """Keep a table for `read_table`. Do nothing if it can't be written.

    The file is replaced as a whole, so that several processes may write it at the same time.
    """
    with suppress(OSError, RuntimeError):
        path = path_of_table(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.writelines([f"{title}\n".encode(), sha256(table).digest(), table])
