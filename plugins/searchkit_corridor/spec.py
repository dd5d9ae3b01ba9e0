"""The specifications that the plugin registers: the engine, and the problem with its examples."""

from pathlib import Path
from typing import Any

from searchkit import Relaxable
from searchkit.plugin import (
    EngineSpec,
    Example,
    MissingCapabilityError,
    Parameter,
    ProblemSpec,
    imported_late,
)
from searchkit_corridor.engine import MASKED, corridor
from searchkit_corridor.files import asks_for_regions, corridor_grid, read, write
from searchkit_corridor.options import PARAMETERS
from searchkit_corridor.problem import CorridorGrid
from searchkit_corridor.render import places

MAPS = Path(__file__).parent / "maps"


MASKED_GRIDS = imported_late("searchkit_corridor.strategies", "masked_grids")


def compiled_corridor(
    problem: Any,
    tree: Any,
    variant: str = "restart",
    radius: int = 2,
    budget: int = 32,
    learn: bool = True,
) -> Any:
    """Return the compiled form of the engine. Raises `MissingCapabilityError` for a variant or a problem without it."""
    if variant not in MASKED:
        raise MissingCapabilityError(
            f"variant={variant} of corridor runs in Python; variant=restart and variant=proved have machine code"
        )
    from searchkit_corridor.compiled import CorridorRun

    return CorridorRun(problem, tree, variant, radius, budget, learn)


ENGINE = EngineSpec(
    name="corridor",
    run=corridor,
    summary="coarse-to-fine: inside a corridor of regions that widens until it holds a path",
    costs="unit",
    requires=(Relaxable,),
    arrivals=False,
    kernel="searchkit_corridor.spec:compiled_corridor",
    options=(
        Parameter(
            "variant",
            "restart (begin again in each wider mask), fast (continue; the path may be longer), optimal (continue and "
            "reopen: the cost of restart) or proved (restart, and then prove the path shortest of all)",
            default="restart",
            choices=("restart", "fast", "optimal", "proved"),
        ),
        Parameter("radius", "the width of the corridor to each side, in regions", default=2, least=0),
        Parameter("budget", "the number of widenings before the mask is given up", default=32, least=0),
        Parameter(
            "learn",
            "plan a new corridor with what the failed one has proved (true), or widen by one ring (false)",
            default=True,
        ),
    ),
)

SPEC = ProblemSpec(
    name="corridor",
    summary="paths over a grid map with regions, blocks of cells: 4 moves, several starts and goals, depths",
    group="Maps",
    factory=corridor_grid,
    parameters=PARAMETERS,
    examples=(
        Example("skerries", MAPS / "skerries.txt", "a strait full of islands", {"cell": 4}),
        Example(
            "fairway",
            MAPS / "fairway.txt",
            "a river with its depths: the deepest way, then the shortest",
            {"cell": 3, "depth": "digits"},
        ),
    ),
    strategy=MASKED_GRIDS,
    strategies={"masked_grids": MASKED_GRIDS},
    read=read,
    recognise=asks_for_regions,
    classes=(CorridorGrid,),
    places=places,
    write=write,
)
