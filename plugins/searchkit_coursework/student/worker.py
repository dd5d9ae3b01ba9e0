"""The process in which a student's code is graded. It contains no map, no rubric and no engine.

The grader writes pickled values: the job, then the opening of one map after the other, and answers. The process writes
lines of JSON, on a pipe that the student's code does not print to; the grader does not trust them:

    {"protected": [...]}               these protections are active; the student's file is loaded next
    {"loaded": true}                   the file was loaded; the grader sends the first map
    ["expand", 3]                      a question about the problem; the grader answers
    {"path": …}, {"values": …}, …      the answer for the map (see `observing.py`); the grader sends the next one
    {"failure": "…"}                   or why there is none
    {"end": "…"}                       why there will be no more answers
"""

import faulthandler
import json
import linecache
import os
import pickle
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, NoReturn

from searchkit_coursework.student.containment import confine
from searchkit_coursework.student.observing import Overexpanded, UnusableError, observe, shorten, text_of

try:
    import resource
except ImportError:  # Windows: the grader's clock works there
    resource = None  # type: ignore[assignment]

MEGABYTE = 1 << 20
MAX_FILE_BYTES = 50 * MEGABYTE
"""The largest size of a file, and of all files together."""
SPARE = 64 * MEGABYTE
"""Bytes that are reserved for the report that the memory is exhausted."""
OPEN_FILES = 128
ADVICE = {
    "RecursionError": "; use a loop with a stack of your own instead of recursion",
    "EOFError": "; nobody is there to answer input()",
    "OSError: [Errno 27]": "; files, and what is printed, may have 50 MB: take the print statements out",
    "PermissionError": "; other processes, the network and other files are out of reach here",
    "ModuleNotFoundError: No module named 'searchkit": "; write it yourself: searchkit is not there",
    "ModuleNotFoundError": "; the standard library can be imported here",
}


class Worker:
    """Runs the functions of a student's file, and ends the process with the reason if a limit is exceeded.

    It talks to the grader by the original stdin and stdout. For the student's code, stdin is empty, stdout is stderr.
    """

    def __init__(self) -> None:
        sys.stdout.flush()
        self._input, self._output = os.fdopen(os.dup(0), "rb"), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        job = self._receive()
        self.file, self.seconds, self.memory = job["file"], job["seconds"], job["memory"]
        sys.argv = [self.file]
        sys.path += job["path"]
        allowed = memory_taken() + int(self.memory * MEGABYTE)
        set_limit("RLIMIT_AS", allowed, allowed + SPARE)
        set_limit("RLIMIT_FSIZE", MAX_FILE_BYTES, MAX_FILE_BYTES)
        set_limit("RLIMIT_NOFILE", OPEN_FILES, OPEN_FILES)
        set_limit("RLIMIT_CORE", 0, 0)
        faulthandler.enable(self._output)
        self._send({"protected": confine(job["readable"], [str(Path.cwd()), os.devnull])})

    def run(self) -> NoReturn:
        """Load the file, and run a function for each map that the grader sends."""
        loaded = self._answer(lambda: {"module": load(self.file)}, "loading the file ")
        if "failure" in loaded:
            self._end(loaded["failure"])
        self._send({"loaded": True})
        while True:
            self._send(self._answer(partial(self._observe, loaded["module"], self._receive())))

    def _observe(self, module: ModuleType, opening: Mapping[str, Any]) -> dict[str, Any]:
        return observe(function_named(module, opening["function"]), opening, self._ask)

    def _receive(self) -> Any:
        """Return the next value of the grader. End the process if there are no more."""
        try:
            return pickle.load(self._input)
        except EOFError:
            leave()

    def _send(self, message: Any) -> None:
        """Write one message: an object for the grader, or a list, which is a question about the problem."""
        os.write(self._output, json.dumps(message).encode() + b"\n")

    def _ask(self, *question: Any) -> Any:
        """Return the grader's answer to a question about the problem."""
        self._send(question)
        return self._receive()

    def _end(self, reason: str) -> NoReturn:
        """Write the last message, and end the process at once, without running `finally` and `except` clauses."""
        self._send({"end": reason})
        leave()

    def _answer(self, call: Callable[[], dict[str, Any]], doing: str = "") -> dict[str, Any]:
        """Return what a call returns within the time, or why it has no answer. A lack of memory ends the process."""
        try:
            faulthandler.dump_traceback_later(self.seconds, exit=True, file=self._output)
            return call()
        except BaseException as error:
            if isinstance(error, MemoryError):
                set_limit("RLIMIT_AS", UNLIMITED, UNLIMITED)
                where = place_of_error(self.file, error.__traceback__)
                self._end(f"memory limit: it asked for more than {self.memory:,g} MB{where}")
            return {"failure": self._reason(error, doing)}
        finally:
            faulthandler.cancel_dump_traceback_later()

    def _reason(self, error: BaseException, doing: str) -> str:
        """Return a sentence for the student about what was raised, with the line of the file."""
        if isinstance(error, UnusableError):
            return str(error)
        where = place_of_error(self.file, error.__traceback__)
        if isinstance(error, Overexpanded):
            return (
                f"it asked for successors {error.args[0]:,} times{where}. There are far fewer states: it expands the "
                "same ones again and again; keep a set of the states that were reached"
            )
        if isinstance(error, SystemExit):
            code = "" if error.code is None else shorten(error.code, 300)
            return f"it ended the program with sys.exit({code}){where}; return an answer instead"
        name = text_of(lambda: type.__getattribute__(type(error), "__name__"), 100)
        text = text_of(lambda: str(error), 300)
        said = f"{name}{text and ': '}{text}"
        advice = next((hint for start, hint in ADVICE.items() if said.startswith(start)), "")
        at = text_of(lambda: "".join(getattr(error, "__notes__", [])), 300)
        return f"{doing}raised {said}{at}{where}{advice}"


def leave() -> NoReturn:
    """Flush what was printed, and end the process without running exit handlers of the student's code."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(0)


def load(file: str) -> ModuleType:
    """Run a student's file as a module. Raises `UnusableError` for invalid Python, and whatever the file raises."""
    path = Path(file)
    try:
        code = compile(path.read_bytes(), file, "exec")
    except (SyntaxError, ValueError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        text = (getattr(error, "text", None) or "").strip()
        said = getattr(error, "msg", None) or str(error) or "it is nested too deeply"
        raise UnusableError(
            f"{path.name}{where}: not valid Python: {said}{text and ': '}{text[:100]}"
        ) from error
    usable = path.stem.isidentifier() and path.stem not in sys.stdlib_module_names
    module = ModuleType(path.stem if usable else "student")
    module.__file__ = file
    sys.modules[module.__name__] = module
    exec(code, vars(module))
    return module


def function_named(module: ModuleType, name: str) -> Callable[..., Any]:
    """Return a function of the student's file. Raises `UnusableError` if there is none of that name."""
    file = Path(module.__file__ or "").name
    members = vars(module).items()  # without those that it has imported
    names = [other for other, value in members if getattr(value, "__module__", "") == module.__name__]
    if name not in vars(module):
        close = get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(names) or 'no functions'}"
        raise UnusableError(f"{file} has no {name!r}; {hint}")
    found: Callable[..., Any] = vars(module)[name]
    if not callable(found):
        raise UnusableError(f"{name} in {file} is {found!r:.60}; expected a function")
    return found


def place_of_error(file: str, trace: TracebackType | None) -> str:
    """Return the innermost line of `file` in a traceback, as `, in line 3 (…)`; "" if there is none."""
    line = 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return place(file, line) if line else ""


def place(file: str, number: int) -> str:
    """Return a line of a file for a message."""
    line = linecache.getline(file, number).strip()
    return f", in line {number} ({line[:150]})" if line else f", in line {number}"


UNLIMITED: int = -1 if resource is None else resource.RLIM_INFINITY


def set_limit(name: str, soft: int, hard: int) -> None:
    """Set a limit of the system, but not above the hard limit that there is."""
    if resource is None:
        return
    limit = getattr(resource, name)
    most = resource.getrlimit(limit)[1]
    if most != UNLIMITED:
        soft, hard = (most if each == UNLIMITED else min(each, most) for each in (soft, hard))
    with suppress(OSError, ValueError):  # macOS refuses some of them
        resource.setrlimit(limit, (soft, hard))


def memory_taken() -> int:
    """Return the present size of the address space of the process in bytes, a guess if it is unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 256 * MEGABYTE
    return pages * os.sysconf("SC_PAGE_SIZE")


def run() -> None:
    """Do the work, and end the process in any case."""
    try:
        Worker().run()
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
