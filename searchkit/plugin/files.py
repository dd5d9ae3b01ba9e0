"""Files as hooks take and return them: sources of problems, scenarios, and problems as text."""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf, isnan
from pathlib import Path
from typing import TextIO

from attrs import define, frozen

from searchkit.basics.files import LARGEST_STREAM, as_text, read_text, refuse_longer
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.problem import Cost, SearchProblem


@define(slots=False, frozen=True)
class Source:
    """A file that is read at most once, however many plugins read its text."""

    path: Path
    """The path of the file. For a text that does not come from a file: its name in messages."""

    @classmethod
    def of(cls, text: str | bytes, name: str = "<text>") -> "Source":
        """Return a source with this text, as if it had been read from a file of that name."""
        source = cls(Path(name))
        vars(source)["text"] = as_text(text, name)
        return source

    @classmethod
    def read_from(cls, stream: TextIO, name: str = "") -> "Source":
        """Return a source with the text of an open file, under this name or its own.

        Raises `InvalidOptionError` if it is not an open file, and `InputFormatError` if it is too long or not UTF-8.
        """
        if not hasattr(stream, "read"):
            raise InvalidOptionError(
                f"source={stream!r}: expected the path of a file, the name of an example, or an open file of text"
            )
        own = getattr(stream, "name", None)  # a text stream may have none, or a number
        name = name or (own if isinstance(own, str) else "<text>")
        try:
            contents = getattr(stream, "buffer", stream).read(LARGEST_STREAM + 1)
        except OSError as error:
            raise InputFormatError(f"can't be read: {error.strerror or error}", source=name) from error
        refuse_longer(len(contents), LARGEST_STREAM, name)
        return cls.of(contents, name)

    @property
    def name(self) -> str:
        """The path of the file, as messages quote it."""
        return str(self.path)

    @property
    def suffix(self) -> str:
        """The suffix of the file name in lower case, with the dot: `.map`, also for `a.map.gz`."""
        name = self.path.name.lower()
        return Path(name.removesuffix(".gz")).suffix

    @cached_property
    def text(self) -> str:
        """The text of the file, with any kind of line end read as a newline.

        Raises `InputFormatError` if the file can't be read or is not UTF-8 text.
        """
        return read_text(self.path)


@frozen
class Query:
    """One line of a scenario: a start, a goal and the published least cost between them."""

    line: int
    """The number of the line, counted from 1."""
    start: object
    goal: object
    expected: float
    """Infinity if there is no path; not a number if it is not published: then any answer agrees."""
    tolerance: float
    """Half a unit of the last digit in the file."""

    def agrees(self, cost: Cost | None) -> bool:
        """Whether `cost` is the published one, up to a ten-thousandth or the rounding in the file."""
        if isnan(self.expected):
            return True
        if cost is None or self.expected == inf:
            return cost is None and self.expected == inf
        return abs(float(cost) - self.expected) <= max(1e-4 * self.expected, self.tolerance)


@frozen
class Scenario:
    """Queries over one map, in the order of the file: what `ProblemSpec.scenario` returns."""

    map: str
    queries: Sequence[Query]
    problem: Callable[[Query], SearchProblem]  # type: ignore[type-arg]  # of any states
    """Makes the problem of a query."""
