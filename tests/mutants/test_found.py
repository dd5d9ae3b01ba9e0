"""No fewer planted defects are found than the record says."""

import pytest

from tests.mutants.found import DEFECTS, SEEDS, is_found, record

RECORDED = [(check, name) for check, defects in record().items() for name in defects]


def test_every_recorded_defect_is_still_planted() -> None:
    """A defect that nobody plants is not found; every one that is planted is recorded."""
    assert {check: set(defects) for check, defects in record().items()} == {
        check: set(defects) for check, defects in DEFECTS.items()
    }


@pytest.mark.one_in(4)  # CI runs the others
@pytest.mark.parametrize(("check", "name"), RECORDED)
def test_it_is_found(check: str, name: str) -> None:
    """With seed 0 in the suite, or with the first seed of the record that finds it."""
    assert record()[check][name] > 0
    assert any(is_found(check, name, seed) for seed in range(SEEDS - record()[check][name] + 1))
