"""Fixtures of the tests of clusters."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

import pytest

TOKEN = token_hex(32)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what starts Ray where there is none."""
    for item in items:
        if (
            item.path.parent == Path(__file__).parent
            and item.get_closest_marker("long")
            and not find_spec("ray")
        ):
            item.add_marker(pytest.mark.skip(reason="Ray is not installed: ./run test --cluster"))


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all clusters ask for the same token: Ray reads it once in a process, whatever the environment says later."""
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", TOKEN)


@pytest.fixture
def ray_folder() -> Iterator[str]:
    """Yield a folder for Ray's files. Its path is short, as sockets are in it."""
    with TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        yield folder
