"""What the tests of compiled engines share: both forms of a search, and searches in several runs."""

from typing import Any

from searchkit import Limits, Result, Search


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


def in_pieces(problem: Any, engine: str, size: int, limit: int, **options: Any) -> tuple[object, ...]:
    """Return the answer of a search in machine code that is paused after every `size` expansions."""
    search: Search[Any, Any] = Search(problem, engine, backend="compiled", **options)
    result = search.run(Limits(expansions=min(size, limit)))
    while not search.ended and search.tree.expanded < limit:
        result = search.run(Limits(expansions=min(size, limit - search.tree.expanded)))
    return answer(search, result)
