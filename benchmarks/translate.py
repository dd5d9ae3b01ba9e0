"""Which problems in plain Python become machine code, what that costs, and what it gains.

Every bundled example, and problems as students write them (`benchmarks/students.py`), are searched by the
engine that `auto` chooses (or `bfs`, if that has no machine code) in Python and as machine code made from the Python,
and by the view that somebody wrote, where there is one. Each problem has a process of its own, so that a crash is a row
of the table. Times are CPU seconds; making is sample, translation, LLVM and comparison, and is not in the others.
"""

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from attrs import asdict, frozen
from rich.console import Console

from benchmarks.kit import RESULTS, document, keep
from benchmarks.students import STUDENTS
from searchkit import Limits, load, solve
from searchkit.plugin.registry import registry
from searchkit.search.auto import choose_engine

EXPANSIONS, FEW, ROUNDS = 30_000, 500, 3
"""The limit of a search, and that of `bfs` where `auto` would choose an engine that has no form for it."""
ENOUGH = 0.5
"""A search in Python that takes so many seconds is not repeated."""
LONG = 0.02
"""Searches that take Python so many seconds count for the ratios."""
TIMEOUT = 100
LEFT_OUT = {"warehouse", "random32"}
"""Many robots: a state of them has millions of successors."""


@frozen
class Row:
    """One problem."""

    name: str
    engine: str
    reason: str = ""
    """Why it is not translated; "" if it is."""
    bits: int = 0
    making: float = 0.0
    """Seconds of CPU time, as in the next three."""
    expanded: int = 0
    python: float = 0.0
    translated: float = 0.0
    view: float | None = None
    """By the view that somebody wrote; None if there is none."""
    equal: bool = True
    """Whether status, cost, path and counters are those of Python."""


def cpu_seconds() -> float:
    """Return the CPU time of this process, and of those that it started and that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def names() -> list[str]:
    """Return the names of all problems that are measured."""
    examples = [
        example.name if example.name not in registry().problems else kind
        for kind, spec in registry().problems.items()
        for example in spec.examples
    ]
    return [name for name in (*examples, *STUDENTS) if name not in LEFT_OUT]


def measured(name: str, expansions: int) -> Row:
    """Translate and search one problem, in this process."""
    from searchkit.translate.view import Maker

    problem: Any = STUDENTS[name]() if name in STUDENTS else load(name)
    spec = choose_engine(problem)[0]
    fits = spec.kernel and spec.kernel_needs_view  # not those of plugins, which have forms of their own
    engine = spec.name if fits else "bfs"
    limits, maker, making = Limits(expansions=expansions if fits else FEW), Maker(problem, seconds=1.0), 0.0

    def timed(call: Callable[[], Any]) -> tuple[float, Any]:
        begin = cpu_seconds()
        result = call()
        return cpu_seconds() - begin, result

    while True:
        try:
            if maker.stopped:
                maker.widen()  # as a search does
            taken, made = timed(maker.make)
        except Exception as error:
            return Row(name, engine, f"{error}"[:300] or type(error).__name__)
        making += taken
        translated: Any = maker.problem_with_view()
        first = solve(translated, engine, backend="compiled", limits=limits)
        if first.backend == "compiled":
            break
    ways: dict[str, tuple[Any, str]] = {"python": (problem, "python"), "translated": (translated, "compiled")}
    if hasattr(problem, "compiled"):
        ways["view"] = problem, "compiled"
    best, outcomes = dict.fromkeys(ways, float("inf")), {}
    for turn in range(ROUNDS):
        for way, (subject, backend) in ways.items():
            if way == "python" and turn and best[way] > ENOUGH:
                continue
            taken, found = timed(partial(solve, subject, engine, backend=backend, limits=limits))
            best[way], outcomes[way] = min(best[way], taken), outcome(found)
    return Row(
        name, engine, "", made[0].layout.bits, making, outcomes["python"][2], best["python"],
        best["translated"], best.get("view"), outcomes["python"] == outcomes["translated"],
    )  # fmt: skip


def outcome(result: Any) -> tuple[Any, ...]:
    """Return what has to be equal."""
    counters, found = result.statistics, result.solution
    path = None if found is None else (found.states, found.actions)
    return result.status, result.cost, counters.expanded, counters.generated, counters.reached, path


def row_of(name: str, expansions: int) -> Row:
    """Measure one problem in a process of its own."""
    words = ("benchmarks", "translate", "--one", name, "--expansions", str(expansions))
    command = [sys.executable, "-m", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        return Row(**json.loads(done.stdout.splitlines()[-1]))
    except subprocess.TimeoutExpired:
        return Row(name, "", f"no end within {TIMEOUT} s", equal=False)
    except (IndexError, ValueError):
        last = (done.stderr.splitlines() or [""])[-1]
        return Row(name, "", f"exit code {done.returncode}: {last}"[:300], equal=False)


def cells(row: Row) -> str:
    """Return a row of the table."""
    start = f"{row.name:<17}{row.engine:<10}"
    if row.reason:
        return f"{start}no: {row.reason}"
    ratio = f"× {row.python / row.translated:.1f}"
    view = "" if row.view is None else f"{row.translated / row.view:.2f} of the view"
    same = "" if row.equal else "NOT EQUAL"
    return (
        f"{start}{row.bits:>4} bits {row.making:6.2f} s {row.expanded:>7,} {row.python * 1e3:9.1f} ms "
        f"{row.translated * 1e3:8.1f} ms  {ratio:<9}{view} {same}"
    )


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the share that was translated, how long that took, and the ratios of searches that are long enough."""
    made = [row for row in rows if not row.reason]
    making = sorted(row.making for row in made)
    ratios = sorted(row.python / row.translated for row in made if row.python >= LONG)
    views = [row.translated / row.view for row in made if row.view and row.python >= LONG]
    return {
        "problems": len(rows),
        "translated": len(made),
        "making": {"median": median(making), "90 %": making[int(0.9 * len(making))]},
        "times Python": {"median": median(ratios), "least": ratios[0]} if ratios else None,
        "of the view": {"median": median(views), "most": max(views)} if views else None,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a table, row by row; return 1 if results differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problem", action="append", help="only this one (may be repeated); writes no file")
    parser.add_argument("--expansions", type=int, default=EXPANSIONS, help="the limit of each search")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder for translate.json")
    given = parser.parse_args(arguments)
    if given.one:
        print(json.dumps(asdict(measured(given.one, given.expansions))))
        return 0
    console, rows = Console(highlight=False), list[Row]()
    for name in given.problem or names():
        rows.append(row_of(name, given.expansions))
        console.print(cells(rows[-1]), soft_wrap=True, markup=False)
    facts = summary(rows) if any(not row.reason for row in rows) else {}
    console.print_json(data=facts)
    if not given.problem:
        keep("translate", document(rows, expansions=given.expansions, summary=facts), given.results)
    return 0 if all(row.equal for row in rows) else 1
