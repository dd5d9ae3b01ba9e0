"""What the plugin registers of this group."""

from searchkit.plugin import Example, Parameter, ProblemSpec, imported_late
from searchkit_classics.crossings.bridge import HEURISTICS as BRIDGE
from searchkit_classics.crossings.bridge import Bridge
from searchkit_classics.crossings.missionaries import HEURISTICS as MISSIONARIES
from searchkit_classics.crossings.missionaries import Missionaries
from searchkit_classics.crossings.river import HEURISTICS as RIVER
from searchkit_classics.crossings.river import River
from searchkit_classics.options import listing

GROUP, STRATEGIES = "Crossings", "searchkit_classics.crossings.strategies"

SPECS = (
    ProblemSpec(
        name="missionaries",
        summary="missionaries and cannibals cross a river: 11 crossings for 3 and 3",
        factory=Missionaries,
        instance=Missionaries,
        group=GROUP,
        parameters=(
            Parameter("missionaries", "the number of missionaries", 3, convert=int),
            Parameter("cannibals", "the number of cannibals", 3, convert=int),
            Parameter("boat", "the most people in the boat", 2, convert=int),
            Parameter(
                "heuristic",
                "round-trips, which counts the ways back; boatloads, which does not; zero",
                MISSIONARIES[0],
                choices=MISSIONARIES,
            ),
        ),
        examples=(
            Example(
                "missionaries5",
                None,
                "5 and 5 in a boat for 3",
                {"missionaries": 5, "cannibals": 5, "boat": 3},
            ),
            Example(
                "missionaries4",
                None,
                "4 and 4 in a boat for 2: unsolvable",
                {"missionaries": 4, "cannibals": 4},
            ),
        ),
        strategy=imported_late(STRATEGIES, "crossings"),
    ),
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
