"""Caves: random walls smoothed by a cellular automaton, and tunnels that join the caverns."""

from collections.abc import Sequence
from itertools import product
from random import Random

from searchkit.plugin import GeneratorSpec, Parameter
from searchkit_dungeon.generators.bank import CellBank, GenerationError
from searchkit_dungeon.generators.chance import shuffle
from searchkit_dungeon.generators.options import SEED, Size, size_option
from searchkit_dungeon.generators.picture import mend_leaks, picture
from searchkit_dungeon.generators.rooms import Room
from searchkit_dungeon.generators.suites import join, parts_of
from searchkit_dungeon.terrain import Cell

AROUND = tuple((dx, dy) for dx, dy in product((-1, 0, 1), repeat=2))
CAVERN = 12
"""Caverns with fewer cells become walls."""
ATTEMPTS = 12
WIGGLE = 0.8
"""How winding tunnels are, from 0 to 1."""


def make_caves(size: Size, density: float, rounds: int, seed: int | None) -> str:
    """Return the text of a map of caves; `CAVES` describes the options.

    In each round a cell becomes a wall if at least 5 of the 9 cells at and around it are walls, else floor; cells off
    the map count as walls. (J. Babcock, "Cellular Automata Method for Generating Random Cave-Like
    Levels", RogueBasin.)
    """
    rng = Random(seed)
    width, height = size
    inside = [(x, y) for y in range(1, height - 1) for x in range(1, width - 1)]
    attempts = (_caverns(inside, density, rounds, rng) for _ in range(ATTEMPTS))
    caverns = next(filter(None, attempts), [])
    if not caverns:
        raise GenerationError(
            f"with density={density:g} there is no cavern of {CAVERN} cells in a map of {size}, "
            f"in {ATTEMPTS} attempts; ask for a lower density, or for a larger map"
        )
    floor = dict.fromkeys(cell for cavern in caverns for cell in cavern.cells)
    rock = CellBank(cell for cell in inside if cell not in floor)
    for tunnel in join(caverns, rock, rng, WIGGLE):
        floor.update(dict.fromkeys(tunnel))
    mend_leaks(floor)
    return picture(width, height, floor, caverns[0].origin)


def _caverns(inside: Sequence[Cell], density: float, rounds: int, rng: Random) -> list[Room]:
    """Return the caverns in the cells `inside`, except those that are too small."""
    scattered = list(inside)
    shuffle(rng, scattered)
    floor = dict.fromkeys(scattered[round(density * len(scattered)) :])
    for _ in range(rounds):
        floor = {cell: None for cell in inside if _open_cells_around(cell, floor) >= 5}
    return [cavern for cavern in parts_of(floor) if len(cavern.cells) >= CAVERN]


def _open_cells_around(cell: Cell, floor: dict[Cell, None]) -> int:
    x, y = cell
    return sum((x + dx, y + dy) in floor for dx, dy in AROUND)


CAVES = GeneratorSpec(
    "caves",
    "caverns joined by tunnels",
    parameters=(
        size_option(Size(64, 32), least=5),
        Parameter(
            "density",
            "the share of the cells that are walls before the first round",
            default=0.45,
            least=0,
            most=1,
        ),
        Parameter("rounds", "the number of smoothing rounds", default=5, least=0, most=100),
        SEED,
    ),
    make=make_caves,
)
