"""What the plugin registers of this group."""

from searchkit.plugin import Example, Parameter, ProblemSpec, boolean, imported_late
from searchkit_classics.options import listing
from searchkit_classics.permutations.hanoi import HEURISTICS as HANOI
from searchkit_classics.permutations.hanoi import Hanoi
from searchkit_classics.permutations.pancakes import HEURISTICS as PANCAKES
from searchkit_classics.permutations.pancakes import Pancakes
from searchkit_classics.permutations.topspin import HEURISTICS as TOPSPIN
from searchkit_classics.permutations.topspin import TURNING, TopSpin

GROUP, STRATEGIES = "Permutations", "searchkit_classics.permutations.strategies"

SPECS = (
    ProblemSpec(
        name="pancakes",
        summary="sort a stack of pancakes by flips of its top, plain or burnt",
        factory=Pancakes,
        instance=Pancakes,
        group=GROUP,
        parameters=(
            Parameter(
                "stack",
                "the sizes from top to bottom, such as 3,1,2, negative where the burnt side is up; empty: at random",
                "",
                convert=listing,
            ),
            Parameter("n", "the number of pancakes of a random stack", 8, convert=int),
            Parameter("seed", "the seed of a random stack", 0, convert=int),
            Parameter(
                "burnt",
                "whether the pancakes have a burnt side, which has to end below",
                False,
                convert=boolean,
            ),
            Parameter(
                "heuristic",
                "gap, the neighbours that do not belong together; gap-1 and gap-2, without those beside the smallest; "
                "zero",
                PANCAKES[0],
                choices=PANCAKES,
            ),
        ),
        examples=(
            Example(
                "pancakes8",
                None,
                "one of the 455 stacks of 8 that take 9 flips",
                {"stack": "5,3,8,6,1,4,2,7"},
            ),
        ),
        strategy=imported_late(STRATEGIES, "stacks"),
        always_solvable=True,
    ),
    ProblemSpec(
        name="topspin",
        summary="bring the tokens of a ring into order with a turnstile that reverses some",
        factory=TopSpin,
        instance=TopSpin,
        group=GROUP,
        parameters=(
            Parameter("ring", "the tokens, such as 1,3,2,4,5; empty: mixed at random", "", convert=listing),
            Parameter("n", "the number of tokens of a mixed ring", 8, convert=int),
            Parameter("k", "the size of the turnstile", 4, convert=int),
            Parameter("moves", "by how many random actions a ring is mixed", 20, convert=int),
            Parameter("seed", "the seed of these", 0, convert=int),
            Parameter(
                "turning",
                "whether turning the ring counts as an action or is free",
                TURNING[0],
                choices=TURNING,
            ),
            Parameter(
                "heuristic",
                "gap, half of the neighbours that do not belong together; zero",
                TOPSPIN[0],
                choices=TOPSPIN,
            ),
        ),
        examples=(
            Example(
                "ring7",
                None,
                "one of the four rings of 7 that take 17 actions, the most",
                {"ring": "1,5,2,6,3,7,4"},
            ),
        ),
        strategy=imported_late(STRATEGIES, "rings"),
    ),
    ProblemSpec(
        name="hanoi",
        summary="the Tower of Hanoi, with three pegs or more",
        factory=Hanoi,
        instance=Hanoi,
        group=GROUP,
        parameters=(
            Parameter("discs", "the number of discs", 5, convert=int),
            Parameter("pegs", "the number of pegs", 3, convert=int),
            Parameter("start", "the peg of each disc, the smallest first, such as AAB; empty: all on A", ""),
            Parameter("heuristic", "discs, how many are not on the last peg; zero", HANOI[0], choices=HANOI),
        ),
        examples=(
            Example(
                "reve", None, "Dudeney's Reve's puzzle: 8 discs, 4 pegs, 33 moves", {"discs": 8, "pegs": 4}
            ),
        ),
        strategy=imported_late(STRATEGIES, "towers"),
        always_solvable=True,
    ),
)
