"""Keys that are pressed in a terminal, one by one, without Enter."""

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from time import monotonic, sleep
from typing import Any, Protocol

TERMINAL = "/dev/tty"
"""The terminal of the process, whatever its stdin is."""
ESCAPE_SECONDS = 0.05
"""A key that sends several characters sends them within this time."""
SEQUENCES = {
    "[D": "left",
    "OD": "left",
    "[C": "right",
    "OC": "right",
    "[H": "home",
    "OH": "home",
    "[1~": "home",
    "[7~": "home",
    "[F": "end",
    "OF": "end",
    "[4~": "end",
    "[8~": "end",
    "[5~": "page up",
    "[6~": "page down",
}
"""What follows ESC in the sequences of keys, on the terminals in use."""
PREFIXES = "\x00\xe0"
"""The first of the two characters of such a key on Windows, …"""
CODES = {"K": "left", "M": "right", "G": "home", "O": "end", "I": "page up", "Q": "page down"}
"""… and the second one."""


class Keys(Protocol):
    """Where keys are read from."""

    def read(self, seconds: float | None) -> str:
        """Wait for a key, at most so many seconds (None: any time), and return its name; "" if none was pressed.

        Printable characters are their own names. The end of the input is `q`.
        """
        ...


def has_keyboard(*, beside_stdin: bool = False) -> bool:
    """Whether keys can be read: stdin is a terminal; or, with `beside_stdin`, the process has one besides."""
    if sys.stdin is not None and sys.stdin.isatty():
        return True
    if not beside_stdin:
        return False
    if sys.platform == "win32":
        return True
    try:
        os.close(os.open(TERMINAL, os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


@contextmanager
def pressed_keys() -> Iterator[Keys]:
    """Read keys from the terminal while the block runs: that of stdin, or if stdin is none, that of the process.

    However the block ends, the terminal is as it was before.
    """
    if sys.platform == "win32":
        yield WindowsKeys()
        return
    import termios
    import tty

    opened = None if has_keyboard() else os.open(TERMINAL, os.O_RDONLY | os.O_NOCTTY)
    terminal = sys.stdin.fileno() if opened is None else opened
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)  # Ctrl-C keeps its meaning
        yield PosixKeys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        if opened is not None:
            os.close(opened)


class PosixKeys:
    """The keys of a terminal in which each character is delivered at once."""

    def __init__(self, terminal: int):
        self.terminal = terminal
        self.waiting = ""
        """Characters that were read and not used yet."""

    def read(self, seconds: float | None) -> str:
        """See `Keys`."""
        if not self.waiting and not self._more(seconds):
            return ""
        if not self.waiting:
            return "q"
        first, self.waiting = self.waiting[0], self.waiting[1:]
        if first != "\x1b":
            return "space" if first == " " else first
        if not self.waiting:
            self._more(ESCAPE_SECONDS)
        for sequence, name in SEQUENCES.items():
            if self.waiting.startswith(sequence):
                self.waiting = self.waiting[len(sequence) :]
                return name
        self.waiting = ""  # another key with a sequence, or ESC itself
        return "escape"

    def _more(self, seconds: float | None) -> bool:
        """Wait for characters. Return whether there are any, or the input has ended."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        self.waiting += os.read(self.terminal, 64).decode("utf-8", "ignore")
        return True


class WindowsKeys:
    """The keys of a Windows console. Keys without a character of their own arrive as two: a prefix, then a code."""

    def __init__(self) -> None:
        self.console: Any = import_module("msvcrt")  # it is on Windows only

    def read(self, seconds: float | None) -> str:
        """See `Keys`."""
        end = None if seconds is None else monotonic() + seconds
        while not self.console.kbhit():
            if end is not None and monotonic() >= end:
                return ""
            sleep(0.01)
        first = self.console.getwch()
        if first in PREFIXES and self.console.kbhit():  # "à", which is the same character, comes alone
            return CODES.get(self.console.getwch(), "escape")
        if first == "\x03":
            raise KeyboardInterrupt
        if first == "\x1a":  # Ctrl-Z, the end of the input there
            return "q"
        return "space" if first == " " else "escape" if first in ("\x1b", "\x00") else first
