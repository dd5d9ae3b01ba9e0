"""Drawing robots: their paths in their colours, or their positions at each time."""

from collections.abc import Iterator, Sequence
from colorsys import hls_to_rgb
from itertools import cycle
from string import ascii_lowercase
from typing import Any

from searchkit.plugin import Drawing, Mark
from searchkit_robots.problem import MultiAgentGrid

WALL, FLOOR = "#", "."
FIRST_KEY = 0x100
"""The first key of a robot; keys of marks are single characters, and each robot has `KINDS` keys."""
KINDS = 4
CIRCLED_A = 0x24D0
FINAL_SIGMA = 0x3C2
NAMES = ascii_lowercase + "".join(chr(code) for code in range(0x3B1, 0x3CA) if code != FINAL_SIGMA)
"""The letters of robots, Greek after Latin ones, then again from a. Goals are capital letters."""
GOLDEN = 0.618
"""The golden section: steps of this share of the colour circle keep any number of hues apart."""


def draw(problem: MultiAgentGrid, path: Sequence[Any]) -> Drawing:
    """Return the drawing of a plan: the cells that each robot passes in its colour, later robots over earlier ones.

    Starts are letters, `a` for robot 0, and goals the same letters as capitals. A start on the goal of another robot is
    a letter in a circle in the colour of that robot; the legend names both robots.
    """
    rows = _ground(problem)
    marks = _marks(problem, "a robot's start")
    for robot in range(len(problem.robots)):
        for state in path:
            _put(rows, problem.positions(state)[robot], _key(robot, 1))
    for robot, (start, goal) in enumerate(problem.robots):
        _put(rows, goal, _key(robot, 2))
        _put(rows, start, _key(robot, 0))
    robot_to = {goal: robot for robot, goal in enumerate(problem.goals)}
    for robot, start in enumerate(problem.starts):
        if robot_to.get(start, robot) != robot:
            _put(rows, start, _key(robot, 3))
            marks[_key(robot, 3)] = _start_on_goal(robot, robot_to[start])
    return _drawing(rows, marks)


def frames(problem: MultiAgentGrid, path: Sequence[Any]) -> list[Drawing]:
    """Return a drawing for each time of a plan: the positions of the robots and the goals without a robot."""
    marks = _marks(problem, "a robot")
    return [_drawing(rows, marks) for rows in _frames(problem, path)]


def _frames(problem: MultiAgentGrid, path: Sequence[Any]) -> Iterator[list[list[str]]]:
    for state in path:
        rows = _ground(problem)
        for robot, goal in enumerate(problem.goals):
            _put(rows, goal, _key(robot, 2))
        for robot, cell in enumerate(problem.positions(state)):
            _put(rows, cell, _key(robot, 0))
        yield rows


def _ground(problem: MultiAgentGrid) -> list[list[str]]:
    terrain = problem.terrain
    return [
        [FLOOR if terrain.weight((x, y)) else WALL for x in range(terrain.width)]
        for y in range(terrain.height)
    ]


def _put(rows: list[list[str]], cell: tuple[int, int], key: str) -> None:
    x, y = cell
    rows[y][x] = key


def _drawing(rows: list[list[str]], marks: dict[str, Mark]) -> Drawing:
    return Drawing(["".join(row) for row in rows], marks)


def _key(robot: int, kind: int) -> str:
    """Return the key of a robot (kind 0), its path (1), its goal (2) or its start on another's goal (3)."""
    return chr(FIRST_KEY + KINDS * robot + kind)


def _marks(problem: MultiAgentGrid, robot_label: str) -> dict[str, Mark]:
    marks = {WALL: Mark("█", "#9aa3b2", "wall"), FLOOR: Mark("·", "#3b414d", "floor")}
    for robot, name in zip(range(len(problem.robots)), cycle(NAMES), strict=False):
        marks[_key(robot, 0)] = Mark(name, _colour(robot, 0.72), robot_label, rank=3)
        marks[_key(robot, 1)] = Mark("•", _colour(robot, 0.5), "its path", rank=1)
        marks[_key(robot, 2)] = Mark(name.upper(), _colour(robot, 0.72), "its goal", rank=2)
    return marks


def _start_on_goal(robot: int, other: int) -> Mark:
    name, goal = (NAMES[index % len(NAMES)] for index in (robot, other))
    glyph = chr(CIRCLED_A + ascii_lowercase.index(name)) if name in ascii_lowercase else "◎"
    return Mark(glyph, _colour(other, 0.72), f"start of {name}, goal of {goal.upper()}", rank=3)


def _colour(robot: int, lightness: float) -> str:
    channels = hls_to_rgb(robot * GOLDEN % 1, lightness, 0.75)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
