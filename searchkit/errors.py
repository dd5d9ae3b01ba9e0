"""Every error that searchkit raises on purpose.

Each message says what was given, what was expected and what to do next, so that the command line can
print it as it is. "No path exists" is not an error: it is the status `UNSOLVABLE`.
"""

import re
import sys
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from traceback import walk_tb
from types import TracebackType


def shortened(text: str, most: int = 40) -> str:
    """Return a text as a message quotes it: at most `most` characters, the last one an ellipsis if it was cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def quoted(value: object, most: int = 200) -> str:
    """Return the `repr` of a value of a problem, shortened, with frozensets in order. It may be long, or raise."""
    try:
        parts = sorted(map(repr, value)) if type(value) is frozenset else []
        return shortened(f"frozenset({{{', '.join(parts)}}})" if parts else repr(value), most)
    except Exception as error:  # also of an int of more than 4,300 digits
        return f"<{type(value).__name__} instance: __repr__ raised {type(error).__name__}>"


def traceback_of_user(error: BaseException) -> list[str]:
    """Return the traceback that IPython shows, without what is inside searchkit: the body of `_render_traceback_`."""
    for one in filter(None, (error.__cause__, error)):
        frames, one.__traceback__ = list(walk_tb(one.__traceback__)), None
        for frame, line in reversed(frames):
            if not str(frame.f_globals.get("__name__")).startswith("searchkit"):
                one.__traceback__ = TracebackType(one.__traceback__, frame, frame.f_lasti, line)
    shown = sys.modules["IPython"].get_ipython().InteractiveTB.structured_traceback
    return list(shown(type(error), error, error.__traceback__, tb_offset=1))


class SearchkitError(Exception):
    """Base of all errors below: wrong use, wrong input or a faulty plugin."""

    _render_traceback_ = traceback_of_user


class InvalidProblemError(SearchkitError):
    """A problem breaks the protocol: a negative cost, an unhashable state, a member that raises."""


class InvalidLimitError(SearchkitError):
    """A limit that is not a number ≥ 0."""


class LimitReachedError(SearchkitError):
    """A limit came before the answer of a function that has no answer without it, such as `optimal_paths`."""


class InfinitePathsError(SearchkitError):
    """Paths can't be counted: they lead through cycles of actions that cost 0 in too many ways."""


class MissingCapabilityError(SearchkitError):
    """An engine needs something that the problem does not offer."""


class InexactError(MissingCapabilityError):
    """Machine code can't calculate exactly with a number or a state of the problem: the search is one in Python."""


class MissingExtraError(SearchkitError):
    """An optional part of searchkit is not installed."""


class UnknownNameError(SearchkitError):
    """No engine, problem, option or source of that name."""


class InvalidOptionError(SearchkitError):
    """An option's value is not of the kind that the option takes."""


class ProgramError(SearchkitError):
    """A Python file that was named on the command line can't be used: it is invalid, raises, or lacks the name."""


class AmbiguousSourceError(SearchkitError):
    """More than one plugin can read a source."""


class PluginError(SearchkitError):
    """A plugin could not be loaded, or breaks the contract of a hook."""


class PluginWarning(UserWarning):
    """A plugin, or a part of what it does, was left out; everything else continues."""


class WorkerError(SearchkitError):
    """A task was lost with the processes that ran it, or it or its result can't be sent to another process."""


class SavingError(SearchkitError):
    """A search can't be saved, or a saved one does not belong to this problem, engine, options or version."""


class DirectoryError(SearchkitError):
    """The directory of a search on disk can't be used: damaged, of another search, in use, or not writable."""


class InputFormatError(SearchkitError):
    """A file's text is not of the format that it was read as.

    `line` and `column` are counted from 1, as in editors; None if the error has no such place.
    """

    def __init__(self, message: str, *, source: str = "", line: int | None = None, column: int | None = None):
        place = ", ".join(f"{word} {n}" for word, n in (("line", line), ("column", column)) if n is not None)
        super().__init__(": ".join(part for part in (source, place, message) if part))
        self.source, self.line, self.column = source, line, column


RESUME = "; correct it, and resume the search: what was found is kept"
"""The end of a message about a problem that raised an error. It is for those who hold the search."""


def unknown(
    what: str, name: object, known: Iterable[str], expected: str, aliases: Mapping[str, str] | None = None
) -> str:
    """Return the message of an error about a name.

    Args:
        what: what is wrong, such as `there is no engine 'asta'`.
        name: the name that was given.
        known: the names that exist.
        expected: the rest of the message, such as the list of names: `there are astar, bfs`.
        aliases: other word → the existing name that is meant.

    Example:
        >>> unknown("there is no engine 'asta'", "asta", ["astar", "bfs"], "there are astar, bfs")
        "there is no engine 'asta': did you mean astar? There are astar, bfs"

    """
    meant = _meant(name, list(known), aliases or {})
    if not meant:
        return f"{what}; {expected}"
    return f"{what}: did you mean {' or '.join(meant)}? {expected[:1].upper()}{expected[1:]}"


def _meant(name: object, known: list[str], aliases: Mapping[str, str]) -> list[str]:
    """Return the names that may be meant. Case and the signs between words do not matter: `A-Star` is `astar`."""
    words = {_plain(alias): meant for alias, meant in aliases.items() if meant in known}
    words |= {_plain(other): other for other in known}
    wanted = _plain(name)
    close = [wanted] if wanted in words else [word for word in words if sorted(word) == sorted(wanted)]
    close = close or get_close_matches(wanted, words, n=2, cutoff=0.7)  # `bsf` is too short for these
    return list(dict.fromkeys(words[match] for match in close))


def _plain(name: object) -> str:
    return re.sub(r"[\s_-]", "", str(name).lower())
