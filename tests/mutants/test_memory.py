"""`check_engine`, and the properties of the engine, find what is planted into `rbfs`."""

from collections import Counter
from typing import Any

from searchkit import EngineSpec, Search
from searchkit.testing import digraph
from tests.mutants.memory import rbfs


def repeats(engine: str | EngineSpec) -> tuple[int, Any]:
    """Return how often paths were expanded again in a search that changes its mind twice, and what the engine says."""
    roads = "0 -1→ 1, 0 -1→ 2, 1 -3→ 3, 2 -3→ 4, 3 -3→ 5, 4 -1→ 6, 5 -9→ 7, 6 -1→ 7"
    problem = digraph(roads, [0], [7], dict.fromkeys(range(8), 0))
    search, paths = Search(problem, engine), Counter[Any]()
    for _ in search:
        paths[tuple(search.tree.reached.items())] += 1
    return paths.total() - len(paths), search.run().details["expanded again"]


def test_children_that_do_not_inherit_are_noticed() -> None:
    """The answers are right, but the search repeats more, and does not know it."""
    forgetful = rbfs("max(value, f) if again else f", "f")
    (repeated, told), (more, less) = repeats("rbfs"), repeats(forgetful)
    assert repeated == told > 0
    assert more > less
