"""What the defaults of `check_engine` draw, and that no correct search is suspected.

`tests/mutants` has the planted defects; with twenty seeds: `python -m benchmarks power`.
"""

from collections.abc import Callable
from typing import Any

import pytest

from searchkit.testing.strategies import weighted_digraphs
from searchkit.testing.trials import contender_for
from tests.helpers import hold_shares
from tests.mutants.power import CORRECT, first_fault


@pytest.mark.one_in(3)  # CI runs the others
@pytest.mark.parametrize("search", CORRECT, ids=lambda search: contender_for(search).spec.name)
def test_a_correct_search_is_not_suspected(search: Any, share: Callable[[int], int]) -> None:
    """Those that the defects are planted in, and two as a textbook has them."""
    assert first_fault(search, seed=1, examples=share(600)) is None


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("costs", "heuristic"),
    [
        *(("int", kind) for kind in (False, "consistent", "admissible", "inconsistent", "inadmissible")),
        *((costs, "admissible") for costs in ("unit", "zero-one", "Fraction", "float", "huge")),
    ],
)
def test_most_digraphs_are_not_trivial(costs: Any, heuristic: Any) -> None:
    """In every mode; an inadmissible heuristic overestimates at a state that leads to a goal."""
    always = ["unsolvable"] if heuristic == "inadmissible" else []
    hold_shares(lambda: weighted_digraphs(costs, heuristic=heuristic), besides=always)
