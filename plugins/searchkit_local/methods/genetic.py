"""The genetic algorithm."""

from collections.abc import Callable
from itertools import accumulate
from random import Random
from typing import Any

from searchkit.plugin import Parameter
from searchkit_local.methods.options import share, whole
from searchkit_local.problem import Steps, Value, breeding, random_state

GENETIC_OPTIONS = (
    Parameter("population", "how many states a generation has", default=50, convert=whole(2)),
    Parameter("generations", "how many generations there are after the first", default=200, convert=whole(0)),
    Parameter("mutation", "the probability that a child is changed at random", default=0.1, convert=share),
)


def genetic(
    problem: Any,
    value: Callable[[Any], Value],
    rng: Random,
    population: int = 50,
    generations: int = 200,
    mutation: float = 0.1,
) -> Steps:
    """Breed generation after generation from parents that are drawn by their values (Holland 1975).

    The weight of a state in the draw is its value above the least value of its generation, plus a hundredth of the
    span, so that negative values are possible; a child has parts of two parents, and with probability `mutation` a
    random change (Russell and Norvig, figure 4.8). It yields the best state of each generation.

    Memory for two generations. Raises `MissingCapabilityError` if the problem has no `crossover` and `mutate`.
    """
    breeder = breeding(problem)
    states = [random_state(problem, rng) for _ in range(population)]
    for generation in range(generations + 1):
        values = [value(state) for state in states]
        least, most = min(values), max(values)
        yield states[values.index(most)], most
        if generation == generations:
            break
        spare = (most - least) / 100 or 1
        weights = list(accumulate(number - least + spare for number in values))
        children = []
        for _ in range(population):
            one, other = rng.choices(states, cum_weights=weights, k=2)
            child = breeder.crossover(one, other, rng)
            children.append(breeder.mutate(child, rng) if rng.random() < mutation else child)
        states = children
    return f"all {generations} generations were bred"
