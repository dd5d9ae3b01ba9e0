"""Problems drawn as a specification says."""

from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from searchkit.errors import InvalidOptionError
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import SearchProblem


def strategy_of(spec: ProblemSpec) -> st.SearchStrategy[SearchProblem[Any, Any]] | None:
    """Return the strategy for problems of a kind (`ProblemSpec.strategy`, or `small`); None if it has none."""
    if spec.small is None:
        return spec.strategy and spec.strategy()
    values = {each.name: each.choices for each in spec.parameters if each.choices}
    values |= {each.name: (False, True) for each in spec.parameters if isinstance(each.default, bool)}
    values |= {name: tuple(drawn) for name, drawn in spec.small.items()}

    def make(options: dict[str, Any]) -> SearchProblem[Any, Any]:
        assert spec.instance is not None
        try:
            return spec.instance(**spec.parse(options))
        except InvalidOptionError:
            reject()

    return st.fixed_dictionaries({name: st.sampled_from(drawn) for name, drawn in values.items()}).map(make)
