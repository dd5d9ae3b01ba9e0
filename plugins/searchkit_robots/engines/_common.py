"""What the engines share: the lower bound that they begin with, the plan that they know, and how they end."""

from collections.abc import Sequence
from math import inf
from typing import Any

from searchkit import Cost
from searchkit.tree import SearchTree
from searchkit_robots.capability import Location, MultiAgent


def distance_bound(problem: MultiAgent) -> Cost:
    """Return the cost if the robots were not in each other's way; infinity if one can't reach its goal."""
    distances = [problem.distances_to(goal).get(start, inf) for start, goal in problem.endpoints()]
    return combined(problem, distances)


def combined(problem: MultiAgent, costs: Sequence[Cost]) -> Cost:
    """Return what the problem's objective makes of the costs of the robots, or of groups of them."""
    return max(costs) if problem.objective == "makespan" else sum(costs)


def know(problem: Any, tree: SearchTree[Any, Any], paths: Sequence[Sequence[Location]]) -> None:
    """Enter the plan in which each robot follows its path into the tree, as the best one known so far."""
    states, actions = problem.joint_path(paths)
    tree.reached.clear()
    tree.start(states[0])
    cost: Cost = 0
    for before, action, after in zip(states, actions, states[1:], strict=False):
        cost += problem.cost(before, action, after)
        tree.reached[after] = (cost, before, action)
    tree.incumbent, tree.goal = cost, states[-1]


def finish(problem: Any, tree: SearchTree[Any, Any], paths: Sequence[Sequence[Location]]) -> None:
    """Enter the plan in which each robot follows its path into the tree, as the answer."""
    know(problem, tree, paths)
    tree.finish(tree.goal)
