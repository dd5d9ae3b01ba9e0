"""Jugs of water."""

from collections.abc import Iterable, Sequence

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.options import listing, numbers

State = tuple[int, ...]
"""The litres in each jug."""
ANY = "?"


class Jugs(SearchProblem[State, str]):
    """Measure an amount of water with jugs that have no marks (Tartaglia 1556).

    A state is the litres in each jug. An action fills a jug, empties it, or pours from one into another until this is
    full or that is empty. Each costs 1. Without a tap there is only pouring, and the first jug is full at first.

    Args:
        sizes: the litres that each jug holds, such as `3,5`.
        target: the litres to measure in any jug, such as `4`; or those of each jug, such as `4,4,0` or `2,?`.
        tap: whether jugs can be filled and emptied.

    """

    def __init__(self, sizes: str | Sequence[int] = (3, 5), target: str = "4", tap: bool = True):
        self.sizes, self.tap = numbers("sizes", sizes, least=1), tap
        self.target = listing(str(target))
        words = self.target.split(",")
        if len(words) not in (1, len(self.sizes)) or not all(w.isdecimal() or w == ANY for w in words):
            raise InvalidOptionError(
                f"target={self.target}: expected litres, such as 4, or those of each of the {len(self.sizes)} jugs, "
                "with ? for any"
            )
        self.litres = [None if word == ANY else int(word) for word in words]

    def initial_states(self) -> Iterable[State]:
        """Return empty jugs, or without a tap the first one full."""
        first = 0 if self.tap else self.sizes[0]
        return [(first,) + (0,) * (len(self.sizes) - 1)]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return what filling, emptying and pouring do; actions that change nothing are left out."""
        for one, size in enumerate(self.sizes):
            if self.tap and state[one] < size:
                yield f"fill {one + 1}", self.changed(state, {one: size})
            if self.tap and state[one] > 0:
                yield f"empty {one + 1}", self.changed(state, {one: 0})
            for other, room in enumerate(self.sizes):
                poured = min(state[one], room - state[other])
                if one != other and poured:
                    after = {one: state[one] - poured, other: state[other] + poured}
                    yield f"pour {one + 1} into {other + 1}", self.changed(state, after)

    def changed(self, state: State, litres: dict[int, int]) -> State:
        """Return a state with other amounts in some jugs."""
        return tuple(litres.get(jug, old) for jug, old in enumerate(state))

    def is_goal(self, state: State) -> bool:
        """Whether the target is measured."""
        if len(self.litres) == 1:
            return self.litres[0] in (None, *state)
        return all(wanted in (None, litres) for wanted, litres in zip(self.litres, state, strict=True))

    def __repr__(self) -> str:
        return f"<Jugs sizes={listing(self.sizes)} target={self.target} tap={str(self.tap).lower()}>"
