"""Helpers for several tests."""

from collections import deque

from searchkit_tiles import SlidingTiles
from searchkit_tiles.board import Board


def distances(problem: SlidingTiles) -> dict[Board, int]:
    """Return the least number of slides to the goal from every solvable board, by breadth-first search."""
    found = {problem.goal: 0}
    queue = deque(found)
    while queue:
        board = queue.popleft()
        for _, before in problem.predecessors(board):
            if before not in found:
                found[before] = found[board] + 1
                queue.append(before)
    return found
