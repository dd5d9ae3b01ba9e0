"""Heuristics with one planted defect each, `h(state, problem)` for grids, and the promise that each one breaks."""

from math import inf, nan
from typing import Any

from attrs import frozen

from searchkit_dungeon import Cell


@frozen
class Mutant:
    """A heuristic, the strategy of grids that it is made for, and the promise that it breaks; "" for a control."""

    name: str
    heuristic: Any
    promise: str = ""
    strategy: str = "mazes"


def manhattan(state: Cell, problem: Any) -> int:
    """Return the least |dx| + |dy| to a goal: consistent for 4 moves."""
    return min((abs(state[0] - x) + abs(state[1] - y) for x, y in problem.goals), default=0)


def one_more_near_walls(state: Cell, problem: Any) -> int:
    """Add 1 to the distance where a wall is near, and the goal is not."""
    h = manhattan(state, problem)
    return h + (h > 1 and len(problem.successors(state)) < 4)


def zero_off_the_way(state: Cell, problem: Any) -> int:
    """Return 0 if the row is neither a start's nor a goal's: admissible, but inconsistent elsewhere."""
    rows = {y for _, y in (*problem.starts, *problem.goals)}
    return manhattan(state, problem) if state[1] in rows else 0


def one_at_the_goal(state: Cell, problem: Any) -> int:
    """Return at least 1."""
    return max(1, manhattan(state, problem))


def signed(state: Cell, problem: Any) -> int:
    """Forget the absolute value."""
    return sum(problem.goals[0]) - sum(state)


def nan_far_away(state: Cell, problem: Any) -> float:
    """Return NaN from a distance of 5."""
    h = manhattan(state, problem)
    return h if h < 5 else nan


def none_at_the_start(state: Cell, problem: Any) -> Any:
    """Return nothing for a start that is not a goal."""
    return None if state in problem.starts and state not in problem.goals else manhattan(state, problem)


def fails_at_the_goal(state: Cell, problem: Any) -> Any:
    """Divide by the distance."""
    return 1 // manhattan(state, problem)


def infinite_in_dead_ends(state: Cell, problem: Any) -> Any:
    """Treat a dead end of the maze as a cell from which no goal can be reached."""
    h = manhattan(state, problem)
    return inf if h and len(problem.successors(state)) == 1 else h


def doubled_from_a_distance(state: Cell, problem: Any) -> int:
    """Double large distances."""
    h = manhattan(state, problem)
    return h if h < 6 else 2 * h


MUTANTS = (
    Mutant("one more near walls", one_more_near_walls, "admissible"),
    Mutant("zero off the way", zero_off_the_way, "consistent"),
    Mutant("one at the goal", one_at_the_goal, "admissible"),
    Mutant("signed", signed, "numbers"),
    Mutant("NaN far away", nan_far_away, "numbers"),
    Mutant("None at the start", none_at_the_start, "numbers"),
    Mutant("fails at the goal", fails_at_the_goal, "numbers"),
    Mutant("infinite in dead ends", infinite_in_dead_ends, "admissible"),
    Mutant("doubled from a distance", doubled_from_a_distance, "admissible"),
    Mutant("Manhattan for 8 moves", manhattan, "admissible", "grids"),
)
CONTROLS = (Mutant("Manhattan", manhattan),)
