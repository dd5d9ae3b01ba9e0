"""A file that a problem is read from."""

from functools import cached_property
from pathlib import Path

from attrs import define

from searchkit.files import read_text


@define(slots=False, frozen=True)
class Source:
    """A file, read at most once however many plugins look at it."""

    path: Path
    """Where it is. Of a text that is in no file: the name that messages quote, in the working directory."""

    @classmethod
    def of(cls, text: str, name: str = "<text>") -> "Source":
        """Return a source that holds a text, as if it had been read from a file of that name."""
        source = cls(Path(name))
        vars(source)["text"] = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        return source

    @property
    def name(self) -> str:
        """The file's path, as messages quote it."""
        return str(self.path)

    @property
    def suffix(self) -> str:
        """The end of the file's name, in lower case, with its dot: `.map`."""
        return self.path.suffix.lower()

    @cached_property
    def text(self) -> str:
        """The file's text, any kind of line end read as a newline.

        Raises `InputFormatError` where the file can't be read or is not UTF-8 text.
        """
        return read_text(self.path)
