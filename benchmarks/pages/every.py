"""The figures of the documentation, measured again in one command: `python -m benchmarks all [REFERENCE.cpp]`.

Each part is a command of its own, and runs in a process of its own, so that none finds the caches and the memory of
another one. Long parts run with fewer rounds than by themselves. Each part has the minutes that it usually takes, and
what is left of the whole time beyond those of the later parts; after that it is stopped. A part that fails, or that
needs a program which is missing, says so in one line, and the others are measured all the same: run it by itself to see
more. Without a C++ reference, the parts that need it are left out.

Install the environments of the other libraries first, with `python -m benchmarks peers --install`. The commands `auto`
and `power` are not parts of it, since each takes as long as all of these; nor is `versions`, which needs other versions
of Python.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import IO, Any

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.kit.documents import RESULTS
from benchmarks.kit.machine import this_machine

MINUTES = 20.0
MEASURED = "measured"


@frozen
class Part:
    """One command, and what it is asked for."""

    command: str
    minutes: float
    """What it takes on a machine of two cores that does nothing else: reserved for it while earlier parts run."""
    options: tuple[str, ...] = ()
    reference: bool = False
    """Whether it compares with the C++ reference."""


PARTS = (
    Part("limit", 3, ("--seconds", "2"), reference=True),
    Part("memory", 0.7, reference=True),
    Part("overhead", 1.2),
    Part("growth", 2),
    Part("player", 1.3),
    Part("peers", 2.5, ("--rounds", "2")),
    Part("korf", 0.7),
    Part("scale", 5),
    Part("python", 2.5, ("--rounds", "1", "--budget", "5")),
)
"""The parts, those that are quick or matter most first. Each writes its results."""


@frozen
class Outcome:
    """How one part ended."""

    part: str
    said: str
    """`measured`, or why it was not."""
    seconds: float = 0.0
    failed: bool = False


def run(part: Part, words: Sequence[str], seconds: float) -> Outcome:
    """Run a part for so many seconds at most; then it is killed, and so are the processes that it has started."""
    command = [sys.executable, "-m", "benchmarks", part.command, *words]
    begin = monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(command, stderr=errors, start_new_session=True)
        try:
            code = process.wait(max(seconds, 0.001))
        except subprocess.TimeoutExpired:
            said = f"stopped after {seconds / 60:.1f} minutes: later parts need the rest of the time"
            return Outcome(part.command, said, monotonic() - begin, failed=True)
        finally:
            _kill(process)
        said = MEASURED if code == 0 else f"failed: {_last_line(errors) or f'exit code {code}'}"
    return Outcome(part.command, said, monotonic() - begin, failed=code != 0)


def _kill(process: "subprocess.Popen[Any]") -> None:
    """Kill a part that still runs, and the processes that it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait()


def _last_line(errors: IO[str]) -> str:
    errors.seek(0)
    lines = [line.strip() for line in errors if line.strip()]
    return lines[-1].removeprefix("error: ") if lines else ""


def table(outcomes: Sequence[Outcome]) -> Table:
    """Return what was measured, and how long it took."""
    drawn = Table()
    drawn.add_column("part")
    drawn.add_column("", no_wrap=True)
    drawn.add_column("minutes", justify="right", min_width=len("minutes"))
    for outcome in outcomes:
        drawn.add_row(outcome.part, outcome.said, f"{outcome.seconds / 60:.1f}")
    drawn.add_row("all", "", f"{sum(outcome.seconds for outcome in outcomes) / 60:.1f}")
    return drawn


def measure(
    parts: Sequence[Part],
    words: Callable[[Part], Sequence[str] | None],
    minutes: float,
) -> list[Outcome]:
    """Run the parts, one after the other; `words` returns their arguments, or None for a part to leave out."""
    end, outcomes = monotonic() + minutes * 60, list[Outcome]()
    for number, part in enumerate(parts):
        arguments = words(part)
        if arguments is None:
            outcomes.append(Outcome(part.command, "left out: it needs the C++ reference"))
            continue
        later = sum(other.minutes for other in parts[number + 1 :] if words(other) is not None)
        left = (end - monotonic()) / 60
        own = max(left - later, part.minutes * left / (part.minutes + later))
        print(f"\n{part.command}\n", flush=True)
        outcomes.append(run(part, arguments, own * 60))
        if outcomes[-1].failed:
            print(f"{part.command}: {outcomes[-1].said}", file=sys.stderr, flush=True)
    return outcomes


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all; return 1 if a part failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reference", nargs="?", type=Path, help="the C++ source to measure against")
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help=f"for all parts together (default {MINUTES:.0f})"
    )
    parser.add_argument("--only", nargs="+", choices=[part.command for part in PARTS], help="these parts")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write to")
    chosen = parser.parse_args(arguments)
    if chosen.minutes <= 0:
        parser.error("--minutes: expected a number above 0")
    if chosen.reference is not None and not chosen.reference.is_file():
        parser.error(f"{chosen.reference} is not a file; expected the C++ source to measure against")

    def words(part: Part) -> list[str] | None:
        if part.reference and chosen.reference is None:
            return None
        first = [str(chosen.reference)] if part.reference else []
        return [*first, *part.options, "--results", str(chosen.results)]

    print(this_machine())
    parts = [part for part in PARTS if chosen.only is None or part.command in chosen.only]
    outcomes = measure(parts, words, chosen.minutes)
    if chosen.results == RESULTS and any(outcome.said == MEASURED for outcome in outcomes):
        failed = import_module("benchmarks.pages.plot").main([]) != 0
        outcomes.append(Outcome("plot", "failed: see above" if failed else "drawn", failed=failed))
    Console(width=140).print(table(outcomes))
    return int(any(outcome.failed for outcome in outcomes))
