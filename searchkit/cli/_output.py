"""Writing to stdout, whose reader may stop reading: `searchkit solve … | head`."""

import json
import os
import sys
from contextlib import suppress


def silence_stdout() -> None:
    """Let all further output go nowhere, so that the interpreter's last flush does not fail either."""
    with suppress(OSError, ValueError):  # where stdout is no file, as in tests, nothing flushes it at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json(value: object) -> None:
    """Write `value` as one line of JSON, strictly valid: NaN and infinity raise ValueError."""
    line = json.dumps(value, allow_nan=False)
    try:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
