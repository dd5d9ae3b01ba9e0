"""How the nodes of a recording look: labels, places and heuristic values, from the problem or from a file."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from searchkit.plugin.drawing import Drawing
from searchkit.plugin.places import places_of
from searchkit.problem import Cost, SearchProblem
from searchkit.trace.log import FORWARD, OWN


class Looks(Protocol):
    """What a recording asks about its nodes. The answers do not change."""

    ground: Drawing | None
    """What all states share; None if there is none, so that only a search tree shows the problem."""

    def label(self, node: int) -> str:
        """Return a short text."""
        ...

    def cells(self, node: int) -> Sequence[int]:
        """Return the cells of a node on the ground, y · width + x; the first one stands for it. () if it is nowhere."""
        ...

    def changes(self, node: int) -> Mapping[int, str]:
        """Return the cells that look different in this state, with the keys of their marks."""
        ...

    def position(self, node: int) -> tuple[float, float] | None:
        """Return the coordinates of a node, y upwards; None if it has none."""
        ...

    def h(self, node: int) -> Cost | None:
        """Return the heuristic value; None if the engine does not use it there."""
        ...


class LiveLooks:
    """The looks of nodes whose states are at hand. Each is asked for when it is needed, and kept.

    Args:
        problem: what was searched.
        states: node → state.
        halves: node → half.
        guided: whether the engine uses the heuristic.

    """

    def __init__(
        self, problem: SearchProblem[Any, Any], states: Sequence[Any], halves: Sequence[int], *, guided: bool
    ):
        self.problem, self.states, self.halves, self.guided = problem, states, halves, guided
        self.places = places_of(problem)
        self.ground = self.places.ground
        self._width = self.ground.width if self.ground else 0
        self._h: dict[int, Cost] = {}
        self._cells: dict[int, Sequence[int]] = {}

    def label(self, node: int) -> str:
        """Return the label of the state, or the text of a node of the engine's own."""
        return str(self.states[node]) if self.halves[node] == OWN else self.places.label(self.states[node])

    def cells(self, node: int) -> Sequence[int]:
        """Return the cells of the state."""
        if self.ground is None or self.halves[node] == OWN:
            return ()
        if node not in self._cells:
            width = self._width
            self._cells[node] = [y * width + x for x, y in self.places.cells(self.states[node])]
        return self._cells[node]

    def changes(self, node: int) -> Mapping[int, str]:
        """Return the changed cells of the state."""
        if self.places.changes is None or self.halves[node] == OWN:
            return {}
        width = self._width
        return {y * width + x: key for (x, y), key in self.places.changes(self.states[node]).items()}

    def position(self, node: int) -> tuple[float, float] | None:
        """Return the coordinates of the state."""
        if self.places.position is None or self.halves[node] == OWN:
            return None
        return self.places.position(self.states[node])

    def h(self, node: int) -> Cost | None:
        """Return the heuristic value of a state of the tree, which the problem is asked for. Raises what it raises."""
        if not self.guided or self.halves[node] != FORWARD:
            return None
        if node not in self._h:
            self._h[node] = self.problem.heuristic(self.states[node])
        return self._h[node]

    def region(self, region: Any) -> Sequence[int]:
        """Return the cells of a region."""
        if self.places.regions is None:
            return ()
        width = self._width
        return [y * width + x for x, y in self.places.regions(region)]
