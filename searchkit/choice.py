"""How `auto` chooses an engine."""

from itertools import islice

from searchkit.capabilities import has_cost, has_heuristic, start_states
from searchkit.plugins import registry
from searchkit.problem import Action, SearchProblem, State


def choose_engine(problem: SearchProblem[State, Action]) -> tuple[str, str]:
    """Return the name of the engine that suits the problem, and why.

    An engine that is made for problems with a capability that this one has. Otherwise, a heuristic: A*. No costs:
    breadth-first. Integer costs on the actions of the first start states: a bucket queue, which stays right, only
    slower, if other costs turn up later. Any other: Dijkstra.
    """
    for spec in registry().engines.values():
        if spec.preferred and all(isinstance(problem, capability) for capability in spec.requires):
            return (
                spec.name,
                f"it is made for {' and '.join(each.__name__ for each in spec.requires)} problems",
            )
    if has_heuristic(problem):
        return "astar", "the problem has a heuristic"
    if not has_cost(problem):
        return "bfs", "every action costs 1 and there is no heuristic"
    try:
        costs = [
            problem.cost(state, action, successor)
            for state in islice(start_states(problem), 8)
            for action, successor in problem.successors(state)
        ]
    except Exception:  # the engine meets the same fault, and says whose it is
        costs = []
    if costs and all(isinstance(cost, int) for cost in costs):
        return "bucket", "costs are integers and there is no heuristic"
    return "dijkstra", "costs are not integers and there is no heuristic"
