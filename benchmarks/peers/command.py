"""searchkit as machine code compared with other libraries, each in its own environment.

Every contender has its own process for each task. They search in turn, A B C A B C, and report the CPU time of each
search and, separately, of building its input. The answers are compared. If a library is not installed, fails or takes
too long, the row says so. A contender that takes more than half a second for a search is timed once.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from benchmarks import data
from benchmarks.contenders import OURS, ROOT, Row, Task, compare, table
from benchmarks.kit import RESULTS, document, keep

FOLDER = Path(__file__).parent
PEERS = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))
CONTENDERS = {
    name: f"benchmarks.peers.{name.replace('-', '_').replace(' ', '_')}"
    for name in (OURS, f"{OURS} jps", *PEERS)
}
"""name → module."""
ENVIRONMENTS = ROOT / ".benchmarks"
"""The default folder of the environments; git ignores it."""
STAMP = "requirements.txt"
"""The copy, in an environment, of what was installed there."""
LONG = 0.5
"""Seconds; a longer search is not repeated."""


def tasks(tiny: bool = False) -> Iterator[Task]:
    """Yield all tasks, full-sized or, for tests, tiny.

    | kind | arrays | the number on which all have to agree |
    |---|---|---|
    | `field` | `ground`, `source` | the sum of the distances of all cells from one, 4 moves |
    | `queries4`, `queries8` | `grounds`, `pairs` | the sum of the lengths of cheapest paths; no corners cut |
    | `graph` | `begins`, `heads`, `weights` | the sum of the distances of all nodes from node 0 |
    """
    side, nodes = (32, 100) if tiny else (data.SIDE, data.NODES)
    for name in data.GROUNDS:
        field = data.field(name, side)
        arrays = {"ground": field.ground, "source": np.array(field.source)}
        yield Task(f"field {name}", f"distance field, {side}², 4 moves, {name}", "field", arrays)
    queries = data.few_queries() if tiny else data.queries()
    for moves, rule in ((8, ", octile, no corner cutting"), (4, "")):
        title = f"{len(queries.pairs)} queries, {queries.grounds.shape[1]}², {moves} moves{rule}"
        arrays = {"grounds": queries.grounds, "pairs": queries.pairs}
        yield Task(f"queries {moves}", title, f"queries{moves}", arrays)
    sparse = data.sparse(nodes)
    arrays = {"begins": sparse.begins, "heads": sparse.heads, "weights": sparse.weights}
    yield Task("graph", f"Dijkstra, sparse digraph, {nodes:,} nodes", "graph", arrays)


def requirements(peer: str) -> str:
    """Return what a library needs, as `pip` reads it."""
    return (FOLDER / f"{peer}.txt").read_text(encoding="utf-8")


def python_of(contender: str, folder: Path) -> Path | None:
    """Return the Python of a contender; None if a library is not installed, or not as it is listed now."""
    if contender.startswith(OURS):
        return Path(sys.executable)
    stamp = folder / contender / STAMP
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != requirements(contender):
        return None
    return folder / contender / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def install(peer: str, folder: Path) -> str:
    """Make the environment of a library again; return what went wrong, "" if nothing did."""
    home = folder / peer
    interpreter = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    for step in (
        [sys.executable, "-m", "venv", "--clear", home],
        [interpreter, "-m", "pip", "install", "--quiet", "-r", FOLDER / f"{peer}.txt"],
    ):
        done = subprocess.run(list(map(str, step)), capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            return (done.stderr or done.stdout or f"exit code {done.returncode}").strip().splitlines()[-1]
    (home / STAMP).write_text(requirements(peer), encoding="utf-8")
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each task, and keep a complete run; return 1 if an answer of ours is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--install", action="store_true", help="make the environments first, from benchmarks/peers/*.txt"
    )
    names = [task.name for task in tasks(tiny=True)]
    parser.add_argument("--only", nargs="+", choices=names, help="these tasks only; writes no file")
    parser.add_argument("--peers", nargs="+", choices=PEERS, help="these libraries only; writes no file")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is timed (default 5)")
    parser.add_argument(
        "--budget", type=float, default=10, help="CPU seconds for each search and each building (default 10)"
    )
    parser.add_argument(
        "--environments", type=Path, default=ENVIRONMENTS, help="the folder of the environments (.benchmarks)"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write peers.json to")
    chosen = parser.parse_args(arguments)
    console, measured, titles = Console(width=130), list[Row](), dict[str, str]()
    peers = chosen.peers or PEERS
    with Console(stderr=True).status("") as status:
        for peer in peers if chosen.install else ():
            status.update(f"installing {peer}")
            console.print(f"{peer}: {install(peer, chosen.environments) or 'installed'}", markup=False)
        contenders = {
            name: module for name, module in CONTENDERS.items() if name.startswith(OURS) or name in peers
        }
        for task in tasks():
            if chosen.only and task.name not in chosen.only:
                continue
            rows = compare(
                task, contenders, OURS, chosen.rounds, chosen.budget, LONG,
                lambda name: python_of(name, chosen.environments), status.update,
            )  # fmt: skip
            console.print(table(task.title, rows))
            measured += rows
            titles[task.name] = task.title
    if not (chosen.only or chosen.peers):
        libraries = {peer: requirements(peer).splitlines()[0] for peer in PEERS}
        facts = {"titles": titles, "libraries": libraries, "rounds": chosen.rounds}
        keep("peers", document(measured, **facts), chosen.results)
    return int(any(row.contender == OURS and row.ratio is None for row in measured))
