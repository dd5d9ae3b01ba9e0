"""What is worked out beforehand for a map: `searchkit precompute MAP`."""

from collections.abc import Mapping

from searchkit.plugin import InvalidOptionError, MissingCapabilityError, Precomputed, Source
from searchkit_dungeon.jump_table import LANDMARKS
from searchkit_dungeon.loading import parse, read_map
from searchkit_dungeon.table_file import suffix, written
from searchkit_dungeon.tables import make


def precompute(source: Source, certain: bool, options: Mapping[str, object]) -> Precomputed | None:
    """Return the jump table of the map in a file; None if the file looks like no map and is not `certain` to be one.

    Raises `InvalidOptionError` for options other than corners, which alone changes the table, and
    `MissingCapabilityError` for a map with terrain, where runs are not straight.
    """
    map_file = read_map(source, certain)
    if map_file is None:
        return None
    chosen = parse(options)
    for name in options:
        if name != "corners" and not (name == "moves" and chosen[name] == 8):
            raise InvalidOptionError(
                f"{name}={options[name]}: jump distances are for 8 moves, any start and any goal; leave this out"
            )
    terrain, corners = map_file.terrain, chosen["corners"]
    if terrain.weighted:
        raise MissingCapabilityError(
            f"{source.name} has floor that costs more than 1 to enter, and jump distances are for maps without it"
        )
    return Precomputed(
        suffix(corners),
        written(terrain, corners, make(terrain, corners)),
        f"jump distances and {LANDMARKS} landmarks of {terrain.passable} cells, for jps+ with corners={corners}",
    )
