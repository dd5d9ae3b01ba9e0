"""Where in the student's file something happened."""

import linecache
from collections.abc import Iterator
from types import FrameType, TracebackType


def place_of_frame(file: str, frame: FrameType | None) -> str:
    """Return the line of `file` that the frame, or the nearest one that called it, is in; empty if none is."""
    while frame is not None:
        if frame.f_code.co_filename == file:
            return _place(file, frame.f_lineno)
        frame = frame.f_back
    return ""


def place_of_error(file: str, trace: TracebackType | None) -> str:
    """Return the innermost line of `file` in a traceback; empty if it has none."""
    lines = [line for name, line in _lines(trace) if name == file]
    return _place(file, lines[-1]) if lines else ""


def _lines(trace: TracebackType | None) -> Iterator[tuple[str, int]]:
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


def _place(file: str, number: int) -> str:
    line = linecache.getline(file, number).strip()
    return f"line {number} ({line})" if line else f"line {number}"
