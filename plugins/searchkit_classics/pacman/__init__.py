"""Pac-Man without ghosts: the path to a dot, the four corners, all dots."""

from searchkit_classics.pacman.layout import Layout
from searchkit_classics.pacman.problems import Corners, Food, PathToDot

__all__ = ["Corners", "Food", "Layout", "PathToDot"]
