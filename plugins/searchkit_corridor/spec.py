"""The specifications that the plugin registers: the engine, and the problem with its examples."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from searchkit import Relaxable
from searchkit.plugin import (
    EngineSpec,
    Example,
    MissingCapabilityError,
    Parameter,
    ProblemSpec,
    Source,
    parameters_of,
)
from searchkit_corridor.engine import MASKED, corridor
from searchkit_corridor.files import with_regions, write
from searchkit_corridor.problem import CorridorGrid
from searchkit_corridor.render import places
from searchkit_dungeon import ENDS, is_map, read_map, read_rows

MAPS = Path(__file__).parent / "maps"
PARAMETERS = (
    *parameters_of(CorridorGrid),
    Parameter(
        "depth",
        "the depth whose minimum a path maximises: none, clearance (steps from the nearest wall or edge) "
        "or digits (1 to 9 on the map are depths, not costs)",
        default="none",
        choices=("none", "clearance", "digits"),
    ),
    *ENDS,
)
OWN = ("cell", "depth")
"""Options of this plugin only: giving one asks for a grid with regions."""


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
    kernel_needs_view=False,  # it refuses what is not a grid
    options=(
        Parameter(
            "variant",
            "restart (begin again in each wider mask), fast (continue; the path may be longer), optimal (continue and "
            "reopen: the cost of restart) or proved (restart, and then prove the path shortest of all)",
            default="restart",
            choices=("restart", "fast", "optimal", "proved"),
        ),
        Parameter("radius", "the regions to each side of the corridor", default=2, least=0, most=999),
        Parameter("budget", "the number of widenings before the mask is given up", default=32, least=0),
        Parameter(
            "learn",
            "plan a new corridor with what the failed one has proved (true), or widen by one ring (false)",
            default=True,
        ),
    ),
)


def corridor_grid(map: str | Iterable[str], **options: object) -> CorridorGrid:
    """Return the problem of a text map, with regions.

    Args:
        map: the map, as one text or as a list of rows: `#` wall, `.` floor, `S` or `@` start, `G` goal.
        options: `cell`, `depth`, `start` and `goal`, as for a file.

    Raises:
        InputFormatError: the map is invalid, or floor costs more than 1.
        UnknownNameError, InvalidOptionError: an option does not exist, or its value is invalid.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_corridor import corridor_grid
        >>> solve(corridor_grid(["S.#G", "....", ".##."], cell=2), "corridor").cost
        5

    """
    return with_regions(read_rows(map), SPEC.parse(options))


def asks_for_regions(source: Source, options: Mapping[str, object]) -> bool:
    """Whether a file is a map, and one of the options asks for regions."""
    return not options.keys().isdisjoint(OWN) and is_map(source, options)


def read(source: Source, **options: Any) -> CorridorGrid:
    """Return the problem on the map in a file."""
    return with_regions(read_map(source), options)


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
    strategies={"masked_grids": "searchkit_corridor.strategies:masked_grids"},
    read=read,
    formats=(asks_for_regions,),
    classes=(CorridorGrid,),
    places=places,
    write=write,
)
