"""What hooks take and return: files that problems are read from and written to."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from attrs import define, field, frozen, validators

from searchkit.basics.files import read_text, replacing
from searchkit.errors import InvalidOptionError
from searchkit.problem import Cost, SearchProblem


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


@frozen
class Written:
    """The text of a file that describes a problem, and what has to be said beside it."""

    kind: str
    """The name of the kind of problem: the second argument of `load`."""
    text: str
    options: Mapping[str, object] = field(factory=dict)
    """Options for `load`; those that have their default value are left out."""


@frozen
class Query:
    """One line of a scenario: a start, a goal and the published least cost between them."""

    line: int
    """The line of the file, counted from 1."""
    start: object
    goal: object
    expected: float
    tolerance: float
    """Half a unit of the last digit that the file gives."""

    def agrees(self, cost: Cost | None, relative: float = 1e-4) -> bool:
        """Whether `cost` is the published one, to `relative` or to the file's own rounding."""
        if cost is None:
            return False
        return abs(float(cost) - self.expected) <= max(relative * self.expected, self.tolerance)


@frozen
class Scenario:
    """Queries over one map, in the file's order."""

    map: str
    queries: Sequence[Query]
    problem: Callable[[Query], SearchProblem]  # type: ignore[type-arg]  # of whatever states the plugin has
    """Makes the problem that a query asks."""


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
