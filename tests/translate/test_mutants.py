"""Each planted defect of the translator is found by the test of a construct."""

import pytest

from tests.translate.mutants import MUTANTS, found


@pytest.mark.parametrize("name", MUTANTS)
def test_it_is_found(name: str) -> None:
    """Machine code and Python do not agree, or machine code stops where it did not."""
    assert found(name)


@pytest.mark.long
@pytest.mark.parametrize("name", list(MUTANTS)[::4])  # ten seconds each
def test_random_programs_find_it(name: str) -> None:
    """Among the first 400."""
    assert found(name, 400)
