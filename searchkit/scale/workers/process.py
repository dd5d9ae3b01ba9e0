"""A process that runs tasks for another one: started with its pipes as standard input and output.

It runs one task after the other and keeps nothing between them. It ends when its standard input ends, in the middle of
a task too: so it does not outlive the process that started it, whichever way that ends. It also ends by SIGTERM. Either
way, what was registered with `atexit` is run, such as what ends processes that a task has started. What tasks print
goes to standard error.
"""

import atexit
import os
import signal
import sys
from queue import SimpleQueue
from threading import Thread
from typing import IO

from searchkit.scale.workers.packing import answer_of, outcome_of, receive, send, unpacked

READY = b"ready"


def main() -> None:
    """Run tasks until the other process closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    signal.signal(signal.SIGTERM, lambda number, frame: _end())
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 # Path is not needed otherwise
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    asked: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(tasks, asked), daemon=True).start()
    send(answers, READY)
    while True:
        answer = _answer(asked.get())
        try:
            send(answers, answer)
        except OSError:
            os._exit(1)
        del answer


def _answer(message: bytes) -> bytes:
    right, value = outcome_of(unpacked, (message,))
    del message
    return answer_of(outcome_of(*value) if right else (right, value))


def _listen(tasks: IO[bytes], asked: "SimpleQueue[bytes]") -> None:
    try:
        while True:
            asked.put(receive(tasks))
    except (EOFError, OSError):
        _end()


def _end() -> None:
    """End this process, whatever its main thread does."""
    try:
        atexit._run_exitfuncs()
        sys.stderr.flush()
    finally:
        os._exit(0)
