"""Drawings of a vault: the map with the paths of the robots, and the contracted graph."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from searchkit import Solution
from searchkit.plugin import ContractedGraph, Drawing, GraphEdge, GraphNode, Mark
from searchkit_keys.contraction.sites import Site, SiteGraph
from searchkit_keys.problems.contracted import ContractedVault
from searchkit_keys.problems.expanded import ExpandedVault
from searchkit_keys.problems.lifting import lift
from searchkit_keys.vault import FLOOR, START, WALL, Cell, CellState, NodeState, Vault, letters

EXPANDED = ","
PATHS = "123456789"
"""The keys of the paths of robots; the tenth robot uses the key of the first, and so on."""
GLYPHS = "●◆▲■▼◉◈△□"
COLOURS = ("#ffd23f", "#4cc9f0", "#f78c6b", "#b388ff", "#7ae582", "#ff99c8", "#a9def9", "#e4c1f9", "#d0f4de")


def draw(problem: ContractedVault | ExpandedVault, path: Sequence[Any], expanded: Iterable[Any]) -> Drawing:
    """Return the drawing: ground, expanded cells, the paths of the robots, and over them starts, keys and doors.

    The legend lists the keys in the order in which they are collected, for each robot.
    """
    vault = problem.vault
    steps = grid_states(problem, path)
    cells = [list(row) for row in vault.rows]
    if isinstance(problem, ExpandedVault):
        for robots, _ in expanded:
            for x, y in robots:
                if cells[y][x] == FLOOR:
                    cells[y][x] = EXPANDED
    begins_at_starts = not steps or tuple(sorted(vault.starts)) == steps[0][0]
    taken = tours(vault.starts if begins_at_starts else steps[0][0], steps)
    for number, (visited, _) in enumerate(taken):
        for x, y in visited[1:]:
            if not vault.rows[y][x].isalpha() and vault.rows[y][x] != START:
                cells[y][x] = PATHS[number % len(PATHS)]
    order = " ".join(
        letters(after & ~before) for (_, before), (_, after) in pairwise(steps) if after != before
    )
    marks = {
        START: Mark("@", "#3ddc84", f"start (keys in order: {order})" if order else "start", rank=4),
        WALL: Mark("█", "#9aa3b2", "wall"),
        FLOOR: Mark("·", "#3b414d", "floor"),
        EXPANDED: Mark("░", "#2f74c0", "expanded"),
    }
    for number, (_, collected) in enumerate(taken[: len(PATHS)]):
        label = "path" if len(taken) == 1 else f"path of robot {number + 1} (keys: {' '.join(collected)})"
        marks[PATHS[number]] = Mark(GLYPHS[number], COLOURS[number], label, rank=2)
    for mark in sorted(set().union(*vault.rows)):
        if mark.islower():
            marks[mark] = Mark(mark, "#ffb000", "key", rank=3)
        elif mark.isupper() and mark.lower() in vault.keys:
            marks[mark] = Mark(mark, "#ff5c7a", "door", rank=3)
        elif mark.isupper():
            marks[mark] = Mark(mark, "#9aa3b2", "door without a key: a wall", rank=3)
    return Drawing(map("".join, cells), marks)


def grid_states(problem: ContractedVault | ExpandedVault, path: Sequence[Any]) -> Sequence[CellState]:
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
                edges.append(GraphEdge((names[number], names[other]), f"{steps}{needs}"))
    return ContractedGraph(tuple(nodes), tuple(edges))


def _kind(site: Site) -> str:
    if site.is_start:
        return "start"
    return "key" if site.is_key else "door" if site.is_door else "junction"
