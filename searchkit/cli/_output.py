"""Writing to stdout, whose reader may stop reading: `searchkit solve … | head`."""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress


def silence_stdout() -> None:
    """Let all further output go nowhere, so that the interpreter's last flush does not fail either."""
    with suppress(OSError, ValueError):  # where stdout is no file, as in tests, nothing flushes it at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


SCHEMA = 1
"""The version of the form of all `--json` outputs: docs/reference/json.md.

It goes up where a field is removed, renamed or changes its meaning; not where one is added.
"""


def write_json(command: str, value: Mapping[str, object]) -> None:
    """Write what a command prints with `--json` as one line, strictly valid: NaN and infinity raise ValueError.

    Before the fields of `value` stand the version of their form and the command.
    """
    line = json.dumps({"schema": SCHEMA, "command": command, **value}, allow_nan=False)
    try:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
