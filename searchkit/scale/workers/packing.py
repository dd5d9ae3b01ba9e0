"""Messages between this process and the processes that it started: tasks, results and errors, pickled.

Only our own processes exchange them, by pipes; nothing is unpickled from a file.

What is defined in the script that runs, or at a prompt, belongs to the module `__main__`, which is another module in
another process. `cloudpickle` sends such definitions by value. Where it is not installed, they are an error: the
script is not run again to get them, as `multiprocessing` does, which starts whatever the script starts.
"""

import io
import pickle
import reprlib
import socket
import struct
import traceback
from collections.abc import Callable
from types import FunctionType
from typing import IO, Any

from searchkit.errors import MissingExtraError, WorkerError, shortened

LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], message: bytes) -> None:
    """Write a message. Raises OSError if the other process has ended."""
    stream.write(LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Read a message. Raises EOFError if the other process has ended."""
    return _exactly(stream, LENGTH.unpack(_exactly(stream, LENGTH.size))[0])


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("the other process has ended")
    return data


class _OfScriptError(Exception):
    """Something of the script itself has to be pickled; the argument is its name."""


class _Pickler(pickle.Pickler):
    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, type | FunctionType) and thing.__module__ == "__main__":
            raise _OfScriptError(thing.__qualname__)
        return NotImplemented


def packed(value: Any, what: Callable[[], str]) -> bytes:
    """Return a value as bytes for another process; `what` returns its name for errors.

    Raises:
        MissingExtraError: the value needs definitions of the script that runs, and cloudpickle is not installed.
        WorkerError: it can't be pickled.

    """
    buffer = io.BytesIO()
    try:
        _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    except Exception as error:  # a class may raise anything
        return _by_value(value, what, error)
    return buffer.getvalue()


def _by_value(value: Any, what: Callable[[], str], error: Exception) -> bytes:
    """Return the bytes that cloudpickle makes. Raises `WorkerError` or `MissingExtraError`."""
    try:
        import cloudpickle  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        if isinstance(error, _OfScriptError):
            raise MissingExtraError(
                f"{what()} needs {error}, which is defined in the script itself, and other processes do not run that: "
                "move it to a module that the script imports, or run: pip install cloudpickle"
            ) from None
        raise WorkerError(_refused(what(), error)) from error
    try:
        data: bytes = cloudpickle.dumps(value)
    except Exception as second:
        raise WorkerError(_refused(what(), second)) from second
    return data


def _refused(what: str, error: Exception) -> str:
    return f"{what} can't be sent to another process: {type(error).__name__}: {error}"


def unpacked(message: bytes) -> Any:
    """Return what `packed` has made a message of.

    Raises `WorkerError` if this process lacks the modules for it, or what an object raises that does not fit here.
    """
    try:
        return pickle.loads(message)
    except WorkerError:
        raise
    except BaseException as error:  # the modules that are imported may raise anything
        raise WorkerError(
            f"what is sent to other processes can't be read on {socket.gethostname()}: {type(error).__name__}: "
            f"{error}; they need the modules that define it"
        ) from error


def named(task: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """Return a task as messages show it: its name, and its arguments in short."""
    function = getattr(task, "func", task)  # of a functools.partial
    listed = ", ".join(reprlib.repr(argument) for argument in arguments)
    return f"{getattr(function, '__qualname__', type(function).__name__)}({shortened(listed, 200)})"


def outcome_of(task: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    """Run a task; return (True, result), or (False, error): the error that it raised, with its traceback as a note."""
    try:
        return True, task(*arguments)
    except BaseException as error:
        return False, _noted(error)


def _noted(error: BaseException) -> BaseException:
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    error.add_note("in another process:\n" + "".join(lines).rstrip())
    error.__traceback__ = None
    return error


def answer_of(outcome: tuple[bool, Any]) -> bytes:
    """Return an outcome as bytes. One that can't be sent becomes a `WorkerError` that says so."""
    right, value = outcome
    try:
        data = packed(outcome, lambda: "the result of the task")
        if not right:  # the constructor of an error may need other arguments than those that it keeps
            pickle.loads(data)
        return data
    except Exception as error:
        if right:
            return packed((False, WorkerError(str(error))), lambda: "an error")
        replacement = WorkerError(f"{type(value).__name__}: {value}")
        for note in getattr(value, "__notes__", ()):
            replacement.add_note(str(note))
        return packed((False, replacement), lambda: "an error")
