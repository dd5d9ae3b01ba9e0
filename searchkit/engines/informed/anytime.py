"""Anytime Repairing A*."""

from fractions import Fraction
from functools import reduce
from heapq import heapify, heappop, heappush
from math import ceil, inf
from operator import add
from typing import Any

from attrs import evolve

from searchkit.basics.checks import step_costs
from searchkit.engines import kit
from searchkit.engines.informed.wastar import WEIGHT, read_weight
from searchkit.plugin.options import Parameter
from searchkit.problem import Cost
from searchkit.result import Solution


def read_step(value: Any) -> Cost:
    """Read a finite number > 0. Raises ValueError."""
    step = float(value)
    if not 0 < step < inf:
        raise ValueError("expected a number > 0")
    return step


WEIGHTS = evolve(WEIGHT, help="w ≥ 1, the first factor on the heuristic", default=3)
STEP = Parameter(
    "step", "how much w falls, > 0, when a path is proved to cost at most w times the least", 0.5, read_step
)


@kit.engine(
    "anytime",
    "anytime repairing A*: better and better paths, each with its bound (Likhachev, Gordon and Thrun 2003)",
    aliases=("ARA*", "anytime A*", "anytime repairing A*", "anytime weighted A*"),
    optimal=True,
    heuristic="required",
    expands_once=False,
    options=(WEIGHTS, STEP),
)
def anytime(problem: kit.Problem, tree: kit.Tree, weight: Cost = 3, step: Cost = 0.5) -> kit.States:
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
        >>> from searchkit import load, solve
        >>> solve(load("romania"), "anytime").details["paths"]
        ('cost 450, at most 1.09 times the least', 'cost 418, optimal')

    """
    is_goal, heuristic, cost = problem.is_goal, problem.heuristic, kit.cost_function(problem)
    reached = tree.reached

    def entry(g: Cost, h: Cost, number: int, state: Any) -> tuple[int, Cost, Cost, Any]:
        return -number, g, h, state

    if tree.frontier is None:
        starts = kit.values_of(kit.distinct_starts(problem), heuristic)
        goal = next((state for state, _ in starts if is_goal(state)), None)
        if goal is not None:
            tree.incumbent, tree.goal = 0, goal
        tree.start(*(state for state, _ in starts))
        tree.closed, tree.frontier = set(), Open(weight, starts)
    frontier = tree.frontier
    while True:
        while frontier.heap:
            f, _, g, _, state = frontier.heap[0]
            if g > reached[state][0]:
                heappop(frontier.heap)
                continue
            if tree.incumbent is not None and tree.incumbent <= f:
                break
            yield state
            generated, children = kit.expand(tree, state, g, problem.successors, cost, heuristic, entry)
            best, goal = tree.incumbent, tree.goal
            for child, (g, _, _), _ in children:
                if (best is None or g < best) and is_goal(child):
                    best, goal = g, child
            if frontier.weight == 1:
                kit.warn_of_reopening(problem, tree, frontier.done, children)
            heappop(frontier.heap)
            frontier.done.add(state)
            tree.closed.add(state)
            kit.write(tree, state, generated, children, Open.push)
            tree.incumbent, tree.goal = best, goal
        waiting = frontier.waiting(reached)
        if not waiting and tree.incumbent is None:
            return None
        path = None if tree.incumbent is None else _path(problem, tree)
        least = min((g + h for _, g, h, _ in waiting), default=inf)
        tree.lower_bound = max(tree.lower_bound, least if path is None else min(least, path.cost))
        if path is not None:
            _report(tree, path)
            if path.cost <= tree.lower_bound:
                return tree.finish(path.goal)
        proved = path is not None and path.cost <= frontier.weight * tree.lower_bound
        if proved or not frontier.inconsistent:
            frontier.weight = read_weight(max(1, frontier.weight - step))
            tree.note("phase", f"weight {frontier.weight}", weight=frontier.weight)
        frontier.begin_round(waiting)
        tree.poll()  # there may be many rounds without an expansion


class Open:
    """The states that wait to be expanded, in this round or the next."""

    def __init__(self, weight: Cost, starts: list[tuple[Any, Cost]]):
        self.weight = weight
        self.heap: list[tuple[Cost, int, Cost, Cost, Any]] = []
        """g + w·h, a number that breaks ties (the last in is the first), g, h, state."""
        self.done: set[Any] = set()
        """The states expanded in this round: CLOSED in the paper."""
        self.inconsistent: dict[Any, tuple[int, Cost]] = {}
        """State → number and h of those reached more cheaply after their expansion: INCONS in the paper."""
        self.begin_round([(len(starts) - i, 0, h, state) for i, (state, h) in enumerate(starts) if h < inf])

    def begin_round(self, waiting: list[tuple[int, Cost, Cost, Any]]) -> None:
        """Let all states wait in one heap."""
        self.heap = [(g + self.weight * h, number, g, h, state) for number, g, h, state in waiting]
        heapify(self.heap)
        self.done, self.inconsistent = set(), {}

    def push(self, entry: tuple[int, Cost, Cost, Any]) -> None:
        """Add a state that was reached more cheaply, as (number that breaks ties, g, h, state)."""
        number, g, h, state = entry
        if state in self.done:
            self.inconsistent[state] = number, h
        else:
            heappush(self.heap, (g + self.weight * h, number, g, h, state))

    def waiting(self, reached: dict[Any, Any]) -> list[tuple[int, Cost, Cost, Any]]:
        """Return number, g, h and state of each state that waits."""
        waiting = [(n, g, h, state) for _, n, g, h, state in self.heap if g == reached[state][0]]
        return waiting + [(n, reached[state][0], h, state) for state, (n, h) in self.inconsistent.items()]

    def __len__(self) -> int:
        return len(self.heap) + len(self.inconsistent)


def _path(problem: kit.Problem, tree: kit.Tree) -> Solution[Any, Any]:
    """Return the best path. It costs less than its goal was reached at if states on it were reached more cheaply since.

    Then this cost is that of the incumbent.
    """
    states, actions = tree.path_to(tree.goal)
    tree.incumbent = reduce(add, step_costs(problem, states, actions), 0)
    return Solution(states, actions, tree.incumbent)


def _report(tree: kit.Tree, path: Solution[Any, Any]) -> None:
    """Report the best path, if it or what is proved about it is better than in the report before."""
    cost, bound = path.cost, tree.lower_bound
    said = f"cost {cost:.6g}" if isinstance(cost, float) else f"cost {cost}"
    if cost <= bound:
        said += ", optimal"
    elif bound > 0:
        factor = ceil(Fraction(cost) / Fraction(bound) * 1000) / 1000
        said += f", at most {factor:g} times the least"
    before = tree.details.get("paths", ())
    assert isinstance(before, tuple)
    if before and before[-1] == said:
        return
    tree.details["paths"] = (*before, said)
    tree.note("path", said, state=path.goal, cost=cost, lower_bound=bound)
    if not tree.paths or cost < tree.paths[0].cost:
        tree.paths.insert(0, path)
