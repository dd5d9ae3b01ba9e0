"""Files of robots: a line that names a map, and a line for each robot.

    map room.txt
    1,1 -> 8,5
    8,5 -> 1,1

Cells are x,y: x to the right, y down, from 0. The map, a text map or a MovingAI map, lies in the same directory.
Blank lines mean nothing. Or the map is in the file itself, up to a blank line:

    map
    ..#..
    .....

    0,0 -> 4,0
"""

import re

from searchkit.plugin import InputFormatError
from searchkit_dungeon import Cell

MAP = re.compile(r"\s*map(?:\s+(\S.*?))?\s*")
ROBOT = re.compile(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*->\s*(\d{1,9})\s*,\s*(\d{1,9})\s*")


def is_agents_file(text: str) -> bool:
    """Whether a text begins like a file of robots, faulty or not."""
    return MAP.fullmatch(text.lstrip("\n").partition("\n")[0]) is not None


def split_off_map(text: str) -> tuple[str, str]:
    """Return the map in a file of robots, and the file without it; "" for a file that names its map.

    Both keep their line numbers: where the other one is, they have blank lines.
    """
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if line.strip())
    if lines[first].strip() != "map":
        return "", text
    end = next((number for number in range(first + 1, len(lines)) if not lines[number].strip()), len(lines))
    rows = lines[first + 1 : end]
    return "\n" * (first + 1) + "\n".join(rows), "\n".join(
        lines[: first + 1] + [""] * len(rows) + lines[end:]
    )


def read_agents_file(name: str, text: str) -> tuple[str, list[tuple[Cell, Cell]]]:
    """Return the name of the map, "" where it is in the file, and the start and the goal of each robot.

    Raises `InputFormatError`, with `name`, line and column, where a line is not of this form or there is no robot.
    """
    map_name: str | None = None
    robots: list[tuple[Cell, Cell]] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if map_name is None:
            match = MAP.fullmatch(line)
            assert match is not None  # `is_agents_file` has looked at it
            map_name = match[1] or ""
            continue
        match = ROBOT.fullmatch(line)
        if match is None:
            raise InputFormatError(
                f"{line.strip()[:40]!r} is not a robot; expected its start and its goal, such as 3,4 -> 10,2",
                source=name,
                line=number,
                column=len(line) - len(line.lstrip()) + 1,
            )
        x, y, to_x, to_y = map(int, match.groups())
        robots.append(((x, y), (to_x, to_y)))
    if not robots:
        raise InputFormatError(
            "there are no robots in the file; expected a line such as 3,4 -> 10,2 for each one",
            source=name,
            line=len(lines),
            column=1,
        )
    return map_name or "", robots
