"""How a student's code can end, and messages about it for the student."""

import signal
from collections.abc import Collection
from enum import Enum
from typing import Any

from attrs import frozen

from searchkit_coursework.sandbox.wording import clean
from searchkit_coursework.student.channel import MEMORY_EXIT


class Ending(Enum):
    """How a job ended. The values are the kinds in the last message of the worker."""

    FINISHED = "finished"
    TIME_LIMIT = "time"
    MEMORY_LIMIT = "memory"
    OUTPUT_LIMIT = "output"
    DISK_LIMIT = "disk"
    EXPANSION_LIMIT = "expansions"
    """It asked for the successors of more states than are allowed."""
    EXIT = "exit"
    CRASH = "crash"
    """A signal ended the interpreter."""
    RAISED = "raised"
    UNUSABLE = "unusable"
    """The file could not be loaded."""
    MISSING = "missing"
    """The file does not contain the function."""
    GARBLED = "garbled"
    """It wrote an invalid answer."""
    STOPPED = "stopped"
    """The grader was stopped."""


OF_A_CASE = frozenset({Ending.RAISED, Ending.EXIT})
"""Endings after which the process runs on: it tries the next map."""
OF_A_PROCESS = frozenset(
    {Ending.TIME_LIMIT, Ending.MEMORY_LIMIT, Ending.EXIT, Ending.UNUSABLE, Ending.MISSING}
)
"""Endings that a student's process can report."""


@frozen
class RunLimits:
    """The limits of a student's code."""

    seconds: float = 10
    """Wall-clock seconds for each call; for a check, for all of it."""
    memory: float = 512
    """Megabytes in addition to those that the interpreter uses."""
    output: float = 1000
    """Kilobytes of printed output."""


@frozen
class Failure:
    """The reason why there is no answer."""

    ending: Ending
    detail: str = ""
    place: str = ""
    """The number and the text of a line of the student's file."""
    state: str = ""
    """The state for which a heuristic raised an exception."""

    @classmethod
    def of(cls, message: Any, expected: Collection[Ending]) -> "Failure":
        """Read the message of a student's process about its end. Raises `ValueError` for an invalid message."""
        match message:
            case {"kind": str(kind), "detail": str(detail), "place": str(place)}:
                ending = Ending(kind)
            case _:
                raise ValueError("no failure")
        if ending not in expected:
            raise ValueError(f"a student's process can't say {ending}")
        return cls(ending, clean(detail), clean(place, 200))

    def reason(self, limits: RunLimits) -> str:
        """Return a sentence for the student about what happened."""
        where = f", in {self.place}" if self.place else ""
        at = f" at {self.state}" if self.state else ""
        never_ends = "; no line of the file was running just then: is it an iterator that never ends?"
        texts = {
            Ending.TIME_LIMIT: f"time limit: still running after {limits.seconds:g} s{where or never_ends}",
            Ending.MEMORY_LIMIT: f"memory limit: it asked for more than {limits.memory:,g} MB{where}",
            Ending.OUTPUT_LIMIT: f"output limit: it printed more than {limits.output:,g} kB; take the print statements "
            "out",
            Ending.DISK_LIMIT: "disk limit: it wrote more than 50 MB of files",
            Ending.EXPANSION_LIMIT: f"it asked for successors {self.detail} times{where}. There are far fewer states: "
            "it expands the same ones again and again; keep a set of the states that were reached",
            Ending.EXIT: f"it ended the program with {self.detail}{where}; return an answer instead",
            Ending.CRASH: f"crashed: {self.detail}",
            Ending.RAISED: f"raised {self.detail}{at}{where}{_advice(self.detail)}",
            Ending.GARBLED: "its answers can't be read: it wrote to a file descriptor that it has not opened, or "
            "closed it; print, and return an answer",
            Ending.STOPPED: "the grader was stopped before it came to this",
        }
        if self.ending is Ending.UNUSABLE and self.place:
            return f"loading the file raised {self.detail}{where}{_advice(self.detail)}"
        return texts.get(self.ending, self.detail)


def of_exit_code(code: int) -> Failure:
    """Return the reason why a process ended that did not report it."""
    if code == MEMORY_EXIT:
        return Failure(Ending.MEMORY_LIMIT)
    if 128 < code < 192:
        code = 128 - code  # a container reports the signal of its process in this way
    if code >= 0:
        return Failure(Ending.EXIT, f"exit code {code} (os._exit?)")
    name = next((one.name for one in signal.Signals if one.value == -code), f"signal {-code}")
    hints = {
        "SIGKILL": "; it was killed, perhaps because the machine ran out of memory",
        "SIGSEGV": "; often that is a recursion that is too deep",
    }
    return Failure(Ending.CRASH, f"{name}{hints.get(name, '')}")


def _advice(error: str) -> str:
    hints = {
        "RecursionError": "; use a loop with a stack of your own instead of recursion",
        "EOFError": "; nobody is there to answer input()",
        "PermissionError": "; other processes, the network and other files are out of reach here",
        "ModuleNotFoundError: No module named 'searchkit": "; write it yourself: searchkit is not there",
    }
    return next((hint for start, hint in hints.items() if error.startswith(start)), "")
