"""Simulated annealing."""

from collections.abc import Callable
from math import exp
from random import Random
from typing import Any

from searchkit.plugin import Parameter
from searchkit_local.methods.options import number, whole
from searchkit_local.problem import Steps, Value, random_state

ANNEALING_OPTIONS = (
    Parameter(
        "temperature",
        "the temperature at the beginning: a step that loses this much is taken with probability 1/e",
        default=1.0,
        convert=number(0, 1e300, "a number above 0"),
    ),
    Parameter(
        "cooling",
        "the factor by which the temperature falls with each step",
        default=0.999,
        convert=number(0, 1, "a number above 0 and up to 1"),
    ),
    Parameter("steps", "how many neighbours are tried", default=10_000, convert=whole(0)),
)


def simulated_annealing(
    problem: Any,
    value: Callable[[Any], Value],
    rng: Random,
    temperature: float = 1.0,
    cooling: float = 0.999,
    steps: int = 10_000,
) -> Steps:
    """Try a random neighbour; move there if it is better, otherwise with probability e^(loss / temperature).

    After each try the temperature falls by the factor `cooling`, so that losses become rare (Kirkpatrick, Gelatt and
    Vecchi 1983; the acceptance rule is that of Metropolis et al. 1953; Russell and Norvig, figure 4.5). A problem may
    have `random_successor(state, rng)`, which saves the making of all neighbours.

    Memory for one state and its neighbours.
    """
    one_of = getattr(problem, "random_successor", None) or (
        lambda state, rng: _drawn(list(problem.successors(state)), rng)
    )
    state = random_state(problem, rng)
    here = value(state)
    yield state, here
    for _ in range(steps):
        neighbour = one_of(state, rng)
        if neighbour is None:
            return "the state has no neighbours"
        new = value(neighbour)
        # `exp` of a large loss by a small temperature is 0.0; a temperature that has fallen to 0 takes no loss.
        if new >= here or (temperature > 0 and rng.random() < exp(max((new - here) / temperature, -745.0))):
            state, here = neighbour, new
        yield state, here
        temperature *= cooling
    return f"all {steps} steps were tried"


def _drawn(successors: list[tuple[Any, Any]], rng: Random) -> Any:
    return rng.choice(successors)[1] if successors else None
