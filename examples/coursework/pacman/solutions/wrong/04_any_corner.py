"""Mistake: any corner is a goal."""

from collections import deque
from functools import cache
from itertools import permutations
from math import inf

MOVES = {"North": (0, -1), "South": (0, 1), "East": (1, 0), "West": (-1, 0)}
LAYOUT = """
%%%%%%%
%   P %
% %%% %
%     %
%%%%%%%
"""


class CornersProblem:
    """Visit the four corners of a maze. A state is Pac-Man's cell and the corners that are left, sorted."""

    def __init__(self, layout=LAYOUT):
        rows = layout.strip().splitlines()
        self.walls = {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "%"}
        self.start = next((row.index("P"), y) for y, row in enumerate(rows) if "P" in row)
        right, bottom = len(rows[0]) - 2, len(rows) - 2
        self.corners = tuple(sorted({(1, 1), (right, 1), (1, bottom), (right, bottom)}))

    def initial_states(self):
        """Return the start; a corner where Pac-Man starts is visited already."""
        return [(self.start, without(self.start, self.corners))]

    def successors(self, state):
        """Return the steps to cells that are not walls."""
        (x, y), left = state
        found = []
        for action, (dx, dy) in MOVES.items():
            cell = x + dx, y + dy
            if cell not in self.walls:
                found.append((action, (cell, without(cell, left))))
        return found

    def is_goal(self, state):
        """Return whether all corners were visited."""
        return len(state[1]) < 4


def corners_heuristic(state, problem):
    """Return the length of the shortest tour through the corners that are left, as if there were no walls."""
    cell, left = state
    return min((sum(map(manhattan, (cell, *order), order)) for order in permutations(left)), default=0)


def food_heuristic(state, problem):
    """Return the weight of a minimum spanning tree of the dots that are left, plus the steps to the closest one."""
    cell, left = state
    floor = problem.layout.floor
    return tree(floor, left) + min((distances(floor, dot).get(cell, inf) for dot in left), default=0)


def closest_dot(problem):
    """Eat a closest dot, then a closest one from there, until none is left."""
    path = problem.initial_states()
    while not problem.is_goal(path[-1]):
        piece = to_next(problem, path[-1])
        if piece is None:
            return None
        path += piece
    return path


def to_next(problem, start):
    """Return the states after `start` on a shortest walk to a dot, by breadth-first search; None if there is none."""
    parents, frontier = {start: None}, deque([start])
    while frontier:
        state = frontier.popleft()
        if len(state[1]) < len(start[1]):
            path = []
            while state != start:
                path.append(state)
                state = parents[state]
            return path[::-1]
        for _, successor in problem.successors(state):
            if successor not in parents:
                parents[successor] = state
                frontier.append(successor)
    return None


def without(cell, left):
    """Return the cells that are left once Pac-Man is at `cell`."""
    return tuple(each for each in left if each != cell)


def manhattan(a, b):
    """Return the number of steps between two cells if there are no walls."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


@cache
def distances(floor, target):
    """Return the steps from each cell of the floor to `target`, by breadth-first search."""
    steps, frontier = {target: 0}, deque([target])
    while frontier:
        x, y = frontier.popleft()
        for dx, dy in MOVES.values():
            cell = x + dx, y + dy
            if cell in floor and cell not in steps:
                steps[cell] = steps[x, y] + 1
                frontier.append(cell)
    return steps


@cache
def tree(floor, dots):
    """Return the weight of a minimum spanning tree of the dots (Prim 1957)."""
    outside, weight = dict.fromkeys(dots[1:], inf), 0
    newest = dots[0] if dots else None
    while outside:
        for dot in outside:
            outside[dot] = min(outside[dot], distances(floor, newest).get(dot, inf))
        newest = min(outside, key=outside.get)
        weight += outside.pop(newest)
    return weight
