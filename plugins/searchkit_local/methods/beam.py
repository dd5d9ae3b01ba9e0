"""Local beam search."""

from collections.abc import Callable
from random import Random
from typing import Any

from searchkit.plugin import Parameter, boolean
from searchkit_local.methods.options import whole
from searchkit_local.problem import Steps, Value, random_state

BEAM_OPTIONS = (
    Parameter("width", "how many states are kept", default=10, convert=whole(1)),
    Parameter(
        "stochastic",
        "draw the states that are kept, good ones more often, in place of the best",
        default=False,
        convert=boolean,
    ),
    Parameter("patience", "how many steps in a row may bring nothing better", default=10, convert=whole(0)),
)


def local_beam(
    problem: Any,
    value: Callable[[Any], Value],
    rng: Random,
    width: int = 10,
    stochastic: bool = False,
    patience: int = 10,
) -> Steps:
    """Keep the `width` best among all neighbours of the states that are kept (Russell and Norvig, section 4.1.3).

    Equal states count once. With `stochastic`, they are drawn without being put back, each with a weight that grows
    linearly with its value, which keeps them apart for longer. It yields the best state that is kept after each step.

    Memory for `width` states and their neighbours.
    """
    beam = list(dict.fromkeys(random_state(problem, rng) for _ in range(width)))
    values = {state: value(state) for state in beam}
    state = max(beam, key=values.__getitem__)
    best, waited = values[state], 0
    yield state, best
    while True:
        neighbours = dict.fromkeys(other for kept in beam for _, other in problem.successors(kept))
        if not neighbours:
            return "no state that is kept has neighbours"
        values = {other: value(other) for other in neighbours}
        shuffled = list(values)
        rng.shuffle(shuffled)  # so that equally good states have equal chances
        if stochastic:
            beam = _drawn(shuffled, values, width, rng)
        else:
            beam = sorted(shuffled, key=values.__getitem__, reverse=True)[:width]
        state = max(beam, key=values.__getitem__)
        waited = 0 if values[state] > best else waited + 1
        best = max(best, values[state])
        if waited > patience:
            return f"nothing was better for {patience + 1} steps"
        yield state, values[state]


def _drawn(states: list[Any], values: dict[Any, Value], width: int, rng: Random) -> list[Any]:
    """Draw `width` states, none twice: the largest keys of uⁿ, n = 1 / weight (Efraimidis and Spirakis 2006)."""
    least = min(values.values())
    span = (max(values.values()) - least) or 1
    keys = {state: rng.random() ** (1 / (0.01 + (values[state] - least) / span)) for state in states}
    return sorted(states, key=keys.__getitem__, reverse=True)[:width]
