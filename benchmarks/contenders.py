"""Contenders on the same task, in turn, each in a process of its own: the harness of `peers` and of `python`.

A contender is a module with

- one function for each kind of task that it can do. Its argument is a dictionary of arrays. It builds what is searched
  and returns the search: a function without arguments that returns a number, or an array of distances with infinity for
  unreachable places. It may also return a pair: a search, and a function that turns its answer into a number;
- `LIBRARIES`: the modules to import before the timing starts;
- `warm`, if it compiles or loads code at the first use: a function that triggers it;
- `EASIER`: kind → why its task is easier than searchkit's, if it is;
- `CANNOT`: why the other kinds are missing.

Contenders search in turn, A B C A B C, so that other load of the machine affects all of them, and report CPU time.
pyperf and pytest-benchmark measure one after the other, and in one environment.
"""

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Any

import numpy as np
from attrs import field, frozen, mutable
from rich.table import Table

from benchmarks.kit import Spread

ROOT = Path(__file__).parent.parent
OURS = "searchkit"
POLL = 0.25
"""Seconds after which a process that has not answered is looked at."""
PATIENCE = 10
"""How many times its CPU time a process may take by the clock."""
HEADINGS = ("contender", "build, ms", "search, ms", "ratio", "range", "with building", "remark")


@frozen(eq=False)
class Task:
    """One comparison."""

    name: str
    title: str
    kind: str
    """The name of the function in the modules of the contenders."""
    arrays: dict[str, Any]


@mutable
class Row:
    """One contender on one task. Times are CPU seconds."""

    task: str
    contender: str
    build: float = 0.0
    """Building what is searched, the additional time of the first search included."""
    first: float = 0.0
    """The first search."""
    seconds: list[float] = field(factory=list)
    """Of each search after the first; of that alone if it takes long."""
    value: float | None = None
    """What it has found."""
    ratio: Spread | None = None
    """Its searches to those of the baseline, round by round; None if there is nothing to compare."""
    ratio_with_building: float | None = None
    easier: str = ""
    """What makes its task smaller than ours."""
    cannot: str = ""
    """What the contender is for, if that is not this task."""
    problem: str = ""
    """Why there are no times, or why they don't count."""


class Process:
    """A contender's process, in the Python of its environment. Left as a context, the process is killed."""

    def __init__(self, python: str | Path, *, ours: bool = False):
        folders = [ROOT, ROOT / "plugins"] if ours else [ROOT]
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  # see __exit__
        self._process = subprocess.Popen(
            [str(python), "-m", "benchmarks.worker"],
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
            with suppress(OSError):  # a request may be left that nobody has read
                pipe.close()
        self._errors.close()


def cpu_seconds(process: int) -> float:
    """Return the CPU time that a process has taken so far; 0 where the system does not tell."""
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def compare(
    task: Task,
    contenders: Mapping[str, str],
    baseline: str,
    rounds: int,
    budget: float,
    long: float,
    python: Callable[[str], Path | None] = lambda name: Path(sys.executable),
    progress: Callable[[str], object] = lambda message: None,
) -> list[Row]:
    """Measure the contenders on one task.

    Args:
        task: the work.
        contenders: name → module.
        baseline: the contender to whose times ratios refer, and whose answer is right.
        rounds: how many times each is timed.
        budget: CPU seconds that a contender may take to build, and for each search.
        long: seconds; a longer search is not repeated.
        python: returns the Python that runs a contender; None if it is not installed.
        progress: called with what is being done.

    """
    rows, processes = [Row(task.name, name) for name in contenders], dict[str, Process]()
    with tempfile.TemporaryDirectory() as directory, ExitStack() as stack:
        file = str(Path(directory) / "task.npz")
        np.savez(file, **task.arrays)
        for row in rows:
            module = import_module(contenders[row.contender])
            row.cannot = "" if hasattr(module, task.kind) else module.CANNOT
            if row.cannot:
                continue
            interpreter = python(row.contender)
            if interpreter is None:
                row.problem = "not installed"
                continue
            progress(f"{task.title}: {row.contender} builds")
            row.easier = module.EASIER.get(task.kind, "")
            ours = interpreter == Path(sys.executable)
            process = processes[row.contender] = stack.enter_context(Process(interpreter, ours=ours))
            reply = process.ask({"module": module.__name__, "kind": task.kind, "file": file}, budget)
            row.problem, row.build = reply.get("problem", ""), reply.get("build", 0.0)
        for number in range(rounds + 1):  # the first of them warms up
            for row in rows:
                if row.cannot or row.problem or (row.seconds and row.seconds[0] > long):
                    continue
                progress(f"{task.title}: round {number} of {rounds}, {row.contender}")
                reply = processes[row.contender].ask({}, budget)
                row.problem = reply.get("problem", "")
                if row.problem:
                    continue
                row.value = reply["value"]
                row.first = row.first or reply["seconds"]
                if number or (reply["seconds"] > long and not row.contender.startswith(OURS)):
                    row.seconds.append(reply["seconds"])
    for row in rows:
        if row.seconds:
            row.build += max(0.0, row.first - median(row.seconds))
    judge(rows, baseline)
    return rows


def judge(rows: Sequence[Row], baseline: str) -> None:
    """Mark the rows whose answer is not that of the baseline, and give the others their ratios to it."""
    base = next((row for row in rows if row.contender == baseline and row.seconds), None)
    for row in rows:
        if row.value is None or base is None or base.value is None:
            continue
        if abs(row.value - base.value) > 1e-4 * abs(base.value):  # a library may count in single precision
            row.problem = f"wrong: {row.value:,.6g}, not {base.value:,.6g}"
        elif row.seconds and not row.problem:
            pairs = list(zip(row.seconds, base.seconds, strict=False))
            row.ratio = Spread.of([theirs / own for theirs, own in pairs])
            row.ratio_with_building = (row.build + median(row.seconds)) / (base.build + median(base.seconds))


def table(title: str, rows: Sequence[Row]) -> Table:
    """Return one task for the terminal."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.cannot:
            reasons.setdefault(row.cannot, []).append(row.contender)
    caption = "; ".join(f"{', '.join(names)}: only {reason}" for reason, names in reasons.items())
    drawn = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    for heading in HEADINGS:
        drawn.add_column(heading, justify="left" if heading in ("contender", "remark") else "right")
    for row in rows:
        if row.cannot:
            continue
        style = "bold" if row.contender.startswith(OURS) else "dim" if row.problem else ""
        if row.problem or not row.seconds:
            drawn.add_row(row.contender, "", "", "", "", "", row.problem, style=style)
            continue
        drawn.add_row(
            row.contender,
            f"{row.build * 1e3:,.0f}",
            f"{median(row.seconds) * 1e3:,.1f}",
            f"{row.ratio.median:.2f}" if row.ratio else "",
            f"{row.ratio.low:.2f}–{row.ratio.high:.2f}" if row.ratio else "",
            f"{row.ratio_with_building:.2f}" if row.ratio_with_building else "",
            row.easier,
            style=style,
        )
    return drawn
