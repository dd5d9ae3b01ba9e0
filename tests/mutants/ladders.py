"""Ladders, which are sound problems; kinds that are drawn and written badly; and their options."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from typing import Any

from attrs import evolve, field, frozen
from hypothesis import strategies as st

from searchkit import Cost, ProblemSpec, SearchProblem
from searchkit.plugin import Drawing, Mark, Places, use_registry
from searchkit.plugin.registry import load_registry


@frozen(slots=False)
class Ladder(SearchProblem[int, str]):
    """A ladder of `rungs`, climbed from the ground to the top in steps of one or two. It is sound."""

    rungs: int

    _notes: dict[Any, Any] = field(factory=dict, init=False, eq=False, repr=False)
    """The memory of a faulty ladder: the calls so far."""

    def initial_states(self) -> list[int]:
        return [0]

    def goal_states(self) -> list[int]:
        return [self.rungs]

    def is_goal(self, state: int) -> bool:
        return state == self.rungs

    def successors(self, state: int) -> Iterable[tuple[str, Any]]:
        return [(f"up {step}", state + step) for step in (1, 2) if state + step <= self.rungs]

    def predecessors(self, state: int) -> Iterable[tuple[str, Any]]:
        return [(f"up {step}", state - step) for step in (1, 2) if state - step >= 0]

    def cost(self, state: int, action: str, successor: int) -> Cost:
        return 2 if action == "up 1" else 3

    def heuristic(self, state: int) -> Cost:
        return self.rungs - state


class Climb(Ladder):
    """A ladder that is climbed from any rungs to any others. It is sound too."""

    ends: tuple[list[int], list[int]] | None = None

    def aimed(self, starts: Iterable[int], goals: Iterable[int]) -> "Climb":
        other = type(self)(self.rungs)
        other.__dict__["ends"] = list(starts), list(goals)
        return other

    def initial_states(self) -> list[int]:
        return self.ends[0] if self.ends else super().initial_states()

    def goal_states(self) -> list[int]:
        return self.ends[1] if self.ends else super().goal_states()

    def is_goal(self, state: int) -> bool:
        return state in self.goal_states()

    def heuristic(self, state: int) -> Cost:
        return min([goal - state for goal in self.goal_states() if goal >= state], default=inf)


class Torn(Ladder):
    """A sound ladder whose drawing fails on the third rung."""


class Worn(Ladder):
    """A sound ladder that loses a rung when it is written."""


def places(problem: Ladder) -> Places[int]:
    """Return the places of a ladder whose third rung can't be drawn."""
    marks = {".": Mark(".", "#ffffff"), "*": Mark("*", "#ffff00", "path")}
    return Places(Drawing(["." * (problem.rungs + 1)], marks), cells=cells, path={".": "*"})


def cells(state: int) -> list[tuple[int, int]]:
    """Return the cell of a rung, but for the third."""
    if state == 3:
        raise IndexError("the third rung is off the canvas")
    return [(state, 0)]


def written(problem: Ladder) -> tuple[str, dict[str, object]]:
    """Write a ladder, of three rungs at most."""
    return f"ladder {min(problem.rungs, 3)}\n", {}


@contextmanager
def installed() -> Iterator[None]:
    """Install the kinds of ladder that are drawn and written badly."""
    torn = evolve(kind("torn", Torn), places=places)
    worn = evolve(kind("worn", Worn), write=written, read=lambda source: Worn(int(source.text.split()[1])))
    found = load_registry()
    with use_registry(evolve(found, problems={**found.problems, "torn": torn, "worn": worn})):
        yield


def ladders(maker: Callable[[int], Any]) -> st.SearchStrategy[Any]:
    """Draw ladders of up to 30 rungs."""
    return st.integers(0, 30).map(maker)


def kind(name: str, maker: Callable[..., Any]) -> ProblemSpec:
    """Return a kind of problem whose instances are ladders."""
    return ProblemSpec(name, "climb a ladder", maker, strategies={name: f"tests.mutants.ladders:draw_{name}"})


draw_torn, draw_worn = (partial(ladders, maker) for maker in (Torn, Worn))
