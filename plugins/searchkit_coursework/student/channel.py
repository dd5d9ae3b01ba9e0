"""The pipes between the grader and a student's process.

The grader writes frames (`values.frame`), the process lines of JSON, where nothing that the student's code prints gets
in. What the process writes is data from a stranger, and read as such.
"""

import json
import marshal
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

from searchkit_coursework.student.values import HEAD

MEMORY_EXIT = 77
"""The worker's exit code where there was not even the memory left to say so."""


class Channel:
    """What were stdin and stdout when the process began; from then on stdin is empty, and stdout goes to stderr."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._input, self._output = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def receive(self) -> Any:
        """Return the next frame; end the process where there is none any more."""
        data = self._read()
        size = HEAD.size
        while len(data) < size or len(data) < (size := HEAD.size + HEAD.unpack_from(data)[0]):
            data += self._read()  # a long frame comes in pieces
        return marshal.loads(memoryview(data)[HEAD.size :])  # the grader's own

    def send(self, message: Any) -> None:
        """Write one message, an object for the supervisor or a list for the problem's server."""
        line = memoryview(json.dumps(message).encode() + b"\n")
        while line:
            line = line[os.write(self._output, line) :]

    def end(self, kind: str, detail: str = "", place: str = "") -> NoReturn:
        """Say how the job ended, and end the process at once: no `finally`, no `except` of the student's is run."""
        self.send({"end": {"kind": kind, "detail": detail, "place": place}})
        leave()

    def _read(self) -> bytes:
        data = os.read(self._input, 1 << 16)
        return data or leave()


def leave() -> NoReturn:
    """End the process, with what was printed, and without anything that the student's code left for its end."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(0)
