"""The places of a grid problem: its ground, and the marks for the path and expanded cells."""

from collections.abc import Sequence

from searchkit.plugin import Drawing, Mark, Places
from searchkit_dungeon.formats.text import GROUND
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.terrain import WALL, Cell, Terrain

WATER = "~"
"""The key of water. Those of walls and of floor by weight are the characters of text maps."""
EXPANDED = "#abcdefghi"
"""The keys of expanded cells by weight."""
PATH, START, GOAL, BOTH = "#*jklmnopq", "#SABCDEFHI", "#GJKLMNOPQ", "#TUVWXYZ+-"
"""The keys of cells on the path, starts, goals, and starts that are goals, by weight."""
GLYPHS = {PATH: "█●②③④⑤⑥⑦⑧⑨", START: "█S❷❸❹❺❻❼❽❾", GOAL: "█G⓶⓷⓸⓹⓺⓻⓼⓽", BOTH: "█&⑵⑶⑷⑸⑹⑺⑻⑼"}
"""The glyphs for these keys. They show the weight as a number."""
EXPANDED_GLYPHS = "█░²³⁴⁵⁶⁷⁸⁹"
FLOOR_COLOUR, HEAVIEST_COLOUR, EXPANDED_COLOUR = (0x3B, 0x41, 0x4D), (0xA8, 0x6A, 0x2B), (0x2F, 0x74, 0xC0)
WINDOW, COVERED = 80, 0.6
"""Thin walls are kept in a drawing scaled down to 80 columns if they cover less than this share of it.

The same holds for corridors through rock. In a fine maze neither is kept, since walls would fill the drawing.
"""


def places(problem: Grid) -> Places[Cell]:
    """Return the places: each state is a cell, and the path is drawn over the expanded cells.

    If a cell costs more than 1 to enter, its mark is that number, for example a circled number on the path.
    """
    terrain = problem.terrain
    keys = bytearray(terrain.weights.translate(_table(GROUND)))
    if terrain.water:
        keys = bytearray(ord(WATER) if wet else key for wet, key in zip(terrain.water, keys, strict=True))
    both = set(problem.starts) & set(problem.goals)
    for key, cells in ((START, problem.starts), (GOAL, problem.goals), (BOTH, both)):
        shown = _table(key)
        for x, y in cells:
            here = y * terrain.stride + x
            keys[here] = shown[terrain.weights[here]]
    rows = [row.decode("ascii") for row in terrain.rows(keys)]
    weights = sorted({1, *terrain.weights} - {WALL})
    return Places(
        Drawing(rows, _marks(terrain, weights), hexagonal=problem.moves == 6),
        cells=lambda cell: (cell,),
        expanded={WATER: EXPANDED[1]} | {GROUND[weight]: EXPANDED[weight] for weight in weights},
        path={WATER: PATH[1]} | {GROUND[weight]: PATH[weight] for weight in weights},
    )


def _table(keys: str) -> bytes:
    """Return the table weight → key for `bytes.translate`."""
    return keys.encode("ascii").ljust(256, b"?")


def _marks(terrain: Terrain, weights: Sequence[int]) -> dict[str, Mark]:
    """Return the mark of each key for these weights."""
    cells = terrain.width * terrain.height
    scale = max(1, terrain.width / WINDOW)
    wall_rank = 1 if (cells - terrain.passable) / cells * scale < COVERED else 0
    floor_rank = 1 if terrain.passable / cells * scale < COVERED else 0
    marks = {
        keys[weight]: Mark(GLYPHS[keys][weight], colour, label, rank=rank)
        for keys, colour, label, rank in (
            (START, "#3ddc84", "start", 4),
            (GOAL, "#ff5c7a", "goal", 4),
            (BOTH, "#b388ff", "start and goal", 4),
            (PATH, "#ffd23f", "path", 3),
        )
        for weight in weights
    }
    marks[WATER] = Mark("~", "#2a5d8f", "water", rank=floor_rank)
    marks[GROUND[WALL]] = Mark("█", "#9aa3b2", "wall", rank=wall_rank)
    for weight in weights:
        ground = _mix(FLOOR_COLOUR, HEAVIEST_COLOUR, (weight - 1) / 8)
        expanded = _hex(_mix(ground, EXPANDED_COLOUR, 0.65))
        glyph, label = ("·", "floor") if weight == 1 else (str(weight), f"costs {weight}")
        marks[EXPANDED[weight]] = Mark(EXPANDED_GLYPHS[weight], expanded, "expanded", rank=floor_rank)
        marks[GROUND[weight]] = Mark(glyph, _hex(ground), label, rank=floor_rank)
    return marks


def _mix(one: tuple[int, ...], other: tuple[int, ...], part: float) -> tuple[int, ...]:
    return tuple(round(a + (b - a) * part) for a, b in zip(one, other, strict=True))


def _hex(colour: tuple[int, ...]) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in colour)
