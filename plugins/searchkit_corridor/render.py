"""Drawing a search in a mask: the regions coloured by the phase that opened them, the path, starts and goals."""

from collections.abc import Iterable, Mapping

from searchkit.plugin import Drawing, Mark
from searchkit_corridor.problem import CorridorGrid
from searchkit_corridor.search.frontier import PhaseReport
from searchkit_dungeon import WALL, Cell

WALL_KEY, FLOOR, EXPANDED, PATH, START, GOAL = "#.x*SG"
SHADES = ("#20486e", "#2f6f8f", "#3f9488", "#6fae6a", "#a9b84f")
"""Colours of regions by the phase that opened them; the last one is for all later phases."""
GLYPHS = "12345"


def draw(
    problem: CorridorGrid, path: Iterable[Cell], expanded: Iterable[Cell], details: Mapping[str, object]
) -> Drawing:
    """Return the drawing. Cells expanded outside any mask, after a fall-back, have their own colour."""
    terrain, blocks = problem.terrain, problem.blocks
    stride = terrain.stride
    keys = bytearray(ord(WALL_KEY) if weight == WALL else ord(FLOOR) for weight in terrain.weights)
    for x, y in expanded:
        keys[y * stride + x] = ord(EXPANDED)
    phases = details.get("phases", ())
    reports = (
        [phase for phase in phases if isinstance(phase, PhaseReport)] if isinstance(phases, tuple) else []
    )
    for number, report in enumerate(reports):
        shade = ord(GLYPHS[min(number, len(SHADES) - 1)])
        for region in report.opened:
            assert isinstance(region, int)
            column, row = blocks.place(region)
            for y in range(row * blocks.cell, min((row + 1) * blocks.cell, terrain.height)):
                for x in range(column * blocks.cell, min((column + 1) * blocks.cell, terrain.width)):
                    if terrain.weights[y * stride + x] != WALL:
                        keys[y * stride + x] = shade
    for key, cells in ((PATH, path), (START, problem.starts), (GOAL, problem.goals)):
        for x, y in cells:
            keys[y * stride + x] = ord(key)
    text = keys.decode("ascii")
    rows = tuple(text[y * stride : y * stride + terrain.width] for y in range(terrain.height))
    return Drawing(rows, _marks(masked=bool(reports)))


def _marks(masked: bool) -> dict[str, Mark]:
    expanded = "expanded outside the mask" if masked else "expanded"
    marks = {
        START: Mark("S", "#3ddc84", "start", rank=5),
        GOAL: Mark("G", "#ff5c7a", "goal", rank=5),
        PATH: Mark("●", "#ffd23f", "path", rank=4),
        WALL_KEY: Mark("█", "#9aa3b2", "wall"),
        FLOOR: Mark("·", "#3b414d", "floor"),
        EXPANDED: Mark("░", "#8a5fb0", expanded),
    }
    for number, (glyph, colour) in enumerate(zip(GLYPHS, SHADES, strict=True), 1):
        later = " and later" if number == len(SHADES) else ""
        marks[glyph] = Mark(glyph, colour, f"mask of phase {number}{later}", rank=1)
    return marks
