"""Reading robots and their maps from files and text, and writing them.

A file of robots is a line that names a map, and a line for each robot:

    map room.txt
    1,1 -> 8,5
    8,5 -> 1,1

Cells are x,y: x grows to the right and y downwards, both from 0. The map, a text map or a MovingAI map, is a file in
the same directory. Blank lines are ignored. The map can also be part of the file, up to a blank line:

    map
    ..#..
    .....

    0,0 -> 4,0
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from searchkit.plugin import (
    InputFormatError,
    InvalidProblemError,
    Parameter,
    Source,
    file_in,
    parse_options,
    shortened,
)
from searchkit_dungeon import (
    Cell,
    Terrain,
    find_scenario_map,
    is_scenario,
    map_text,
    read_map,
    read_rows,
    read_scenario_lines,
    read_scenario_queries,
    read_text_map,
)
from searchkit_robots.problem import OBJECTIVES, MultiAgentGrid

MAP = re.compile(r"\s*map(?:\s+(\S.*?))?\s*")
OPTIONS = (
    Parameter(
        "objective",
        "the quantity to minimise: sum-of-costs (the sum of the times at which the robots arrive for good) or makespan "
        "(the time at which the last one does)",
        default="sum-of-costs",
        choices=tuple(OBJECTIVES),
    ),
    Parameter("agents", "the number of robots to read from the file (default: all)", convert=int, least=1),
    Parameter(
        "map", "the file of the map, if not the one that the file of robots names", convert=str, file=True
    ),
)
ROBOT = re.compile(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*->\s*(\d{1,9})\s*,\s*(\d{1,9})\s*")


def is_agents_file(text: str) -> bool:
    """Whether a text begins like a file of robots, valid or not."""
    return MAP.fullmatch(text.lstrip("\n").partition("\n")[0]) is not None


def read_agents_file(source: Source) -> tuple[str, str, list[tuple[Cell, Cell]]]:
    """Return the name of the map and the map in the file, one of them "", and the start and the goal of each robot.

    The map has the line numbers of the file. Raises `InputFormatError`, with line and column, if a line is invalid or
    there is no robot.
    """
    lines = source.text.split("\n")
    first = next(number for number, line in enumerate(lines) if line.strip())
    match = MAP.fullmatch(lines[first])
    assert match is not None  # `is_agents_file` has checked it
    begin = first + 1
    if not match[1]:
        begin = next((number for number in range(begin, len(lines)) if not lines[number].strip()), len(lines))
    drawn = "" if match[1] else "\n" * (first + 1) + "\n".join(lines[first + 1 : begin])
    pairs: list[tuple[Cell, Cell]] = []
    for number, line in enumerate(lines[begin:], begin + 1):
        if not line.strip():
            continue
        match_robot = ROBOT.fullmatch(line)
        if match_robot is None:
            raise InputFormatError(
                f"{line.strip()[:40]!r} is not a robot; expected its start and its goal, such as 3,4 -> 10,2",
                source=source.name,
                line=number,
                column=len(line) - len(line.lstrip()) + 1,
            )
        x, y, to_x, to_y = map(int, match_robot.groups())
        pairs.append(((x, y), (to_x, to_y)))
    if not pairs:
        raise InputFormatError(
            "there are no robots in the file; expected a line such as 3,4 -> 10,2 for each one",
            source=source.name,
            line=len(lines),
            column=1,
        )
    return match[1] or "", drawn, pairs


def robots(
    map: str | Iterable[str] | Terrain, robots: Iterable[tuple[Cell, Cell]], **options: object
) -> MultiAgentGrid:
    """Return the problem of robots that move simultaneously on a map.

    Args:
        map: the map, as one text, as a list of rows or as a terrain: `#` wall, `.` floor.
        robots: the start and the goal of each robot, two cells (x, y).
        options: `objective` and `agents`, as for a file.

    Raises:
        InputFormatError, InvalidProblemError: the map is invalid, or a robot can't stand on its start or its
            goal.
        UnknownNameError, InvalidOptionError: an option does not exist, or its value is invalid.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_robots import robots
        >>> corridor = robots(["...", "#.#"], [((0, 0), (2, 0)), ((2, 0), (0, 0))])
        >>> solve(corridor, "cbs").cost
        7

    """
    terrain = map if isinstance(map, Terrain) else read_rows(map).terrain
    return _problem("", terrain, list(robots), parse_options("problem 'robots'", OPTIONS, options))


def is_list_of_robots(source: Source, options: Mapping[str, object]) -> bool:
    """Whether a file looks like one of robots.

    A MovingAI scenario is one only if `agents` is given: its format is that of queries for a single robot.
    """
    return is_agents_file(source.text) or ("agents" in options and is_scenario(source.text))


def read(source: Source, **options: Any) -> MultiAgentGrid:
    """Return the problem in a file of robots or in a MovingAI scenario."""
    folder, given = source.path.parent, options["map"]
    path = None if given is None else Path(given)
    if is_agents_file(source.text):
        name, drawn, pairs = read_agents_file(source)
        if path is None and not name:
            return _problem(source.name, read_text_map(source.name, drawn).terrain, pairs, options)
        try:
            path = path or file_in(folder, name)
        except ValueError as error:
            raise InputFormatError(
                f"the map {shortened(name)} {error}; put it there, correct its name, or say where it is with "
                "--set map=FILE",
                source=source.name,
                line=1,
            ) from error
        return _problem(source.name, read_map(Source(path)).terrain, pairs, options)
    if is_scenario(source.text):
        lines = read_scenario_lines(source.name, source.text)
        terrain = read_map(Source(path or find_scenario_map(lines, folder, "--set map=FILE"))).terrain
        queries = read_scenario_queries(lines[: options["agents"]], terrain)
        pairs = [(query.start, query.goal) for query in queries]  # type: ignore[misc]  # cells
        return _problem(source.name, terrain, pairs, options)
    raise InputFormatError(
        "this is not a list of robots; expected a line such as map room.txt and then a line such as 3,4 -> 10,2 for "
        "each robot, or a MovingAI scenario",
        source=source.name,
        line=1,
    )


def _problem(
    source: str, terrain: Terrain, pairs: list[tuple[Cell, Cell]], options: Mapping[str, Any]
) -> MultiAgentGrid:
    count = options["agents"]
    if count is not None and count > len(pairs):
        raise InputFormatError(
            f"agents={count}: there are only {len(pairs)} robots; give at most that", source=source
        )
    try:
        return OBJECTIVES[options["objective"]](terrain, tuple(pairs[:count]))
    except InvalidProblemError as error:
        if not source:
            raise
        raise InputFormatError(str(error), source=source) from error


def write(problem: object) -> tuple[str, dict[str, object]] | None:
    """Return the map and its robots as one text, with the objective; None for any other problem."""
    if not isinstance(problem, MultiAgentGrid) or type(problem) is not OBJECTIVES[problem.objective]:
        return None
    robots = "".join("{},{} -> {},{}\n".format(*start, *goal) for start, goal in problem.robots)
    options: dict[str, object] = {"objective": problem.objective}
    if problem.objective == OPTIONS[0].default:
        options = {}
    return f"map\n{map_text(problem.terrain)}\n{robots}", options
