"""Anytime Repairing A*."""

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from heapq import heapify, heappop, heappush
from math import ceil, inf
from operator import add
from typing import Any

from attrs import define, evolve, field

from searchkit.basics.checks import step_costs
from searchkit.basics.rounding import exact
from searchkit.engines.informed.wastar import WEIGHT, read_weight
from searchkit.engines.kit import (
    cost_function,
    engine,
    enter_starts_with_heuristic,
    expand,
    warn_of_inconsistency,
    write,
)
from searchkit.plugin.specs import Parameter
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.result import Solution
from searchkit.tree import SearchTree


def read_step(value: object) -> Cost:
    """Read a finite number > 0, exactly if it is an integer or a fraction (`1/4`). Raises ValueError."""
    step: Cost = Fraction(value) if isinstance(value, str) and "/" in value else float(value)  # type: ignore[arg-type]
    if not 0 < step < inf:
        raise ValueError("expected a number > 0")
    return step


OPTIONS = (
    evolve(WEIGHT, help="w ≥ 1, the first factor on the heuristic", default=3),
    Parameter(
        "step",
        "how much w falls, > 0, when a path is proved to cost at most w times the least",
        0.5,
        read_step,
    ),
)
"""`weight` and `step`."""


@engine(
    "anytime",
    "anytime repairing A*: better and better paths, each with its bound (Likhachev, Gordon and Thrun 2003)",
    aliases=("ARA*", "anytime A*", "anytime repairing A*", "anytime weighted A*"),
    optimal=True,
    heuristic="required",
    expands_once=False,
    options=OPTIONS,
)
def anytime(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], weight: Cost = 3, step: Cost = 0.5
) -> Iterator[State]:
    """Run weighted A* with a falling weight, and keep what it has learned: ARA* (Likhachev, Gordon and Thrun 2003).

    Each round expands states in order of g + w·h until the best path to a goal costs no more than the least of them. A
    round expands no state twice: one that is reached more cheaply after its expansion waits for the next round. Between
    two rounds, the least g + h of the states that wait is a lower bound on the cost of every path. With it, each better
    path is reported together with its factor: how many times the least cost it costs at most.

    After a cutoff, `partial` is the best path so far and `lower_bound` what is proved; `solutions` has every path that
    was reported, cheapest first, and the detail `paths` their costs and factors. w falls by `step` once the factor is
    at most w. At w = 1, rounds are repeated until the path is proved optimal: this also holds for admissible heuristics
    that are inconsistent, for which the bound w of the paper does not.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic. Memory as A*; time as A* for
    each round at most, usually little more than A* for all.

    Example:
        >>> from searchkit import problem_from, solve
        >>> roads = {"A": {"B": 1, "C": 4}, "B": {"C": 1}, "C": {"D": 5}, "D": {}}
        >>> h = {"A": 5, "B": 5, "C": 3, "D": 0}
        >>> problem = problem_from(["A"], lambda town: [(to, to) for to in roads[town]], lambda town: town == "D",
        ...                        cost=lambda town, road, to: roads[town][to], heuristic=h.get)
        >>> result = solve(problem, "anytime")
        >>> result.details["paths"]
        ('cost 9, at most 1.5 times the least', 'cost 7, optimal')

    """
    is_goal, heuristic, reached, cost = (
        problem.is_goal,
        problem.heuristic,
        tree.reached,
        cost_function(problem),
    )
    if tree.frontier is None:
        _enter_starts(problem, tree, weight)
    frontier = tree.frontier
    while True:
        heap, w = frontier.heap, frontier.weight
        while heap:
            f, _, g, _, state = heap[0]
            if g > reached[state][0]:
                heappop(heap)
                continue
            if tree.incumbent is not None and tree.incumbent <= f:
                break
            if len(frontier) > tree.peak_frontier:
                tree.peak_frontier = len(frontier)
            yield state
            generated, arrivals = expand(tree, state, g, problem.successors, cost, heuristic)
            best, goal = tree.incumbent, tree.goal
            children = []
            for number, action, child, new_g, h in arrivals:
                if (best is None or new_g < best) and is_goal(child):
                    best, goal = new_g, child
                if w == 1 and child in frontier.done and not tree.warnings:
                    warn_of_inconsistency(problem, tree, state, action, child)
                children.append((child, (new_g, state, action), (number, new_g, h, child)))
            heappop(heap)
            frontier.done.add(state)
            write(tree, state, generated, children, frontier.push)
            tree.incumbent, tree.goal = best, goal
        if not heap and not frontier.inconsistent and tree.incumbent is None:
            return None
        path = None if tree.incumbent is None else _path(problem, tree)
        frontier.prove(tree)
        if path is not None:
            _report(tree, path)
            if path.cost <= tree.lower_bound:
                return tree.finish(path.goal)
        frontier.begin_round(tree, step)


@define(eq=False)
class Open:
    """The states that wait to be expanded, in this round or the next, and the weight of this round."""

    weight: Cost
    heap: list[tuple[Cost, int, Cost, Cost, Any]] = field(factory=list)
    """g + w·h, a number that breaks ties (the last in is the first), g, h, state."""
    done: set[Any] = field(factory=set)
    """The states expanded in this round: CLOSED in the paper."""
    inconsistent: dict[Any, tuple[int, Cost]] = field(factory=dict)
    """State → number and h of those reached more cheaply after their expansion in this round: INCONS in the paper."""

    def push(self, entry: tuple[int, Cost, Cost, Any]) -> None:
        """Add a state that was reached more cheaply, as (counter of generated successors, g, h, state)."""
        number, g, h, state = entry
        if state in self.done:
            self.inconsistent[state] = -number, h
        else:
            heappush(self.heap, (g + self.weight * h, -number, g, h, state))

    def prove(self, tree: SearchTree[Any, Any]) -> None:
        """Raise the lower bound to the least g + h of the states that wait."""
        reached = tree.reached
        self.heap = [entry for entry in self.heap if entry[2] == reached[entry[4]][0]]
        least = min((g + h for _, _, g, h, _ in self.heap), default=inf)
        least = min([least, *(reached[state][0] + h for state, (_, h) in self.inconsistent.items())])
        if tree.incumbent is not None:
            least = min(least, tree.incumbent)
        tree.lower_bound = max(tree.lower_bound, least)

    def begin_round(self, tree: SearchTree[Any, Any], step: Cost) -> None:
        """Lower the weight if the path is proved to cost at most w times the least; let all states wait in one heap."""
        proved = tree.incumbent is not None and tree.incumbent <= self.weight * tree.lower_bound
        if proved or not self.inconsistent:
            self.weight = read_weight(max(1, self.weight - step))
            tree.note("phase", f"weight {self.weight}", weight=self.weight)
        waiting = [(number, g, h, state) for _, number, g, h, state in self.heap]
        waiting += [
            (number, tree.reached[state][0], h, state) for state, (number, h) in self.inconsistent.items()
        ]
        self.heap = [(g + self.weight * h, number, g, h, state) for number, g, h, state in waiting]
        heapify(self.heap)
        self.done, self.inconsistent = set(), {}

    def __len__(self) -> int:
        return len(self.heap) + len(self.inconsistent)


def _enter_starts(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], weight: Cost
) -> None:
    starts = enter_starts_with_heuristic(problem, tree, problem.heuristic)
    goal = next((state for state, _ in starts if problem.is_goal(state)), None)
    if goal is not None:
        tree.incumbent, tree.goal = 0, goal
    heap: list[tuple[Cost, int, Cost, Cost, Any]] = [
        (weight * h, len(starts) - index, 0, h, state) for index, (state, h) in enumerate(starts)
    ]
    heapify(heap)
    tree.closed = set()
    tree.frontier = Open(weight, heap)


def _path(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Solution[State, Action]:
    """Return the best path. It costs less than its goal was reached at if states on it were reached more cheaply since.

    Then this cost is that of the incumbent.
    """
    states, actions = tree.path_to(tree.goal)  # type: ignore[arg-type]  # the goal of the incumbent
    tree.incumbent = reduce(add, step_costs(problem, states, actions), 0)
    return Solution(states, actions, tree.incumbent)


def _report(tree: SearchTree[State, Action], path: Solution[State, Action]) -> None:
    """Report the best path, if it or what is proved about it is better than in the report before."""
    cost, bound = path.cost, tree.lower_bound
    said = f"cost {cost:.6g}" if isinstance(cost, float) else f"cost {cost}"
    if cost <= bound:
        said += ", optimal"
    elif bound > 0:
        factor = ceil(exact(cost) / exact(bound) * 1000) / 1000
        said += f", at most {factor:g} times the least"
    before = tree.details.get("paths", ())
    assert isinstance(before, tuple)
    if before and before[-1] == said:
        return
    tree.details["paths"] = (*before, said)
    tree.note("path", said, state=path.goal, cost=cost, lower_bound=bound)
    if not tree.paths or cost < tree.paths[0].cost:
        tree.paths.insert(0, path)
