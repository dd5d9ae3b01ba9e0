"""What the plugin registers of this group."""

from searchkit.plugin import Example, Parameter, ProblemSpec, boolean, imported_late
from searchkit_classics.options import listing
from searchkit_classics.tasks.jugs import Jugs
from searchkit_classics.tasks.vacuum import HEURISTICS, Vacuum

GROUP, STRATEGIES = "Tasks", "searchkit_classics.tasks.strategies"

SPECS = (
    ProblemSpec(
        name="vacuum",
        summary="clean all squares in a row: the vacuum world of 2 squares has 8 states",
        factory=Vacuum,
        instance=Vacuum,
        group=GROUP,
        parameters=(
            Parameter("squares", "the number of squares", 2, convert=int),
            Parameter("at", "the square to start from, from 1", 1, convert=int),
            Parameter("dirt", "a digit for each square, such as 101, 1 for dirt; empty: all are dirty", ""),
            Parameter(
                "heuristic",
                "sweep, the true cost; dirt, the number of dirty squares; zero",
                HEURISTICS[0],
                choices=HEURISTICS,
            ),
        ),
        examples=(Example("vacuum8", None, "8 squares, from the fourth", {"squares": 8, "at": 4}),),
        strategy=imported_late(STRATEGIES, "vacuums"),
        always_solvable=True,
    ),
    ProblemSpec(
        name="jugs",
        summary="measure an amount of water with jugs: 4 litres with jugs of 3 and 5 in 6 moves",
        factory=Jugs,
        instance=Jugs,
        group=GROUP,
        parameters=(
            Parameter("sizes", "the litres that each jug holds", "3,5", convert=listing),
            Parameter(
                "target", "the litres in any jug; or those of each jug, such as 2,?", "4", convert=listing
            ),
            Parameter("tap", "whether jugs can be filled and emptied", True, convert=boolean),
        ),
        examples=(
            Example("jugs43", None, "2 litres in the jug of 4", {"sizes": "4,3", "target": "2,?"}),
            Example(
                "decanting",
                None,
                "share 8 litres with jugs of 8, 5 and 3, without a tap",
                {"sizes": "8,5,3", "target": "4,4,0", "tap": False},
            ),
        ),
        strategy=imported_late(STRATEGIES, "jugs"),
    ),
)
