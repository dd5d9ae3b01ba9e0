"""Random walls: every cell is equally likely to be a wall. Such maps are common in benchmarks."""

from random import Random

from searchkit.plugin import GeneratorSpec, Parameter
from searchkit_dungeon.generators.bank import GenerationError
from searchkit_dungeon.generators.chance import shuffle
from searchkit_dungeon.generators.options import SEED, Size, size_option
from searchkit_dungeon.generators.picture import picture
from searchkit_dungeon.generators.suites import parts_of


def make_random(size: Size, density: float, seed: int | None) -> str:
    """Return the text of a map with random walls; `RANDOM` describes the options.

    S and G are in the largest connected part. Raises `GenerationError` if that is a single cell.
    """
    width, height = size
    cells = [(x, y) for y in range(height) for x in range(width)]
    shuffle(Random(seed), cells)
    floor = cells[round(density * len(cells)) :]
    if not floor:
        raise GenerationError(f"with density={density:g} no cell of {size} is left; ask for a lower density")
    largest = max(parts_of(floor), key=lambda part: len(part.cells))
    return picture(width, height, floor, largest.origin)


RANDOM = GeneratorSpec(
    "random",
    "walls at random",
    parameters=(
        size_option(Size(64, 32), least=1),
        Parameter("density", "the share of the cells that are walls", default=0.3, least=0, most=1),
        SEED,
    ),
    make=make_random,
)
