"""Weighted vertex covers, by which the additional costs of pairs of robots are combined."""

from collections import Counter
from collections.abc import Mapping
from math import inf

from searchkit import Cost

MANY_EDGES = 16
"""With more edges, a vertex cover is bounded by a matching until fewer are left."""


def least_cover(weights: Mapping[tuple[int, int], Cost]) -> Cost:
    """Return the least sum of numbers, one for each vertex of a graph, such that each edge has its weight at its ends.

    For each connected part of the graph with many edges, it is only a lower bound.
    """
    total: Cost = 0
    left = dict(weights)
    while left:
        part = {next(iter(left))}
        vertices = set(next(iter(left)))
        grows = True
        while grows:
            near = {edge for edge in left if edge not in part and vertices & set(edge)}
            vertices.update(vertex for edge in near for vertex in edge)
            part |= near
            grows = bool(near)
        total += _cover({edge: left.pop(edge) for edge in list(left) if edge in part})
    return total


def _cover(weights: dict[tuple[int, int], Cost]) -> Cost:
    degrees = Counter(vertex for edge in weights for vertex in edge)
    if not weights or max(degrees.values()) == 1:
        return sum(weights.values())
    if (
        len(weights) > MANY_EDGES or inf in weights.values()
    ):  # the weight of one edge, and of those that do not touch it
        edge = max(weights, key=lambda edge: weights[edge])
        return weights[edge] + _cover({pair: w for pair, w in weights.items() if not set(pair) & set(edge)})
    vertex = max(sorted(degrees), key=lambda vertex: degrees[vertex])
    touched = {edge: weight for edge, weight in weights.items() if vertex in edge}
    rest = {edge: weight for edge, weight in weights.items() if vertex not in edge}
    least: Cost = inf
    for here in sorted({0, *touched.values()}):
        needs = {end: weight - here for edge, weight in touched.items() for end in edge if end != vertex}
        reduced, extra = dict(rest), here
        for end, need in needs.items():
            if need > 0:
                extra += need
                for edge in reduced:
                    if end in edge:
                        reduced[edge] -= need
        least = min(least, extra + _cover({edge: weight for edge, weight in reduced.items() if weight > 0}))
    return least
