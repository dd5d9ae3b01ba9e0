"""Deferred states: states outside the mask, kept until the mask contains them."""

from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeAlias

from searchkit.tree import Arrival

Waiting: TypeAlias = tuple[Any, Arrival[Any, Any], Hashable]
"""A state, its best arrival and its region."""


class DeferredList:
    """`activation=list`: one list of all deferred states in the order in which they were reached.

    `defer` takes O(1), `admitted` O(states deferred).
    """

    def __init__(self) -> None:
        self._states: dict[Any, Waiting] = {}

    def __len__(self) -> int:
        return len(self._states)

    def __iter__(self) -> Iterator[Waiting]:
        return iter(self._states.values())

    def defer(self, state: Any, region: Hashable, arrival: Arrival[Any, Any]) -> None:
        """Add a state, or keep the better of its two arrivals."""
        known = self._states.get(state)
        if known is None or arrival[0] < known[1][0]:
            self._states[state] = (state, arrival, region)

    def admitted(
        self, opened: frozenset[Hashable] | None, admits: Callable[[Any, Hashable], bool]
    ) -> list[Waiting]:
        """Return the states that the mask admits now, in the order in which they were reached."""
        return [waiting for waiting in self if admits(waiting[0], waiting[2])]

    def remove(self, waiting: list[Waiting]) -> None:
        """Remove states that `admitted` returned."""
        for state, _, _ in waiting:
            del self._states[state]


class DeferredByRegion:
    """`activation=region`: a list for each region. Only the opened regions are examined, and states come by cost.

    `defer` takes O(1), `admitted` O(regions deferred + n log n) for the n states of the regions opened.
    """

    def __init__(self) -> None:
        self._regions: dict[Hashable, dict[Any, Waiting]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._regions.values()))

    def __iter__(self) -> Iterator[Waiting]:
        return (waiting for states in self._regions.values() for waiting in states.values())

    def defer(self, state: Any, region: Hashable, arrival: Arrival[Any, Any]) -> None:
        """Add a state, or keep the better of its two arrivals."""
        states = self._regions.setdefault(region, {})
        known = states.get(state)
        if known is None or arrival[0] < known[1][0]:
            states[state] = (state, arrival, region)

    def admitted(
        self, opened: frozenset[Hashable] | None, admits: Callable[[Any, Hashable], bool]
    ) -> list[Waiting]:
        """Return the admitted states of the regions `opened` (None for all), least cost first."""
        regions = self._regions if opened is None else [r for r in self._regions if r in opened]
        found = [w for region in regions for w in self._regions[region].values() if admits(w[0], region)]
        return sorted(found, key=lambda waiting: waiting[1][0])

    def remove(self, waiting: list[Waiting]) -> None:
        """Remove states that `admitted` returned."""
        for state, _, region in waiting:
            del self._regions[region][state]
            if not self._regions[region]:
                del self._regions[region]


Deferred: TypeAlias = DeferredList | DeferredByRegion
ACTIVATIONS: dict[str, type[DeferredList] | type[DeferredByRegion]] = {
    "list": DeferredList,
    "region": DeferredByRegion,
}
