"""Strategies draw problems that are not trivial: measured, and asserted for every strategy of a plugin."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from searchkit import ProblemSpec, available_problems
from searchkit.errors import InvalidOptionError
from searchkit.testing import digraph, measure_draws
from searchkit.testing.strategies import mazes
from tests.helpers import hold_shares

WORKED: dict[str, tuple[Any, set[str]]] = {
    "the start is a goal": (digraph("0 -1→ 1", [0], [0]), {"solvable"}),
    "one of the starts is a goal": (digraph("0 -1→ 1", [0, 1], [1]), {"solvable"}),
    "no goal": (digraph("0 -1→ 1", [0], []), {"apart", "unsolvable"}),
    "no path": (digraph("0 -1→ 1, 2 -1→ 3", [0], [3]), {"apart", "unsolvable"}),
    "a path": (digraph("0 -1→ 1, 1 -1→ 2, 2 -1→ 3", [0], [3]), {"apart", "solvable", "long"}),
    "the best path is short": (
        digraph("0 -1→ 3, 0 -1→ 1, 1 -1→ 2, 2 -1→ 3", [0], [3]),
        {"apart", "solvable"},
    ),
    "too many states": (digraph(", ".join(f"{n} -1→ {n + 1}" for n in range(9)), [0], [9]), {"apart"}),
}


@pytest.mark.parametrize("name", WORKED)
def test_worked_examples(name: str) -> None:
    """By hand; a space that is too large is neither solvable nor unsolvable."""
    problem, traits = WORKED[name]
    shares = measure_draws(st.just(problem), draws=1, max_states=5)
    assert {share for share in shares.shares if shares[share]} == traits


def test_shares_of_what_is_drawn() -> None:
    """Each draw counts once; what is too small is named, with what is expected."""
    kinds = [digraph("0 -1→ 1, 0 -2→ 1", [0], [1]), digraph("0 -1→ 1", [0], [0])]
    shares = measure_draws(st.integers(0, 99).map(lambda drawn: kinds[drawn % 2]), draws=80)
    assert 0.2 < shares["apart"] < 0.8
    assert shares.missed() == ("apart", "unsolvable", "long")
    assert "unsolvable" not in shares.missed(besides=["unsolvable"])
    assert "✗ no path exists: 0% (expected: at least 8%)" in str(shares)
    assert "long" in measure_draws(mazes(size=2), draws=80).missed()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strategy": digraph("0 → 1", [0], [1])}, "is not a Hypothesis strategy of problems"),
        ({"draws": 0}, "draws=0"),
        ({"max_states": 0}, "max_states=0"),
    ],
)
def test_what_can_not_be_measured(arguments: dict[str, Any], message: str) -> None:
    """One error, which says what was given."""
    with pytest.raises(InvalidOptionError, match=message):
        measure_draws(**{"strategy": st.just(digraph("0 → 1", [0], [1]))} | arguments)


BROUGHT = [
    pytest.param(make, spec, id=f"{spec.name}-{name}")
    for spec in available_problems().values()
    for name, make in {**spec.strategies, "strategy": spec.strategy}.items()
    if make is not None
]


@pytest.mark.long  # strategies change seldom; CI runs it
@pytest.mark.parametrize(("make", "spec"), BROUGHT)
def test_what_plugins_draw_is_not_trivial(make: Callable[[], Any], spec: ProblemSpec) -> None:
    """Starts apart from goals, paths of some length, and sometimes no path at all."""
    hold_shares(make, besides=["unsolvable"] if spec.always_solvable else [])
