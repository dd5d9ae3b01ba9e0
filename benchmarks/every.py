"""The figures of the documentation, measured again in one command: `python -m benchmarks all [REFERENCE.cpp]`.

Each part is a command of its own, and runs in a process of its own, so that none finds the caches and the memory of
another one. Long parts run with fewer rounds than by themselves. A part that would pass the time is stopped, and those
after it are left out; both are said at the end. Without a C++ reference, the parts that need it are left out. Install
the environments of the other libraries first, with `python -m benchmarks peers --install`. The commands `auto` and
`power` are not parts of it: each takes as long as all of these.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import monotonic

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.documents import RESULTS

MINUTES = 20.0
WRONG_USE = 2


@frozen
class Part:
    """One command, and what it is asked for."""

    command: str
    options: tuple[str, ...] = ()
    reference: bool = False
    """Whether it compares with the C++ reference."""


PARTS = (
    Part("limit", ("--seconds", "2"), reference=True),
    Part("memory", reference=True),
    Part("overhead"),
    Part("growth"),
    Part("player"),
    Part("peers", ("--rounds", "2")),
    Part("korf"),
    Part("scale"),
    Part("python", ("--rounds", "1", "--budget", "5")),
)
"""The parts, those that are quick or matter most first. Each writes its results."""


@frozen
class Outcome:
    """How one part ended."""

    part: Part
    said: str
    """`measured`, or why it was not."""
    seconds: float = 0.0
    code: int = 0


def run(part: Part, words: Sequence[str], seconds: float) -> Outcome:
    """Run a part for so many seconds at most."""
    command = [sys.executable, "-m", "benchmarks", part.command, *words]
    begin = monotonic()
    try:
        code = subprocess.run(command, timeout=max(seconds, 0.001), check=False).returncode
    except subprocess.TimeoutExpired:
        return Outcome(part, "stopped: the time is over", monotonic() - begin, 1)
    said = "measured" if code == 0 else f"ended with {code}"
    return Outcome(part, said, monotonic() - begin, code)


def table(outcomes: Sequence[Outcome]) -> Table:
    """Return what was measured, and how long it took."""
    drawn = Table()
    for heading in ("part", "", "minutes"):
        drawn.add_column(heading, justify="right" if heading == "minutes" else "left")
    for outcome in outcomes:
        drawn.add_row(outcome.part.command, outcome.said, f"{outcome.seconds / 60:.1f}")
    drawn.add_row("all", "", f"{sum(outcome.seconds for outcome in outcomes) / 60:.1f}")
    return drawn


def measure(
    parts: Sequence[Part],
    words: Callable[[Part], Sequence[str] | None],
    minutes: float,
) -> list[Outcome]:
    """Run the parts, one after the other; `words` returns their arguments, or None for a part to leave out."""
    begin, outcomes = monotonic(), list[Outcome]()
    for part in parts:
        left = minutes * 60 - (monotonic() - begin)
        arguments = words(part)
        if arguments is None:
            outcomes.append(Outcome(part, "left out: it needs the C++ reference"))
        elif left <= 0:
            outcomes.append(Outcome(part, "left out: the time is over", code=1))
        else:
            print(f"\n{part.command}\n", flush=True)
            outcomes.append(run(part, arguments, left))
            if outcomes[-1].code == WRONG_USE:
                break
    return outcomes


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all; return 2 where a part can't be run, such as without a compiler, otherwise 1 where one failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reference", nargs="?", help="the C++ source to measure against")
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help=f"for all parts together (default {MINUTES:.0f})"
    )
    parser.add_argument("--only", nargs="+", choices=[part.command for part in PARTS], help="these parts")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write to")
    chosen = parser.parse_args(arguments)

    def words(part: Part) -> list[str] | None:
        if part.reference and chosen.reference is None:
            return None
        first = [chosen.reference] if part.reference else []
        return [*first, *part.options, "--results", str(chosen.results)]

    parts = [part for part in PARTS if chosen.only is None or part.command in chosen.only]
    outcomes = measure(parts, words, chosen.minutes)
    Console(width=100).print(table(outcomes))
    if chosen.results == RESULTS and any(outcome.said == "measured" for outcome in outcomes):
        import_module("benchmarks.plot").main([])
    codes = {outcome.code for outcome in outcomes}
    return WRONG_USE if WRONG_USE in codes else int(codes != {0})
