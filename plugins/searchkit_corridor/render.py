"""The places of a grid with regions: its ground, and the marks for phases, the path and expanded cells."""

from collections.abc import Iterator

from searchkit.plugin import Drawing, Mark, Places
from searchkit_corridor.problem import CorridorGrid
from searchkit_dungeon import WALL, Cell

WALL_KEY, FLOOR, EXPANDED, PATH, START, GOAL = "#.x*SG"
SHADES = ("#1e5896", "#27779d", "#389a89", "#8bbd57", "#d1cd61")
"""Colours of regions by the phase that opened them, in steps of lightness; the last one is for all later phases."""
GLYPHS = "12345"


def places(problem: CorridorGrid) -> Places[Cell]:
    """Return the places: each state is a cell, and regions are coloured by the phase of the mask that opened them."""
    terrain, blocks = problem.terrain, problem.blocks
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
        Drawing(rows, _marks()),
        cells=lambda cell: (cell,),
        expanded={FLOOR: EXPANDED},
        path={FLOOR: PATH},
        regions=cells_of,
        phases=[{FLOOR: shade} for shade in GLYPHS],
    )


def _marks() -> dict[str, Mark]:
    marks = {
        START: Mark("S", "#3ddc84", "start", rank=5),
        GOAL: Mark("G", "#ff5c7a", "goal", rank=5),
        PATH: Mark("●", "#ffd23f", "path", rank=4),
        WALL_KEY: Mark("█", "#9aa3b2", "wall"),
        FLOOR: Mark("·", "#3b414d", "floor"),
        EXPANDED: Mark("░", "#8a5fb0", "expanded"),
    }
    for number, (glyph, colour) in enumerate(zip(GLYPHS, SHADES, strict=True), 1):
        later = " and later" if number == len(SHADES) else ""
        marks[glyph] = Mark(glyph, colour, f"mask of phase {number}{later}", rank=1)
    return marks
