"""What the engines share: costs of plans, entering a plan into the tree, and importing machine code."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from importlib import import_module
from typing import Any

from searchkit import Cost
from searchkit.tree import SearchTree
from searchkit_robots.capability import Location, MultiAgent

MAX_ENTERED = 1 << 10
"""The steps of robots that are entered before the limits are looked at: some milliseconds."""
WAIT_SECONDS = 0.02


def combined(problem: MultiAgent, costs: Sequence[Cost]) -> Cost:
    """Return the joint cost of robots, or of groups of robots, by the objective of the problem."""
    return max(costs) if problem.objective == "makespan" else sum(costs)


def enter_plan(
    problem: Any, tree: SearchTree[Any, Any], paths: Sequence[Sequence[Location]], only_better: bool = False
) -> None:
    """Enter a plan into the tree as the incumbent, at once at the end. Raises what `tree.poll` raises.

    Args:
        problem: the problem.
        tree: the tree.
        paths: the locations of each robot at times 0, 1, 2, …; it stays at the last one.
        only_better: leave the tree as it is if its incumbent costs no more.

    """
    arrivals: dict[Any, tuple[Cost, Any, Any]] = {}
    cost: Cost = 0
    before, work = None, 0
    for action, state in problem.joint_steps(paths):
        if before is not None:
            cost += problem.cost(before, action, state)
        arrivals[state] = cost, before, None if before is None else action
        before, work = state, work + len(paths)
        if work >= MAX_ENTERED:
            tree.poll()
            work = 0
    if not only_better or tree.incumbent is None or cost < tree.incumbent:
        tree.reached.clear()
        tree.reached.update(arrivals)
        tree.incumbent, tree.goal = cost, before


def import_in_thread(module: str, poll: Callable[[], object]) -> Any:
    """Import a module, with Numba and all else that it needs. Raises what `poll` raises, and `MissingExtraError`."""
    pool = ThreadPoolExecutor(1)
    future = pool.submit(import_module, module)
    pool.shutdown(wait=False)
    while wait([future], WAIT_SECONDS).not_done:
        poll()
    return future.result()
