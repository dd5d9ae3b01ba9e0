"""The specification that the plugin registers: the problem with its examples."""

from pathlib import Path

from searchkit.plugin import Example, ProblemSpec
from searchkit_dungeon.files import grid, is_map, read, read_scenario, write
from searchkit_dungeon.generators import GENERATORS
from searchkit_dungeon.options import PARAMETERS
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.render import places

MAPS = Path(__file__).parent / "maps"

SPEC = ProblemSpec(
    name="dungeon",
    summary="paths over a grid map: 4 or 8 moves, walls, terrain, several starts and goals",
    group="Maps",
    factory=grid,
    parameters=PARAMETERS,
    examples=(
        Example("crypt", MAPS / "crypt.txt", "a crypt with rubble, mud and a flooded hall"),
        Example("maze", MAPS / "maze.txt", "a small maze with loops"),
        Example(
            "gates",
            MAPS / "gates.txt",
            "two starts and two goals: the nearest pair counts",
            {"moves": 8},
        ),
        Example(
            "random512",
            MAPS / "random512-25-0.map",
            "MovingAI: 512x512, a quarter of it walls at random",
            {"start": (494, 482), "goal": (78, 15)},
        ),
        Example(
            "maze512",
            MAPS / "maze512-8-0.map",
            "MovingAI: 512x512, a maze with corridors 8 wide",
            {"start": (56, 402), "goal": (366, 383)},
        ),
        Example(
            "rooms512",
            MAPS / "32room_000.map",
            "MovingAI: 512x512, rooms of 32x32",
            {"start": (13, 469), "goal": (443, 4)},
        ),
    ),
    strategies={name: f"searchkit_dungeon.strategies:{name}" for name in ("grids", "mazes")},
    generators=GENERATORS,
    read=read,
    suffixes=(".map",),
    recognise=is_map,
    scenario=read_scenario,
    classes=(Grid,),
    places=places,
    write=write,
)
