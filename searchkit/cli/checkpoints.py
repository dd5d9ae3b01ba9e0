"""Checkpoints: a search of the command line is saved while it runs and when it stops, and resumed from the file."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from searchkit.cli.request import STDIN, Request, Task
from searchkit.errors import RESUME, InputFormatError, InvalidOptionError, InvalidProblemError, SavingError
from searchkit.plugin.programs import split_program
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem
from searchkit.saving.file import SavedHeader, saved_header
from searchkit.saving.identity import identity
from searchkit.search.driver import Search, per_slice

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
        every: the interval, as the option `--every` has it; None for a minute.
        request: what names the problem in the file.
        problem: the problem.
        engine: the engine as it was named.

    Raises:
        InvalidOptionError: the interval is invalid.
        InvalidProblemError: the problem can't be compared between processes.

    """

    def __init__(
        self, path: str, every: str | None, request: Request, problem: SearchProblem[Any, Any], engine: str
    ):
        identity(problem)
        self.path, self.every = path, read_interval(every or "60s")
        self.label: dict[str, object] = {"source": request.source, "options": request.options()}
        self.resume = f"searchkit solve --resume {path}"
        self.resume += f" {request.source}" if _must_be_given(request.source) else ""
        self.resume += f" --engine {engine}" if split_program(engine) else ""
        self._last = perf_counter()
        self._warned = ""
        self.observer = per_slice(self._look)

    def _look(self, search: Search[Any, Any], state: object) -> None:
        """Save the search if the interval is over. If the file can't be written, say so once, and search on."""
        if search.ended or perf_counter() - self._last < self.every:
            return
        failed = self.save(search)
        if failed and failed != self._warned and sys.stderr is not None:
            print(f"warning: {failed}; the search continues, and is saved again later", file=sys.stderr)
        self._warned = failed
        self._last = perf_counter()  # after it: a file that takes long to write does not hold the search up

    def save(self, search: Search[Any, Any]) -> str:
        """Save the search; return why that failed, or ""."""
        try:
            search.save(self.path, label=self.label)
        except (OSError, SavingError) as error:
            why = getattr(error, "strerror", None) or error
            return f"--checkpoint {self.path}: it can't be written: {why}"
        return ""

    def save_after(self, error: InvalidProblemError, search: Search[Any, Any]) -> None:
        """Save the search that a problem has stopped by an error; the message then says how to resume it."""
        failed, resume = self.save(search), f"resume it with: {self.resume} --changed-problem"
        way = f"run the command again, as {failed}" if failed else resume
        error.args = (str(error).replace(RESUME, f"; correct it, and {way}"), *error.args[1:])


def refuse_loss(path: str, resumed: str | None) -> None:
    """Raise `InvalidOptionError` if a file would be lost: a search that has not ended, or something else.

    The file that is resumed may be replaced.
    """
    if not Path(path).exists() or (resumed and Path(resumed).exists() and Path(path).samefile(resumed)):
        return
    try:
        if saved_header(path).ended:
            return
        what = f"is a search that has not ended: resume it with --resume {path}, or delete it"
    except (SavingError, InputFormatError):
        what = "is not a search saved by this version: give another name"
    raise InvalidOptionError(f"--checkpoint {path}: the file exists and {what}")


def resumed_request(
    path: str, source: str, engine: str, given: Mapping[str, Any]
) -> tuple[Request, str, SavedHeader]:
    """Return what names the problem of a saved search, its engine as it is named now, and the header of the file.

    Args:
        path: the file.
        source: SOURCE; "" if it is left out, as the file names it. If it is the same, the options are those of the
            file, too.
        engine: the engine; `auto` for that of the file.
        given: the arguments of `Request.of` that go with SOURCE.

    Raises:
        InputFormatError, SavingError: the file is not a saved search, is damaged or has another format.
        InvalidOptionError: SOURCE is missing, or options are given without it; or the engine is missing, as it was in a
            Python file.

    """
    header = saved_header(path)
    named = header.label.get("source", "")
    if engine == "auto":
        engine = header.engine
        if engine not in registry().engines:
            raise InvalidOptionError(
                f"--resume {path}: no installed engine is called {engine!r}; if it is in a Python file, give it with "
                f"--engine FILE.py:{engine}"
            )
    if source and (source != named or any(given.values())):
        return Request.of(source, **given), engine, header
    if any(given.values()):
        raise InvalidOptionError(
            f"--resume {path} takes the source and its options from the file; leave out --problem, --start, --goal and "
            "--set, or give SOURCE too"
        )
    if not isinstance(named, str) or (not source and _must_be_given(named)):
        raise InvalidOptionError(
            f"--resume {path}: its source, {named!r:.200}, is not in a file that a saved search may choose; give its "
            f"source: searchkit solve --resume {path} SOURCE"
        )
    return Request.stored(named, header.label.get("options", {}), path), engine, header


def _must_be_given(source: str) -> bool:
    """Whether a saved search does not say where its problem is: not in a file, or in code, which no file may choose."""
    return source in ("", STDIN) or split_program(source) is not None


def resumed_search(
    path: str,
    header: SavedHeader,
    task: Task,
    engine: str,
    backend: str,
    observers: Sequence[Any],
    changed: bool,
) -> Search[Any, Any]:
    """Return the search that was saved. Raises `SavingError` if it is another one, and what `Search.load` raises."""
    if backend not in ("auto", header.backend):
        raise SavingError(
            f"--backend {backend}: {path} is a search with backend {header.backend}, and continues with it"
        )
    search = Search[Any, Any].load(
        path, task.problem, task.engines[engine], observers=observers, changed_problem=changed
    )
    saved = {option.name: option.default for option in search.spec.options} | search.options
    for name, value in search.spec.parse(task.options[engine]).items():
        if value != saved[name]:
            raise SavingError(
                f"--set {name}={value}: {path} is a search with {name}={saved[name]}, and continues with it"
            )
    return search
