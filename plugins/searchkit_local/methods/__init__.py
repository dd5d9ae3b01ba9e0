"""The methods of local search: one textbook algorithm per file.

A method is a generator function `run(problem, value, rng, **options)` that yields the state at which it is after each
step, and its value; the first is where it begins. It returns why it ended, as a phrase. It takes values of states
from `value`, which counts, and all chance from `rng`. The driver, `searchkit_local.search`, keeps the best state, stops
at a goal, and holds the limits.
"""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from searchkit.plugin import Parameter, parse_options
from searchkit_local.methods.annealing import ANNEALING_OPTIONS, simulated_annealing
from searchkit_local.methods.beam import BEAM_OPTIONS, local_beam
from searchkit_local.methods.genetic import GENETIC_OPTIONS, genetic
from searchkit_local.methods.hill_climbing import HILL_CLIMBING_OPTIONS, hill_climbing
from searchkit_local.problem import Steps


@frozen
class Method:
    """A method of local search, and its options."""

    name: str
    summary: str
    """One line: what it does, and who published it."""
    run: Callable[..., Steps]
    options: tuple[Parameter, ...] = field(default=())

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Return the given options for `run`, converted. Raises `UnknownNameError` and `InvalidOptionError`."""
        return parse_options(f"method {self.name!r}", self.options, options)


METHODS = {
    method.name: method
    for method in (
        Method(
            "hill_climbing",
            "hill climbing: the best neighbour, until none is better; with sideways moves and restarts",
            hill_climbing,
            HILL_CLIMBING_OPTIONS,
        ),
        Method(
            "annealing",
            "simulated annealing: a random neighbour, a worse one ever more rarely (Kirkpatrick et al. 1983)",
            simulated_annealing,
            ANNEALING_OPTIONS,
        ),
        Method(
            "local_beam",
            "local beam search: the best among the neighbours of several states",
            local_beam,
            BEAM_OPTIONS,
        ),
        Method(
            "genetic",
            "genetic algorithm: children of good states, with mutations (Holland 1975)",
            genetic,
            GENETIC_OPTIONS,
        ),
    )
}
"""The methods by name."""
