"""Puzzles of blocks that are moved on a board: Sokoban, Rush Hour and Klotski."""

from searchkit_classics.blocks.klotski import Klotski
from searchkit_classics.blocks.level import Level
from searchkit_classics.blocks.rushhour import RushHour
from searchkit_classics.blocks.sokoban import Sokoban

__all__ = ["Klotski", "Level", "RushHour", "Sokoban"]
