"""An engine is a generator function over a tree; `Search` takes it as it is."""

from collections.abc import Iterator

from searchkit import EngineSpec, SearchProblem, problem_from, solve
from searchkit.problem import Action, State
from searchkit.tree import SearchTree


def nothing(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Expand the start states only."""
    if tree.frontier is None:
        tree.frontier = list(problem.initial_states())
        for state in tree.frontier:
            tree.start(state)
    while tree.frontier:
        yield tree.frontier[-1]
        tree.frontier.pop()


problem = problem_from([1], lambda n: [("+1", n + 1)], lambda n: n == 2)
solve(problem, nothing)
solve(problem, EngineSpec("nothing", nothing, complete=False, exhaustive=False))
