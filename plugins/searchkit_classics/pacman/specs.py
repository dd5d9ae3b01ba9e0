"""The specifications of Pac-Man's problems, with their examples, and of the generator of layouts."""

from pathlib import Path

from searchkit.plugin import Example, Parameter, ProblemSpec, imported_late
from searchkit_classics.pacman.corners import Corners
from searchkit_classics.pacman.food import Food
from searchkit_classics.pacman.generator import GENERATOR
from searchkit_classics.pacman.heuristics import TO_CORNERS, TO_FOOD, TO_NEAREST
from searchkit_classics.pacman.path import PathToDot

LAYOUTS = Path(__file__).parent / "layouts"
STRATEGIES = "searchkit_classics.pacman.strategies"
PATHS, ALL_CORNERS, ALL_DOTS = (imported_late(STRATEGIES, name) for name in ("paths", "corners", "food"))

SPECS = [
    ProblemSpec(
        name="pacman",
        summary="Pac-Man walks to the nearest dot of a maze, in the fewest steps",
        factory=PathToDot,
        parameters=(
            Parameter(
                "heuristic",
                "a lower bound of the steps to the nearest dot: that of the maze is exact",
                default="manhattan",
                choices=tuple(TO_NEAREST),
            ),
        ),
        examples=(Example("pacman", LAYOUTS / "pacman.lay", "a maze of 35x17 cells and one dot"),),
        group="Pac-Man",
        strategy=PATHS,
        strategies={"pacman_paths": PATHS},
        generators=(GENERATOR,),
    ),
    ProblemSpec(
        name="corners",
        summary="Pac-Man visits the four corners of a maze, in the fewest steps",
        factory=Corners,
        parameters=(
            Parameter(
                "heuristic",
                "the longest distance to a corner left, or the shortest tour of all of them; without walls, or in the "
                "maze, which is exact for the tour",
                default="tour",
                choices=tuple(TO_CORNERS),
            ),
        ),
        examples=(
            Example("corners", LAYOUTS / "corners.lay", "a maze of 21x13 cells"),
            Example("corners-small", LAYOUTS / "corners-small.lay", "a maze of 9x7 cells"),
        ),
        group="Pac-Man",
        strategy=ALL_CORNERS,
        strategies={"pacman_corners": ALL_CORNERS},
    ),
    ProblemSpec(
        name="food",
        summary="Pac-Man eats all dots of a maze, in the fewest steps",
        factory=Food,
        parameters=(
            Parameter(
                "heuristic",
                "the number of dots left, the distance of the farthest one, or a minimum spanning tree of them and the "
                "distance of the nearest one; in the maze or without walls",
                default="mst",
                choices=tuple(TO_FOOD),
            ),
        ),
        examples=(
            Example("food", LAYOUTS / "food.lay", "a maze of 19x9 cells and 12 dots"),
            Example("food-small", LAYOUTS / "food-small.lay", "a maze of 9x7 cells and 5 dots"),
            Example(
                "food-open",
                LAYOUTS / "food-open.lay",
                "few walls and 11 dots, where the closest dot misleads",
            ),
            Example("food-closed", LAYOUTS / "food-closed.lay", "a dot behind walls: unsolvable"),
        ),
        group="Pac-Man",
        strategy=ALL_DOTS,
        strategies={"pacman_food": ALL_DOTS},
    ),
]
