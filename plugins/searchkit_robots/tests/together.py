"""What the tests of compiled engines share: both forms of a search, and searches that are saved and restored."""

import json
from typing import Any

import numpy as np

from searchkit import Limits, Result, Search
from searchkit.plugin import InputFormatError
from searchkit_robots import MultiAgentGrid, check_plan


def answer(search: Search[Any, Any], result: Result[Any, Any]) -> tuple[object, ...]:
    """Return all that both forms agree in."""
    tree = search.tree
    best = result.solution or result.partial
    path = None if best is None else (best.states, best.actions)
    counters = tree.expanded, tree.generated, tree.peak_frontier
    return result.status, result.cost, result.lower_bound, path, counters, result.details


def both(problem: Any, engine: str, limit: int, **options: Any) -> list[tuple[object, ...]]:
    """Return the answers in Python and in machine code."""
    answers = []
    for backend in ("python", "compiled"):
        search: Search[Any, Any] = Search(problem, engine, backend=backend, **options)
        answers.append(answer(search, search.run(Limits(expansions=limit))))
    return answers


def written(search: Search[Any, Any]) -> dict[str, Any]:
    """Return what the kernel holds, as it would come from a file."""
    saved = search.kernel.saved()
    return {
        name: value.copy() if isinstance(value, np.ndarray) else json.loads(json.dumps(value))
        for name, value in saved.items()
    }


def restored(search: Search[Any, Any], saved: dict[str, Any]) -> Search[Any, Any]:
    """Return another search of the same problem that goes on from what was saved."""
    other: Search[Any, Any] = Search(search.problem, search.spec, backend="compiled", **search.options)
    other._engine.restore(saved)
    return other


def in_pieces(problem: Any, engine: str, size: int, limit: int, **options: Any) -> tuple[object, ...]:
    """Return the answer of a search in machine code that is saved and restored after every `size` expansions."""
    search: Search[Any, Any] = Search(problem, engine, backend="compiled", **options)
    result = search.run(Limits(expansions=min(size, limit)))
    while not search.ended and search.tree.expanded < limit:
        search = restored(search, written(search))
        result = search.run(Limits(expansions=min(size, limit - search.tree.expanded)))
    return answer(search, result)


def rejected_damage(problem: MultiAgentGrid, search: Search[Any, Any], most: int, changes: int) -> int:
    """Return how many damaged copies of a saved search of a problem are rejected, of `changes` for each array.

    A copy has one number of one array replaced. The copies that are restored go on for `most` expansions, and what they
    find has to be a valid plan.
    """
    saved, random = written(search), np.random.default_rng(0)
    rejected = 0
    for name, value in saved.items():
        for _ in range(changes if isinstance(value, np.ndarray) and value.size else 0):
            damaged = {**saved, name: value.copy()}
            place = random.integers(value.size)
            damaged[name].flat[place] = random.choice([-2, -1, 0, 1, 7, 1 << 20, (1 << 31) - 1])
            try:
                other = restored(search, damaged)
            except InputFormatError:
                rejected += 1
                continue
            result = other.run(Limits(expansions=most))
            best = result.solution or result.partial
            assert best is None or check_plan(problem, best.states) == []
    return rejected
