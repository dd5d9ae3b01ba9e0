"""The wolf, the goat and the cabbage."""

from collections.abc import Iterable

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.options import in_range, one_of

HEURISTICS = ("round-trips", "zero")

State = tuple[int, ...]
"""The bank of the farmer and of each thing: 0 for the left one, 1 for the right one."""


class River(SearchProblem[State, str]):
    """A farmer takes a wolf, a goat and a cabbage across a river (Alcuin of York, about 800).

    What eats something may not be left alone with it. A state has the bank of the farmer and of each thing, 0 or 1; an
    action says what the farmer takes along. Each crossing costs 1.

    Args:
        eats: what eats what, such as `wolf-goat,goat-cabbage`; all that is named has to cross.
        boat: how many things the farmer can take along.
        heuristic: `round-trips`, the crossings if nothing were eaten, or `zero`.

    """

    def __init__(self, eats: str = "wolf-goat,goat-cabbage", boat: int = 1, heuristic: str = HEURISTICS[0]):
        self.eats = [tuple(pair.split("-")) for pair in eats.split(",")]
        if not all(len(set(pair)) == len(pair) == 2 and all(map(str.isalnum, pair)) for pair in self.eats):
            raise InvalidOptionError(f"eats={eats}: expected pairs of names, such as wolf-goat,goat-cabbage")
        self.things = list(dict.fromkeys(thing for pair in self.eats for thing in pair))
        self.boat = in_range("boat", boat, 1, len(self.things))
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)

    def initial_states(self) -> Iterable[State]:
        """Return the state with all on the left bank."""
        return [(0,) * (1 + len(self.things))]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return the crossings after which nothing is eaten."""
        farmer, *things = state
        for taken in self.loads([number for number, bank in enumerate(things) if bank == farmer]):
            after = (
                1 - farmer,
                *(1 - bank if number in taken else bank for number, bank in enumerate(things)),
            )
            if self.is_safe(after):
                names = ", ".join(self.things[number] for number in taken) or "alone"
                yield f"{'←' if farmer else '→'} {names}", after

    def loads(self, there: list[int]) -> list[tuple[int, ...]]:
        """Return what the farmer can take along of what is there, the smallest loads first."""
        found: list[tuple[int, ...]] = [()]
        for load in found:
            if len(load) < self.boat:
                found += [(*load, thing) for thing in there if not load or thing > load[-1]]
        return found

    def is_safe(self, state: State) -> bool:
        """Whether nothing is eaten where the farmer is not."""
        bank = dict(zip(self.things, state[1:], strict=True))
        return not any(bank[eater] == bank[food] != state[0] for eater, food in self.eats)

    def is_goal(self, state: State) -> bool:
        """Whether all are on the right bank."""
        return all(state)

    def heuristic(self, state: State) -> int:
        """Return the crossings that are needed to take over what is on the left."""
        loads = -(-state[1:].count(0) // self.boat)
        if self.heuristic_name == "zero" or (loads == 0 and state[0]):
            return 0
        return 2 * loads if state[0] else max(1, 2 * loads - 1)

    def __repr__(self) -> str:
        eats = ",".join("-".join(pair) for pair in self.eats)
        return f"<River eats={eats} boat={self.boat} heuristic={self.heuristic_name}>"
