"""Hypothesis strategies of small, difficult search problems that shrink to readable pictures.

`weighted_digraphs`, `heuristics_for`, `problems` and `problems_for` are defined here. Plugins bring the others, through
`ProblemSpec.strategies`; they are attributes of this module as well: `mazes`, `grids`, `dungeons`, `vaults`,
`agents`, `masked_grids`, and those of other installed plugins.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from searchkit.errors import PluginError
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem
from searchkit.testing.strategies.digraphs import weighted_digraphs
from searchkit.testing.strategies.engines import problems_for
from searchkit.testing.strategies.heuristics import heuristics_for

__all__ = ["heuristics_for", "problems", "problems_for", "weighted_digraphs"]


def problems(name: str | None = None) -> st.SearchStrategy[SearchProblem[Any, Any]]:
    """Draw a problem of any registered kind that has a strategy, or of the kind `name`.

    A test over this strategy tests every installed plugin.

    Raises:
        UnknownNameError: there is no such kind of problem.
        PluginError: it has no strategy, or no kind has one.

    """
    plugins = registry()
    if name is None:
        makers = [spec.strategy for spec in plugins.problems.values() if spec.strategy is not None]
    else:
        strategy = plugins.problem(name).strategy
        makers = [] if strategy is None else [strategy]
    if not makers:
        which = "no registered problem" if name is None else f"problem {name!r}"
        raise PluginError(
            f"{which} has {'a' if name is None else 'no'} Hypothesis strategy; "
            "give its ProblemSpec one: ProblemSpec(…, strategy=…)"
        )
    return st.one_of([make() for make in makers])


def __getattr__(name: str) -> Callable[..., st.SearchStrategy[Any]]:
    """Return the function `name` that makes a strategy, from the kind of problem that brings it.

    Raises:
        AttributeError: no registered kind brings it.
        PluginError: several do.

    """
    if name.startswith("__"):
        raise AttributeError(name)
    specs = registry().problems.items()
    owners = {kind: spec.strategies[name] for kind, spec in specs if name in spec.strategies}
    if not owners:
        brought = ", ".join(_brought()) or "none"
        raise AttributeError(f"there is no strategy {name!r}; plugins bring {brought}")
    if len(owners) > 1:
        raise PluginError(
            f"strategy {name!r} is brought by several kinds of problem: {' and '.join(owners)}; "
            "take it from one of them: registry().problem(…).strategies"
        )
    return owners.popitem()[1]


def _brought() -> list[str]:
    """Return the names of all strategies that plugins bring, sorted."""
    return sorted({name for spec in registry().problems.values() for name in spec.strategies})


def __dir__() -> list[str]:
    return sorted({*__all__, *_brought()})
