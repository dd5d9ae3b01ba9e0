"""The places of a grid with regions: its ground, and the marks for the path and expanded cells."""

from collections.abc import Iterator

from searchkit.plugin import Drawing, Mark, Places
from searchkit_corridor.problem import CorridorGrid
from searchkit_dungeon import WALL, Cell

WALL_KEY, FLOOR, EXPANDED, PATH, START, GOAL = "#.x*SG"
MARKS = {
    START: Mark("S", "#3ddc84", "start", rank=5),
    GOAL: Mark("G", "#ff5c7a", "goal", rank=5),
    PATH: Mark("●", "#ffd23f", "path", rank=4),
    WALL_KEY: Mark("█", "#9aa3b2", "wall"),
    FLOOR: Mark("·", "#3b414d", "floor"),
    EXPANDED: Mark("░", "#8a5fb0", "expanded"),
}


def places(problem: CorridorGrid) -> Places[Cell]:
    """Return the places: each state is a cell, and each region a block of cells."""
    terrain, blocks = problem.terrain, problem.regions.blocks
    stride = terrain.stride
    keys = bytearray(ord(WALL_KEY) if weight == WALL else ord(FLOOR) for weight in terrain.weights)
    for key, cells in ((START, problem.starts), (GOAL, problem.goals)):
        for x, y in cells:
            keys[y * stride + x] = ord(key)
    text = keys.decode("ascii")
    rows = tuple(text[y * stride : y * stride + terrain.width] for y in range(terrain.height))

    def cells_of(region: int) -> Iterator[Cell]:
        column, row = blocks.place(region)
        for y in range(row * blocks.cell, min((row + 1) * blocks.cell, terrain.height)):
            for x in range(column * blocks.cell, min((column + 1) * blocks.cell, terrain.width)):
                yield x, y

    return Places(
        Drawing(rows, MARKS),
        cells=lambda cell: (cell,),
        expanded={FLOOR: EXPANDED},
        path={FLOOR: PATH},
        regions=cells_of,
    )
