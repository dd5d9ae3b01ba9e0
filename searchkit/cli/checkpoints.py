"""Checkpoints: a search of the command line is saved while it runs and when it stops, and resumed from the file."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from searchkit.cli.request import STDIN, Request, Task
from searchkit.errors import RESUME, InputFormatError, InvalidOptionError, InvalidProblemError, SavingError
from searchkit.saving.file import SavedHeader, saved_header
from searchkit.search.driver import Search, per_slice

INTERVAL = "60s"
UNITS = {"s": 1, "m": 60, "h": 3600}


def read_interval(text: str) -> float:
    """Return the seconds of the option `--every`, such as `30s` or `1.5h`. Raises `InvalidOptionError`."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)([smh])", text, re.ASCII)
    if match is None or not float(match[1]):
        raise InvalidOptionError(
            f"--every {text}: expected a number above 0 with a unit, such as 30s, 10m or 2h"
        )
    return float(match[1]) * UNITS[match[2]]


class Checkpoint:
    """Saves a search to a file: at an interval, and when it stops.

    Args:
        path: the file.
        every: the interval, in seconds.
        request: what names the problem in the file.

    """

    def __init__(self, path: str, every: float, request: Request):
        self.path, self.every = path, every
        self.label: dict[str, object] = {"source": request.source, "options": request.options()}
        self._last = perf_counter()
        self._warned = ""
        self.failed = ""
        """Why the last file could not be written; "" if it was."""
        self.observer = per_slice(self._look)

    def _look(self, search: Search[Any, Any], state: object) -> None:
        """Save the search if the interval is over. If the file can't be written, say so once, and search on."""
        if search.ended or perf_counter() - self._last < self.every:
            return
        try:
            self._save(search)
        except (OSError, SavingError) as error:
            self._last = perf_counter()
            failed = getattr(error, "strerror", None) or str(error)
            if failed != self._warned and sys.stderr is not None:
                said = "the search continues, and is saved again later"
                print(
                    f"warning: --checkpoint {self.path}: it can't be written: {failed}; {said}",
                    file=sys.stderr,
                )
            self._warned = failed

    def _save(self, search: Search[Any, Any]) -> None:
        search.save(self.path, label=self.label)
        self._last = (
            perf_counter()
        )  # after it, so that a file that takes long to write does not hold the search up
        self._warned = ""

    def save_last(self, search: Search[Any, Any]) -> str:
        """Save the search, which has stopped; return how to resume it. The error, if any, is `failed`."""
        try:
            self._save(search)
        except (OSError, SavingError) as error:
            why = f"{self.path}: it can't be written: {getattr(error, 'strerror', None) or error}"
            self.failed = f"{why}; a file that was saved before is as it was"
            return f"{self.path}: not written, as the error says"
        if search.ended:
            return f"{self.path}: it holds the search that has ended"
        return f"{self.path}: resume it with: searchkit solve --resume {self.path}"

    def save_after(self, error: InvalidProblemError, search: Search[Any, Any]) -> None:
        """Save the search that a problem has stopped by an error; the message then says how to resume it."""
        self.save_last(search)
        way = f"resume it with: searchkit solve --resume {self.path} --changed-problem"
        if self.failed:
            way = f"run the command again, as --checkpoint failed: {self.failed}"
        error.args = (str(error).replace(RESUME, f"; correct it, and {way}"), *error.args[1:])


def refuse_loss(path: str, resumed: str | None) -> None:
    """Raise `InvalidOptionError` if a file would be lost: a search that has not ended, or something else.

    The file that is resumed may be replaced.
    """
    if not Path(path).exists() or (
        resumed is not None and Path(resumed).exists() and Path(path).samefile(resumed)
    ):
        return
    try:
        if saved_header(path).ended:
            return
        what = f"is a search that has not ended: resume it with --resume {path}, or delete it"
    except SavingError:
        what = "is a search saved by another version: delete it, or give another name"
    except InputFormatError:
        what = "is not a saved search: give another name"
    raise InvalidOptionError(f"--checkpoint {path}: the file exists and {what}")


def resumed_request(path: str, source: str, given: Mapping[str, Any]) -> tuple[Request, SavedHeader]:
    """Return what names the problem of a saved search, and the header of the file.

    Args:
        path: the file.
        source: SOURCE; "" if it is left out, as the file names it.
        given: the arguments of `Request.of` that go with SOURCE.

    Raises:
        InputFormatError, SavingError: the file is not a saved search, is damaged or has another format.
        InvalidOptionError: SOURCE is missing, or options are given without it.

    """
    header = saved_header(path)
    if source:
        return Request.of(source, **given), header
    for name, value in given.items():
        if value:
            option = {"starts": "start", "goals": "goal", "settings": "set"}.get(name, name)
            raise InvalidOptionError(
                f"--{option}: --resume {path} takes the source and its options from the file; leave it out, or give "
                "SOURCE too"
            )
    label, options = header.label, header.label.get("options", {})
    named = label.get("source", "")
    if not isinstance(named, str) or not named or named == STDIN or not isinstance(options, dict):
        what = "standard input" if named == STDIN else "a problem that the file does not name"
        raise InvalidOptionError(
            f"--resume {path}: it is a search of {what}; give its source: searchkit solve --resume {path} SOURCE"
        )
    return Request.stored(named, options, path), header


def resumed_search(
    path: str,
    header: SavedHeader,
    task: Task,
    engine: str,
    backend: str,
    observers: Sequence[Any],
    *,
    changed_problem: bool,
) -> Search[Any, Any]:
    """Return the search that was saved. Raises `SavingError` if it is another one, and what `Search.load` raises."""
    if backend not in ("auto", header.backend):
        raise SavingError(
            f"--backend {backend}: {path} is a search with backend {header.backend}, and continues with it"
        )
    given = None if engine == "auto" else engine
    options = task.options[header.engine]
    return Search.load(
        path, task.problem, given, observers=observers, changed_problem=changed_problem, **options
    )
