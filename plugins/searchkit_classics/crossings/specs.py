"""What the plugin registers of this group."""

from searchkit.plugin import Example, Parameter, ProblemSpec, imported_late
from searchkit_classics.crossings.bridge import HEURISTICS as BRIDGE
from searchkit_classics.crossings.bridge import Bridge
from searchkit_classics.crossings.missionaries import SPEC as MISSIONARIES
from searchkit_classics.crossings.river import HEURISTICS as RIVER
from searchkit_classics.crossings.river import River
from searchkit_classics.options import listing

GROUP, STRATEGIES = "Crossings", "searchkit_classics.crossings.strategies"

SPECS = (
    MISSIONARIES,
    ProblemSpec(
        name="river",
        summary="a farmer takes a wolf, a goat and a cabbage across a river: 7 crossings",
        factory=River,
        instance=River,
        group=GROUP,
        parameters=(
            Parameter("eats", "what eats what", "wolf-goat,goat-cabbage"),
            Parameter("boat", "how many things the farmer can take along", 1, convert=int),
            Parameter("heuristic", "round-trips, which lets nothing be eaten; zero", RIVER[0], choices=RIVER),
        ),
        examples=(
            Example(
                "river4", None, "four things, two at a time", {"eats": "dog-cat,cat-rat,rat-corn", "boat": 2}
            ),
        ),
        strategy=imported_late(STRATEGIES, "rivers"),
    ),
    ProblemSpec(
        name="bridge",
        summary="people cross a bridge at night with one torch: 17 minutes for 1, 2, 5 and 10",
        factory=Bridge,
        instance=Bridge,
        group=GROUP,
        parameters=(
            Parameter("times", "the minutes that each person needs", "1,2,5,10", convert=listing),
            Parameter("room", "the most people on the bridge", 2, convert=int),
            Parameter(
                "heuristic",
                "returns, with the ways back; pairs, without; slowest, the slowest person; zero",
                BRIDGE[0],
                choices=BRIDGE,
            ),
        ),
        examples=(Example("bridge5", None, "five people, 29 minutes", {"times": "1,3,6,8,12"}),),
        strategy=imported_late(STRATEGIES, "bridges"),
        always_solvable=True,
    ),
)
