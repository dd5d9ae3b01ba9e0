"""Hypothesis strategies of small, difficult search problems that shrink to readable pictures.

`weighted_digraphs`, `heuristics_for`, `problems` and `problems_for` are defined here. Plugins add others by
`ProblemSpec.strategies`; they are attributes of this module as well: `mazes`, `grids`, `vaults`, `agents`,
`masked_grids`, and those of other installed plugins.
"""

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

from hypothesis import strategies as st

from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem
from searchkit.testing.reports import cases_of
from searchkit.testing.strategies.digraphs import weighted_digraphs
from searchkit.testing.strategies.engines import problems_for
from searchkit.testing.strategies.heuristics import heuristics_for

__all__ = ["heuristics_for", "problems", "problems_for", "weighted_digraphs"]


def problems(name: str | None = None) -> st.SearchStrategy[SearchProblem[Any, Any]]:
    """Draw a problem of any registered kind that has a strategy, or of the kind `name`.

    A test over this strategy tests every installed plugin.

    Raises:
        UnknownNameError: there is no such kind of problem.
        MissingCapabilityError: it has no strategy.

    """
    if name is not None:
        return cases_of(name)[1]  # type: ignore[no-any-return]  # the strategy of a kind
    makers = [spec.strategy for spec in registry().problems.values() if spec.strategy is not None]
    return st.one_of([make() for make in makers])


def __getattr__(name: str) -> Callable[..., st.SearchStrategy[Any]]:
    """Return the function `name` of the first kind of problem that adds it. Raises `AttributeError` if none does."""
    added = {} if name.startswith("__") else _added()
    if name not in added:
        raise AttributeError(f"there is no strategy {name!r}; plugins add {', '.join(sorted(added))}")
    return resolve_name(added[name])  # type: ignore[no-any-return]  # the function that it names


def _added() -> dict[str, str]:
    """Return name → `module:function` of the strategies of plugins."""
    kinds = reversed(list(registry().problems.values()))
    return {name: make for spec in kinds for name, make in spec.strategies.items()}


def __dir__() -> list[str]:
    return sorted({*__all__, *_added()})
