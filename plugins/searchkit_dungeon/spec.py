"""The problem as the plugin registers it: reading it from files, writing it, its examples."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from searchkit import SearchProblem, problem_from
from searchkit.plugin import (
    Example,
    InputFormatError,
    ProblemSpec,
    Query,
    Scenario,
    Source,
    file_in,
    options_of,
)
from searchkit_dungeon.formats.map_file import MapFile
from searchkit_dungeon.formats.movingai import is_movingai_map, read_movingai_map
from searchkit_dungeon.formats.scenarios import (
    find_scenario_map,
    is_scenario,
    read_scenario_lines,
    read_scenario_queries,
)
from searchkit_dungeon.formats.text import is_text_map, read_rows, read_text_map, written_map
from searchkit_dungeon.generators import GENERATORS
from searchkit_dungeon.options import PARAMETERS
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.render import places
from searchkit_dungeon.terrain import Cell

MAPS = Path(__file__).parent / "maps"


def grid(map: str | Iterable[str], **options: object) -> Grid:
    """Return the problem of a text map.

    Args:
        map: the map, as one text or as a list of rows: `#` wall, `.` floor, `S` or `@` start, `G` goal, `1` to
            `9` floor that costs as much to enter.
        options: `moves`, `corners`, `heuristic`, `start` and `goal`, as for a file.

    Raises:
        InputFormatError: the map is invalid; the message names the place.
        UnknownNameError, InvalidOptionError: an option does not exist, or its value is invalid.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_dungeon import grid
        >>> solve(grid(["S.#G", "....", ".##."])).cost
        5

    """
    return make_problem(read_rows(map), SPEC.parse(options))


def make_problem(map_file: MapFile, options: Mapping[str, Any]) -> Grid:
    """Return the problem on a map with all options, as `ProblemSpec.parse` returns them.

    Raises `InputFormatError` if a start or a goal is missing, off the map or inside a wall.
    """
    starts, goals = ends(map_file, options)
    given = {name: value for name, value in options.items() if name not in ("start", "goal")}
    return Grid(map_file.terrain, starts, goals, **given | {"moves": options["moves"] or map_file.moves})


def ends(map_file: MapFile, options: Mapping[str, Any]) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Return the starts and the goals that the options `start` and `goal` give, or else the map's own.

    Raises `InputFormatError` if a start or a goal is missing, off the map or inside a wall.
    """
    starts = _chosen(map_file, "start", options["start"], map_file.starts)
    goals = _chosen(map_file, "goal", options["goal"], map_file.goals)
    if not starts:
        raise _missing(map_file, "start")
    if not goals and options["goal"] is None:
        raise _missing(map_file, "goal")
    return starts, goals


def _chosen(
    map_file: MapFile, what: str, chosen: Iterable[Cell] | None, own: tuple[Cell, ...]
) -> tuple[Cell, ...]:
    """Return the cells that the options name, or else the map's own."""
    if chosen is None:
        return own
    for x, y in chosen:
        fault = map_file.terrain.fault((x, y))
        if fault:
            on_map = (x, y) in map_file.terrain
            raise InputFormatError(
                f"the {what} {x},{y} {fault}",
                source=map_file.source,
                line=map_file.first_line + y if on_map else None,
                column=x + 1 if on_map else None,
            )
    return tuple(chosen)


def _missing(map_file: MapFile, what: str) -> InputFormatError:
    draw = f"draw one as {map_file.marks[what]}, or " if what in map_file.marks else ""
    none = "; goal=() for none, as for a distance map" if what == "goal" else ""
    return InputFormatError(
        f"the map has no {what}: {draw}give one with --{what} X,Y (in Python {what}=(x, y){none})",
        source=map_file.source,
    )


def is_map(source: Source, options: Mapping[str, object]) -> bool:
    """Whether a file looks like a map or like a scenario, for which `read_map` says what to do with it."""
    return is_movingai_map(source.text) or is_scenario(source.text) or is_text_map(source.text)


def read(source: Source, **options: Any) -> Grid:
    """Return the problem on the map in a file."""
    return make_problem(read_map(source), options)


def read_map(source: Source) -> MapFile:
    """Return the text map or the MovingAI map in a file."""
    if is_movingai_map(source.text):
        return read_movingai_map(source.name, source.text)
    if is_scenario(source.text):
        raise InputFormatError(
            "this is a scenario, a list of queries; run them with searchkit scenario, or in Python "
            "searchkit.plugin.loading.load_scenario; or let a robot take each, all at once, with --problem robots",
            source=source.name,
        )
    return read_text_map(source.name, source.text)


def read_scenario(source: Source, map: str | None) -> Scenario | None:
    """Return the scenario in a file, or None if the file does not look like a scenario.

    For a MovingAI map, return the scenario beside it, whose name is that of the map with `.scen` appended.
    """
    if is_movingai_map(source.text):
        beside = source.path.with_name(source.path.name + ".scen")
        try:
            beside = file_in(beside.parent, beside.name)
        except ValueError as error:
            message = f"this is a map, and its scenario {beside.name} {error}; name the scenario"
            raise InputFormatError(message, source=source.name) from error
        return read_scenario(Source(beside), map or str(source.path))
    if source.suffix != ".scen" and not is_scenario(source.text):
        return None
    lines = read_scenario_lines(source.name, source.text)
    path = find_scenario_map(lines, source.path.parent, "--map") if map is None else Path(map)
    map_file = read_map(Source(path))
    terrain = map_file.terrain

    def problem(query: Query) -> SearchProblem[Any, Any]:
        start: Any = query.start
        goal: Any = query.goal
        if terrain.fault(start) or terrain.fault(goal):  # in a wall or off the map: there is no path
            return problem_from([start], lambda cell: (), lambda cell: False)
        return Grid(terrain, [start], [goal], moves=8)

    return Scenario(str(path), read_scenario_queries(lines, terrain), problem)


def write(problem: Grid) -> tuple[str, dict[str, object]] | None:
    """Return the problem as a text map with options.

    Returns None for a subclass, which may have other moves, if there is no start, and if the map can't be written.
    """
    written = written_map(problem.terrain, problem.starts, problem.goals)
    if type(problem) is not Grid or written is None or not problem.starts:
        return None
    return written[0], options_of(problem) | written[1]


SPEC = ProblemSpec(
    name="dungeon",
    summary="paths over a grid map: 4 or 8 moves, walls, terrain, several starts and goals",
    group="Maps",
    factory=grid,
    parameters=PARAMETERS,
    examples=(
        Example("crypt", MAPS / "crypt.txt", "a crypt with rubble, mud and a flooded hall"),
        Example("maze", MAPS / "maze.txt", "a small maze with loops"),
        Example("gates", MAPS / "gates.txt", "two starts and two goals: the nearest pair", {"moves": 8}),
        Example(
            "random512",
            MAPS / "random512-25-0.map",
            "MovingAI: 512x512, a quarter of it walls at random",
            {"start": (494, 482), "goal": (78, 15)},
        ),
        Example(
            "maze512",
            MAPS / "maze512-8-0.map",
            "MovingAI: 512x512, a maze with corridors 8 wide",
            {"start": (56, 402), "goal": (366, 383)},
        ),
        Example(
            "rooms512",
            MAPS / "32room_000.map",
            "MovingAI: 512x512, rooms of 32x32",
            {"start": (13, 469), "goal": (443, 4)},
        ),
    ),
    strategies={name: f"searchkit_dungeon.strategies:{name}" for name in ("grids", "mazes")},
    generators=GENERATORS,
    read=read,
    formats=(".map", is_map),
    scenario=read_scenario,
    classes=(Grid,),
    places=places,
    write=write,
)
