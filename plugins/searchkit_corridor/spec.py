"""The specifications that the plugin registers: the engine, and the problem with its examples."""

from pathlib import Path

from searchkit import Relaxable
from searchkit.plugin import EngineSpec, Example, Parameter, ProblemSpec, boolean, imported_late
from searchkit_corridor.files import asks_for_regions, corridor_grid, read, write
from searchkit_corridor.options import PARAMETERS
from searchkit_corridor.problem import CorridorGrid
from searchkit_corridor.render import places
from searchkit_corridor.search.engine import corridor

MAPS = Path(__file__).parent / "maps"


MASKED_GRIDS = imported_late("searchkit_corridor.strategies", "masked_grids")

ENGINE = EngineSpec(
    name="corridor",
    run=corridor,
    summary="coarse-to-fine: inside a corridor of regions that widens until it holds a path",
    costs="unit",
    requires=(Relaxable,),
    arrivals=False,
    kernel="searchkit_corridor.compiled.search:CorridorSearch",
    options=(
        Parameter(
            "variant",
            "restart (begin again in each wider mask), fast (continue; the path may be longer), optimal (continue and "
            "reopen; shortest in the final mask) or proved (widen until the path is proved shortest of all)",
            default="optimal",
            choices=("restart", "fast", "optimal", "proved"),
        ),
        Parameter("radius", "the width of the corridor to each side, in regions", default=2, least=0),
        Parameter(
            "budget",
            "the number of widenings before the mask is given up",
            default=32,
            least=0,
        ),
        Parameter(
            "activation",
            "how deferred states are stored: list (one list) or region (a list for each region, in "
            "order of cost)",
            default="list",
            choices=("list", "region"),
        ),
        Parameter(
            "learn",
            "plan a new corridor with what the failed one has proved (true), or widen by one ring (false)",
            default=True,
            convert=boolean,
        ),
        Parameter(
            "semantics",
            "with depths: strict (a shortest path of the deepest in the final mask) or resume (variant fast stays "
            "fast: one of the deepest)",
            default="strict",
            choices=("strict", "resume"),
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
