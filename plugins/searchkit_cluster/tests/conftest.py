"""Fixtures of the tests of clusters."""

from collections.abc import Iterator
from secrets import token_hex
from tempfile import TemporaryDirectory

import pytest

TOKEN = token_hex(32)


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
