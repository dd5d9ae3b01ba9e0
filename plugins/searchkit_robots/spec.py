"""The specification that the plugin registers: the problem with its examples."""

from pathlib import Path

from searchkit.plugin import Example, ProblemSpec, imported_late
from searchkit_robots.files import OPTIONS, is_list_of_robots, read, robots, write
from searchkit_robots.problem import MultiAgentGrid
from searchkit_robots.render import places

MAPS = Path(__file__).parent / "maps"


AGENTS = imported_late("searchkit_robots.strategies", "agents")

SPEC = ProblemSpec(
    name="robots",
    summary="robots that move simultaneously on a grid without colliding: multi-agent path finding",
    group="Maps",
    factory=robots,
    parameters=OPTIONS,
    examples=(
        Example("siding", MAPS / "siding.agents", "two robots in a corridor with one place to pass"),
        Example("crossing", MAPS / "crossing.agents", "six robots that cross one another in a square"),
        Example("deadlock", MAPS / "deadlock.agents", "two robots that can't change places: unsolvable"),
        Example(
            "warehouse", MAPS / "warehouse.agents", "twenty robots between shelves, in aisles one robot wide"
        ),
        Example(
            "random32",
            MAPS / "random32.scen",
            "32x32, a fifth of it walls at random: 60 robots, in MovingAI's form",
            {"agents": 20},
        ),
    ),
    strategy=AGENTS,
    strategies={"agents": AGENTS},
    read=read,
    suffixes=(".agents",),
    recognise=is_list_of_robots,
    classes=(MultiAgentGrid,),
    places=places,
    write=write,
)
