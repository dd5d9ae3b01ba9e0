"""The answer of a contender, and whether it is correct."""

from typing import Any

from attrs import frozen

from benchmarks.python.domains.instance import Instance


class NotApplicableError(Exception):
    """A contender can't run a workload; the message is the reason."""


@frozen
class Answer:
    """The outcome of one search. `cost` is the path's or, where no state is a goal, the number of states seen."""

    cost: int
    states: tuple[Any, ...] = ()
    """The path; empty without one."""
    actions: tuple[Any, ...] | None = None
    """The actions on it; None for libraries that don't tell them."""


def fault(instance: Instance, answer: Answer) -> str:
    """Return what is wrong with a path by the problem's own definition; "" if nothing is."""
    if instance.goal is None:
        return ""
    if not answer.states or answer.states[0] != instance.start or answer.states[-1] != instance.goal:
        return "the path does not lead from the start to the goal"
    cost = 0
    for index, (state, successor) in enumerate(zip(answer.states, answer.states[1:], strict=False)):
        offers = {(action, to): step for to, step, action in instance.edges(state)}
        taken = [(action, to) for action, to in offers if to == successor]
        if not taken:
            return f"step {index + 1} of the path is not possible"
        if answer.actions is not None and (answer.actions[index], successor) not in offers:
            return f"action {index + 1} of the path does not lead to the next state"
        cost += offers[taken[0]]
    if cost != answer.cost:
        return f"the path costs {cost}, not {answer.cost} as was answered"
    return ""
