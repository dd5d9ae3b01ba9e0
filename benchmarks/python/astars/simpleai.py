"""simpleai: `astar` in graph mode, which remembers the states that it has reached."""

from importlib import import_module
from typing import Any

from searchkit import SearchProblem

PACKAGE = "simpleai"


def astar(problem: SearchProblem[Any, Any]) -> list[Any] | None:
    """Return the states of the path that simpleai finds; None where it finds none."""
    library: Any = import_module("simpleai.search")
    (start,) = problem.initial_states()
    steps: dict[tuple[Any, Any], Any] = {}

    def actions(self: Any, state: Any) -> list[Any]:
        steps.update({(state, action): successor for action, successor in problem.successors(state)})
        return [action for action, _ in problem.successors(state)]

    members = {
        "actions": actions,
        "result": lambda self, state, action: steps[state, action],
        "cost": lambda self, state, action, successor: problem.cost(state, action, successor),
        "is_goal": lambda self, state: problem.is_goal(state),
        "heuristic": lambda self, state: problem.heuristic(state),
    }
    own: Any = type("Problem", (library.SearchProblem,), members)(start)
    found = library.astar(own, graph_search=True)
    return None if found is None else [state for _, state in found.path()]
