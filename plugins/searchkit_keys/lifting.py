"""Turning solutions of the contracted problem into steps on the grid."""

from searchkit import Solution
from searchkit.plugin import InvalidProblemError
from searchkit_keys.contracted import ContractedVault, Walk
from searchkit_keys.vault import DIRECTIONS, Cell, CellState, Keys, NodeState, bit


def lift(problem: ContractedVault, solution: Solution[NodeState, Walk]) -> Solution[CellState, str]:
    """Return the solution of the expanded problem for a solution of the contracted one.

    Each walk becomes the steps of a shortest path on the grid that passes no locked door and no key that is not held
    yet, found by breadth-first search. The cost is that of the contracted solution.

    Raises `InvalidProblemError` if a walk is not possible or has another length; then the contraction is wrong.
    """
    robots = track(problem, solution)
    cells = problem.vault.cells()
    paths: list[list[Cell]] = [[cell] for cell in problem.vault.starts]
    keys: Keys = 0
    states: list[CellState] = [(tuple(sorted(path[-1] for path in paths)), keys)]
    actions: list[str] = []
    for robot, walk in zip(robots, solution.actions, strict=True):
        here = paths[robot][-1]
        way = _way(cells, here, problem.vault.keys[walk.key], keys)
        if way is None or len(way) != walk.steps:
            found = "there is none" if way is None else f"the shortest has {len(way)}"
            raise InvalidProblemError(
                f"{walk!r}: expected a way of {walk.steps} steps from {here} with the keys held, {found}"
            )
        for direction, cell in way:
            x, y = paths[robot][-1]
            actions.append(direction if len(paths) == 1 else f"({x}, {y}) {direction}")
            paths[robot].append(cell)
            if cell == problem.vault.keys[walk.key]:
                keys |= bit(walk.key)
            states.append((tuple(sorted(path[-1] for path in paths)), keys))
    return Solution(tuple(states), tuple(actions), len(actions))


def track(problem: ContractedVault, solution: Solution[NodeState, Walk]) -> list[int]:
    """Return the robot that takes each action, as its index in `vault.starts`.

    States do not distinguish robots. Of several robots at one node, the first moves.
    """
    starts = {
        site.name: number for number, site in enumerate(problem.contraction.graph.sites) if site.is_start
    }
    at = {starts[name]: name for name in problem.contraction.robots}
    movers = []
    for walk in solution.actions:
        robot = min(number for number, node in at.items() if node == walk.origin)
        at[robot] = walk.key
        movers.append(robot)
    return movers


def _way(cells: dict[Cell, str], start: Cell, end: Cell, keys: Keys) -> list[tuple[str, Cell]] | None:
    """Return the steps of a shortest path that is open with the keys held, or None."""
    before: dict[Cell, tuple[str, Cell]] = {start: ("", start)}
    layer = [start]
    while layer and end not in before:
        after = []
        for x, y in layer:
            for direction, (dx, dy) in DIRECTIONS:
                cell = (x + dx, y + dy)
                mark = cells.get(cell)
                if mark is None or cell in before:
                    continue
                if mark.isalpha() and cell != end and not bit(mark) & keys:
                    continue
                before[cell] = (direction, (x, y))
                after.append(cell)
        layer = after
    if end not in before:
        return None
    way = []
    while end != start:
        direction, previous = before[end]
        way.append((direction, end))
        end = previous
    return way[::-1]
