"""What can be worked out beforehand for the problems of a file, to be kept beside it."""

from collections.abc import Sequence
from pathlib import Path

from attrs import field, frozen, validators

from searchkit.errors import InvalidOptionError
from searchkit.files import replacing


@frozen
class Precomputed:
    """A file that makes later searches faster, as `searchkit precompute` writes it. Its plugin knows what is in it.

    The plugin finds it beside the file that a problem was read from, and must refuse one that does not fit: that file
    may have changed since.
    """

    suffix: str = field(validator=validators.min_len(1))
    """What is appended to the name of the problem's file."""
    parts: Sequence[bytes] = field(repr=lambda parts: f"<{sum(map(len, parts))} bytes>")
    """The contents, in pieces."""
    summary: str
    """What it holds and what for, in one line."""

    def write_beside(self, source: Path) -> Path:
        """Write it beside the problem's file, as readable as that, and return where it is.

        What is there is replaced at once: whoever has the old file open or mapped into memory keeps it whole. Raises
        `InvalidOptionError` where it can't be written; what was there is then as it was.
        """
        path = source.with_name(source.name + self.suffix)
        try:
            with replacing(path, like=source) as file:
                file.writelines(self.parts)
        except OSError as error:
            raise InvalidOptionError(
                f"{path} can't be written: {error.strerror}; it has to lie beside {source.name}: copy that to a "
                "directory of yours"
            ) from error
        return path
