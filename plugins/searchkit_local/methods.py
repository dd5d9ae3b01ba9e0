"""The methods of local search, each a textbook algorithm.

A method is a generator function `run(problem, value, rng, **options)` that yields the state at which it is after each
step, and its value; the first is where it begins. It returns why it ended, as a phrase. It takes values of states
from `value`, which counts, and all chance from `rng`. The driver, `searchkit_local.search`, keeps the best state, stops
at a goal, and holds the limits.
"""

from collections.abc import Callable, Mapping
from itertools import accumulate
from math import exp
from random import Random
from typing import Any

from attrs import frozen

from searchkit.plugin import Parameter, parse_options
from searchkit_local.problem import Steps, Value, breeding, random_state


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
        lambda state, rng: _one_of(list(problem.successors(state)), rng)
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


def _one_of(successors: list[tuple[Any, Any]], rng: Random) -> Any:
    return rng.choice(successors)[1] if successors else None


def local_beam(
    problem: Any,
    value: Callable[[Any], Value],
    rng: Random,
    width: int = 10,
    patience: int = 10,
) -> Steps:
    """Keep the `width` best among all neighbours of the states that are kept (Russell and Norvig, section 4.1.3).

    Equal states count once. It yields the best state that is kept after each step.

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
        beam = sorted(shuffled, key=values.__getitem__, reverse=True)[:width]
        state = max(beam, key=values.__getitem__)
        waited = 0 if values[state] > best else waited + 1
        best = max(best, values[state])
        if waited > patience:
            return f"nothing was better for {patience + 1} steps"
        yield state, values[state]


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


@frozen
class Method:
    """A method of local search, and its options."""

    name: str
    run: Callable[..., Steps]
    options: tuple[Parameter, ...] = ()

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Return the given options for `run`, converted. Raises `UnknownNameError` and `InvalidOptionError`."""
        return parse_options(f"method {self.name!r}", self.options, options)


METHODS = {
    method.name: method
    for method in (
        Method(
            "hill_climbing",
            hill_climbing,
            (
                Parameter(
                    "sideways", "how many moves in a row may lead to an equally good neighbour", 0, least=0
                ),
                Parameter("restarts", "how often a search that is stuck begins again", 0, least=0),
            ),
        ),
        Method(
            "annealing",
            simulated_annealing,
            (
                Parameter(
                    "temperature",
                    "the first temperature: a step that loses this much is taken with probability 1/e",
                    1.0,
                    least=1e-300,
                    most=1e300,
                ),
                Parameter(
                    "cooling", "the factor by which it falls with each step", 0.999, least=1e-300, most=1
                ),
                Parameter("steps", "how many neighbours are tried", 10_000, least=0),
            ),
        ),
        Method(
            "local_beam",
            local_beam,
            (
                Parameter("width", "how many states are kept", 10, least=1),
                Parameter("patience", "how many steps in a row may bring nothing better", 10, least=0),
            ),
        ),
        Method(
            "genetic",
            genetic,
            (
                Parameter("population", "how many states a generation has", 50, least=2),
                Parameter("generations", "how many generations there are after the first", 200, least=0),
                Parameter("mutation", "the probability that a child is changed", 0.1, least=0, most=1),
            ),
        ),
    )
}
"""The methods by name."""
