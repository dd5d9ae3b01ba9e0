"""The pipes of the grader."""

import os
import subprocess
import sys
from threading import Event, Thread
from typing import Any

import pytest

from searchkit_coursework.sandbox.endings import RunLimits
from searchkit_coursework.sandbox.supervision import Process, Supervision


def test_nothing_is_written_to_a_file_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A map is being sent while the process is given up: the number of the pipe is that of no other file then."""
    popen = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE, bufsize=0
    )
    supervised = Supervision(Process(popen), RunLimits(seconds=1, memory=256), [])
    writes, go, is_open = Event(), Event(), list[bool]()

    def write(descriptor: int, data: Any) -> int:
        writes.set()
        assert go.wait(60)
        try:
            os.fstat(descriptor)
            is_open.append(True)
        except OSError:
            is_open.append(False)
        return len(data)

    with monkeypatch.context() as patch:
        patch.setattr("searchkit_coursework.sandbox.supervision.os.write", write)
        writer = Thread(target=supervised._write, args=(b"a map\n",))
        writer.start()
        assert writes.wait(60)
        closer = Thread(target=supervised._close_input)
        closer.start()
        closer.join(0.1)  # it has to wait for the writer
        go.set()
        writer.join()
        closer.join()
    assert is_open == [True]
    assert popen.stdin is not None
    assert popen.stdin.closed
    supervised._write(b"another map\n")  # nothing happens
    popen.kill()
    popen.wait()
