"""Pac-Man without ghosts: the path to a dot, the four corners, all dots."""

from searchkit_classics.pacman.closest import eat_closest
from searchkit_classics.pacman.corners import Corners
from searchkit_classics.pacman.food import Food
from searchkit_classics.pacman.layout import Layout
from searchkit_classics.pacman.path import PathToDot

__all__ = ["Corners", "Food", "Layout", "PathToDot", "eat_closest"]
