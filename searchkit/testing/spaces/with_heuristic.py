"""A problem with another heuristic, given as a table or as a function."""

from collections.abc import Callable, Mapping
from typing import Any

from searchkit.problem import Cost, SearchProblem, has_cost
from searchkit.testing.spaces.digraphs import WeightedDigraph, digraph

Values = Mapping[Any, Cost] | Callable[[Any], Cost]
REQUIRED = ("initial_states", "successors", "is_goal")


class WithHeuristic(SearchProblem[Any, Any]):
    """The same problem with `values` as its heuristic: state → cost, 0 for states that are not in a table.

    It has the capabilities of the problem, and costs if the problem has costs: every public method of the problem is a
    method of this one.
    """

    def __init__(self, problem: SearchProblem[Any, Any], values: Values):
        self.problem, self.values = problem, values
        own = [name for name in dir(problem) if not name.startswith("_") and callable(getattr(problem, name))]
        forwarded = {*own, *REQUIRED} - {"heuristic", "cost"} | ({"cost"} if has_cost(problem) else set())
        self.__dict__.update({name: getattr(problem, name) for name in forwarded})

    def initial_states(self) -> Any:
        """Return the start states. The member of the problem replaces this method and the two below."""
        return self.problem.initial_states()

    def successors(self, state: Any) -> Any:
        """See `initial_states`."""
        return self.problem.successors(state)

    def is_goal(self, state: Any) -> bool:
        """See `initial_states`."""
        return self.problem.is_goal(state)

    def heuristic(self, state: Any) -> Cost:
        """Return the value of the table or function."""
        values = self.values
        return values.get(state, 0) if isinstance(values, Mapping) else values(state)

    def __repr__(self) -> str:
        return f"{self.problem!r}\nheuristic: {self.values!r}"


def with_heuristic(problem: SearchProblem[Any, Any], values: Values) -> SearchProblem[Any, Any]:
    """Return the problem with another heuristic; a `WeightedDigraph` if it is one and `values` is a table."""
    if isinstance(problem, WithHeuristic):
        problem = problem.problem
    if isinstance(problem, WeightedDigraph) and isinstance(values, Mapping):
        table = {problem.node(state): cost for state, cost in values.items()}
        return digraph(problem.edges, problem.starts, problem.goals, table, problem.states)
    return WithHeuristic(problem, values)
