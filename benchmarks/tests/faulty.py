"""A contender that fails and hangs, for tests."""

from typing import Any

LIBRARIES = ()
EASIER: dict[str, str] = {}
CANNOT = ""


def bfs(arrays: dict[str, Any]) -> Any:
    """Build something that can't search."""
    return lambda: 1 / 0


def astar(arrays: dict[str, Any]) -> Any:
    """Never end."""
    while True:
        pass
