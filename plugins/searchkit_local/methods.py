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

from searchkit.plugin import MissingCapabilityError, Parameter, parse_options
from searchkit_local.problem import Steps, Value, random_state

Evaluate = Callable[[Any], Value]


@frozen
class Method:
    """A method of local search, and its options."""

    name: str
    run: Callable[..., Steps]
    options: tuple[Parameter, ...] = ()

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Return the options for `run`, converted. Raises `UnknownNameError` and `InvalidOptionError`."""
        return parse_options(f"method {self.name!r}", self.options, options)


METHODS: dict[str, Method] = {}
"""The methods by name."""


def method(name: str, *options: Parameter) -> Callable[[Callable[..., Steps]], Callable[..., Steps]]:
    """Enter a function as the method of this name."""

    def enter(run: Callable[..., Steps]) -> Callable[..., Steps]:
        METHODS[name] = Method(name, run, options)
        return run

    return enter


@method(
    "hill_climbing",
    Parameter("sideways", "how many moves in a row may lead to an equally good neighbour", 0, least=0),
    Parameter("restarts", "how often a search that is stuck begins again", 0, least=0),
)
def hill_climbing(problem: Any, value: Evaluate, rng: Random, sideways: int, restarts: int) -> Steps:
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
    stuck = "no neighbour is better" + ", and the sideways moves are used up" * (sideways > 0)
    return f"{stuck}, after {restarts} restarts" if restarts else stuck


@method(
    "annealing",
    Parameter(
        "temperature",
        "the first temperature: a step that loses this much is taken with probability 1/e",
        1.0,
        least=1e-300,
        most=1e300,
    ),
    Parameter("cooling", "the factor by which it falls with each step", 0.999, least=1e-300, most=1),
    Parameter("steps", "how many neighbours are tried", 10_000, least=0),
)
def simulated_annealing(
    problem: Any, value: Evaluate, rng: Random, temperature: float, cooling: float, steps: int
) -> Steps:
    """Try a random neighbour; move there if it is better, otherwise with probability e^(loss / temperature).

    After each try the temperature falls by the factor `cooling`, so that losses become rare (Kirkpatrick, Gelatt and
    Vecchi 1983; the acceptance rule is that of Metropolis et al. 1953; Russell and Norvig, figure 4.5).

    Memory for one state and its neighbours.
    """

    def random_successor(state: Any) -> Any:
        if hasattr(problem, "random_successor"):
            return problem.random_successor(state, rng)
        successors = list(problem.successors(state))
        return rng.choice(successors)[1] if successors else None

    state = random_state(problem, rng)
    here = value(state)
    yield state, here
    for _ in range(steps):
        neighbour = random_successor(state)
        if neighbour is None:
            return "the state has no neighbours"
        new = value(neighbour)
        # `exp` of a large loss by a small temperature is 0.0; a temperature that has fallen to 0 takes no loss.
        if new >= here or (temperature > 0 and rng.random() < exp(max((new - here) / temperature, -745.0))):
            state, here = neighbour, new
        yield state, here
        temperature *= cooling
    return f"all {steps} steps were tried"


@method(
    "local_beam",
    Parameter("width", "how many states are kept", 10, least=1),
    Parameter("patience", "how many steps in a row may bring nothing better", 10, least=0),
)
def local_beam(problem: Any, value: Evaluate, rng: Random, width: int, patience: int) -> Steps:
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


@method(
    "genetic",
    Parameter("population", "how many states a generation has", 50, least=2),
    Parameter("generations", "how many generations there are after the first", 200, least=0),
    Parameter("mutation", "the probability that a child is changed", 0.1, least=0, most=1),
)
def genetic(
    problem: Any, value: Evaluate, rng: Random, population: int, generations: int, mutation: float
) -> Steps:
    """Breed generation after generation from parents that are drawn by their values (Holland 1975).

    The weight of a state in the draw is its value above the least value of its generation, plus a hundredth of the
    span, so that negative values are possible; a child has parts of two parents, and with probability `mutation` a
    random change (Russell and Norvig, figure 4.8). It yields the best state of each generation.

    Memory for two generations. Raises `MissingCapabilityError` if the problem has no `crossover` and `mutate`.
    """
    if not (hasattr(problem, "crossover") and hasattr(problem, "mutate")):
        raise MissingCapabilityError(
            f"{type(problem).__name__} has no crossover and mutate, which the genetic algorithm needs; add both "
            "methods, or use hill_climbing, annealing or local_beam"
        )
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
            child = problem.crossover(one, other, rng)
            children.append(problem.mutate(child, rng) if rng.random() < mutation else child)
        states = children
    return f"all {generations} generations were bred"
