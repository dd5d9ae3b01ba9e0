"""Maps as text: how problems are written to files, and how their `repr` shows them."""

from collections.abc import Iterable, Sequence

from searchkit_dungeon.moves import Cell
from searchkit_dungeon.terrain import Terrain

GROUND = "#.23456789"
"""How each weight is drawn: a wall, then floor by what it costs to enter."""
TO_GROUND = GROUND.encode("ascii").ljust(256, b"?")
START, GOAL = "S", "G"
WIDEST, TALLEST = 110, 60
"""The size of the largest map that a `repr` shows."""


def map_text(terrain: Terrain, starts: Sequence[Cell] = (), goals: Sequence[Cell] = ()) -> str:
    """Return the rows of a text map, each with its newline; starts are drawn over goals, both over the ground."""
    text = bytearray(terrain.weights.translate(TO_GROUND))
    for mark, cells in ((GOAL, goals), (START, starts)):
        for x, y in cells:
            text[y * terrain.stride + x] = ord(mark)
    rows = text.decode("ascii")
    lines = (rows[y * terrain.stride : y * terrain.stride + terrain.width] for y in range(terrain.height))
    return "".join(f"{line}\n" for line in lines)


def written_map(
    terrain: Terrain, starts: Sequence[Cell], goals: Sequence[Cell], in_order: bool = True
) -> tuple[str, dict[str, object]] | None:
    """Return the text and the options `start` and `goal` that make a map with these starts and goals.

    Each is drawn where that says all, and an option where it does not: the ground below costs more than 1 to enter,
    a start is a goal, or (with `in_order`) they are not in the order of the rows. None where some ground costs
    more than 9.
    """
    if max(terrain.weights) >= len(GROUND):
        return None
    options: dict[str, object] = {}
    for name, cells, others in (("start", starts, goals), ("goal", goals, starts)):
        seen = all(terrain.weight(cell) == 1 and cell not in others for cell in cells)
        ordered = not in_order or sorted(cells, key=lambda cell: (cell[1], cell[0])) == list(cells)
        if not (cells and seen and ordered):
            options[name] = cells[0] if len(cells) == 1 else tuple(cells)
    drawn_starts, drawn_goals = (
        () if name in options else cells for name, cells in (("start", starts), ("goal", goals))
    )
    return map_text(terrain, drawn_starts, drawn_goals), options


def shown(
    name: str,
    terrain: Terrain,
    starts: Sequence[Cell],
    goals: Sequence[Cell],
    facts: Iterable[str],
    rows: str | None = None,
) -> str:
    """Return the `repr` of a problem on a map: what it is in one line, and below it the map, or `rows`.

    Starts and goals are in the first line where they would hide a weight or one another on the map. A map of more than
    110 × 60 cells is left out.
    """
    head = [f"{name} {terrain.width}x{terrain.height}", *facts]
    if terrain.width > WIDEST or terrain.height > TALLEST:
        return f"<{', '.join([*head, f'{len(starts)} starts', f'{len(goals)} goals'])}>"
    written = written_map(terrain, starts, goals, in_order=False)
    hidden = {} if written is None else written[1]
    head += [f"{option} {cells}" for option, cells in hidden.items() if cells != ()]
    drawn = map_text(terrain, starts, goals) if written is None else written[0]
    return f"<{', '.join(head)}>\n{rows or drawn}".rstrip("\n")
