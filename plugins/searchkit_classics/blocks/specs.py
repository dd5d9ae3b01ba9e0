"""The specifications of the puzzles of blocks, with their examples."""

from pathlib import Path
from typing import Any

from searchkit.plugin import Example, Parameter, ProblemSpec, imported_late
from searchkit_classics.blocks.deadlocks import DEADLOCKS
from searchkit_classics.blocks.klotski import HEURISTICS as TO_EXIT
from searchkit_classics.blocks.klotski import METRICS, Klotski
from searchkit_classics.blocks.matching import HEURISTICS as TO_GOALS
from searchkit_classics.blocks.rushhour import HEURISTICS as BLOCKING
from searchkit_classics.blocks.rushhour import RushHour
from searchkit_classics.blocks.sokoban import METRICS as PUSHES
from searchkit_classics.blocks.sokoban import Sokoban

BOARDS = Path(__file__).parent / "boards"
STRATEGIES = "searchkit_classics.blocks.strategies"
LEVELS, JAMS, BLOCKS = (imported_late(STRATEGIES, name) for name in ("levels", "jams", "blocks"))
STEPS = "what costs 1: a move of a piece, however far (moves), or to the next cell (steps)"


def _cell(value: Any) -> tuple[int, int] | None:
    parts = value.split(",") if isinstance(value, str) else value
    if parts is None:
        return None
    if len(parts) != 2:
        raise ValueError("expected a cell X,Y such as 1,3")
    return int(parts[0]), int(parts[1])


SPECS = [
    ProblemSpec(
        name="sokoban",
        summary="Sokoban: push all boxes onto the goals, in the fewest moves or pushes",
        factory=Sokoban,
        parameters=(
            Parameter("level", "which level of a file of many, counted from 1", default=1, convert=int),
            Parameter(
                "metric", "what costs 1: a move or only a push", default="moves", choices=tuple(PUSHES)
            ),
            Parameter(
                "heuristic",
                "the pushes of a cheapest assignment of boxes to goals, of each box to its nearest goal, or zero",
                default="matching",
                choices=tuple(TO_GOALS),
            ),
            Parameter(
                "deadlocks",
                "the pushes that are left out: onto dead squares, also those that freeze a box (frozen), or none",
                default="frozen",
                choices=DEADLOCKS,
            ),
        ),
        examples=(
            Example(
                "sokoban", BOARDS / "microban.xsb", "the first six levels of Microban, by David W. Skinner"
            ),
            Example(
                "sokoban-pushes",
                BOARDS / "microban.xsb",
                "the sixth of them in the fewest pushes",
                {"level": 6, "metric": "pushes"},
            ),
        ),
        group="Blocks",
        strategy=LEVELS,
        strategies={"sokoban_levels": LEVELS},
    ),
    ProblemSpec(
        name="rushhour",
        summary="Rush Hour: drive the red car out of the traffic jam",
        factory=RushHour,
        parameters=(
            Parameter("board", "which board of a file of many, counted from 1", default=1, convert=int),
            Parameter("metric", STEPS, default="moves", choices=METRICS),
            Parameter(
                "heuristic",
                "the cars between the red one and the exit, and the way of the red one; or zero",
                default="blocking",
                choices=BLOCKING,
            ),
        ),
        examples=(
            Example("rushhour", BOARDS / "rushhour.txt", "the hardest board with a wall: 60 moves"),
            Example(
                "rushhour-51",
                BOARDS / "rushhour.txt",
                "the hardest board without walls: 51 moves",
                {"board": 2},
            ),
        ),
        group="Blocks",
        strategy=JAMS,
        strategies={"rushhour_jams": JAMS},
    ),
    ProblemSpec(
        name="klotski",
        summary="Klotski: slide the large block to the exit",
        factory=Klotski,
        parameters=(
            Parameter("metric", STEPS, default="moves", choices=METRICS),
            Parameter(
                "heuristic",
                "the distance of block A from the exit, or zero",
                default="distance",
                choices=TO_EXIT,
            ),
            Parameter(
                "exit",
                "the first cell of block A at the exit, X,Y (default: the middle of the lowest rows)",
                convert=_cell,
            ),
        ),
        examples=(
            Example("klotski", BOARDS / "klotski.txt", "Huarong Dao, L'Âne rouge: 81 moves, 116 steps"),
        ),
        group="Blocks",
        strategy=BLOCKS,
        strategies={"klotski_blocks": BLOCKS},
    ),
]
