"""What the plugin registers of this group."""

from searchkit.plugin import Example, Parameter, ProblemSpec, boolean, imported_late
from searchkit_classics.boards.knight import HEURISTICS as KNIGHT
from searchkit_classics.boards.knight import ORDERS, Knight
from searchkit_classics.boards.lightsout import HEURISTICS as LIGHTS
from searchkit_classics.boards.lightsout import LightsOut
from searchkit_classics.boards.queens import HEURISTICS as QUEENS
from searchkit_classics.boards.queens import Queens

GROUP, STRATEGIES = "Boards", "searchkit_classics.boards.strategies"

SPECS = (
    ProblemSpec(
        name="queens",
        summary="n queens that do not attack each other, placed column by column",
        factory=Queens,
        instance=Queens,
        group=GROUP,
        parameters=(
            Parameter("n", "the number of queens", 8, convert=int),
            Parameter(
                "heuristic",
                "free, which sees columns without a free row; remaining, the queens that are left; zero",
                QUEENS[0],
                choices=QUEENS,
            ),
        ),
        examples=(Example("queens4", None, "the smallest board that has a solution", {"n": 4}),),
        strategy=imported_late(STRATEGIES, "boards_of_queens"),
    ),
    ProblemSpec(
        name="knight",
        summary="a knight's tour: over all squares of a board, to each once",
        factory=Knight,
        instance=Knight,
        group=GROUP,
        parameters=(
            Parameter("size", "files and ranks of the board", "5x5"),
            Parameter("start", "the first square", "a1"),
            Parameter("closed", "whether the tour ends a jump away from its start", False, convert=boolean),
            Parameter("order", "which squares come first", ORDERS[0], choices=ORDERS),
            Parameter(
                "heuristic",
                "dead-ends, which sees squares that can't be entered; remaining, the squares that are left; zero",
                KNIGHT[0],
                choices=KNIGHT,
            ),
        ),
        examples=(Example("knight34", None, "the smallest board that has a tour", {"size": "3x4"}),),
        strategy=imported_late(STRATEGIES, "tours"),
    ),
    ProblemSpec(
        name="lightsout",
        summary="put out all lamps of a board: 15 buttons if all 25 are lit",
        factory=LightsOut,
        instance=LightsOut,
        group=GROUP,
        parameters=(
            Parameter("size", "columns and rows", "5x5"),
            Parameter("lamps", "the rows at first, such as 101/010/101, 1 for lit; empty: all are lit", ""),
            Parameter(
                "heuristic",
                "chasing, the true cost; lamps, a fifth of the lamps that are lit; zero",
                LIGHTS[0],
                choices=LIGHTS,
            ),
        ),
        examples=(
            Example(
                "lights3",
                None,
                "the position of 3x3 that takes the most buttons, 9",
                {"size": "3x3", "lamps": "101/010/101"},
            ),
        ),
        strategy=imported_late(STRATEGIES, "lamps"),
    ),
)
