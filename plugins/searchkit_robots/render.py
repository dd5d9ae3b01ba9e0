"""The places of robots: their starts, goals and paths in their colours, and where they are in a state."""

from collections.abc import Sequence
from colorsys import hls_to_rgb
from itertools import cycle
from string import ascii_lowercase
from typing import Any

from searchkit.plugin import Cell, Drawing, Mark, Places, Route
from searchkit_robots.problem import MultiAgentGrid

WALL, FLOOR = "#", "."
FIRST_KEY = 0x100
"""The first key of a robot; keys of marks are single characters, and each robot has `KINDS` keys."""
KINDS = 4
PATH, GOAL, ON_GOAL, NOW = range(KINDS)
"""The kinds of keys of a robot: its path, its goal, its start on another's goal, and the robot itself."""
CIRCLED_A = 0x24D0
GOLDEN = 0.618
"""The golden section: steps of this share of the colour circle keep any number of hues apart."""


def places(problem: MultiAgentGrid) -> Places[Any]:
    """Return the places: starts, goals, and the cells of the robots; later robots' paths over earlier ones.

    Starts are letters, `a` for robot 0, and goals the same letters as capitals; after `z` comes `a` again. A start on
    the goal of another robot is a letter in a circle in the colour of that robot; the legend names both robots. In a
    state, the robots are where the state has them, on top of goals.
    """
    terrain, robots = problem.terrain, range(len(problem.robots))
    rows = [
        [FLOOR if terrain.weight((x, y)) else WALL for x in range(terrain.width)]
        for y in range(terrain.height)
    ]
    marks = _marks(problem)
    robot_to = {goal: robot for robot, goal in enumerate(problem.goals)}
    for x, y in problem.goals:
        rows[y][x] = _key(robot_to[x, y], GOAL)
    for robot, (x, y) in enumerate(problem.starts):
        other = robot_to.get((x, y), robot)
        rows[y][x] = _key(robot, NOW if other == robot else ON_GOAL)
        if other != robot:
            marks[rows[y][x]] = _start_on_goal(robot, other)
    moving = dict.fromkeys(problem.starts, FLOOR) | {
        goal: _key(robot, GOAL) for robot, goal in enumerate(problem.goals)
    }

    def changes(state: Any) -> dict[Cell, str]:
        cells = problem.positions(state)
        return moving | {cell: _key(robot, NOW) for robot, cell in enumerate(cells)}

    def routes(path: Sequence[Any]) -> list[Route]:
        positions = [problem.positions(state) for state in path]
        return [Route([cells[robot] for cells in positions], {FLOOR: _key(robot, PATH)}) for robot in robots]

    def label(state: Any) -> str:
        names = zip(cycle(ascii_lowercase), problem.positions(state), strict=False)
        return " ".join(f"{name}{cell}" for name, cell in names)

    return Places(
        Drawing(["".join(row) for row in rows], marks),
        cells=problem.positions,
        label=label,
        routes=routes,
        changes=changes,
    )


def _key(robot: int, kind: int) -> str:
    return chr(FIRST_KEY + KINDS * robot + kind)


def _marks(problem: MultiAgentGrid) -> dict[str, Mark]:
    marks = {WALL: Mark("█", "#9aa3b2", "wall"), FLOOR: Mark("·", "#3b414d", "floor")}
    for robot, name in zip(range(len(problem.robots)), cycle(ascii_lowercase), strict=False):
        marks[_key(robot, PATH)] = Mark("•", _colour(robot, 0.5), "its path", rank=1)
        marks[_key(robot, GOAL)] = Mark(name.upper(), _colour(robot, 0.72), "its goal", rank=2)
        marks[_key(robot, NOW)] = Mark(name, _colour(robot, 0.72), "robot", rank=3)
    return marks


def _start_on_goal(robot: int, other: int) -> Mark:
    letter, goal = robot % len(ascii_lowercase), ascii_lowercase[other % len(ascii_lowercase)]
    name = ascii_lowercase[letter]
    return Mark(
        chr(CIRCLED_A + letter), _colour(other, 0.72), f"start of {name}, goal of {goal.upper()}", rank=3
    )


def _colour(robot: int, lightness: float) -> str:
    channels = hls_to_rgb(robot * GOLDEN % 1, lightness, 0.75)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
