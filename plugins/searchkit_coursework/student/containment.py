"""Protections of the Linux kernel: Landlock for files, namespaces for the network and processes.

They need no privileges and can't be removed, not even by code that controls the whole interpreter. Old kernels, some
containers and other systems have only one of them or none.

Landlock: https://docs.kernel.org/userspace-api/landlock.html. Namespaces: unshare(2), user_namespaces(7).
"""

import ctypes
import os
import signal
import struct
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

FILES = "files (Landlock)"
NETWORK = "network and processes (namespaces)"
PROTECTIONS = (FILES, NETWORK)
"""All protections, as reports name them."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_BENEATH = 1
_NO_NEW_PRIVILEGES, _DEATH_SIGNAL = 38, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIRECTORY = 1, 2, 4, 8
_TRUNCATE, _DEVICES = 1 << 14, 1 << 15
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICES
_READ = _READ_FILE | _READ_DIRECTORY
_NEW_MOUNTS = 0x00020000
_BIND, _PRIVATE = 0x1000, 1 << 18 | 0x4000
_MOUNT_SETATTR, _AT_DIRECTORY, _ALL_BELOW, _READ_ONLY = 442, -100, 0x8000, 1
_NEW_USER, _NEW_NETWORK, _NEW_PROCESSES, _NEW_IPC = 0x10000000, 0x40000000, 0x20000000, 0x08000000


def confine(readable: Iterable[str], writable: Iterable[str], *, programs: bool = False) -> bool:
    """Restrict this process, and those that it starts, to these files and folders; return whether that succeeded.

    Network connections (Linux 6.7) and signals to other processes (Linux 6.12) are refused too.

    Args:
        readable: files and folders that may be read; those that do not exist are ignored.
        writable: files and folders that may be read and changed.
        programs: whether those that may be read may also be executed.

    """
    call = _system_call()
    if call is None:
        return False
    version = call(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    handled = (1 << 13) - 1 | sum(1 << bit for bit, since in ((13, 2), (14, 3), (15, 5)) if version >= since)
    attributes = struct.pack("=QQQ", handled, 3, 3)[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = call(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return False
    reading = _READ | (_EXECUTE if programs else 0)
    for paths, rights in ((readable, reading), (writable, handled & ~(0 if programs else _EXECUTE))):
        for path in paths:
            with suppress(OSError):
                beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
                right = rights if Path(path).is_dir() else rights & _FILE_RIGHTS
                call(_ADD_RULE, ruleset, _BENEATH, struct.pack("=Qi", right & handled, beneath), 0)
                os.close(beneath)
    held = _forbid_new_privileges() and call(_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return held


def isolate(tell: Callable[[int], None]) -> bool | None:
    """Continue in a new, isolated process: it has no network, and sees no processes but those that it starts.

    Outside of its working directory, it can't change any file, nor the mode or times of a file. The calling process
    waits for the new one and ends in the same way. It calls `tell` with the number of the new process, which can be
    killed by this number; all processes that it has started end with it.

    Returns:
        True in the new process. False if the system refuses; then nothing has changed. None if the system refuses a
        part of it; then this process can't be used any more.

    """
    libc = _libc()
    if libc is None or not hasattr(os, "fork"):
        return False
    user, group = os.getuid(), os.getgid()
    if libc.unshare(_NEW_USER | _NEW_MOUNTS | _NEW_NETWORK | _NEW_PROCESSES | _NEW_IPC) != 0:
        return False
    try:
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
        _make_read_only(libc, os.fsencode(Path.cwd()))
        waiting, told = os.pipe()
        process = os.fork()
    except OSError:
        return None
    if process == 0:
        libc.prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        os.close(told)
        os.read(waiting, 1)  # it continues only when the grader knows how to kill it
        os.close(waiting)
        return True
    tell(process)
    os.write(told, b"!")
    _end_as(process)
    return None


def _make_read_only(libc: Any, directory: bytes) -> None:
    """Make all file systems read-only, except for one directory. Kernels before 5.12 can't do this."""
    call = _system_call()
    if call is None or libc.mount(None, b"/", None, _PRIVATE, None) != 0:
        return
    if libc.mount(directory, directory, None, _BIND, None) != 0:
        return
    for place, flags, fixed, freed in ((b"/", _ALL_BELOW, _READ_ONLY, 0), (directory, 0, 0, _READ_ONLY)):
        attributes = struct.pack("=QQQQ", fixed, freed, 0, 0)
        call(_MOUNT_SETATTR, _AT_DIRECTORY, place, flags, attributes, len(attributes))
    os.chdir(directory)


def _end_as(process: int) -> None:
    """Wait for a process, and end in the same way."""
    import resource

    os.closerange(0, 64)  # so that the grader's pipes are closed when that process ends
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status < 0:
        with suppress(OSError, ValueError):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(max(status, 0))


def _libc() -> Any:
    if sys.platform != "linux":
        return None
    try:
        return ctypes.CDLL(None, use_errno=True)
    except OSError:
        return None


def _system_call() -> Callable[..., int] | None:
    libc = _libc()
    if libc is None:
        return None
    libc.syscall.restype = ctypes.c_long

    def call(number: int, *arguments: Any) -> int:
        given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
        result: int = libc.syscall(ctypes.c_long(number), *given)
        return result

    return call


def _forbid_new_privileges() -> bool:
    libc = _libc()
    return bool(libc is not None and libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0)
