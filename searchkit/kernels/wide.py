"""What kernels call for states of several words, where a view has nothing to be called."""

from typing import Any

from searchkit.compiled.functions import wide_goal_function, wide_heuristic_function


@wide_heuristic_function
def no_estimate(table: Any, state: Any) -> float:
    """Stand where a kernel that does not call it takes a heuristic."""
    return 0.0


@wide_goal_function
def nowhere(table: Any, state: Any) -> bool:
    """Say of no state that it is a goal."""
    return False
