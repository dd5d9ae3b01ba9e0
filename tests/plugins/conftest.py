"""Tests that change what is installed leave no trace of it in the registry."""

from collections.abc import Iterator

import pytest

from searchkit.plugin import use_registry


@pytest.fixture(autouse=True)
def own_registry() -> Iterator[None]:
    """Load the plugins again in each test that asks for them."""
    with use_registry():
        yield
