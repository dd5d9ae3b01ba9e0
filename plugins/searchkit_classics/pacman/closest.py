"""The agent that always eats the closest dot: quick, and rarely the shortest walk."""

from searchkit import Solution, solve
from searchkit_classics.pacman.food import Food, FoodState
from searchkit_classics.pacman.layout import Layout, without
from searchkit_classics.pacman.path import PathToDot


def eat_closest(layout: Layout | str, engine: str = "bfs") -> Solution[FoodState, str] | None:
    r"""Eat all dots of a maze by walking to the closest one again and again.

    The walk is a solution of `Food`, but seldom the shortest one: it leaves single dots behind and has to return for
    them. Each search is one over the cells of the maze, so that a maze with hundreds of dots takes no time.

    Args:
        layout: the maze, as a `Layout` or as text.
        engine: the engine that finds each path, one that finds the shortest paths.

    Returns:
        The whole walk, or None if a dot can't be reached.

    Raises:
        InputFormatError: the text is not a layout.
        UnknownNameError: there is no such engine.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_classics.pacman import Food, eat_closest
        >>> maze = "%%%%%%%%%%%%\n%.  P .   .%\n%%%%%%%%%%%%"
        >>> solve(Food(maze)).cost, eat_closest(maze).cost
        (12, 15)

    """
    food = Food(layout)
    (here, left), states, actions = food.initial_states()[0], food.initial_states(), list[str]()
    while left:
        path = solve(PathToDot(food.layout, start=here, dots=left), engine).solution
        if path is None:
            return None
        for action, cell in zip(path.actions, path.states[1:], strict=True):
            here, left = cell, without(cell, left)
            states.append((here, left))
            actions.append(action)
    return Solution(tuple(states), tuple(actions), len(actions))
