"""The wolf, the goat and the cabbage."""

from collections.abc import Iterable
from functools import cached_property

from searchkit import SearchProblem
from searchkit.plugin import Example, Mark, Places, ProblemSpec, option, picture, with_options
from searchkit_classics.banks import SIDES, banks, spread

State = tuple[int, ...]
"""The bank of the farmer and of each thing: 0 for the left one, 1 for the right one."""


@with_options
class River(SearchProblem[State, str]):
    """A farmer takes a wolf, a goat and a cabbage across a river (Alcuin of York, about 800).

    What eats something may not be left alone with it. A state has the bank of the farmer and of each thing, 0 or 1; an
    action says what the farmer takes along. Each crossing costs 1.
    """

    eats: str = option("what eats what; all that is named has to cross", default="wolf-goat,goat-cabbage")
    boat: int = option("how many things the farmer can take along", default=1, least=1, most=100)
    heuristic_name: str = option(
        "round-trips, which lets nothing be eaten; zero",
        default="round-trips",
        choices=("round-trips", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        if not all(len(set(pair)) == len(pair) == 2 and all(map(str.isalnum, pair)) for pair in self.pairs):
            raise ValueError(f"eats={self.eats}: expected pairs of names, such as wolf-goat,goat-cabbage")

    @cached_property
    def pairs(self) -> list[tuple[str, ...]]:
        """Who eats what."""
        return [tuple(pair.split("-")) for pair in self.eats.split(",")]

    @cached_property
    def things(self) -> list[str]:
        """What has to cross."""
        return list(dict.fromkeys(thing for pair in self.pairs for thing in pair))

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
        return not any(bank[eater] == bank[food] != state[0] for eater, food in self.pairs)

    def is_goal(self, state: State) -> bool:
        """Whether all are on the right bank."""
        return all(state)

    def heuristic(self, state: State) -> int:
        """Return the crossings that are needed to take over what is on the left."""
        loads = -(-state[1:].count(0) // self.boat)
        if self.heuristic_name == "zero" or (loads == 0 and state[0]):
            return 0
        return 2 * loads if state[0] else max(1, 2 * loads - 1)


COLOURS = ("#ffd23f", "#ff8c66", "#e3b7f0", "#7fd4ff", "#a8e05f", "#d7dae0")


def places(problem: River) -> Places[State]:
    """Return the banks with the initials of all; as a graph, the more are across the farther right."""
    names = ["farmer", *problem.things]
    keys = [chr(ord("A") + number) for number in range(len(names))]
    marks = SIDES | {
        key: Mark(name[0].upper(), COLOURS[number % len(COLOURS)], name, rank=2)
        for number, (key, name) in enumerate(zip(keys, names, strict=True))
    }
    initials = [name[0].upper() for name in names]

    def label(state: State) -> str:
        left, right = (
            "".join(x for x, bank in zip(initials, state, strict=True) if bank == side) for side in (0, 1)
        )
        return f"{left or '–'} ~ {right or '–'}"

    def rows(state: State) -> list[str]:
        return banks(list(zip(keys, state, strict=True)), bool(state[0]))

    return picture(rows, (0,) * len(names), marks, label, spread)


SPEC = ProblemSpec(
    "river",
    "a farmer takes a wolf, a goat and a cabbage across a river: 7 crossings",
    River,
    group="Crossings",
    examples=(
        Example(
            "river4", None, "four things, two at a time", {"eats": "dog-cat,cat-rat,rat-corn", "boat": 2}
        ),
    ),
    small={"eats": ("a-b,b-c", "a-b", "a-b,b-c,c-a", "a-b,b-c,c-d", "a-b,a-c,a-d"), "boat": (1, 2)},
    places=places,
)
