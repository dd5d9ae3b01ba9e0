"""The parent's side of a worker process."""

import json
import os
import select
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parent.parent.parent
POLL = 0.25
"""Seconds after which a process that is silent is looked at."""
PATIENCE = 10
"""How many times as long as its CPU time a process may take by the clock."""


class Process:
    """A contender at work, in the Python of its environment. Left as a context, the process is ended."""

    def __init__(self, python: str | Path, *, ours: bool = False):
        folders = [ROOT, ROOT / "plugins"] if ours else [ROOT]
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  # see __exit__
        self._process = subprocess.Popen(
            [str(python), "-m", "benchmarks.peers.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        )
        self._read = b""

    def ask(self, request: dict[str, str], seconds: float) -> dict[str, Any]:
        """Return the reply to a request, or {"problem": …} if it takes more than that many seconds of CPU time."""
        process = self._process
        begin, waited = cpu_seconds(process.pid), 0
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            return {"problem": self._last_words()}
        while b"\n" not in self._read:
            if select.select([process.stdout], [], [], POLL)[0] == []:
                waited += 1
                if cpu_seconds(process.pid) - begin > seconds or waited * POLL > PATIENCE * seconds:
                    process.kill()
                    return {"problem": f"over {seconds:g} s"}
                continue
            part = os.read(process.stdout.fileno(), 65536)
            if not part:
                return {"problem": self._last_words()}
            self._read += part
        line, _, self._read = self._read.partition(b"\n")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _last_words(self) -> str:
        """Return how the process ended: the last line that it wrote to its standard error."""
        code = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines()
        return lines[-1] if lines else f"its process ended with exit code {code}"

    def __enter__(self) -> "Process":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process = self._process
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):  # what was to be written has no reader any more
                pipe.close()
        self._errors.close()


def cpu_seconds(process: int) -> float:
    """Return the CPU time that a process has taken so far; 0 where the system does not tell."""
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
