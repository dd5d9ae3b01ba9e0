"""Protections of the Linux kernel that a process asks for itself: Landlock for files, seccomp for system calls.

They need no privileges and can't be removed, not even by code that controls the whole interpreter. Since there can be
no second process, the limits of one process are limits of the total.

Landlock: https://docs.kernel.org/userspace-api/landlock.html. seccomp: seccomp(2); the numbers are those of the system
calls on x86-64 and on arm64.
"""

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

FILES, CALLS = "Landlock", "seccomp"

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF, _BENEATH = 444, 445, 446, 1
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIRECTORY, _TRUNCATE, _DEVICES = 1, 2, 4, 8, 1 << 14, 1 << 15
_MAKE_DIRECTORY = 1 << 7  # a folder that can't be read, or lies very deep, hides files from who counts them
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _DEVICES
_CAPABILITIES = 0x20080522
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine → the column of `_DENIED`, and the audit architecture that a filter sees."""
_DENIED = """
fork 57 -, vfork 58 -, execve 59 221, execveat 322 281, unshare 272 97, setns 308 268, prctl 157 167
memfd_create 319 279, memfd_secret 447 447, shmget 29 194, semget 64 190, msgget 68 186, mq_open 240 180
socket 41 198, io_uring_setup 425 425, userfaultfd 323 282, bpf 321 280, perf_event_open 298 241
ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, tkill 200 130, rt_sigqueueinfo 129 138
rt_tgsigqueueinfo 297 240, pidfd_open 434 434, pidfd_send_signal 424 424, pidfd_getfd 438 438
chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -, fchownat 260 54
utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7
add_key 248 217, request_key 249 218, keyctl 250 219, mount 165 40, chroot 161 51, personality 135 92
"""
_CLONE, _CLONE3, _SIGNALS = (56, 220), 435, ((62, 129), (234, 131))
_THREAD = 0x10000


def confine(readable: Iterable[str], writable: Iterable[str]) -> list[str]:
    """Restrict this process to these files and folders and to itself; return the protections that are active.

    Other processes, programs, the network, new folders and the modes of files are out of reach afterwards.

    Args:
        readable: files and folders that may be read; those that do not exist are ignored. If empty, files are not
            restricted: the process is in a container already.
        writable: files and folders that may be read and changed.

    """
    if sys.platform != "linux":
        return []
    try:
        libc = ctypes.CDLL(None, use_errno=True)
    except OSError:
        return []
    libc.syscall.restype = ctypes.c_long
    nothing = struct.pack("=6I", *[0] * 6)
    libc.capset(struct.pack("=Ii", _CAPABILITIES, 0), nothing)  # root has none of its privileges
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return []
    names = [FILES] if readable and _restrict_files(libc, readable, writable) else []
    return [*names, CALLS] if _restrict_calls(libc) else names


def _restrict_files(libc: Any, readable: Iterable[str], writable: Iterable[str]) -> bool:
    def call(number: int, *arguments: Any) -> int:
        given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
        result: int = libc.syscall(ctypes.c_long(number), *given)
        return result

    version = call(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    handled = (1 << 13) - 1 | sum(1 << bit for bit, since in ((13, 2), (14, 3), (15, 5)) if version >= since)
    attributes = struct.pack("=QQQ", handled, 3, 3)[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = call(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return False
    writing = handled & ~(_EXECUTE | _MAKE_DIRECTORY)
    for paths, rights in ((readable, _READ_FILE | _READ_DIRECTORY), (writable, writing)):
        for path in paths:
            with suppress(OSError):
                beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
                right = rights if Path(path).is_dir() else rights & _FILE_RIGHTS
                call(_ADD_RULE, ruleset, _BENEATH, struct.pack("=Qi", right & handled, beneath), 0)
                os.close(beneath)
    held = call(_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return held


def _restrict_calls(libc: Any) -> bool:
    if platform.machine() not in _MACHINES or sys.maxsize < 2**32:
        return False
    column, architecture = _MACHINES[platform.machine()]
    program = b"".join(_program(column, architecture))
    code = ctypes.create_string_buffer(program, len(program))
    whole = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    return bool(libc.prctl(_SET_SECCOMP, _FILTER, whole, 0, 0) == 0)


def _program(column: int, architecture: int) -> Iterator[bytes]:
    """Yield the instructions of a filter (classic BPF) that answers denied calls with the error EPERM."""

    def load(offset: int) -> bytes:
        return struct.pack("=HBBI", 0x20, 0, 0, offset)

    def unless(
        value: int, skipped: int, code: int = 0x15
    ) -> bytes:  # 0x15: equal, 0x35: at least, 0x45: has bits
        return struct.pack("=HBBI", code, 0, skipped, value)

    def result(error: int) -> bytes:
        return struct.pack("=HBBI", 6, 0, 0, 0x50000 | error if error else 0x7FFF0000)

    yield from (load(4), unless(architecture, 1), struct.pack("=HBBI", 5, 0, 0, 1), result(1))
    yield from (load(0), unless(0x40000000, 1, 0x35), result(1))  # x32
    for entry in _DENIED.replace("\n", ",").split(","):
        if entry and entry.split()[1 + column] != "-":
            yield from (unless(int(entry.split()[1 + column]), 1), result(1))
    yield from (unless(_CLONE3, 1), result(38))  # the library then uses clone
    yield from (unless(_CLONE[column], 4), load(16), unless(_THREAD, 1, 0x45), result(0), result(1))
    for call in _SIGNALS:
        yield from (unless(call[column], 4), load(16), unless(os.getpid(), 1), result(0), result(1))
    yield result(0)
