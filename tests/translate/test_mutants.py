"""Each planted defect of the translator is found by the test of a construct."""

import pytest

from tests.translate.mutants import MUTANTS, found


@pytest.mark.parametrize("name", MUTANTS)
def test_it_is_found(name: str) -> None:
    """Machine code and Python do not agree, or machine code stops where it did not."""
    assert found(name)
