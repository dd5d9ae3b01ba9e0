"""Weighted vertex covers, by which the additional costs of pairs of robots are combined."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import inf
from typing import TypeAlias

from searchkit import Cost

MOST_BRANCHES = 100
"""The largest number of values of vertices that are tried for one connected part of a graph."""

Edges: TypeAlias = dict[tuple[int, int], Cost]


def least_cover(weights: Mapping[tuple[int, int], Cost]) -> Cost:
    """Return the least sum of whole numbers at vertices of a graph such that each edge has its weight at its ends.

    The weights are whole numbers or infinite. For a connected part that needs many trials, it is only a lower bound.
    """
    return sum(_cover_of_part(frozenset(part.items())) for part in _parts(weights))


def _parts(weights: Mapping[tuple[int, int], Cost]) -> Iterable[Edges]:
    """Return the connected parts."""
    parts: list[tuple[set[int], Edges]] = []
    for edge, weight in weights.items():
        vertices, edges = set(edge), {edge: weight}
        apart = []
        for part in parts:
            if vertices.isdisjoint(part[0]):
                apart.append(part)
            else:
                vertices |= part[0]
                edges.update(part[1])
        parts = [*apart, (vertices, edges)]
    return [edges for _, edges in parts]


@lru_cache(maxsize=10_000)
def _cover_of_part(part: frozenset[tuple[tuple[int, int], Cost]]) -> Cost:
    weights = dict(sorted(part))
    return inf if inf in weights.values() else _cover(weights, [MOST_BRANCHES])


def _cover(weights: Edges, branches: list[int]) -> Cost:
    """Return the least sum for positive weights; only a lower bound if more branches than are left are necessary."""
    total: Cost = 0
    while weights:
        degrees = Counter(vertex for edge in weights for vertex in edge)
        leaf = next((edge for edge in weights if 1 in (degrees[edge[0]], degrees[edge[1]])), None)
        if leaf is None:
            break
        # what a vertex with one edge has, the other end of the edge can have as well
        inner = leaf[0] if degrees[leaf[1]] == 1 else leaf[1]
        total += weights[leaf]
        weights = _reduced(weights, {inner: weights[leaf]})
    parts = list(_parts(weights))
    if len(parts) != 1:
        return total + sum(_cover(part, branches) for part in parts)
    vertex = max(sorted(degrees), key=lambda vertex: degrees[vertex])
    touched = {
        (edge[0] if edge[1] == vertex else edge[1]): weight
        for edge, weight in weights.items()
        if vertex in edge
    }
    least: Cost = inf
    for here in range(int(max(touched.values())) + 1):
        if here >= least:
            break
        if not branches[0]:  # the weight of one edge, and what those cost that do not touch it
            edge = max(weights, key=lambda edge: weights[edge])
            apart = {pair: weight for pair, weight in weights.items() if not set(pair) & set(edge)}
            return total + weights[edge] + _cover(apart, branches)
        branches[0] -= 1
        needs = {end: weight - here for end, weight in touched.items() if weight > here}
        rest = _reduced(weights, {**needs, vertex: max(touched.values())})
        least = min(least, here + sum(needs.values()) + _cover(rest, branches))
    return total + least


def _reduced(weights: Edges, numbers: Mapping[int, Cost]) -> Edges:
    """Return the edges to which numbers at some vertices leave a weight, with that weight."""
    reduced = {
        edge: weight - numbers.get(edge[0], 0) - numbers.get(edge[1], 0) for edge, weight in weights.items()
    }
    return {edge: weight for edge, weight in reduced.items() if weight > 0}
