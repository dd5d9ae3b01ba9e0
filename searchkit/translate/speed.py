"""How fast Python and machine code expand the same states."""

from collections.abc import Iterable
from time import thread_time
from typing import Any

import numpy as np

from searchkit.problem import has_cost, has_heuristic
from searchkit.translate.translation import Translation

LEAST = 2_000
"""So many states are expanded by each call of machine code, so that the call itself does not count."""


def speed(translation: Translation, states: Iterable[Any], seconds: float = 0.05) -> tuple[float, float]:
    """Return how many seconds of CPU time Python and machine code take to expand one of these states.

    Both do the same for each state that is no goal: they ask whether it is one, take its heuristic value, and make its
    successors with their costs. They take turns, for about so many seconds in all; the least time counts. Returns zeros
    if no state is expanded.
    """
    problem, layout, machine = translation.problem, translation.layout, translation.machine
    states = [state for state in states if _is_expanded(problem, state)]
    if not states:
        return 0.0, 0.0
    mask = (1 << 64) - 1
    packed = np.array(
        [[number >> 64 * word & mask for word in range(layout.words)] for number in map(layout.pack, states)],
        np.uint64,
    )
    packed = np.tile(packed, (-(-LEAST // len(states)), 1))
    out, costs = (
        np.zeros((translation.branching + 1, layout.words), np.uint64),
        np.zeros(translation.branching + 1),
    )
    goal, value = np.zeros(1, np.int64), np.zeros(1)
    pointers = [array.ctypes.data for array in (packed, out, costs, goal, value)]
    with_cost, with_heuristic = has_cost(problem), has_heuristic(problem)

    def in_python() -> None:
        for state in states:
            problem.is_goal(state)
            if with_heuristic:
                problem.heuristic(state)
            for action, successor in problem.successors(state):
                if with_cost:
                    problem.cost(state, action, successor)

    def in_machine_code() -> None:
        machine.check_all(pointers[0], len(packed), *pointers[1:])

    least, taken = [float("inf")] * 2, 0.0
    while taken < seconds:
        for way, (expand, count) in enumerate(((in_python, len(states)), (in_machine_code, len(packed)))):
            started = thread_time()
            expand()
            spent = thread_time() - started
            least[way] = min(least[way], spent / count)
            taken += spent
    return least[0], least[1]


def _is_expanded(problem: Any, state: Any) -> bool:
    """Whether a search would expand a state, and Python does not raise."""
    try:
        if problem.is_goal(state):
            return False
        for _ in problem.successors(state):
            pass
    except Exception:
        return False
    return True
