"""Which kernels the suite compiles: each engine on rows, and a few engines on views of the other forms."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
ON_EVERY_FORM = ("astar", "bfs", "idastar")
"""A queue ordered by f, a plain queue, and a stack: the other engines call the same functions of a view, and on rows
all kinds of queues."""
ON_EVERY_KIND = ("astar", "bfs")
"""Problems of the registered kinds have views of the same forms."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave other engines on other forms to `./run fuzz`: compiling one of these pairs takes seconds."""
    if config.getoption("--effort") < 1:
        left_out = [item for item in items if item.path.parent == HERE and not is_compiled(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def is_compiled(item: pytest.Item) -> bool:
    """Whether the tests compile the engine of a test for the form of its views."""
    given = getattr(getattr(item, "callspec", None), "params", {})
    engine = given.get("name") or given.get("engine") or getattr(given.get("spec"), "name", None)
    form = given.get("form", "rows")
    depth_first = engine == "idastar" or item.path.stem == "test_depth_first"
    if form == "four words" and depth_first:  # it is compiled anew for each number of words
        return False
    return form == "rows" or engine is None or engine in ON_EVERY_FORM
