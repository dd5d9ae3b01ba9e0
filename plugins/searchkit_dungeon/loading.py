"""From files and texts to problems and scenarios: which reader takes what."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from searchkit.basics.files import file_in
from searchkit.plugin import InputFormatError, InvalidOptionError, Query, Scenario, Source, parse_options
from searchkit_dungeon.grid import Grid, make_grid
from searchkit_dungeon.map_file import MapFile
from searchkit_dungeon.movingai import is_movingai_map, read_movingai_map
from searchkit_dungeon.options import PARAMETERS
from searchkit_dungeon.scen import find_map, is_scenario, read_lines, read_queries
from searchkit_dungeon.text_map import is_text_map, read_text_map


def grid(map: str | Iterable[str], **options: object) -> Grid:
    """Return the problem that a text map draws.

    Args:
        map: the map, as one text or as a list of rows: `#` wall, `.` floor, `S` or `@` start, `G` goal, `1` to
            `9` floor that costs as much to enter.
        options: `moves`, `corners`, `start` and `goal`, as for a file.

    Raises:
        InputFormatError: the map is faulty; the message says where.
        UnknownNameError, InvalidOptionError: no such option, or a value that it can't have.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_dungeon import grid
        >>> solve(grid(["S.#G", "....", ".##."])).cost
        5

    """
    text = dedent(map) if isinstance(map, str) else "\n".join(map)
    return read_text_map("", "\n".join(text.splitlines())).problem(parse(options))


def parse(options: Mapping[str, object]) -> dict[str, Any]:
    """Read the options of a grid problem, defaults filled in. Raises `UnknownNameError`, `InvalidOptionError`."""
    defaults = {parameter.name: parameter.default for parameter in PARAMETERS}
    return defaults | parse_options("problem 'dungeon'", PARAMETERS, options)


def read_map(source: Source, certain: bool) -> MapFile | None:
    """Return the map in a file, or None if it looks like no map and is not `certain` to be one."""
    map_file = _read(source, certain)
    if map_file is not None and source.path.is_file():  # not a text that is in no file
        map_file.terrain.path = source.path
    return map_file


def _read(source: Source, certain: bool) -> MapFile | None:
    if is_movingai_map(source.text):
        return read_movingai_map(source.name, source.text)
    if is_scenario(source.text):
        raise InputFormatError(
            "this is a scenario, a list of queries; run them with searchkit scenario, or in Python "
            "searchkit.plugin.loading.load_scenario",
            source=source.name,
        )
    empty_map = source.suffix == ".map" and not source.text.strip()
    if certain or empty_map or is_text_map(source.text):
        return read_text_map(source.name, source.text)
    return None


def read_scenario(source: Source, map: str | None, options: Mapping[str, object]) -> Scenario | None:
    """Return the scenario in a file, or None if it looks like none.

    For a MovingAI map, the scenario that lies beside it, called like the map with `.scen` after it.
    """
    if is_movingai_map(source.text):
        beside = source.path.with_name(source.path.name + ".scen")
        if not beside.is_file():
            raise InputFormatError(
                f"this is a map, and no scenario {beside.name} lies beside it; name the scenario",
                source=source.name,
            )
        try:
            beside = file_in(beside.parent, beside.name)
        except ValueError as error:
            raise InputFormatError(
                f"the scenario {beside.name} {error}; name the scenario", source=source.name
            ) from error
        return read_scenario(Source(beside), map or str(source.path), options)
    if source.suffix != ".scen" and not is_scenario(source.text):
        return None
    for name in ("start", "goal"):
        if name in options:
            raise InvalidOptionError(
                f"{name}={options[name]}: each query of a scenario has its own {name}; leave this out"
            )
    chosen = parse(options)
    if chosen["lengths"] != "real":
        raise InvalidOptionError(
            f"lengths={chosen['lengths']}: the lengths that a scenario tells are of steps 1 and √2; leave this out"
        )
    lines = read_lines(source.name, source.text)
    path = find_map(lines, source.path.parent, "--map") if map is None else Path(map)
    map_file = read_map(Source(path), certain=True)
    assert map_file is not None
    terrain, moves, corners = map_file.terrain, chosen["moves"] or 8, chosen["corners"]

    def problem(query: Query) -> Grid:
        return make_grid(terrain, [query.start], [query.goal], moves, corners)  # type: ignore[list-item]  # cells

    return Scenario(str(path), read_queries(lines, terrain), problem)
