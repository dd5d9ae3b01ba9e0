"""The strategies of plugins; noting what was drawn, so that a failing test shows the picture."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from hypothesis import currently_in_test_context, note
from hypothesis import strategies as st

from searchkit.errors import PluginError
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem


@st.composite
def noted(draw: st.DrawFn, strategy: st.SearchStrategy[Any]) -> Any:
    """Draw from the strategy, and note the drawing of each problem if a test is running.

    Hypothesis prints the notes of the smallest failing example.
    """
    # Not strategy.map(…): Hypothesis would show a call of the mapping function instead of the repr of the problem.
    problem = draw(strategy)
    if currently_in_test_context():
        note(_Shown(problem))
    return problem


class _Shown:
    """An object with the repr of another, computed only if a note is printed: few drawn problems fail."""

    def __init__(self, shown: Any):
        self.shown = shown

    def __repr__(self) -> str:
        return repr(self.shown)


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
    return noted(st.one_of([make() for make in makers]))


def names() -> list[str]:
    """Return the names of all strategies that plugins bring, sorted."""
    return sorted({name for spec in registry().problems.values() for name in spec.strategies})


def contributed(name: str) -> Callable[..., st.SearchStrategy[Any]]:
    """Return the function `name` that makes a strategy, from the kind of problem that brings it.

    Raises:
        AttributeError: no registered kind brings it.
        PluginError: several do.

    """
    owners = {
        kind: spec.strategies[name] for kind, spec in registry().problems.items() if name in spec.strategies
    }
    if not owners:
        raise AttributeError(f"there is no strategy {name!r}; plugins bring {', '.join(names()) or 'none'}")
    if len(owners) > 1:
        raise PluginError(
            f"strategy {name!r} is brought by several kinds of problem: {' and '.join(owners)}; "
            "take it from one of them: registry().problem(…).strategies"
        )
    (make,) = owners.values()

    @wraps(make)
    def noting(*arguments: Any, **options: Any) -> st.SearchStrategy[Any]:
        return noted(make(*arguments, **options))

    return noting
