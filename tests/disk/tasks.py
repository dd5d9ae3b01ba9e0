"""Tasks for the tests of workers. Other processes import this module."""

import os
import signal
import threading
import time
from pathlib import Path


class OddError(Exception):
    """An error whose constructor needs two arguments and keeps one text."""

    def __init__(self, what: str, where: str):
        super().__init__(f"{what} in {where}")


def square(number: int) -> int:
    """Return the square."""
    return number * number


def pid() -> int:
    """Return the id of the process that runs this."""
    return os.getpid()


def size(data: bytes) -> tuple[int, bytes]:
    """Return how long the data are, and the data."""
    return len(data), data


def fail(kind: str) -> None:
    """Raise an error."""
    if kind == "odd":
        raise OddError("a fault", "a task")
    raise KeyError(kind)


def say(text: str) -> str:
    """Print a text, and return what can be read from standard input."""
    print(text)
    with open(0, closefd=False) as stdin:
        return stdin.read()


def mark(path: str, seconds: float = 0.0) -> int:
    """Add a line to a file, sleep, and return the id of the process."""
    with Path(path).open("a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(seconds)
    return os.getpid()


def die_until(path: str, times: int) -> int:
    """Kill the own process the first `times` times; then return how often this was called."""
    with Path(path).open("a") as file:
        file.write("x")
    called = Path(path).stat().st_size
    if called <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return called


def give_lock() -> object:
    """Return something that can't be sent."""
    return threading.Lock()
