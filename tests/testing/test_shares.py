"""Strategies draw problems that are not trivial: measured, and asserted for every strategy of a plugin."""

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from hypothesis import strategies as st

from searchkit import ProblemSpec, available_problems
from searchkit.errors import InvalidOptionError
from searchkit.testing import measure_draws
from searchkit.testing.shares.measure import excused, strategies_of
from searchkit.testing.shares.traits import Traits, traits
from searchkit.testing.spaces.digraphs import Edge, digraph
from searchkit.testing.strategies import mazes, weighted_digraphs
from tests.helpers import hold_shares

# --- measuring ---

WORKED: dict[str, tuple[Any, Traits]] = {
    "the start is a goal": (digraph("0 -1→ 1", [0], [0]), Traits(False, True)),
    "one of the starts is a goal": (digraph("0 -1→ 1", [0, 1], [1]), Traits(False, True, 0, True)),
    "no goal": (digraph("0 -1→ 1", [0], []), Traits(True, False)),
    "no path": (digraph("0 -1→ 1, 2 -1→ 3", [0], [3]), Traits(True, False)),
    "one path": (digraph("0 -1→ 1, 1 -1→ 2, 2 -1→ 3", [0], [3]), Traits(True, True, 3)),
    "another of the same cost": (
        digraph("0 -1→ 1, 1 -2→ 3, 0 -2→ 2, 2 -1→ 3", [0], [3]),
        Traits(True, True, 2),
    ),
    "another of a higher cost": (
        digraph("0 -1→ 1, 1 -2→ 3, 0 -2→ 2, 2 -2→ 3", [0], [3]),
        Traits(True, True, 2, True),
    ),
    "the best path has more actions": (
        digraph("0 -9→ 3, 0 -1→ 1, 1 -1→ 2, 2 -1→ 3", [0], [3]),
        Traits(True, True, 3, True),
    ),
    "the fewest actions among the best": (
        digraph("0 -3→ 3, 0 -1→ 1, 1 -1→ 2, 2 -1→ 3", [0], [3]),
        Traits(True, True, 1),
    ),
    "parallel edges": (digraph("0 -1→ 1, 0 -2→ 1", [0], [1]), Traits(True, True, 1, True)),
    "only a cycle is dearer": (digraph("0 -1→ 1, 1 -1→ 0, 1 -1→ 2", [0], [2]), Traits(True, True, 2)),
    "only a way past a goal is dearer": (digraph("0 -1→ 1, 1 -1→ 2", [0], [1, 2]), Traits(True, True, 1)),
    "from another start": (digraph("0 -1→ 2, 1 -2→ 2", [0, 1], [2]), Traits(True, True, 1, True)),
    "to another goal": (digraph("0 -1→ 1, 0 -2→ 2", [0], [1, 2]), Traits(True, True, 1, True)),
    "a detour that no edge off the best path shows": (
        # The best path is 0 1 2 3. A path that leaves it for 4 returns by 1, unless it began by 2.
        digraph("0 -1→ 1, 1 -1→ 2, 2 -1→ 3, 0 -5→ 2, 2 -1→ 1, 1 -5→ 3", [0], [3]),
        Traits(True, True, 3, True),
    ),
    "floats that differ by rounding": (
        digraph("0 -0.1→ 1, 1 -0.2→ 2, 0 -0.3→ 2", [0], [2]),
        Traits(True, True, 1),
    ),
    "fractions": (digraph("0 -1/3→ 1, 0 -1/2→ 1", [0], [1]), Traits(True, True, 1, True)),
}


@pytest.mark.parametrize("name", WORKED)
def test_worked_examples(name: str) -> None:
    """By hand."""
    problem, expected = WORKED[name]
    assert traits(problem, 1000) == expected


def test_a_space_that_is_too_large_is_undecided() -> None:
    """Unknown, and not unsolvable. A path that was found counts, and so does a rival."""
    way = digraph([Edge(node, node + 1, 1) for node in range(9)], [0], [9])
    assert traits(way, 5) == Traits(True, None)
    assert traits(way, 9) == Traits(True, True, 9)
    shares = measure_draws(st.just(way), draws=1, max_states=5)
    assert (shares.undecided, shares["solvable"], shares["unsolvable"]) == (1, 0, 0)


def test_shares_of_what_is_drawn() -> None:
    """Each draw counts once; the same seeds give the same shares."""
    kinds = [digraph("0 -1→ 1, 0 -2→ 1", [0], [1]), digraph("0 -1→ 1", [0], [0])]
    number = st.integers(0, 99)
    strategy = number.map(lambda drawn: kinds[drawn % 2])
    shares = measure_draws(strategy, draws=40, seeds=[1, 2])
    assert shares == measure_draws(strategy, draws=40, seeds=[1, 2])
    assert shares.draws == 80
    assert shares["solvable"] == 1
    assert shares["apart"] == shares["rivals"] == shares.shares[0].count / 80
    assert 0.2 < shares["apart"] < 0.8
    assert [share.name for share in shares.missed()][:3] == ["apart", "unsolvable", "long"]
    assert "unsolvable" not in [share.name for share in shares.missed(besides=["unsolvable"])]
    assert "✗ no path exists: 0% (expected: at least 8%)" in str(shares)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strategy": digraph("0 → 1", [0], [1])}, "is not a Hypothesis strategy of problems"),
        ({"draws": 0}, "draws=0"),
        ({"seeds": ()}, r"seeds=\(\)"),
        ({"max_states": 0}, "max_states=0"),
    ],
)
def test_what_can_not_be_measured(arguments: dict[str, Any], message: str) -> None:
    """One error, which says what was given."""
    with pytest.raises(InvalidOptionError, match=message):
        measure_draws(**{"strategy": st.just(digraph("0 → 1", [0], [1]))} | arguments)


# --- every strategy that is registered ---

BROUGHT = [
    pytest.param(make, spec, id=f"{spec.name}-{name}")
    for spec in available_problems().values()
    for name, make in strategies_of(spec).items()
]
"""Of all plugins that are installed, a stranger's too."""
MODES = [
    *(
        {"heuristic": heuristic}
        for heuristic in (False, "admissible", "consistent", "inconsistent", "inadmissible")
    ),
    *({"costs": costs} for costs in ("int", "Fraction", "float", "huge", "zero-one", "unit")),
]


@pytest.mark.long  # strategies change seldom; CI runs it
@pytest.mark.parametrize(("make", "spec"), BROUGHT)
def test_what_plugins_draw_is_not_trivial(make: Callable[[], Any], spec: ProblemSpec) -> None:
    """Starts apart from goals, paths of some length, others that cost more, and sometimes no path at all."""
    hold_shares(make, besides=excused(spec))


@pytest.mark.parametrize("name", [name for name, spec in available_problems().items() if spec.equal_costs])
def test_promised_costs_are_equal(name: str) -> None:
    """A kind of problem that is excused from drawing paths of different cost has none."""
    spec = available_problems()[name]
    assert spec.strategy is not None
    assert excused(spec) == ("rivals",)
    assert measure_draws(spec.strategy())["rivals"] == 0


@pytest.mark.one_in(4)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: "-".join(map(str, chain(*mode.items()))))
def test_digraphs_are_not_trivial_in_any_mode(mode: dict[str, Any]) -> None:
    """For any costs and heuristics."""
    # A heuristic overestimates only at a state that leads to a goal: there always is one that can be reached.
    always = ["unsolvable"] if mode.get("heuristic") == "inadmissible" else []
    hold_shares(lambda: weighted_digraphs(**mode), besides=always)


def test_a_trivial_strategy_is_found_out() -> None:
    """The number of draws that the tests above take is enough to fail."""
    missed = measure_draws(mazes(size=2), draws=80).missed()
    assert "long" in {share.name for share in missed}
    assert {share.advice for share in missed} >= {"draw larger problems, with the goal farther off"}
