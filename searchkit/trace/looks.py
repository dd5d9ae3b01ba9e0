"""How the nodes of a recording look: labels, places and heuristic values, from the problem or from a file."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from itertools import repeat
from operator import add, is_, itemgetter, mul
from typing import Any, Protocol

from searchkit.plugin.drawing import Drawing
from searchkit.plugin.places import places_of, unchecked
from searchkit.problem import Cost, SearchProblem
from searchkit.trace.log import FORWARD, OWN


class Looks(Protocol):
    """What a recording asks about its nodes. The answers do not change."""

    ground: Drawing | None
    """What all states share; None if there is none, so that only a search tree shows the problem."""

    expanded: Mapping[str, str]
    """Key of the ground → key where a node was expanded, …"""
    path: Mapping[str, str]
    """… and on a path."""
    phases: Sequence[Mapping[str, str]]
    """The same for the regions that each phase opened; the last one for all later phases."""
    has_changes: bool
    """Whether the ground may look different in a state."""

    @property
    def labels_are_places(self) -> bool:
        """Whether `all_places` was asked for and found that every label is `(x, y)`, the only cell of its node."""
        ...

    def label(self, node: int) -> str:
        """Return a short text."""
        ...

    def cells(self, node: int) -> Sequence[int]:
        """Return the cells of a node on the ground, y · width + x; the first one stands for it. () if it is nowhere."""
        ...

    def all_labels(self) -> Sequence[str]:
        """Return the labels of all nodes, faster than one by one."""
        ...

    def all_places(self) -> Sequence[int] | None:
        """Return the only cell of each node, -1 if it is nowhere; None if a node has several. Faster than `cells`."""
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

    def all_h(self, nodes: Sequence[int]) -> Sequence[Cost | None]:
        """Return the heuristic values of nodes, faster than one by one."""
        ...

    def edges(self, known: Set[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        """Return the steps between nodes of the tree, as pairs of nodes, without those that are known."""
        ...


def only_cells(cells: Iterable[Sequence[int]]) -> Sequence[int] | None:
    """Return the only cell of each node, -1 if it has none; None if one has several."""
    found = []
    for one in cells:
        if len(one) > 1:
            return None
        found.append(one[0] if one else -1)
    return found


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
        self.expanded, self.path, self.phases = self.places.expanded, self.places.path, self.places.phases
        self.has_changes = self.places.changes is not None and self.ground is not None
        self._labels_are_places = False
        self._width = self.ground.width if self.ground else 0
        self._h: dict[int, Cost] = {}
        self._cells: dict[int, Sequence[int]] = {}

    def __reduce__(
        self,
    ) -> Any:  # the checked functions of places can't be pickled; a copy asks for the places again
        return partial(LiveLooks, guided=self.guided), (self.problem, self.states, self.halves)

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

    @property
    def labels_are_places(self) -> bool:
        """Whether `all_places` has found that every label is `(x, y)`, the only cell of its state."""
        return self._labels_are_places

    def all_labels(self) -> Sequence[str]:
        """Return the labels of all nodes. If one is faulty, they are asked for one by one, and the fault is named."""
        if OWN not in self.halves:
            try:
                labels = list(map(unchecked(self.places.label), self.states))
                if set(map(type, labels)) <= {str}:
                    return labels
            except Exception:  # it is raised again below
                pass
        return [self.label(node) for node in range(len(self.states))]

    def all_places(self) -> Sequence[int] | None:
        """Return the cells; they are asked for one by one if one is faulty, or if a state has several."""
        nodes = len(self.states)
        if self.ground is None:
            return [-1] * nodes
        if OWN not in self.halves:
            try:
                return self._one_cell_each(unchecked(self.places.cells))
            except Exception:  # it is raised again below
                pass
        return only_cells(self.cells(node) for node in range(nodes))

    def _one_cell_each(self, cells_of: Callable[[Any], Any]) -> Sequence[int]:
        """Return the cells of states that have one each, or none at all. Raises for all other answers."""
        states = self.states
        if states and cells_of(states[0]) == ():
            if all(cells_of(state) == () for state in states):
                return [-1] * len(states)
            raise ValueError("only some states are nowhere")
        found = [cell for (cell,) in map(cells_of, states)]
        if set(map(len, found)) - {2}:
            raise ValueError("a cell should be a pair")
        xs, ys = list(map(itemgetter(0), found)), list(map(itemgetter(1), found))
        width, height = self._width, self.ground.height if self.ground else 0
        if not (
            set(map(type, xs)) == set(map(type, ys)) == {int}
            and set(xs) <= set(range(width))
            and set(ys) <= set(range(height))
        ):
            raise ValueError("a cell is outside the ground")
        self._labels_are_places = (  # a state (x, y) is its own cell, and its label is its `str`
            unchecked(self.places.label) is str
            and set(map(type, states)) == {tuple}
            and all(map(is_, found, states))
        )
        return list(map(add, map(mul, ys, repeat(width)), xs))

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

    def all_h(self, nodes: Sequence[int]) -> Sequence[Cost | None]:
        """Return the heuristic values of states of the tree. Raises what the problem raises."""
        if not self.guided:
            return [None] * len(nodes)
        heuristic, states = self.problem.heuristic, self.states
        return [heuristic(states[node]) for node in nodes]

    def edges(self, known: Set[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        """Return the steps that the problem says. Raises what it raises."""
        nodes = {state: node for node, state in enumerate(self.states) if self.halves[node] == FORWARD}
        found: dict[tuple[int, int], None] = {}
        for state, node in nodes.items():
            for _, successor in self.problem.successors(state):
                if successor in nodes and (node, nodes[successor]) not in known:
                    found[node, nodes[successor]] = None
        return list(found)

    def region(self, region: Any) -> Sequence[int]:
        """Return the cells of a region."""
        if self.places.regions is None:
            return ()
        width = self._width
        return [y * width + x for x, y in self.places.regions(region)]


class StoredLooks:
    """The looks of nodes as a file holds them."""

    def __init__(self, nodes: int):
        self.ground: Drawing | None = None
        self.expanded: Mapping[str, str] = {}
        self.path: Mapping[str, str] = {}
        self.phases: Sequence[Mapping[str, str]] = ()
        self.has_changes = False
        self.labels: Sequence[str] = ()
        """The label of each node; () if it is the place, `(x, y)`."""
        self.places: Sequence[Sequence[int]] = [()] * nodes
        self.positions: Sequence[tuple[float, float] | None] = ()
        self.values: dict[int, Cost] = {}
        self.pairs: Sequence[tuple[int, int]] = ()
        self.differences: list[list[tuple[int, str]]] = []
        """For each node the cells that look different than in its first parent; "" for the ground."""
        self.parents: list[int] = []
        """For each node its first parent."""

    @property
    def labels_are_places(self) -> bool:
        """Whether the file has no labels, so that places stand for them."""
        return not self.labels

    def label(self, node: int) -> str:
        """Return the label of a node."""
        if self.labels:
            return self.labels[node]
        width = self.ground.width if self.ground else 1
        y, x = divmod(self.places[node][0] if self.places[node] else -1, width)
        return f"({x}, {y})"

    def cells(self, node: int) -> Sequence[int]:
        """Return the cells of a node."""
        return self.places[node]

    def all_labels(self) -> Sequence[str]:
        """Return the labels of all nodes."""
        return self.labels or [self.label(node) for node in range(len(self.places))]

    def all_places(self) -> Sequence[int] | None:
        """Return the cells of all nodes, if none has several."""
        return only_cells(self.places)

    def changes(self, node: int) -> Mapping[int, str]:
        """Return the changed cells of a node: those of its ancestors and its own."""
        line = []
        while self.differences and node >= 0:
            line.append(node)
            node = self.parents[node]  # a smaller number: it was reached before
        found: dict[int, str] = {}
        for one in reversed(line):
            found.update(self.differences[one])
        return {cell: key for cell, key in found.items() if key}

    def position(self, node: int) -> tuple[float, float] | None:
        """Return the coordinates of a node."""
        return self.positions[node] if self.positions else None

    def h(self, node: int) -> Cost | None:
        """Return the heuristic value of a node."""
        return self.values.get(node)

    def all_h(self, nodes: Sequence[int]) -> Sequence[Cost | None]:
        """Return the heuristic values of nodes."""
        return list(map(self.values.get, nodes))

    def edges(self, known: Set[tuple[int, int]]) -> Sequence[tuple[int, int]]:
        """Return the steps that the file holds."""
        return [pair for pair in self.pairs if pair not in known]
