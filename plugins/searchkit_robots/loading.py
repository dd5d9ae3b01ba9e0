"""From texts and files to problems."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from searchkit.basics.files import file_in
from searchkit.plugin import InputFormatError, InvalidProblemError, Source, parse_options, shortened
from searchkit_dungeon import Cell, Terrain
from searchkit_dungeon.loading import read_map
from searchkit_dungeon.scen import find_map, is_scenario, read_lines, read_queries
from searchkit_dungeon.text_map import read_text_map
from searchkit_robots.agents_file import is_agents_file, read_agents_file, split_off_map
from searchkit_robots.grid import OBJECTIVES, MultiAgentGrid
from searchkit_robots.options import PARAMETERS


def robots(
    map: str | Iterable[str] | Terrain, robots: Iterable[tuple[Cell, Cell]], **options: object
) -> MultiAgentGrid:
    """Return the problem of moving robots over a map, all at once.

    Args:
        map: the map, as one text, as a list of rows or as a terrain: `#` wall, `.` floor.
        robots: the start and the goal of each robot, two cells (x, y).
        options: `objective` and `agents`, as for a file.

    Raises:
        InputFormatError, InvalidProblemError: the map is faulty, or a robot can't stand where it is to start or
            to end.
        UnknownNameError, InvalidOptionError: no such option, or a value that it can't have.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_robots import robots
        >>> corridor = robots(["...", "#.#"], [((0, 0), (2, 0)), ((2, 0), (0, 0))])
        >>> solve(corridor, "cbs").cost
        7

    """
    if not isinstance(map, Terrain):
        text = dedent(map) if isinstance(map, str) else "\n".join(map)
        terrain = read_text_map("", "\n".join(text.splitlines())).terrain
    else:
        terrain = map
    return _problem("", terrain, list(robots), _parse(options))


def load_robots(source: Source, certain: bool, options: Mapping[str, object]) -> MultiAgentGrid | None:
    """Return the problem in a file of robots or in a MovingAI scenario, or None if the file looks like neither.

    A scenario is taken for one of robots only if it is said to be (`certain`) or if `agents` is given: by its form
    it can't be told from one of queries for a single robot.
    """
    if is_agents_file(source.text):
        drawn, rest = split_off_map(source.text)
        name, pairs = read_agents_file(source.name, rest)
        if not name and options.get("map") is None:
            terrain = read_text_map(source.name, drawn).terrain
            return _problem(source.name, terrain, pairs, _parse(options))
        chosen = _parse(options)
        return _problem(source.name, _terrain(_map(source, name, chosen["map"])), pairs, chosen)
    if is_scenario(source.text) and (certain or "agents" in options):
        lines = read_lines(source.name, source.text)
        chosen = _parse(options)
        given = chosen["map"]
        path = find_map(lines, source.path.parent, "--set map=FILE") if given is None else Path(given)
        terrain = _terrain(Source(path))
        queries = read_queries(lines[: chosen["agents"]], terrain)
        pairs = [(query.start, query.goal) for query in queries]  # type: ignore[misc]  # cells
        return _problem(source.name, terrain, pairs, chosen, of=len(lines))
    if certain:
        raise InputFormatError(
            "this is not a list of robots; expected a line such as map room.txt and then a line such as "
            "3,4 -> 10,2 for each robot, or a MovingAI scenario",
            source=source.name,
            line=1,
        )
    return None


def _map(source: Source, name: str, given: str | None) -> Source:
    """Return the map that is given, or else the one that a file of robots names."""
    if given is not None:
        return Source(Path(given))
    try:
        return Source(file_in(source.path.parent, name))
    except ValueError as error:
        raise InputFormatError(
            f"the map {shortened(name)} {error}; put it there, correct its name, or say where it is with "
            "--set map=FILE",
            source=source.name,
            line=1,
        ) from error


def _terrain(source: Source) -> Terrain:
    map_file = read_map(source, certain=True)
    assert map_file is not None
    return map_file.terrain


def _problem(
    source: str,
    terrain: Terrain,
    pairs: list[tuple[Cell, Cell]],
    options: Mapping[str, Any],
    of: int | None = None,
) -> MultiAgentGrid:
    count = options["agents"]
    if count is not None and count > (of or len(pairs)):
        raise InputFormatError(
            f"agents={count}: there are only {of or len(pairs)} robots; give at most that", source=source
        )
    try:
        return OBJECTIVES[options["objective"]](terrain, pairs[:count])
    except InvalidProblemError as error:
        if not source:
            raise
        raise InputFormatError(str(error), source=source) from error


def _parse(options: Mapping[str, object]) -> dict[str, Any]:
    defaults = {parameter.name: parameter.default for parameter in PARAMETERS}
    return defaults | parse_options("problem 'robots'", PARAMETERS, options)
