"""Runs the contenders in turn – A B C, A B C, … – so that other load of the machine affects all of them."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import cast

from attrs import field, frozen, mutable

from benchmarks.kit.machine import installed
from benchmarks.kit.spread import Spread
from benchmarks.python.contenders import BASELINE, CONTENDERS, load, package
from benchmarks.python.worker import Reply, serve
from benchmarks.python.workloads import WORKLOADS

Progress = Callable[[str], object]


@mutable
class Row:
    """One contender on one workload."""

    contender: str
    cost: int | None = None
    expanded: int | None = None
    problem: str = ""
    """Why there are no times, or why they don't count."""
    easier: str = ""
    """What makes the contender's task smaller than ours, by its module's `EASIER`."""
    seconds: list[float] = field(factory=list)
    """CPU time of each round."""


@frozen
class Comparison:
    """All contenders on one workload."""

    workload: str
    title: str
    rows: tuple[Row, ...]

    def row(self, contender: str) -> Row | None:
        """Return the row of a contender; None where it did not take part."""
        return next((row for row in self.rows if row.contender == contender), None)

    def ratio(self, contender: str, to: str = BASELINE) -> Spread | None:
        """Return the ratio of the two contenders' times, taken round by round; None where one has no times."""
        above, below = self.row(contender), self.row(to)
        if above is None or below is None or above.problem or below.problem:
            return None
        ratios = [a / b for a, b in zip(above.seconds, below.seconds, strict=False)]
        return Spread.of(ratios) if ratios else None


class Worker:
    """The parent's end of a worker process. Left as a context, the process is ended."""

    def __init__(self, contender: str, workload: str, tiny: bool):
        context = get_context("spawn")  # a fork would inherit the parent's imports and heap
        self.connection, theirs = context.Pipe()
        arguments = (theirs, contender, workload, tiny)
        self.process: BaseProcess = context.Process(target=serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()  # else the end of the process would not end the connection

    def ask(self, request: str, budget: float) -> Reply:
        """Return the reply to a request that may take `budget` seconds of CPU time."""
        try:
            self.connection.send((request, budget))
            return cast(Reply, self.connection.recv())
        except (EOFError, OSError):
            return Reply(problem="its process died")

    def __enter__(self) -> "Worker":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def compare(
    workload: str,
    *,
    contenders: Iterable[str] = tuple(CONTENDERS),
    rounds: int = 5,
    budget: float = 60.0,
    tiny: bool = False,
    progress: Progress = lambda message: None,
) -> Comparison:
    """Measure the contenders on one workload.

    Args:
        workload: a name in `WORKLOADS`.
        contenders: names in `CONTENDERS`; the baseline gives the cost that all others have to find.
        rounds: how many times each is timed.
        budget: seconds of CPU time that the counting run may take; who needs more is out. Who needs more
            than a round's share of it for a timed run is timed once.
        tiny: the workload's small version, for tests.
        progress: told what is being done.

    """
    rows = [Row(name, easier=load(name).EASIER) for name in contenders]
    workers: dict[str, Worker] = {}
    with ExitStack() as stack:
        for row in rows:
            distribution = package(row.contender)
            if distribution and installed(distribution) is None:
                row.problem = "not installed"
                continue
            progress(f"{workload}: {row.contender} counts")
            worker = workers[row.contender] = stack.enter_context(Worker(row.contender, workload, tiny))
            reply = worker.ask("count", budget)
            row.problem = reply.problem
            if not reply.problem:
                row.cost, row.expanded = reply.cost, reply.expanded
        check_costs(rows)
        for number in range(1, rounds + 1):
            for row in rows:
                if row.problem or (row.seconds and row.seconds[0] > budget / rounds):
                    continue
                progress(f"{workload}: round {number} of {rounds}, {row.contender}")
                reply = workers[row.contender].ask("time", 3 * budget)  # a build, a warm-up and a run
                row.problem = reply.problem
                row.seconds.append(reply.seconds)
    return Comparison(workload, WORKLOADS[workload](tiny).title, tuple(rows))


def check_costs(rows: Iterable[Row]) -> None:
    """Mark the rows whose cost is not the baseline's, which was checked step by step."""
    expected = next((row.cost for row in rows if row.contender == BASELINE), None)
    for row in rows:
        if expected is not None and row.cost is not None and row.cost != expected:
            row.problem = f"wrong: cost {row.cost}, not {expected}"
