"""The pipes between the grader and a student's process.

The grader writes pickled values. The process writes lines of JSON, on a pipe that the student's code does not print to;
the grader does not trust what the process writes.
"""

import json
import os
import pickle
import sys
from contextlib import suppress
from typing import Any, NoReturn

MEMORY_EXIT = 77
"""The exit code of the worker if there is not enough memory left to report that."""


class Channel:
    """The original stdin and stdout of the process. For the student's code, stdin is empty and stdout is stderr."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._input, self._output = os.fdopen(os.dup(0), "rb"), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def receive(self) -> Any:
        """Return the next value of the grader. End the process if there are no more."""
        try:
            return pickle.load(self._input)
        except EOFError:
            leave()

    def send(self, message: Any) -> None:
        """Write one message: an object for the grader, or a list, which is a question about the problem."""
        line = memoryview(json.dumps(message).encode() + b"\n")
        while line:
            line = line[os.write(self._output, line) :]

    def ask(self, *question: Any) -> Any:
        """Return the grader's answer to a question about the problem."""
        self.send(question)
        return self.receive()

    def end(self, kind: str, detail: str = "", place: str = "") -> NoReturn:
        """Report how the job ended, and end the process at once, without running `finally` and `except` clauses."""
        self.send({"end": {"kind": kind, "detail": detail, "place": place}})
        leave()


def leave() -> NoReturn:
    """Flush what was printed, and end the process without running exit handlers of the student's code."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(0)
