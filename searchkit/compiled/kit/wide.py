"""Placeholders for states of several words: compiled only if a view has such states, when this module is imported."""

from typing import Any

from searchkit.compiled.functions import wide_goal_function, wide_heuristic_function


@wide_heuristic_function
def zero(table: Any, state: Any) -> float:
    """Return 0: a placeholder for an unused heuristic."""
    return 0.0


@wide_goal_function
def never(table: Any, state: Any) -> bool:
    """Return False."""
    return False
