"""The maps of a rubric, with their state spaces and exact distances. Answers are compared with these."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any
from zlib import crc32

from attrs import define, evolve, field, frozen

from searchkit.errors import InvalidOptionError, InvalidProblemError
from searchkit.plugin.loading import load, write
from searchkit.problem import Cost, SearchProblem
from searchkit.testing.reports import picture
from searchkit.testing.spaces.space import StateSpace, explore
from searchkit_coursework.student.problem import name_of

SLACK = 1e-9
"""The relative difference up to which costs count as equal: sums of floats depend on their order."""


MAX_STATES = 50_000
"""The largest number of states of a map: all of them are expanded."""
EXPANSIONS_PER_STATE = 50
"""A search that expands more states than this times the number of states of the map is taken to be endless."""


@frozen
class MapEntry:
    """One entry of a rubric: a file or the name of an example, and the options for loading it."""

    file: str
    problem: str = ""
    """The kind of problem to read it as; may be empty if only one kind can read it."""
    heuristic: str = "auto"
    """`own`: the problem's own heuristic; `patchy`: a heuristic that is admissible but not consistent; `auto`: the
    problem's own for searches, and no heuristic if a heuristic is graded."""
    options: Mapping[str, Any] = field(factory=dict)


@define(slots=False)
class Instance:
    """A map with its state space and exact distances."""

    name: str
    entry: MapEntry
    source: str
    problem: SearchProblem[Any, Any]
    space: StateSpace
    _references: dict[str, Mapping[Any, Cost]] = field(factory=dict, init=False)

    @cached_property
    def distance(self) -> Mapping[Any, Cost]:
        """The least cost from a start to each state."""
        return self.space.from_starts()

    @cached_property
    def steps(self) -> Mapping[Any, Cost]:
        """The fewest actions from a start to each state."""
        edges = {s: tuple((a, t, 1) for a, t, _ in out) for s, out in self.space.edges.items()}
        return evolve(self.space, edges=edges).from_starts()

    @cached_property
    def rest(self) -> Mapping[Any, Cost]:
        """The least cost from each state to a goal; states without a path to a goal are absent."""
        return self.space.to_goals()

    @cached_property
    def least(self) -> Cost:
        """The least cost of a path; infinite if no path exists."""
        return self.space.least_cost()

    @property
    def solvable(self) -> bool:
        """Whether a path exists."""
        return self.least < inf

    @cached_property
    def estimates(self) -> Mapping[Any, Cost]:
        """The heuristic of the problem that submissions get: state → value."""
        if self.entry.heuristic == "patchy":
            exact = self.rest
            return {s: exact.get(s, 0) * (crc32(name_of(s).encode()) % 2) for s in self.space.edges}
        own = getattr(self.problem, "heuristic", lambda state: 0)
        return {state: own(state) for state in self.space.edges}

    @cached_property
    def consistent(self) -> bool:
        """Whether the heuristic that submissions get is consistent."""
        h = self.estimates
        return not any(
            exceeds(h[state], cost + h[successor], self.scale)
            for state, out in self.space.edges.items()
            for _, successor, cost in out
        )

    def edge_cost(self, state: Any, successor: Any) -> Cost | None:
        """Return the cost of the cheapest action from one state to another; None if there is none."""
        return min((cost for _, head, cost in self.space.edges[state] if head == successor), default=None)

    def until_goal(self, values: Mapping[Any, Cost], ahead: Cost = 0) -> tuple[set[Any], int]:
        """Return the states that a search in the order of `values` has to expand, and how many it may expand.

        It expands all states whose value is below that of the best goal (below by more than `ahead`, if a goal is
        recognised before it is its turn), and, each state once, none whose value is above it, however it breaks ties.
        """
        best = min((values[goal] for goal in self.space.goals), default=inf)
        must = {state for state, value in values.items() if exceeds(best, value + ahead, self.scale)}
        return must, sum(value < inf and not exceeds(value, best, self.scale) for value in values.values())

    def values(self, by: str) -> Mapping[Any, Cost]:
        """Return state → its value in the order `depth`, `g` or `f`."""
        if by == "depth":
            return self.steps
        if by == "g":
            return self.distance
        return {state: g + self.estimates[state] for state, g in self.distance.items()}

    @cached_property
    def scale(self) -> float:
        """The least cost > 0 of an action: much smaller differences are rounding errors."""
        costs = (cost for out in self.space.edges.values() for _, _, cost in out if cost > 0)
        return float(min(costs, default=0))

    @property
    def most_expansions(self) -> int:
        """The largest number of calls of `successors`."""
        return max(1000, EXPANSIONS_PER_STATE * len(self.space.edges))

    def reference(self, name: str) -> Mapping[Any, Cost]:
        """Return the values of the heuristic that the problem's option `heuristic` names: state → value.

        Raises `InvalidOptionError` if there is no such heuristic.
        """
        if name not in self._references:
            options = {**self.entry.options, "heuristic": name}
            other = load(self.source, self.entry.problem or None, **options)
            own = getattr(other, "heuristic", None)
            if own is None:
                raise InvalidOptionError(f"{self.name}: the problem has no heuristic {name!r}")
            self._references[name] = {state: own(state) for state in self.space.edges}
        return self._references[name]

    @cached_property
    def text(self) -> str:
        """The map as text. Raises `InvalidProblemError` if it can't be written."""
        written = write(self.problem)
        if written is None:
            raise InvalidProblemError(f"{self.name}: a problem of this kind can't be written as text")
        return written.text

    def draw(self, path: tuple[Any, ...] = ()) -> str:
        """Return a drawing of the map as it is in the first state of a path, with the path, as text."""
        return picture(self.problem, path)

    def best_from(self, state: Any) -> tuple[Any, ...]:
        """Return the states of a path of least cost from a state to a goal; () if there is no path."""
        return evolve(self.space, starts=(state,)).best_path() or ()


def prepare(entry: MapEntry, directory: Path) -> Instance:
    """Load the map of an entry, a file relative to `directory` or an example, and explore all of its states.

    Raises as `load` does, and `InvalidProblemError` for a map that is too large.
    """
    path = directory / entry.file
    if path.exists() and not path.is_file():
        raise InvalidProblemError(f"{entry.file} is not a regular file")
    source = str(path.resolve()) if path.exists() else entry.file
    problem = load(source, entry.problem or None, **entry.options)
    space = explore(problem, MAX_STATES)
    if not space.whole:
        raise InvalidProblemError(
            f"{entry.file} has more than {MAX_STATES:,} states; grade on a smaller map, "
            "whose answers can be checked whole"
        )
    name = entry.file if entry.heuristic != "patchy" else f"{entry.file} ({entry.heuristic} heuristic)"
    return Instance(name, entry, source, problem, space)


def exceeds(a: Cost, b: Cost, scale: float = 0.0) -> bool:
    """Whether a > b by more than the rounding errors of these numbers, or of numbers of the size `scale`.

    Integers and fractions are compared exactly.
    """
    if not a > b:
        return False
    if not (isinstance(a, float) or isinstance(b, float)) or a == inf:
        return True
    return Fraction(a) - Fraction(b) > Fraction(SLACK) * max(abs(Fraction(b)), Fraction(scale))
