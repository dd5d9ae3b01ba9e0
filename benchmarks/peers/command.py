"""searchkit as machine code compared with other libraries, each in its own environment.

Every contender has its own process for each task. They search in turn, A B C A B C, and report the CPU time of each
search and, separately, of building its input; the additional time of the first search counts as building. The answers
are compared. If a library is not installed, fails or takes too long, the row says so. A contender that takes more
than half a second for a search is timed once.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from rich.console import Console

from benchmarks.kit.documents import RESULTS, document, keep
from benchmarks.kit.spread import Spread
from benchmarks.peers import OURS, PEERS, module
from benchmarks.peers.environments import DEFAULT, install, python, requirements
from benchmarks.peers.process import Process
from benchmarks.peers.tables import Row, table
from benchmarks.peers.tasks import Task, tasks

CONTENDERS = (OURS, f"{OURS} jps", *PEERS)
LONG = 0.5
"""Seconds; a longer search is not repeated."""


def compare(
    task: Task,
    contenders: Iterable[str] = CONTENDERS,
    folder: Path = DEFAULT,
    rounds: int = 5,
    budget: float = 20.0,
    progress: Callable[[str], object] = lambda message: None,
) -> list[Row]:
    """Measure the contenders on one task.

    Args:
        task: the work.
        contenders: ours, which are run by this Python, and names in `PEERS`.
        folder: where the environments of the peers are.
        rounds: how many times each is timed.
        budget: CPU seconds that a contender may take to build, and for each search.
        progress: told what is being done.

    """
    rows, processes = [Row(task.name, name) for name in contenders], dict[str, Process]()
    budget *= task.budget
    with TemporaryDirectory() as directory, ExitStack() as stack:
        file = str(Path(directory) / "task.npz")
        np.savez(file, **task.arrays)
        for row in rows:
            ours = row.contender.startswith(OURS)
            adapter = import_module(module(row.contender))
            row.cannot = "" if hasattr(adapter, task.kind) else adapter.CANNOT
            if row.cannot:
                continue
            interpreter = Path(sys.executable) if ours else python(row.contender, folder)
            if interpreter is None:
                row.problem = "not installed"
                continue
            progress(f"{task.title}: {row.contender} builds")
            row.easier = adapter.EASIER.get(task.kind, "")
            process = processes[row.contender] = stack.enter_context(Process(interpreter, ours=ours))
            request = {"module": module(row.contender), "kind": task.kind, "file": file}
            reply = process.ask(request, budget)
            row.problem, row.build = reply.get("problem", ""), reply.get("build", 0.0)
        for number in range(rounds + 1):  # the first of them warms up
            for row in rows:
                if row.cannot or row.problem or (row.seconds and row.seconds[0] > LONG):
                    continue
                progress(f"{task.title}: round {number} of {rounds}, {row.contender}")
                reply = processes[row.contender].ask({}, budget)
                row.problem = reply.get("problem", "")
                if row.problem:
                    continue
                row.value = reply["value"]
                row.first = row.first or reply["seconds"]
                if number or (reply["seconds"] > LONG and not row.contender.startswith(OURS)):
                    row.seconds.append(reply["seconds"])
    for row in rows:
        if row.seconds:
            row.build += max(0.0, row.first - row.median)
    judge(rows)
    return rows


def judge(rows: Sequence[Row]) -> None:
    """Mark the rows whose answer is not ours, and give the others their ratios to ours."""
    ours = next((row for row in rows if row.contender == OURS and row.seconds), None)
    for row in rows:
        if row.value is None or ours is None or ours.value is None:
            continue
        if abs(row.value - ours.value) > 1e-4 * abs(ours.value):  # a library may count in single precision
            row.problem = f"wrong: {row.value:,.6g}, not {ours.value:,.6g}"
        elif row.seconds and not row.problem:
            pairs = list(zip(row.seconds, ours.seconds, strict=False))
            row.ratio = Spread.of([theirs / own for theirs, own in pairs])
            row.ratio_with_building = (row.build + row.median) / (ours.build + ours.median)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each task, and keep a complete run; return 1 where an answer of ours is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--install", action="store_true", help="make the environments first, from benchmarks/peers/*.txt"
    )
    parser.add_argument("--only", nargs="+", metavar="TASK", help="these tasks only; writes no file")
    parser.add_argument("--peers", nargs="+", choices=PEERS, help="these libraries only; writes no file")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is timed (default 5)")
    parser.add_argument(
        "--budget", type=float, default=10, help="CPU seconds for each search and each building (default 10)"
    )
    parser.add_argument(
        "--environments",
        type=Path,
        default=DEFAULT,
        help="the folder of the environments (default .benchmarks)",
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write peers.json to")
    chosen = parser.parse_args(arguments)
    names = [task.name for task in tasks(tiny=True)]
    unknown = sorted(set(chosen.only or ()) - set(names))
    if unknown:
        parser.error(f"--only {' '.join(unknown)}: there are the tasks {', '.join(map(repr, names))}")
    console, errors = Console(width=130), Console(stderr=True)
    measured, titles = list[Row](), dict[str, str]()
    peers = chosen.peers or PEERS
    with errors.status("") as status:
        for peer in peers if chosen.install else ():
            status.update(f"installing {peer}")
            fault = install(peer, chosen.environments)
            console.print(f"{peer}: {fault or 'installed'}", markup=False)
        contenders = [name for name in CONTENDERS if name.startswith(OURS) or name in peers]
        for task in tasks():
            if chosen.only and task.name not in chosen.only:
                continue
            rows = compare(task, contenders, chosen.environments, chosen.rounds, chosen.budget, status.update)
            console.print(table(task.title, rows))
            measured += rows
            titles[task.name] = task.title
    if not (chosen.only or chosen.peers):
        libraries = {peer: requirements(peer).splitlines()[0] for peer in PEERS}
        facts = {"rounds": chosen.rounds, "budget": chosen.budget, "titles": titles, "libraries": libraries}
        keep("peers", document(measured, **facts), chosen.results)
    return int(any(row.contender == OURS and row.ratio is None for row in measured))
