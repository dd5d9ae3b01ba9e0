"""A sample of the states of a problem: those that a search meets first, and some that random walks reach."""

import random
from collections import deque
from collections.abc import Sequence
from itertools import islice
from time import thread_time
from typing import Any

from attrs import define, field

from searchkit.translate.values import TranslationError

MAX_SUCCESSORS = 4096
"""A state with more successors stays in Python, where a limit can stop within its expansion."""
WALKS, WALK_STEPS = 12, 80
"""Random walks show states far from the start, where numbers are larger and sets smaller."""
ENOUGH = 1_000
"""So many states that a search has met need no random walks."""


@define
class Sample:
    """Some states in the order in which they were met, and the most successors that one of them has."""

    states: list[Any] = field(factory=list)
    branching: int = 1


def edges_of(problem: Any, state: Any) -> list[Any]:
    """Return the (action, successor) pairs of a state that is no goal. Raises `TranslationError` if they are many."""
    found = list(islice(problem.successors(state), MAX_SUCCESSORS + 1))
    if len(found) > MAX_SUCCESSORS:
        raise TranslationError(f"a state with more than {MAX_SUCCESSORS} successors")
    return found


def profile(problem: Any, most: int = 1_500, seconds: float = 0.5, given: Sequence[Any] = ()) -> Sample:
    """Return a sample of the states of a problem, made in about so many seconds of CPU time.

    Args:
        problem: the problem.
        most: how many states are met breadth-first, if none are given; random walks add some.
        seconds: how long that may take.
        given: states that were met before, in that order: these are taken, and what they lead to.

    """
    sample, end = Sample(), thread_time() + seconds
    seen: dict[Any, None] = dict.fromkeys(given)
    waiting: deque[Any] = deque()
    for state in problem.initial_states():
        if state not in seen:
            seen[state] = None
            waiting.append(state)
    starts = list(seen)
    expanded: dict[Any, list[Any]] = {}

    def successors(state: Any) -> list[Any]:
        found = expanded.get(state)
        if found is None:
            try:
                found = [] if problem.is_goal(state) else [pair[1] for pair in edges_of(problem, state)]
            except TranslationError:
                raise
            except Exception:  # the search says so, if it comes there
                found = []
            expanded[state] = found
            sample.branching = max(sample.branching, len(found))
        return found

    for place in (0, 1, 2, 3):  # from the whole sequence, if time is short
        for state in given[place::4]:
            if thread_time() > end:
                break
            seen.update(dict.fromkeys(successors(state)))
    while waiting and len(seen) < most and thread_time() < end:
        for successor in successors(waiting.popleft()):
            if successor not in seen:
                seen[successor] = None
                waiting.append(successor)
    order = random.Random(0)
    for _ in range(WALKS if starts and len(given) < ENOUGH else 0):
        state = order.choice(starts)
        for _ in range(WALK_STEPS):
            found = successors(state)
            if not found or thread_time() > end + seconds:
                break
            state = order.choice(found)
            seen.setdefault(state)
    sample.states = list(seen)
    return sample
