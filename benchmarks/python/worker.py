"""The process of one contender for one workload; it shares imports and memory with no other contender."""

import gc
import signal
from math import ceil
from multiprocessing.connection import Connection
from time import thread_time

from attrs import frozen

from benchmarks.python.answer import NotApplicableError, fault
from benchmarks.python.contenders import load
from benchmarks.python.domains.instance import Counter
from benchmarks.python.workloads import WORKLOADS

SAMPLE_SECONDS = 0.2
"""A sample repeats the search until it takes about this long; a single short one is all hiccups of the machine."""


@frozen
class Reply:
    """What the worker says. `problem` is empty unless something went wrong."""

    cost: int = 0
    expanded: int = 0
    seconds: float = 0.0
    """CPU time."""
    problem: str = ""


def serve(connection: Connection, contender: str, workload: str, tiny: bool) -> None:
    """Answer the parent's requests until it closes the connection.

    A request is "count", which comes first, or "time", with the CPU seconds that it may take.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    signal.signal(signal.SIGPROF, give_up)
    work = Work(contender, workload, tiny)
    while True:
        try:
            request, budget = connection.recv()
        except EOFError:
            return
        try:
            signal.setitimer(signal.ITIMER_PROF, budget)
            reply = work.count() if request == "count" else work.time()
        except BudgetError:
            reply = Reply(problem=f"over {budget:g} s")
        except NotApplicableError as reason:
            reply = Reply(problem=str(reason))
        except Exception as error:  # whatever a library raises is a row of the table
            reply = Reply(problem=f"raised {type(error).__name__}: {error}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        try:
            connection.send(reply)
        except OSError:  # the parent has lost patience
            return


class BudgetError(BaseException):
    """The CPU time is used up. Not an `Exception`, so that no library takes it for one of its own."""


def give_up(number: int, frame: object) -> None:
    """Handle the timer's signal."""
    raise BudgetError


class Work:
    """One contender on one workload."""

    def __init__(self, contender: str, workload: str, tiny: bool):
        self.module = load(contender)
        self.workload = WORKLOADS[workload](tiny)
        self.repeats = 0

    def count(self) -> Reply:
        """Run once, counting expansions, and check every path step by step. Nothing is timed."""
        counter = Counter()
        answers = self.module.prepare(self.workload.counted(counter), counter)()
        expanded = counter.calls
        faults = [fault(*pair) for pair in zip(self.workload.instances, answers, strict=True)]
        cost = sum(answer.cost for answer in answers)
        return Reply(cost, expanded, problem=next(filter(None, faults), ""))

    def time(self) -> Reply:
        """Return the CPU seconds of one run: one long one, or the mean of several short ones.

        No contender waits or has threads, so that this is what each would take on a machine of its own. (The
        time of the thread, because an armed timer makes the clock of the process a coarse one.)
        """
        if not self.repeats:
            self.run = self.module.prepare(self.workload, None)
            gc.collect()
            gc.freeze()  # what a library holds beforehand is nothing to be looked through during its search
            begin = thread_time()
            self.run()
            self.repeats = ceil(SAMPLE_SECONDS / max(thread_time() - begin, 1e-6))
        gc.collect()
        begin = thread_time()
        for _ in range(self.repeats):
            answers = self.run()
        seconds = (thread_time() - begin) / self.repeats
        return Reply(sum(answer.cost for answer in answers), seconds=seconds)
