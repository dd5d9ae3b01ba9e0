"""Problems that each break one promise: what `check_problem` has to find, and by which name."""

from collections.abc import Iterable, Iterator, Mapping
from math import inf, nan
from typing import Any

from attrs import define, frozen

from searchkit import Cost, SearchProblem
from tests.mutants.ladders import Climb, Ladder
from tests.mutants.ladders import Torn as Torn  # its drawing fails
from tests.mutants.ladders import Worn as Worn  # it loses a rung when it is written


@define(eq=False)
class Rung:
    """A place on the ladder that can be moved; a state must not change."""

    height: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rung) and self.height == other.height

    def __hash__(self) -> int:
        return hash(Rung)


class Objects(SearchProblem[Any, str]):
    """The ladder with states that are objects."""

    def __init__(self, rungs: int):
        self.rungs = rungs

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rungs})"

    def is_goal(self, state: Any) -> bool:
        return bool(state.height == self.rungs)


class MutableState(Objects):
    """Changes the given state, and returns it."""

    def initial_states(self) -> list[Rung]:
        return [Rung(0)]

    def successors(self, state: Rung) -> Iterator[tuple[str, Rung]]:
        if state.height < self.rungs:
            state.height += 1
            yield "up", state


@frozen(eq=False)
class Remembering:
    """A state whose hash depends on how it was reached, which == ignores."""

    height: int
    way: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remembering) and self.height == other.height

    def __hash__(self) -> int:
        return hash((self.height, self.way))


class HashUnlikeEquality(Objects):
    """A rung that is reached in one step or in two is equal, but has another hash."""

    def initial_states(self) -> list[Remembering]:
        return [Remembering(0, "start")]

    def successors(self, state: Remembering) -> list[tuple[str, Remembering]]:
        return [
            (f"up {step}", Remembering(state.height + step, f"by {step}"))
            for step in (1, 2)
            if state.height + step <= self.rungs
        ]


class Height:
    """A place on the ladder without == and hash, the most common mistake."""

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
    """Each rung remembers how it was reached, and is another object at each call."""

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


class AimedByHalf(Climb):
    """With other goals, it begins where it always did."""

    def aimed(self, starts: Iterable[int], goals: Iterable[int]) -> Climb:
        return super().aimed(self.initial_states(), goals)


class AimedElsewhere(Climb):
    """With other goals, it has one more step."""

    def aimed(self, starts: Iterable[int], goals: Iterable[int]) -> Climb:
        return Climb(self.rungs + 1).aimed(starts, goals)


class NanCost(Ladder):
    """0 divided by 0, as some libraries return it."""

    def cost(self, state: int, action: str, successor: int) -> Cost:
        return nan if state == 2 else 1


class NegativeCost(Ladder):
    """A slide in the middle."""

    def cost(self, state: int, action: str, successor: int) -> Cost:
        return -1 if (state, successor) == (1, 3) else 1


class InfiniteCost(Ladder):
    """A step that can't be taken, with a cost."""

    def cost(self, state: int, action: str, successor: int) -> Cost:
        return inf if successor == 3 else 1


class UnstableGoalTest(Ladder):
    """Any rung is a goal at the second call."""

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
    """Keeps its generators, and returns the same one twice."""

    def successors(self, state: int) -> Iterable[tuple[str, Any]]:
        return self._notes.setdefault(state, iter(list(super().successors(state))))


class OneShotStarts(Ladder):
    """Returns the same iterator of starts at each call."""

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
    """Looks up a missing key."""

    def successors(self, state: int) -> Iterable[tuple[str, Any]]:
        if state == 4:
            raise KeyError("rung four")
        return super().successors(state)


class BareStates(Ladder):
    """Forgets the actions."""

    def successors(self, state: int) -> Any:
        return [successor for _, successor in super().successors(state)]


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
