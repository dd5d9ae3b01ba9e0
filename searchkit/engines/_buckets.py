"""Buckets by priority: a list that small integers index, or a dictionary that keeps all others sorted."""

from collections.abc import Callable
from typing import Any

from sortedcontainers import SortedDict

from searchkit.problem import Action, State
from searchkit.tree import SearchTree

DENSE = 1 << 16
"""Integer priorities below this index a list of buckets; with any other, the buckets are sorted by priority."""


def bucket_for(priority: Any, tree: SearchTree[State, Action], new_bucket: Callable[[], Any]) -> Any:
    """Return the bucket of that priority, made if need be; sort all buckets once a list can't index them."""
    frontier = tree.frontier
    if isinstance(frontier, list):
        if isinstance(priority, int) and priority < DENSE:
            frontier.extend(new_bucket() for _ in range(priority + 1 - len(frontier)))
        else:
            frontier = tree.frontier = SortedDict((f, bucket) for f, bucket in enumerate(frontier) if bucket)
    if not isinstance(frontier, list) and priority not in frontier:
        frontier[priority] = new_bucket()
    return frontier[priority]


def least(frontier: Any, f: Any) -> tuple[Any, Any]:
    """Return the least priority from `f` up that has an entry, and its bucket; an empty bucket if none has."""
    if isinstance(frontier, list):
        while f < len(frontier) and not frontier[f]:
            f += 1
        return f, frontier[f] if f < len(frontier) else ()
    while frontier and not frontier.peekitem(0)[1]:
        frontier.popitem(0)
    return frontier.peekitem(0) if frontier else (f, ())
