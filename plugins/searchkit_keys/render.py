"""The places of a vault: the map with keys, doors and robots; and the contracted graph."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from searchkit import Solution
from searchkit.plugin import ContractedGraph, Drawing, GraphNode, Mark, Places, Route
from searchkit_keys.contracted import ContractedVault
from searchkit_keys.contraction import Site, SiteGraph
from searchkit_keys.expanded import ExpandedVault
from searchkit_keys.lifting import lift
from searchkit_keys.vault import FLOOR, START, WALL, Cell, CellState, NodeState, Vault, letters

EXPANDED, ROBOT, OPEN = ",&'"
PATHS = "123456789"
"""The keys of the paths of robots; the tenth robot uses the key of the first, and so on."""
GLYPHS = "●◆▲■▼◉◈△□"
COLOURS = ("#ffd23f", "#4cc9f0", "#f78c6b", "#b388ff", "#7ae582", "#ff99c8", "#a9def9", "#e4c1f9", "#d0f4de")
VaultProblem: TypeAlias = ContractedVault | ExpandedVault


def places(problem: VaultProblem) -> Places[Any]:
    """Return the places: the cells of the robots; keys and doors disappear once a key is held.

    A state of the contracted problem is where its nodes are. The legend lists the keys that each robot collects, and
    if there are several robots, their numbers in the order of all keys.
    """
    vault = problem.vault
    cells = robots_of(problem)

    def changes(state: Any) -> dict[Cell, str]:
        held = letters(state[1])
        changed = dict.fromkeys(vault.starts, FLOOR) | {vault.keys[letter]: FLOOR for letter in held}
        for letter in held:
            changed |= dict.fromkeys(doors.get(letter, ()), OPEN)
        return changed | dict.fromkeys(cells(state), ROBOT)

    doors: dict[str, list[Cell]] = {}
    for cell, mark in vault.cells().items():
        if mark.isupper():
            doors.setdefault(mark.lower(), []).append(cell)
    return Places(
        Drawing(vault.rows, _marks(vault)),
        cells=cells,
        label=lambda state: " ".join([*map(str, state[0]), f"keys {letters(state[1]) or 'none'}"]),
        expanded={FLOOR: EXPANDED},
        routes=lambda path: routes(problem, path),
        changes=changes,
    )


def robots_of(problem: VaultProblem) -> Callable[[Any], Sequence[Cell]]:
    """Return the function that gives the cells of the robots in a state."""
    if isinstance(problem, ExpandedVault):
        return lambda state: state[0]
    sites = {site.name: site.cell for site in problem.contraction.graph.sites if site.name}
    return lambda state: [sites[node] for node in state[0]]


def _marks(vault: Vault) -> dict[str, Mark]:
    marks = {
        START: Mark("@", "#3ddc84", "start", rank=4),
        ROBOT: Mark("@", "#ffffff", "robot", rank=5),
        OPEN: Mark("'", "#ff5c7a", "open door", rank=1),
        WALL: Mark("█", "#9aa3b2", "wall"),
        FLOOR: Mark("·", "#3b414d", "floor"),
        EXPANDED: Mark("░", "#2f74c0", "expanded"),
    }
    for key, glyph, colour in zip(PATHS, GLYPHS, COLOURS, strict=True):
        marks[key] = Mark(glyph, colour, "path", rank=2)
    for mark in sorted(set().union(*vault.rows)):
        if mark.islower():
            marks[mark] = Mark(mark, "#ffb000", "key", rank=3)
        elif mark.isupper() and mark.lower() in vault.keys:
            marks[mark] = Mark(mark, "#ff5c7a", "door", rank=3)
        elif mark.isupper():
            marks[mark] = Mark(mark, "#9aa3b2", "door without a key: a wall", rank=3)
    return marks


def routes(problem: VaultProblem, path: Sequence[Any]) -> list[Route]:
    """Return the walk of each robot, labelled with the keys that it collects."""
    steps = grid_states(problem, path)
    starts = problem.vault.starts
    taken = tours(starts if tuple(sorted(starts)) == steps[0][0] else steps[0][0], steps)
    order = [letters(after & ~before) for (_, before), (_, after) in pairwise(steps) if after != before]
    found = []
    for number, (visited, collected) in enumerate(taken):
        if len(taken) == 1:
            label = f"path (keys in order: {' '.join(order)})" if order else "path"
        else:
            numbered = " ".join(f"{order.index(key) + 1}{key}" for key in collected)
            keys = f"keys in order: {numbered}" if numbered else "no keys"
            label = f"path of robot {number + 1} ({keys})"
        found.append(Route(visited, {FLOOR: PATHS[number % len(PATHS)]}, label))
    return found


def grid_states(problem: VaultProblem, path: Sequence[Any]) -> Sequence[CellState]:
    """Return the states of the expanded problem on a path."""
    if isinstance(problem, ExpandedVault) or not path:
        return path
    states: Sequence[NodeState] = path
    actions = tuple(
        min(
            (action for action, successor in problem.successors(state) if successor == after),
            key=lambda action: action.steps,
        )
        for state, after in pairwise(states)
    )
    cost = sum(action.steps for action in actions)
    return lift(problem, Solution(tuple(states), actions, cost)).states


def tours(starts: Sequence[Cell], steps: Sequence[CellState]) -> list[tuple[list[Cell], list[str]]]:
    """Return the cells that each robot visits and the keys that it collects."""
    taken: list[tuple[list[Cell], list[str]]] = [([cell], []) for cell in starts]
    for (robots, before), (moved, after) in pairwise(steps):
        left, entered = list(robots), list(moved)
        for cell in robots:
            if cell in entered:
                left.remove(cell)
                entered.remove(cell)
        mover = next(tour for tour in taken if tour[0][-1] == left[0])
        mover[0].append(entered[0])
        mover[1].extend(letters(after & ~before))
    return taken


def site_graph(vault: Vault) -> ContractedGraph:
    """Return the graph of starts, keys, doors and junctions with their cells.

    The label of an edge is its length in steps and, if it ends at a door, the key that is needed.
    """
    graph = SiteGraph.of(vault)
    names = [f"{site.name or 'junction'} {site.cell[0]},{site.cell[1]}" for site in graph.sites]
    nodes = [
        GraphNode(name, site.name, _kind(site), site.cell)
        for name, site in zip(names, graph.sites, strict=True)
    ]
    edges = []
    for number, around in enumerate(graph.edges):
        for other, steps in sorted(around.items()):
            if number < other:
                doors = sorted(
                    {graph.sites[i].name.lower() for i in (number, other) if graph.sites[i].is_door}
                )
                needs = f" (needs {' and '.join(doors)})" if doors else ""
                edges.append((names[number], names[other], f"{steps}{needs}"))
    return ContractedGraph(tuple(nodes), tuple(edges))


def _kind(site: Site) -> str:
    if site.is_start:
        return "start"
    return "key" if site.is_key else "door" if site.is_door else "junction"
