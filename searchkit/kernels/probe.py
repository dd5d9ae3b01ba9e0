"""Asking a compiled view one question at a time, as kernels do."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit.kernels.estimates import estimate, form_of
from searchkit.kernels.graphs import arrays_of, branching_of, expand
from searchkit.kernels.words import as_number, as_words, check_words, state_array


@kernel
def _expanded(graph: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    return expand(graph, table, state, out_states, out_costs)


@kernel
def _estimated(heuristic: Any, table: Any, state: Any) -> Any:
    return estimate(heuristic, table, state)


@kernel
def _is_goal(graph: Any, table: Any, state: Any) -> Any:
    return graph.is_goal(table, state)


class Probe:
    """A compiled view, to be asked about single states."""

    def __init__(self, view: CompiledProblem):
        check_words(view)
        self.view = view
        self.table = np.ascontiguousarray([0] if view.table is None else view.table, np.int64)
        self.table.flags.writeable = False
        self._graph, self._heuristic = arrays_of(view.graph), form_of(view.heuristic, view.words)
        self.branching = branching_of(view.graph)

    def successors(self, state: int) -> list[tuple[int, float]]:
        """Return (packed successor, cost) of each action out of a packed state."""
        states, costs = state_array(self.branching, self.view.words), np.zeros(self.branching, np.float64)
        count = int(_expanded(self._graph, self.table, as_words(state, self.view.words), states, costs))
        return list(zip(map(as_number, states[:count]), map(float, costs[:count]), strict=True))

    def heuristic(self, state: int) -> float:
        """Return the estimate of a packed state; 0 in a view without a heuristic."""
        return float(_estimated(self._heuristic, self.table, as_words(state, self.view.words)))

    def is_goal(self, state: int) -> bool:
        """Whether a packed state is a goal."""
        if isinstance(self.view.graph, Functions):
            return bool(_is_goal(self._graph, self.table, as_words(state, self.view.words)))
        return state in self.view.goals
