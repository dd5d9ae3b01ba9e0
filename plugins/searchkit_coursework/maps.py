"""The maps of a rubric, with their state spaces and exact distances: answers are compared with these.

What a student's process is told about a map is computed here, too, once for all submissions.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import inf
from numbers import Integral, Rational, Real
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zlib import crc32

from attrs import evolve, field

from searchkit.errors import InvalidOptionError, InvalidProblemError
from searchkit.plugin import option, with_options
from searchkit.plugin.loading import load, write
from searchkit.problem import Cost, SearchProblem
from searchkit.testing.heuristics import Audit
from searchkit.testing.reports import picture
from searchkit.testing.spaces.space import StateSpace, exceeds, explore
from searchkit_coursework.student.observing import KnownState, name_of

MAX_STATES = 50_000
"""The largest number of states of a map: all of them are expanded."""
EXPANSIONS_PER_STATE = 50
"""A search that expands more states than this times the number of states of the map is taken to be endless."""


MAX_DEPTH = 8
"""The largest depth of nested objects that are sent: some objects refer to themselves."""


class Failure(Exception):  # noqa: N818  # a judge raises it, and it is kept
    """Why an answer is wrong, or why there is none: a sentence for the student."""

    def __init__(self, reason: str, drawing: str = ""):
        super().__init__(reason)
        self.reason, self.drawing = reason, drawing
        """The sentence, and the map, drawn with what it says."""


@with_options
class Instance:
    """A map of a rubric: a file or the name of an example, and the options for loading it.

    It is loaded, and its states are explored, when that is first asked for.
    """

    file: str = option("the path of a file, or the name of an example", default="")
    kind: str = option("the kind of problem, if several can read the file", default="", alias="problem")
    heuristic: str = option(
        "what the problem has: its own heuristic, `patchy`: one that is admissible but not consistent, or `auto`: its "
        "own for searches, and none if a heuristic is graded",
        default="auto",
        choices=("auto", "own", "patchy"),
    )
    options: Mapping[str, Any] = option("options for loading it", default={}, convert=dict)
    folder: Path = field(default=Path(), kw_only=True)
    """The folder to which the path is relative."""
    _references: dict[str, Mapping[Any, Cost]] = field(factory=dict, init=False, eq=False)

    def __hash__(self) -> int:
        return hash(repr(self))

    @property
    def name(self) -> str:
        """What students read."""
        return self.file if self.heuristic != "patchy" else f"{self.file} (patchy heuristic)"

    @cached_property
    def problem(self) -> SearchProblem[Any, Any]:
        """The problem of the file, a path or an example. Raises as `load` does."""
        return self._load(self.options)

    def _load(self, options: Mapping[str, Any]) -> SearchProblem[Any, Any]:
        path = self.folder / self.file
        return load(str(path.resolve()) if path.exists() else self.file, self.kind or None, **options)

    @cached_property
    def space(self) -> StateSpace:
        """All states. Raises `InvalidProblemError` if there are too many, or if they can't be sent to a process."""
        space = explore(self.problem, MAX_STATES)
        if not space.whole:
            raise InvalidProblemError(
                f"{self.file} has more than {MAX_STATES:,} states; grade on a smaller map, "
                "whose answers can be checked whole"
            )
        try:
            hash(tuple(map(as_plain, space.starts)))
        except (TypeError, ValueError) as error:
            raise InvalidProblemError(
                f"{self.file}: its states are objects that can't be sent to a student's process; expected tuples, "
                "numbers and texts"
            ) from error
        return space

    @cached_property
    def states(self) -> list[Any]:
        """Every state, at its number."""
        return list(self.space.edges)

    @cached_property
    def steps(self) -> Mapping[Any, Mapping[str, tuple[Cost, Any]]]:
        """State → the name of each of its actions → the cost and the successor."""
        return {s: {name_of(a): (cost, to) for a, to, cost in out} for s, out in self.space.edges.items()}

    @cached_property
    def known_states(self) -> Mapping[Any, KnownState]:
        """State → what is sent to a student's process about it."""
        goals, values = self.space.goals, self.heuristic_values
        return {
            state: KnownState(number, state in goals, as_plain(values[state]), as_plain(state))
            for number, state in enumerate(self.states)
        }

    def answer(self, number: int) -> list[tuple[Any, Any, KnownState]]:
        """Return what is sent about the actions of a state: the action, its cost, and the successor."""
        out = self.space.edges[self.states[number]]
        return [(as_plain(action), as_plain(cost), self.known_states[to]) for action, to, cost in out]

    def attribute(self, name: str) -> tuple[Any] | None:
        """Return an attribute of the problem as data; None if it is not data."""
        if name.startswith("_") or not name.isidentifier():
            return None
        try:
            return (as_plain(getattr(self.problem, name)),)
        except Exception:  # a property may raise anything: then the attribute does not exist
            return None

    @cached_property
    def heuristic_values(self) -> Mapping[Any, Cost]:
        """The heuristic of the problem that submissions get: state → value."""
        if self.heuristic == "patchy":
            exact = self.space.to_goals
            return {s: exact.get(s, 0) * (crc32(name_of(s).encode()) % 2) for s in self.space.edges}
        own = getattr(self.problem, "heuristic", None) or (lambda state: 0)
        return {state: own(state) for state in self.space.edges}

    @cached_property
    def consistent(self) -> bool:
        """Whether the heuristic that submissions get is consistent."""
        return Audit(self.problem, self.space, self.heuristic_values).finding("consistent").outcome == "holds"

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
            edges = {s: tuple((a, t, 1) for a, t, _ in out) for s, out in self.space.edges.items()}
            return evolve(self.space, edges=edges).from_starts
        if by == "g":
            return self.space.from_starts
        return {state: g + self.heuristic_values[state] for state, g in self.space.from_starts.items()}

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
            own = getattr(self._load({**self.options, "heuristic": name}), "heuristic", None)
            if own is None:
                raise InvalidOptionError(f"{self.name}: the problem has no heuristic {name!r}")
            self._references[name] = {state: own(state) for state in self.space.edges}
        return self._references[name]

    @cached_property
    def text(self) -> str:
        """The problem as text. Raises `InvalidProblemError` if it can't be written."""
        written = write(self.problem)
        if written is None:
            raise InvalidProblemError(f"{self.name}: a problem of this kind can't be written as text")
        return written.text

    def draw(self, path: tuple[Any, ...] = ()) -> str:
        """Return a drawing of the map as it is in the first state of a path, with the path, as text."""
        return picture(self.problem, path)


def as_plain(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Return a value as data that needs no module of searchkit's: objects become namespaces of their public attributes.

    Raises `ValueError` if it contains what is not data, such as a function or a path.
    """
    if type(value) in (type(None), bool, int, float, complex, str, bytes):
        return value
    if not depth:
        raise ValueError("nested too deep")
    for container in (tuple, list, frozenset, set):
        if isinstance(value, container):
            return container(as_plain(each, depth - 1) for each in value)
    if isinstance(value, Mapping):
        return {as_plain(key, depth - 1): as_plain(each, depth - 1) for key, each in value.items()}
    plain: Any
    for kind, plain in ((str, str), (Integral, int), (Rational, Fraction), (Real, float)):
        if isinstance(value, kind):
            return plain(value)
    if callable(value) or any(hasattr(value, name) for name in ("__fspath__", "read", "successors")):
        raise ValueError(f"{type(value).__name__} is not handed on to a student's process")
    attributes = {}
    for name in dir(value):
        if not name.startswith("_"):
            try:
                attributes[name] = as_plain(getattr(value, name), depth - 1)
            except Exception:  # a property may raise anything; then it is not sent
                continue
    return SimpleNamespace(**attributes)
