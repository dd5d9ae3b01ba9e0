"""How the nodes of a recording look: labels, places and heuristic values, from the problem or from a file."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

from attrs import define

from searchkit.plugin.drawing import Drawing, Places
from searchkit.plugin.places import places_of
from searchkit.problem import Cost, SearchProblem

FORWARD, BACKWARD, OWN = 0, 1, 2
"""What a node belongs to: the tree, its backward half, or the engine's own nodes, known from its notes."""
MAX_STEPS = 50_000
"""If the states of a recording have more successors, only the steps in its tree are known."""


@define(eq=False)
class Appearance:
    """What a recording asks about its nodes. A cell is a number, y · width + x on the ground."""

    label: Callable[[int], str]
    """Returns a short text."""
    ground: Drawing | None = None
    """What all states share; None if there is none, so that only a search tree shows the problem."""
    cells: Callable[[int], Sequence[int]] = lambda node: ()
    """Returns the cells of a node on the ground; the first one is its place. () if it is nowhere."""
    changes: Callable[[int], Mapping[int, str]] | None = None
    """Returns the cells that look different in a state, with the keys of their marks; None if none ever does."""
    position: Callable[[int], tuple[float, float] | None] = lambda node: None
    """Returns coordinates, y upwards; None if the node has none."""
    h: Callable[[int], Cost | None] = lambda node: None
    """Returns the heuristic value; None if the engine does not use it there."""
    edges: Callable[[], Sequence[tuple[int, int]]] = list
    """Returns steps between nodes, as pairs; those of the tree may be missing."""
    places: Places[Any] | None = None
    """Where the problem says its states are; None if the recording was read from a file."""


def appearance_of(
    problem: SearchProblem[Any, Any], states: Sequence[Any], halves: Sequence[int], *, guided: bool
) -> Appearance:
    """Return how the nodes of these states and halves look; the problem is asked for each when it is needed.

    `guided` says whether the engine uses the heuristic.
    """
    places = places_of(problem)
    ground, changes, position = places.ground, places.changes, places.position
    width = ground.width if ground else 0

    def label(node: int) -> str:
        return str(states[node]) if halves[node] == OWN else places.label(states[node])

    def cells(node: int) -> Sequence[int]:
        return () if halves[node] == OWN else tuple([y * width + x for x, y in places.cells(states[node])])

    def changed(node: int) -> Mapping[int, str]:
        found = changes(states[node]) if changes and halves[node] != OWN else {}
        return {y * width + x: key for (x, y), key in found.items()}

    def coordinates(node: int) -> tuple[float, float] | None:
        return None if position is None or halves[node] == OWN else position(states[node])

    def h(node: int) -> Cost | None:
        return problem.heuristic(states[node]) if guided and halves[node] == FORWARD else None

    def edges() -> Sequence[tuple[int, int]]:
        nodes = {state: node for node, state in enumerate(states) if halves[node] == FORWARD}
        steps = ((node, to) for state, node in nodes.items() for _, to in problem.successors(state))
        found = [(node, nodes.get(to, -1)) for node, to in islice(steps, MAX_STEPS)]
        # Robots that move at the same time have billions of steps.
        return [] if next(steps, None) else [edge for edge in found if edge[1] >= 0]

    found = Appearance(label, ground, position=coordinates, h=cache(h), edges=edges, places=places)
    if ground is not None:
        found.cells, found.changes = cells, changed if changes else None
    return found
