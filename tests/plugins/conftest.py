"""Tests that change what is installed leave no trace of it in the registry."""

from collections.abc import Iterator

import pytest

from searchkit.plugin import registry as plugins


@pytest.fixture(autouse=True)
def forget_plugins() -> Iterator[None]:
    """Load the plugins anew after each test."""
    yield
    plugins._load_cached.cache_clear()
