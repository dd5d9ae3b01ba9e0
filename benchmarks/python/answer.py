"""The answer of a contender, and whether it is correct."""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from benchmarks.python.problems import Instance, workload


@frozen
class Answer:
    """The outcome of one search. `cost` is the path's or, if no state is a goal, the number of states seen."""

    cost: int
    states: tuple[Any, ...] = ()
    """The path; empty without one."""
    actions: tuple[Any, ...] | None = None
    """The actions on it; None for libraries that don't return them."""


Searches = tuple[Callable[[], list[Answer]], Callable[[list[Answer]], float]]
"""The search of a contender, and what makes a number of its answers."""


def instances(arrays: dict[str, Any]) -> list[Instance]:
    """Return the problems of a task."""
    return workload(str(arrays["workload"]), bool(arrays["tiny"]))[1]


def searches(arrays: dict[str, Any], search: Callable[[Any], Answer], make: Any = None) -> Searches:
    """Return what runs `search` on each problem of a task, in the form that `make` gives it beforehand."""
    given = instances(arrays)
    problems = given if make is None else [make(instance) for instance in given]
    return lambda: [search(problem) for problem in problems], lambda answers: total(given, answers)


def total(given: list[Instance], answers: list[Answer]) -> float:
    """Return the sum of the costs. Raises `ValueError` if a path is invalid."""
    for instance, answer in zip(given, answers, strict=True):
        problem = fault(instance, answer)
        if problem:
            raise ValueError(problem)
    return float(sum(answer.cost for answer in answers))


def fault(instance: Instance, answer: Answer) -> str:
    """Return what is wrong with a path by the problem's own definition; "" if nothing is."""
    if instance.goal is None:
        return ""
    if not answer.states or answer.states[0] != instance.start or answer.states[-1] != instance.goal:
        return "the path does not lead from the start to the goal"
    cost = 0
    for index, (state, successor) in enumerate(zip(answer.states, answer.states[1:], strict=False)):
        taken = [(action, step) for to, step, action in instance.edges(state) if to == successor]
        if not taken or (answer.actions is not None and answer.actions[index] != taken[0][0]):
            return f"step {index + 1} of the path is not possible"
        cost += taken[0][1]
    return "" if cost == answer.cost else f"the path costs {cost}, not {answer.cost} as was answered"
