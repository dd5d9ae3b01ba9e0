"""Mistake: A* never looks at a state again that it has expanded, even if it is reached more cheaply."""

from collections import deque
from heapq import heappop, heappush
from itertools import count


def bfs(problem):
    """Breadth-first search: a path with the fewest actions, or None (Moore 1959)."""
    parents = dict.fromkeys(problem.initial_states())
    frontier = deque(parents)
    while frontier:
        state = frontier.popleft()
        if problem.is_goal(state):
            return path_to(state, parents)
        for _, successor in problem.successors(state):
            if successor not in parents:
                parents[successor] = state
                frontier.append(successor)
    return None


def dijkstra(problem):
    """Uniform-cost search: a path of least cost, or None (Dijkstra 1959)."""
    return best_first(problem, lambda state: 0)


def astar(problem):
    """Search by g + h: a path of least cost with every admissible h, or None (Hart, Nilsson and Raphael 1968)."""
    return best_first(problem, problem.heuristic)


def best_first(problem, h):
    """Expand the state with the least g + h; expand it again where it is reached more cheaply later."""
    parents = dict.fromkeys(problem.initial_states())
    g = dict.fromkeys(parents, 0)
    number = count(
        1
    )  # of two entries that are equally good the newer one comes first; states are never compared
    frontier, closed = [], set()
    for state in parents:
        heappush(frontier, (h(state), -next(number), 0, state))
    while frontier:
        _, _, cost, state = heappop(frontier)
        if state in closed:
            continue
        closed.add(state)
        if problem.is_goal(state):
            return path_to(state, parents)
        for action, successor in problem.successors(state):
            new = cost + problem.cost(state, action, successor)
            if successor not in closed and (successor not in g or new < g[successor]):
                g[successor], parents[successor] = new, state
                heappush(frontier, (new + h(successor), -next(number), new, successor))
    return None


def path_to(state, parents):
    """Return the states from a start to `state`."""
    path = []
    while state is not None:
        path.append(state)
        state = parents[state]
    return path[::-1]


def vault_heuristic(state, problem):
    """Return the largest Manhattan distance from the robot to a key that is still missing."""
    (robot,), held = state
    x, y = robot
    missing = [
        cell for letter, cell in problem.vault.keys.items() if not held >> (ord(letter) - ord("a")) & 1
    ]
    return max((abs(x - kx) + abs(y - ky) for kx, ky in missing), default=0)
