"""Running a job in a separate process with limits on time, memory and output.

The process leads its own session and works in an empty directory that is removed afterwards. At its end, the whole
process group is killed. `student/guard.py` and `student/containment.py` limit what it can do until then.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from attrs import define, field, frozen

import searchkit
import searchkit_coursework
from searchkit_coursework.sandbox.endings import Ending, Failure, RunLimits
from searchkit_coursework.sandbox.service import Service
from searchkit_coursework.sandbox.supervision import Process, RefusedError, Supervision, WorkerError
from searchkit_coursework.student.containment import PROTECTIONS

OWN_SESSION = os.name == "posix"
ROOTS = tuple(
    dict.fromkeys(
        str(Path(module).parents[1]) for module in (searchkit.__file__, searchkit_coursework.__file__)
    )
)
"""The folders that searchkit and this plugin are imported from."""
BOOT = (
    "import os, sys; roots = sys.argv[1].split(os.pathsep); sys.path += roots; "
    "from searchkit_coursework.student.worker import run; del sys.path[-len(roots) :]; run()"
)
"""Neither `site` nor the index of packages is read: the job says which folders can be imported from."""
KEPT = ("SYSTEMROOT", "SYSTEMDRIVE", "TZ")


@frozen
class Outcome:
    """The result of a job."""

    failure: Failure
    """How it ended; `Ending.FINISHED` if nothing went wrong."""
    answers: tuple[Any, ...] = ()
    """For each map that was completed, the observation or a `Failure`; for a check, its answers."""
    printed: str = ""
    """The printed output of the student's code; only the beginning if it is long."""
    began: bool = False
    """Whether the student's file was loaded completely."""
    protections: tuple[str, ...] = ()
    """The members of `containment.PROTECTIONS` that were active."""

    @property
    def finished(self) -> bool:
        """Whether every map was completed."""
        return self.failure.ending is Ending.FINISHED


@define
class Sandbox:
    """Runs jobs, several at once if several threads run them. `stop` ends all of them."""

    stopped: bool = False
    alone: bool = True
    """Whether to try namespaces; False once the system has refused them."""
    _running: set[Process] = field(factory=set)
    _lock: Any = field(factory=Lock)

    def check(self, job: Mapping[str, Any], limits: RunLimits) -> Outcome:
        """Run a check (see `check_process.py`) and wait for its end. Raises `WorkerError`."""
        return self._run("checked", job, limits, None)

    def grade(self, job: Mapping[str, Any], limits: RunLimits, services: Sequence[Service]) -> Outcome:
        """Run a function on some maps (see `worker.py`), and wait for its end. Raises `WorkerError`."""
        try:
            return self._run("worker", job, limits, services)
        except RefusedError:
            self.alone = False
            return self._run("worker", job, limits, services)

    def stop(self) -> None:
        """End all running jobs, and refuse new ones."""
        self.stopped = True
        for process in tuple(self._running):
            process.kill()

    interrupt = stop

    def _run(
        self, worker: str, job: Mapping[str, Any], limits: RunLimits, services: Sequence[Service] | None
    ) -> Outcome:
        with tempfile.TemporaryDirectory(prefix="searchkit-", ignore_cleanup_errors=True) as directory:
            process = None
            try:
                with self._lock:
                    if self.stopped:
                        return Outcome(Failure(Ending.STOPPED))
                    process = self._start(worker, directory)
                    self._running.add(process)
                if self.stopped:  # while it was being started, in a signal handler
                    process.kill()
                supervision = Supervision(process, limits, services)
                failure = supervision.watch(job)
            except WorkerError:
                if not self.stopped:
                    raise
                return Outcome(Failure(Ending.STOPPED))
            finally:
                if process is not None:
                    self._running.discard(process)
                    process.kill()
                    process.popen.wait()
        answers = tuple(supervision.answers)
        protections = tuple(each for each in PROTECTIONS if each in supervision.protections)
        if self.stopped and failure.ending is not Ending.FINISHED:
            failure = Failure(Ending.STOPPED)
        return Outcome(failure, answers, supervision.shown, supervision.loaded, protections)

    def _start(self, worker: str, directory: str) -> Process:
        if worker == "checked":
            # The same import path as here; `-P`: without the working directory.
            path = os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path if entry)
            environment = os.environ | {"PYTHONPATH": path}
            start = ["-m", "searchkit_coursework.check_process"]
        else:
            environment = {name: os.environ[name] for name in KEPT if name in os.environ}
            environment |= {"HOME": directory, "TMPDIR": directory, "LANG": "C.UTF-8", "PATH": os.defpath}
            start = ["-S", "-s", "-c", BOOT, os.pathsep.join(ROOTS), *(["--alone"] if self.alone else [])]
        return Process(
            subprocess.Popen(
                [sys.executable, "-P", "-B", "-X", "utf8", *start],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                env=environment | {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"},
                start_new_session=OWN_SESSION,
            )
        )
