"""Functions that the engines share: the initial lower bound, and entering a plan into the tree."""

from collections.abc import Sequence
from math import inf
from typing import Any

from searchkit import Cost
from searchkit.tree import SearchTree
from searchkit_robots.capability import Location, MultiAgent


def distance_bound(problem: MultiAgent) -> Cost:
    """Return the cost if robots could not conflict; infinity if a robot can't reach its goal."""
    distances = [problem.distances_to(goal).get(start, inf) for start, goal in problem.endpoints()]
    return combined(problem, distances)


def combined(problem: MultiAgent, costs: Sequence[Cost]) -> Cost:
    """Return the joint cost of robots, or of groups of robots, by the objective of the problem."""
    return max(costs) if problem.objective == "makespan" else sum(costs)


def set_incumbent(problem: Any, tree: SearchTree[Any, Any], paths: Sequence[Sequence[Location]]) -> None:
    """Enter the plan in which each robot follows its path into the tree as the incumbent."""
    states, actions = problem.joint_path(paths)
    tree.reached.clear()
    tree.start(states[0])
    cost: Cost = 0
    for before, action, after in zip(states, actions, states[1:], strict=False):
        cost += problem.cost(before, action, after)
        tree.reached[after] = (cost, before, action)
    tree.incumbent, tree.goal = cost, states[-1]


def finish(problem: Any, tree: SearchTree[Any, Any], paths: Sequence[Sequence[Location]]) -> None:
    """Enter the plan in which each robot follows its path into the tree as the solution."""
    set_incumbent(problem, tree, paths)
    tree.finish(tree.goal)
