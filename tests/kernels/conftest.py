"""Which kernels the suite compiles: each engine on rows, and a few engines on views of the other forms."""

import pytest

ON_EVERY_FORM = ("astar", "bfs", "idastar")
"""A queue ordered by f, a plain queue, and a stack: the other engines call the same functions of a view, and on rows
all kinds of queues."""
ON_EVERY_KIND = ("astar", "bfs")
"""Problems of the registered kinds have views of the same forms."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases of other engines on other forms as long: compiling one of these pairs takes seconds."""
    for item in items:
        given = getattr(getattr(item, "callspec", None), "params", {})
        engine = given.get("name") or given.get("engine") or getattr(given.get("spec"), "name", None)
        form = given.get("form", "rows")
        if form != "rows" and engine is not None and engine not in ON_EVERY_FORM:
            item.add_marker("long")
        depth_first = engine == "idastar" or item.path.stem == "test_depth_first"
        if form == "four words" and depth_first:  # it is compiled anew for each number of words
            item.add_marker("long")
