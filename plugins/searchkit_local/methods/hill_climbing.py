"""Hill climbing."""

from collections.abc import Callable
from random import Random
from typing import Any

from searchkit.plugin import Parameter
from searchkit_local.methods.options import whole
from searchkit_local.problem import Steps, Value, random_state

HILL_CLIMBING_OPTIONS = (
    Parameter(
        "sideways",
        "how many moves in a row may lead to a neighbour that is equally good",
        default=0,
        convert=whole(0),
    ),
    Parameter(
        "restarts",
        "how often the search begins again at a random state when it is stuck",
        default=0,
        convert=whole(0),
    ),
)


def hill_climbing(
    problem: Any, value: Callable[[Any], Value], rng: Random, sideways: int = 0, restarts: int = 0
) -> Steps:
    """Move to the best neighbour, until none is better (steepest ascent; Russell and Norvig, figure 4.2).

    Among equally good neighbours, one is drawn. With `sideways`, so many moves in a row may lead to a neighbour that is
    as good as the state itself, which crosses flat ground. With `restarts`, a search that is stuck begins again at a
    random state; with enough of them, it finds a best state with probability 1.

    Each step looks at all neighbours. Memory for one state and its neighbours.
    """
    for _ in range(restarts + 1):
        state = random_state(problem, rng)
        here, flat = value(state), 0
        yield state, here
        while True:
            best: list[Any] = []
            height: Value = here
            for _, neighbour in problem.successors(state):
                new = value(neighbour)
                if not best or new > height:
                    best, height = [neighbour], new
                elif new == height:
                    best.append(neighbour)
            if not best or height < here or (height == here and flat >= sideways):
                break
            flat = flat + 1 if height == here else 0
            state, here = rng.choice(best), height
            yield state, here
    stuck = (
        "no neighbour is better"
        if not sideways
        else "no neighbour is better, and the sideways moves are used up"
    )
    return f"{stuck}, after {restarts} restarts" if restarts else stuck
