"""What the plugin registers of this group."""

from searchkit.plugin import Example, Parameter, ProblemSpec, boolean, imported_late
from searchkit_classics.cubes.cube2 import HEURISTICS as CUBE2
from searchkit_classics.cubes.cube2 import Cube2
from searchkit_classics.cubes.cube3 import FACES, Cube3
from searchkit_classics.cubes.cube3 import HEURISTICS as CUBE3
from searchkit_classics.cubes.geometry import METRICS

GROUP, STRATEGIES = "Cubes", "searchkit_classics.cubes.strategies"
SEED = Parameter("seed", "the seed of the random turns", 0, convert=int)
METRIC = Parameter(
    "metric",
    "what counts as one turn: half, any turn of a face; quarter, quarter turns; square, there are only half turns",
    METRICS[0],
    choices=METRICS,
)

SPECS = (
    ProblemSpec(
        name="cube2",
        summary="the 2×2×2 cube: 3,674,160 states, none farther than 11 half turns",
        factory=Cube2,
        instance=Cube2,
        group=GROUP,
        parameters=(
            Parameter(
                "scramble", "turns of the faces U, R and F, such as R U' F2, or how many random ones", "8"
            ),
            SEED,
            METRIC,
            Parameter(
                "heuristic",
                "misplaced, a quarter of the corners that are not home; zero",
                CUBE2[0],
                choices=CUBE2,
            ),
        ),
        examples=(
            Example(
                "squares",
                None,
                "one of the five of 24 cubes that half turns make which are 4 of them away from solved",
                {"scramble": "U2,R2,F2,R2", "metric": "square"},
            ),
        ),
        strategy=imported_late(STRATEGIES, "small_cubes"),
        always_solvable=True,
    ),
    ProblemSpec(
        name="cube3",
        summary="the 3×3×3 cube, by idastar and small pattern databases",
        factory=Cube3,
        instance=Cube3,
        group=GROUP,
        parameters=(
            Parameter("scramble", "turns such as R U' F2, or how many random ones", "6"),
            SEED,
            METRIC,
            Parameter(
                "heuristic",
                "small, two pattern databases, of three corners and of three edges; zero",
                CUBE3[0],
                choices=CUBE3,
            ),
            Parameter("faces", "the faces that can be turned", FACES),
            Parameter(
                "pruned", "whether turns that can't shorten a path are left out", True, convert=boolean
            ),
        ),
        examples=(
            Example("checkerboard", None, "a pattern of six half turns", {"scramble": "R2,L2,U2,D2,F2,B2"}),
        ),
        strategy=imported_late(STRATEGIES, "large_cubes"),
        always_solvable=True,
    ),
)
