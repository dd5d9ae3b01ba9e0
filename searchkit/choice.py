"""How `auto` chooses an engine."""

from itertools import islice

from searchkit.capabilities import has_cost, has_heuristic, start_states
from searchkit.plugins import registry
from searchkit.problem import Action, SearchProblem, State
from searchkit.specs import EngineSpec


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


def missing_capabilities(problem: SearchProblem[State, Action], spec: EngineSpec) -> list[str]:
    """Return what the engine needs and the problem lacks, with the members that it would need."""
    missing = ["heuristic(state)"] if spec.heuristic == "required" and not has_heuristic(problem) else []
    for capability in spec.requires:
        if not isinstance(problem, capability):
            members = sorted(name for name in vars(capability) if not name.startswith("_"))
            missing.append(f"{capability.__name__} ({', '.join(members)})")
    return missing


def fitting_engines(problem: SearchProblem[State, Action]) -> list[str]:
    """Return the engines that can run on the problem, in the order of the registry."""
    return [spec.name for spec in registry().engines.values() if not missing_capabilities(problem, spec)]


def engines_to_compare(problem: SearchProblem[State, Action]) -> list[str]:
    """Return the engines that are worth a look, the one that `auto` chooses first.

    Those that fit and heed the costs that the problem has. Engines that keep only one path are left out: they may take
    much longer. So are those for costs of 0 and 1, which the problem need not have.
    """
    chosen = choose_engine(problem)[0]
    costs = ("any",) if has_cost(problem) else ("any", "unit")
    engines = registry().engines
    sensible = [
        name
        for name in fitting_engines(problem)
        if engines[name].costs in costs and engines[name].memory != "depth"
    ]
    return list(dict.fromkeys([chosen, *sensible]))
