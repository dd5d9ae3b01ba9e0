"""The problems of all kinds are drawn before a property draws its examples: Hypothesis does not nest them."""

import pytest

from tests.contract.cases import drawn_for, pool


@pytest.fixture(autouse=True)
def drawn_before(request: pytest.FixtureRequest) -> None:
    """Draw the problems for the engine of a test."""
    spec = getattr(request.node, "callspec", None)
    if spec is not None and "spec" in spec.params:
        pool(spec.params["spec"])
        drawn_for(spec.params["spec"])
