"""Problems that each break one promise: what `check_problem` has to find, and by which name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf, nan
from typing import Any

from attrs import define, field, frozen
from hypothesis import strategies as st

from searchkit import Cost, Parameter, ProblemSpec, SearchProblem, hookimpl
from searchkit.plugin.drawing import Drawing, Mark
from searchkit.plugin.files import Source, Written
from searchkit.testing.strategies import noted


@frozen(slots=False)
class Ladder(SearchProblem[int, str]):
    """A ladder of `rungs`, to be climbed from the ground to the top in steps of one or two. Sound in every respect."""

    rungs: int

    _notes: dict[Any, Any] = field(factory=dict, init=False, eq=False, repr=False)
    """What a faulty ladder remembers of the questions that it was asked."""

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


@define(eq=False)
class Rung:
    """A place on the ladder that can be moved, which a state must not be."""

    height: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rung) and self.height == other.height

    def __hash__(self) -> int:
        return hash(Rung)


class Objects(SearchProblem[Any, str]):
    """The ladder over states that are objects."""

    def __init__(self, rungs: int):
        self.rungs = rungs

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rungs})"

    def is_goal(self, state: Any) -> bool:
        return bool(state.height == self.rungs)


class MutableState(Objects):
    """Moves the state that it was asked about, and gives it back."""

    def initial_states(self) -> list[Rung]:
        return [Rung(0)]

    def successors(self, state: Rung) -> Iterator[tuple[str, Rung]]:
        if state.height < self.rungs:
            state.height += 1
            yield "up", state


@frozen(eq=False)
class Remembering:
    """A state that hashes the way it was reached, which == does not look at."""

    height: int
    way: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remembering) and self.height == other.height

    def __hash__(self) -> int:
        return hash((self.height, self.way))


class HashUnlikeEquality(Objects):
    """A rung reached in one step or in two is the same, and hashes differently."""

    def initial_states(self) -> list[Remembering]:
        return [Remembering(0, "start")]

    def successors(self, state: Remembering) -> list[tuple[str, Remembering]]:
        return [
            (f"up {step}", Remembering(state.height + step, f"by {step}"))
            for step in (1, 2)
            if state.height + step <= self.rungs
        ]


class Height:
    """A place on the ladder without == and hash, the commonest mistake."""

    def __init__(self, height: int):
        self.height = height


class ComparedByIdentity(Objects):
    """A rung reached in one step or in two is two states."""

    def initial_states(self) -> list[Any]:
        return [Height(0)]

    def successors(self, state: Height) -> list[tuple[str, Any]]:
        return [
            (f"up {step}", Height(state.height + step))
            for step in (1, 2)
            if state.height + step <= self.rungs
        ]


class NewEachTime(ComparedByIdentity):
    """Each rung remembers how it was reached, and is another one when it is asked for again."""

    def successors(self, state: Height) -> list[tuple[str, Any]]:
        above = super().successors(state)
        for _, successor in above:
            successor.way = [*getattr(state, "way", []), state.height]
        return above


class UnhashableState(Ladder):
    """A list as a state."""

    def successors(self, state: int) -> list[tuple[str, Any]]:
        return [("up", [state + 1])] if state < self.rungs else []


class NoneAsState(Ladder):
    """None for the top."""

    def successors(self, state: int) -> list[tuple[str, Any]]:
        return [(action, None if to == self.rungs else to) for action, to in super().successors(state)]


class CostByHistory(Ladder):
    """The next action after a costly one is free."""

    def cost(self, state: int, action: str, successor: int) -> Cost:
        before = self._notes.get("last")
        self._notes["last"] = action
        return 0 if before == "up 2" else super().cost(state, action, successor)


class MissingPredecessor(Ladder):
    """Forgets one step back, into the third rung."""

    def predecessors(self, state: int) -> Iterable[tuple[str, Any]]:
        return [pair for pair in super().predecessors(state) if (pair[0], state) != ("up 2", 3)]


class ExtraPredecessor(Ladder):
    """Steps back to below the ground."""

    def predecessors(self, state: int) -> Iterable[tuple[str, Any]]:
        return [(f"up {step}", state - step) for step in (1, 2) if state - step >= -1]

    def successors(self, state: int) -> Iterable[tuple[str, Any]]:
        return super().successors(state) if state >= 0 else []


class MissingGoal(Ladder):
    """Does not list the top among the goals."""

    def goal_states(self) -> list[int]:
        return []


class Climb(Ladder):
    """A ladder to be climbed from any rungs to any others. Sound, too."""

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


class AimedByHalf(Climb):
    """Aimed at other goals, it begins where it always did."""

    def aimed(self, starts: Iterable[int], goals: Iterable[int]) -> Climb:
        return super().aimed(self.initial_states(), goals)


class AimedElsewhere(Climb):
    """Aimed at other goals, it has a step more."""

    def aimed(self, starts: Iterable[int], goals: Iterable[int]) -> Climb:
        return Climb(self.rungs + 1).aimed(starts, goals)


class NanCost(Ladder):
    """0 divided by 0, as some libraries have it."""

    def cost(self, state: int, action: str, successor: int) -> Cost:
        return nan if state == 2 else 1


class NegativeCost(Ladder):
    """A slide in the middle."""

    def cost(self, state: int, action: str, successor: int) -> Cost:
        return -1 if (state, successor) == (1, 3) else 1


class InfiniteCost(Ladder):
    """A step that can't be taken, at a price."""

    def cost(self, state: int, action: str, successor: int) -> Cost:
        return inf if successor == 3 else 1


class UnstableGoalTest(Ladder):
    """Any rung is a goal the second time that it is asked about."""

    def is_goal(self, state: int) -> bool:
        seen = state in self._notes
        self._notes[state] = True
        return seen

    def goal_states(self) -> list[int]:
        return []


class SetOrder(Ladder):
    """Iterates over a set of words."""

    def successors(self, state: int) -> list[tuple[str, Any]]:
        return [
            (action, to) for action, to in {(f"up {to - state}", to) for _, to in super().successors(state)}
        ]


class ReturnsSet(Ladder):
    """Returns the set itself."""

    def successors(self, state: int) -> Any:
        return set(super().successors(state))


class UsedUp(Ladder):
    """Keeps its generators, and hands out the same one twice."""

    def successors(self, state: int) -> Iterable[tuple[str, Any]]:
        return self._notes.setdefault(state, iter(list(super().successors(state))))


class OneShotStarts(Ladder):
    """Hands out one iterator of starts."""

    def initial_states(self) -> Any:
        return self._notes.setdefault("starts", iter([0]))


class HeuristicAtGoal(Ladder):
    """Counts the rungs left, and one more."""

    def heuristic(self, state: int) -> Cost:
        return self.rungs - state + 1


class NegativeHeuristic(Ladder):
    """Below zero in the middle."""

    def heuristic(self, state: int) -> Cost:
        return -1 if state == 3 else 0


class Raises(Ladder):
    """Looks up what is not there."""

    def successors(self, state: int) -> Iterable[tuple[str, Any]]:
        if state == 4:
            raise KeyError("rung four")
        return super().successors(state)


class BareStates(Ladder):
    """Forgets the actions."""

    def successors(self, state: int) -> Any:
        return [successor for _, successor in super().successors(state)]


class Torn(Ladder):
    """A sound ladder, whose drawing fails on the third rung: see `Tearing`."""


class Worn(Ladder):
    """A sound ladder, which loses a rung when it is written: see `Losing`."""


@frozen(slots=False)
class Plugin:
    """A plugin that draws and writes ladders, well or badly."""

    drawn: type[Ladder] = Torn
    written: type[Ladder] = Worn

    @hookimpl
    def searchkit_render(self, problem: object, path: tuple[Any, ...]) -> Drawing | None:
        if not isinstance(problem, self.drawn):
            return None
        row = ["."] * (problem.rungs + 1)
        for state in path:
            if state == 3:
                raise IndexError("the third rung is off the canvas")
            row[state] = "*"
        marks = {".": Mark(".", "#ffffff"), "*": Mark("*", "#ffff00", "path")}
        return Drawing(("".join(row),), marks)

    @hookimpl
    def searchkit_write(self, problem: object) -> Written | None:
        return (
            Written("worn", f"ladder {min(problem.rungs, 3)}\n")
            if isinstance(problem, self.written)
            else None
        )

    @hookimpl
    def searchkit_load(self, source: Source) -> Ladder | None:
        return self.written(int(source.text.split()[1])) if source.text.startswith("ladder ") else None

    @hookimpl
    def searchkit_problems(self) -> list[ProblemSpec]:
        return [kind("worn", self.written)]


PLUGIN = Plugin()


def ladders(maker: Callable[[int], Any]) -> st.SearchStrategy[Any]:
    """Draw ladders of up to 30 rungs."""
    return noted(st.integers(0, 30).map(maker))


def kind(name: str, maker: Callable[..., Any], *parameters: Parameter) -> ProblemSpec:
    """Return a kind of problem whose instances are ladders."""
    return ProblemSpec(name, "climb a ladder", maker, parameters, strategy=lambda: ladders(maker))


MUTANTS: Mapping[str, tuple[str, ...]] = {
    "MutableState": ("states unchanged",),
    "HashUnlikeEquality": ("equal states",),
    "ComparedByIdentity": ("states told apart",),
    "NewEachTime": ("states told apart",),
    "UnhashableState": ("states hashable",),
    "NoneAsState": ("states hashable",),
    "CostByHistory": ("costs repeatable",),
    "MissingPredecessor": ("predecessors",),
    "ExtraPredecessor": ("predecessors",),
    "MissingGoal": ("goal states",),
    "AimedByHalf": ("aimed",),
    "AimedElsewhere": ("aimed",),
    "NanCost": ("costs",),
    "NegativeCost": ("costs",),
    "InfiniteCost": ("costs",),
    "UnstableGoalTest": ("goal test",),
    "SetOrder": ("every process",),
    "ReturnsSet": ("successors repeatable",),
    "UsedUp": ("successors repeatable",),
    "OneShotStarts": ("start states",),
    "HeuristicAtGoal": ("heuristic at goals",),
    "NegativeHeuristic": ("heuristic",),
    "Raises": ("no errors",),
    "BareStates": ("successor pairs",),
    "Torn": ("drawing",),
    "Worn": ("round trip",),
}
"""The class of a problem, and the promise that it breaks."""

OPTIONS: Mapping[str, Parameter] = {
    "without help": Parameter("rungs", ""),
    "a default that it does not take": Parameter("rungs", "how high it is", default="tall", convert=int),
    "a choice that it does not take": Parameter("rungs", "how high it is", choices=("tall",), convert=int),
}
"""Options that are documented badly."""


def undocumented(rungs: int, colour: str = "red") -> Ladder:
    """Return a ladder of so many rungs."""
    return Ladder(rungs)
