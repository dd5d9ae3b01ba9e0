"""What the playground asks, answered in Python: in the reader's browser, in a web worker, and in the tests."""

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import islice
from traceback import extract_tb
from types import ModuleType
from typing import Any

from attrs import evolve

from searchkit import Limits, Result, certify, load
from searchkit.errors import RESUME, SearchkitError
from searchkit.render.player import page
from searchkit.trace import watch

MODULE = "playground"
FILE = f"<{MODULE}>"
MOST_PRINTED = 4000
"""Characters of what the reader's code prints."""
MOST_CERTIFIED, MOST_SUCCESSORS = 20_000, 1_000
"""Expansions, and successors of the starts, up to which an answer is checked at once."""


class CodeError(Exception):
    """The reader's code can't be run; the text says why."""


def answer(request: str) -> str:
    """Return what a request asks for, both as JSON.

    A request has `kind` (map, file, python), `text`, `problem` and `options` (of files), `runs` (each an engine and
    its options), `expansions` and `seconds` (limits of each search). An answer has `page` (the player), `verdicts`,
    `marks` (the cells that the first search expanded, and its path), `printed`; or `error` and `line`.
    """
    wish = json.loads(request)
    printed = StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            reply = answered(wish)
    except (Exception, SystemExit) as error:
        reply = {"error": message_of(error), "line": line_of(error)}
    text = printed.getvalue()
    return json.dumps({**reply, "printed": text[:MOST_PRINTED] + "…" * (len(text) > MOST_PRINTED)})


def answered(wish: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request. Raises whatever is wrong with the problem or with the options."""
    problem = problem_of(wish)
    limits = Limits(expansions=wish["expansions"], seconds=wish["seconds"])
    runs = [(run["engine"], run["options"]) for run in wish["runs"]]
    recordings = watch(problem, *runs, limits=limits)
    verdicts = [verdict(problem, recording.result) for recording in recordings]
    reply = {"page": page(recordings, title=wish["title"]), "verdicts": verdicts}
    if wish["kind"] == "map":
        first = recordings[0]
        path = first.result.solution or first.result.partial
        reply["marks"] = {"reached": sorted(set(first.states)), "path": path.states if path else []}
    return reply


def problem_of(wish: dict[str, Any]) -> Any:
    """Return the problem that a request is about."""
    if wish["kind"] == "python":
        return problem_in(wish["text"])
    source = StringIO(wish["text"]) if wish["text"] else wish["example"]
    kind = "dungeon" if wish["kind"] == "map" else wish["problem"]
    return load(source, kind, **wish["options"])


def problem_in(code: str) -> Any:
    """Return the problem that the reader's code defines: the name `problem`, or the only class of a problem."""
    module = sys.modules[MODULE] = ModuleType(MODULE)
    exec(compile(code, FILE, "exec"), module.__dict__)
    names = vars(module)
    if "problem" in names:
        return names["problem"]
    own = [thing for thing in names.values() if isinstance(thing, type) and thing.__module__ == MODULE]
    found = [thing for thing in own if hasattr(thing, "initial_states") or hasattr(thing, "successors")]
    if len(found) != 1:
        raise CodeError(
            "expected one class with initial_states, successors and is_goal, or an object `problem`; the classes with "
            f"these methods are: {', '.join(thing.__name__ for thing in found) or 'none'}"
        )
    return found[0]()


def verdict(problem: Any, result: Result[Any, Any]) -> dict[str, Any]:
    """Return what a search found, and what is proved about it by a check of the definition alone."""
    proved: list[str] = []
    objection = ""
    successors = (one for start in problem.initial_states() for one in problem.successors(start))
    if result.statistics.expanded <= MOST_CERTIFIED and not any(islice(successors, MOST_SUCCESSORS, None)):
        checked = certify(problem, result)
        proved, objection = [*checked.proved], checked.objection
        if checked.assumed and proved:
            proved[-1] += " if the heuristic is admissible"
        elif checked:
            result = evolve(result, assumes="")
    return {"engine": result.engine, "text": str(result), "proved": proved, "objection": objection}


def message_of(error: BaseException) -> str:
    """Return the one message that the reader sees."""
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg}"
    if isinstance(error, SearchkitError | CodeError):
        return str(error).partition(RESUME)[0]  # the advice is for those who hold the search
    return f"{type(error).__name__}: {error}"


def line_of(error: BaseException | None) -> int | None:
    """Return the line of the reader's code in which an error arose, also one that another error reports."""
    while error is not None:
        if isinstance(error, SyntaxError) and error.filename == FILE:
            return error.lineno
        for frame in reversed(extract_tb(error.__traceback__)):
            if frame.filename == FILE:
                return frame.lineno
        error = error.__cause__ or error.__context__
    return None
