"""Mazes: corridors one cell wide, perfect (one way between any two cells) or braided (without dead ends)."""

from random import Random

from searchkit.plugin import GeneratorSpec, Parameter
from searchkit_dungeon.generators.chance import shuffle
from searchkit_dungeon.generators.options import SEED, Size, size_option
from searchkit_dungeon.generators.picture import picture
from searchkit_dungeon.generators.spanning_trees import ALGORITHMS, Passage, neighbours
from searchkit_dungeon.terrain import Cell


def make_maze(size: Size, algorithm: str, braid: float, seed: int | None) -> str:
    """Return the text of a maze; `MAZE` describes the options.

    The nodes of the maze are every second cell of the map; the passages between them are cells as well. If the width or
    the height is even, the last wall is two cells thick.
    """
    rng = Random(seed)
    columns, rows = (size[0] - 1) // 2, (size[1] - 1) // 2
    passages = ALGORITHMS[algorithm](columns, rows, rng)
    passages += _braid(columns, rows, passages, braid, rng)
    nodes = [(2 * x + 1, 2 * y + 1) for y in range(rows) for x in range(columns)]
    between = [(ax + bx + 1, ay + by + 1) for (ax, ay), (bx, by) in passages]
    return picture(*size, nodes + between, nodes[0])


def _braid(columns: int, rows: int, passages: list[Passage], braid: float, rng: Random) -> list[Passage]:
    """Return additional passages from dead ends, for the share `braid` of all dead ends."""
    ways: dict[Cell, set[Cell]] = {}
    for one, other in passages:
        ways.setdefault(one, set()).add(other)
        ways.setdefault(other, set()).add(one)
    ends = [(x, y) for y in range(rows) for x in range(columns) if len(ways.get((x, y), ())) == 1]
    shuffle(rng, ends)
    dug: list[Passage] = []
    for end in ends[: round(braid * len(ends))]:
        if len(ways[end]) > 1:
            continue
        others = [other for other in neighbours(end, columns, rows) if other not in ways[end]]
        if not others:
            continue
        shuffle(rng, others)
        other = min(others, key=lambda other: len(ways[other]))  # joins two dead ends if possible
        ways[end].add(other)
        ways[other].add(end)
        dug.append((end, other))
    return dug


MAZE = GeneratorSpec(
    "maze",
    "a perfect maze, or one with loops",
    parameters=(
        size_option(Size(61, 31), least=5, note=", best odd"),
        Parameter(
            "algorithm",
            "the algorithm that generates the maze",
            default="backtracker",
            choices=tuple(ALGORITHMS),
        ),
        Parameter(
            "braid",
            "the share of dead ends to open; with 0 it is a perfect maze",
            default=0.0,
            least=0,
            most=1,
        ),
        SEED,
    ),
    make=make_maze,
)
