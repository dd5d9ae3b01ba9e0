"""Map generators: dungeons, mazes, random walls and caves. They return the text of a map.

The same options and seed give the same text on every machine.
"""

from searchkit_dungeon.generators.caves import CAVES
from searchkit_dungeon.generators.dungeon import DUNGEON
from searchkit_dungeon.generators.maze import MAZE
from searchkit_dungeon.generators.random_walls import RANDOM

GENERATORS = (DUNGEON, MAZE, RANDOM, CAVES)

__all__ = ["CAVES", "DUNGEON", "GENERATORS", "MAZE", "RANDOM"]
